# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""``torch.special``."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int

from gradcli._typing import Dims, DTypeLike, TensorLike
from gradcli.autograd.tensor import Tensor

def bessel_j0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0."""

def bessel_j1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1."""

def bessel_y0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0."""

def bessel_y1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1."""

def digamma(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma."""

def entr(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """-x log(x), the part of an entropy."""

def erf(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The error function."""

def erfc(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(x), exact also for large x."""

def erfcx(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^(x^2) * erfc(x), without overflow."""

def erfinv(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the error function, for -1 < x < 1."""

def exp2(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The power 2^x of each element."""

def expit(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logistic function 1 / (1 + e^-x)."""

def expm1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^x - 1, exact also for small x."""

def gammainc(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The regularised lower incomplete gamma function P(input, other)."""

def gammaincc(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The regularised upper incomplete gamma function Q(input, other) = 1 - P(input, other)."""

def gammaln(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of |Gamma(x)|."""

def i0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0."""

def i0e(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^-|x| * i0(x)."""

def i1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1."""

def i1e(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^-|x| * i1(x)."""

def log1p(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """log(1 + x), exact also for small x."""

def log_ndtr(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of ndtr, exact also far to the left."""

def log_softmax(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    axis: _int | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of softmax, exact for large inputs."""

def logit(input: TensorLike, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(x / (1 - x)), the inverse of sigmoid."""

def logsumexp(
    input: TensorLike,
    dim: Dims,
    keepdim: _bool = False,
    *,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """log(sum(exp(input))) over dim, without overflow."""

def modified_bessel_i0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """As i0, without a derivative."""

def modified_bessel_i1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """As i1, without a derivative."""

def modified_bessel_k0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0."""

def modified_bessel_k1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1."""

def multigammaln(input: TensorLike, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension p."""

def ndtr(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The distribution function of the normal distribution."""

def ndtri(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The quantile function of the normal distribution: the inverse of ndtr."""

def polygamma(n: _int, input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma."""

def psi(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma."""

def round(input: TensorLike, *, decimals: _int = 0, out: Tensor | None = None) -> Tensor:
    """The nearest whole number, or the nearest with so many decimals."""

def scaled_modified_bessel_k0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^x * modified_bessel_k0(x)."""

def scaled_modified_bessel_k1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^x * modified_bessel_k1(x)."""

def sinc(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """sin(pi x) / (pi x), 1 at 0."""

def softmax(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    axis: _int | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """exp(input) divided by its sum along dim."""

def spherical_bessel_j0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """sin(x) / x, 1 at 0."""

def xlog1py(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input * log(1 + other), and 0 where input is 0 (unless other is nan)."""

def xlogy(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input * log(other), and 0 where input is 0 (unless other is nan)."""

def zeta(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The Hurwitz zeta function."""

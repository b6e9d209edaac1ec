"""Special functions: error functions, the normal distribution, gamma functions, and what torch.special adds to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops import special_math
from gradcli.ops.binary import xlogy
from gradcli.ops.elementwise import exp, log
from gradcli.ops.kinds import unfit
from gradcli.ops.masked import filled, keep, negated, refused
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.unary import unary

__all__ = ["erf", "erfc", "xlogy"]

Unary = Callable[[Any], Any]
Array = np.ndarray[Any, Any]
_KIND = "special functions"
_POSITIVE = (0.5, 3.0)
_UNIT = (0.1, 0.9)
_SQRT_PI = math.sqrt(math.pi)
_SQRT_HALF = math.sqrt(0.5)


def special(name: str, forward: Callable[..., Any], rule: Callable[..., Any] | None, **words: Any) -> Unary:
    """Return the public function of a special function of one real tensor and register its row (see ``unary``)."""

    def real(input: Any) -> Any:
        if input.dtype.kind == "c":
            raise unfit(name, "biuf", input)
        return forward(input)

    return unary(name, real, rule, category=_KIND, **words)


def _real(name: str, input: Any) -> Any:
    if input.dtype.kind == "c":
        raise unfit(name, "biuf", input)
    return input


def gaussian(input: Any) -> Any:
    """Return e^(-x^2)."""
    return exp(-(input * input))


# -- error functions --------------------------------------------------------------------------------------------------
erf = special(
    "erf", special_math.erf, lambda g, input: g * (2 / _SQRT_PI * gaussian(input)), also="torch.special.erf",
    doc="The error function.", formula="g * 2 / sqrt(pi) * e^(-input^2)", example="[0., 1.] -> [0.0000, 0.8427]",
)  # fmt: skip
erfc = special(
    "erfc", special_math.erfc, lambda g, input: -g * (2 / _SQRT_PI * gaussian(input)), also="torch.special.erfc",
    doc="1 - erf(x), exact also for large x.", formula="-g * 2 / sqrt(pi) * e^(-input^2)",
    example="[0., 1.] -> [1.0000, 0.1573]",
)  # fmt: skip
erfinv = special(
    "erfinv", special_math.erfinv, lambda g, out: g * (_SQRT_PI / 2 * exp(out * out)), also="torch.special.erfinv",
    doc="The inverse of the error function, for -1 < x < 1.", formula="g * sqrt(pi) / 2 * e^(out^2)",
    example="[0., 0.5] -> [0.0000, 0.4769]", domain=(-0.8, 0.8),
    conventions="At -1 and 1 value and derivative are infinite.",
)  # fmt: skip
erfcx: Unary = special(
    "torch.special.erfcx", special_math.erfcx, lambda g, input, out: g * (2 * input * out - 2 / _SQRT_PI),
    node="SpecialErfcxBackward0", doc="e^(x^2) * erfc(x), without overflow.",
    formula="g * (2 * input * out - 2 / sqrt(pi))", example="[0., 1.] -> [1.0000, 0.4276]",
)  # fmt: skip
ndtr = special(
    "torch.special.ndtr", lambda input: 0.5 * special_math.erfc(-_SQRT_HALF * input),
    lambda g, input: g * (gaussian(input * _SQRT_HALF) / math.sqrt(2 * math.pi)), node="SpecialNdtrBackward0",
    doc="The distribution function of the normal distribution.", formula="g * e^(-input^2 / 2) / sqrt(2 pi)",
    example="[0., 1.] -> [0.5000, 0.8413]",
)  # fmt: skip
ndtri = special(
    "torch.special.ndtri", special_math.ndtri, lambda g, out: g * (math.sqrt(2 * math.pi) * exp(out * out / 2)),
    node="SpecialNdtriBackward0", doc="The quantile function of the normal distribution: the inverse of ndtr.",
    formula="g * sqrt(2 pi) * e^(out^2 / 2)", example="[0.5, 0.975] -> [0.0000, 1.9600]", domain=_UNIT,
    conventions="At 0 and 1 value and derivative are infinite.",
)  # fmt: skip
log_ndtr = special(
    "torch.special.log_ndtr", special_math.log_ndtr,
    lambda g, input: g / erfcx(-_SQRT_HALF * input) * math.sqrt(2 / math.pi), node="SpecialLogNdtrBackward0",
    doc="The logarithm of ndtr, exact also far to the left.", formula="g * sqrt(2 / pi) / erfcx(-input / sqrt(2))",
    example="[0., -10.] -> [-0.6931, -53.2313]",
)  # fmt: skip


# -- gamma functions --------------------------------------------------------------------------------------------------
lgamma = special(
    "lgamma", special_math.lgamma, lambda g, input: g * digamma(input),
    also="torch.special.gammaln", domain=_POSITIVE, doc="The logarithm of |Gamma(x)|.", formula="g * digamma(input)",
    example="[1., 5.] -> [0.0000, 3.1781]", conventions="Infinite at 0, -1, -2, ...",
)  # fmt: skip
digamma: Unary = special(
    "digamma", special_math.digamma, lambda g, input: g * polygamma(1, input),
    also="torch.special.digamma torch.special.psi", domain=_POSITIVE, doc="The derivative of lgamma.",
    formula="g * polygamma(1, input)", example="[1., 2.] -> [-0.5772, 0.4228]",
)  # fmt: skip
_polygamma = Primitive(
    "polygamma", lambda input, *, n: special_math.polygamma(n, _real("polygamma", input)),
    {"input": lambda g, input, n: g * polygamma(n + 1, input)}, to_float=True, batch="elementwise",
)  # fmt: skip


@op(
    "torch.polygamma", "polygamma(n, input)", names="torch.special.polygamma", category=_KIND,
    doc="The n-th derivative of digamma.", formula="g * polygamma(n + 1, input)",
    conventions="0 at infinity and infinite at 0, -1, -2, ..., where PyTorch gives nan or large numbers.",
    examples=("polygamma(1, tensor([1.]))  #> [1.6449]",),
    samples=(sample(1, T(3)), sample(2, T(2, 2)), sample(0, T())), domain=_POSITIVE,
)  # fmt: skip
def polygamma(n: int, input: Any) -> Any:
    if n < 0:
        raise error(RuntimeError, "bad-argument", f"polygamma needs n >= 0, got {n}")
    return _polygamma(input, n=n)


@op(
    "Tensor.polygamma", "polygamma(input, n)", category=_KIND, doc="The n-th derivative of digamma.",
    formula="g * polygamma(n + 1, input)", examples=("tensor([1.]).polygamma(1)  #> [1.6449]",), inplace=True,
    samples=(sample(T(3), 1),), domain=_POSITIVE,
)  # fmt: skip
def _polygamma_of(input: Any, n: int) -> Any:
    return polygamma(n, input)


def _mvlgamma(input: Any, *, p: int) -> Any:
    total = sum(special_math.lgamma(_real("mvlgamma", input) - j / 2) for j in range(p))
    return total + p * (p - 1) / 4 * math.log(math.pi)


def _slope_mvlgamma(g: Any, input: Any, p: int) -> Any:
    total = digamma(input)
    for j in range(1, p):
        total = total + digamma(input - j / 2)
    return g * total


_mvlgamma_primitive = Primitive(
    "mvlgamma", _mvlgamma, {"input": _slope_mvlgamma}, to_float=True, batch="elementwise"
)


@op(
    "torch.mvlgamma", "mvlgamma(input, p)", names="Tensor.mvlgamma torch.special.multigammaln", inplace=True,
    category=_KIND, doc="The logarithm of the multivariate gamma function of dimension p.",
    formula="g * the sum of digamma(input - j / 2), j < p", examples=("mvlgamma(tensor([3.]), 2)  #> [1.5502]",),
    samples=(sample(T(3), 2), sample(T(2, 2), 1)), domain=(1.5, 4.0),
)  # fmt: skip
def mvlgamma(input: Any, p: int) -> Any:
    if p < 1:
        raise error(RuntimeError, "bad-argument", f"mvlgamma needs p >= 1, got {p}")
    return _mvlgamma_primitive(input, p=p)


_IGAMMA = "the derivative of {} to its first argument is not implemented; to the second it is"


def _slope_gammainc(g: Any, input: Any, other: Any) -> Any:
    shape = math.lgamma(input) if isinstance(input, (int, float)) else lgamma(input)
    return g * exp((input - 1) * log(other) - other - shape)


_gammainc = fast.binary(Primitive(
    "igamma", lambda input, other: special_math.gammainc(input, _real("gammainc", other)),
    {"input": refused(_IGAMMA.format("gammainc")), "other": _slope_gammainc}, promotes=True,
))  # fmt: skip
_gammaincc = fast.binary(Primitive(
    "igammac", lambda input, other: special_math.gammaincc(input, _real("gammaincc", other)),
    {"input": refused(_IGAMMA.format("gammaincc")), "other": lambda g, input, other: _slope_gammainc(-g, input, other)},
    promotes=True,
))  # fmt: skip
_zeta = fast.binary(Primitive(
    "zeta", lambda input, other: special_math.zeta(input, _real("zeta", other)),
    {"input": refused(_IGAMMA.format("zeta")), "other": lambda g, input, other: -g * input * zeta(input + 1, other)},
    node="SpecialZetaBackward0", promotes=True, to_float=True,
))  # fmt: skip


@op(
    "torch.special.gammainc", "gammainc(input, other)", names="torch.igamma Tensor.igamma", category=_KIND,
    doc="The regularised lower incomplete gamma function P(input, other).",
    formula="g * other^(input - 1) e^-other / Gamma(input) to other",
    conventions="The derivative to input is not implemented: an error in backward.",
    examples=("special.gammainc(tensor([1.]), tensor([2.]))  #> [0.8647]",), samples=(sample(2.5, T(3)),),
    domain=_POSITIVE,
)  # fmt: skip
def gammainc(input: Any, other: Any) -> Any:
    return _gammainc(input, other)


@op(
    "torch.special.gammaincc", "gammaincc(input, other)", names="torch.igammac Tensor.igammac", category=_KIND,
    doc="The regularised upper incomplete gamma function Q(input, other) = 1 - P(input, other).",
    formula="-g * other^(input - 1) e^-other / Gamma(input) to other",
    conventions="The derivative to input is not implemented: an error in backward.",
    examples=("special.gammaincc(tensor([1.]), tensor([2.]))  #> [0.1353]",), samples=(sample(2.5, T(3)),),
    domain=_POSITIVE,
)  # fmt: skip
def gammaincc(input: Any, other: Any) -> Any:
    return _gammaincc(input, other)


@op(
    "torch.special.zeta", "zeta(input, other)", category=_KIND, doc="The Hurwitz zeta function.",
    formula="-g * input * zeta(input + 1, other) to other",
    conventions="The derivative to input is not implemented: an error in backward. 0 for infinite arguments, where "
    "PyTorch gives nan.",
    examples=("special.zeta(tensor([2.]), tensor([1.]))  #> [1.6449]",), samples=(sample(2.5, T(3)),),
    domain=_POSITIVE,
)  # fmt: skip
def zeta(input: Any, other: Any) -> Any:
    return _zeta(input, other)


# -- logarithms -------------------------------------------------------------------------------------------------------
def _logit(input: Any, *, eps: Any) -> Any:
    if input.dtype.kind == "c":
        raise unfit("logit", "biuf", input)
    if eps is not None:
        input = np.clip(input, eps, 1 - eps)
    return np.log(input / (1 - input))


def _slope_logit(g: Any, input: Any, eps: Any) -> Any:
    slope = g / (input * (1 - input))
    if eps is not None:
        return keep(slope, (input >= eps) & (input <= 1 - eps))
    return filled(slope, ~((input < 0) | (input > 1)), math.nan)


_logit_primitive = Primitive("logit", _logit, {"input": _slope_logit}, to_float=True, batch="elementwise")


@op(
    "torch.logit", "logit(input, eps=None)", names="Tensor.logit torch.special.logit", inplace=True, category=_KIND,
    doc="log(x / (1 - x)), the inverse of sigmoid; eps first moves x into [eps, 1 - eps].",
    formula="g / (input * (1 - input)), 0 where eps has moved it", conventions="nan outside of [0, 1].",
    examples=("logit(tensor([0.5, 0.75]))  #> [0.0000, 1.0986]",),
    samples=(sample(T(3)), sample(T(2, 2), 0.05), sample(Lit([0.01, 0.5]), 0.1)), domain=_UNIT,
)  # fmt: skip
def logit(input: Any, eps: float | None = None) -> Any:
    return _logit_primitive(input, eps=eps)


def _xlog1py(input: Any, other: Any) -> Any:
    if input.dtype.kind == "c":
        raise unfit("xlog1py", "biuf", input)
    other = np.asarray(other, input.dtype)
    return np.where((input == 0) & ~np.isnan(other), input.dtype.type(0), input * np.log1p(other))


_xlog1py_fast = fast.binary(Primitive(
    "xlog1py", _xlog1py,
    {
        "input": lambda g, input, other: keep(xlog1py(g, other), negated((input == 0) & (other <= -1))),
        "other": lambda g, input, other: g * input / (other + 1),
    },
    node="SpecialXlog1PyBackward0", promotes=True, to_float=True,
))  # fmt: skip


@op(
    "torch.special.xlog1py", "xlog1py(input, other)", category=_KIND,
    doc="input * log(1 + other), and 0 where input is 0 (unless other is nan).",
    formula="g * log1p(other) to input, g * input / (1 + other) to other",
    conventions="At (0, -1) the gradient to other is nan.",
    examples=("special.xlog1py(tensor([0., 2.]), tensor([-1., 0.]))  #> [0., 0.]",),
    samples=(sample(T(3), T(3)), sample(T(2, 1), T(3))), domain=_POSITIVE,
)  # fmt: skip
def xlog1py(input: Any, other: Any) -> Any:
    return _xlog1py_fast(input, other)


def _entr(input: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(input > 0, -input * np.log(input), np.where(input == 0, 0, -np.inf).astype(input.dtype))
    return np.where(np.isnan(input), input, inside)


entr = special(
    "torch.special.entr", _entr, lambda g, input: -g * (1 + log(input)), node="SpecialEntrBackward0",
    doc="-x log(x), the part of an entropy; 0 at 0, -inf below.", formula="-g * (1 + log(input))",
    example="[0., 0.5] -> [0.0000, 0.3466]", domain=_POSITIVE, conventions="At 0 the derivative is inf.",
)  # fmt: skip

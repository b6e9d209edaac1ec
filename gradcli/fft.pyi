# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""``torch.fft``."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence

from gradcli._typing import Dims, DTypeLike, TensorLike
from gradcli.autograd.tensor import Tensor

def fft(
    input: TensorLike,
    n: _int | None = None,
    dim: _int = -1,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform of real or complex values."""

def fft2(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims = (-2, -1),
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """fft.fftn over two dimensions."""

def fftfreq(
    n: _int,
    d: _float = 1.0,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The frequencies of the entries of fft.fft for n points at distance d."""

def fftn(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims | None = None,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform along each of several dimensions, by default all."""

def fftshift(input: TensorLike, dim: Dims | None = None, *, out: Tensor | None = None) -> Tensor:
    """The values with the zero frequency moved to the middle."""

def hfft(
    input: TensorLike,
    n: _int | None = None,
    dim: _int = -1,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The real transform of values that are conjugate to their mirror image, given by half."""

def hfft2(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims = (-2, -1),
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """fft.hfftn over two dimensions."""

def hfftn(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims | None = None,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """fft.hfft along the last of several dimensions, fft.fft along the others."""

def ifft(
    input: TensorLike,
    n: _int | None = None,
    dim: _int = -1,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.fft."""

def ifft2(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims = (-2, -1),
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.fft2."""

def ifftn(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims | None = None,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.fftn."""

def ifftshift(input: TensorLike, dim: Dims | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of fft.fftshift."""

def ihfft(
    input: TensorLike,
    n: _int | None = None,
    dim: _int = -1,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.hfft."""

def ihfft2(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims = (-2, -1),
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.hfft2."""

def ihfftn(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims | None = None,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.hfftn."""

def irfft(
    input: TensorLike,
    n: _int | None = None,
    dim: _int = -1,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.rfft."""

def irfft2(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims = (-2, -1),
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.rfft2."""

def irfftn(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims | None = None,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of fft.rfftn."""

def rfft(
    input: TensorLike,
    n: _int | None = None,
    dim: _int = -1,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform of real values, without its redundant half."""

def rfft2(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims = (-2, -1),
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """fft.rfftn over two dimensions."""

def rfftfreq(
    n: _int,
    d: _float = 1.0,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The frequencies of the entries of fft.rfft for n points at distance d."""

def rfftn(
    input: TensorLike,
    s: Sequence[_int] | None = None,
    dim: Dims | None = None,
    norm: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform of real values along several dimensions, the last by half."""

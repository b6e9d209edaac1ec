"""Fourier transforms under PyTorch's names, along one dimension, two, or any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import as_dtype, default
from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axes_of
from gradcli.ops.matrix import as_operand, shape_of
from gradcli.ops.row import T, op, sample
from gradcli.ops.spectra import complex_transform, real_transform, to_real_transform

_NORMS = (
    "norm: 'backward' (default) divides the inverse by the number of points, 'forward' the forward transform, 'ortho' "
    "both by "
    "its root; real inputs give complex results, ints become floats"
)
Transform = Callable[[str, Any, Any, Any, Any, bool], Any]


def _one(name: str, transform: Transform, forward: bool, doc: str, formula: str, example: str) -> Any:
    """Make the row of a transform along one dimension."""

    def function(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
        if not isinstance(dim, int):
            raise error(TypeError, "bad-dim", f"fft.{name} transforms one dim, got {dim!r}")
        return transform(f"fft.{name}", input, n, dim, norm, forward)

    return _named(
        name,
        function,
        "input, n=None, dim=-1, norm=None",
        doc,
        formula,
        example,
        (sample(T(5)), sample(T(2, 4), 3, 0, "ortho"), sample(T(4), 6, norm="forward")),
    )


def _several(
    name: str, transform: Transform, forward: bool, dims: tuple[int, ...] | None, doc: str, formula: str, example: str
) -> Any:
    """Make the row of a transform along several dimensions, by default ``dims``."""

    def function(input: Any, s: Any = None, dim: Any = dims, norm: str | None = None) -> Any:
        return transform(f"fft.{name}", input, s, dim, norm, forward)

    return _named(
        name,
        function,
        f"input, s=None, dim={dims}, norm=None",
        doc,
        formula,
        example,
        (sample(T(2, 4)), sample(T(2, 3, 4), (2, 3), (0, 2)), sample(T(3, 2), norm="ortho")),
    )


def _named(name: str, function: Any, arguments: str, doc: str, formula: str, example: str, samples: Any) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{doc} IndexError for a dimension that is not there, RuntimeError for a size below 1 or another norm."
    )
    return op(
        f"torch.fft.{name}",
        f"fft.{name}({arguments})",
        doc=doc,
        formula=formula,
        conventions=_NORMS,
        examples=(example,),
        samples=samples,
        category="fft",
    )(function)


_FORWARD = "the inverse transform of g with the same scale, its real part for a real input"
_INVERSE = "the transform of g with the same scale, its real part for a real input"
_BACK = "the transform of g, doubled where an entry stands for its mirror image too"

fft = _one(
    "fft",
    complex_transform,
    True,
    "The discrete Fourier transform of real or complex values.",
    _FORWARD,
    "fft.fft(tensor([1., 2., 3., 4.])).real  #> [10., -2., -2., -2.]",
)
ifft = _one(
    "ifft",
    complex_transform,
    False,
    "The inverse of fft.fft.",
    _INVERSE,
    "fft.ifft(tensor([10., -2., -2., -2.])).real  #> [1., 3., 3., 3.]",
)
rfft = _one(
    "rfft",
    real_transform,
    True,
    "The transform of real values, without its redundant half.",
    _FORWARD,
    "fft.rfft(tensor([1., 2., 3., 4.])).real  #> [10., -2., -2.]",
)
irfft = _one(
    "irfft",
    to_real_transform,
    False,
    "The inverse of fft.rfft; n is the number of real values.",
    _BACK,
    "fft.irfft(tensor([10., -2., -2.]), n=4)  #> [1., 3., 3., 3.]",
)
hfft = _one(
    "hfft",
    to_real_transform,
    True,
    "The real transform of values that are conjugate to their mirror image, given by half.",
    _BACK,
    "fft.hfft(tensor([1., 3., 3.]), n=4)  #> [10., -2., -2., -2.]",
)
ihfft = _one(
    "ihfft",
    real_transform,
    False,
    "The inverse of fft.hfft.",
    _INVERSE,
    "fft.ihfft(tensor([10., -2., -2., -2.])).real  #> [1., 3., 3.]",
)

_LAST = (-2, -1)
fft2 = _several(
    "fft2",
    complex_transform,
    True,
    _LAST,
    "fft.fftn over two dimensions.",
    _FORWARD,
    "fft.fft2(tensor([[1., 2.], [3., 4.]])).real  #> [[10., -2.], [-4., 0.]]",
)
ifft2 = _several(
    "ifft2",
    complex_transform,
    False,
    _LAST,
    "The inverse of fft.fft2.",
    _INVERSE,
    "fft.ifft2(tensor([[10., -2.], [-4., 0.]])).real  #> [[1., 2.], [3., 4.]]",
)
rfft2 = _several(
    "rfft2",
    real_transform,
    True,
    _LAST,
    "fft.rfftn over two dimensions.",
    _FORWARD,
    "fft.rfft2(tensor([[1., 2.], [3., 4.]])).real  #> [[10., -2.], [-4., 0.]]",
)
irfft2 = _several(
    "irfft2",
    to_real_transform,
    False,
    _LAST,
    "The inverse of fft.rfft2.",
    _BACK,
    "fft.irfft2(tensor([[10., -2.], [-4., 0.]]))  #> [[1., 2.], [3., 4.]]",
)
hfft2 = _several(
    "hfft2",
    to_real_transform,
    True,
    _LAST,
    "fft.hfftn over two dimensions.",
    _BACK,
    "fft.hfft2(tensor([[1., 2.], [3., 4.]]))  #> [[10., -2.], [-4., 0.]]",
)
ihfft2 = _several(
    "ihfft2",
    real_transform,
    False,
    _LAST,
    "The inverse of fft.hfft2.",
    _INVERSE,
    "fft.ihfft2(tensor([[10., -2.], [-4., 0.]])).real  #> [[1., 2.], [3., 4.]]",
)
fftn = _several(
    "fftn",
    complex_transform,
    True,
    None,
    "The transform along each of several dimensions, by default all.",
    _FORWARD,
    "fft.fftn(tensor([[1., 2.], [3., 4.]])).real  #> [[10., -2.], [-4., 0.]]",
)
ifftn = _several(
    "ifftn",
    complex_transform,
    False,
    None,
    "The inverse of fft.fftn.",
    _INVERSE,
    "fft.ifftn(tensor([[10., -2.], [-4., 0.]])).real  #> [[1., 2.], [3., 4.]]",
)
rfftn = _several(
    "rfftn",
    real_transform,
    True,
    None,
    "The transform of real values along several dimensions, the last by half.",
    _FORWARD,
    "fft.rfftn(tensor([[1., 2.], [3., 4.]])).real  #> [[10., -2.], [-4., 0.]]",
)
irfftn = _several(
    "irfftn",
    to_real_transform,
    False,
    None,
    "The inverse of fft.rfftn.",
    _BACK,
    "fft.irfftn(tensor([[10., -2.], [-4., 0.]]))  #> [[1., 2.], [3., 4.]]",
)
hfftn = _several(
    "hfftn",
    to_real_transform,
    True,
    None,
    "fft.hfft along the last of several dimensions, fft.fft along the others.",
    _BACK,
    "fft.hfftn(tensor([[1., 2.], [3., 4.]]))  #> [[10., -2.], [-4., 0.]]",
)
ihfftn = _several(
    "ihfftn",
    real_transform,
    False,
    None,
    "The inverse of fft.hfftn.",
    _INVERSE,
    "fft.ihfftn(tensor([[10., -2.], [-4., 0.]])).real  #> [[1., 2.], [3., 4.]]",
)


@op(
    "torch.fft.fftshift",
    "fft.fftshift(input, dim=None)",
    category="fft",
    doc="The values with the zero frequency moved to the middle.",
    formula="g moved back",
    examples=("fft.fftshift(tensor([0., 1., 2., -2., -1.]))  #> [-2., -1., 0., 1., 2.]",),
    samples=(sample(T(5)), sample(T(2, 4)), sample(T(2, 3), dim=1)),
)
def fftshift(input: Any, dim: Any = None) -> Any:
    """Roll each dim by half its size; IndexError for a dimension that is not there."""
    return _shifted("fft.fftshift", input, dim, 0)


@op(
    "torch.fft.ifftshift",
    "fft.ifftshift(input, dim=None)",
    category="fft",
    doc="The inverse of fft.fftshift.",
    formula="g moved back",
    examples=("fft.ifftshift(tensor([-2., -1., 0., 1., 2.]))  #> [0., 1., 2., -2., -1.]",),
    samples=(sample(T(5)), sample(T(2, 4)), sample(T(2, 3), dim=1)),
)
def ifftshift(input: Any, dim: Any = None) -> Any:
    """Roll each dim by half its size, rounded up; IndexError for a dimension that is not there."""
    return _shifted("fft.ifftshift", input, dim, 1)


def _shifted(name: str, x: Any, dim: Any, up: int) -> Any:
    dims = axes_of(dim, as_operand(name, x).ndim)
    return x.roll([(shape_of(x)[d] + up) // 2 for d in dims], list(dims)) if dims else x


def _frequencies(name: str, n: int, d: float, dtype: Any, requires_grad: bool, half: bool) -> Tensor:
    if n < 1:
        raise error(RuntimeError, "bad-size", f"{name} needs n of at least 1, got {n}")
    kind = (default.dtype if dtype is None else as_dtype(dtype)).numpy
    made = Tensor((np.fft.rfftfreq if half else np.fft.fftfreq)(n, d).astype(kind))
    return made.requires_grad_() if requires_grad else made


@op(
    "torch.fft.fftfreq",
    "fft.fftfreq(n, d=1.0, *, dtype=None, requires_grad=False)",
    category="fft",
    doc="The frequencies of the entries of fft.fft for n points at distance d.",
    examples=("fft.fftfreq(4)  #> [0., 0.25, -0.5, -0.25]",),
    samples=(sample(5), sample(4, 0.5)),
)
def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Return (n,); RuntimeError for n below 1."""
    return _frequencies("fft.fftfreq", n, d, dtype, requires_grad, False)


@op(
    "torch.fft.rfftfreq",
    "fft.rfftfreq(n, d=1.0, *, dtype=None, requires_grad=False)",
    category="fft",
    doc="The frequencies of the entries of fft.rfft for n points at distance d.",
    examples=("fft.rfftfreq(4)  #> [0., 0.25, 0.5]",),
    samples=(sample(5), sample(4, 0.5)),
)
def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Return (n // 2 + 1,); RuntimeError for n below 1."""
    return _frequencies("fft.rfftfreq", n, d, dtype, requires_grad, True)

"""Complex numbers: parts, conjugates, moduli and angles, under PyTorch's convention dL/dx + i dL/dy for gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, element, everything
from gradcli.ops.masked import filled, keep, zero
from gradcli.ops.row import Lit, T, op, sample

_Z = Lit([3 + 4j, 1 - 2j, -0.5 + 0.3j])


# -- real pairs and complex numbers -----------------------------------------------------------------------------------
def _as_real(input: Any) -> Any:
    part = np.asarray(input).real
    return as_strided(part, (*part.shape, 2), (*part.strides, part.dtype.itemsize))


def _as_complex(input: Any) -> Any:
    kind = np.dtype(f"c{2 * input.dtype.itemsize}")
    if input.shape[-1] == 2 and input.strides[-1] == input.dtype.itemsize:
        return input.view(kind)[..., 0]
    return _join(input[..., 0], input[..., 1])


def _join(real: Any, imag: Any) -> Any:
    """Return real + i imag, exact also where a part is infinite or nan."""
    shape = np.broadcast_shapes(np.shape(real), np.shape(imag))
    out = np.empty(shape, np.dtype(f"c{2 * real.dtype.itemsize}"))
    out.real, out.imag = real, imag
    return out


def _part(input: Any, *, dim: int, index: int) -> Any:
    return input[..., index]


def _placed(input: Any, *, dim: int, index: int) -> Any:
    out = np.zeros((*input.shape, 2), input.dtype)
    out[..., index] = input
    return out


_view_as_real = Primitive(
    "view_as_real", _as_real, {"input": lambda g: _view_as_complex(g)}, view=True, batch="elementwise"
)
_view_as_complex: Primitive = Primitive(
    "view_as_complex", _as_complex, {"input": lambda g: _view_as_real(g)}, view=True, batch="elementwise"
)
_part_primitive = Primitive(
    "select", _part, {"input": lambda g, dim, index: _placed_primitive(g, dim=dim, index=index)}, view=True,
    batch="elementwise",
)
_placed_primitive: Primitive = Primitive(
    "select_backward", _placed, {"input": lambda g, dim, index: _part_primitive(g, dim=dim, index=index)},
    batch="elementwise",
)


@op(
    "torch.view_as_real", "view_as_real(input)", names="Tensor.view_as_real", category="complex",
    doc="A real view of complex numbers, with a last dimension of 2: real and imaginary part.",
    formula="g seen as complex numbers", examples=("view_as_real(tensor([1+2j]))  #> [[1., 2.]]",),
    samples=(sample(_Z),),
)  # fmt: skip
def view_as_real(input: Any) -> Any:
    if element(input).kind != "c":
        raise error(RuntimeError, "needs-complex", "view_as_real takes complex tensors")
    return _view_as_real(input)


@op(
    "torch.view_as_complex", "view_as_complex(input)", names="Tensor.view_as_complex", category="complex",
    doc="A complex view of real pairs: the last dimension, of size 2, holds real and imaginary part.",
    formula="g seen as pairs of reals", examples=("view_as_complex(tensor([[1., 2.]]))  #> [1.+2.j]",),
    samples=(sample(T(3, 2)), sample(T(2))),
)  # fmt: skip
def view_as_complex(input: Any) -> Any:
    kind, shape, array = element(input), tuple(input.shape), everything(input)
    if kind.kind != "f" or kind.itemsize < 4:
        raise error(RuntimeError, "dtype-mismatch", f"view_as_complex takes float32 or float64, got {kind}")
    if not shape or shape[-1] != 2:
        raise error(RuntimeError, "shape-mismatch", f"view_as_complex needs a last dimension of size 2: {shape}")
    if array.strides[-1] != array.dtype.itemsize:
        raise error(RuntimeError, "not-viewable", "view_as_complex needs the two parts side by side in memory",
                    hint="contiguous() lays them out so")  # fmt: skip
    return _view_as_complex(input)


@op(
    "torch.real", "real(input)", names="Tensor.real", category="complex",
    doc="The real part: a view; a real tensor itself.", formula="g as a complex number",
    examples=("real(tensor([3+4j]))  #> [3.]",), samples=(sample(_Z), sample(T(3))),
)  # fmt: skip
def real(input: Any) -> Any:
    if element(input).kind != "c":
        return input
    return _part_primitive(_view_as_real(input), dim=-1, index=0) if isinstance(input, Tensor) else input.real


@op(
    "torch.imag", "imag(input)", names="Tensor.imag", category="complex", doc="The imaginary part: a view.",
    formula="i * g", conventions="A real tensor is refused.", examples=("imag(tensor([3+4j]))  #> [4.]",),
    samples=(sample(_Z),),
)  # fmt: skip
def imag(input: Any) -> Any:
    if element(input).kind != "c":
        raise error(RuntimeError, "needs-complex", "imag takes complex tensors",
                    hint="zeros_like(x) is the imaginary part of a real tensor")  # fmt: skip
    return _part_primitive(_view_as_real(input), dim=-1, index=1) if isinstance(input, Tensor) else input.imag


# -- conjugates -------------------------------------------------------------------------------------------------------
_conj = Primitive("conj", np.conj, {"input": lambda g: H(g)})
_conj_physical = Primitive("conj_physical", np.conj, {"input": lambda g: H(g)})


@op(
    "torch.conj", "conj(input)", names="Tensor.conj", category="complex",
    doc="The complex conjugate; a real tensor itself.", formula="conj(g)",
    examples=("conj(tensor([3+4j]))  #> [3.-4.j]",), samples=(sample(_Z), sample(T(3))),
)  # fmt: skip
def conj(input: Any) -> Any:
    return _conj(input) if element(input).kind == "c" else input


@op(
    "torch.conj_physical", "conj_physical(input)", names="Tensor.conj_physical", category="complex", inplace=True,
    doc="The complex conjugate in memory of its own.", formula="conj(g)",
    examples=("conj_physical(tensor([3+4j]))  #> [3.-4.j]",), samples=(sample(_Z), sample(T(3))),
)  # fmt: skip
def conj_physical(input: Any) -> Any:
    return _conj_physical(input) if element(input).kind == "c" else input


@op(
    "torch.resolve_conj", "resolve_conj(input)", names="Tensor.resolve_conj torch.resolve_neg Tensor.resolve_neg",
    category="complex", doc="The tensor itself: conjugates are computed at once here, never pending.", formula="g",
    examples=("resolve_conj(tensor([3+4j]))  #> [3.+4.j]",), samples=(sample(_Z),),
)  # fmt: skip
def resolve_conj(input: Any) -> Any:
    return input


# -- polar form -------------------------------------------------------------------------------------------------------
def _angle(input: Any) -> Any:
    if input.dtype.kind == "c":
        return np.angle(input)
    pi = input.dtype.type(np.pi)
    return np.where(np.isnan(input), input, np.where(input < 0, pi, input.dtype.type(0)))


def _slope_angle(g: Any, input: Any) -> Any:
    """Return i g z / |z|^2, 0 at 0; a real number's angle is constant."""
    if element(input).kind != "c":
        return zero(g)
    elsewhere = input != 0
    return keep(g * input / filled(real(input * H(input)), elsewhere, 1.0) * 1j, elsewhere)


_angle_primitive = Primitive("angle", _angle, {"input": _slope_angle}, to_float=True, batch="elementwise")


@op(
    "torch.angle", "angle(input)", names="Tensor.angle", category="complex",
    doc="The angle of each complex number, in (-pi, pi]; 0 or pi for a real one.", formula="i * g * z / |z|^2",
    conventions="Gradient 0 at 0, and zeros for real input.",
    examples=("angle(tensor([1j, -1+0j]))  #> [1.5708, 3.1416]",),
    samples=(sample(_Z), sample(Lit([1.5, -2.0]))),
)  # fmt: skip
def angle(input: Any) -> Any:
    return _angle_primitive(input)


def _polar(abs: Any, angle: Any) -> Any:
    return _join(abs * np.cos(angle), abs * np.sin(angle))


def _direction(angle: Any) -> Any:
    from gradcli.ops.trigonometric import cos, sin

    return _complex(cos(angle), sin(angle))


_complex = Primitive(
    "complex", lambda real, imag: _join(real, imag), {"real": lambda g: real(g), "imag": lambda g: imag(g)},
    promotes=True,
)  # fmt: skip
_polar_primitive = Primitive(
    "polar", _polar,
    {
        "abs": lambda g, angle: real(H(g) * _direction(angle)),
        "angle": lambda g, abs, angle: real(H(g) * (abs * _direction(angle) * 1j)),
    },
    promotes=True,
)  # fmt: skip


def _check_parts(name: str, first: Any, second: Any) -> None:
    for part in (first, second):
        if part._element.kind != "f":
            raise error(RuntimeError, "dtype-mismatch", f"{name} takes real floats, got {part.dtype}")
    if first._element != second._element:
        raise error(RuntimeError, "dtype-mismatch", f"{name} takes two tensors of one dtype, got {first.dtype} and "
                    f"{second.dtype}")  # fmt: skip


@op(
    "torch.complex", "complex(real, imag)", category="complex", doc="The complex numbers real + i imag, broadcast.",
    formula="real part of g to real, imaginary part to imag",
    examples=("torch.complex(tensor([1., 2.]), tensor([3., 4.]))  #> [1.+3.j, 2.+4.j]",),
    samples=(sample(T(3), T(3)), sample(T(2, 1), T(3))),
)  # fmt: skip
def complex(real: Any, imag: Any) -> Any:
    real, imag = as_tensor(real), as_tensor(imag)
    _check_parts("complex", real, imag)
    return _complex(real, imag)


@op(
    "torch.polar", "polar(abs, angle)", category="complex", doc="The complex numbers abs * e^(i angle).",
    formula="Re(conj(g) e^(i angle)) to abs, Re(conj(g) i out) to angle",
    conventions="Right also for abs <= 0, where PyTorch's gradient to abs has the wrong sign or is 0.",
    examples=("polar(tensor([2.]), tensor([0.]))  #> [2.+0.j]",), samples=(sample(T(3), T(3)), sample(T(2, 1), T(3))),
)  # fmt: skip
def polar(abs: Any, angle: Any) -> Any:
    abs, angle = as_tensor(abs), as_tensor(angle)
    _check_parts("polar", abs, angle)
    return _polar_primitive(abs, angle)


def _set_real(self: Tensor, value: Any) -> None:
    real(self).copy_(value)


def _set_imag(self: Tensor, value: Any) -> None:
    imag(self).copy_(value)


# a type checker knows these from the stubs, as properties that cannot be assigned
setattr(Tensor, "real", property(real, _set_real, doc="The real part: a view."))  # noqa: B010
setattr(Tensor, "imag", property(imag, _set_imag, doc="The imaginary part: a view."))  # noqa: B010

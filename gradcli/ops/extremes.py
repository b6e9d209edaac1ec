"""Largest and smallest elements: shared over ties where everything is reduced, or chosen by index along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of, element, fixed
from gradcli.ops.reducing import (
    Axes,
    filled,
    kept,
    of,
    operand,
    ordered,
    recorder,
    reduced_axes,
    shape_of,
    spread,
    tie_shares,
)
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.selecting import selection

MaxResult, MinResult = result_type("max", "values indices"), result_type("min", "values indices")
AminmaxResult = result_type("aminmax", "min max")


# -- all elements, or several dimensions: ties share ------------------------------------------------------------------
def even_over_all(g: Any, input: Any, out: Any) -> Any:
    """Share ``g`` evenly over the elements that equal the one result; over the nans where it is nan."""
    array, value = fixed(input), fixed(out)
    ties = array == value
    if element(input).kind == "f":
        ties = ties | (np.isnan(array) & np.isnan(value))
    shape = shape_of(input)
    axes = tuple(range(len(shape)))
    return spread(g, shape, axes) * tie_shares(ties, axes, g)


def _even_rule(g: Any, input: Any, out: Any, dim: Axes) -> Any:
    array = fixed(input)
    ties = array == kept(fixed(out), shape_of(input), dim)
    return spread(g, shape_of(input), dim) * tie_shares(ties, dim, g)


def _amax(input: Any, *, dim: Axes, keepdim: bool) -> Any:
    return np.maximum.reduce(input, axis=dim, keepdims=keepdim)  # type: ignore[call-overload]


def _amin(input: Any, *, dim: Axes, keepdim: bool) -> Any:
    return np.minimum.reduce(input, axis=dim, keepdims=keepdim)  # type: ignore[call-overload]


def _aminmax(input: Any, *, dim: Axes, keepdim: bool) -> Any:
    return _amin(input, dim=dim, keepdim=keepdim), _amax(input, dim=dim, keepdim=keepdim)


def _aminmax_rule(g: Any, input: Any, out: Any, needs: Any, dim: Axes) -> Any:
    parts = [_even_rule(g[k], input, out[k], dim) for k in (0, 1) if g[k] is not None]
    return (parts[0] if len(parts) == 1 else parts[0] + parts[1],)


def _full_jvp(values: Any, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
    """Return the mean tangent over ties; nan where the result is nan, unlike the reverse rule, as in PyTorch."""
    array = fixed(values[0])
    shares = tie_shares(array == fixed(out), tuple(range(array.ndim)), array)
    return (tangents[0] * shares).sum()


max_all = Primitive(
    "max",
    lambda input: np.maximum.reduce(input, axis=None),
    {"input": even_over_all},
    node="MaxBackward1",
    jvp=_full_jvp,
    batch="sums.largest",
)
min_all = Primitive(
    "min",
    lambda input: np.minimum.reduce(input, axis=None),
    {"input": even_over_all},
    node="MinBackward1",
    jvp=_full_jvp,
    batch="sums.smallest",
)
amax_primitive = Primitive("amax", _amax, {"input": _even_rule}, batch=("dim",))
amin_primitive = Primitive("amin", _amin, {"input": _even_rule}, batch=("dim",))
aminmax_primitive = Primitive("aminmax", _aminmax, _aminmax_rule, multi=True, batch=("dim",))


# -- one dimension: the cotangent goes to the element that was returned -----------------------------------------------
def _argmax(input: Any, *, dim: int | None, keepdim: bool) -> Any:
    return np.argmax(input, axis=dim, keepdims=keepdim) if input.ndim else np.int64(0)


def _argmin(input: Any, *, dim: int | None, keepdim: bool) -> Any:
    return np.argmin(input, axis=dim, keepdims=keepdim) if input.ndim else np.int64(0)


def _max_over(input: Any, indices: Any, *, dim: int, shape: Axes) -> Any:
    return np.maximum.reduce(input, axis=dim).reshape(indices.shape) if shape else np.array(input)


def _min_over(input: Any, indices: Any, *, dim: int, shape: Axes) -> Any:
    return np.minimum.reduce(input, axis=dim).reshape(indices.shape) if shape else np.array(input)


argmax_primitive = Primitive("argmax", _argmax, None, batch="sums.place")
argmin_primitive = Primitive("argmin", _argmin, None, batch="sums.place")
max_over = selection("max", _max_over)
min_over = selection("min", _min_over)

_record_max, _record_min = recorder(max_all), recorder(min_all)
_record_amax, _record_amin = recorder(amax_primitive), recorder(amin_primitive)


def _extreme(name: str, input: Any, dim: Any, keepdim: bool, other: Any) -> Any:
    """Return the extreme of everything, of a dimension (with its indices), or elementwise of two tensors."""
    largest = name == "max"
    if other is not None or isinstance(dim, (Tensor, np.ndarray)):
        return of("maximum" if largest else "minimum")(input, dim if other is None else other)
    input = ordered(name, operand(input), NotImplementedError)
    if dim is None:
        return _full(name, input, keepdim)
    return _along(name, input, dim, keepdim)


def _full(name: str, input: Any, keepdim: bool) -> Any:
    if keepdim:
        raise error(
            TypeError,
            "argument-missing",
            f"{name} takes keepdim together with dim",
            hint=f"a{name}(x, keepdim=True) reduces everything and keeps the dimensions",
        )
    _some(name, input)
    return _record_max(input, {}) if name == "max" else _record_min(input, {})


def _some(name: str, input: Any) -> None:
    if 0 in shape_of(input):
        raise error(
            RuntimeError,
            "empty-reduction",
            f"{name} of a tensor of shape {shape_of(input)}: no elements, so no result to choose",
            label=f"shape {shape_of(input)}",
            hint="check numel() first, or concatenate a starting value",
        )


def _along(name: str, input: Any, dim: Any, keepdim: bool) -> Any:
    if isinstance(dim, (tuple, list)):
        raise error(
            TypeError,
            "one-dim",
            f"{name} chooses along one dim, got {tuple(dim)}",
            hint=f"a{name}(x, dim) reduces several dimensions, without indices",
        )
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    filled(name, shape, (axis,) if shape else ())
    largest = name == "max"
    choose, take = (argmax_primitive, max_over) if largest else (argmin_primitive, min_over)
    indices = choose(input, dim=axis, keepdim=keepdim)
    return (MaxResult if largest else MinResult)((take(input, indices, dim=axis, shape=shape), indices))


_FORMS = (
    sample(T()),
    sample(T(4)),
    sample(T(2, 3)),
    sample(T(2, 3), 0),
    sample(T(2, 3), dim=-1, keepdim=True),
    sample(T(), 0),
    sample(Lit([3.0, 1.0, 3.0]), smooth=False),
    sample(T(3, 2), T(2)),
)
_EVEN = (
    sample(T()),
    sample(T(4)),
    sample(T(2, 3)),
    sample(T(2, 3), dim=1),
    sample(T(2, 3, 2), dim=(0, -1), keepdim=True),
    sample(Lit([[3.0, 1.0, 3.0], [2.0, 2.0, 2.0]]), dim=1, smooth=False),
)
_TIES = "max(input) shares the cotangent evenly over ties; along dim all of it goes to the returned, first, index"


@op(
    "torch.max",
    "max(input, dim=None, keepdim=False, *, other=None)",
    names="Tensor.max",
    numpy_words=True,
    category="reduction",
    doc="The largest element; max(input, dim) gives (values, indices), max(input, other) is maximum. nan wins.",
    formula="g to the largest element",
    conventions=_TIES,
    examples=("max(tensor([1., 3., 2.]))  #> 3.", "max(tensor([[1., 3.], [5., 2.]]), dim=1).indices  #> [1, 0]"),
    samples=_FORMS,
)
def max(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the maximum, or ``(values, indices)`` along ``dim``; RuntimeError where there is no element."""
    return _extreme("max", input, dim, keepdim, other)


@op(
    "torch.min",
    "min(input, dim=None, keepdim=False, *, other=None)",
    names="Tensor.min",
    numpy_words=True,
    category="reduction",
    doc="The smallest element; min(input, dim) gives (values, indices), min(input, other) is minimum. nan wins.",
    formula="g to the smallest element",
    conventions=_TIES.replace("max", "min"),
    examples=("min(tensor([2., 1., 3.]))  #> 1.", "min(tensor([[1., 3.], [5., 2.]]), dim=1).indices  #> [0, 1]"),
    samples=_FORMS,
)
def min(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the minimum, or ``(values, indices)`` along ``dim``; RuntimeError where there is no element."""
    return _extreme("min", input, dim, keepdim, other)


def _even_params(name: str, input: Any, dim: Any, keepdim: bool) -> dict[str, Any]:
    axes = reduced_axes(dim, ordered(name, input, NotImplementedError), keepdim)
    if dim is None or dim == ():
        _some(name, input)
    filled(name, shape_of(input), axes)
    return {"dim": axes, "keepdim": keepdim}


@op(
    "torch.amax",
    "amax(input, dim=(), keepdim=False)",
    names="Tensor.amax",
    numpy_words=True,
    category="reduction",
    doc="The largest element over the dimensions dim, over all of them by default. nan wins.",
    formula="g, shared evenly over ties",
    conventions="ties share the cotangent evenly, along a dim too",
    examples=("amax(tensor([[1., 3.], [5., 2.]]), dim=1)  #> [3., 5.]",),
    samples=_EVEN,
)
def amax(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """Return the maximum over ``dim``; RuntimeError or IndexError where there is no element."""
    input = operand(input)
    return _record_amax(input, _even_params("amax", input, dim, keepdim))


@op(
    "torch.amin",
    "amin(input, dim=(), keepdim=False)",
    names="Tensor.amin",
    numpy_words=True,
    category="reduction",
    doc="The smallest element over the dimensions dim, over all of them by default. nan wins.",
    formula="g, shared evenly over ties",
    conventions="ties share the cotangent evenly, along a dim too",
    examples=("amin(tensor([[1., 3.], [5., 2.]]), dim=1)  #> [1., 2.]",),
    samples=_EVEN,
)
def amin(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """Return the minimum over ``dim``; RuntimeError or IndexError where there is no element."""
    input = operand(input)
    return _record_amin(input, _even_params("amin", input, dim, keepdim))


@op(
    "torch.aminmax",
    "aminmax(input, *, dim=None, keepdim=False)",
    names="Tensor.aminmax",
    numpy_words=True,
    category="reduction",
    doc="The smallest and the largest element, of everything or along dim, as (min, max).",
    formula="g of min to the smallest, g of max to the largest element",
    conventions="ties share the cotangent evenly",
    examples=("aminmax(tensor([2., 1., 3.])).max  #> 3.",),
    samples=(sample(T(4)), sample(T()), sample(T(2, 3), dim=0), sample(T(2, 3), dim=1, keepdim=True)),
)
def aminmax(input: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    """Return ``(min, max)`` over ``dim`` (None: all); RuntimeError or IndexError where there is no element."""
    input = operand(input)
    return AminmaxResult(aminmax_primitive(input, **_even_params("aminmax", input, dim, keepdim)))


def _position(name: str, primitive: Primitive, input: Any, dim: Any, keepdim: bool) -> Any:
    input = ordered(name, operand(input))
    shape = shape_of(input)
    axis = None if dim is None else axis_of(dim, len(shape))
    filled(name, shape, tuple(range(len(shape))) if axis is None else (axis,) if shape else ())
    return primitive(input, dim=axis, keepdim=keepdim)


_CHOICES = (sample(T(4)), sample(T(2, 3)), sample(T(2, 3), dim=-1), sample(T(2, 3), 0, keepdim=True), sample(T()))


@op(
    "torch.argmax",
    "argmax(input, dim=None, keepdim=False)",
    names="Tensor.argmax",
    numpy_words=True,
    category="reduction",
    doc="The index of the largest element: in the flattened tensor, or along dim. nan counts as largest.",
    conventions="the first index on a tie; the result has no graph",
    examples=("argmax(tensor([1., 3., 2.]))  #> 1", "argmax(tensor([[1., 3.], [5., 2.]]), dim=1)  #> [1, 0]"),
    samples=_CHOICES,
)
def argmax(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Return int64 indices of the maximum; IndexError where there is no element."""
    return _position("argmax", argmax_primitive, input, dim, keepdim)


@op(
    "torch.argmin",
    "argmin(input, dim=None, keepdim=False)",
    names="Tensor.argmin",
    numpy_words=True,
    category="reduction",
    doc="The index of the smallest element: in the flattened tensor, or along dim. nan counts as smallest.",
    conventions="the first index on a tie; the result has no graph",
    examples=("argmin(tensor([2., 1., 3.]))  #> 1", "argmin(tensor([[1., 3.], [5., 2.]]), dim=1)  #> [0, 1]"),
    samples=_CHOICES,
)
def argmin(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Return int64 indices of the minimum; IndexError where there is no element."""
    return _position("argmin", argmin_primitive, input, dim, keepdim)

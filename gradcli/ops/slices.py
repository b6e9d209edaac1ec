"""Parts of a tensor as views: select, narrow, slices, diagonals, sliding windows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided as strided

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.views import viewing
from gradcli.ops.common import axis_of
from gradcli.ops.row import T, op, sample
from gradcli.ops.shaping import Shape, given, integer, shape_of

Index = tuple[Any, ...]


def at(dim: int, item: Any) -> Index:
    """Return the index that takes ``item`` along ``dim`` and all of the dimensions before it."""
    return (*(slice(None),) * dim, item)


def _selected(input: Any, *, dim: int, index: int, sizes: Shape) -> Any:
    if not dim:
        return input[index, ...]
    return input[(*(slice(None),) * dim, index, ...)]


def _sliced(input: Any, *, dim: int, start: int, end: int, step: int, sizes: Shape) -> Any:
    if not dim:
        return input[start:end:step]
    return input[(*(slice(None),) * dim, slice(start, end, step))]


def _placed(input: Any, *, index: Index, sizes: Shape) -> Any:
    out = np.zeros(sizes, input.dtype)
    out[index] = input
    return out


def _picked(input: Any, *, index: Index, sizes: Shape) -> Any:
    return input[index]


def place(value: Any, index: Index, sizes: Shape) -> Any:
    """Return zeros of shape ``sizes`` with ``value`` at a basic ``index``: the transpose of ``array[index]``."""
    if value.__class__ is np.ndarray:
        return _placed(value, index=index, sizes=sizes)
    return place_primitive(value, index=index, sizes=sizes)


def pick(value: Any, index: Index) -> Any:
    """Return ``value[index]`` for a basic index of ints, slices and ``...``, as one step."""
    if value.__class__ is np.ndarray:
        return value[index]
    return pick_primitive(value, index=index, sizes=shape_of(value))


place_primitive: Primitive = Primitive("slice_backward", _placed, {"input": lambda g, index: pick(g, index)},
    batch=("index", "sizes"))
pick_primitive: Primitive = Primitive("slice", _picked, {"input": lambda g, index, sizes: place(g, index, sizes)},
                                      view=True, batch=("index", "sizes"))


def _unselected(g: Any, dim: int, index: int, sizes: Shape) -> Any:
    return place(g, (*at(dim, index), ...), sizes)


def _unsliced(g: Any, dim: int, start: int, end: int, step: int, sizes: Shape) -> Any:
    return place(g, at(dim, slice(start, end, step)), sizes)


select_primitive: Primitive = Primitive("select", _selected, {"input": _unselected}, view=True, batch=("dim", "sizes"))
slice_primitive: Primitive = Primitive("slice", _sliced, {"input": _unsliced}, view=True, batch=("dim", "sizes"))


_select, _slice = map(viewing, (select_primitive, slice_primitive))


def selected(input: Any, dim: int, index: int) -> Any:
    """Return the part at ``index`` of dimension ``dim`` (counted from the front); IndexError naming dim and size."""
    shape = shape_of(input)
    size = shape[dim]
    if not -size <= index < size:
        hint = f"indices of this dimension go from {-size} to {size - 1}" if size else "this dimension is empty"
        raise error(IndexError, "index-out-of-range", f"index {index} is out of range for dimension {dim} of size "
                    f"{size}", label=f"dimension {dim} has size {size}", hint=hint)
    return _select(input, dim=dim, index=index % size, sizes=shape)


def sliced(input: Any, dim: int, start: int, end: int, step: int = 1) -> Any:
    """Return a slice of dimension ``dim`` whose bounds lie inside it."""
    return _slice(input, dim=dim, start=start, end=end, step=step, sizes=shape_of(input))


@op("torch.select", "select(input, dim, index)", names="Tensor.select", category="shape",
    doc="The part at one index of a dimension, as a view without that dimension.", formula="g where it was taken, "
    "else 0",
    examples=("select(tensor([[1., 2.], [3., 4.]]), 1, 0)  #> [1., 3.]",),
    samples=(sample(T(2, 3), 1, 2), sample(T(2, 3), 0, -1), sample(T(3), 0, 1)))
def select(input: Any, dim: int, index: int) -> Any:
    """Return the part of ``input`` at ``index`` along ``dim``; IndexError out of range and for a 0-d tensor."""
    input = given(input)
    ndim = len(shape_of(input))
    if not ndim:
        raise error(IndexError, "zero-dim", "a 0-d tensor has no dimension to select from")
    return selected(input, axis_of(dim, ndim), integer(index, "an index"))


@op("torch.narrow", "narrow(input, dim, start, length)", names="Tensor.narrow", category="shape",
    doc="length entries of a dimension from start on, as a view.", formula="g where it was taken, else 0",
    examples=("narrow(tensor([1., 2., 3.]), 0, 1, 2)  #> [2., 3.]",),
    samples=(sample(T(2, 4), 1, 1, 2), sample(T(2, 4), -1, -2, 1), sample(T(3), 0, 1, 0)))
def narrow(input: Any, dim: int, start: int, length: int) -> Any:
    """Return a run of entries along ``dim``; RuntimeError or IndexError where it does not lie inside."""
    input = given(input)
    shape = shape_of(input)
    if not shape:
        raise error(RuntimeError, "zero-dim", "narrow() cannot be applied to a 0-d tensor")
    axis, start, length = axis_of(dim, len(shape)), integer(start, "start"), integer(length, "length")
    size = shape[axis]
    if length < 0:
        raise error(RuntimeError, "negative-size", f"narrow: the length {length} is negative")
    if not -size <= start <= size:
        raise error(IndexError, "index-out-of-range", f"narrow: start {start} is out of range for dimension {axis} of "
                    f"size {size}")
    start = start + size if start < 0 else start
    if start + length > size:
        raise error(RuntimeError, "out-of-range", f"narrow: start {start} and length {length} exceed dimension {axis} "
                    f"of size {size}")
    return sliced(input, axis, start, start + length)


def diagonal_view(array: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Return the diagonal of an ndarray, writable where the array is."""
    out = np.diagonal(array, offset, dim1, dim2)
    if array.flags.writeable:
        out.flags.writeable = True
    return out


def _diagonal(input: Any, *, offset: int, dim1: int, dim2: int, sizes: Shape) -> Any:
    return diagonal_view(input, offset, dim1, dim2)


def _on_diagonal(input: Any, *, offset: int, dim1: int, dim2: int, sizes: Shape) -> Any:
    out = np.zeros(sizes, input.dtype)
    diagonal_view(out, offset, dim1, dim2)[...] = input
    return out


place_diagonal: Primitive = Primitive("diagonal_backward", _on_diagonal, {"input": lambda g, offset, dim1, dim2,
                                                                  sizes: diagonal_primitive(
    g, offset=offset, dim1=dim1, dim2=dim2, sizes=sizes)}, batch=("dim1", "dim2", "sizes"))


def _undiagonal(g: Any, offset: int, dim1: int, dim2: int, sizes: Shape) -> Any:
    return place_diagonal(g, offset=offset, dim1=dim1, dim2=dim2, sizes=sizes)


diagonal_primitive: Primitive = Primitive("diagonal", _diagonal, {"input": _undiagonal}, view=True,
    batch=("dim1", "dim2", "sizes"))


_diagonal_of = viewing(diagonal_primitive)


def diagonal_dims(shape: Shape, dim1: int, dim2: int) -> tuple[int, int]:
    """Return the two dimensions counted from the front; RuntimeError where they are one."""
    first, second = axis_of(dim1, len(shape)), axis_of(dim2, len(shape))
    if len(shape) < 2 or first == second:
        raise error(RuntimeError, "dim-twice", f"a diagonal needs two different dimensions, got {dim1} and {dim2} for "
                    f"a tensor of shape {tuple(shape)}")
    return first, second


@op("torch.diagonal", "diagonal(input, offset=0, dim1=0, dim2=1)", names="Tensor.diagonal", category="shape",
    doc="A view of the diagonal of two dimensions, as a new last dimension; offset > 0 lies above the main one.",
    formula="g on that diagonal, else 0", examples=("diagonal(tensor([[1., 2.], [3., 4.]]))  #> [1., 4.]",),
    samples=(sample(T(3, 3)), sample(T(2, 3), 1), sample(T(2, 3, 3), offset=-1, dim1=-2, dim2=-1), sample(T(2, 2), 5)))
def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return the diagonal of ``dim1`` and ``dim2``; RuntimeError where they are one dimension."""
    input = given(input)
    shape = shape_of(input)
    first, second = diagonal_dims(shape, dim1, dim2)
    return _diagonal_of(input, offset=integer(offset, "offset"), dim1=first, dim2=second, sizes=shape)


@op("torch.linalg.diagonal", "diagonal(A, *, offset=0, dim1=-2, dim2=-1)", category="shape",
    doc="A view of the diagonals of the last two dimensions.", formula="g on that diagonal, else 0",
    examples=("linalg.diagonal(tensor([[1., 2.], [3., 4.]]))  #> [1., 4.]",), samples=(sample(T(2, 3, 3), offset=-1),))
def linalg_diagonal(A: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Return the diagonal of ``dim1`` and ``dim2``; RuntimeError where they are one dimension."""
    return diagonal(A, offset, dim1, dim2)


def _windows(input: Any, *, dimension: int, size: int, step: int, sizes: Shape) -> Any:
    if not input.ndim:
        return input.reshape((1,))[:size]
    stride = input.strides[dimension]
    count = (input.shape[dimension] - size) // step + 1
    shape = (*input.shape[:dimension], count, *input.shape[dimension + 1 :], size)
    strides = (*input.strides[:dimension], stride * step, *input.strides[dimension + 1 :], stride)
    return strided(input, shape, strides)


def _overlaid(input: Any, *, dimension: int, size: int, step: int, sizes: Shape) -> Any:
    if not sizes:
        return input.sum() if size else np.zeros((), input.dtype)
    out = np.zeros(sizes, input.dtype)
    count = input.shape[dimension]
    for k in range(size):  # the k-th entries of all windows lie apart, so each addition is exact
        out[at(dimension, slice(k, k + step * (count - 1) + 1, step))] += input[..., k]
    return out


_overlay: Primitive = Primitive("unfold_backward", _overlaid, {"input": lambda g, dimension, size, step,
                                                               sizes: unfold_primitive(
    g, dimension=dimension, size=size, step=step, sizes=sizes)}, batch="arrays.overlaid")


def _unwindowed(g: Any, dimension: int, size: int, step: int, sizes: Shape) -> Any:
    return _overlay(g, dimension=dimension, size=size, step=step, sizes=sizes)


unfold_primitive: Primitive = Primitive("unfold", _windows, {"input": _unwindowed}, view=True,
    batch=("dimension:lane", "sizes"))


@op("Tensor.unfold", "unfold(input, dimension, size, step)", category="shape",
    doc="All windows of the given size along a dimension, step apart, as a view with the window as new last dimension.",
    formula="each element gets the sum of g over the windows it lies in",
    conventions="where windows overlap the view cannot be written in place",
    examples=("tensor([1., 2., 3.]).unfold(0, 2, 1)  #> [[1., 2.], [2., 3.]]",),
    samples=(sample(T(5), 0, 3, 1), sample(T(2, 5), -1, 2, 2), sample(T(3, 4), 0, 2, 1)))
def unfold(input: Any, dimension: int, size: int, step: int) -> Any:
    """Return the windows of ``input``; RuntimeError for a size beyond the dimension or a step below 1."""
    shape = shape_of(input)
    axis = axis_of(dimension, len(shape))
    available = shape[axis] if shape else 1
    size, step = integer(size, "size"), integer(step, "step")
    if not 0 <= size <= available:
        raise error(RuntimeError, "out-of-range", f"unfold: windows of {size} do not fit dimension {axis} of size "
                    f"{available}")
    if step < 1:
        raise error(RuntimeError, "bad-step", f"unfold: the step must be at least 1, got {step}")
    return unfold_primitive(input, dimension=axis, size=size, step=step, sizes=shape)

"""A copy with one part replaced: select_scatter, slice_scatter, diagonal_scatter, as_strided_scatter; and as_strided.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided as strided

from gradcli.autograd.errors import error
from gradcli.autograd.layout import overlaps
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.choosing import where_primitive
from gradcli.ops.common import axis_of, is_batch
from gradcli.ops.gathering import same_dtype, take_primitive
from gradcli.ops.indexing import bounds, out_of_range
from gradcli.ops.row import T, op, sample
from gradcli.ops.shaping import Shape, array_of, count_of, dtype_of, given, integer, integers, shape_of, zeros_for
from gradcli.ops.slices import at, diagonal_dims, diagonal_primitive, diagonal_view, pick


def _replaced(input: Any, src: Any, *, index: Any) -> Any:
    out = np.array(input, order="C")
    out[index] = src
    return out


def _replacing(name: str) -> Primitive:
    """Return the primitive that writes ``src`` at a basic index."""
    made: Primitive = Primitive(name, _replaced, {
        "input": lambda g, index: made(g, zeros_for(g, ()), index=index), "src": lambda g, index: pick(g, index)},
        batch="arrays.replaced")
    return made


select_scatter_primitive = _replacing("select_scatter")
slice_scatter_primitive = _replacing("slice_scatter")


def _fitting(src: Any, wanted: Shape, what: str) -> Any:
    src = given(src)
    if shape_of(src) != wanted:
        raise error(RuntimeError, "shape-mismatch", f"{what}: src has shape {tuple(shape_of(src))}, the part to "
                    f"replace has {tuple(wanted)}")
    return src


@op("torch.select_scatter", "select_scatter(input, src, dim, index)", names="Tensor.select_scatter", category="index",
    doc="A copy of input with src in place of select(input, dim, index).", formula="g, 0 at the part replaced; "
    "select(g, dim, index) to src",
    examples=("select_scatter(tensor([[1., 2.], [3., 4.]]), tensor([8., 9.]), 0, 1)  #> [[1., 2.], [8., 9.]]",),
    samples=(sample(T(2, 3), T(3), 0, 1), sample(T(2, 3), T(2), -1, -1)))
def select_scatter(input: Any, src: Any, dim: int, index: int) -> Any:
    """Return the copy; IndexError out of range, RuntimeError where src has another shape than the part."""
    input = given(input)
    shape = shape_of(input)
    axis, i = axis_of(dim, len(shape)), integer(index, "an index")
    if not shape or not -shape[axis] <= i < shape[axis]:
        raise out_of_range(i, axis, shape[axis] if shape else 0)
    src = _fitting(src, (*shape[:axis], *shape[axis + 1 :]), "select_scatter")
    return select_scatter_primitive(input, src, index=(*at(axis, i), ...))


@op("torch.slice_scatter", "slice_scatter(input, src, dim=0, start=None, end=None, step=1)",
    names="Tensor.slice_scatter", category="index",
    doc="A copy of input with src in place of a slice of dimension dim.", formula="g, 0 at the part replaced; the "
    "slice of g to src",
    examples=("slice_scatter(tensor([1., 2., 3.]), tensor([8., 9.]), 0, 1)  #> [1., 8., 9.]",),
    samples=(sample(T(3, 2), T(2, 2), 0, 0, 2), sample(T(2, 5), T(2, 2), dim=1, start=0, end=4, step=2)))
def slice_scatter(input: Any, src: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """Return the copy; RuntimeError where src has another shape than the slice."""
    input = given(input)
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    if not shape:
        raise error(RuntimeError, "zero-dim", "slice_scatter cannot be applied to a 0-d tensor")
    part = slice(*bounds(slice(start, end, step), shape[axis]))
    count = len(range(*part.indices(shape[axis])))
    src = _fitting(src, (*shape[:axis], count, *shape[axis + 1 :]), "slice_scatter")
    return slice_scatter_primitive(input, src, index=at(axis, part))


def _replaced_diagonal(input: Any, src: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    out = np.array(input, order="C")
    diagonal_view(out, offset, dim1, dim2)[...] = src
    return out


def _kept_off(g: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_scatter_primitive(g, zeros_for(g, ()), offset=offset, dim1=dim1, dim2=dim2)


def _on_diagonal(g: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_primitive(g, offset=offset, dim1=dim1, dim2=dim2, sizes=tuple(g.shape))


diagonal_scatter_primitive: Primitive = Primitive("diagonal_scatter", _replaced_diagonal, {"input": _kept_off,
    "src": _on_diagonal}, batch="arrays.diagonal_replaced")


@op("torch.diagonal_scatter", "diagonal_scatter(input, src, offset=0, dim1=0, dim2=1)", names="Tensor.diagonal_scatter",
    category="index",
    doc="A copy of input with src in place of a diagonal.", formula="g, 0 on the diagonal; diagonal(g, offset, dim1, "
    "dim2) to src",
    examples=("diagonal_scatter(tensor([[1., 2.], [3., 4.]]), tensor([8., 9.]))  #> [[8., 2.], [3., 9.]]",),
    samples=(sample(T(3, 3), T(2), 1), sample(T(2, 3), T(2)), sample(T(2, 3, 3), T(2, 3), dim1=1, dim2=2)))
def diagonal_scatter(input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return the copy; RuntimeError where src has another shape than the diagonal."""
    input = given(input)
    shape = shape_of(input)
    first, second = diagonal_dims(shape, dim1, dim2)
    part = np.diagonal(np.broadcast_to(np.zeros((), np.bool_), shape), offset, first, second)
    src = _fitting(src, part.shape, "diagonal_scatter")
    return diagonal_scatter_primitive(input, src, offset=integer(offset, "offset"), dim1=first, dim2=second)


def _memory(array: Any) -> tuple[Any, int]:
    """Return the whole memory below ``array`` as a vector of its dtype, and where in it the array begins."""
    root = array
    while True:
        base = root.base if isinstance(root.base, np.ndarray) else getattr(root.base, "base", None)
        if not isinstance(base, np.ndarray) or not (base.flags.c_contiguous or base.flags.f_contiguous):
            break
        root = base
    cells = root.reshape(-1) if root.flags.c_contiguous else root.T.reshape(-1) if root.flags.f_contiguous else None
    if cells is None:
        raise error(RuntimeError, "view-needs-copy", "as_strided needs a tensor on memory without gaps",
                    hint="contiguous() makes one")
    cells = cells.view(array.dtype)
    start = array.__array_interface__["data"][0] - cells.__array_interface__["data"][0]
    return cells, start // array.itemsize


def _strided(input: Any, *, size: Shape, stride: Shape, shift: int, **_: Any) -> Any:
    if not math.prod(size):
        return input.reshape(-1)[:0].reshape(size)
    cells, start = _memory(input)
    return strided(cells[start + shift :], size, tuple(s * input.itemsize for s in stride))


def _offsets(size: Shape, stride: Shape) -> Any:
    made = np.zeros((), np.int64)
    for n, s in zip(size, stride, strict=True):
        made = made[..., None] + s * np.arange(n)
    return made


def _moved(input: Any, *, source: Any, target: Any, before: Any, after: Any) -> Any:
    """Return what is found at ``target`` in a memory to which ``input`` was added at ``source``."""
    cells = np.zeros(int(max(source.max(initial=0), target.max(initial=0))) + 1, input.dtype)
    value = input if before is None else input / before
    np.add.at(cells, source.reshape(-1), value.reshape(-1))
    return cells[target] if after is None else cells[target] / after


def _moved_back(g: Any, source: Any, target: Any, before: Any, after: Any) -> Any:
    return move_primitive(g, source=target, target=source, before=after, after=before)


def _unstrided(g: Any, size: Shape, stride: Shape, shift: int, sizes: Shape, strides: Shape) -> Any:
    """Return g added up at the elements of the input that lie in the cells read; several in one cell share it."""
    own, read = _offsets(sizes, strides), _offsets(size, stride) + shift
    low = min(int(own.min(initial=0)), int(read.min(initial=0)))
    own, read = own - low, read - low
    counts = np.bincount(own.reshape(-1)) if own.size else np.ones(1, np.int64)
    after = counts[own].astype(dtype_of(g)) if counts.max() > 1 else None
    return move_primitive(g, source=read, target=own, before=None, after=after)


move_primitive: Primitive = Primitive("as_strided_backward", _moved, {"input": _moved_back})
as_strided_primitive: Primitive = Primitive("as_strided", _strided, {"input": _unstrided}, view=True)


def _geometry(size: Any, stride: Any, start: int, cells: int, what: str) -> tuple[Shape, Shape]:
    sizes, steps = integers((size,), "a size"), integers((stride,), "a stride")
    if len(sizes) != len(steps):
        raise error(RuntimeError, "wrong-dims", f"{what}: {len(sizes)} sizes and {len(steps)} strides")
    if min((*sizes, *steps, start), default=0) < 0:
        raise error(RuntimeError, "negative-size", f"{what}: sizes, strides and the offset must be at least 0")
    last = start + sum((n - 1) * s for n, s in zip(sizes, steps, strict=True))
    if math.prod(sizes) and last >= cells:
        raise error(RuntimeError, "out-of-range", f"{what}: sizes {list(sizes)} with strides {list(steps)} from "
                    f"{start} reach cell {last} of a memory of {cells}")
    return sizes, steps


def _strided_samples(input: Any, size: Any, stride: Any, storage_offset: int | None) -> Any:
    """Read each sample of a batch, as if it lay in row-major order, by index."""
    start = integer(storage_offset or 0, "storage_offset")
    sizes, steps = _geometry(size, stride, start, count_of(input), "as_strided")
    return take_primitive(input, _offsets(sizes, steps) + start, sizes=shape_of(input))


@op("torch.as_strided", "as_strided(input, size, stride, storage_offset=None)", names="Tensor.as_strided", inplace=True,
    category="shape",
    doc="A view of the memory below input with the given sizes and strides (in elements), from storage_offset on.",
    formula="each element gets the sum of g over the places that read its cell",
    conventions="elements that share a cell share its gradient evenly; cells outside of input get none",
    examples=("as_strided(tensor([1., 2., 3., 4.]), (2, 2), (1, 2))  #> [[1., 3.], [2., 4.]]",),
    samples=(sample(T(6), (2, 2), (1, 2), 1), sample(T(2, 3), (3, 2), (1, 1))))
def as_strided(input: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """Return the view; RuntimeError where it would leave the memory."""
    input = given(input)
    if is_batch(input):
        return _strided_samples(input, size, stride, storage_offset)
    array = array_of(input)
    cells, own = _memory(array)
    start = own if storage_offset is None else integer(storage_offset, "storage_offset")
    sizes, steps = _geometry(size, stride, start, cells.size, "as_strided")
    strides = tuple(s // array.itemsize for s in array.strides)
    return as_strided_primitive(input, size=sizes, stride=steps, shift=start - own, sizes=array.shape, strides=strides)


def _restrided(input: Any, src: Any, *, cells: Any) -> Any:
    out = np.array(input, order="C")
    out.reshape(-1)[cells] = src
    return out


def _unwritten(g: Any, cells: Any) -> Any:
    keep = np.ones(tuple(g.shape), np.bool_)
    keep.reshape(-1)[cells] = False
    return where_primitive(g, 0, keep)


as_strided_scatter_primitive: Primitive = Primitive("as_strided_scatter", _restrided, {
    "input": _unwritten, "src": lambda g, cells: take_primitive(g, cells, sizes=tuple(g.shape))},
    batch="indexing.cells_written")


@op("torch.as_strided_scatter", "as_strided_scatter(input, src, size, stride, storage_offset=None)",
    names="Tensor.as_strided_scatter", category="index",
    doc="A copy of input with src in place of as_strided(input, size, stride, storage_offset).",
    formula="g, 0 at the part replaced; as_strided(g, ...) to src",
    conventions="PyTorch 2.13 exchanges the kept and the replaced part in the gradient of input; here it is right",
    examples=("as_strided_scatter(tensor([1., 2., 3., 4.]), tensor([8., 9.]), (2,), (2,))  #> [8., 2., 9., 4.]",),
    samples=(sample(T(4), T(2), (2,), (2,)), sample(T(2, 3), T(2, 2), (2, 2), (3, 1), 1)))
def as_strided_scatter(input: Any, src: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """Return the copy; RuntimeError where the part leaves the memory, shares cells or differs from src in shape."""
    input = given(input)
    start = integer(storage_offset or 0, "storage_offset")
    sizes, steps = _geometry(size, stride, start, count_of(input), "as_strided_scatter")
    src = _fitting(src, sizes, "as_strided_scatter")
    same_dtype(input, src, "as_strided_scatter")
    cells = _offsets(sizes, steps) + start
    if overlaps(strided(np.empty(1, np.int8), sizes, steps)):
        raise error(RuntimeError, "expanded-write", "as_strided_scatter: several elements of the part are one and the "
                    "same cell")
    return as_strided_scatter_primitive(input, src, cells=cells)


@op("torch.unravel_index", "unravel_index(indices, shape)", category="index",
    doc="The coordinates of places in the flattened tensor of a shape: a tensor for each dimension.",
    examples=("unravel_index(tensor([4]), (2, 3))  #> (tensor([1]), tensor([1]))",))
def unravel_index(indices: Any, shape: Any) -> Any:
    """Return a tuple of int64 tensors; ValueError for an index outside of ``shape``."""
    array, sizes = array_of(given(indices)), integers((shape,), "a size")
    if array.dtype.kind not in "iu":
        raise error(ValueError, "not-an-index", f"unravel_index needs integers, got {array.dtype}")
    count = math.prod(sizes)
    if array.size and not (array.min() >= 0 and array.max() < count):
        raise error(ValueError, "index-out-of-range", f"unravel_index: an index lies outside of the {count} elements "
                    f"of shape {sizes}")
    return tuple(Tensor(np.asarray(i)) for i in np.unravel_index(array, sizes))

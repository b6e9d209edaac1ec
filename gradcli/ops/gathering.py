"""Elements read by index tensors: gather, take_along_dim, index_select, take; and scatter_add and index_add, which
undo them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.adding import add_along
from gradcli.ops.choosing import common_shape
from gradcli.ops.common import axis_of, everything
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.shape import expand, reshape
from gradcli.ops.shaping import Shape, count_of, dtype_of, given, shape_of, zeros_for
from gradcli.ops.slices import pick, place


def index_of(index: Any, what: str) -> Any:
    """Return ``index`` as it is (a list becomes a tensor); RuntimeError unless it holds integers."""
    index = given(index)
    kind = dtype_of(index)
    if kind.kind not in "iu":
        if not count_of(index):
            return zeros_for(index, shape_of(index)).long() if not isinstance(index, np.ndarray) else index.astype(
                np.int64
            )
        raise error(RuntimeError, "not-an-index", f"{what} needs an index of integers, got {kind}",
                    hint=".long() converts")
    return index


def check_range(index: Any, size: int, dim: int, what: str, cls: type[Exception] = RuntimeError, low: int = 0) -> None:
    """Raise ``cls`` where an entry of ``index`` lies outside ``low``..``size`` - 1 of dimension ``dim``."""
    array = everything(index)
    if not array.size or (array.min() >= low and array.max() < size):
        return
    bad = int(array[(array < low) | (array >= size)].flat[0])
    raise error(cls, "index-out-of-range", f"{what}: index {bad} is out of range for dimension {dim} of size {size}",
                label=f"dimension {dim} has size {size}", hint=f"indices go from {low} to "
                f"{size - 1}" if size else "this dimension is empty")


def places_of(index: Any, dim: int) -> tuple[Any, ...]:
    """Return NumPy's index of the places that gather and scatter mean: the own position, but ``index`` along
    ``dim``.
    """
    grid = [np.arange(n).reshape((-1, *(1,) * (index.ndim - d - 1))) for d, n in enumerate(index.shape)]
    grid[dim] = index
    return tuple(grid)


def flat_places(shape: Shape, index: Any, dim: int) -> Any:
    """Return the places that ``index`` means in the flattened row-major tensor of ``shape``, in one dimension."""
    if not index.ndim or not shape:
        return index.reshape(-1)
    flat = np.ravel_multi_index(np.broadcast_arrays(*places_of(index, dim)), shape)
    return np.asarray(flat).reshape(-1)


def _gathered(input: Any, index: Any, *, dim: int, sizes: Shape) -> Any:
    if not index.ndim or not input.ndim:
        return input.reshape(-1)[index.reshape(-1)].reshape(index.shape)
    return input[places_of(index, dim)]


def _added(input: Any, src: Any, index: Any, *, dim: int) -> Any:
    out = np.array(input, order="C")
    if not out.ndim or not index.ndim:
        np.add.at(out.reshape(-1), index.reshape(-1), src.reshape(-1)[: index.size])
        return out
    part = src[tuple(slice(0, n) for n in index.shape)]
    np.add.at(out.reshape(-1), flat_places(out.shape, index, dim), part.reshape(-1))
    return out


def gathered(g: Any, index: Any, dim: int) -> Any:
    """Return ``g`` at the places of ``index``, known to be valid."""
    return gather_primitive(g, index, dim=dim, sizes=tuple(g.shape))


def gathered_for(g: Any, index: Any, dim: int, sizes: Shape) -> Any:
    """Return the cotangent of a source of shape ``sizes`` of which the part in the shape of ``index`` was written."""
    taken = gathered(g, index, dim)
    part = tuple(shape_of(index))
    return taken if part == tuple(sizes) else place(taken, tuple(slice(0, n) for n in part), sizes)


def _ungathered(g: Any, index: Any, dim: int, sizes: Shape) -> Any:
    return scatter_add_primitive(zeros_for(g, sizes), g, index, dim=dim)


gather_primitive: Primitive = Primitive("gather", _gathered, {"input": _ungathered}, batch=("dim:lane", "sizes"))
scatter_add_primitive: Primitive = Primitive("scatter_add", _added, {
    "input": lambda g: g, "src": lambda g, src, index, dim: gathered_for(g, index, dim, tuple(src.shape))},
    batch=("dim:lane",))


def check_places(input: Any, index: Any, dim: int, what: str) -> int:
    """Return ``dim`` from the front; raise where ``index`` has other dimensions, is larger, or points outside."""
    shape, sizes = shape_of(input), shape_of(index)
    if max(len(shape), 1) != max(len(sizes), 1):
        raise error(RuntimeError, "shape-mismatch", f"{what}: index has {len(sizes)} dimensions, input has "
                    f"{len(shape)}", hint="unsqueeze() and expand() bring the index to the shape wanted")
    axis = axis_of(dim, len(shape))
    for d, (n, m) in enumerate(zip(sizes, shape, strict=False)):
        if d != axis and n > m and count_of(index):
            raise error(RuntimeError, "shape-mismatch", f"{what}: index of shape {tuple(sizes)} is larger than "
                        f"input of shape {tuple(shape)} along dimension {d}", hint=f"only dimension {axis} may be "
                        f"larger")
    check_range(index, shape[axis] if shape else 1, axis, what)
    return axis


@op("torch.gather", "gather(input, dim, index, *, sparse_grad=False)", names="Tensor.gather", category="index",
    doc="One element for each entry of index: out[i][j] = input[index[i][j]][j] for dim 0, input[i][index[i][j]] for "
    "dim 1.",
    formula="scatter_add(zeros, dim, index, g): what is read twice gets both",
    examples=("gather(tensor([[1., 2.], [3., 4.]]), 1, tensor([[0], [1]]))  #> [[1.], [4.]]",),
    samples=(sample(T(3, 2), 0, Lit([[0, 2], [1, 1], [0, 0], [2, 1]])), sample(T(2, 3), -1, Lit([[2], [0]])),
             sample(T(4), 0, Lit([3, 3, 1]))))
def gather(input: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """Return a tensor of the shape of ``index``; RuntimeError for an index out of range or of other dimensions."""
    input, index = given(input), index_of(index, "gather")
    axis = check_places(input, index, dim, "gather")
    return gather_primitive(input, index, dim=axis, sizes=shape_of(input))


@op("torch.take_along_dim", "take_along_dim(input, indices, dim=None)", names="Tensor.take_along_dim", category="index",
    doc="gather, with input and indices broadcast against each other except along dim; without dim in the flattened "
    "tensor.",
    formula="g added up at the places read", examples=("take_along_dim(tensor([[3., 1.]]), tensor([[1, 0]]), 1)  #> "
                                                       "[[1., 3.]]",),
    samples=(sample(T(2, 3), Lit([[0], [2]]), 1), sample(T(2, 2), Lit([3, 0])), sample(T(2, 3), Lit([[0, 1]]), dim=-1)))
def take_along_dim(input: Any, indices: Any, dim: int | None = None) -> Any:
    """Return the elements that ``indices`` names along ``dim``; RuntimeError as ``gather``."""
    input, indices = given(input), index_of(indices, "take_along_dim")
    if dim is None:
        return gather(reshape(input, -1), 0, reshape(indices, -1))
    own, other = list(shape_of(input)), list(shape_of(indices))
    if len(own) != len(other):
        raise error(RuntimeError, "shape-mismatch", f"take_along_dim: indices have {len(other)} dimensions, input has "
                    f"{len(own)}")
    axis = axis_of(dim, len(own))
    length, count = own[axis], other[axis]
    own[axis] = other[axis] = 1
    wide = list(common_shape("take_along_dim", input=np.empty(own), indices=np.empty(other)))
    wide[axis] = length
    narrow = [*wide[:axis], count, *wide[axis + 1 :]]
    return gather(expand(input, *wide), axis, expand(indices, *narrow))


def _selected(input: Any, index: Any, *, dim: int, sizes: Shape) -> Any:
    return input.take(index.reshape(-1),
                      dim) if input.ndim else input.reshape(1).take(index.reshape(-1)[:1]).reshape(())


def _index_added(input: Any, source: Any, index: Any, *, dim: int, alpha: Any) -> Any:
    out = np.array(input, order="C")
    value = source if alpha == 1 else source * np.asarray(alpha).astype(source.dtype)
    if not out.ndim:
        return out + value.sum()
    add_along(out, dim, index.reshape(-1), value.reshape(-1) if out.ndim == 1 else value)
    return out


def _unselected(g: Any, index: Any, dim: int, sizes: Shape) -> Any:
    return index_add_primitive(zeros_for(g, sizes), g, index, dim=dim, alpha=1)


def _added_source(g: Any, index: Any, dim: int, alpha: Any) -> Any:
    taken = index_select_primitive(g, index, dim=dim, sizes=tuple(g.shape))
    return taken if alpha == 1 else taken * alpha


index_select_primitive: Primitive = Primitive("index_select", _selected, {"input": _unselected}, batch="indexing.along")
index_add_primitive: Primitive = Primitive("index_add", _index_added, {"input": lambda g: g, "source": _added_source},
    batch="indexing.along")


def check_index(input: Any, dim: int, index: Any, what: str, cls: type[Exception] = IndexError) -> int:
    """Return ``dim`` from the front; raise for an index of more than 1 dimension or with an entry out of range."""
    shape, sizes = shape_of(input), shape_of(index)
    if len(sizes) > 1:
        raise error(IndexError, "not-a-vector", f"{what}: the index must be a vector, it has shape {tuple(sizes)}")
    axis = axis_of(dim, len(shape))
    check_range(index, shape[axis] if shape else 1, axis, what, cls)
    return axis


@op("torch.index_select", "index_select(input, dim, index)", names="Tensor.index_select", category="index",
    doc="The entries of a dimension that a vector of indices names, in its order.", formula="index_add(zeros, dim, "
    "index, g)",
    examples=("index_select(tensor([1., 2., 3.]), 0, tensor([2, 0, 2]))  #> [3., 1., 3.]",),
    samples=(sample(T(3, 2), 0, Lit([0, 2, 0])), sample(T(2, 3), -1, Lit([1])), sample(T(3), 0, Lit([2, 2]))))
def index_select(input: Any, dim: int, index: Any) -> Any:
    """Return the named entries along ``dim``; IndexError for an index out of range (negative ones are)."""
    input, index = given(input), index_of(index, "index_select")
    axis = check_index(input, dim, index, "index_select")
    return index_select_primitive(input, index, dim=axis, sizes=shape_of(input))


@op("torch.index_add", "index_add(input, dim, index, source, *, alpha=1)", names="Tensor.index_add", inplace=True,
    category="index",
    doc="input with alpha * source added along a dimension at the places a vector of indices names; repeated ones add "
    "up.",
    formula="g to input, alpha * index_select(g, dim, index) to source",
    examples=("index_add(tensor([1., 2.]), 0, tensor([1, 1]), tensor([10., 20.]))  #> [1., 32.]",),
    samples=(sample(T(3, 2), 0, Lit([0, 2, 0]), T(3, 2)), sample(T(2, 3), 1, Lit([2, 0]), T(2, 2), alpha=2)))
def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """Return ``input`` with entries added; RuntimeError where source does not fit, IndexError out of range."""
    input, index, source = given(input), index_of(index, "index_add"), given(source)
    axis = check_index(input, dim, index, "index_add")
    check_source(input, axis, index, source, "index_add")
    return index_add_primitive(input, source, index, dim=axis, alpha=alpha)


def check_source(input: Any, axis: int, index: Any, source: Any, what: str) -> None:
    """Raise RuntimeError unless ``source`` has one entry for each index and else the shape and dtype of ``input``."""
    shape, found, count = shape_of(input), shape_of(source), count_of(index)
    wanted = (*shape[:axis], count, *shape[axis + 1 :]) if shape else ()
    if found != wanted and not (not found and count == 1 and len(shape) <= 1):
        raise error(RuntimeError, "shape-mismatch", f"{what}: source has shape {tuple(found)}, {count} indices along "
                    f"dimension {axis} of {tuple(shape)} need {tuple(wanted)}")
    same_dtype(input, source, what)


def same_dtype(input: Any, source: Any, what: str) -> None:
    """Raise RuntimeError where the two have different dtypes."""
    mine, other = dtype_of(input), dtype_of(source)
    if mine != other:
        raise error(RuntimeError, "dtype-mismatch", f"{what} needs one dtype, got {mine} and {other}",
                    hint=".to(dtype) converts")


def _taken(input: Any, index: Any, *, sizes: Shape) -> Any:
    return input.reshape(-1)[index]


def _untaken(input: Any, index: Any, *, sizes: Shape) -> Any:
    out = np.zeros(sizes, input.dtype)
    np.add.at(out.reshape(-1), index.reshape(-1), input.reshape(-1))
    return out


take_primitive: Primitive = Primitive("take", _taken, {"input": lambda g, index, sizes: _put_back(g, index,
    sizes=sizes)}, batch="indexing.take")
_put_back: Primitive = Primitive("take_backward", _untaken, {
    "input": lambda g, index, sizes: take_primitive(g, index, sizes=sizes)}, node="PutBackward0",
    batch="indexing.take_backward")


@op("torch.take", "take(input, index)", names="Tensor.take", category="index",
    doc="The elements of the flattened tensor that the indices name, in the shape of index; negative ones count from "
    "the end.",
    formula="g added up at the places read", examples=("take(tensor([[1., 2.], [3., 4.]]), tensor([0, -1]))  #> [1., "
                                                       "4.]",),
    samples=(sample(T(2, 3), Lit([0, 5, 0])), sample(T(2, 2), Lit([[1, -1]]))))
def take(input: Any, index: Any) -> Any:
    """Return the named elements; IndexError for an index out of range."""
    input, index = given(input), index_of(index, "take")
    size = count_of(input)
    check_range(index, size, 0, "take", IndexError, -size)
    return take_primitive(input, index, sizes=shape_of(input))


def first_of(source: Any, shape: Shape) -> Any:
    """Return the leading part of ``source`` in ``shape``."""
    return source if tuple(source.shape) == tuple(shape) else pick(source, tuple(slice(0, n) for n in shape))

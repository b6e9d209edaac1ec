"""Elements written by index tensors: scatter, index_copy, index_fill, put."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.choosing import check_value, where_primitive
from gradcli.ops.gathering import (
    check_index,
    check_places,
    check_range,
    check_source,
    gathered,
    index_of,
    index_select_primitive,
    places_of,
    same_dtype,
    scatter_add_primitive,
    take_primitive,
)
from gradcli.ops.index import survivors
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.shaping import array_of, count_of, dtype_of, given, shape_of
from gradcli.ops.slices import at, place

_NUMBERS = (bool, int, float, complex)
_LAST = (
    "where one place is written twice the last value survives, and it alone gets the gradient (PyTorch gives it to all)"
)
"to all)"


def _part(src: Any, index: Any) -> Any:
    return src[tuple(slice(0, n) for n in index.shape)]


def _key(index: Any, dim: int, ndim: int) -> Any:
    return places_of(index, dim) if ndim and index.ndim else (...,)


def _scattered(input: Any, src: Any, index: Any, *, dim: int) -> Any:
    out = np.array(input, order="C")
    if index.size:
        out[_key(index, dim, out.ndim)] = _part(src, index) if out.ndim and index.ndim else src.reshape(-1)[-1]
    return out


def _scattered_value(input: Any, index: Any, *, dim: int, value: Any) -> Any:
    out = np.array(input, order="C")
    if index.size:
        out[_key(index, dim, out.ndim)] = np.asarray(value).astype(out.dtype)
    return out


def zeroed(g: Any, index: Any, dim: int) -> Any:
    """Return ``g`` with 0 at the places of ``index``."""
    return scatter_value_primitive(g, index, dim=dim, value=0)


def _winners(g: Any, src: Any, index: Any, dim: int) -> Any:
    array = array_of(index)
    taken = gathered(g, index, dim)
    if array.ndim and array.size:
        alive = survivors(tuple(g.shape), places_of(array, dim))
        if not alive.all():
            taken = where_primitive(taken, 0, alive)
    part, sizes = tuple(array.shape), tuple(src.shape)
    return taken if part == sizes else place(taken, tuple(slice(0, n) for n in part), sizes)


scatter_primitive: Primitive = Primitive("scatter", _scattered, {"input": lambda g, index, dim: zeroed(g, index, dim),
    "src": _winners}, batch=("dim:lane",))
scatter_value_primitive: Primitive = Primitive("scatter", _scattered_value, {"input": lambda g, index, dim: zeroed(g,
    index, dim)}, node="ScatterBackward1", batch=("dim:lane",))


def check_src(index: Any, src: Any, what: str) -> None:
    """Raise RuntimeError where ``src`` is smaller than ``index`` in a dimension."""
    need, have = shape_of(index), shape_of(src)
    if max(len(need), 1) != max(len(have), 1) or any(n > m for n, m in zip(need, have, strict=False)):
        raise error(RuntimeError, "shape-mismatch", f"{what}: src of shape {tuple(have)} is smaller than index of "
                    f"shape {tuple(need)}")


@op("torch.scatter", "scatter(input, dim, index, src | value, *, reduce=None)", names="Tensor.scatter", inplace=True,
    category="index",
    doc="input with src (or one value) written where index says: out[index[i][j]][j] = src[i][j] for dim 0. With "
    "reduce 'add' or 'multiply' it is combined with what is there.",
    formula="g, 0 at the places written; to src: g at its places", conventions=_LAST + "; a src larger than index is "
    "allowed, the rest gets 0",
    examples=("scatter(tensor([1., 2., 3.]), 0, tensor([2, 0]), tensor([8., 9.]))  #> [9., 2., 8.]",),
    samples=(sample(T(2, 4), 1, Lit([[0, 2], [3, 1]]), T(2, 2)), sample(T(3), 0, Lit([1]), T(2)), sample(T(3), 0,
        Lit([1, 1, 0]), T(3)),
             sample(T(2, 3), 0, Lit([[1, 0, 1]]), 0.5)))
def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: str | None = None) -> Any:
    """Return ``input`` with values written; RuntimeError for an index out of range, shapes or dtypes that do not
    fit.
    """
    input, index = given(input), index_of(index, "scatter")
    axis = check_places(input, index, dim, "scatter")
    written = src if src is not None else value
    if written is None:
        raise error(TypeError, "missing-argument", "scatter needs src or value")
    if reduce is not None:
        return _combined(input, axis, index, written, reduce)
    if isinstance(written, _NUMBERS):
        check_value(written, dtype_of(input), "scatter")
        return scatter_value_primitive(input, index, dim=axis, value=written)
    written = given(written)
    same_dtype(input, written, "scatter")
    check_src(index, written, "scatter")
    return scatter_primitive(input, written, index, dim=axis)


def _combined(input: Any, axis: int, index: Any, src: Any, reduce: str) -> Any:
    from gradcli.ops.scatter_reduce import scatter_reduce

    known = {"add": "sum", "multiply": "prod"}
    if reduce not in known:
        raise error(RuntimeError, "bad-argument", f"scatter: reduce is 'add' or 'multiply', got {reduce!r}",
                    hint="scatter_reduce() has more")
    if isinstance(src, _NUMBERS):
        src = np.full(shape_of(index), src, dtype_of(input))
    return scatter_reduce(input, axis, index, src, known[reduce])


@op("torch.scatter_add", "scatter_add(input, dim, index, src)", names="Tensor.scatter_add", inplace=True,
    category="index",
    doc="input with src added where index says: out[index[i][j]][j] += src[i][j] for dim 0; repeated places add up.",
    formula="g to input, gather(g, dim, index) to src", conventions="a src larger than index is allowed, the rest "
    "gets 0",
    examples=("scatter_add(tensor([1., 2.]), 0, tensor([1, 1]), tensor([10., 20.]))  #> [1., 32.]",),
    samples=(sample(T(3), 0, Lit([0, 2, 2, 1]), T(4)), sample(T(2, 3), 1, Lit([[0, 2], [1, 1]]), T(2, 3))))
def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """Return ``input`` with values added; RuntimeError for an index out of range, shapes or dtypes that do not fit."""
    input, index, src = given(input), index_of(index, "scatter_add"), given(src)
    axis = check_places(input, index, dim, "scatter_add")
    same_dtype(input, src, "scatter_add")
    check_src(index, src, "scatter_add")
    return scatter_add_primitive(input, src, index, dim=axis)


def _index_copied(input: Any, source: Any, index: Any, *, dim: int) -> Any:
    out = np.array(input, order="C")
    if out.ndim:
        out[at(dim, index.reshape(-1))] = source
    elif index.size:
        out[...] = source.reshape(-1)[-1]
    return out


def _index_filled(input: Any, index: Any, *, dim: int, value: Any) -> Any:
    out = np.array(input, order="C")
    if index.size:
        out[at(dim, index.reshape(-1)) if out.ndim else ...] = np.asarray(value).astype(out.dtype)
    return out


def _index_filled_by(input: Any, value: Any, index: Any, *, dim: int) -> Any:
    return _index_filled(input, index, dim=dim, value=value)


def _without(g: Any, index: Any, dim: int) -> Any:
    return index_fill_primitive(g, index, dim=dim, value=0)


def _copied_source(g: Any, index: Any, dim: int) -> Any:
    array = array_of(index).reshape(-1)
    taken = index_select_primitive(g, index, dim=dim, sizes=tuple(g.shape))
    if g.ndim and array.size:
        alive = survivors((g.shape[dim],), (array,))
        if not alive.all():
            taken = where_primitive(taken, 0, alive.reshape((-1, *(1,) * (g.ndim - dim - 1))))
    return taken


def _filling(g: Any, index: Any, dim: int) -> Any:
    unique = np.unique(array_of(index))
    return index_select_primitive(g, unique, dim=dim, sizes=tuple(g.shape)).sum()


index_copy_primitive: Primitive = Primitive("index_copy", _index_copied, {"input": _without, "source": _copied_source},
    batch="indexing.along")
index_fill_primitive: Primitive = Primitive("index_fill", _index_filled, {"input": _without}, batch="indexing.along")
index_fill_tensor: Primitive = Primitive("index_fill", _index_filled_by, {"input": _without, "value": _filling},
                                         node="IndexFillBackward1", batch="indexing.along")


@op("torch.index_copy", "index_copy(input, dim, index, source)", names="Tensor.index_copy", inplace=True,
    category="index",
    doc="input with the entries of source written along a dimension at the places a vector of indices names.",
    formula="g, 0 at the places written; index_select(g, dim, index) to source", conventions=_LAST,
    examples=("index_copy(tensor([1., 2., 3.]), 0, tensor([2, 0]), tensor([8., 9.]))  #> [9., 2., 8.]",),
    samples=(sample(T(2, 3), -1, Lit([1]), T(2, 1)), sample(T(3, 2), 0, Lit([2, 0, 2]), T(3, 2))))
def index_copy(input: Any, dim: int, index: Any, source: Any) -> Any:
    """Return ``input`` with entries written; IndexError out of range, RuntimeError where source does not fit."""
    input, index, source = given(input), index_of(index, "index_copy"), given(source)
    axis = check_index(input, dim, index, "index_copy")
    check_source(input, axis, index, source, "index_copy")
    return index_copy_primitive(input, source, index, dim=axis)


@op("torch.index_fill", "index_fill(input, dim, index, value)", names="Tensor.index_fill", inplace=True,
    category="index",
    doc="input with a value (a number or a 0-d tensor) at the entries of a dimension that a vector of indices names.",
    formula="g, 0 at the places written; to value: the sum of g there",
    conventions="a place named twice counts once in the gradient of value (PyTorch counts it twice)",
    examples=("index_fill(tensor([1., 2., 3.]), 0, tensor([0, 2]), -1.)  #> [-1., 2., -1.]",),
    samples=(sample(T(2, 3), 1, Lit([0, 2]), -1.0), sample(T(3), 0, Lit([0, 2]), T()), sample(T(3), 0, Lit([1, 1]),
        T())))
def index_fill(input: Any, dim: int, index: Any, value: Any) -> Any:
    """Return ``input`` with entries filled; IndexError out of range, RuntimeError for a value with dimensions."""
    input, index = given(input), index_of(index, "index_fill")
    axis = check_index(input, dim, index, "index_fill")
    check_value(value, dtype_of(input), "index_fill")
    if isinstance(value, _NUMBERS):
        return index_fill_primitive(input, index, dim=axis, value=value)
    value = given(value)
    if len(shape_of(value)):
        raise error(RuntimeError, "value-not-0d", f"index_fill takes a number or a 0-d tensor, got shape "
                    f"{tuple(shape_of(value))}")
    return index_fill_tensor(input, value, index, dim=axis)


def _put(input: Any, source: Any, index: Any, *, accumulate: bool) -> Any:
    out = np.array(input, order="C")
    if accumulate:
        np.add.at(out.reshape(-1), index.reshape(-1), source.reshape(-1))
    else:
        out.reshape(-1)[index.reshape(-1)] = source.reshape(-1)
    return out


def _put_kept(g: Any, index: Any, accumulate: bool) -> Any:
    if accumulate:
        return g
    flat = np.unique(array_of(index) % max(count_of(g), 1))
    zeros = np.zeros(flat.shape, dtype_of(g))
    return put_primitive(g, zeros, flat, accumulate=False)


def _put_source(g: Any, source: Any, index: Any, accumulate: bool) -> Any:
    taken = take_primitive(g, index, sizes=tuple(g.shape))
    array = array_of(index)
    if not accumulate and array.size:
        alive = survivors((count_of(g),), (array,))
        taken = taken if alive.all() else where_primitive(taken, 0, alive)
    return taken.reshape(tuple(source.shape))


put_primitive: Primitive = Primitive(
    "put", _put, {"input": _put_kept, "source": _put_source}, batch="indexing.put"
)


@op("torch.put", "put(input, index, source, accumulate=False)", names="Tensor.put", inplace=True, category="index",
    doc="input with the elements of source at the places of the flattened tensor that the indices name; with "
    "accumulate they are added.",
    formula="g, 0 at the places written (g everywhere with accumulate); to source: g at its places", conventions=_LAST,
    examples=("put(tensor([[1., 2.], [3., 4.]]), tensor([0, -1]), tensor([8., 9.]))  #> [[8., 2.], [3., 9.]]",),
    samples=(sample(T(2, 3), Lit([0, 4]), T(2)), sample(T(2, 2), Lit([1, 1]), T(2)), sample(T(2, 2), Lit([1, 1]), T(2),
        accumulate=True)))
def put(input: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """Return ``input`` with elements written; IndexError out of range or for another number of elements than
    indices.
    """
    input, index, source = given(input), index_of(index, "put"), given(source)
    size = count_of(input)
    same_dtype(input, source, "put")
    if count_of(index) != count_of(source):
        raise error(IndexError, "shape-mismatch", f"put: {count_of(index)} indices for {count_of(source)} "
                    f"elements of source")
    check_range(index, size, 0, "put", IndexError, -size)
    return put_primitive(input, source, index, accumulate=accumulate)

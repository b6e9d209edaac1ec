"""Elements combined where an index sends them: scatter_reduce and index_reduce, exact at zeros and ties."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, raw
from gradcli.ops.gathering import (
    check_index,
    check_places,
    check_source,
    flat_places,
    gathered_for,
    index_of,
    same_dtype,
    take,
)
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.scatter import check_src, zeroed
from gradcli.ops.shaping import Shape, array_of, count_of, dtype_of, given, shape_of
from gradcli.ops.slices import place

_UFUNCS: dict[str, Any] = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _start(dtype: np.dtype[Any], reduce: str) -> Any:
    """Return the neutral element of a reduction."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    if dtype.kind == "b":
        return reduce == "amin"
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if reduce == "amax" else np.iinfo(dtype).max
    return -np.inf if reduce == "amax" else np.inf


def _part(src: Any, index: Any) -> Any:
    return src[tuple(slice(0, n) for n in index.shape)] if index.ndim else src.reshape(-1)[: index.size]


def _counts(shape: Shape, flat: Any, include_self: bool) -> Any:
    """Return how many values meet in each cell: those sent there, and its own where it counts or nothing is sent."""
    sent = np.bincount(flat, minlength=int(np.prod(shape)))
    return (sent + (1 if include_self else sent == 0)).reshape(shape)


def _reduced(input: Any, src: Any, index: Any, *, dim: int, reduce: str, include_self: bool) -> Any:
    out = np.array(input, order="C")
    flat, cells = flat_places(out.shape, index, dim), out.reshape(-1)
    if not include_self:
        cells[flat] = _start(out.dtype, reduce)
    _UFUNCS[reduce].at(cells, flat, _part(src, index).reshape(-1))
    if reduce == "mean":
        counts = _counts(out.shape, flat, include_self)
        return out // counts if out.dtype.kind in "iu" else (out / counts).astype(out.dtype, copy=False)
    return out


def _shared(g: Any, input: Any, src: Any, index: Any, out: Any, dim: int, reduce: str, include_self: bool) -> Any:
    """Return g divided among the values of each cell that get it, and which of them do: own values, and those sent."""
    shape, where = tuple(g.shape), raw(index)
    flat, mine, result = flat_places(shape, where, dim), raw(input), raw(out)
    if reduce == "mean":
        return g / _counts(shape, flat, include_self).astype(mine.dtype), None, None
    hit = mine == result
    if not include_self:
        hit.reshape(-1)[flat] = False
    sent = _part(raw(src), where).reshape(-1) == result.reshape(-1)[flat]
    total = hit + np.bincount(flat, sent, minlength=hit.size).reshape(shape)
    return g / total.astype(mine.dtype), hit.astype(mine.dtype), sent.reshape(where.shape).astype(mine.dtype)


def _to_input(g: Any, input: Any, src: Any, index: Any, out: Any, dim: int, reduce: str, include_self: bool) -> Any:
    if reduce == "sum":
        return g if include_self else zeroed(g, index, dim)
    if reduce == "prod":
        return _product_rule(g, input, src, index, dim, include_self)[0]
    share, hit, _ = _shared(g, input, src, index, out, dim, reduce, include_self)
    if reduce == "mean":
        return share if include_self else zeroed(share, index, dim)
    return share * hit


def _to_src(g: Any, input: Any, src: Any, index: Any, out: Any, dim: int, reduce: str, include_self: bool) -> Any:
    sizes = tuple(src.shape)
    if reduce == "sum":
        return gathered_for(g, index, dim, sizes)
    if reduce == "prod":
        return _product_rule(g, input, src, index, dim, include_self)[1]
    share, _, sent = _shared(g, input, src, index, out, dim, reduce, include_self)
    part = gathered_for(share, index, dim, sizes)
    if sent is None:
        return part
    wide = np.zeros(sizes, sent.dtype)
    wide[tuple(slice(0, n) for n in sent.shape)] = sent
    return part * wide


def _table(size: int, flat: Any, include_self: bool) -> tuple[Any, Any]:
    """Return the factors of each cell as a row of places in [input, src, 1], and where each element of src stands."""
    order = np.argsort(flat, kind="stable")
    counts = np.bincount(flat, minlength=size)
    rank = np.empty(flat.size, np.int64)
    rank[order] = np.arange(flat.size) - (np.cumsum(counts) - counts)[flat[order]]
    width = 1 + int(counts.max(initial=0))
    table = np.full((size, width), size + flat.size)
    table[:, 0] = np.where(include_self | (counts == 0), np.arange(size), size + flat.size)
    stands = flat * width + 1 + rank
    table.reshape(-1)[stands] = size + np.arange(flat.size)
    return table, stands


def _others(values: Any) -> Any:
    """Return for each entry of a row the product of the others, without division: exact at zeros, to any order."""
    from gradcli.ops.joining import cat
    from gradcli.ops.products import cumprod
    from gradcli.ops.rearranging import flip
    from gradcli.ops.slices import narrow

    rows, width = values.shape
    one = np.ones((rows, 1), dtype_of(values))
    before = cumprod(cat([one, narrow(values, 1, 0, width - 1)], 1), 1)
    after = cumprod(cat([one, narrow(flip(values, 1), 1, 0, width - 1)], 1), 1)
    return before * flip(after, 1)


def _product_rule(g: Any, input: Any, src: Any, index: Any, dim: int, include_self: bool) -> tuple[Any, Any]:
    from gradcli.ops.choosing import where_primitive
    from gradcli.ops.joining import cat

    where, sizes = raw(index), tuple(src.shape)
    table, stands = _table(count_of(input), flat_places(tuple(g.shape), where, dim), include_self)
    part = tuple(where.shape)
    sent = src if part == sizes else src[tuple(slice(0, n) for n in part)]
    values = take(cat([input.reshape(-1), sent.reshape(-1), np.ones(1, dtype_of(input))]), table)
    flow = g.reshape((-1, 1)) * H(_others(values))
    own = where_primitive(flow[:, 0], 0, table[:, 0] < table.shape[0]).reshape(tuple(input.shape))
    to_src = take(flow, stands).reshape(part)
    return own, to_src if part == sizes else place(to_src, tuple(slice(0, n) for n in part), sizes)


_RULES = {"input": _to_input, "src": _to_src}
scatter_reduce_primitive: Primitive = Primitive("scatter_reduce", _reduced, _RULES, batch=("dim:lane",))
index_reduce_primitive: Primitive = Primitive("index_reduce", _reduced, _RULES, batch=("dim:lane",))


def _known(reduce: str, names: tuple[str, ...], what: str) -> None:
    if reduce not in names:
        raise error(RuntimeError, "bad-argument", f"{what}: reduce is one of {', '.join(names)}, got {reduce!r}")


@op("torch.scatter_reduce", "scatter_reduce(input, dim, index, src, reduce, *, include_self=True)",
    names="Tensor.scatter_reduce", inplace=True, category="index",
    doc="input combined with the elements of src sent to each place by index: reduce is 'sum', 'prod', 'mean', 'amax' "
    "or 'amin'. With include_self=False the old value of a place that gets something is left out.",
    formula="sum, mean: g, divided by the count for mean; prod: g times the product of the others; amax, amin: g "
    "shared evenly by the values that equal the result",
    conventions="ties share the gradient evenly; products are exact at zeros, to any order",
    examples=("scatter_reduce(tensor([1., 2.]), 0, tensor([1, 1]), tensor([3., 5.]), 'prod')  #> [1., 30.]",),
    samples=(sample(T(2), 0, Lit([0, 0, 1]), T(3), "sum"), sample(T(2), 0, Lit([0, 0, 1]), T(3), "prod"), sample(T(3),
        0, Lit([0, 0, 1]), T(3), "mean", include_self=False),
             sample(T(2), 0, Lit([0, 0, 1]), T(3), "amax"), sample(T(2, 3), 1, Lit([[0, 2], [1, 1]]), T(2, 2), "amin",
                 include_self=False),
             sample(T(2), 0, Lit([0, 0, 1]), Lit([0.0, 0.0, 2.0]), "prod"), sample(T(3), 0, Lit([0, 0, 1]), T(3),
                 "prod", include_self=False)))
def scatter_reduce(input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """Return ``input`` with elements combined; RuntimeError out of range, for shapes or dtypes that do not fit."""
    input, index, src = given(input), index_of(index, "scatter_reduce"), given(src)
    _known(reduce, ("sum", "prod", "mean", "amax", "amin"), "scatter_reduce")
    axis = check_places(input, index, dim, "scatter_reduce")
    same_dtype(input, src, "scatter_reduce")
    check_src(index, src, "scatter_reduce")
    return scatter_reduce_primitive(input, src, index, dim=axis, reduce=reduce, include_self=include_self)


@op("torch.index_reduce", "index_reduce(input, dim, index, source, reduce, *, include_self=True)",
    names="Tensor.index_reduce", inplace=True, category="index",
    doc="input combined along a dimension with the entries of source sent to the places a vector of indices names: "
    "reduce is 'prod', 'mean', 'amax' or 'amin'.",
    formula="as scatter_reduce", conventions="ties share the gradient evenly; products are exact at zeros, to any "
    "order",
    examples=("index_reduce(tensor([1., 2.]), 0, tensor([1, 1]), tensor([3., 5.]), 'prod')  #> [1., 30.]",),
    samples=(sample(T(3, 2), 0, Lit([0, 2, 0]), T(3, 2), "prod"), sample(T(2, 3), 1, Lit([2, 0]), T(2, 2), "mean"),
             sample(T(3), 0, Lit([0, 0]), T(2), "amax", include_self=False)))
def index_reduce(input: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True) -> Any:
    """Return ``input`` with entries combined; IndexError out of range, RuntimeError where source does not fit."""
    input, index, source = given(input), index_of(index, "index_reduce"), given(source)
    _known(reduce, ("prod", "mean", "amax", "amin"), "index_reduce")
    axis = check_index(input, dim, index, "index_reduce")
    check_source(input, axis, index, source, "index_reduce")
    shape = shape_of(source)
    along = array_of(index).reshape((-1, *(1,) * (len(shape) - axis - 1))) if shape else array_of(index).reshape(())
    wide = np.broadcast_to(along, shape)
    return index_reduce_primitive(input, source, wide, dim=axis, reduce=reduce, include_self=include_self)

"""Batch rules of reading and writing by index: the samples' elements stay apart, whether they share an index or not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.batched import loop
from gradcli.autograd.layout import dense
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import replay
from gradcli.ops.batching import Flags, Params, Values, batch_all, call, padded, repeated, shifted
from gradcli.ops.choosing import sizes_differ

_lanes = shifted("dim:lane", "sizes")


def refused(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Refuse: the results of the samples have sizes of their own."""
    raise sizes_differ(primitive.name)


class _Places:
    """Where the common dimensions of several index tensors go, in a sample's result and in that of all samples."""

    def __init__(self, flags: Flags, items: Values, own: int) -> None:
        self.batched = any(flags)
        kept = [k for k, item in enumerate(items) if item is not None]
        self.adjacent = kept == list(range(kept[0], kept[-1] + 1))
        masks = [i for i in items if i is not None and i._element.kind == "b"]
        if self.batched and masks:
            raise sizes_differ("x[mask]")
        self.rank = max(
            1 if i._element.kind == "b" else i.ndim - f for i, f in zip(items, flags, strict=True) if i is not None
        )
        self.before = kept[0] if self.adjacent else 0  # whole dimensions in front of the common ones
        used = sum(i.ndim if i is not None and i._element.kind == "b" else 1 for i in items)
        self.result = own - used + items.count(None) + self.rank  # dimensions of one sample's result

    def key(self, size: int, flags: Flags, items: Values) -> Values:
        """Return the index tensors into all samples."""
        if not self.batched:
            return (None, *items)
        first = Tensor(np.arange(size).reshape(size, *(1,) * self.rank))
        return (first, *(padded(i, self.rank) if f else i for i, f in zip(items, flags, strict=True)))

    def arranged(self, out: Any) -> Any:
        """Return what was read with the batch in front, each sample's dimensions in their order."""
        if not self.batched:
            return out if self.adjacent else out.movedim(self.rank, 0)
        return _moved(out, range(1 + self.rank, 1 + self.rank + self.before), 1)

    def back(self, value: Any) -> Any:
        """Return ``value``, arranged as results are, in the order in which NumPy writes."""
        if not self.batched:
            return value if self.adjacent else value.movedim(0, self.rank)
        return _moved(value, range(1, 1 + self.before), 1 + self.rank)


def _moved(value: Any, source: range, target: int) -> Any:
    if not len(source):
        return value
    return value.movedim(tuple(source), tuple(range(target, target + len(source))))


def index(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Read the same places of every sample, or each sample's own."""
    input, *items = values
    places = _Places(flags[1:], tuple(items), len(params["sizes"]))
    whole = repeated(input, size) if not flags[0] else input
    key = places.key(size, flags[1:], tuple(items))
    return places.arranged(primitive(whole, *key, unique=params["unique"], sizes=(size, *params["sizes"])))


def index_backward(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to the same places of every sample, or to each sample's own."""
    g, *items = values
    places = _Places(flags[1:], tuple(items), len(params["sizes"]))
    g = g if flags[0] else repeated(g, size)
    key = places.key(size, flags[1:], tuple(items))
    return primitive(places.back(g), *key, unique=params["unique"], sizes=(size, *params["sizes"]))


def index_put(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write into the same places of every sample, or into each sample's own."""
    input, given, *items = values
    input = input if flags[0] else repeated(input, size)
    places = _Places(flags[2:], tuple(items), input.ndim - 1)
    given = padded(given if flags[1] else repeated(given, size), places.result)
    return primitive(input, places.back(given), *places.key(size, flags[2:], tuple(items)), **params)


def along(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Select, add, copy or fill along a dimension: with one index for all samples, or each sample's own."""
    if flags[-1]:
        return _by_own_index(primitive, size, flags, values, params)
    *others, where = values
    others = list(batch_all(size, flags[:-1], tuple(others)))
    scalar = others[0].ndim == 1
    if scalar:
        others = [o.unsqueeze(-1) if isinstance(o, Tensor) and o.ndim == 1 else o for o in others]
    words = {**params, "dim": params["dim"] + 1}
    if "sizes" in params:
        words["sizes"] = tuple(others[0].shape)
    if primitive.name == "index_fill" and len(others) == 2:
        return _filled_along(others[0], others[1], where, words["dim"], scalar, size)
    out = primitive(*others, where, **words)
    return out.reshape(size) if scalar else out


def _filled_along(input: Any, value: Any, where: Any, dim: int, scalar: bool, size: int) -> Any:
    """Fill with a number that differs from sample to sample."""
    mask = np.zeros(input.shape[dim], bool)
    mask[where._array.reshape(-1)] = True
    shape = tuple(-1 if k == dim else 1 for k in range(input.ndim))
    out = call("where", Tensor(mask.reshape(shape)), padded(value.reshape(size), input.ndim - 1), input)
    return out.reshape(size) if scalar else out


def _by_own_index(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    *others, where = values
    others = list(batch_all(size, flags[:-1], tuple(others)))
    scalar = others[0].ndim == 1
    others = [o.unsqueeze(-1) if scalar and isinstance(o, Tensor) else o for o in others]
    input, dim = others[0], params["dim"] + 1
    count = where.shape[-1] if where.ndim > 1 else 1
    shape = tuple(count if k == dim else n for k, n in enumerate(input.shape))
    lane = tuple(size if k == 0 else count if k == dim else 1 for k in range(input.ndim))
    wide = where.reshape(lane).expand(shape)
    out = _scattered(primitive.name, input, dim, wide, others[1:], params)
    return out.reshape(size) if scalar else out


def _scattered(name: str, input: Any, dim: int, wide: Any, others: list[Any], params: Params) -> Any:
    if name == "index_select":
        return call("gather", input, dim, wide)
    if name == "index_add":
        return call("scatter_add", input, dim, wide, (others[0] * params["alpha"]).reshape(wide.shape))
    if name == "index_copy":
        return call("scatter", input, dim, wide, others[0].reshape(wide.shape))
    value = padded(others[0].reshape(-1), input.ndim - 1).expand(wide.shape) if others else params["value"]
    return call("scatter", input, dim, wide, value)


def take(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Take elements of the flattened sample."""
    input, where = values
    sizes, count = tuple(where.shape[flags[1] :]), math.prod(params["sizes"])
    flat = (input if flags[0] else repeated(input, size)).reshape((size, count))
    where = (where % max(count, 1)).reshape((size, -1) if flags[1] else (1, -1)).expand((size, math.prod(sizes)))
    return call("gather", flat, 1, where).reshape((size, *sizes))


def take_backward(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to elements of the flattened sample."""
    g, where = values
    count = math.prod(params["sizes"])
    g = (g if flags[0] else repeated(g, size)).reshape((size, -1))
    where = (where % max(count, 1)).reshape((size, -1) if flags[1] else (1, -1)).expand(tuple(g.shape))
    zeros = Tensor(np.zeros((size, count), g._element))
    return call("scatter_add", zeros, 1, where, g).reshape((size, *params["sizes"]))


def _mask_places(mask: Any, shape: tuple[int, ...]) -> Any:
    return Tensor(np.flatnonzero(np.broadcast_to(mask._array, shape)))


def masked_select(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Select by a mask that is the same for all samples."""
    input, mask = values
    if flags[1]:
        raise sizes_differ("masked_select")
    shape = np.broadcast_shapes(tuple(input.shape[1:]), tuple(mask.shape))
    flat = padded(input, len(shape)).expand((size, *shape)).reshape((size, math.prod(shape)))
    return call("index_select", flat, 1, _mask_places(mask, shape))


def masked_back(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Put elements back where a mask, the same for all samples, had selected them."""
    g, mask = values
    if flags[1]:
        raise sizes_differ("masked_select")
    shape = np.broadcast_shapes(tuple(params["sizes"]), tuple(mask.shape))
    zeros = Tensor(np.zeros((size, math.prod(shape)), g._element))
    return call("index_copy", zeros, 1, _mask_places(mask, shape), g).reshape((size, *shape))


def _flat(value: Any, size: int) -> Any:
    return value.reshape((size, math.prod(value.shape[1:])))


def masked_scatter(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write elements in order where a mask, the same for all samples, holds."""
    input, source, mask = values
    if flags[2]:
        return loop(primitive, size, flags, values, params)
    input, source = batch_all(size, flags[:2], (input, source))
    shape = np.broadcast_shapes(tuple(input.shape[1:]), tuple(mask.shape))
    places = _mask_places(mask, shape)
    sent = _flat(source, size).narrow(1, 0, places.shape[0])
    wide = padded(input, len(shape)).expand((size, *shape))
    return call("index_copy", _flat(wide, size), 1, places, sent).reshape((size, *shape))


def put(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write to (or add to) elements of the flattened sample."""
    input, source, where = batch_all(size, flags, values)
    flat, sent = _flat(input, size), _flat(source, size)
    where = _flat(where, size) % max(flat.shape[1], 1)
    name = "scatter_add" if params["accumulate"] else "scatter"
    return call(name, flat, 1, where, sent).reshape(tuple(input.shape))


def cells_written(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write over cells of the flattened sample."""
    input, source = batch_all(size, flags, values)
    cells = Tensor(params["cells"].reshape(-1))
    return call("index_copy", _flat(input, size), 1, cells, _flat(source, size)).reshape(tuple(input.shape))


def _scaled(rows: Any, counts: Any, lead: int) -> Any:
    if counts is None:
        return rows
    factor = np.where(counts == 0, 0, 1 / np.where(counts == 0, 1, counts)).astype(rows._element)
    return rows * Tensor(factor.reshape((*factor.shape, *(1,) * (rows.ndim - 1 - lead))))


def lookup(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Look the same rows up in every sample's table."""
    table, where = values[0], params["index"]
    return call("index_select", table, 1, Tensor(where.reshape(-1))).reshape((size, *where.shape, *table.shape[2:]))


def rows(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Look the same rows up in every sample's table, each scaled by its count."""
    found = lookup(primitive, size, flags, values, params)
    return _scaled(found, params["counts"], params["index"].ndim)


def rows_back(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add rows up into every sample's table."""
    g, where = values[0], params["index"]
    g = _scaled(g, params["counts"], where.ndim)
    rest = tuple(g.shape[1 + where.ndim :])
    zeros = Tensor(np.zeros((size, params["rows"], *rest), g._element))
    return call("index_add", zeros, 1, Tensor(where.reshape(-1)), g.reshape((size, where.size, *rest)))


def _cells(shape: tuple[int, ...], params: Params) -> Any:
    """Return the places, in a flattened sample, of what a view shows."""
    whole = dense(np.arange(math.prod(shape)).reshape(shape), params["order"])
    return replay(whole, params["steps"])


def view_read(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Read what a view shows of each sample."""
    cells = _cells(params["shape"], params)
    flat = values[0].reshape((size, math.prod(params["shape"])))
    return call("index_select", flat, 1, Tensor(cells.reshape(-1))).reshape((size, *cells.shape))


def view_spread(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to what a view shows of zeros."""
    shape = params["shape"]
    cells = _cells(shape, params)
    zeros = Tensor(np.zeros((size, math.prod(shape)), values[0]._element))
    sent = padded(values[0], cells.ndim).expand((size, *cells.shape)).reshape((size, cells.size))
    return call("index_add", zeros, 1, Tensor(cells.reshape(-1)), sent).reshape((size, *shape))


def view_written(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write over what a view shows of each sample."""
    base = values[0] if flags[0] else repeated(values[0], size)
    shape = tuple(base.shape[1:])
    cells = _cells(shape, params)
    value = values[1] if isinstance(values[1], Tensor) else Tensor(np.asarray(values[1], base._element))
    value = padded(value, cells.ndim) if flags[1] else value
    sent = value.expand((size, *cells.shape)).reshape((size, cells.size))
    flat = base.reshape((size, math.prod(shape)))
    return call("index_copy", flat, 1, Tensor(cells.reshape(-1)), sent).reshape((size, *shape))

"""What operations do to the entries of unit vectors (``gradcli.autograd.units``): scale, move, add or contract them.

A rule gets the arguments as they are and returns entries, a dense batch, or None where it needs the samples written
out. It may count on the operation being linear in what it gets as unit vectors; the rest are plain tensors and numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.units import Entries, Units

Rule = Callable[[Primitive, tuple[Any, ...], dict[str, Any]], Any]
_NUMBERS = (bool, int, float, complex)


def _plain(value: Any) -> Any:
    """Return the array of a tensor, or a number as it is."""
    return value._array if isinstance(value, Tensor) else value


def _finite(value: Any) -> bool:
    """Return whether 0 times ``value`` is 0; a sum too large for its dtype counts as not."""
    return math.isfinite(abs(value)) if isinstance(value, _NUMBERS) else bool(np.isfinite(np.add.reduce(value, None)))


def _each(entries: Entries, change: Callable[[Any, Any], Any]) -> Entries:
    """Return the entries with values changed by place."""
    return Entries(entries.shape, tuple((p, change(p, v)) for p, v in entries.terms))


def _beside(other: Any, shape: tuple[int, ...]) -> Any:
    """Return by place what meets the entries of ``shape``, or None where ``other`` would stretch them."""
    if isinstance(other, _NUMBERS) or not other.shape:
        return other
    if math.prod(np.broadcast_shapes(other.shape, shape)) != math.prod(shape):
        return None
    lead = (1,) * (other.ndim - len(shape))
    return np.broadcast_to(other, np.broadcast_shapes(other.shape, (*lead, *shape))).reshape(-1)


def _scaling(ufunc: Any) -> Rule:
    """Return the rule of a product or quotient whose first (or only) batched argument is linear."""

    def rule(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        first, second = args if args[0].__class__ is Units else args[::-1]
        if second.__class__ is Units or (ufunc is np.true_divide and first is not args[0]) or any(params.values()):
            return None
        entries, other = first.entries, _plain(second)
        if not isinstance(other, _NUMBERS) and other.dtype != first._element:
            return None
        factor = _beside(other, entries.shape)
        if factor is None or not _finite(factor) or (ufunc is np.true_divide and np.any(factor == 0)):
            return None
        shape = entries.shape if not np.ndim(other) else np.broadcast_shapes(other.shape, entries.shape)
        return Entries(shape, tuple((p, ufunc(v, factor[p] if np.ndim(factor) else factor)) for p, v in entries.terms))

    return rule


def _negated(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    return _each(args[0].entries, lambda p, v: -v)


def _same(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    return args[0].entries if args[0].__class__ is Units else None


def _added(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Add two batches of entries; those that lie at the same places become one."""
    a, b = args
    if b.__class__ is not Units or a.__class__ is not Units or a.entries.shape != b.entries.shape:
        return None
    if a._element != b._element:
        return None
    sign = -params["alpha"] if primitive.name == "sub" else params["alpha"]
    terms = list(a.entries.terms)
    for places, values in b.entries.terms:
        values = values if sign == 1 else values * values.dtype.type(sign)
        for k, (known, own) in enumerate(terms):
            if known is places or np.array_equal(known, places):
                terms[k] = (known, own + values)
                break
        else:
            terms.append((places, values))
    return Entries(a.entries.shape, tuple(terms))


def _kept(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Keep the entries where a mask holds."""
    mask, value = _plain(args[0]), args[1]
    if value.__class__ is not Units or args[0].__class__ is Units or params["other"] != 0:
        return None
    there = _beside(np.asarray(mask), value.entries.shape)
    if there is None:
        return None
    return _each(value.entries, lambda p, v: np.where(there[p] if np.ndim(there) else there, v, 0).astype(v.dtype))


def _reshaped(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Change the shape; the places in the flattened sample are the same."""
    entries = args[0].entries
    stand_in = np.broadcast_to(np.zeros((), np.bool_), entries.shape)
    shape = primitive.forward(stand_in, **params).shape
    return Entries(shape, entries.terms) if math.prod(shape) == math.prod(entries.shape) else None


def _moved(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Follow each entry to its new place; what the operation leaves out becomes 0."""
    (units,) = args
    entries = units.entries
    count = math.prod(entries.shape)
    found = primitive.forward(np.arange(1, count + 1).reshape(entries.shape), **params)
    target = np.zeros(count + 1, np.int64)
    target[found.reshape(-1)] = np.arange(1, found.size + 1)
    return Entries(found.shape, tuple(_followed(target[1:], p, v) for p, v in entries.terms)) if found.size else None


def _followed(target: Any, places: Any, values: Any) -> tuple[Any, Any]:
    there = target[places]
    if there.all():
        return there - 1, values
    return np.maximum(there - 1, 0), np.where(there > 0, values, values.dtype.type(0))


def _summed(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Sum or average over dimensions: entries go to the place of their sum."""
    entries = args[0].entries
    if params.get("dtype") is not None:
        return None
    axes = params.get("dim", params.get("axes", tuple(range(len(entries.shape)))))
    axes = axes if isinstance(axes, tuple) else (axes,)
    kept = tuple(1 if k in axes else n for k, n in enumerate(entries.shape))
    keep = params.get("keepdim", "axes" in params)
    shape = kept if keep else tuple(n for k, n in enumerate(entries.shape) if k not in axes)
    where = np.broadcast_to(np.arange(math.prod(kept)).reshape(kept), entries.shape).reshape(-1)
    share = params.get("count", 1)
    return Entries(shape, tuple((where[p], v if share == 1 else v / share) for p, v in entries.terms))


def _mv(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Multiply a matrix with unit vectors: its columns, scaled."""
    matrix, vector = args
    if matrix.__class__ is Units or vector._element != matrix._element or not _finite(matrix._array):
        return None
    columns: Any = matrix._array.T
    total: Any = None
    for places, values in vector.entries.terms:
        every = len(places) == len(columns) and places[0] == 0 and bool((np.diff(places) == 1).all())
        part = values[:, None] * (columns if every else columns[places])
        total = part if total is None else np.add(total, part, out=total)
    return Tensor(total)


def _mm(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Multiply matrices of one entry (or a few) with a matrix: single rows (columns) of it, scaled."""
    left = args[0].__class__ is Units
    units, other = args if left else args[::-1]
    if other.__class__ is Units or units._element != other._element or not _finite(other._array):
        return None
    rows, columns = units.entries.shape
    size = units.size_of_batch
    matrix, samples = other._array, np.arange(size)
    out = np.zeros((size, rows, matrix.shape[1]) if left else (size, matrix.shape[0], columns), matrix.dtype)
    for places, values in units.entries.terms:
        i, j = np.divmod(places, columns)
        if left:
            out[samples, i] += values[:, None] * matrix[j]
        else:
            out[samples, :, j] += values[:, None] * matrix.T[i]
    return Tensor(out)


def _dot(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Multiply unit vectors with a vector: its elements, scaled."""
    units, other = args if args[0].__class__ is Units else args[::-1]
    if other.__class__ is Units or units._element != other._element or not _finite(other._array):
        return None
    return Tensor(sum(values * other._array[places] for places, values in units.entries.terms))


def _cast(primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    made = primitive.forward(args[0].entries.terms[0][1], **params)
    if made.dtype.kind not in "fc":
        return None
    return _each(args[0].entries, lambda p, v: primitive.forward(v, **params))


@cache
def _table() -> dict[Primitive, Rule]:
    from gradcli.ops import arithmetic, axes, cast, masked, masks, matmul, rearranging, reduce, reducing, shape, slices

    reshapes = (shape.view_primitive, shape.unsafe_view_primitive, shape.squeeze_all, shape.squeeze_one,
                shape.squeeze_some, shape.unsqueeze_primitive, matmul._unsafe_view, shape.expand_primitive)  # fmt: skip
    moves = (axes.transpose_primitive, axes.permute_primitive, axes.t_primitive, rearranging.flip_primitive,
             slices.select_primitive, slices.slice_primitive, slices.place_primitive, slices.pick_primitive,
             slices.diagonal_primitive, slices.place_diagonal, masks.part_primitive,
             masks.unpart_primitive)  # fmt: skip
    sums = (reducing.sum_all, reducing.sum_over, masks.total_primitive, reduce.mean_all, reduce.mean_over)
    same = (shape.alias_primitive, shape.copy_primitive, cast.clone_primitive, masks.tied_primitive)
    return {
        arithmetic.mul_primitive: _scaling(np.multiply),
        arithmetic.div_primitive: _scaling(np.true_divide),
        arithmetic.add_primitive: _added,
        arithmetic.sub_primitive: _added,
        masked._filled: _kept,
        cast.cast_primitive: _cast,
        matmul.mv_primitive: _mv,
        matmul.mm_primitive: _mm,
        matmul.mm_turned: _mm,
        matmul.dot_primitive: _dot,
        **dict.fromkeys(reshapes, _reshaped),
        **dict.fromkeys(moves, _moved),
        **dict.fromkeys(sums, _summed),
        **dict.fromkeys(same, _same),
    }


def rule_of(primitive: Primitive) -> Rule | None:
    """Return what ``primitive`` does to the entries of unit vectors, or None where it needs them written out."""
    return _negated if primitive.name == "neg" else _table().get(primitive)

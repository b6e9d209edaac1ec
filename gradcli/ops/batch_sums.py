"""Batch rules of reductions over a whole sample: the same reduction over all dimensions but the batch."""

from __future__ import annotations

import math
from typing import Any

from gradcli.autograd.primitive import Primitive
from gradcli.ops.batching import Flags, Params, Values, call, shifted

_over_dim = shifted("dim:lane")


def _axes(value: Any) -> tuple[int, ...]:
    return tuple(range(1, value.ndim))


def _flat(value: Any) -> Any:
    return value.reshape((value.shape[0], math.prod(value.shape[1:])))


def total(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Sum each sample."""
    from gradcli.ops.reducing import sum_over

    value = values[0]
    return sum_over(value, dim=_axes(value), keepdim=False, shape=tuple(value.shape), dtype=params["dtype"])


def mean(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Average each sample."""
    return total(primitive, size, flags, values, params) / params["count"]


def largest(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Return the maximum of each sample."""
    return call("amax", values[0], _axes(values[0])) if values[0].ndim > 1 else values[0]


def smallest(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Return the minimum of each sample."""
    return call("amin", values[0], _axes(values[0])) if values[0].ndim > 1 else values[0]


def place(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Return the place of the extreme element, along a dimension or in the flattened sample."""
    value, rank = values[0], values[0].ndim - 1
    if params["dim"] is not None and rank:
        return _over_dim(primitive, size, flags, values, params)
    found = primitive(_flat(value), dim=1, keepdim=False)
    return found.reshape((size, *(1,) * rank)) if params["keepdim"] else found


def product(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Multiply the elements of each sample."""
    from gradcli.ops.products import prod_over

    return prod_over(_flat(values[0]), dim=1, keepdim=False, dtype=params["dtype"])


def middle(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Return the median of each sample."""
    return call(primitive.name, _flat(values[0]), 1)[0]

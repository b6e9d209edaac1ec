"""Batch rules of operations on shapes that need more than shifted dimensions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.ops.batching import Flags, Params, Values, batch_all, padded


def transposed(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Swap two dimensions of each sample; a 0-d sample stays as it is."""
    if values[0].ndim == 1:
        return values[0]
    return primitive(values[0], dim0=params["dim0"] + 1, dim1=params["dim1"] + 1)


def turned(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Transpose each matrix."""
    return values[0] if values[0].ndim < 3 else values[0].transpose(1, 2)


def squeezed(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Drop the dimensions of size 1 that were meant, never the batch's."""
    dim, (value,) = params["dim"], values
    if dim is None:
        dim = tuple(k for k, n in enumerate(value.shape[1:]) if n == 1)
    dims = tuple(d % max(value.ndim - 1, 1) + 1 for d in (dim if isinstance(dim, tuple) else (dim,)))
    return primitive(value, dim=dims, sizes=(size, *params["sizes"]))


def expanded(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Expand each sample; new dimensions come after the batch."""
    wanted = tuple(params["size"])
    return primitive(padded(values[0], len(wanted)), size=(size, *wanted))


def tiled(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Repeat each sample; new dimensions come after the batch."""
    repeats = tuple(params["repeats"])
    value = padded(values[0], len(repeats))
    return primitive(value, repeats=(1, *repeats), sizes=tuple(value.shape))


def rolled(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Roll along the dimensions named, or in the flattened sample."""
    value = values[0]
    if params["dims"]:
        return primitive(value, shifts=params["shifts"], dims=tuple(d + 1 for d in params["dims"]))
    flat = value.reshape((size, math.prod(value.shape[1:])))
    return primitive(flat, shifts=params["shifts"][:1], dims=(1,)).reshape(value.shape)


def copied(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Copy each source over its target."""
    target, source = batch_all(size, flags, values)
    return primitive(target, padded(source, target.ndim - 1))


def filled(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Fill each sample with its number."""
    from gradcli.autograd.dtypes import from_numpy_dtype

    target, value = values
    if not flags[0]:
        target = target.unsqueeze(0).expand((size, *target.shape))
    if not flags[1]:
        return primitive(target, value)
    kind = from_numpy_dtype(target._element)
    return padded(value, target.ndim - 1).to(kind).expand(tuple(target.shape)).clone()


def overlaid(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add overlapping windows up; a 0-d sample had one window of one element."""
    if not params["sizes"]:
        return values[0].sum(-1)
    return primitive(values[0], **{**params, "dimension": params["dimension"] + 1, "sizes": (size, *params["sizes"])})


def tied(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Return the first value for each sample, whatever it is tied to."""
    return primitive(*batch_all(size, flags, values))


def diagonal_copied(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Copy the diagonal of each matrix."""
    return values[0].diagonal(params["diagonal"], 1, 2).clone()


def diagonal_placed(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Place each vector on the diagonal of zeros."""
    from gradcli.ops.slices import place_diagonal

    sizes = (size, *params["sizes"])
    return place_diagonal(values[0], offset=params["diagonal"], dim1=1, dim2=2, sizes=sizes)


def diagonal_replaced(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write over a diagonal of each sample."""
    input, source = batch_all(size, flags, values)
    words = {**params, "dim1": params["dim1"] + 1, "dim2": params["dim2"] + 1}
    return primitive(input, padded(source, input.ndim - 2), **words)


def replaced(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Write over a part of each sample."""
    input, source = batch_all(size, flags, values)
    index = (slice(None), *params["index"])
    part = np.broadcast_to(np.zeros((), np.bool_), tuple(input.shape))[index]
    return primitive(input, padded(source, part.ndim - 1), index=index)

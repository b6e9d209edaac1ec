"""Small linear pieces that rules are made of; the derivative of each is made of the others.

They run on raw arrays and on tensors. Constants (masks, axes) are keyword arguments and never differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive


def _keep(g: Any, *, mask: Any) -> Any:
    return np.where(mask, g, g.dtype.type(0))


def _choose(a: Any, b: Any, *, mask: Any) -> Any:
    return np.where(mask, a, b)


def _total(x: Any, *, axes: Any) -> Any:
    return np.add.reduce(x, axis=axes, keepdims=True)


def _join(a: Any, b: Any, *, axis: int) -> Any:
    return np.concatenate((a, b), axis=axis)


def _part(x: Any, *, axis: int, start: int, stop: int) -> Any:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _unpart(g: Any, *, axis: int, start: int, stop: int, size: int) -> Any:
    """Return ``g`` along ``axis`` from ``start`` to ``stop``, in zeros of ``size``."""
    out = np.zeros((*g.shape[:axis], size, *g.shape[axis + 1 :]), g.dtype)
    out[(slice(None),) * axis + (slice(start, stop),)] = g
    return out


keep_primitive = Primitive("masked", _keep, {"g": lambda g, mask: keep(g, mask)})
choose_primitive = Primitive(
    "where", _choose, {"a": lambda g, mask: keep(g, mask), "b": lambda g, mask: keep(g, ~mask)}
)
total_primitive = Primitive("sum", _total, {"x": lambda g: g}, node="SumBackward1")
part_primitive = Primitive(
    "slice",
    _part,
    {"x": lambda g, x, axis, start, stop: unpart_primitive(g, axis=axis, start=start, stop=stop, size=x.shape[axis])},
)
unpart_primitive: Primitive = Primitive(
    "slice_backward", _unpart, {"g": lambda g, axis, start, stop: part(g, axis, start, stop)}
)
join_primitive = Primitive(
    "cat",
    _join,
    {
        "a": lambda g, a, axis: part(g, axis, 0, a.shape[axis]),
        "b": lambda g, a, axis: part(g, axis, a.shape[axis], g.shape[axis]),
    },
)


def keep(g: Any, mask: Any) -> Any:
    """Return ``g`` where ``mask`` (a constant bool array) holds and 0 elsewhere, nan and infinity included."""
    return keep_primitive(g, mask=mask)


def choose(mask: Any, a: Any, b: Any) -> Any:
    """Return ``a`` where ``mask`` (a constant array) holds, else ``b``; each has a cotangent where it is chosen."""
    return choose_primitive(a, b, mask=mask)


def total(x: Any, axes: Any) -> Any:
    """Return the sum over ``axes`` (None for all), which stay with size 1."""
    return total_primitive(x, axes=axes)


def part(x: Any, axis: int, start: int, stop: int) -> Any:
    """Return ``x[start:stop]`` along ``axis``."""
    return part_primitive(x, axis=axis, start=start, stop=stop)


def join(a: Any, b: Any, axis: int) -> Any:
    """Return two arrays or tensors end to end along ``axis``."""
    return join_primitive(a, b, axis=axis)

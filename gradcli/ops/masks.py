"""Small linear pieces that rules are made of; the derivative of each is made of the others.

They run on raw arrays and on tensors. Masks are arrays or tensors and never differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.bits import chosen
from gradcli.ops.masked import keep, negated, zero


def _choose(mask: Any, a: Any, b: Any) -> Any:
    return chosen(mask, a, b)


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


choose_primitive = Primitive(
    "where",
    _choose,
    {"a": lambda g, mask: keep(g, mask), "b": lambda g, mask: keep(g, negated(mask))},
    batch="elementwise",
)
tied_primitive = Primitive("tied", lambda g, x: g, {"g": lambda g: g, "x": lambda x: zero(x)}, batch="arrays.tied")
total_primitive = Primitive("sum", _total, {"x": lambda g: g}, node="SumBackward1", batch=("axes",))
part_primitive = Primitive(
    "slice",
    _part,
    {"x": lambda g, x, axis, start, stop: unpart_primitive(g, axis=axis, start=start, stop=stop, size=x.shape[axis])},
    batch=("axis",),
)
unpart_primitive: Primitive = Primitive(
    "slice_backward", _unpart, {"g": lambda g, axis, start, stop: part(g, axis, start, stop)},
    batch=("axis",),
)
join_primitive = Primitive(
    "cat",
    _join,
    {
        "a": lambda g, a, axis: part(g, axis, 0, a.shape[axis]),
        "b": lambda g, a, axis: part(g, axis, a.shape[axis], g.shape[axis]),
    },
    batch=("axis",),
)


def choose(mask: Any, a: Any, b: Any) -> Any:
    """Return ``a`` where ``mask`` holds, else ``b``; each has a cotangent where it is chosen."""
    return choose_primitive(mask, a, b)


def still(x: Any) -> Any:
    """Return the value of ``x`` as a constant."""
    return x.detach() if isinstance(x, Tensor) else x


def tied(g: Any, x: Any) -> Any:
    """Return ``g`` as a function of ``x`` that does not change with it.

    The derivative of a linear operation is constant in the input, and PyTorch answers a second derivative with zeros
    there, not with the absence of a graph.
    """
    return tied_primitive(g, x) if isinstance(g, Tensor) else g


def total(x: Any, axes: Any) -> Any:
    """Return the sum over ``axes``, which stay with size 1."""
    return total_primitive(x, axes=axes)


def inner(a: Any, b: Any, axes: tuple[int, ...]) -> Any:
    """Return the sum of ``a * b`` over ``axes``, which stay with size 1; raw rows are summed without a temporary."""
    if a.__class__ is np.ndarray and b.__class__ is np.ndarray and axes == (a.ndim - 1,) and a.dtype.kind == "f":
        return np.vecdot(a, b)[..., None]
    return total(a * b, axes)


def part(x: Any, axis: int, start: int, stop: int) -> Any:
    """Return ``x[start:stop]`` along ``axis``."""
    return part_primitive(x, axis=axis, start=start, stop=stop)


def join(a: Any, b: Any, axis: int) -> Any:
    """Return two arrays or tensors end to end along ``axis``."""
    return join_primitive(a, b, axis=axis)


__all__ = ["choose", "inner", "join", "keep", "negated", "part", "still", "tied", "total"]

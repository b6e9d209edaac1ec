"""Reading elements along one dimension by index, and its adjoint: what sorts, extremes and medians send back.

``pick`` and ``put`` are each other's rules, so whatever is built from them has exact derivatives of every order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive

Shape = tuple[int, ...]


def cells(indices: Any, dim: int) -> tuple[Any, ...]:
    """Return the index tuple that addresses ``indices`` (of the array's own ndim) along ``dim`` of an array."""
    ndim = indices.ndim
    if ndim == 1:
        return (indices,)
    grid = [np.arange(n).reshape(tuple(n if i == k else 1 for i in range(ndim))) for k, n in enumerate(indices.shape)]
    grid[dim] = indices
    return tuple(grid)


def _whole(indices: Any, dim: int, ndim: int) -> Any:
    """Return ``indices`` with the dimension put back that a reduction without keepdim has taken away."""
    return indices if indices.ndim == ndim else np.expand_dims(indices, dim)


def _pick(input: Any, indices: Any, *, dim: int, shape: Shape) -> Any:
    if not input.ndim:
        return np.array(input)
    out = input[cells(_whole(indices, dim, input.ndim), dim)]
    return out if out.shape == indices.shape else out.reshape(indices.shape)


def _put(input: Any, indices: Any, *, dim: int, shape: Shape) -> Any:
    if not shape:
        return np.array(input)
    out = np.zeros(shape, input.dtype)
    whole = _whole(indices, dim, len(shape))
    out[cells(whole, dim)] = input.reshape(whole.shape)
    return out


def _add(input: Any, indices: Any, *, dim: int, shape: Shape) -> Any:
    if not shape:
        return np.array(input)
    out = np.zeros(shape, input.dtype)
    np.add.at(out, cells(indices, dim), input)
    return out


def _put_rule(g: Any, indices: Any, dim: int, shape: Shape) -> Any:
    return pick(g, indices, dim=dim, shape=shape)


def _pick_rule(g: Any, indices: Any, dim: int, shape: Shape) -> Any:
    return put(g, indices, dim=dim, shape=shape)


pick = Primitive("gather", _pick, {"input": _pick_rule}, batch=("dim:lane", "shape"))
put = Primitive("scatter", _put, {"input": _put_rule}, batch=("dim:lane", "shape"))
add = Primitive("scatter_add", _add, {"input": _put_rule}, batch=("dim:lane", "shape"))


def selection(
    name: str, forward: Callable[..., Any] = _pick, *, node: str | None = None, repeats: bool = False
) -> Primitive:
    """Return the primitive ``name`` of (input, indices), whose cotangent goes to the indexed elements.

    ``forward`` may compute the same values in a quicker way; ``repeats`` says that an index may come more than once.
    """
    back = add if repeats else put

    def rule(g: Any, indices: Any, dim: int, shape: Shape) -> Any:
        return back(g, indices, dim=dim, shape=shape)

    return Primitive(name, forward, {"input": rule}, node=node, batch=("dim:lane", "shape"))

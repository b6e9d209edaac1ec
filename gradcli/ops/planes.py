"""Picking elements of the last dims by flat places, and its adjoint: what max pooling and padding are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive


def _pick(x: Any, places: Any, *, n: int) -> Any:
    """Return x at ``places`` (flat in the last ``n`` dims; its own leading shape is that of x)."""
    flat = x.reshape(*x.shape[: x.ndim - n], -1)
    lead = flat.ndim - 1
    return np.take_along_axis(flat, places.reshape(*places.shape[:lead], -1), lead).reshape(places.shape)


def _drop(g: Any, places: Any, *, size: tuple[int, ...]) -> Any:
    """Return zeros of the spatial ``size`` with ``g`` added at ``places``."""
    lead = places.shape[: places.ndim - len(size)]
    planes, length = math.prod(lead), math.prod(size)
    starts = (np.arange(planes) * length)[:, None]
    at = (places.reshape(planes, -1 if planes else 0) + starts).ravel()
    total = np.zeros(planes * length, g.dtype)
    if g.dtype.kind == "c":
        np.add.at(total, at, g.ravel())
    else:
        total += np.bincount(at, weights=g.ravel(), minlength=total.size).astype(g.dtype, copy=False)
    return total.reshape(*lead, *size)


def _pick_all(x: Any, *, places: Any, n: int) -> Any:
    """Return x at the same ``places`` (of ``n`` dims) of the last ``n`` dims in every plane."""
    return x.reshape(*x.shape[: x.ndim - n], -1)[..., places]


def _drop_all(g: Any, *, places: Any, size: tuple[int, ...]) -> Any:
    lead = g.shape[: g.ndim - places.ndim]
    return _drop(g, np.broadcast_to(places, (*lead, *places.shape)), size=size)


pick_primitive = Primitive(
    "gather", _pick, {"x": lambda g, x, places, n: drop(g, places, tuple(x.shape[x.ndim - n :]))},
    batch=(),
)
drop_primitive = Primitive("scatter_add", _drop, {"g": lambda g, places, size: pick(g, places, len(size))},
    batch=())
pick_all_primitive = Primitive(
    "index", _pick_all, {"x": lambda g, x, places, n: drop_all(g, places, tuple(x.shape[x.ndim - n :]))},
    batch=(),
)
drop_all_primitive = Primitive(
    "index_backward", _drop_all, {"g": lambda g, places, size: pick_all(g, places, len(size))},
    batch=(),
)


def pick(x: Any, places: Any, n: int) -> Any:
    """Return ``x`` at flat ``places`` in its last ``n`` dims; ``places`` has the leading shape of ``x``."""
    return pick_primitive(x, places, n=n)


def drop(g: Any, places: Any, size: tuple[int, ...]) -> Any:
    """Return zeros with last dims ``size`` and ``g`` added at ``places``: the adjoint of ``pick``."""
    return drop_primitive(g, places, size=size)


def pick_all(x: Any, places: Any, n: int) -> Any:
    """Return ``x`` at ``places`` in its last ``n`` dims, the same in every plane."""
    return pick_all_primitive(x, places=places, n=n)


def drop_all(g: Any, places: Any, size: tuple[int, ...]) -> Any:
    """Return zeros with last dims ``size`` and ``g`` added at ``places``: the adjoint of ``pick_all``."""
    return drop_all_primitive(g, places=places, size=size)

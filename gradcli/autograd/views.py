"""Views: tensors on the memory of a base. Writing into one rewrites the history of the base, and of its other views.

A view keeps its base and the steps (primitive and parameters) that lead from the base to it. A step can be replayed on any
array of the base's shape, which is all that the gradients of views and of writes through views need.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node, Storage, edge_of, next_seq, storage_of
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.record import place
from gradcli.autograd.tensor import Tensor

Step = tuple[Primitive, dict[str, Any], int]  # the primitive, its parameters, and which of its outputs
Steps = tuple[Step, ...]

_PRUNE = 64


class View:
    """What a tensor is a view of: the base, the steps from it, and the history it was made under."""

    __slots__ = ("base", "base_fn", "multi", "recorded", "steps", "version")

    def __init__(self, base: Tensor, steps: Steps, multi: bool) -> None:
        self.base = base
        self.steps = steps
        self.multi = multi
        self.recorded = mode.enabled
        self.base_fn = base._fn
        self.version = base._storage.version

    def refresh(self, tensor: Tensor) -> None:
        """Give ``tensor`` a new grad_fn where a recorded write has changed its base since."""
        if self.version == self.base._storage.version:
            return
        self.version = self.base._storage.version
        if self.base._fn is self.base_fn:
            return
        self.base_fn = self.base._fn
        if self.base._rg:
            tensor._rg = True
            tensor._fn = replay_node(self.base, self.steps, tensor._array)
            tensor._nr = 0


def mark_view(primitive: Primitive, source: Tensor, params: dict[str, Any], made: Any) -> None:
    """Note that ``made`` (a tensor, or several) shares the memory of ``source``, where it does."""
    base, before = (source, ()) if source._view is None else (source._view.base, source._view.steps)
    for nr, out in enumerate(made if primitive.multi else (made,)):
        if out._array.base is None and out._array is not source._array:
            continue
        if not np.may_share_memory(out._array, base._array):
            continue
        out._storage = storage = storage_of(base)
        out._view = View(base, (*before, (primitive, params, nr)), primitive.multi)
        _remember(storage, out)


_views: weakref.WeakKeyDictionary[Storage, list[weakref.ref[Tensor]]] = weakref.WeakKeyDictionary()


def _remember(storage: Storage, view: Tensor) -> None:
    known = _views.get(storage)
    if known is None:
        known = _views[storage] = []
    known.append(weakref.ref(view))
    if len(known) % _PRUNE == 0:
        known[:] = [ref for ref in known if ref() is not None]


def mark_views_recorded(storage: Storage) -> None:
    """Let the live views of a base that has begun to require grad require it too."""
    for ref in _views.get(storage, ()):
        view = ref()
        if view is not None:
            view._rg = True


def replay(array: Any, steps: Steps) -> Any:
    """Return the view that ``steps`` make of an ndarray."""
    for primitive, params, nr in steps:
        array = primitive.forward(array, **params)
        if primitive.multi:
            array = array[nr]
    return array


def scatter(value: Any, steps: Steps, shape: tuple[int, ...]) -> Any:
    """Return zeros of ``shape`` with ``value`` added where ``steps`` lead."""
    out = np.zeros(shape, value.dtype)
    target = replay(out, steps)
    if 0 in target.strides:  # an expanded view: cells that stand for one cell add up
        np.add.at(out.reshape(-1), replay(np.arange(out.size).reshape(shape), steps), value)
    else:
        target[...] = value
    return out


def _replayed(input: Any, *, steps: Steps, shape: tuple[int, ...]) -> Any:
    return replay(input, steps)


def _scattered(input: Any, *, steps: Steps, shape: tuple[int, ...]) -> Any:
    return scatter(input, steps, shape)


def _overwritten(input: Any, value: Any, *, steps: Steps) -> Any:
    out = np.array(input)
    replay(out, steps)[...] = value
    return out


def _kept(g: Any, steps: Steps) -> Any:
    return overwrite(g, 0.0, steps=steps)


def _taken(g: Any, steps: Steps) -> Any:
    return as_strided(g, steps=steps, shape=tuple(g.shape))


as_strided = Primitive("as_strided", _replayed, {"input": lambda g, steps, shape: scatter_view(g, steps=steps, shape=shape)})
scatter_view = Primitive("as_strided_scatter", _scattered,
                         {"input": lambda g, steps, shape: as_strided(g, steps=steps, shape=shape)})
overwrite = Primitive("copy_slices", _overwritten, {"input": _kept, "value": _taken}, node="CopySlices")


def replay_node(base: Tensor, steps: Steps, array: Any) -> Node:
    """Return the node of a view taken anew from the present value of ``base``."""
    cls = as_strided.node_class((True,), (False,))
    params = {"steps": steps, "shape": base._array.shape}
    code, lasti = place()
    saved = cls.save((base,), array, params)  # type: ignore[attr-defined]
    nrs = (base._nr,) if base._nr else None
    return cls((edge_of(base),), nrs, saved, array.shape, array.dtype, next_seq(), code, lasti)

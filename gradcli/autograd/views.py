"""Views: tensors on the memory of a base. Writing into one rewrites the history of the base, and of its other views.

A view keeps its base and the steps (primitive and parameters) that lead from the base to it. A step can be replayed on
any array of the base's shape, which is all that the gradients of views and of writes through views need.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.fast import recorded
from gradcli.autograd.layout import Order, dense, order_of, overlaps
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node, edge_of, next_seq, storage_of
from gradcli.autograd.primitive import FLOATING, Primitive
from gradcli.autograd.record import place
from gradcli.autograd.tensor import Tensor

Step = tuple[Primitive, dict[str, Any], int]  # the primitive, its parameters, and which of its outputs
Steps = tuple[Step, ...]

_frame, _ref = sys._getframe, weakref.ref
_LIMIT = 64


class Known(list[weakref.ref[Tensor]]):
    """The views made on one storage; those that are gone are dropped when ``limit`` is reached, which then grows."""

    __slots__ = ("limit",)

    def __init__(self) -> None:
        self.limit = _LIMIT

    def prune(self) -> None:
        """Drop the views that are gone."""
        self[:] = [ref for ref in self if ref() is not None]
        self.limit = max(_LIMIT, 2 * len(self))


class View:
    """What a tensor is a view of: the base, the steps from it, and the history it was made under.

    ``multi``: it, or a view it was taken from, is one of several outputs; ``recorded``: recording was on for all steps.
    """

    __slots__ = ("base", "base_fn", "multi", "recorded", "steps", "storage", "version", "why")

    def __init__(self, base: Tensor, steps: Steps, multi: bool, recorded: bool) -> None:
        self.base = base
        self.steps = steps
        self.multi = multi
        self.recorded = recorded
        self.why = "was made under no_grad"  # why it may not be written, where it was not recorded
        self.base_fn = base._fn
        self.storage = storage_of(base)
        self.version = self.storage.version

    def refresh(self, tensor: Tensor) -> None:
        """Give ``tensor`` a new grad_fn where a recorded write has changed its base since.

        RuntimeError where such a view has no place in the new history: one of several outputs, or made under no_grad.
        """
        if self.version == self.storage.version:
            return
        if self.base._fn is self.base_fn:
            self.version = self.storage.version
            return
        if self.multi or not self.recorded:
            raise _no_history(self)
        self.version = self.storage.version
        self.base_fn = self.base._fn
        if self.base._rg:
            tensor._rg = True
            tensor._fn = replay_node(self.base, self.steps, tensor._array)
            tensor._nr = 0


def _no_history(view: View) -> Exception:
    why = "is one of several outputs (unbind, split, chunk)" if view.multi else view.why
    return error(
        RuntimeError, "view-base-modified",
        f"this view {why}, and its base has been changed in place since: it has no history any more",
        hint="take the view again after the change, or clone() it before")


def mark_view(primitive: Primitive, source: Tensor, params: dict[str, Any], made: Any) -> None:
    """Note that ``made`` (a tensor, or several) shares the memory of ``source``."""
    origin = source._view
    base, before = (source, ()) if origin is None else (origin.base, origin.steps)
    multi = primitive.multi or (origin is not None and origin.multi)
    recorded = mode.enabled and (origin is None or origin.recorded)
    for nr, out in enumerate(made if primitive.multi else (made,)):
        if out._array.base is None and out._array is not source._array:
            continue
        out._view = View(base, (*before, (primitive, params, nr)), multi, recorded)
        _remember(out)


def viewing(primitive: Primitive) -> Callable[..., Any]:
    """Return the function that applies a primitive of one view, the short way where its input is an ordinary tensor.

    """
    forward, general = primitive.forward, primitive.__call__
    cls: Any = None

    def call(input: Any, **params: Any) -> Any:
        nonlocal cls
        if input.__class__ is not Tensor:
            return general(input, **params)
        array, enabled = forward(input._array, **params), mode.enabled
        if input._rg and enabled and array.dtype.kind in FLOATING:
            if cls is None:
                cls = primitive.node_class((True,), (False,))
            made = recorded(cls, input, cls.save((input,), array, params), array, _frame(1))
        else:
            made = Tensor(array)
        origin = input._view
        if origin is None:
            made._view = View(input, ((primitive, params, 0),), False, enabled)
        else:
            steps = (*origin.steps, (primitive, params, 0))
            made._view = View(origin.base, steps, origin.multi, origin.recorded and enabled)
        _remember(made)
        return made

    return call


def same_view(source: Tensor, why: str) -> Tensor:
    """Return another tensor on the memory of ``source``, which may not be written while recording: it ``why``."""
    origin = source._view
    base, steps = (source, ()) if origin is None else (origin.base, origin.steps)
    made = Tensor(source._array)
    made._view = View(base, steps, False, False)
    made._view.why = why
    _remember(made)
    return made


def _remember(view: Tensor) -> None:
    assert view._view is not None
    view._storage = storage = view._view.storage
    known = storage.views
    if known is None:
        known = storage.views = Known()
    known.append(_ref(view))
    if len(known) >= known.limit:
        known.prune()


def views_of(base: Tensor) -> list[Tensor]:
    """Return the live views of ``base``."""
    known = base._storage.views if base._storage is not None else None
    views = [ref() for ref in known or ()]
    return [v for v in views if v is not None and v._view is not None and v._view.base is base]


def mark_views_recorded(base: Tensor) -> None:
    """Let the live views of a base that has begun to require grad require it too."""
    for view in views_of(base):
        view._rg = True


def become_view(target: Tensor, steps: Steps) -> None:
    """Note that ``target`` has changed its own shape by ``steps``; its views keep the tensor it was, as their base."""
    if target._view is not None:
        known = target._view
        target._view = View(known.base, (*known.steps, *steps), known.multi, known.recorded and mode.enabled)
        return
    dependent = views_of(target)
    if not dependent:
        return
    before = Tensor(target._array, target._fn, target._rg, target._nr)
    before._storage = target._storage
    for view in dependent:
        assert view._view is not None
        view._view.base = before
    target._view = View(before, steps, False, mode.enabled)
    _remember(target)


def replay(array: Any, steps: Steps) -> Any:
    """Return the view that ``steps`` make of an ndarray."""
    for primitive, params, nr in steps:
        array = primitive.forward(array, **params)
        if primitive.multi:
            array = array[nr]
    return array


def _replayed(input: Any, *, steps: Steps, shape: tuple[int, ...], order: Order) -> Any:
    if any(primitive.name == "as_strided" for primitive, _, _ in steps):  # it reads memory, whatever the shape
        input = dense(input, order)
    return replay(input, steps)


def _scattered(input: Any, *, steps: Steps, shape: tuple[int, ...], order: Order) -> Any:
    out = dense(np.zeros(shape, input.dtype), order)
    target = replay(out, steps)
    if overlaps(target):  # cells that stand for one cell add up
        cells = replay(dense(np.arange(out.size).reshape(shape), order), steps)
        flat = np.zeros(out.size, input.dtype)
        np.add.at(flat, cells.reshape(-1), np.broadcast_to(input, cells.shape).reshape(-1))
        return flat.reshape(shape)
    target[...] = input
    return out


def _overwritten(input: Any, value: Any, *, steps: Steps, order: Order) -> Any:
    out = dense(np.array(input, order="C"), order)
    replay(out, steps)[...] = value
    return out


def _kept(g: Any, steps: Steps, order: Order) -> Any:
    return overwrite(g, 0.0, steps=steps, order=order)


def _taken(g: Any, steps: Steps, order: Order) -> Any:
    return as_strided(g, steps=steps, shape=tuple(g.shape), order=order)


as_strided: Primitive = Primitive("as_strided", _replayed, {
    "input": lambda g, steps, shape, order: scatter_view(g, steps=steps, shape=shape, order=order)},
    batch="indexing.view_read")
scatter_view: Primitive = Primitive("as_strided_scatter", _scattered, {
    "input": lambda g, steps, shape, order: as_strided(g, steps=steps, shape=shape, order=order)},
    batch="indexing.view_spread")
overwrite: Primitive = Primitive("copy_slices", _overwritten, {"input": _kept, "value": _taken}, node="CopySlices",
    batch="indexing.view_written")


def replay_node(base: Tensor, steps: Steps, array: Any) -> Node:
    """Return the node of a view taken anew from the present value of ``base``."""
    cls = as_strided.node_class((True,), (False,))
    params = {"steps": steps, "shape": base._array.shape, "order": order_of(base._array)}
    code, lasti = place()
    saved = cls.save((base,), array, params)
    nrs = (base._nr,) if base._nr else None
    return cls((edge_of(base),), nrs, saved, array.shape, array.dtype, next_seq(), code, lasti)

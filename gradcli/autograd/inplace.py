"""In-place operations: the out-of-place value is computed, written over the old one, and the history is rewritten.

That order makes overlapping operands right by construction. A node that saved the overwritten value keeps a copy of it;
a node that saved the result reads it from the written tensor, under its version counter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import from_numpy_dtype
from gradcli.autograd.errors import error
from gradcli.autograd.layout import order_of, overlaps
from gradcli.autograd.lifted import top_level
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node, OldValue, next_seq, storage_of
from gradcli.autograd.primitive import FLOATING
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import Steps, become_view, mark_views_recorded, overwrite, replay


def inplace(function: Callable[..., Any], target: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply ``function`` to ``target`` and write the result over it, as ``target.name_(...)`` does; return ``target``.

    A function that gives a view of its input changes the shape of ``target`` itself. RuntimeError for a leaf that
    requires grad, a view of one, a view of a multi-output operation, an expanded tensor, and where the result has
    another shape or a dtype that does not fit.
    """
    if is_lifted(target, *args, *kwargs.values()):
        from gradcli.autograd.inplace_lifted import inplace_lifted

        return inplace_lifted(function, target, *args, **kwargs)
    check_counted(target)
    if mode.enabled and requires_record(target):
        check_recorded_write(target)
    alias, mark = _alias(target), next_seq()
    out = function(alias, *args, **kwargs)
    if out._view is not None and out._view.base is alias:
        return _turn(target, out)
    check_writable(target._array)
    out = _fitting(out, target)
    recorded = mode.enabled and (out._fn is not None or requires_record(target))
    if recorded:
        check_recorded_write(target)
    if out._fn is not None:
        _keep_old_values(out._fn, alias, mark)
    np.copyto(target._array, out._array)
    storage_of(target).wrote()
    if recorded and target._array.dtype.kind in FLOATING:
        _rewrite(target, alias, out)
    return target


def write_slice(target: Tensor, steps: Steps, value: Tensor) -> None:
    """Write ``value`` where ``steps`` lead in ``target``, through a view; the value is broadcast and converted."""
    if is_lifted(target, value):
        like = np.broadcast_to(np.zeros((), target._element), tuple(target.shape))
        source = _matching(value, replay(like, steps))
        inplace(lambda old, new: overwrite(old, new, steps=steps, order=None), target, source)
        return
    check_counted(target)
    place = replay(target._array, steps)
    recorded = mode.enabled and place.dtype.kind in FLOATING and (requires_record(target) or value._rg)
    if recorded:
        check_recorded_write(target)
    check_writable(place)
    _check_fits(value._array, place)
    source = _matching(value, place)
    old = _alias(target) if recorded else None
    place[...] = source._array.copy() if np.may_share_memory(source._array, place) else source._array
    storage_of(target).wrote()
    if old is not None:
        _record_slice(target, old, source, steps)


def write_elements(target: Tensor, steps: Steps, write: Callable[[Any], None]) -> None:
    """Let ``write`` change the array where ``steps`` lead in ``target``; nothing is recorded."""
    check_counted(target)
    place = replay(target._array, steps)
    check_writable(place)
    write(place)
    storage_of(target).wrote()


def is_lifted(*values: Any) -> bool:
    """Return whether forward mode or vmap has a part in a write."""
    return top_level(values) is not None


def requires_record(target: Tensor) -> bool:
    """Return whether a write to ``target`` belongs into the graph: it or its base requires grad."""
    return target._rg or (target._view is not None and target._view.base._rg)


def check_counted(target: Tensor) -> None:
    """Raise where the write could not be counted: a tensor of inference mode, written outside of it."""
    if target._storage is not None:
        target._storage.check_may_record()


def check_writable(array: Any) -> None:
    """Raise where one cell of memory stands for several elements, or the memory is read-only."""
    if overlaps(array):
        raise error(
            RuntimeError, "expanded-write", "an expanded tensor cannot be written in place: several of its elements "
            "are one "
            "and the same cell of memory", hint="clone() it first")
    if not array.flags.writeable:
        raise error(RuntimeError, "read-only", "this tensor's memory is read-only", hint="clone() it first")


def check_recorded_write(target: Tensor) -> None:
    """Raise PyTorch's refusals of a write that would have to be recorded."""
    view = target._view
    if view is None:
        if target._fn is None and target._rg:
            raise error(
                RuntimeError, "leaf-inplace", "a leaf that requires grad cannot be changed in place while recording",
                label="this leaf would lose its place at the start of the graph",
                hint="update it under torch.no_grad(), or compute a new tensor: w = w - step")
        return
    if view.base._rg and view.base._fn is None:
        raise error(
            RuntimeError, "leaf-view-inplace",
            "a view of a leaf that requires grad cannot be changed in place while recording",
            hint="clone() the leaf first, or write under torch.no_grad()")
    if view.multi:
        raise error(
            RuntimeError, "multi-view-inplace", "a view made by an operation of several outputs (unbind, split, chunk) "
            "cannot be changed in place while recording", hint="clone() it, or index the base instead")
    if not view.recorded:
        raise error(
            RuntimeError, "no-grad-view-inplace",
            f"this view {view.why} and cannot be changed in place while recording",
            hint="clone() it first, or write under no_grad")


def _alias(target: Tensor) -> Tensor:
    """Return the old value as a tensor of its own: same memory, same history, a version counter nobody else has."""
    alias = Tensor(target._array, target.grad_fn, target._rg, target._nr)
    alias._storage = OldValue()
    return alias


def _keep_old_values(node: Node, alias: Tensor, mark: int) -> None:
    """Copy the old values that the nodes younger than ``mark`` have saved: of ``alias``, or of a view of it."""
    stack, seen = [node], {node}
    while stack:
        made = stack.pop()
        for value in _saved_tensors(made):
            if value is alias or (value._view is not None and value._view.base is alias):
                value._array = value._array.copy()
        fresh = [p for p in made.parents if p is not None and p.seq > mark and p not in seen]
        seen.update(fresh)
        stack.extend(fresh)


def _saved_tensors(node: Node) -> list[Tensor]:
    flat = [v for value in node.saved for v in (value if value.__class__ is tuple else (value,))]
    return [v for v in flat if isinstance(v, Tensor)]


def _turn(target: Tensor, out: Tensor) -> Tensor:
    """Let ``target`` take the shape of ``out``, a view of its old self: what transpose_, squeeze_ and the like do."""
    assert out._view is not None
    storage_of(target).wrote()
    become_view(target, out._view.steps)
    target._array = out._array
    if out._fn is not None:
        _follow_retained(target, out)
        target._fn, target._nr, target._rg = out._fn, out._nr, True
    return target


def _fitting(out: Tensor, target: Tensor) -> Tensor:
    """Return ``out`` in the dtype of ``target``; RuntimeError where shape or kind do not fit."""
    if out._array.shape != target._array.shape:
        raise error(RuntimeError, "inplace-shape", f"an in-place result of shape {tuple(out.shape)} does not fit a "
                    f"tensor of shape "
                    f"{tuple(target.shape)}", hint="the out-of-place form makes a new tensor of the right shape")
    if out._array.dtype == target._array.dtype:
        return out
    found, wanted = out.dtype, target.dtype
    if found.category > wanted.category:
        raise error(RuntimeError, "inplace-dtype", f"an in-place result of {found} does not fit a tensor of {wanted}",
                    hint=f"convert the tensor first: .to({found})")
    return out.to(wanted)


def _rewrite(target: Tensor, old: Tensor, out: Tensor) -> None:
    """Let the history of ``target`` be that of ``out``, or of its base the write of ``out`` into it."""
    if target._view is not None or out._fn is None:  # a constant result still ends the old history
        if out._fn is not None:
            _read_result_from(target, out)
        _record_slice(target, old, out, ())
        return
    _follow_retained(target, out)
    target._fn, target._nr, target._rg = out._fn, out._nr, True
    _read_result_from(target, out)
    mark_views_recorded(target)


def wrote_history(target: Tensor, node: Node, nr: int) -> None:
    """Let output ``nr`` of ``node``, which was written into ``target``, be the history of it (or of its base)."""
    old = _alias(target)
    storage_of(target).wrote()
    _rewrite(target, old, Tensor(target._array, node, True, nr))


def _record_slice(target: Tensor, old: Tensor, source: Tensor, steps: Steps) -> None:
    """Record in the history of the base of ``target`` that ``source`` was written where ``steps`` lead."""
    if target._view is None:
        _rebase(target, old, source, steps)
    else:
        base = target._view.base
        _rebase(base, Tensor(base._array, base._fn, base._rg, base._nr), source, (*target._view.steps, *steps))


def _rebase(base: Tensor, old: Tensor, value: Tensor, steps: Steps) -> None:
    mask = (old._rg, value._rg)
    node = overwrite.record((old, value), {"steps": steps, "order": order_of(base._array)}, base._array, mask)
    _follow_retained(base, Tensor(base._array, node, True))
    base._fn, base._nr, base._rg = node, 0, True
    mark_views_recorded(base)


def _follow_retained(target: Tensor, out: Tensor) -> None:
    """Let retain_grad follow the newest value, as PyTorch does."""
    from gradcli.autograd.hooks import node_hooks, retain_grad, retains_grad

    if target._fn is not None and out._fn is not None and retains_grad(target):
        del node_hooks(target._fn).retained[target._nr]
        target_fn = target._fn
        target._fn, target._nr = out._fn, out._nr
        retain_grad(target)
        del target_fn


def _read_result_from(target: Tensor, out: Tensor) -> None:
    """Let a node that saved its result read it from the written tensor, so that a later write is noticed."""
    node = out._fn
    assert node is not None
    if not any(value is out._array for value in node.saved):
        return
    node.saved = tuple(target._array if value is out._array else value for value in node.saved)
    rare = node.rarely()
    storage = storage_of(target)
    rare.storages = {out._nr: storage}
    known = rare.versions or (0,) * len(node.saved)
    rare.versions = tuple(storage.version if v is target._array else k for v, k in zip(node.saved, known, strict=True))


def _check_fits(array: Any, place: Any) -> None:
    shape = array.shape
    while len(shape) > place.ndim and shape[:1] == (1,):
        shape = shape[1:]
    if len(shape) > place.ndim or any(n not in (1, m) for n, m in zip(shape[::-1], place.shape[::-1], strict=False)):
        raise error(RuntimeError, "assign-shape", f"a value of shape {tuple(array.shape)} cannot be written into a "
                    f"place of shape "
                    f"{tuple(place.shape)}")
    if array.dtype.kind == "c" and place.dtype.kind != "c":
        raise error(RuntimeError, "inplace-dtype", "complex values cannot be written into a real tensor",
                    hint="take .real")


def _matching(value: Tensor, place: Any) -> Tensor:
    """Return ``value`` with superfluous leading axes of size 1 removed and in the dtype of the place."""
    extra = value.ndim - place.ndim
    if extra > 0:
        value = value.reshape(tuple(value.shape[extra:]))
    if value._element != place.dtype:
        value = value.to(from_numpy_dtype(place.dtype))
    return value

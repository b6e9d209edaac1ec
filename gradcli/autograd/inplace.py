"""In-place operations: the out-of-place value is computed, written over the old one, and the history is rewritten.

That order makes overlapping operands right by construction. A node that saved the overwritten value keeps a copy of it; a
node that saved the result reads it from the written tensor, under its version counter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import from_numpy_dtype
from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node, storage_of
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import Steps, mark_views_recorded, overwrite, replay


def inplace(function: Callable[..., Any], target: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply ``function`` to ``target`` and write the result over it, as ``target.name_(...)`` does; return ``target``.

    RuntimeError for a leaf that requires grad, a view of one, a view of a multi-output operation, an expanded tensor, and
    where the result has another shape or a dtype that does not fit.
    """
    check_writable(target)
    others = any(isinstance(a, Tensor) and a._rg for a in (*args, *kwargs.values()))
    if mode.enabled and (target.requires_grad or target._rg or others):
        check_recorded_write(target)
    alias = _alias(target)
    out = function(alias, *args, **kwargs)
    out = _fitting(out, target)
    if out._fn is not None:
        _keep_old_value(out._fn, alias)
    np.copyto(target._array, out._array)
    storage = storage_of(target)
    storage.version += 1
    if out._fn is not None and mode.enabled:
        _rewrite(target, out)
    return target


def write_slice(target: Tensor, steps: Steps, value: Tensor) -> None:
    """Write ``value`` where ``steps`` lead in ``target``, through a view; the value is broadcast and converted."""
    check_writable(target)
    recorded = mode.enabled and (target.requires_grad or target._rg or value._rg)
    if recorded:
        check_recorded_write(target)
    place = replay(target._array, steps)
    _check_fits(value._array, place)
    source = _matching(value, place)
    old = _alias(target) if recorded else None
    place[...] = source._array.copy() if np.may_share_memory(source._array, place) else source._array
    storage_of(target).version += 1
    if old is not None:
        _record_slice(target, old, source, steps)


def check_writable(target: Tensor) -> None:
    """Raise where one cell of memory stands for several elements."""
    array = target._array
    if array.size > 1 and any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True)):
        raise error(RuntimeError, "expanded-write", "an expanded tensor cannot be written in place: several of its elements are one "
                    "and the same cell of memory", hint="clone() it first")
    if not array.flags.writeable:
        raise error(RuntimeError, "read-only", "this tensor's memory is read-only", hint="clone() it first")


def check_recorded_write(target: Tensor) -> None:
    """Raise PyTorch's refusals of a write that would have to be recorded."""
    view = target._view
    if view is None:
        if target._fn is None and target._rg:
            raise error(RuntimeError, "leaf-inplace", "a leaf that requires grad cannot be changed in place while recording",
                        label="this leaf would lose its place at the start of the graph",
                        hint="update it under torch.no_grad(), or compute a new tensor: w = w - step")
        return
    if view.base._rg and view.base._fn is None:
        raise error(RuntimeError, "leaf-view-inplace", "a view of a leaf that requires grad cannot be changed in place while recording",
                    hint="clone() the leaf first, or write under torch.no_grad()")
    if view.multi:
        raise error(RuntimeError, "multi-view-inplace", "a view made by an operation of several outputs (unbind, split, chunk) cannot be "
                    "changed in place while recording", hint="clone() it, or index the base instead")
    if not view.recorded:
        raise error(RuntimeError, "no-grad-view-inplace", "this view was made under no_grad and cannot be changed in place while recording",
                    hint="make the view outside no_grad, or write under no_grad too")


def _alias(target: Tensor) -> Tensor:
    """Return the old value as a tensor of its own: same memory, same history, no version counter."""
    return Tensor(target._array, target.grad_fn, target._rg, target._nr)


def _keep_old_value(node: Node, alias: Tensor) -> None:
    """Copy the old values where the node just made has saved them."""
    if any(value is alias for value in node.saved):
        alias._array = alias._array.copy()


def _fitting(out: Tensor, target: Tensor) -> Tensor:
    """Return ``out`` in the dtype of ``target``; RuntimeError where shape or kind do not fit."""
    if out._array.shape != target._array.shape:
        raise error(RuntimeError, "inplace-shape", f"an in-place result of shape {tuple(out.shape)} does not fit a tensor of shape "
                    f"{tuple(target.shape)}", hint="the out-of-place form makes a new tensor of the right shape")
    if out._array.dtype == target._array.dtype:
        return out
    found, wanted = out.dtype, target.dtype
    if found.category > wanted.category:
        raise error(RuntimeError, "inplace-dtype", f"an in-place result of {found} does not fit a tensor of {wanted}",
                    hint=f"convert the tensor first: .to({found})")
    return out.to(wanted)  # type: ignore[no-any-return]


def _rewrite(target: Tensor, out: Tensor) -> None:
    """Let the history of ``target`` be that of ``out``, or of its base the write of ``out`` into it."""
    assert out._fn is not None
    if target._view is None:
        _follow_retained(target, out)
        target._fn, target._nr, target._rg = out._fn, out._nr, True
        _read_result_from(target, out)
        mark_views_recorded(storage_of(target))
        return
    base = target._view.base
    old = Tensor(base._array, base._fn, base._rg, base._nr)
    _rebase(base, old, out, target._view.steps)


def _record_slice(target: Tensor, old: Tensor, source: Tensor, steps: Steps) -> None:
    if target._view is None:
        _rebase(target, old, source, steps)
    else:
        base = target._view.base
        _rebase(base, Tensor(base._array, base._fn, base._rg, base._nr), source, (*target._view.steps, *steps))


def _rebase(base: Tensor, old: Tensor, value: Tensor, steps: Steps) -> None:
    """Record that ``value`` was written into ``base`` where ``steps`` lead."""
    mask = (old._rg, value._rg)
    node = overwrite.record((old, value), {"steps": steps}, base._array, mask)
    _follow_retained(base, Tensor(base._array, node, True))
    base._fn, base._nr, base._rg = node, 0, True
    mark_views_recorded(storage_of(base))


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
        raise error(RuntimeError, "assign-shape", f"a value of shape {tuple(array.shape)} cannot be written into a place of shape "
                    f"{tuple(place.shape)}")
    if array.dtype.kind == "c" and place.dtype.kind != "c":
        raise error(RuntimeError, "inplace-dtype", "complex values cannot be written into a real tensor", hint="take .real")


def _matching(value: Tensor, place: Any) -> Tensor:
    """Return ``value`` with superfluous leading axes of size 1 removed and in the dtype of the place."""
    extra = value._array.ndim - place.ndim
    if extra > 0:
        value = value.reshape(tuple(value._array.shape[extra:]))
    if value._array.dtype != place.dtype:
        value = value.to(from_numpy_dtype(place.dtype))
    return value

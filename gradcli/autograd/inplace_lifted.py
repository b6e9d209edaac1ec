"""In-place operations under forward mode and vmap: the value is written, and the tangent or the batch with it.

A dual tensor keeps its value and its tangent in memory of their own, and a view of it keeps views of both; so the
result of the out-of-place operation is written over each of them. Where reverse mode records on top, the operation
runs on a copy of the old value, and the written tensor takes over the history of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.batched import Batched
from gradcli.autograd.dual import Dual, zeros_like
from gradcli.autograd.errors import error
from gradcli.autograd.layout import overlaps
from gradcli.autograd.lifted import Lifted, levels_of
from gradcli.autograd.mode import mode, no_grad
from gradcli.autograd.node import storage_of
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import Steps, overwrite, views_of


def inplace_lifted(function: Callable[..., Any], target: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Write the result of ``function(target, ...)`` over ``target`` and return it.

    RuntimeError where ``target`` is an ordinary tensor, which has no place for a tangent or a batch, and where a write
    that reverse mode records meets views.
    """
    recorded = mode.enabled and any(isinstance(a, Tensor) and a._rg for a in (target, *args, *kwargs.values()))
    if recorded:
        _check_recorded(target)
    old = _copy_of(target) if recorded else target
    out = function(old, *args, **kwargs)
    if tuple(out.shape) != tuple(target.shape):
        raise error(
            RuntimeError, "inplace-shape", f"an in-place result of shape {tuple(out.shape)} does not fit a tensor of "
            f"shape {tuple(target.shape)}")
    if recorded and out._fn is None:  # a constant result still ends the old history
        out = overwrite(old, out, steps=(), order=None)
    _assign(target, out)
    storage_of(target).wrote()
    if recorded and out._fn is not None:
        target._fn, target._nr, target._rg = out._fn, out._nr, True
    return target


def _check_recorded(target: Tensor) -> None:
    if target._fn is None and target._rg:
        raise error(
            RuntimeError, "leaf-inplace", "a leaf that requires grad cannot be changed in place while recording",
            hint="update it under torch.no_grad(), or compute a new tensor: w = w - step")
    inner = target
    while isinstance(inner, Lifted):
        inner = inner._value
    if inner._view is not None or views_of(inner):
        raise error(
            RuntimeError, "lifted-view-inplace", "inside forward mode or vmap a write to a view, or to a tensor with "
            "views, cannot be recorded", hint="use the out-of-place form, or clone() before the write")


def _copy_of(tensor: Tensor) -> Tensor:
    """Return the same value, copied, with the same history."""
    made = _values_of(tensor)
    made._fn, made._nr, made._rg = tensor.grad_fn, tensor._nr, tensor._rg
    return made


def _values_of(tensor: Tensor) -> Tensor:
    if isinstance(tensor, Dual):
        return Dual(_values_of(tensor._value), _values_of(tensor._tangent), tensor._level)
    if isinstance(tensor, Batched):
        return Batched(_values_of(tensor._value), tensor._level)
    return Tensor(tensor._array.copy())


def _assign(target: Tensor, out: Tensor) -> None:
    if isinstance(out, Dual) and out._level not in levels_of(target):
        _become_dual(target, out)
    if not isinstance(target, Lifted):
        _copy(target, out)
        return
    inner = out if not isinstance(out, Lifted) or out._level != target._level else out._value
    if isinstance(target, Dual):
        tangent = out._tangent if isinstance(out, Dual) and inner is not out else zeros_like(target._tangent)
        _assign_tangent(target, tangent)
    _assign(target._value, inner)


def _assign_tangent(target: Dual, tangent: Tensor) -> None:
    """Write the tangent of ``target``; one that has no room for a batch is replaced, unless views look at it."""
    if isinstance(target._tangent, Lifted):
        target._tangent = target._tangent.settled()
    known = target._tangent
    if levels_of(tangent) - levels_of(known):
        if target._value._view is not None or views_of(target._value):
            raise error(
                RuntimeError, "lifted-view-inplace", "a view (or a tensor with views) whose tangent is the same for "
                "all samples cannot take a tangent that differs", hint="clone() it before the write")
        target._tangent = _values_of(tangent)
        return
    if not isinstance(known, Lifted) and not _writable(known._array):
        target._tangent = Tensor(known._array.copy())
    _assign(target._tangent, tangent)


def _become_dual(target: Tensor, out: Dual) -> None:
    """Let a tensor that has no tangent begin to carry one, zeros, at the level of ``out``; base and views with it."""
    if isinstance(target, Lifted):
        raise error(
            RuntimeError, "lifted-into-plain", "a tensor of an outer transformation cannot take a tangent of an inner "
            "one in place", hint="use the out-of-place form")
    base = target if target._view is None else target._view.base
    if isinstance(base, Lifted):
        raise error(RuntimeError, "lifted-into-plain", "a view that carries no tangent cannot take one in place")
    tangent = _zeros(out._tangent, tuple(base._array.shape), base._element)
    with no_grad():
        for view in views_of(base):
            assert view._view is not None
            _turn_dual(view, _seen(tangent, view._view.steps), out._level)
    _turn_dual(base, tangent, out._level)


def _zeros(like: Tensor, shape: tuple[int, ...], element: Any) -> Tensor:
    """Return zeros with the batches of ``like``."""
    if isinstance(like, Batched):
        return Batched(_zeros(like._value, (like.size_of_batch, *shape), element), like._level)
    return Tensor(np.zeros(shape, element))


def _seen(tensor: Tensor, steps: Steps) -> Tensor:
    """Return the view that ``steps`` make of a tangent."""
    for primitive, params, nr in steps:
        made = primitive(tensor, **params)
        tensor = made[nr] if primitive.multi else made
    return tensor


def _turn_dual(tensor: Tensor, tangent: Tensor, level: int) -> None:
    value = Tensor(tensor._array)
    value._storage, value._view = tensor._storage, tensor._view
    tensor._view = None
    tensor.__class__ = Dual
    assert isinstance(tensor, Dual)
    tensor._value, tensor._tangent, tensor._level = value, tangent, level


def _copy(target: Tensor, out: Tensor) -> None:
    if isinstance(out, Lifted):
        raise error(
            RuntimeError, "lifted-into-plain", "a tensor that carries no tangent (or batch) cannot take one in place",
            hint="build the result with stack or cat, or begin with something made from the input: x * 0")
    if not _writable(target._array):
        raise error(
            RuntimeError, "expanded-write", "an expanded tensor cannot be written in place: several of its elements "
            "are one and the same cell of memory", hint="clone() it first")
    np.copyto(target._array, out._array, casting="unsafe")
    storage_of(target).wrote()


def _writable(array: Any) -> bool:
    return bool(array.flags.writeable) and not overlaps(array)

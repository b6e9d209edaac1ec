"""What may stand in ``.grad``, and how a gradient is added to it."""

from __future__ import annotations

import sys
import threading
import warnings
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.node import storage_of
from gradcli.autograd.tensor import Tensor

_lock, _add = threading.Lock(), np.add


def warn_non_leaf_grad(tensor: Tensor) -> None:
    """Warn that ``.grad`` of a result stays None: only leaves accumulate."""
    from gradcli.autograd.hooks import retains_grad

    node = tensor.grad_fn
    if node is not None and not retains_grad(tensor):
        warnings.warn(
            f"this tensor is not a leaf ({node.name()} made it), so backward leaves its .grad at None; call "
            "retain_grad() on it before backward, or read the .grad of the leaf it was computed from",
            UserWarning,
            stacklevel=3,
        )


def check_assigned_grad(tensor: Tensor, value: Any) -> None:
    """Raise unless ``value`` may become the ``.grad`` of ``tensor``: a tensor of its shape and dtype, not itself."""
    if not isinstance(value, Tensor):
        raise error(TypeError, "bad-grad", f".grad takes a tensor or None, got {type(value).__name__}")
    if value is tensor:
        raise error(RuntimeError, "bad-grad", "a tensor cannot be its own gradient")
    if value._array.shape != tensor._array.shape:
        raise error(
            RuntimeError,
            "bad-grad",
            f".grad must have the tensor's shape {tuple(tensor.shape)}, got {tuple(value.shape)}",
        )
    if value._array.dtype != tensor._array.dtype:
        raise error(RuntimeError, "bad-grad", f".grad must have the tensor's dtype {tensor.dtype}, got {value.dtype}")


def alone(g: Any, holders: int) -> bool:
    """Return whether the memory of ``g`` is nobody else's: at most ``holders`` references lead to it, the callers' own.

    A view counts where it is of the size of such memory.
    """
    if g.__class__ is not np.ndarray or sys.getrefcount(g) > holders + 2 or not g.flags.writeable:
        return False
    base = g.base
    if base is None:
        return bool(g.flags.owndata)
    whole = base.__class__ is np.ndarray and base.base is None and base.flags.owndata and base.size == g.size
    return bool(whole) and sys.getrefcount(base) <= 3  # ours, getrefcount's, the view's


def accumulate(variable: Tensor, g: Any, create_graph: bool, fresh: bool = False) -> None:
    """Add ``g`` to ``variable.grad``: in place on raw arrays, as a new recorded sum with ``create_graph``.

    A first gradient is copied, unless it is ``fresh``: an array that nobody else can see.
    """
    with _lock:
        known = variable._grad
        if create_graph:
            variable._grad = g if known is None else known + g
        elif known is None:
            variable._grad = Tensor(g if fresh else np.array(g, order="C"))
        elif known._rg:
            variable._grad = Tensor(known._array + g)
        else:
            _add(known._array, g, known._array)
            if known._storage is not None:
                known._storage.version += 1
            else:
                storage_of(known).version = 1

"""The graph in the user's hands: edges, hooks over several tensors, saved-tensor hooks, writes to saved tensors."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from gradcli.autograd import inplace
from gradcli.autograd.errors import error
from gradcli.autograd.hooks import RemovableHandle, current, leaf_hooks, node_hooks, register_hook
from gradcli.autograd.node import AccumulateGrad, Node, edge_of, storage_of
from gradcli.autograd.order import OrderedPass, look
from gradcli.autograd.packing import (
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from gradcli.autograd.tensor import Tensor

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class GradientEdge(NamedTuple):
    """A place in the graph, accepted by ``grad()`` and ``backward()`` instead of the tensor that is there."""

    node: Node
    output_nr: int
    ownership_token: Any = None

    def stand_in(self) -> Tensor:
        """Return a tensor at this place: the leaf itself, or one without values in the shape of the output."""
        if isinstance(self.node, AccumulateGrad):
            return self.node.variable
        shape, dtype = self.node.shape, self.node.dtype
        if self.node.multi:
            shape, dtype = shape[self.output_nr], dtype[self.output_nr]
        return Tensor(np.broadcast_to(np.zeros((), dtype), shape), self.node, True, self.output_nr)


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Return the place of ``tensor`` in the graph; RuntimeError where it does not require grad."""
    if not tensor.requires_grad:
        raise error(RuntimeError, "no-grad-needed", "a tensor that does not require grad has no place in the graph")
    return GradientEdge(edge_of(tensor), tensor._nr)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to each tensor that nobody else counts, so that saved values of it are refused by backward."""
    for one in (tensor,) if isinstance(tensor, Tensor) else tensor:
        storage_of(one).wrote()


# -- hooks over several tensors ---------------------------------------------------------------------------------------
class MultiHandle:
    """What registering a hook over several tensors returns: ``remove()`` takes it away from all of them."""

    __slots__ = ("_handles",)

    def __init__(self, handles: Iterable[RemovableHandle]) -> None:
        self._handles = tuple(handles)

    def remove(self) -> None:
        """Take the hook away; nothing happens when it is gone already."""
        for handle in self._handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *args: object) -> None:
        self.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], None], *, mode: Literal["all", "any"] = "all"
) -> MultiHandle:
    """Call ``fn`` once a backward pass: ``"all"``: with the list of the gradients of ``tensors`` when all that the pass
    computes are there (None for the others); ``"any"``: with the first one.

    ValueError for another mode, RuntimeError for a tensor that does not require grad.
    """
    if mode not in ("all", "any"):
        raise error(ValueError, "bad-mode", f"mode is 'all' or 'any', got {mode!r}")
    edges = [get_gradient_edge(t) for t in tensors]
    for tensor in tensors:
        look(node_hooks(tensor._fn) if tensor.grad_fn is not None and tensor._fn is not None else leaf_hooks(tensor))
    lock = threading.Lock()
    key = object()

    def arrived(position: int, g: Tensor) -> None:
        run: OrderedPass = current.run
        with lock:
            seen = run.shared.setdefault(key, {})
            first = not seen
            seen[position] = g
            done = first if mode == "any" else len(seen) == _expected(edges, run)
        if done:
            fn(g if mode == "any" else [seen.get(k) for k in range(len(edges))])

    return MultiHandle(register_hook(t, _bound(arrived, k)) for k, t in enumerate(tensors))


def _bound(arrived: Callable[[int, Tensor], None], position: int) -> Callable[[Tensor], None]:
    return lambda g: arrived(position, g)


def _expected(edges: list[GradientEdge], run: OrderedPass) -> int:
    """Return for how many of ``edges`` the pass computes a gradient."""
    reached = run.reachable()
    return sum(edge.node in reached for edge in edges)


# -- writes to saved tensors ------------------------------------------------------------------------------------------
class _Kept:
    """A saved value that is copied at the moment somebody is about to overwrite it."""

    __slots__ = ("__weakref__", "array")

    def __init__(self, array: Any) -> None:
        self.array = array


class allow_mutation_on_saved_tensors:
    """``with allow_mutation_on_saved_tensors():``: a write to a saved tensor copies the old value first, so that
    gradients are those of the values that were used. RuntimeError for one inside another.
    """

    _active: allow_mutation_on_saved_tensors | None = None

    def __init__(self) -> None:
        self._kept: weakref.WeakSet[_Kept] = weakref.WeakSet()
        self._hooks = saved_tensors_hooks(self._pack, lambda kept: Tensor(kept.array))
        self._check = inplace.check_writable

    def _pack(self, tensor: Tensor) -> _Kept:
        kept = _Kept(tensor._array)
        self._kept.add(kept)
        return kept

    def clear(self) -> None:
        """Copy everything that is still shared: what is written from now on is not watched."""
        for kept in list(self._kept):
            kept.array = kept.array.copy()
        self._kept.clear()

    def _before_write(self, array: Any) -> None:
        self._check(array)
        for kept in list(self._kept):
            if np.may_share_memory(kept.array, array):
                kept.array = kept.array.copy()
                self._kept.discard(kept)

    def __enter__(self) -> allow_mutation_on_saved_tensors:
        cls = allow_mutation_on_saved_tensors
        if cls._active is not None:
            raise error(RuntimeError, "nested", "allow_mutation_on_saved_tensors() cannot be used inside itself")
        self._hooks.__enter__()
        cls._active = self
        inplace.check_writable = self._before_write
        return self

    def __exit__(self, *args: object) -> None:
        inplace.check_writable = self._check
        allow_mutation_on_saved_tensors._active = None
        self._hooks.__exit__()
        self.clear()

"""Hooks on tensors and nodes: what a user hangs into the backward pass."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.node import AccumulateGrad, Node

if TYPE_CHECKING:
    from gradcli.autograd.tensor import Tensor

_next_id = itertools.count().__next__


class RemovableHandle:
    """What registering a hook returns: ``remove()`` undoes it; also a context manager that removes on leaving."""

    __slots__ = ("_hooks", "_id")

    def __init__(self, hooks: dict[int, Callable[..., Any]], key: int) -> None:
        self._hooks, self._id = hooks, key

    def remove(self) -> None:
        """Take the hook away; nothing happens when it is gone already."""
        self._hooks.pop(self._id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *args: object) -> None:
        self.remove()


def register(hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> RemovableHandle:
    """Add ``hook`` to ``hooks`` and return its handle."""
    key = _next_id()
    hooks[key] = hook
    return RemovableHandle(hooks, key)


def raw_or_tensor(g: Any, graph: bool) -> Tensor | None:
    """Return the tensor a hook sees for a cotangent that is an array in a plain pass."""
    import numpy as np

    from gradcli.autograd.tensor import Tensor

    return g if graph or g is None or isinstance(g, Tensor) else Tensor(np.asarray(g))


class _Current(threading.local):
    """The backward pass that is calling hooks in one thread."""

    run: Any = None


current = _Current()


def apply_tensor_hooks(hooks: dict[int, Callable[..., Any]], g: Any, run: Any) -> Any:
    """Run tensor hooks in their order; a returned tensor replaces the cotangent."""
    before, current.run = current.run, run
    try:
        return _apply(hooks, g, run.graph)
    finally:
        current.run = before


def _apply(hooks: dict[int, Callable[..., Any]], g: Any, graph: bool) -> Any:
    from gradcli.autograd.tensor import Tensor

    value = raw_or_tensor(g, graph)
    for hook in list(hooks.values()):
        result = hook(value)
        if result is None:
            continue
        if not isinstance(result, Tensor):
            raise error(
                TypeError, "bad-hook", f"a hook returns a tensor or None, this one returned {type(result).__name__}"
            )
        if value is not None and tuple(result.shape) != tuple(value.shape):
            raise error(
                RuntimeError,
                "bad-hook",
                f"a hook may not change the gradient's shape: {tuple(value.shape)} became {tuple(result.shape)}",
            )
        value = result
    return value if graph or value is None or isinstance(value, Lifted) else value._array


class LeafHooks:
    """The hooks of a leaf: on the arriving gradient, and after it was accumulated."""

    __slots__ = ("__weakref__", "post", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, Callable[..., Any]] = {}
        self.post: dict[int, Callable[..., Any]] = {}

    def before(self, variable: Tensor, g: Any, run: Any) -> Any:
        """Return the gradient after the tensor hooks."""
        return apply_tensor_hooks(self.tensor, g, run) if self.tensor else g

    def after(self, variable: Tensor) -> None:
        """Run the post-accumulate hooks."""
        for hook in list(self.post.values()):
            hook(variable)


class NodeHooks:
    """The hooks of a node: per output the tensor hooks and a retained tensor, then pre-hooks and post-hooks."""

    __slots__ = ("__weakref__", "post", "pre", "retained", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, dict[int, Callable[..., Any]]] = {}
        self.retained: dict[int, weakref.ref[Tensor]] = {}
        self.pre: dict[int, Callable[..., Any]] = {}
        self.post: dict[int, Callable[..., Any]] = {}

    def before(self, node: Node, g: Any, run: Any) -> Any:
        """Return the cotangents after tensor hooks, retained gradients and pre-hooks."""
        parts = list(g) if node.multi else [g]
        for nr, part in enumerate(parts):
            if part is None:
                continue
            if nr in self.tensor:
                parts[nr] = apply_tensor_hooks(self.tensor[nr], part, run)
            self.keep(nr, parts[nr], run)
        if self.pre:
            parts = self._replaced(self.pre, parts, (), run)
        return parts if node.multi else parts[0]

    def keep(self, nr: int, g: Any, run: Any) -> None:
        """Accumulate into the ``.grad`` of a tensor that retains it."""
        from gradcli.autograd.gradients import accumulate

        tensor = self.retained[nr]() if nr in self.retained else None
        if tensor is not None:
            accumulate(tensor, g if run.graph else g.copy(), run.graph)

    def after(self, node: Node, grads: Any, g: Any, run: Any) -> Any:
        """Return the inputs' cotangents after the post-hooks, which see the output's too."""
        if not self.post:
            return grads
        outs = tuple(raw_or_tensor(o, run.graph) for o in (g if node.multi else [g]))
        return self._replaced(self.post, list(grads), (outs,), run)

    def _replaced(
        self, hooks: dict[int, Callable[..., Any]], parts: list[Any], more: tuple[Any, ...], run: Any
    ) -> list[Any]:
        seen = tuple(raw_or_tensor(p, run.graph) for p in parts)
        for hook in list(hooks.values()):
            result = hook(seen, *more)
            if result is not None:
                seen = tuple(result) if isinstance(result, (tuple, list)) else (result,)
                if len(seen) != len(parts):
                    raise error(
                        RuntimeError, "bad-hook", f"a node hook returned {len(seen)} gradients for {len(parts)}"
                    )
        return [p if run.graph or p is None else p._array for p in seen]


def node_hooks(node: Node) -> NodeHooks:
    """Return the hooks of ``node``, made at the first use."""
    rare = node.rarely()
    if rare.hooks is None:
        rare.hooks = NodeHooks()
        if isinstance(node, AccumulateGrad):
            _look(rare.hooks)
    return rare.hooks  # type: ignore[no-any-return]


def leaf_hooks(tensor: Tensor) -> LeafHooks:
    """Return the hooks of a leaf, made at the first use."""
    if tensor._hooks is None:
        tensor._hooks = LeafHooks()
        _look(tensor._hooks)
    return tensor._hooks  # type: ignore[no-any-return]


def _look(hooks: LeafHooks | NodeHooks) -> None:
    from gradcli.autograd.order import look

    look(hooks)


def retain_grad(tensor: Tensor) -> None:
    """Keep the gradient of a non-leaf in its ``.grad``; RuntimeError where it does not require grad."""
    if not tensor._rg:
        raise error(RuntimeError, "no-grad-needed", "retain_grad() needs a tensor that requires grad")
    fn = tensor.grad_fn
    if fn is not None:
        node_hooks(fn).retained[tensor._nr] = weakref.ref(tensor)


def retains_grad(tensor: Tensor) -> bool:
    """Return whether ``retain_grad`` was called on this non-leaf."""
    fn = tensor._fn
    if fn is None or fn.rare is None or fn.rare.hooks is None:
        return False
    kept = fn.rare.hooks.retained.get(tensor._nr)
    return kept is not None and kept() is tensor


def register_hook(tensor: Tensor, hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(grad)`` with the total gradient of ``tensor`` in each pass; a returned tensor replaces it.

    RuntimeError where the tensor does not require grad.
    """
    if not tensor._rg:
        raise error(RuntimeError, "no-grad-needed", "register_hook() needs a tensor that requires grad")
    fn = tensor.grad_fn
    if fn is None:
        return register(leaf_hooks(tensor).tensor, hook)
    return register(node_hooks(fn).tensor.setdefault(tensor._nr, {}), hook)


def register_post_accumulate_grad_hook(tensor: Tensor, hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(tensor)`` each time its ``.grad`` has been updated; RuntimeError for a non-leaf."""
    if tensor.grad_fn is not None or not tensor._rg:
        raise error(RuntimeError, "not-a-leaf", "a post-accumulate hook needs a leaf that requires grad")
    return register(leaf_hooks(tensor).post, hook)

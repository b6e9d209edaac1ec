"""Saved-tensor hooks: what a node saves is packed by a function of the user's, and unpacked at each use.

A packed value stands in the node's ``saved`` where the tensor or array would be. It has a ``_storage``, so that the
generated rules read it by their careful way, which unpacks it. Tensors of a running transformation (dual, batched) are
not packed: a hook would take them apart.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted, bare_of
from gradcli.autograd.mode import mode
from gradcli.autograd.node import AccumulateGrad, Node, OldValue
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.watching import unwatch_nodes, watch_nodes

Pair = tuple[Callable[[Tensor], Any], Callable[[Any], Tensor]]


class _Hooks(threading.local):
    """The hooks in force in one thread: the innermost pair counts; ``refusal`` is set where hooks are disabled."""

    def __init__(self) -> None:
        self.stack: list[Pair] = []
        self.refusal: str | None = None


hooks = _Hooks()


class Packed:
    """What a pack hook returned for one saved value, and the place in the graph of the value it stands for."""

    __slots__ = ("data", "edge", "unpacker")
    _storage = True  # says that reading it is no plain reading

    def __init__(self, tensor: Tensor, pair: Pair, edge: tuple[Node, int] | None) -> None:
        pack, self.unpacker = pair
        self.edge = edge
        if isinstance(tensor._storage, OldValue):  # an in-place operation is going to overwrite it
            tensor = Tensor(tensor._array.copy(), tensor._fn, tensor._rg, tensor._nr)
        before, mode.enabled = mode.enabled, False
        version = tensor._version
        try:
            self.data = pack(tensor)
        finally:
            mode.enabled = before
        if tensor._version != version:
            raise error(
                RuntimeError,
                "pack-in-place",
                "a pack hook has changed the tensor it was given in place",
                hint="clone() it first",
            )

    def unpack(self, node: Node, k: int) -> Tensor:
        """Return the tensor that the unpack hook gives, in the place of the graph where the saved one was."""
        found = self.unpacker(self.data)
        if not isinstance(found, Tensor):
            raise error(TypeError, "bad-unpack", f"an unpack hook returns a tensor, not {type(found).__name__}")
        if self.edge is None:
            return found
        made, (target, nr) = bare_of(found), self.edge
        made._rg = True
        if isinstance(target, AccumulateGrad):
            made._acc = weakref.ref(target)
        else:
            made._fn, made._nr = target, nr
        return made


class PackedOutput(Packed):
    """A packed result: its place in the graph is the node itself, which it must not point at."""

    __slots__ = ("nr",)

    def __init__(self, tensor: Tensor, pair: Pair, nr: int) -> None:
        super().__init__(tensor, pair, None)
        self.nr = nr

    def unpack(self, node: Node, k: int) -> Tensor:
        """Return the tensor that the unpack hook gives, as an output of ``node``."""
        from gradcli.autograd.codegen import again

        return again(node, super().unpack(node, k), self.nr)


def _pack_node(node: Node) -> None:
    """Pack what ``node`` saves, where hooks are in force in this thread."""
    if not hooks.stack or not node.saved or node.primitive is None:
        return
    pair = hooks.stack[-1]
    node.rarely()
    names = zip(node.saved_names, node.saved, strict=True)
    node.saved = tuple(_packed(node, name, value, pair) for name, value in names)


def _packed(node: Node, name: str, value: Any, pair: Pair) -> Any:
    primitive = node.primitive
    if name == "out":
        outs = value if node.multi else (value,)
        if any(isinstance(v, Lifted) for v in outs):
            return value
        made = tuple(PackedOutput(Tensor(np.asarray(v)), pair, nr) for nr, v in enumerate(outs))
        return made if node.multi else made[0]
    if name in primitive.arrays:
        return _packed_input(node, primitive.arrays.index(name), value, pair)
    if primitive.variadic and name == primitive.variadic_name:
        lead = len(primitive.arrays)
        return tuple(_packed_input(node, lead + k, v, pair) for k, v in enumerate(value))
    return value


def _packed_input(node: Node, position: int, value: Any, pair: Pair) -> Any:
    if not isinstance(value, Tensor) or isinstance(value, Lifted):
        return value
    parent = node.parents[position] if position < len(node.parents) else None
    edge = None if parent is None else (parent, node.numbers[position] if node.numbers else 0)
    return Packed(value, pair, edge)


def pack_saved(tensor: Tensor, node: Node) -> Packed | None:
    """Return ``tensor`` packed, where hooks are in force: for what a custom function saves."""
    if not hooks.stack or isinstance(tensor, Lifted):
        return None
    if tensor._fn is node:
        return PackedOutput(Tensor(tensor._array), hooks.stack[-1], tensor._nr)
    from gradcli.autograd.node import edge_of

    return Packed(tensor, hooks.stack[-1], (edge_of(tensor), tensor._nr) if tensor._rg else None)


class saved_tensors_hooks:
    """``with saved_tensors_hooks(pack, unpack):``: what operations save inside is ``pack(tensor)``; each use of it by a
    backward pass, inside or later, reads ``unpack`` of that. Of nested pairs the innermost counts.
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if hooks.refusal is not None:
            raise error(RuntimeError, "hooks-disabled", hooks.refusal)
        hooks.stack.append((self.pack_hook, self.unpack_hook))
        watch_nodes(_pack_node)

    def __exit__(self, *args: object) -> None:
        hooks.stack.pop()
        unwatch_nodes(_pack_node)


class disable_saved_tensors_hooks:
    """``with disable_saved_tensors_hooks(message):``: hooks inside are a RuntimeError of these words."""

    def __init__(self, error_message: str) -> None:
        self.message = error_message
        self._before: list[str | None] = []

    def __enter__(self) -> None:
        if hooks.stack:
            raise error(RuntimeError, "hooks-disabled", self.message)
        self._before.append(hooks.refusal)
        hooks.refusal = self.message

    def __exit__(self, *args: object) -> None:
        hooks.refusal = self._before.pop()


class save_on_cpu(saved_tensors_hooks):
    """``with save_on_cpu():``: saved tensors are kept as copies. All memory is the CPU's, so nothing else changes."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: tensor.detach().clone(), lambda kept: kept)

"""The context of a custom rule: what ``forward`` hands on to ``backward`` and ``jvp``."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.node import Node, freed, stale, storage_of
from gradcli.autograd.primitive import version_of
from gradcli.autograd.tensor import Tensor


class SavedTensor:
    """One tensor kept for backward, with the version of its memory; an output is kept as an array, without its node."""

    __slots__ = ("nr", "storage", "value", "version")

    def __init__(self, tensor: Tensor, nr: int | None) -> None:
        from gradcli.autograd.lifted import bare_of

        self.nr = nr
        self.value: Any = tensor if nr is None else bare_of(tensor)
        self.storage = storage_of(tensor) if nr is not None else None
        self.version = version_of(tensor)

    def unpack(self, node: Node, k: int) -> Tensor:
        """Return the tensor with its history; RuntimeError where it was written since it was saved."""
        storage = self.value._storage if self.nr is None else self.storage
        if storage is not None and storage.version != self.version:
            shape, dtype = tuple(self.value.shape), self.value._element
            raise stale(node, f"saved tensor {k}", storage, self.version, shape, dtype)
        if self.nr is None:
            return self.value  # type: ignore[no-any-return]
        from gradcli.autograd.lifted import bare_of

        out = bare_of(self.value)
        out._fn, out._nr, out._rg, out._storage = node, self.nr, True, storage
        return out


class State:
    """What the engine itself keeps of one application of a custom function."""

    __slots__ = (
        "dirty",
        "for_forward",
        "freed",
        "in_jvp",
        "materialize",
        "node",
        "non_differentiable",
        "saved",
        "to_save",
    )

    def __init__(self) -> None:
        self.to_save: tuple[Any, ...] = ()
        self.for_forward: tuple[Any, ...] | None = None
        self.dirty: tuple[Any, ...] = ()
        self.non_differentiable: tuple[Any, ...] = ()
        self.materialize = True
        self.in_jvp = False
        self.saved: list[Any] = []
        self.freed = False
        self.node: weakref.ref[Node] | None = None

    def keep(self, node: Node, outs: tuple[Any, ...]) -> None:
        """Turn the tensors named by ``save_for_backward`` into what ``node`` holds until backward has passed."""
        from gradcli.autograd.packing import pack_saved

        self.node = weakref.ref(node)
        numbers = {id(out): nr for nr, out in enumerate(outs) if isinstance(out, Tensor)}
        self.saved = [
            None if t is None else pack_saved(t, node) or SavedTensor(t, numbers.get(id(t)) if t._fn is node else None)
            for t in self.to_save
        ]
        self.to_save = ()
        self.dirty = self.non_differentiable = ()

    def read(self) -> tuple[Tensor | None, ...]:
        """Return the saved tensors, their versions checked."""
        node = None if self.node is None else self.node()
        if node is None:
            return ()
        if self.freed:
            raise freed(node)
        return tuple(None if s is None else s.unpack(node, k) for k, s in enumerate(self.saved))

    def release(self) -> None:
        """Free the saved tensors; reading them is an error from now on, where there were any."""
        if self.saved:
            self.saved, self.freed = [], True


def _tensors(word: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    for k, value in enumerate(values):
        if value is not None and not isinstance(value, Tensor):
            raise error(
                TypeError,
                "not-a-tensor",
                f"{word}() takes tensors, argument {k} is of type {type(value).__name__}",
                hint="keep other values as attributes: ctx.n = n",
            )
    return values


class FunctionCtx:
    """The ``ctx`` of a custom function. Any attribute may be set on it; tensors go through ``save_for_backward``.

    ``needs_input_grad`` says for each argument of ``apply`` whether a gradient is wanted.
    """

    def __init__(self, needs: tuple[bool, ...] = ()) -> None:
        self._state = State()
        self.needs_input_grad = needs

    def __repr__(self) -> str:
        return "<the context of a custom function>"

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute of the script's own; AttributeError for what the engine needs as it is."""
        if name == "saved_tensors" or (name == "needs_input_grad" and not isinstance(value, tuple)):
            hint = "ctx.save_for_backward(...) sets it" if name == "saved_tensors" else "give it another name"
            raise error(AttributeError, "read-only", f"ctx.{name} can't be set: the engine needs it", hint=hint)
        object.__setattr__(self, name, value)

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors (or None) for ``backward``, which reads them from ``saved_tensors``; the last call counts.

        Only inputs and outputs keep their place in the graph. TypeError for anything but a tensor.
        """
        self._state.to_save = _tensors("save_for_backward", tensors)

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for ``jvp``, which reads them from ``saved_tensors``; TypeError for anything but a tensor."""
        self._state.for_forward = _tensors("save_for_forward", tensors)

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The saved tensors; RuntimeError where one was written in place since, or after a pass has freed them."""
        state = self._state
        if state.in_jvp:
            return state.to_save if state.for_forward is None else state.for_forward
        return state.read()

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs ``forward`` has changed in place; each must be returned."""
        self._state.dirty = _tensors("mark_dirty", tensors)

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient; ``backward`` gets zeros for them."""
        self._state.non_differentiable = _tensors("mark_non_differentiable", tensors)

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether ``backward`` and ``jvp`` get zeros (the default) or None where nothing arrives."""
        self._state.materialize = bool(value)


def replaced(ctx: FunctionCtx, pairs: list[tuple[Any, Any]]) -> FunctionCtx:
    """Return a copy of ``ctx`` that holds the second of each pair where ``ctx`` holds the first."""
    table = {id(old): new for old, new in pairs if isinstance(old, Tensor)}

    def swap(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(table.get(id(v), v) for v in values)

    made, old = FunctionCtx(), ctx._state
    vars(made).update({name: table.get(id(v), v) for name, v in vars(ctx).items() if name != "_state"})
    state = made._state
    state.to_save, state.non_differentiable = swap(old.to_save), swap(old.non_differentiable)
    state.for_forward = None if old.for_forward is None else swap(old.for_forward)
    state.dirty, state.materialize = old.dirty, old.materialize
    return made


def zeros(shape: tuple[int, ...], dtype: Any) -> Tensor:
    """Return a constant of zeros."""
    return Tensor(np.zeros(shape, dtype))

"""One checkpointed call without reentry: placeholders for what it saved, and the run that fills them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.mode import enable_grad
from gradcli.autograd.node import edge_of
from gradcli.autograd.packing import Packed, hooks, saved_tensors_hooks
from gradcli.autograd.primitive import version_of
from gradcli.autograd.tensor import Tensor


class CheckpointError(RuntimeError):
    """A repetition of a checkpointed function that differs from its first run, as PyTorch's ``CheckpointError``."""


class _Enough(BaseException):
    """Ends a repetition whose last value has been computed; no ``except Exception`` of the function may catch it."""


class _EarlyStop(threading.local):
    enabled = True


_stop = _EarlyStop()


class set_checkpoint_early_stop:
    """``with set_checkpoint_early_stop(False):``: checkpoints made inside run to the end when they are repeated."""

    def __init__(self, enable: bool) -> None:
        self._enable = bool(enable)
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(_stop.enabled)
        _stop.enabled = self._enable

    def __exit__(self, *args: object) -> None:
        _stop.enabled = self._before.pop()


class Holder:
    """The placeholder of one saved value: its shape and dtype, and, between a repetition and its use, the value."""

    __slots__ = ("__weakref__", "kind", "value")

    def __init__(self, tensor: Tensor) -> None:
        self.kind = (tuple(tensor.shape), tensor._element)
        self.value: Tensor | None = None


class _Argument:
    """A tensor given to the function, with its version: kept through the saved-tensor hooks around, where there are."""

    __slots__ = ("kept", "version")

    def __init__(self, tensor: Tensor) -> None:
        edge = (edge_of(tensor), tensor._nr) if tensor._rg else None
        packs = hooks.stack and not isinstance(tensor, Lifted)
        self.kept: Any = Packed(tensor, hooks.stack[-1], edge) if packs else tensor
        self.version = version_of(tensor)

    def value(self) -> Tensor:
        """Return the tensor; RuntimeError where it was written since."""
        if isinstance(self.kept, Packed):
            return self.kept.unpack(None, 0)  # type: ignore[arg-type]
        storage = self.kept._storage
        if storage is not None and storage.version != self.version:
            raise error(
                RuntimeError,
                "inplace-modified",
                "an argument of a checkpointed function was overwritten in place before backward needed it again: "
                f"found version {storage.version}, expected version {self.version}",
                hint="clone() it before changing it",
                nodes=[(storage.written, "this overwrote it")] if storage.written is not None else [],
            )
        return self.kept  # type: ignore[no-any-return]


class Frame:
    """A checkpointed call: how to run it again, and the placeholders of what it saved, in order."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        contexts: tuple[Any, Any],
        determinism_check: str,
        preserve_rng_state: bool,
        early_stop: bool,
    ) -> None:
        from gradcli.autograd.checkpoint import random_state

        self.function = function
        self.plain = args, kwargs
        self.first, self.again = contexts
        self.checks = determinism_check != "none"
        self.state = random_state() if preserve_rng_state else None
        self.early = early_stop and _stop.enabled
        self.args: tuple[Any, ...] = ()
        self.kwargs: dict[str, Any] = {}
        self.holders: list[weakref.ref[Holder]] = []

    def first_run(self) -> Any:
        """Run the function, keeping placeholders of what it saves."""
        args, kwargs = self.plain
        del self.plain
        self.args = tuple(_Argument(a) if isinstance(a, Tensor) else a for a in args)
        self.kwargs = {name: _Argument(a) if isinstance(a, Tensor) else a for name, a in kwargs.items()}
        with saved_tensors_hooks(self.hold, self.fill), self.first:
            return self.function(*args, **kwargs)

    def hold(self, tensor: Tensor) -> Holder:
        """Return a placeholder for ``tensor``."""
        holder = Holder(tensor)
        self.holders.append(weakref.ref(holder))
        return holder

    def fill(self, holder: Holder) -> Tensor:
        """Return the value of a placeholder, running the function again where it has none; it is given out once."""
        if holder.value is None:
            self.repeat()
        value, holder.value = holder.value, None
        if value is None:
            raise _differs(f"a saved value of shape {holder.kind[0]} was not computed again")
        return value

    def repeat(self) -> None:
        """Run the function again and fill the placeholders that are still there."""
        from gradcli.autograd.checkpoint import replaying

        count = 0

        def take(tensor: Tensor) -> Tensor:
            nonlocal count
            self.put(count, tensor)
            count += 1
            if self.early and count == len(self.holders):
                raise _Enough
            return tensor.detach()

        args = tuple(a.value() if isinstance(a, _Argument) else a for a in self.args)
        kwargs = {name: a.value() if isinstance(a, _Argument) else a for name, a in self.kwargs.items()}
        with replaying(self.state), enable_grad(), saved_tensors_hooks(take, lambda t: t), self.again:
            try:
                self.function(*args, **kwargs)
            except _Enough:
                return
        if self.checks and count != len(self.holders):
            raise _differs(f"it saved {len(self.holders)} values at first and {count} now")

    def put(self, k: int, tensor: Tensor) -> None:
        """Give the value to placeholder ``k``, where a node still has it."""
        if k >= len(self.holders):
            return
        holder = self.holders[k]()
        if holder is None:
            return
        kind = (tuple(tensor.shape), tensor._element)
        if self.checks and kind != holder.kind:
            raise _differs(f"saved value {k} was {holder.kind[1]} {holder.kind[0]}, now {kind[1]} {kind[0]}")
        holder.value = tensor.detach()


def _differs(how: str) -> Exception:
    return error(
        CheckpointError,
        "checkpoint-differs",
        f"a checkpointed function did not compute the same again: {how}",
        hint="the function must depend on its arguments alone",
    )

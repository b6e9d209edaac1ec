"""Tensors of ``inference_mode``: they have no version counter, so no graph can rely on their values."""

from __future__ import annotations

from typing import ClassVar

from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Storage
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.watching import unwatch_tensors, watch_tensors


class InferenceStorage(Storage):
    """The memory of a tensor made in inference mode. There is nothing to count: a count asked for is an error."""

    __slots__ = ()

    inference: ClassVar[bool] = True

    def known_version(self) -> int:
        """Refuse: nobody counts (RuntimeError)."""
        raise _refusal("has no version counter, so it cannot be saved for backward")

    def wrote(self) -> None:
        """Count nothing."""

    def check_may_record(self) -> None:
        """Raise RuntimeError outside inference mode."""
        if not mode.inference:
            raise _refusal("can neither be changed in place nor be made to require grad outside of it")


def _refusal(why: str) -> Exception:
    return error(
        RuntimeError,
        "inference-tensor",
        f"this tensor was made in inference_mode and {why}",
        hint="clone() gives a tensor that can",
    )


def _mark(tensor: Tensor) -> None:
    """Give a tensor made in inference mode the memory of one; a view or alias gets that of its base later."""
    if mode.inference and tensor._fn is None:
        tensor._storage = InferenceStorage()


def enter(inference: bool) -> None:
    """Begin inference mode (or the way back out of it) in this thread."""
    mode.inference = inference
    if inference:
        watch_tensors(_mark)


def leave(inference: bool, before: bool) -> None:
    """End what ``enter`` began."""
    mode.inference = before
    if inference:
        unwatch_tensors(_mark)

"""Grad mode: whether operations are recorded. One flag per thread, as in PyTorch."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self


class _Mode(threading.local):
    """The flags of one thread; a new thread starts recording."""

    enabled: bool = True
    inference: bool = False


mode = _Mode()


def is_grad_enabled() -> bool:
    """Return True where operations on tensors that require grad are recorded."""
    return mode.enabled


class _GradMode:
    """A context manager and decorator that sets the flag and restores it on leaving, also on an exception."""

    flag = True

    def __init__(self) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> Self:
        self._before.append(mode.enabled)
        mode.enabled = self.flag
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        mode.enabled = self._before.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def in_mode(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return in_mode


class no_grad(_GradMode):
    """``with no_grad():`` or ``@no_grad()``: nothing is recorded inside; outputs do not require grad."""

    flag = False

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        """Return the manager, or the decorated function when used as ``@no_grad`` without brackets."""
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()  # type: ignore[misc]
        return made(function)


class enable_grad(no_grad):
    """``with enable_grad():`` or ``@enable_grad()``: recording is on inside, also within ``no_grad``."""

    flag = True


def is_inference_mode_enabled() -> bool:
    """Return True inside ``inference_mode``."""
    return mode.inference


class inference_mode(_GradMode):
    """``with inference_mode():`` or ``@inference_mode()``: nothing is recorded, and tensors made inside never can be.

    They may be read anywhere, but outside they can neither be saved for backward, nor be written in place, nor be made
    to require grad; ``clone()`` gives a tensor without these limits. ``inference_mode(False)`` is the way back inside.
    """

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        """Return the manager, or the decorated function when used as ``@inference_mode`` without brackets."""
        made = super().__new__(cls)
        if isinstance(mode, bool):
            return made
        made.__init__(True)  # type: ignore[misc]
        return made(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._inference = bool(mode)
        self._outer: list[bool] = []

    def __enter__(self) -> Self:
        from gradcli.autograd.inference import enter

        self.flag = not self._inference
        self._outer.append(mode.inference)
        enter(self._inference)
        return super().__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        from gradcli.autograd.inference import leave

        super().__exit__(kind, value, trace)
        leave(self._inference, self._outer.pop())


class set_grad_enabled(_GradMode):
    """``set_grad_enabled(flag)``: acts at once when called, and restores the former mode when used with ``with``."""

    def __init__(self, mode_flag: bool) -> None:
        super().__init__()
        self.flag = bool(mode_flag)
        self._outer = mode.enabled
        mode.enabled = self.flag

    def __enter__(self) -> Self:
        self._before.append(self._outer)
        mode.enabled = self.flag
        return self

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        mode.enabled = self._outer
        return super().__call__(function)

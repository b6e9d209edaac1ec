"""Ctrl-C: it stops what is running, and waits while the session's own state is written."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """Turns SIGINT into KeyboardInterrupt, except inside of ``deferred``."""

    def __init__(self) -> None:
        self._deferring = 0
        self._noted = False

    @contextmanager
    def handled(self) -> Iterator[None]:
        """Take over the signal inside the body, where that is possible: in the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def deferred(self, forget: bool = False) -> Iterator[None]:
        """Let the body finish; a Ctrl-C in it is raised after it, or forgotten where there is nothing left to stop."""
        self._deferring += 1
        try:
            yield
        finally:
            self._deferring -= 1
        noted, self._noted = self._noted, False
        if noted and not forget:
            raise KeyboardInterrupt

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._deferring:
            self._noted = True
        else:
            raise KeyboardInterrupt

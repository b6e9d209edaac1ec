"""A bar on a terminal's standard error, for whatever takes more than a second."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from typing import Any, TypeVar

from gradcli.cli.terminal import is_terminal

_PATIENCE = 1.0
Item = TypeVar("Item")


class Progress:
    """Counts items as they come by; draws nothing where no person looks, and nothing in the first second."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._bar: Any = None
        self._lock = threading.Lock()
        self._ended = False

    def follow(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield ``items``; the bar is away while the caller deals with one, so that it can write."""
        if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb" or self._total < 2:
            yield from items
            return
        timer = threading.Timer(_PATIENCE, self._show)
        timer.daemon = True
        timer.start()
        try:
            for item in items:
                self._done += 1
                with self._lock:
                    self._hide()
                    yield item
                    if not timer.is_alive():
                        self._draw()
        finally:
            timer.cancel()
            with self._lock:
                self._ended = True
                self._hide()

    def _show(self) -> None:
        with self._lock:
            if not self._ended:
                self._draw()

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._bar.add_task("files", total=self._total, completed=self._done)
        self._bar.start()

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

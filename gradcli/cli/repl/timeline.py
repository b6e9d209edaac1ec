"""The states that the session can go back to: one before each entry that worked."""

from __future__ import annotations

from gradcli.cli.repl.entries import Entry, Status
from gradcli.lang.snapshot import Snapshot

MAX_POINTS = 500
MAX_BYTES = 2**30
"""What the former values of all points together may hold in memory; older points are dropped."""


class Timeline:
    """Snapshots of what each entry changed, oldest first; going back undoes them one by one."""

    def __init__(self) -> None:
        self._points: list[tuple[Entry, Snapshot, int]] = []
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._points)

    def add(self, entry: Entry, before: Snapshot) -> None:
        """Keep the state before ``entry``, as far as the entry changed it."""
        size = before.forget_unchanged()
        self._points.append((entry, before, size))
        self._bytes += size
        while len(self._points) > MAX_POINTS or (self._bytes > MAX_BYTES and len(self._points) > 1):
            self._bytes -= self._points.pop(0)[2]

    def back(self) -> tuple[Entry, bool]:
        """Undo the last entry; return it and whether all it changed could be put back."""
        entry, before, size = self._points.pop()
        before.restore()
        self._bytes -= size
        entry.status = Status.UNDONE
        return entry, not before.partial

    def clear(self) -> None:
        """Forget every point."""
        self._points.clear()
        self._bytes = 0

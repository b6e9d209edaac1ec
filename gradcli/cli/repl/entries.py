"""What was typed, entry by entry, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gradcli.lang.source import Source, Span

MAX_KEPT = 100_000
"""Characters kept of what one entry prints, for ``:save``."""


class Status(StrEnum):
    """How an entry ended."""

    RUNNING = "running"
    OK = "ok"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    UNDONE = "undone"


@dataclass(slots=True, eq=False)
class Entry:
    """One entry: its number, its source, how it ended, and what it showed.

    ``printed`` are the texts it printed, by the line of the entry that was running, None among them for one that is
    different each time. ``has_value`` says that it ended with an expression, ``result`` is what ``print`` would write
    for its value, None where that varies. ``file`` is the path of the script that it was read from. ``failed_checks``
    are the heads of its checks that did not hold. ``outputs`` are the numbers of the earlier results that it used under
    the names ``_``, ``__`` and ``___``.
    """

    number: int
    source: Source
    file: str | None = None
    status: Status = Status.RUNNING
    printed: dict[int, list[str | None]] = field(default_factory=dict)
    has_value: bool = False
    result: str | None = None
    outputs: dict[str, int] = field(default_factory=dict)
    failed_checks: list[Span] = field(default_factory=list)
    room: int = MAX_KEPT

    @property
    def text(self) -> str:
        """The text of the entry, without its last line end."""
        return self.source.text.rstrip("\n")

    def note_value(self, line: int, printed: str | None) -> None:
        """Keep the value of an expression on a line that has printed something: a ``#>`` compares both."""
        if line in self.printed:
            self.printed[line].append(None if printed is None else f"{printed}\n")

    def note_printed(self, line: int, text: str) -> None:
        """Keep what a line printed, up to a bound that keeps a printing loop from filling the memory."""
        if self.room > 0:
            self.printed.setdefault(line, []).append(text)
        self.room -= len(text)

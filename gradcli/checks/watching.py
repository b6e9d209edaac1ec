"""What a script under check tells while it runs: its checks as they end, what it prints, its warnings."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

from gradcli.checks import compare
from gradcli.lang.checks import CheckResult as BlockResult
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.events import Events
from gradcli.lang.source import Span
from gradcli.ops.generator import Generator, default_generator

_MOST_PRINTED = 1_000_000  # characters kept of what one script prints


class StopRun(BaseException):
    """Enough checks have failed: nothing of the script may catch this."""


class Finished(NamedTuple):
    """One run of a ``check`` block: why it failed (None when it passed), by how much, and how long it took."""

    diagnostic: Diagnostic | None
    magnitude: float | None
    duration: float


class Watcher(Events):
    """Keeps what happens; raises StopRun once ``limit`` checks have failed. ``seed`` is that of the random numbers.

    ``drew`` tells whether numbers were drawn from its stream.
    """

    def __init__(self, limit: int | None, seed: int) -> None:
        self._limit = limit
        self._failed = 0
        self._started: list[float] = []
        self._pieces: list[str] = []
        self._room = _MOST_PRINTED
        self.blocks: dict[Span, list[Finished]] = {}
        self.warnings: list[Diagnostic] = []
        self.drew = False
        self._unused = Generator(seed)

    def printed(self, text: str) -> None:
        """Keep what the script prints, up to a bound: a loop that prints must not fill the memory."""
        if self._room > 0:
            self._pieces.append(text[: self._room])
            self._room -= len(text)
            if self._room <= 0:
                self._pieces.append("\n(more was printed than is kept)\n")

    def warned(self, warning: Diagnostic | str) -> None:
        """Keep a warning."""
        self.warnings.append(Diagnostic("runtime", "warning", warning) if isinstance(warning, str) else warning)

    def check_started(self, title: str) -> None:
        """Start the clock of a check."""
        self._started.append(perf_counter())

    def check_finished(self, result: BlockResult) -> None:
        """Keep how a check ended; values are compared now, before the script changes them in place."""
        duration = perf_counter() - self._started.pop()
        self.note_numbers()
        magnitude = None
        if result.diagnostic is not None and result.parts:
            magnitude = compare.explain(result.diagnostic, result.parts)
        self.blocks.setdefault(result.span, []).append(Finished(result.diagnostic, magnitude, duration))
        if result.diagnostic is not None:
            self._failed += 1
            if self._failed == self._limit:
                raise StopRun

    def note_numbers(self) -> None:
        """Look whether random numbers were drawn; a check's own are seen before the stream is set back."""
        if not self.drew and default_generator.initial_seed() == self._unused.initial_seed():
            self.drew = bool((default_generator.get_state() != self._unused.get_state()).any())

    @property
    def text(self) -> str:
        """All that was printed."""
        return "".join(self._pieces)

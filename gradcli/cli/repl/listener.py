"""What an entry tells while it runs: shown as it comes, and noted for ``:save``."""

from __future__ import annotations

from typing import Any

from gradcli.cli.listeners import Listener
from gradcli.cli.repl.entries import Entry
from gradcli.cli.repl.show import value_text
from gradcli.cli.terminal import PLAIN, Look
from gradcli.lang.checks import CheckResult
from gradcli.lang.places import Places
from gradcli.lang.source import Span


class EntryListener(Listener):
    """Shows prints and warnings, and keeps the last value and the failures of the entry that runs."""

    def __init__(self, errors: Look, interactive: bool) -> None:
        super().__init__(errors)
        self._interactive = interactive
        self._at_margin = True
        self.failed_checks: list[Span] = []
        self.entry: Entry | None = None
        self.places: Places | None = None

    def look_again(self, errors: Look) -> None:
        """Draw errors for a window of another size from now on."""
        self._errors = errors

    def begin(self, entry: Entry | None) -> None:
        """Start listening to another entry, or to none."""
        self.entry = entry
        self.last = None
        self.shown.clear()
        self.failed_checks = []

    def end_line(self) -> None:
        """End the line that a print left open, so that neither a value nor a prompt is drawn behind it."""
        if self._interactive and not self._at_margin:
            self._at_margin = True
            super().printed("\n")

    def printed(self, text: str) -> None:
        """Show a print, and note the line of the entry that it came from."""
        super().printed(text)
        self._at_margin = text.endswith("\n") if text else self._at_margin
        if self.entry is not None and self.places is not None:
            line = self.places.running_line(self.entry.source)
            if line is not None:
                self.entry.note_printed(line, text)

    def check_finished(self, result: CheckResult) -> None:
        """Show a check that failed; to a person, say that one held."""
        super().check_finished(result)
        if not result.passed:
            self.failed_checks.append(result.span)
        if result.passed and self._interactive:
            super().printed(f"check passed: {result.title}\n")

    def value(self, text: str, value: Any) -> None:
        """Remember the last expression of the entry's own, and what those that printed something came to."""
        self.last = text, value
        if self.entry is not None and self.entry.printed and self.places is not None:
            line = self.places.running_line(self.entry.source)
            if line in self.entry.printed:
                self.entry.note_value(line, value_text(value, PLAIN)[1])

"""What the command line does with a session's events: show them as they come, or keep them for the report."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

from gradcli.cli.problems import OutputFailed
from gradcli.cli.terminal import Look
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.events import Events

if TYPE_CHECKING:
    from gradcli.lang.checks import CheckResult


def write(text: str, flush: bool = False) -> None:
    """Write to standard output; OutputFailed when it takes no more."""
    try:
        sys.stdout.write(text)
        if flush:
            sys.stdout.flush()
    except OSError as problem:
        raise OutputFailed(problem) from None


def write_document(text: str) -> None:
    """Write a part of JSON, XML or TAP, which are UTF-8 whatever the locale says; OutputFailed as ``write``."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")
    write(text)


class Listener(Events):
    """Writes what the script prints to standard output, warnings and failed checks to standard error."""

    def __init__(self, errors: Look, quiet: bool = False) -> None:
        self._errors = errors
        self._quiet = quiet
        self.last: tuple[str, Any] | None = None
        self.shown: list[Diagnostic] = []

    def printed(self, text: str) -> None:
        """Write ``text``, or nothing when the script is to be quiet."""
        if not self._quiet:
            write(text)

    def warned(self, warning: Diagnostic | str) -> None:
        """Show a warning in the form of a diagnostic."""
        if isinstance(warning, str):
            warning = Diagnostic("runtime", "warning", warning)
        self.show(warning, "warning")

    def value(self, text: str, value: Any) -> None:
        """Remember the last expression, which is what ``-e`` shows."""
        self.last = text, value

    def check_finished(self, result: CheckResult) -> None:
        """Show a check that failed; the script goes on."""
        if result.diagnostic is not None:
            result.diagnostic.notes.append(f'in the check "{result.title}"')
            self.show(result.diagnostic)

    @property
    def failed(self) -> bool:
        """Whether a check has failed so far."""
        return bool(self.shown)

    def show(self, diagnostic: Diagnostic, severity: str = "error") -> None:
        """Write a diagnostic to standard error, after what has been printed so far."""
        if severity == "error":
            self.shown.append(diagnostic)
        from gradcli.cli.render.diagnostic import render

        write("", flush=True)
        sys.stderr.write(render(diagnostic, self._errors, severity))


class Collector(Listener):
    """Keeps what the script prints, for the report."""

    def __init__(self, errors: Look, quiet: bool = False) -> None:
        super().__init__(errors, quiet)
        self._pieces: list[str] = []

    def printed(self, text: str) -> None:
        """Keep ``text``, or nothing when the script is to be quiet."""
        if not self._quiet:
            self._pieces.append(text)

    @property
    def text(self) -> str:
        """All that was printed."""
        return "".join(self._pieces)

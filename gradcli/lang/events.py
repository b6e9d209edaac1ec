"""What a running script tells the outside: the library reports, the command line shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradcli.lang.checks import CheckResult
    from gradcli.lang.diagnostic import Diagnostic


class Events:
    """Receiver of a session's events; every method does nothing until a subclass says otherwise."""

    def printed(self, text: str) -> None:
        """Called when the script prints; ``text`` holds the line end too."""

    def warned(self, warning: Diagnostic | str) -> None:
        """Called when something looks wrong but the script goes on."""

    def value(self, text: str, value: Any) -> None:
        """Called for the value of each top-level expression, with its source text, once it is known."""

    def check_started(self, title: str) -> None:
        """Called when a ``check`` block begins."""

    def check_finished(self, result: CheckResult) -> None:
        """Called when a ``check`` block ends, passed or failed."""

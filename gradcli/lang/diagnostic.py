"""What an error of a script is, as data: the command line draws it, JSON prints it, tests compare it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gradcli.lang.source import Source, Span


class Label(NamedTuple):
    """Words under a piece of the source: the primary label is the place of the error, others explain it."""

    span: Span
    text: str
    primary: bool
    source: Source


class StackEntry(NamedTuple):
    """A call of a gx function that was running: the function's name and the expression that called it."""

    name: str
    span: Span
    source: Source


class Diagnostic:
    """One error or warning of a script.

    ``kind`` is ``usage``, ``syntax``, ``runtime``, ``check`` or ``internal``; ``code`` the kebab-case identity of
    the mistake; ``notes`` facts without a place; ``stack`` the gx calls that led there, outermost first.
    """

    __slots__ = ("code", "help", "kind", "labels", "message", "notes", "stack")

    def __init__(
        self,
        kind: str,
        code: str,
        message: str,
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
        stack: Iterable[StackEntry] = (),
    ) -> None:
        self.kind = kind
        self.code = code
        self.message = message
        self.labels = list(labels)
        self.notes = list(notes)
        self.help = help
        self.stack = list(stack)

    @property
    def primary(self) -> Label | None:
        """The label that says where the error is, or None when it has no place in a script."""
        return next((label for label in self.labels if label.primary), None)

    def __repr__(self) -> str:
        place = f" at {self.primary.span.line}:{self.primary.span.column}" if self.primary else ""
        return f"<{self.kind} error[{self.code}]{place}: {self.message}>"


class GxError(Exception):
    """A script that can't be read or that failed; ``diagnostic`` says all there is to say."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def syntax_error(
    source: Source,
    start: int,
    end: int,
    code: str,
    message: str,
    *,
    label: str = "",
    help: str | None = None,
    notes: Iterable[str] = (),
    others: Iterable[tuple[int, int, str]] = (),
) -> GxError:
    """Return the error for characters ``start`` to ``end`` of ``source``; ``others`` are further places to show."""
    labels = [Label(source.span(start, end), label, True, source)]
    labels += [Label(source.span(first, last), text, False, source) for first, last, text in others]
    return GxError(Diagnostic("syntax", code, message, labels, notes, help))


def plain_error(kind: str, code: str, message: str, *, help: str | None = None) -> GxError:
    """Return an error that has no place in a script, such as a file that is not text."""
    return GxError(Diagnostic(kind, code, message, help=help))

"""A diagnostic as the ``error`` object of JSON."""

from __future__ import annotations

from typing import Any

from gradcli.cli.problems import UsageProblem
from gradcli.lang.diagnostic import Diagnostic, Label
from gradcli.lang.source import Span

NOWHERE: dict[str, int | None] = {"line": None, "column": None, "end_line": None, "end_column": None}


def diagnostic_error(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the ``error`` object of a diagnostic; secondary labels and calls become notes with a place."""
    notes = [{"message": label.text, **place_object(label.span)} for label in diagnostic.labels if not label.primary]
    notes += [{"message": note, **NOWHERE} for note in diagnostic.notes]
    notes += [{"message": f"in {entry.name}, called here", **place_object(entry.span)} for entry in diagnostic.stack]
    primary: Label | None = diagnostic.primary
    return {
        "kind": diagnostic.kind,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.help,
        **(NOWHERE if primary is None else place_object(primary.span)),
        "notes": notes,
    }


def place_object(span: Span) -> dict[str, int]:
    """Return line, column, end_line and end_column of a span."""
    return span._asdict()


def usage_error(problem: UsageProblem) -> dict[str, Any]:
    """Return the ``error`` object of a command line that asks for what can't be."""
    return plain_error_object("usage", problem.code, problem.message, problem.hint)


def plain_error_object(kind: str, code: str, message: str, hint: str | None) -> dict[str, Any]:
    """Return the ``error`` object of an error that has no place in a script."""
    return {"kind": kind, "code": code, "message": message, "hint": hint, **NOWHERE, "notes": []}

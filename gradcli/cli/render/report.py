"""Results and errors as the JSON that ``--format json`` promises; see the README for the schema."""

from __future__ import annotations

from typing import Any

from gradcli.cli.problems import INTERNAL_HINT, UsageProblem, internal_message
from gradcli.lang.diagnostic import Diagnostic, Label
from gradcli.lang.source import Span

SCHEMA = "gradcli.run/1"
SEVERAL = "gradcli.runs/1"
_NOWHERE: dict[str, int | None] = {"line": None, "column": None, "end_line": None, "end_column": None}


def dumps(report: dict[str, Any]) -> str:
    """Return one line of strictly valid JSON."""
    import json

    return json.dumps(report, allow_nan=False, ensure_ascii=False) + "\n"


def failure(script: str | None, error: dict[str, Any], stdout: str = "") -> dict[str, Any]:
    """Return the report of a run that failed before it had a result."""
    return {"schema": SCHEMA, "script": script, "ok": False, "stdout": stdout, "outputs": [], "error": error}


def diagnostic_error(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the ``error`` object of a diagnostic; secondary labels and calls become notes with a place."""
    notes = [{"message": label.text, **_place(label.span)} for label in diagnostic.labels if not label.primary]
    notes += [{"message": note, **_NOWHERE} for note in diagnostic.notes]
    notes += [{"message": f"in {entry.name}, called here", **_place(entry.span)} for entry in diagnostic.stack]
    primary: Label | None = diagnostic.primary
    return {
        "kind": diagnostic.kind,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.help,
        **(_NOWHERE if primary is None else _place(primary.span)),
        "notes": notes,
    }


def usage_error(problem: UsageProblem) -> dict[str, Any]:
    """Return the ``error`` object of a command line that asks for what can't be."""
    return _error("usage", problem.code, problem.message, problem.hint)


def internal_error(fault: BaseException) -> dict[str, Any]:
    """Return the ``error`` object of a fault of gradcli's own."""
    return _error("internal", "internal", internal_message(fault), INTERNAL_HINT)


def _error(kind: str, code: str, message: str, hint: str | None) -> dict[str, Any]:
    return {"kind": kind, "code": code, "message": message, "hint": hint, **_NOWHERE, "notes": []}


def _place(span: Span) -> dict[str, int]:
    return span._asdict()

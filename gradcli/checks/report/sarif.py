"""``--sarif``: the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), for code scanning."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from gradcli.checks import report
from gradcli.checks.results import CheckResult, FileResult
from gradcli.lang.diagnostic import Label
from gradcli.lang.json_text import json_line
from gradcli.lang.source import Span
from gradcli.version import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class Report(report.Report):
    """Gathers what is bad; each code of a diagnostic is a rule."""

    def begin(self) -> None:
        """Start with nothing."""
        self._results: list[dict[str, Any]] = []
        self._rules: dict[str, int] = {}

    def file(self, result: FileResult) -> None:
        """Add what is bad in a file."""
        self._results += [self._result(check) for check in result.bad]

    def _result(self, check: CheckResult) -> dict[str, Any]:
        diagnostic = check.diagnostic
        code = diagnostic.code if diagnostic else check.outcome
        label = diagnostic.primary if diagnostic else None
        message = "\n".join([report.reason(check) or check.outcome, *(diagnostic.notes if diagnostic else ())])
        result: dict[str, Any] = {
            "ruleId": code,
            "ruleIndex": self._rules.setdefault(code, len(self._rules)),
            "level": "error",
            "message": {"text": message},
            "locations": [_location(check.file, label.span if label else _line(check.line))],
            "partialFingerprints": {"checkId/v1": check.id},
        }
        others = [label for label in diagnostic.labels if not label.primary] if diagnostic else []
        if others:
            result["relatedLocations"] = [_related(index, label) for index, label in enumerate(others)]
        return result

    def end(self, ending: report.Ending) -> None:
        """Write the object."""
        driver = {"name": "gradcli", "version": __version__, "rules": [{"id": code} for code in self._rules]}
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": not ending.stopped}],
            "results": self._results,
        }
        self.write(json_line({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}))


def _line(line: int | None) -> Span | None:
    return None if line is None else Span(line, 1, line, 1)


def _location(file: str, span: Span | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(file, errors="surrogateescape")}}
    if span is not None:
        place["region"] = {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": max(span.end_column, span.column) if span.line == span.end_line else span.end_column,
        }
    return {"physicalLocation": place}


def _related(index: int, label: Label) -> dict[str, Any]:
    return {"id": index, "message": {"text": label.text or "here"}, **_location(label.source.name, label.span)}

"""``--format github``: annotations of GitHub Actions, which shows them beside the lines of a pull request."""

from __future__ import annotations

import math

from gradcli.checks import report
from gradcli.checks.report.characters import legible
from gradcli.checks.results import CheckResult, FileResult

MOST = 10  # GitHub shows no more of one step


class Report(report.Report):
    """Gathers what is bad and writes the worst of it at the end."""

    def begin(self) -> None:
        """Start with nothing."""
        self._bad: list[CheckResult] = []

    def file(self, result: FileResult) -> None:
        """Add what is bad in a file."""
        self._bad += result.bad

    def end(self, ending: report.Ending) -> None:
        """Write errors of files first, then failures, the largest error first; beyond ten just how many there are."""
        ordered = sorted(self._bad, key=_rank)
        for check in ordered[:MOST]:
            self.write(self._annotation(check))
        if len(ordered) > MOST:
            rest = len(ordered) - MOST
            self.write(f"::error title=gradcli check::{rest} more failed; the log of this step has them all\n")
        self.write(f"::notice title=gradcli check::{_data(ending.totals.words(ending.duration))}\n")

    def _annotation(self, check: CheckResult) -> str:
        fields = {"file": check.file}
        label = check.diagnostic.primary if check.diagnostic else None
        if label is not None:
            span = label.span
            fields |= {"line": str(span.line), "endLine": str(span.end_line)}
            if span.line == span.end_line:  # GitHub takes columns within one line only
                fields |= {"col": str(span.column), "endColumn": str(max(span.end_column - 1, span.column))}
        elif check.line is not None:
            fields["line"] = str(check.line)
        fields["title"] = legible(check.title) or ("the file failed" if check.kind == "file" else "a check failed")
        text = self.words.text(check.diagnostic) if check.diagnostic else ""
        properties = ",".join(f"{name}={_property(value)}" for name, value in fields.items())
        return f"::error {properties}::{_data(legible(text.rstrip()))}\n"


def _rank(check: CheckResult) -> tuple[int, float]:
    size = check.magnitude
    return (check.outcome != "error", 0.0 if size is None else -math.inf if math.isnan(size) else -size)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

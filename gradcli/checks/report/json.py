"""``--format json``: one object of the schema ``gradcli.check/1``."""

from __future__ import annotations

from typing import Any

from gradcli.checks import report
from gradcli.checks.results import CheckResult, CheckSettings, FileResult, Totals
from gradcli.lang.json_text import json_line

SCHEMA = "gradcli.check/1"


class Report(report.Report):
    """Gathers the files and writes the object at the end."""

    def begin(self) -> None:
        """Start with no file."""
        self._files: list[dict[str, Any]] = []

    def file(self, result: FileResult) -> None:
        """Add a file."""
        self._files.append(
            {
                "path": result.file,
                "ok": not result.bad,
                "duration": round(result.duration, 6),
                "manual_seed": result.seed,
                "stdout": result.stdout,
                "warnings": [self.words.data(warning) for warning in result.warnings],
                "checks": [self._check(check) for check in result.checks],
            }
        )

    def _check(self, check: CheckResult) -> dict[str, Any]:
        return {
            "id": check.id,
            "title": check.title,
            "kind": check.kind,
            "outcome": check.outcome,
            "line": check.line,
            "duration": round(check.duration, 6),
            "error": None if check.diagnostic is None else self.words.data(check.diagnostic),
        }

    def end(self, ending: report.Ending) -> None:
        """Write the object."""
        self.write(json_line(_whole(ending, self._files, None)))


def refusal(error: dict[str, Any]) -> str:
    """Return the object for a command line that could not be followed; ``error`` says why."""
    return json_line(_whole(report.Ending(Totals(), 0.0, CheckSettings()), [], error))


def _whole(ending: report.Ending, files: list[dict[str, Any]], error: dict[str, Any] | None) -> dict[str, Any]:
    totals = ending.totals
    counts = {outcome: totals.counts[outcome] for outcome in ("passed", "failed", "error", "skipped")}
    return {
        "schema": SCHEMA,
        "ok": ending.ok,
        "stopped": ending.stopped or None,
        "summary": {**counts, "deselected": totals.deselected, "updated": totals.updated, "files": totals.files},
        "duration": round(ending.duration, 6),
        "manual_seed": ending.settings.manual_seed,
        "dtype": ending.settings.dtype,
        "files": files,
        "error": error,
    }

"""``--format tap``: the Test Anything Protocol, version 14 (testanything.org)."""

from __future__ import annotations

import json
import re

from gradcli.checks import report
from gradcli.checks.report.characters import legible
from gradcli.checks.results import CheckResult, FileResult


class Report(report.Report):
    """Writes a test point for each check, with what is wrong as a YAML block; the plan comes last."""

    def begin(self) -> None:
        """Write the version."""
        self._count = 0
        self.write("TAP version 14\n")

    def file(self, result: FileResult) -> None:
        """Write the checks of a file."""
        for check in result.checks:
            self._count += 1
            self.write(self._point(check))

    def _point(self, check: CheckResult) -> str:
        name = re.sub(r"([\\#])", r"\\\1", " ".join(legible(check.id).split()))
        if check.outcome == "skipped":
            return f"ok {self._count} - {name} # SKIP the run did not come to it\n"
        if not check.bad:
            return f"ok {self._count} - {name}\n"
        return f"not ok {self._count} - {name}\n{self._yaml(check)}"

    def _yaml(self, check: CheckResult) -> str:
        """Return the block that explains a failure: each value is quoted as in JSON, which is YAML too."""
        fields: dict[str, object] = {"message": report.reason(check), "severity": "fail"}
        if check.outcome == "error":
            fields["severity"] = "error"
        if check.diagnostic is not None:
            fields["code"] = check.diagnostic.code
        fields |= {"file": check.file, "line": check.line, "duration_ms": round(check.duration * 1000, 3)}
        rows = [f"  {name}: {_quoted(value)}" for name, value in fields.items() if value is not None]
        if check.diagnostic is not None:
            rows += ["  detail: |-2"]
            rows += [f"    {legible(line)}".rstrip() for line in self.words.text(check.diagnostic).split("\n")]
        while not rows[-1].strip():
            rows.pop()
        return "\n".join(["  ---", *rows, "  ...", ""])

    def end(self, ending: report.Ending) -> None:
        """Write the plan and the counts; a run that was stopped says so."""
        if ending.stopped:
            self.write(f"Bail out! {ending.stopped}\n")
        self.write(f"1..{self._count}\n# {ending.totals.words(ending.duration)}\n")


def _quoted(value: object) -> str:
    return legible(json.dumps(value, ensure_ascii=False))

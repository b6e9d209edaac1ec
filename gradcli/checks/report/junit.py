"""``--junitxml``: the XML that began with Ant's JUnit task and that every CI server reads.

Elements, attributes and their order are those of the schema that is commonly checked against (JUnit.xsd of Ant's
task): one ``testsuite`` a file, with ``properties`` first and both ``system`` elements last.
"""

from __future__ import annotations

import platform
from collections import Counter
from datetime import datetime
from xml.sax.saxutils import escape, quoteattr

from gradcli.checks import report
from gradcli.checks.report.characters import legible
from gradcli.checks.results import CheckResult, FileResult


class Report(report.Report):
    """Writes a suite for each file."""

    def begin(self) -> None:
        """Write the head."""
        self._suites = 0
        self.write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n')

    def file(self, result: FileResult) -> None:
        """Write the suite of a file that has checks."""
        if not result.checks:
            return
        counts = Counter(check.outcome for check in result.checks)
        name = _attribute(result.file)
        self.write(
            f'<testsuite id="{self._suites}" name={name} package={name} tests="{len(result.checks)}"'
            f' failures="{counts["failed"]}" errors="{counts["error"]}" skipped="{counts["skipped"]}"'
            f' time="{result.duration:.3f}" timestamp="{datetime.now().isoformat(timespec="seconds")}"'
            f" hostname={_attribute(platform.node() or 'localhost')}>\n"
        )
        self._suites += 1
        seed = f'<property name="manual_seed" value="{result.seed}"/>' if result.seed is not None else ""
        self.write(f"<properties>{seed}</properties>\n")
        for check in result.checks:
            self.write(self._case(check))
        warnings = "".join(self.words.text(warning) for warning in result.warnings)
        self.write(f"<system-out>{_text(result.stdout)}</system-out>\n<system-err>{_text(warnings)}</system-err>\n")
        self.write("</testsuite>\n")

    def _case(self, check: CheckResult) -> str:
        suite = check.file.removesuffix(".gx").replace("/", ".").strip(".")
        head = (
            f"<testcase name={_attribute(check.title or check.file)} classname={_attribute(suite)}"
            f' time="{check.duration:.3f}"'
        )
        if check.outcome == "passed":
            return f"{head}/>\n"
        if check.outcome == "skipped":
            return f'{head}><skipped message="the run did not come to it"/></testcase>\n'
        kind = "error" if check.outcome == "error" else "failure"
        code = check.diagnostic.code if check.diagnostic else kind
        text = self.words.text(check.diagnostic) if check.diagnostic else ""
        return (
            f"{head}>\n<{kind} message={_attribute(report.reason(check))} type={_attribute(code)}>"
            f"{_text(text)}</{kind}>\n</testcase>\n"
        )

    def end(self, ending: report.Ending) -> None:
        """Write the end."""
        self.write("</testsuites>\n")


def _text(text: str) -> str:
    return escape(legible(text))


def _attribute(text: str) -> str:
    return quoteattr(legible(text), {"\n": "&#10;", "\t": "&#9;"})

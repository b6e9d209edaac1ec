"""Reports of checks, one class a format. A report gets the results in order and writes text to where it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

from gradcli.checks.results import CheckResult, CheckSettings, FileResult, Totals
from gradcli.lang.diagnostic import Diagnostic

FORMATS = {
    "json": "gradcli.checks.report.json",
    "github": "gradcli.checks.report.github",
    "tap": "gradcli.checks.report.tap",
    "junit": "gradcli.checks.report.junit",
    "sarif": "gradcli.checks.report.sarif",
}
"""The module of each format; its class is called ``Report`` there too."""


class Words(NamedTuple):
    """How a diagnostic is put: ``text`` as it is drawn for people, ``data`` as an object for JSON."""

    text: Callable[[Diagnostic], str]
    data: Callable[[Diagnostic], dict[str, Any]]


@dataclass(slots=True)
class Ending:
    """How all of it ended: the counts, the time it took, and why it stopped early ("" when it did not)."""

    totals: Totals
    duration: float
    settings: CheckSettings
    stopped: str = ""
    seeds: set[int] = field(default_factory=set)

    @property
    def ok(self) -> bool:
        """Whether something was checked and all of it held."""
        return not self.totals.bad and bool(self.totals.ran) and not self.stopped


class Report:
    """Receiver of results; every method does nothing until a subclass says otherwise."""

    def __init__(self, write: Callable[[str], None], words: Words) -> None:
        self.write = write
        self.words = words

    def begin(self) -> None:
        """Called before the first file."""

    def file(self, result: FileResult) -> None:
        """Called with the result of each file, in order."""

    def end(self, ending: Ending) -> None:
        """Called once, when all is done."""


def make_report(format: str, write: Callable[[str], None], words: Words) -> Report:
    """Return a new report of a format of FORMATS."""
    made: Report = import_module(FORMATS[format]).Report(write, words)
    return made


def reason(check: CheckResult) -> str:
    """Return in one line why a check is bad."""
    return "" if check.diagnostic is None else " ".join(check.diagnostic.message.split())

"""Where reports of checks go: standard output, and files that are written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NamedTuple

from gradcli.checks.report import FORMATS, Report, Words, make_report
from gradcli.checks.written import check_writable, write_whole
from gradcli.cli.listeners import write, write_document
from gradcli.cli.problems import UsageProblem
from gradcli.cli.render.checks import TextReport
from gradcli.cli.render.diagnostic import render
from gradcli.cli.render.error_object import diagnostic_error
from gradcli.cli.terminal import PLAIN, Color, look

_NAMES = ("text", *FORMATS)
_SHARED = ("text", "github")  # what may follow one another on standard output


class Wanted(NamedTuple):
    """A report to make: its format, and its file (None: standard output)."""

    format: str
    file: str | None


def wanted_reports(formats: tuple[str, ...], junitxml: str | None, sarif: str | None) -> list[Wanted]:
    """Return the reports that a command line asks for, text when it asks for none on standard output.

    UsageProblem for an unknown format, for two reports in one place, and for a file that can't be written.
    """
    wanted = [_parse(word) for word in formats]
    wanted += [Wanted("junit", junitxml)] if junitxml is not None else []
    wanted += [Wanted("sarif", sarif)] if sarif is not None else []
    shown = [report.format for report in wanted if report.file is None]
    if not shown:
        wanted.insert(0, Wanted("text", None))
    if len(set(shown)) != len(shown) or (len(shown) > 1 and not set(shown) <= set(_SHARED)):
        hint = f"give one of them a file: --format {shown[-1]}=FILE"
        raise UsageProblem(f"{' and '.join(shown)} can't share standard output", hint)
    files = [os.path.realpath(report.file) for report in wanted if report.file is not None]
    if len(set(files)) != len(files):
        raise UsageProblem("two reports are to be written to the same file")
    for report in wanted:
        if report.file is not None:
            _refuse_unwritable(report.file)
    return wanted


def _refuse_unwritable(file: str) -> None:
    """Refuse a file that can't be written before any time is spent."""
    try:
        check_writable(file)
    except OSError as problem:
        raise UsageProblem(f"the report can't be written: {problem}") from None


def _parse(word: str) -> Wanted:
    name, equals, file = word.partition("=")
    if name not in _NAMES or (equals and not file):
        raise UsageProblem(f"--format {word!r} is not a format", f"one of {', '.join(_NAMES)}, or NAME=FILE")
    return Wanted(name, file or None)


class Outputs:
    """The reports of one run, fed together; those with a file reach it only when they are complete."""

    def __init__(self, wanted: list[Wanted], color: Color, verbose: bool, slowest: int | None) -> None:
        self.reports: list[Report] = []
        self._files: list[tuple[str, list[str]]] = []
        words = Words(lambda diagnostic: render(diagnostic, PLAIN), diagnostic_error)
        for report in wanted:
            sink: Callable[[str], None] = write if report.format == "text" else write_document
            if report.file is not None:
                pieces: list[str] = []
                self._files.append((report.file, pieces))
                sink = pieces.append
            if report.format == "text":
                drawn = PLAIN if report.file is not None else look(sys.stdout, color)
                self.reports.append(TextReport(sink, words, drawn, verbose, slowest))
            else:
                self.reports.append(make_report(report.format, sink, words))

    def save(self) -> list[str]:
        """Write the files; return what is to be said of those that can't be written."""
        problems = []
        for file, pieces in self._files:
            try:
                write_whole(file, "".join(pieces))
            except OSError as problem:
                problems.append(f"the report {file} can't be written: {(problem.strerror or str(problem)).lower()}")
        return problems

"""What the tests of checks share: a script run for its checks, and results made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gradcli.checks.results import CheckResult, CheckSettings, FileResult
from gradcli.checks.runner import run_file
from gradcli.lang.diagnostic import Diagnostic, Label
from gradcli.lang.source import Source


def checked(folder: Path, text: str, **settings: Any) -> FileResult:
    """Run ``text`` as the script s.gx of ``folder``; ids are shortened to what follows the path."""
    path = folder / "s.gx"
    path.write_bytes(text.encode())
    result = run_file(str(path), CheckSettings(**settings))
    for check in result.checks:
        check.id = check.id.replace(str(path), "s.gx")
    return result


def outcomes(result: FileResult) -> dict[str, str]:
    """Return the outcome of each check by title; the file itself has none."""
    return {check.title: check.outcome for check in result.checks}


def failure(file: str = "s.gx", text: str = "x = 1\nassert x == 2\n", message: str = "x is not 2") -> Diagnostic:
    """Return the diagnostic of a failed assertion in the second line of ``text``."""
    source = Source(text, file)
    start = text.index("assert ") + 7
    label = Label(source.span(start, start + 6), "this is not so", True, source)
    return Diagnostic("check", "assertion-failed", message, [label], ["x is 1"])


def result_of(*outcomes: str, file: str = "s.gx", message: str = "x is not 2", stdout: str = "") -> FileResult:
    """Return a result whose checks, called c0, c1 and so on, ended as said."""
    checks = []
    for number, outcome in enumerate(outcomes):
        diagnostic = failure(file, message=message) if outcome in ("failed", "error") else None
        title = f"c{number}"
        checks.append(
            CheckResult(f"{file}::{title}", file, title, "check", outcome, number + 1, 0.25, diagnostic)  # type: ignore[arg-type]
        )
    return FileResult(file, checks, 0.5, stdout)

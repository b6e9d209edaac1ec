"""What checking comes to: one result for each check, gathered by file. Plain data that a worker can send home.

How the parts fit together:

- ``outline.items_of`` names what a script holds, before it runs: ``check`` blocks, top-level ``assert``, ``#>`` lines.
- ``runner.run_file`` runs one script and returns its ``FileResult``.
- A failed assertion goes through ``compare.explain(diagnostic, parts)``, which adds what differs to the diagnostic's
  notes and returns the relative error of the worst element (None where there is none).
- A ``#>`` line goes through ``expected.check_line(unit, index, observed)``: a diagnostic, or None when it holds.
- ``--update`` takes the new text of a script from ``expected.updated(unit, observed)``.
- ``--grad`` takes further results from ``gradients.check_gradients(session, file, settings)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from gradcli.checks.selection import matcher
from gradcli.lang.diagnostic import Diagnostic

Kind = Literal["check", "assert", "expected", "gradient", "file"]
Outcome = Literal["passed", "failed", "error", "skipped"]
DEFAULT_SEED = 0


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """How files are checked.

    Each file starts with the random numbers of ``manual_seed``. ``grad`` adds checks of every gradient, ``against``
    names the engines ("torch", "jax") to compare them with. ``update`` rewrites ``#>`` lines instead of comparing.
    ``keyword`` (an expression of ``-k``) and ``only`` (ids) leave checks out; ``limit`` ends the file at this many
    failures. ``timeout`` is in seconds. ``traceback`` shows where a fault of gradcli's own is.
    """

    manual_seed: int = DEFAULT_SEED
    dtype: str = "float64"
    timeout: float | None = None
    grad: bool = False
    against: tuple[str, ...] = ()
    update: bool = False
    keyword: str = ""
    only: frozenset[str] | None = None
    limit: int | None = None
    traceback: bool = False

    def wants(self, id: str) -> bool:
        """Tell whether a check was asked for, by the expression of ``-k`` and by id."""
        return (self.only is None or id in self.only) and (not self.keyword or matcher(self.keyword)(id))


@dataclass(slots=True)
class CheckResult:
    """How one check ended.

    ``id`` is ``file::title``, for the file as a whole (``kind`` "file": it can't be read, it failed, it took too long)
    just ``file``. "failed" is a check that does not hold or could not be finished, "error" a file that went wrong,
    "skipped" a check that the run never came to. ``magnitude`` is the relative error of the worst element, for sorting.
    """

    id: str
    file: str
    title: str
    kind: Kind
    outcome: Outcome
    line: int | None = None
    duration: float = 0.0
    diagnostic: Diagnostic | None = None
    magnitude: float | None = None

    @property
    def bad(self) -> bool:
        """Whether this breaks the build."""
        return self.outcome in ("failed", "error")


@dataclass(slots=True)
class FileResult:
    """What became of one file: its checks in the order of their lines, a failure of the file itself last.

    ``stdout`` is what the script printed, ``warnings`` what looked wrong while it went on. ``seed`` is the manual seed
    if the script drew random numbers that depend on it. ``updated`` counts ``#>`` lines that were rewritten.
    """

    file: str
    checks: list[CheckResult] = field(default_factory=list)
    duration: float = 0.0
    stdout: str = ""
    warnings: list[Diagnostic] = field(default_factory=list)
    deselected: int = 0
    seed: int | None = None
    updated: int = 0

    @property
    def bad(self) -> list[CheckResult]:
        """The checks that break the build."""
        return [check for check in self.checks if check.bad]


def check_id(file: str, title: str) -> str:
    """Return the id of a check, as ``gradcli check`` takes it: ``dir/file.gx::title``."""
    return f"{file}::{title}"


def counted(number: int, noun: str) -> str:
    """Return ``1 file`` or ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def file_error(file: str, diagnostic: Diagnostic, duration: float = 0.0) -> CheckResult:
    """Return the result for a file that itself went wrong."""
    line = diagnostic.primary.span.line if diagnostic.primary else None
    return CheckResult(file, file, "", "file", "error", line, duration, diagnostic)


@dataclass(slots=True)
class Totals:
    """How many checks ended how, over all files; ``kinds`` are the kinds of the errors that files ended with."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: set[str] = field(default_factory=set)
    files: int = 0
    deselected: int = 0
    updated: int = 0

    def add(self, result: FileResult) -> None:
        """Count one file."""
        self.files += 1
        self.deselected += result.deselected
        self.updated += result.updated
        self.add_checks(result.checks)

    def add_checks(self, checks: Iterable[CheckResult]) -> None:
        """Count single checks."""
        for check in checks:
            self.counts[check.outcome] += 1
            if check.bad:
                of_file = check.kind == "file" and check.diagnostic is not None
                self.kinds.add(check.diagnostic.kind if of_file and check.diagnostic else "check")

    @property
    def ran(self) -> int:
        """How many checks came to a result."""
        return sum(self.counts[outcome] for outcome in ("passed", "failed", "error"))

    @property
    def bad(self) -> int:
        """How many break the build."""
        return self.counts["failed"] + self.counts["error"]

    def words(self, duration: float) -> str:
        """Return the summary line: ``12 passed, 1 failed, 1 error in 0.42s``."""
        outcomes = ("passed", "failed", "error", "skipped")
        parts = [f"{self.counts[outcome]} {outcome}" for outcome in outcomes if self.counts[outcome]]
        parts += [f"{self.deselected} deselected"] if self.deselected else []
        parts += [f"{self.updated} updated"] if self.updated else []
        return f"{', '.join(parts) or 'no checks'} in {duration:.2f}s"

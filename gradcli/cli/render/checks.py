"""The text report of checks: a mark or a line for each, what is wrong with the bad ones, and a line that sums up."""

from __future__ import annotations

from collections.abc import Callable

from gradcli.checks.report import Ending, Report, Words
from gradcli.checks.results import FileResult
from gradcli.cli.render.columns import visible, visible_line
from gradcli.cli.render.diagnostic import render
from gradcli.cli.terminal import Look, Paint
from gradcli.lang.diagnostic import Diagnostic

_MARKS = {"passed": ".", "failed": "F", "error": "E", "skipped": "s"}
_STYLES = {"passed": "name", "failed": "error", "error": "error", "skipped": "warning"}
_LINES_SHOWN = 20
_WARNINGS_SHOWN = 10


class TextReport(Report):
    """Shows results as they come; failures follow at the end, where they are seen first."""

    def __init__(
        self, write: Callable[[str], None], words: Words, look: Look, verbose: bool = False, slowest: int | None = None
    ) -> None:
        super().__init__(write, words)
        self._look = look
        self._paint = Paint(look.color)
        self._verbose = verbose
        self._slowest = slowest
        self._bad: list[FileResult] = []
        self._warnings: list[Diagnostic] = []
        self._times: list[tuple[float, str]] = []

    def file(self, result: FileResult) -> None:
        """Write the marks or the lines of a file."""
        if not result.checks:
            return
        if result.bad:
            self._bad.append(result)
        else:
            self._warnings += result.warnings
        self._times.append((result.duration, result.file))
        self._times += [(check.duration, check.id) for check in result.checks if check.kind in ("check", "gradient")]
        if self._verbose:
            for check in result.checks:
                outcome = self._paint(_STYLES[check.outcome], check.outcome.upper())
                self.write(f"{visible_line(check.id)} {outcome}\n")
        else:
            marks = "".join(self._paint(_STYLES[check.outcome], _MARKS[check.outcome]) for check in result.checks)
            self.write(f"{visible_line(result.file)} {marks}\n")

    def end(self, ending: Ending) -> None:
        """Write the failures, the slowest, and the summary."""
        for result in self._bad:
            self._failures(result)
        self._warned()
        if self._slowest is not None:
            self._durations()
        seeded = [result for result in self._bad if result.seed is not None]
        if seeded:
            files = ", ".join(visible_line(result.file) for result in seeded[:3]) + (", …" if len(seeded) > 3 else "")
            self.write(f"\nrandom numbers of {files}: --manual-seed {ending.settings.manual_seed} gives them again\n")
        if self._bad or self._warnings or self._slowest is not None or seeded:
            self.write("\n")
        if ending.stopped:
            self.write(f"{ending.stopped}\n")
        style = "name" if ending.ok else "error"
        self.write(self._paint(style, ending.totals.words(ending.duration)) + "\n")

    def _failures(self, result: FileResult) -> None:
        for check in result.bad:
            self.write(f"\n{self._paint('strong', f'{check.outcome.upper()} {visible_line(check.id)}')}\n")
            if check.diagnostic is not None:
                self.write(render(check.diagnostic, self._look))
        for warning in result.warnings:
            self.write(render(warning, self._look, "warning"))
        self._printed(result.stdout)

    def _warned(self) -> None:
        """Write what looked wrong in files whose checks passed."""
        for warning in self._warnings[:_WARNINGS_SHOWN]:
            self.write("\n" + render(warning, self._look, "warning"))
        if len(self._warnings) > _WARNINGS_SHOWN:
            self.write(f"\n({len(self._warnings) - _WARNINGS_SHOWN} more warnings; --format json has them all)\n")

    def _printed(self, text: str) -> None:
        """Write the end of what the script printed: it may say why."""
        lines = visible(text).rstrip("\n").split("\n") if text.strip() else []
        if not lines:
            return
        left_out = len(lines) - _LINES_SHOWN
        self.write("printed:\n")
        if left_out > 0:
            self.write(self._paint("dim", f"  ({left_out} lines before these)") + "\n")
        for line in lines[-_LINES_SHOWN:]:
            self.write(f"  {line}".rstrip() + "\n")

    def _durations(self) -> None:
        """Write the slowest files and checks."""
        ordered = sorted(self._times, key=lambda item: -item[0])
        self.write("\nslowest:\n")
        for seconds, id in ordered[: self._slowest or None]:
            self.write(f"{seconds:8.2f}s {visible_line(id)}\n")

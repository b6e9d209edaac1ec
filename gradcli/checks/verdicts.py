"""From what was seen of a run to the results of its checks."""

from __future__ import annotations

from gradcli.checks import compare
from gradcli.checks.outline import Item
from gradcli.checks.results import CheckResult, check_id, file_error
from gradcli.checks.watching import Watcher
from gradcli.lang.checks import AssertionFailed
from gradcli.lang.compiling import Unit
from gradcli.lang.diagnostic import Diagnostic, GxError, Label
from gradcli.lang.session import Session
from gradcli.lang.source import Source, Span

NOT_YET = (0, 0)
END = (1 << 60, 0)


class Verdicts:
    """Says of each check how it ended.

    ``end`` is line and column of the statement of the script's own that ended the run, END when all of it ran.
    ``ending`` is the result of what ended it; with ``stopped`` the checks after it are of no interest.
    """

    def __init__(self, file: str, session: Session, watcher: Watcher) -> None:
        self._file = file
        self._session = session
        self._watcher = watcher
        self.end = NOT_YET
        self.ending: CheckResult | None = None
        self.stopped = False

    def ended_by(self, failure: GxError, items: list[Item]) -> None:
        """Remember what ended the run: a failed assertion is the result of its own line, an error that of the file."""
        cause, diagnostic = failure.__cause__, failure.diagnostic
        frames = self._session.places.frames(cause.__traceback__) if cause is not None else []
        place = self._session.locate(frames[0][0].f_code, frames[0][1]) if frames else None
        self.end = (place[1].line, place[1].column) if place else NOT_YET
        if isinstance(cause, AssertionFailed):
            self.ending = self._assertion(diagnostic, compare.explain(diagnostic, cause.parts), items)
        else:
            self.ending = file_error(self._file, diagnostic)

    def ended_with(self, status: int, source: Source) -> None:
        """Remember that the script ended itself as one that failed: whatever it found wrong, it did not hold."""
        label = Label(source.line_span(self.end[0]), "it ended itself here", True, source)
        message = f"the script ended itself with status {status}"
        self.ending = file_error(self._file, Diagnostic("runtime", "exit-status", message, [label]))

    def _assertion(self, diagnostic: Diagnostic, magnitude: float | None, items: list[Item]) -> CheckResult:
        """Return the result of an assertion that ended the run, be it a line of the script or inside of a block."""
        label = diagnostic.primary
        span = label.span if label else None
        own = next((item for item in items if item.kind == "assert" and _is_within(span, item.span)), None)
        text = "assert" if own or not label else f"assert {' '.join(label.source.slice(label.span).split())}"
        title = own.title if own else text
        line = span.line if span else None
        return CheckResult(
            check_id(self._file, title), self._file, title, "assert", "failed", line, 0.0, diagnostic, magnitude
        )

    def of(self, item: Item, unit: Unit) -> CheckResult | None:
        """Return how a check ended; None for one that a limit of failures kept from running."""
        if self.ending is not None and self.ending.id == item.id:
            return self.ending
        result = CheckResult(item.id, self._file, item.title, item.kind, "skipped", item.line)
        if item.kind == "check":
            self._block(result, item.span)
        elif item.kind == "assert":
            if (item.span.end_line, item.span.end_column) <= self.end:
                result.outcome = "passed"
        else:
            self._expected(result, item.number, unit)
        return None if self.stopped and result.outcome == "skipped" else result

    def _block(self, result: CheckResult, head: Span) -> None:
        """Judge a ``check``: in a loop it runs several times, and the first failure counts."""
        runs = self._watcher.blocks.get(head, [])
        if not runs:
            return
        worst = next((run for run in runs if run.diagnostic is not None), runs[0])
        result.outcome = "passed" if worst.diagnostic is None else "failed"
        result.diagnostic, result.magnitude = worst.diagnostic, worst.magnitude
        result.duration = sum(run.duration for run in runs)

    def _expected(self, result: CheckResult, index: int, unit: Unit) -> None:
        """Judge a ``#>`` line; one that printed nothing is at fault only if the run came past it."""
        from gradcli.checks.expected import check_line

        observed = self._session.observed.get((unit.source, index), [])
        if not observed and (self.end != END or self._in_cut_block(unit.expectations[index].line, unit)):
            return
        result.diagnostic = check_line(unit, index, observed)
        result.outcome = "passed" if result.diagnostic is None else "failed"

    def _in_cut_block(self, line: int, unit: Unit) -> bool:
        """Tell whether a line is inside of a ``check`` that was left out or failed."""
        around = [place for place in unit.checks if place.span.line <= line <= place.span.end_line]
        runs = [self._watcher.blocks.get(place.head, []) for place in around]
        return any(not seen or any(run.diagnostic for run in seen) for seen in runs)


def _is_within(part: Span | None, whole: Span) -> bool:
    """Tell whether a span is a piece of another: of ``a and b`` only the operand that fails is marked."""
    if part is None:
        return False
    start, end = (part.line, part.column), (part.end_line, part.end_column)
    return (whole.line, whole.column) <= start and end <= (whole.end_line, whole.end_column)

"""One script run for its checks: what held, what did not, and where it ended."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter

from gradcli.autograd import enable_grad, set_detect_anomaly
from gradcli.checks.outline import Item, items_of
from gradcli.checks.results import CheckSettings, FileResult, file_error
from gradcli.checks.verdicts import END, Verdicts
from gradcli.checks.watching import StopRun, Watcher
from gradcli.lang.compiling import Unit, read_unit
from gradcli.lang.diagnostic import Diagnostic, GxError, Label
from gradcli.lang.faults import INTERNAL_HINT, internal_message
from gradcli.lang.files import Files
from gradcli.lang.limits import running_line, time_limit, timeout_words
from gradcli.lang.reading import read_text
from gradcli.lang.runner import own_defaults
from gradcli.lang.session import Session, Settings
from gradcli.lang.source import Source
from gradcli.ops.generator import default_generator

Overdue = Callable[[FileResult], None]


def run_file(file: str, settings: CheckSettings, overdue: Overdue | None = None) -> FileResult:
    """Run the script ``file`` and return what its checks came to; whatever goes wrong is part of the result.

    A failed ``check`` lets the script go on; a failed ``assert`` outside of one, or an error, ends it, and what comes
    after is skipped. A script without checks is not run. ``overdue`` gets the result, in a thread of its own, when the
    time limit has passed inside of one long operation; it should end the process.
    """
    started = perf_counter()
    run = _FileRun(file, settings)

    def too_long() -> None:
        if overdue is not None:
            run.stop_overdue()
            run.result.duration = perf_counter() - started
            overdue(run.result)

    try:
        with _isolated(settings), time_limit(settings.timeout, too_long):
            run.execute()
    except GxError as failure:
        run.end_with(failure.diagnostic)
    except TimeoutError:  # hit outside of the script's own code
        run.end_with(_too_long(settings))
    except MemoryError:
        run.end_with(Diagnostic("runtime", "out-of-memory", "there is not enough memory"))
    except Exception as fault:
        trace = traceback.format_exception(fault) if settings.traceback else ()
        run.end_with(Diagnostic("internal", "internal", internal_message(fault), notes=trace, help=INTERNAL_HINT))
    run.result.duration = perf_counter() - started
    return run.result


@contextmanager
def _isolated(settings: CheckSettings) -> Iterator[None]:
    """Let a script start as in a process of its own, and leave nothing behind for the next one."""
    numbers = default_generator.get_state()
    try:
        with own_defaults(settings.dtype), enable_grad(), set_detect_anomaly(False):
            default_generator.manual_seed(settings.manual_seed)
            yield
    finally:
        default_generator.set_state(numbers)


class _FileRun:
    """The run of one script and its result so far."""

    def __init__(self, file: str, settings: CheckSettings) -> None:
        self._file = file
        self._settings = settings
        self._watcher = Watcher(settings.limit, settings.manual_seed)
        self._unit: Unit | None = None
        self._items: list[Item] = []
        self._wanted: list[Item] = []
        self._verdicts: Verdicts | None = None
        self.result = FileResult(file)

    def execute(self) -> None:
        """Read the script and, where it holds something to check, run it and judge; GxError for what can't be read."""
        raw = read_text(self._file)
        source = Source(raw, self._file)
        unit = self._unit = read_unit(source)
        self._items = items_of(unit, self._file)
        self._wanted = [item for item in self._items if self._settings.wants(item.id)]
        self.result.deselected = len(self._items) - len(self._wanted)
        if not (self._wanted or self._settings.grad):
            return
        starts = {place.start for place in unit.checks}
        starts -= {unit.checks[item.number].start for item in self._wanted if item.kind == "check"}
        files = Files(os.path.dirname(os.path.realpath(self._file)))
        session = Session(self._watcher, settings=Settings(files=files, wanted=lambda start: start not in starts))
        self._verdicts = Verdicts(self._file, session, self._watcher)
        self._run(session, unit)
        self._judge(unit)
        if self._settings.update:
            self._update(session, unit, raw)
        if self._settings.grad and self._verdicts.end == END:
            from gradcli.checks.gradients import check_gradients

            found = check_gradients(session, self._file, self._settings)
            self.result.checks += [check for check in found if self._settings.wants(check.id)]

    def _run(self, session: Session, unit: Unit) -> None:
        assert self._verdicts is not None
        try:
            session.run(unit.source, unit)
            self._verdicts.end = session.ended_at or END  # what an exit() leaves out was not checked
            if session.ended:
                self._verdicts.ended_with(session.ended, unit.source)
        except StopRun:
            self._verdicts.stopped = True
            last = list(self._watcher.blocks)[-1]
            self._verdicts.end = last.line, last.column
        except GxError as failure:
            self._verdicts.ended_by(failure, self._items)

    def _judge(self, unit: Unit) -> None:
        """Put the results of the checks that were asked for, and of what ended the run, into the result."""
        verdicts = self._verdicts
        assert verdicts is not None
        found = [result for item in self._wanted if (result := verdicts.of(item, unit)) is not None]
        if verdicts.ending is not None and verdicts.ending not in found:
            found.append(verdicts.ending)  # also when it was not asked for: it kept others from running
            self.result.deselected -= any(item.id == verdicts.ending.id for item in self._items)
        self.result.checks = found
        self.result.stdout, self.result.warnings = self._watcher.text, self._watcher.warnings
        self._watcher.note_numbers()
        self.result.seed = self._settings.manual_seed if self._watcher.drew else None

    def _update(self, session: Session, unit: Unit, raw: str) -> None:
        """Rewrite the ``#>`` lines that differ, unless anything else went wrong."""
        from gradcli.checks.updating import rewrite

        wrong = [check for check in self.result.checks if check.bad]
        lines = {item.id: item.number for item in self._wanted if item.kind == "expected"}
        if wrong and all(check.kind == "expected" for check in wrong):
            printed = {check.id: session.observed.get((unit.source, lines[check.id]), []) for check in wrong}
            wrong = [check for check in wrong if printed[check.id]]  # nothing printed, nothing to write
            rewrite(self._file, raw, unit, {lines[check.id]: printed[check.id] for check in wrong})
            self.result.updated = len(wrong)
            for check in wrong:
                check.outcome, check.diagnostic = "passed", None

    def end_with(self, diagnostic: Diagnostic) -> None:
        """Add an error of the file itself."""
        self.result.checks.append(file_error(self._file, diagnostic))

    def stop_overdue(self) -> None:
        """Judge what is there while the script is still inside of an operation that nothing can interrupt."""
        labels = []
        if self._unit is not None and self._verdicts is not None:
            source = self._unit.source
            line = running_line(source.name)
            labels = [Label(source.line_span(line), "it was in this line", True, source)] if line else []
            self._verdicts.end = (line or 0, 0)
            with suppress(RuntimeError):  # the script has gone on in between, and a dictionary has changed
                self._judge(self._unit)
        self.end_with(_too_long(self._settings, labels))


def _too_long(settings: CheckSettings, labels: list[Label] | None = None) -> Diagnostic:
    message, hint = timeout_words(settings.timeout)
    return Diagnostic("runtime", "timeout", message, labels or [], help=hint)

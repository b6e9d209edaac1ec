"""What ``gradcli check`` does: choose the checks, run them, report, and say by the exit status what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

from gradcli.checks import last_failed
from gradcli.checks.choosing import choose, only_failed, until
from gradcli.checks.collect import BadPath, parse_target
from gradcli.checks.report import Ending
from gradcli.checks.results import CheckSettings, FileResult, Totals, counted
from gradcli.checks.selection import BadExpression, matcher
from gradcli.checks.workers import Task, run_tasks
from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.listeners import write
from gradcli.cli.outputs import Outputs, wanted_reports
from gradcli.cli.problems import UsageProblem, usage_text
from gradcli.cli.progress import Progress
from gradcli.cli.terminal import Color
from gradcli.lang.diagnostic import GxError

_ENGINES = ("torch", "jax")
_LONGEST = 1e7  # seconds: four months, beyond which the system's clocks have no room
_BY_KIND = (
    ("internal", ExitCode.INTERNAL),
    ("syntax", ExitCode.USAGE),
    ("usage", ExitCode.USAGE),
    ("runtime", ExitCode.SCRIPT_FAILED),
    ("check", ExitCode.CHECK_FAILED),
)


class CheckOptions(NamedTuple):
    """The options of ``gradcli check``, by the names of its parameters."""

    paths: tuple[str, ...]
    keyword: str
    first: bool
    maxfail: int | None
    jobs: int
    last_failed: bool
    grad: bool
    against: tuple[str, ...]
    update: bool
    collect_only: bool
    watch: bool
    verbose: bool
    format: tuple[str, ...]
    junitxml: str | None
    sarif: str | None
    durations: int | None
    exclude: tuple[str, ...]
    manual_seed: int
    dtype: str
    timeout: float | None
    color: Color
    traceback: bool

    @property
    def limit(self) -> int | None:
        """After how many failures to stop."""
        return 1 if self.first else self.maxfail


def execute(options: CheckOptions) -> int:
    """Check what the command line asks for and return the exit status."""
    settings = _settings(options)
    wanted = wanted_reports(options.format, options.junitxml, options.sarif)
    if options.collect_only:
        from gradcli.cli.collecting import show_collected

        return show_collected(_tasks(options, settings), [report.format for report in wanted])
    run = _Run(options, settings)
    if not options.watch:
        return run.execute(_tasks(options, settings))
    return _watch(run, options, settings)


def _settings(options: CheckOptions) -> CheckSettings:
    try:
        if options.keyword:
            matcher(options.keyword)
    except BadExpression as bad:
        raise UsageProblem(f"-k {options.keyword!r} is no expression: {bad}", "such as 'loss and not slow'") from None
    against = tuple(name.strip() for names in options.against for name in names.split(",") if name.strip())
    for name in against:
        if name not in _ENGINES:
            raise UsageProblem(f"--against {name!r} is no engine", f"one of {', '.join(_ENGINES)}")
    if against and not options.grad:
        raise UsageProblem("--against says what --grad compares with; without it nothing is compared")
    if not -(2**63) <= options.manual_seed < 2**64:
        raise UsageProblem(f"--manual-seed {options.manual_seed} does not fit into 64 bits")
    return CheckSettings(
        manual_seed=options.manual_seed,
        dtype=str(options.dtype),
        timeout=min(options.timeout, _LONGEST) if options.timeout else None,
        grad=options.grad,
        against=against,
        update=options.update,
        keyword=options.keyword,
        limit=options.limit,
        traceback=options.traceback,
    )


def _tasks(options: CheckOptions, settings: CheckSettings) -> list[Task]:
    """Return the files to check; UsageProblem for a path or a title that there is nothing for."""
    try:
        targets = [parse_target(path) for path in options.paths or (".",)]
        tasks = choose(targets, options.exclude, settings)
    except BadPath as bad:
        raise UsageProblem(str(bad)) from None
    except GxError as failure:
        raise UsageProblem(failure.diagnostic.message, failure.diagnostic.help, failure.diagnostic.code) from None
    return only_failed(tasks, last_failed.load()) if options.last_failed else tasks


class _Run:
    """One pass over files: results to the reports as they come, then counts and exit status."""

    def __init__(self, options: CheckOptions, settings: CheckSettings) -> None:
        self._options = options
        self._settings = settings
        self._jobs = options.jobs or os.cpu_count() or 1

    def execute(self, tasks: list[Task]) -> ExitCode:
        """Check the files of ``tasks``; report files are written when all is done."""
        options = self._options
        wanted = wanted_reports(options.format, options.junitxml, options.sarif)
        outputs = Outputs(wanted, options.color, options.verbose, options.durations)
        started, totals, results = perf_counter(), Totals(), []
        for report in outputs.reports:
            report.begin()
        stopped = ""
        try:
            for result in self._results(tasks):
                totals.add(result)
                results.append(result)
                for report in outputs.reports:
                    report.file(result)
                write("", flush=True)
        except KeyboardInterrupt:
            stopped = "interrupted"
        if options.limit is not None and totals.bad >= options.limit:
            stopped = f"stopped after {counted(totals.bad, 'failure')}"
        ending = Ending(totals, perf_counter() - started, self._settings, stopped)
        for report in outputs.reports:
            report.end(ending)
        last_failed.store(results)
        if stopped == "interrupted":
            raise KeyboardInterrupt
        problems = outputs.save()
        for problem in problems:
            sys.stderr.write(usage_text(UsageProblem(problem, code="output")))
        return self._status(totals) or (ExitCode.SCRIPT_FAILED if problems else ExitCode.OK)

    def _results(self, tasks: list[Task]) -> Iterator[FileResult]:
        """Yield the results, with a bar on a terminal's standard error while they take their time."""
        found = until(run_tasks(tasks, self._jobs), self._options.limit)
        return Progress(len(tasks)).follow(found)

    def _status(self, totals: Totals) -> ExitCode:
        for kind, status in _BY_KIND:
            if kind in totals.kinds:
                return status
        if totals.ran:
            return ExitCode.OK
        sys.stderr.write(usage_text(self._nothing(totals)))
        return ExitCode.NOTHING_COLLECTED

    def _nothing(self, totals: Totals) -> UsageProblem:
        paths = " ".join(self._options.paths or (".",))
        if totals.counts["skipped"]:
            message, hint = "no check was run: the scripts never came to one", "is it below a condition?"
        elif totals.deselected:
            message = f"none of {counted(totals.deselected, 'check')} was chosen"
            hint = "see the ids with --collect-only"
        else:
            message = f"no check found in {counted(totals.files, 'script')} below {paths}"
            hint = 'a check is a block `check "title":`, an `assert`, or a line with `#>`'
        return UsageProblem(message, hint, "nothing-checked")


def _watch(run: _Run, options: CheckOptions, settings: CheckSettings) -> int:
    """Check all, then again what changes, until interrupted."""
    from gradcli.checks import watch

    tasks = every = _tasks(options, settings)

    def look() -> dict[str, watch.Stamp]:
        """Look at the files there are now; at those of before while a path is being written anew."""
        nonlocal every
        with suppress(UsageProblem):
            every = _tasks(options, settings)
        return watch.stamps(task.file for task in every)

    while True:
        seen = look()
        run.execute(tasks)
        write("", flush=True)
        changed = watch.wait_for_change(look, seen)
        tasks = [task for task in every if os.path.normpath(task.file) in changed] or every
        write(f"\nchanged: {', '.join(sorted(changed)[:5])}\n")

"""What ``gradcli run`` does: each script in a session of its own, its outcome shown as text or as JSON."""

from __future__ import annotations

import sys
from typing import NamedTuple

from gradcli.autograd.errors import detail_of
from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.inputs import Script, read_script, script_names
from gradcli.cli.limits import memory_limit, parse_size, time_limit
from gradcli.cli.listeners import Collector, Listener, write
from gradcli.cli.problems import UsageProblem, report_internal
from gradcli.cli.terminal import Color, look
from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.files import save
from gradcli.lang.request import Output, Request, answer, arrays_by_name, parse_seeds, shown_value
from gradcli.lang.runner import Plan, own_defaults, parse_replacement, run_plan
from gradcli.lang.session import Session

_STATUS = {
    "usage": ExitCode.USAGE,
    "syntax": ExitCode.USAGE,
    "runtime": ExitCode.SCRIPT_FAILED,
    "check": ExitCode.CHECK_FAILED,
    "internal": ExitCode.INTERNAL,
}


class RunOptions(NamedTuple):
    """The options of ``gradcli run``, by the names of its parameters."""

    scripts: tuple[str, ...]
    expression: str | None
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    seed: tuple[str, ...]
    replace: tuple[str, ...]
    tree: bool
    format: str
    out: str | None
    dtype: str
    manual_seed: int | None
    precision: int | None
    quiet: bool
    timeout: float | None
    max_memory: str | None
    allow_read: tuple[str, ...]
    allow_write: tuple[str, ...]
    color: Color
    traceback: bool

    @property
    def json(self) -> bool:
        """Whether the results are one JSON object."""
        return self.format == "json"

    @property
    def gradients(self) -> bool:
        """Whether gradients were asked for."""
        return bool(self.of or self.wrt or self.seed or self.out)


class Outcome:
    """How one script ended: its outputs and their text, and what went wrong, if anything did."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.outputs: list[Output] = []
        self.text = ""
        self.error: Diagnostic | None = None
        self.fault: Exception | None = None

    @property
    def status(self) -> ExitCode:
        """The exit status that this outcome asks for."""
        if self.fault is not None:
            return ExitCode.INTERNAL
        return ExitCode.OK if self.error is None else _STATUS[self.error.kind]


def execute(options: RunOptions) -> int:
    """Run every script and show what came of each; return the exit status of the first that failed."""
    names = script_names(options.scripts, options.expression)
    size = None if options.max_memory is None else parse_size(options.max_memory)
    if options.out is not None and (len(names) > 1 or not options.out.endswith(".npz")):
        raise UsageProblem("--out takes the results of one script to one .npz file")
    reports, status = [], ExitCode.OK
    for name in names:
        if len(names) > 1 and not options.json:
            write(f"==> {name} <==\n")
        errors = look(sys.stderr, options.color)
        listener = (Collector if options.json else Listener)(errors, options.quiet)
        outcome = _attempt(name, options, listener, size)
        _show(outcome, options, listener)
        if isinstance(listener, Collector):
            from gradcli.cli.render import report

            reports.append(report.run_report(outcome, listener.text, options.tree))
        status = status or outcome.status
    if options.json:
        from gradcli.cli.render import report

        write(report.dumps(reports[0] if len(reports) == 1 else report.several(reports)))
    return status


def _show(outcome: Outcome, options: RunOptions, listener: Listener) -> None:
    """Write an outcome's text to standard output and its error to standard error."""
    if not options.json:
        write(outcome.text)
    if outcome.fault is not None:
        write("", flush=True)
        report_internal(outcome.fault, options.traceback)
    elif outcome.error is not None and outcome.error not in listener.shown:
        listener.show(outcome.error)


def _attempt(name: str, options: RunOptions, listener: Listener, size: int | None) -> Outcome:
    """Return how the script called ``name`` ended; a failure of any kind is part of the outcome."""
    outcome = Outcome(name)
    try:
        script = read_script(name, options.expression)
        with own_defaults(options.dtype, options.precision), memory_limit(size), time_limit(options.timeout):
            _run(script, options, listener, outcome)
        outcome.error = listener.shown[0] if listener.failed else None
    except GxError as failure:
        outcome.error = failure.diagnostic
    except (TimeoutError, MemoryError) as limit:  # hit outside of the script's own code: while it was read or shown
        outcome.error = _limit_error(limit)
    except Exception as fault:
        outcome.fault = fault
    return outcome


def _run(script: Script, options: RunOptions, listener: Listener, outcome: Outcome) -> None:
    """Run the script and put what was asked for into ``outcome``."""
    plan = Plan(
        script.source,
        script.folder,
        replacements=dict(map(parse_replacement, options.replace)),
        read=options.allow_read,
        write=options.allow_write,
        manual_seed=options.manual_seed,
        free_leaves=script.is_expression,
    )
    session = run_plan(plan, listener)
    outcome.outputs = _outputs(session, options, listener, script.is_expression)
    if outcome.outputs and not options.json:
        from gradcli.cli.render.values import outputs_text

        outcome.text = outputs_text(outcome.outputs, look(sys.stdout, options.color), options.tree)
    if options.out is not None:
        try:
            save(options.out, arrays_by_name(outcome.outputs))
        except OSError as problem:
            raise GxError(session.explain(problem)) from None


def _outputs(session: Session, options: RunOptions, listener: Listener, is_expression: bool) -> list[Output]:
    """Return the outputs asked for; an expression shows its value, and its gradient when that needs no seed."""
    wrt = tuple(name.strip() for names in options.wrt for name in names.split(",") if name.strip())
    request = Request(options.of, wrt, parse_seeds(options.seed), options.gradients, options.tree)
    if options.gradients or options.tree:
        return answer(session, request)
    if is_expression or options.json:
        return shown_value(session, listener.last if is_expression else None)
    return []


def _limit_error(limit: Exception) -> Diagnostic:
    detail = detail_of(limit)
    if detail is None:
        return Diagnostic("runtime", "out-of-memory", "there is not enough memory", help="allow more with --max-memory")
    return Diagnostic("runtime", detail.code, detail.message, help=detail.hint)

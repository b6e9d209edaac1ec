"""What ``gradcli run`` does: each script in a session of its own, its outcome shown as text or as JSON."""

from __future__ import annotations

import os
import sys
from typing import Any

from gradcli.autograd import Tensor
from gradcli.autograd.errors import detail_of
from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.inputs import Script, read_script, script_names
from gradcli.cli.limits import memory_limit, parse_size
from gradcli.cli.listeners import Collector, Listener, write, write_document
from gradcli.cli.outcome import Outcome, RunOptions
from gradcli.cli.problems import UsageProblem, report_internal
from gradcli.cli.terminal import look
from gradcli.lang.diagnostic import Diagnostic, GxError, Label
from gradcli.lang.files import save
from gradcli.lang.limits import running_line, time_limit, timeout_words
from gradcli.lang.request import Output, Request, answer, arrays_by_name, parse_seeds, shown_value
from gradcli.lang.runner import Plan, own_defaults, parse_replacement, run_plan
from gradcli.lang.session import Session


def execute(options: RunOptions) -> int:
    """Run every script and show what came of each; return the exit status of the first that failed."""
    return _Runs(options).execute()


class _Runs:
    """The scripts of one command line, run one after the other."""

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        self._names = script_names(options.scripts, options.expression)
        self._size = None if options.max_memory is None else parse_size(options.max_memory)
        self._reports: list[dict[str, Any]] = []
        if options.jacobian and options.seed:
            raise UsageProblem("--jacobian needs no seed: it gives the rows for all of them", "leave --seed out")
        if options.out is not None and (len(self._names) > 1 or not options.out.endswith(".npz")):
            raise UsageProblem("--out takes the results of one script to one .npz file")

    def execute(self) -> int:
        """Run all scripts; a failure of one doesn't keep the others from running."""
        status: int = ExitCode.OK
        for name in self._names:
            if len(self._names) > 1 and not self._options.json:
                write(f"==> {name} <==\n")
            listener_class = Collector if self._options.json else Listener
            listener = listener_class(look(sys.stderr, self._options.color), self._options.quiet)
            outcome = self._attempt(name, listener)
            self._show(outcome, listener)
            status = status or outcome.status
        self._end()
        return status

    def _attempt(self, name: str, listener: Listener) -> Outcome:
        """Return how the script called ``name`` ended; a failure of any kind is part of the outcome."""
        options, outcome = self._options, Outcome(name)

        def overdue() -> None:
            """End the process: the script is inside a long operation that no signal can interrupt."""
            outcome.error = _overdue_error(script, options.timeout)
            self._show(outcome, listener)
            self._end()
            sys.stdout.flush()
            os._exit(outcome.status)

        try:
            script = read_script(name, options.expression)
            defaults = own_defaults(options.dtype, options.precision)
            with defaults, memory_limit(self._size), time_limit(options.timeout, overdue):
                _run(script, options, listener, outcome)
            outcome.error = listener.shown[0] if listener.failed else None
        except GxError as failure:
            outcome.error = failure.diagnostic
        except (TimeoutError, MemoryError) as limit:  # hit outside of the script's code: while it was read or shown
            outcome.error = _limit_error(limit)
        except Exception as fault:
            outcome.fault = fault
        return outcome

    def _show(self, outcome: Outcome, listener: Listener) -> None:
        """Write an outcome's text to standard output, or keep its report, and its error to standard error."""
        if isinstance(listener, Collector):
            from gradcli.cli.render.report import run_report

            self._reports.append(run_report(outcome, listener.text, self._options.tree))
        else:
            write(outcome.text)
        if outcome.fault is not None:
            write("", flush=True)
            report_internal(outcome.fault, self._options.traceback)
        elif outcome.error is not None and outcome.error not in listener.shown:
            listener.show(outcome.error)

    def _end(self) -> None:
        """Write the one JSON object, if that was asked for."""
        if self._options.json:
            from gradcli.cli.render.report import dumps, several

            write_document(dumps(self._reports[0] if len(self._names) == 1 else several(self._reports)))


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
    outcome.ended = session.ended
    if session.ended is not None:
        return
    outcome.outputs = _outputs(session, options, listener, script.is_expression)
    last = listener.last if script.is_expression else None
    if last is not None and not isinstance(last[1], Tensor) and _names_of(outcome.outputs) in ([], [last[0]]):
        _show_plain(*last, options, listener, outcome)
    elif outcome.outputs and not options.json:
        from gradcli.cli.render.values import outputs_text

        outcome.text = outputs_text(outcome.outputs, look(sys.stdout, options.color), options.tree)
    if options.out is not None:
        try:
            save(options.out, arrays_by_name(outcome.outputs))
        except OSError as problem:
            raise GxError(session.explain(problem)) from None


def _names_of(outputs: list[Output]) -> list[str]:
    return [output.name for output in outputs]


def _show_plain(name: str, value: Any, options: RunOptions, listener: Listener, outcome: Outcome) -> None:
    """Show an expression's value that is no tensor as Python does; in JSON numbers have a form of their own."""
    from gradcli.cli.render.columns import visible
    from gradcli.cli.render.values import named

    text = named(visible(name), value)
    if not options.json:
        outcome.text = text
    elif not outcome.outputs:
        listener.printed(text)


def _outputs(session: Session, options: RunOptions, listener: Listener, is_expression: bool) -> list[Output]:
    """Return the outputs asked for; an expression shows its value, and its gradient when that needs no seed."""
    of, wrt = _names(options.of), _names(options.wrt)
    seeds = parse_seeds(options.seed)
    request = Request(
        of, wrt, seeds, options.gradients, options.tree, jacobian=options.jacobian, hessian=options.hessian
    )
    if request.gradients or request.graphs or request.jacobian or request.hessian:
        return answer(session, request)
    if is_expression or options.json:
        return shown_value(session, listener.last if is_expression else None)
    return []


def _names(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that a repeatable option gives, each time one or several with commas."""
    return tuple(name.strip() for word in words for name in word.split(",") if name.strip())


def _limit_error(limit: Exception) -> Diagnostic:
    detail = detail_of(limit)
    if detail is None:
        return Diagnostic("runtime", "out-of-memory", "there is not enough memory", help="allow more with --max-memory")
    return Diagnostic("runtime", detail.code, detail.message, help=detail.hint)


def _overdue_error(script: Script, seconds: float | None) -> Diagnostic:
    message, hint = timeout_words(seconds)
    line = running_line(script.source.name)
    labels = [Label(script.source.line_span(line), "it was in this line", True, script.source)] if line else []
    return Diagnostic("runtime", "timeout", message, labels, help=hint)

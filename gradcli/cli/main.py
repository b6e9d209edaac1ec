"""The entry point: finds the command, runs it, and turns how it ended into an exit status.

It imports as little as it can: the module of the one command, and Typer only when the command line isn't plain.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

from gradcli.cli.direct import parse
from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.parameters import parameters_of
from gradcli.cli.problems import OutputFailed, UsageProblem, report_internal, usage_text
from gradcli.cli.terminal import is_terminal

COMMANDS = {
    "run": "gradcli.cli.run",
    "check": "gradcli.cli.check",
    "ops": "gradcli.cli.ops",
    "repl": "gradcli.cli.repl_command",
}
"""Where the typed function of each command lives; module and function bear the command's name."""


def entry() -> NoReturn:
    """Run the process's command line and end the process.

    The system takes all memory back at once; letting the interpreter free module by module and node by node costs a
    small gradient a fifth of its time and a graph of a million nodes a second. Nothing is left to do by then: output
    is flushed, and files are written completely or not at all.
    """
    status = main()
    sys.stderr.flush()
    os._exit(status)


def main(words: list[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit status, whatever goes wrong."""
    # a growing graph is all live objects: the collector's default thresholds cost more than recording it does
    gc.set_threshold(50_000, 20, 20)
    words = sys.argv[1:] if words is None else words
    _prepare_streams()
    try:
        status = _status(words)
        sys.stdout.flush()  # however it ended: an interrupted check and a refused command line have reports too
        return status
    except (OutputFailed, OSError) as failure:
        return _output_failed(failure.problem if isinstance(failure, OutputFailed) else failure)


def _status(words: list[str]) -> int:
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except UsageProblem as problem:
        return _refuse(problem, words)
    except OSError:
        raise
    except Exception as fault:  # the last resort: whatever arrives here is our own mistake
        return report_internal(fault, "--traceback" in words)


def _prepare_streams() -> None:
    """Make both streams such that writing never fails for what they are."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error does by itself


def _output_failed(problem: OSError) -> ExitCode:
    """Say why output can't be written, unless whoever read it just went away."""
    # what is still buffered has no place to go, and Python would complain when it flushes at exit
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(problem, BrokenPipeError):
        return ExitCode.CLOSED_PIPE
    sys.stderr.write(f"error[output]: the output can't be written: {(problem.strerror or str(problem)).lower()}\n")
    return ExitCode.SCRIPT_FAILED


def command(name: str) -> Callable[..., int]:
    """Return the typed function of a command."""
    function: Callable[..., int] = getattr(import_module(COMMANDS[name]), name)
    return function


def _dispatch(words: list[str]) -> int:
    if not words and is_terminal(sys.stdin) and is_terminal(sys.stdout):
        words = ["repl"]
    elif words[:1] == ["-"]:
        words = ["run", *words]
    if words and words[0] in COMMANDS:
        function = command(words[0])
        values = parse(parameters_of(function), words[1:])
        if values is not None:
            return function(**values)
    if words == ["--version"]:
        from gradcli.version import __version__

        sys.stdout.write(f"gradcli {__version__}\n")
        return ExitCode.OK
    if not words:
        _with_typer(["--help"])
        return ExitCode.USAGE
    return _with_typer(words)


def _with_typer(words: list[str]) -> int:
    """Let Typer answer: help, completion, and the words for a mistake."""
    from gradcli.cli import typer_app

    app = typer_app.build({name: command(name) for name in COMMANDS})
    try:
        status = app(words, prog_name="gradcli", standalone_mode=False)
    except typer_app.UsageError as mistake:
        raise typer_app.as_problem(mistake) from None
    return status or ExitCode.OK


def _refusal_as_json(command: str, error: dict[str, Any]) -> str:
    if command == "check":
        from gradcli.checks.report.json import refusal

        return refusal(error)
    from gradcli.cli.render.report import dumps, failure

    return dumps(failure(None, error))


def _refuse(problem: UsageProblem, words: list[str]) -> ExitCode:
    """Say what is wrong with the command line, as JSON too when that was asked for."""
    as_json = "--format=json" in words or ("--format", "json") in pairwise(words)
    if as_json and words[:1] in (["run"], ["check"]):
        from gradcli.cli.listeners import write_document
        from gradcli.cli.render.error_object import usage_error

        write_document(_refusal_as_json(words[0], usage_error(problem)))
    sys.stderr.write(usage_text(problem))
    return ExitCode.USAGE

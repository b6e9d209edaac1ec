"""What can be wrong with a command line, and what a fault of gradcli's own says."""

from __future__ import annotations

import sys

from gradcli.cli.exit_codes import ExitCode
from gradcli.lang.faults import INTERNAL_HINT, internal_message


class UsageProblem(Exception):
    """A command line that asks for what can't be: its message, and a way out."""

    def __init__(self, message: str, hint: str | None = None, code: str = "usage") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class OutputFailed(BaseException):
    """Standard output can't take more: no mistake of the script, so nothing that handles those may catch it."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(problem.strerror)
        self.problem = problem


def usage_text(problem: UsageProblem) -> str:
    """Return the problem in the form of every diagnostic."""
    hint = f"\n   = help: {problem.hint}" if problem.hint else ""
    return f"error[{problem.code}]: {problem.message}{hint}\n"


def report_internal(fault: BaseException, show_traceback: bool) -> ExitCode:
    """Say on standard error that gradcli failed, with the traceback on demand, and return the exit status."""
    if show_traceback:
        import traceback

        traceback.print_exception(fault)
    sys.stderr.write(f"error[internal]: {internal_message(fault)}\n   = help: {INTERNAL_HINT}\n")
    return ExitCode.INTERNAL

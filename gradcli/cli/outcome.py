"""The options of ``gradcli run`` as one value, and how the run of one script ended."""

from __future__ import annotations

from typing import NamedTuple

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.terminal import Color
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.request import Output

STATUS = {
    "usage": ExitCode.USAGE,
    "syntax": ExitCode.USAGE,
    "runtime": ExitCode.SCRIPT_FAILED,
    "check": ExitCode.CHECK_FAILED,
    "internal": ExitCode.INTERNAL,
}
"""The exit status of an error, by the kind of its diagnostic."""


class RunOptions(NamedTuple):
    """The options of ``gradcli run``, by the names of its parameters."""

    scripts: tuple[str, ...]
    expression: str | None
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    seed: tuple[str, ...]
    replace: tuple[str, ...]
    jacobian: bool
    hessian: bool
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
        return bool(self.of or self.wrt or self.seed or self.out) and not (self.jacobian or self.hessian)


class Outcome:
    """How one script ended: its outputs and their text, and what went wrong, if anything did.

    ``ended`` is the status that the script ended itself with, by ``exit``.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.outputs: list[Output] = []
        self.text = ""
        self.error: Diagnostic | None = None
        self.fault: Exception | None = None
        self.ended: int | None = None

    @property
    def status(self) -> int:
        """The exit status that this outcome asks for."""
        if self.fault is not None:
            return ExitCode.INTERNAL
        return self.ended or ExitCode.OK if self.error is None else STATUS[self.error.kind]

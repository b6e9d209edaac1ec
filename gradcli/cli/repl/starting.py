"""What ``gradcli repl`` does: what the command line gives first, then the prompt, or lines that nobody types."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.repl.problems import Leave
from gradcli.cli.repl.shell import Shell, ShellOptions
from gradcli.cli.terminal import Color, is_terminal
from gradcli.lang.runner import own_defaults
from gradcli.ops.generator import default_generator


class ReplOptions(NamedTuple):
    """The options of ``gradcli repl``, by the names of its parameters."""

    script: str | None
    expressions: tuple[str, ...]
    startup: str | None
    no_history: bool
    vi: bool
    dtype: str
    manual_seed: int | None
    precision: int | None
    allow_read: tuple[str, ...]
    allow_write: tuple[str, ...]
    color: Color
    traceback: bool


def start(options: ReplOptions) -> int:
    """Run the session and return its exit status."""
    interactive = is_terminal(sys.stdin) and options.script != "-"
    with own_defaults(options.dtype, options.precision):
        if options.manual_seed is not None:
            default_generator.manual_seed(options.manual_seed)
        shell = Shell(_shell_options(options, interactive))
        with shell.interrupts.handled():
            try:
                return _first_texts(shell, options) or _the_rest(shell, options)
            except Leave as leave:
                return leave.status


def _shell_options(options: ReplOptions, interactive: bool) -> ShellOptions:
    return ShellOptions(
        options.color,
        interactive,
        options.allow_read,
        options.allow_write,
        options.traceback,
        options.dtype,
    )


def _first_texts(shell: Shell, options: ReplOptions) -> int:
    """Run what the command line gives. A failure ends the session only where nobody sits at it."""
    texts = [(shell.run_file, path) for path in (options.startup, options.script) if path not in (None, "-")]
    for run, text in [*texts, *((shell.submit, text) for text in options.expressions)]:
        assert text is not None
        status = run(text)
        if status and not shell.options.interactive:
            return status
    return ExitCode.OK


def _the_rest(shell: Shell, options: ReplOptions) -> int:
    if not shell.options.interactive:
        from gradcli.cli.repl.piped import run_lines

        return run_lines(shell)
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown") or not is_terminal(sys.stdout):
        from gradcli.cli.repl.plain_prompt import run_plainly

        return run_plainly(shell)
    from gradcli.cli.repl.prompt import run_prompt

    return run_prompt(shell, history=not options.no_history, vi=options.vi)

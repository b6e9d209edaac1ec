"""The prompt of a terminal that can move no cursor (``TERM=dumb``), or whose output goes elsewhere: lines, no keys."""

from __future__ import annotations

import sys

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.listeners import write
from gradcli.cli.repl.shell import Shell
from gradcli.lang.completeness import is_whole
from gradcli.lang.pieces import is_command


def run_plainly(shell: Shell) -> int:
    """Ask for entries until the input ends; return the exit status."""
    while True:
        try:
            text = _entry(f"In [{shell.number}]: ", shell)
        except KeyboardInterrupt:
            _show("\n")
            continue
        if text is None:
            _show("\n")
            return ExitCode.OK
        shell.submit(text)
        write("", flush=True)


def _entry(prompt: str, shell: Shell) -> str | None:
    """Return the next entry; a block ends with a blank line. None at the end of the input."""
    lines = [shell.next_text] if shell.next_text else []
    shell.next_text = ""
    for line in lines:
        _show(f"{line}\n")
    while True:
        _show("...: ".rjust(len(prompt)) if lines else prompt)
        line = sys.stdin.readline()
        if not line:
            return "\n".join(lines) if lines else None
        lines.append(line.rstrip("\r\n"))
        text = "\n".join(lines)
        if is_command(text) or is_whole(text):
            return text


def _show(text: str) -> None:
    """Write a prompt: to standard error where standard output goes elsewhere."""
    stream = sys.stdout if sys.stdout.isatty() else sys.stderr
    stream.write(text)
    stream.flush()

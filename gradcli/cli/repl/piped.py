"""A session whose lines come from a file or a pipe: no prompts, and the first error ends it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.listeners import write
from gradcli.cli.outcome import STATUS
from gradcli.cli.repl.shell import Shell
from gradcli.lang.diagnostic import GxError
from gradcli.lang.pieces import Piece, Splitter
from gradcli.lang.reading import decoded


def run_lines(shell: Shell) -> int:
    """Run standard input entry by entry, each as soon as it is whole; return the exit status."""
    splitter = Splitter()
    try:
        for line in _lines():
            status = _run(shell, splitter.feed(line))
            if status:
                return status
    except GxError as failure:
        shell.show(failure.diagnostic)
        return STATUS[failure.diagnostic.kind]
    return _run(shell, splitter.finish())


def _lines() -> Iterator[str]:
    """Yield the lines of standard input as they come, without their ends; GxError for what is not UTF-8."""
    for number, raw in enumerate(sys.stdin.buffer):
        line = decoded(raw, "<stdin>").rstrip("\r\n")
        yield line.removeprefix("\ufeff") if number == 0 else line


def _run(shell: Shell, pieces: Iterator[Piece]) -> int:
    for piece in pieces:
        status = shell.command(piece.text) if piece.is_command else shell.execute(piece.text)
        write("", flush=True)
        if status:
            return status
    return ExitCode.OK

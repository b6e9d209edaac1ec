"""What the tests of the session share: a shell of their own, a session fed by a pipe, and one on a terminal."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
import pytest

from gradcli.cli.main import main
from gradcli.cli.repl.shell import Shell, ShellOptions
from gradcli.cli.terminal import Color

ROOT = Path(__file__).resolve().parents[2]
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][AB0]|\x1b[=>]|\x1b\][^\x07]*\x07")


class Done(NamedTuple):
    """How a session ended, and what it wrote."""

    status: int
    out: str
    err: str


def shell(interactive: bool = True) -> Shell:
    """Return a session without a terminal, as a person would have it or as a pipe has it."""
    return Shell(ShellOptions(Color.NEVER, interactive))


def piped(text: str | bytes, capsys: pytest.CaptureFixture[str], *words: str) -> Done:
    """Run ``gradcli repl`` with ``text`` on standard input."""
    raw = text.encode() if isinstance(text, str) else text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        status = main(["repl", *words])
    shown = capsys.readouterr()
    return Done(status, shown.out, shown.err)


class Terminal:
    """A session on a pseudo-terminal."""

    def __init__(self, folder: Path, *words: str, size: tuple[int, int] = (40, 100), **environment: str) -> None:
        values = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(folder / "state"),
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
            "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody answers where the cursor is
            **environment,
        }
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "gradcli", *words],
            env=values,
            cwd=str(folder),
            dimensions=size,
            encoding="utf-8",
            timeout=20,
            echo=False,
        )
        self.child.delaybeforesend = None

    def prompt(self, number: int) -> str:
        """Wait for the prompt of entry ``number``; return what was shown before it, without escapes."""
        self.child.expect(rf"In \[{number}\]: ")
        return without_escapes(self.child.before)

    def send(self, text: str) -> None:
        """Type ``text``."""
        self.child.send(text)

    def paste(self, text: str) -> None:
        """Paste ``text`` as terminals do, in brackets, and press Enter."""
        self.send(f"\x1b[200~{text}\x1b[201~\r")

    def see(self, pattern: str) -> str:
        """Wait until ``pattern`` is shown; return it without escapes."""
        self.child.expect(pattern)
        return without_escapes(self.child.after)

    def ask(self, text: str, pattern: str) -> str:
        """Enter ``text`` and wait for ``pattern``."""
        self.send(f"{text}\r")
        return self.see(pattern)

    def interrupt(self) -> None:
        """Press Ctrl-C once what runs has left the prompt behind."""
        time.sleep(0.2)
        self.child.sendintr()

    def end(self) -> int:
        """Wait for the end and return the exit status."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return int(self.child.exitstatus)


def without_escapes(text: str) -> str:
    """Return ``text`` without what moves the cursor or colours."""
    return _ESCAPES.sub("", text).replace("\r", "")


@contextmanager
def terminal(folder: Path, *words: str, **options: Any) -> Iterator[Terminal]:
    """A session on a pseudo-terminal that ends with the body."""
    made = Terminal(folder, *words, **options)
    try:
        yield made
    finally:
        made.child.close(force=True)

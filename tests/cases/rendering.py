"""What ``gradcli run`` shows for one .gx file, run in this process: shared by the test of mistakes and its update."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from gradcli.cli.main import main

MISTAKES = Path(__file__).resolve().parent / "mistakes"
OPTIONS = "# run with: "
_VARIES = ((re.compile(r"and \d+ calls between"), "and N calls between"),)  # how deep Python's stack is


class Shown(NamedTuple):
    """What came out of one command line."""

    words: list[str]
    out: str
    err: str
    status: int

    @property
    def text(self) -> str:
        """The golden form: the command, standard output, standard error, the exit status."""
        shown = f"$ gradcli {shlex.join(self.words)}\n{self.out}{self.err}exit status {int(self.status)}\n"
        for pattern, words in _VARIES:
            shown = pattern.sub(words, shown)
        return shown


def mistakes() -> list[Path]:
    """Return every script of the folder of mistakes, in order."""
    return sorted(MISTAKES.rglob("*.gx"))


def golden_of(path: Path) -> Path:
    """Return the file with the rendering of a mistake."""
    return path.with_suffix(".txt")


def words_of(path: Path) -> list[str]:
    """Return the command line for a script: its first line may name options."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    options = shlex.split(first.removeprefix(OPTIONS)) if first.startswith(OPTIONS) else []
    return ["run", path.name, *options]


def shown(path: Path, *more: str) -> Shown:
    """Run the script in its own folder and return what it shows."""
    words = [*words_of(path), *more]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(path.parent), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    return Shown(words, out.getvalue(), err.getvalue(), status)

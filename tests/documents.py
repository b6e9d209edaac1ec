"""Examples in documents: what stands between fences, and running it.

A block of ``gx`` is a script whose ``#>`` lines must hold. A block of ``python`` that imports gradcli prints what its
``# ...`` comments behind ``print(...)`` say. A block of ``python`` or ``gx`` that starts with ``# name.gx`` is a file,
and a block of ``console`` shows commands, run in a folder with those files, and what they print.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gradcli.checks.results import CheckSettings
from gradcli.checks.runner import run_file
from gradcli.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """The text between two fences, what kind it is, and the line it starts at."""

    kind: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The name of the file that the block is, if its first line gives one."""
        named = re.match(r"# (\w+\.gx)\n", self.text)
        return named[1] if named else None


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a document."""
    text = path.read_text(encoding="utf-8")
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in FENCE.finditer(text)]


def commands(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each command of a document and what it should print."""
    for block in blocks(path):
        if block.kind == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


def without_times(text: str) -> str:
    """Return a text with durations taken out."""
    return re.sub(r"\b\d+\.\d\d ?s\b", "0.00s", text)


def printed_by(command: str, path: Path, place: Path) -> str:
    """Return what ``gradcli ...`` prints in the folder ``place``, which gets the files of the document."""
    for block in blocks(path):
        if block.file:
            (place / block.file).write_text(block.text, encoding="utf-8")
    shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.chdir(place), contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        main(shlex.split(command)[1:])
    return shown.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def wrong_in(script: Path) -> list[str]:
    """Return what does not hold in a script, in words."""
    result = run_file(str(script), CheckSettings())
    return [f"{check.line}: {d.message} {d.notes}" for check in result.checks if check.bad and (d := check.diagnostic)]


def python_output(text: str, name: str) -> tuple[list[str], list[str]]:
    """Return the lines that a Python example prints, and those that its comments say."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(text, name, "exec"), {"__name__": "example"})
    return shown.getvalue().splitlines(), re.findall(r"^ *print\(.*\)  # (.*)$", text, re.MULTILINE)

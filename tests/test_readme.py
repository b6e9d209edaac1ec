"""The README is true: every command in it is run, and prints what is written there."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gradcli.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [body for found, body in FENCE.findall(TEXT) if found == kind]


def commands() -> Iterator[Any]:
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield pytest.param(command, output, id=command)


@pytest.mark.parametrize(("command", "output"), commands())
def test_a_command_prints_what_the_readme_says(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks("python"):
        name = re.match(r"# (\w+\.gx)\n", block)
        if name:
            (tmp_path / name[1]).write_text(block, encoding="utf-8")
    shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        main(shlex.split(command)[1:])
    assert shown.buffer.getvalue().decode() == output  # type: ignore[attr-defined]


def test_the_python_example_prints_what_its_comments_say(capsys: pytest.CaptureFixture[str]) -> None:
    example = next(block for block in blocks("python") if "import gradcli as torch" in block)
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.*)", example)


def test_the_two_commands_are_there() -> None:
    installs = [body for body in blocks("") if "pip install" in body]
    assert ["gradcli run" in body for body in installs] == [True, False]
    assert installs[1].strip().endswith("pytest -q")
    assert "python -m pytest -q" in (ROOT / ".ci" / "run").read_text()

"""The README is true: every command in it is run, and prints what is written there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import ROOT, blocks, commands, printed_by, python_output, without_times

README = ROOT / "README.md"


@pytest.mark.parametrize(("command", "output"), [pytest.param(*pair, id=pair[0]) for pair in commands(README)])
def test_a_command_prints_what_the_readme_says(command: str, output: str, tmp_path: Path) -> None:
    assert without_times(printed_by(command, README, tmp_path)) == without_times(output)


def test_the_python_example_prints_what_its_comments_say() -> None:
    (example,) = [b for b in blocks(README) if b.kind == "python" and "import gradcli as torch" in b.text]
    got, said = python_output(example.text, "README.md")
    assert got and got == said


def test_the_two_commands_are_there() -> None:
    installs = [b.text for b in blocks(README) if not b.kind and "pip install" in b.text]
    assert ["gradcli run" in body for body in installs] == [True, False]
    assert installs[1].strip().endswith("pytest -q")
    assert "python -m pytest -q" in (ROOT / ".ci" / "run").read_text()

"""The recipes of docs/ci.md work: their commands are run, and their files are what the tools expect."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^(?:\s*- (?:run: )?|\t)?(gradcli check.*)$", "".join(body for _, body in BLOCKS), re.MULTILINE)
FAILING = "leaf x = [1.0]\ncheck 'wrong':\n    assert x * 2 == 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a passing script, in which the command `gradcli` is this one."""
    command = tmp_path / "bin" / "gradcli"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m gradcli "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = tmp_path / "project"
    (place / "scripts").mkdir(parents=True)
    (place / "scripts" / "net.gx").write_text("check 'right':\n    assert 1 + 1 == 2\n")
    monkeypatch.chdir(place)
    return place


def test_every_recipe_is_there() -> None:
    assert len(COMMANDS) == 4
    assert [kind for kind, _ in BLOCKS] == ["", "yaml", "yaml", "yaml", "make"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_recipes_passes_and_fails_as_it_should(folder: Path, command: str) -> None:
    passed = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (passed.returncode, passed.stderr) == (0, "") and "1 passed in " in passed.stdout
    (folder / "scripts" / "wrong.gx").write_text(FAILING)
    failed = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert failed.returncode == 1 and "1 passed, 1 failed in " in failed.stdout
    if "github" in command:
        assert re.search(r"^::error file=scripts/wrong\.gx,line=3,", failed.stdout, re.MULTILINE)
    for file in re.findall(r"gradcli\.\w+", command):
        assert file in TEXT.replace(command, "")  # the step that uploads it knows its name
        assert (folder / file).stat().st_size > 100
    if "junitxml" in command:
        assert [suite.attrib["failures"] for suite in ET.parse("gradcli.xml").getroot()] == ["0", "1"]


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_makefile(folder: Path) -> None:
    (folder / "Makefile").write_text(next(body for kind, body in BLOCKS if kind == "make"))
    assert subprocess.run(["make", "check"], capture_output=True).returncode == 0
    (folder / "scripts" / "wrong.gx").write_text(FAILING)
    assert subprocess.run(["make", "check"], capture_output=True).returncode == 2


def test_the_hook_runs_what_the_recipe_says(folder: Path) -> None:
    hook = dict(
        re.findall(r"^[- ] (\w+): (.*)$", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert re.search(r"- id: (\S+)", next(body for _, body in BLOCKS if "repos:" in body))[1] == hook["id"]  # type: ignore[index]
    assert re.search(hook["files"], "scripts/net.gx") and not re.search(hook["files"], "net.gx.txt")
    assert hook["pass_filenames"] == "false"
    assert subprocess.run(hook["entry"], shell=True, capture_output=True).returncode == 0


def test_the_exit_statuses_are_those_of_the_code() -> None:
    from gradcli.cli.exit_codes import ExitCode

    listed = {int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)}
    assert listed == {int(code) for code in ExitCode} - {ExitCode.CLOSED_PIPE}


def test_the_options_are_there() -> None:
    from gradcli.cli.check import check
    from gradcli.cli.parameters import parameters_of

    flags = {flag for p in parameters_of(check) for flag in getattr(p.spelling, "flags", ())}
    assert set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))) <= flags

"""The documents about the session are true: transcripts are entered again, and every command is in the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradcli.cli.repl.commands.registry import COMMANDS, load_commands
from gradcli.cli.repl.commands.settings import SETTINGS
from gradcli.lang.runner import own_defaults
from tests.cli.repl_helpers import ROOT, shell
from tests.documents import blocks, wrong_in

REPL = ROOT / "docs" / "repl.md"
_PROMPT = re.compile(r"^In \[(\d+)\]: ", re.MULTILINE)


def transcripts() -> Iterator[tuple[str, str]]:
    for path in (REPL, ROOT / "README.md"):
        for block in blocks(path):
            if block.text.startswith("In [1]: "):
                yield f"{path.name}:{block.line}", block.text


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in transcripts()])
def test_a_transcript_shows_what_the_session_shows(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with own_defaults():
        made = shell()
        shown = ""
        for part in _PROMPT.split(text)[2::2]:
            entry = part.split("\n")[0]
            shown += f"In [{made.number}]: {entry}\n"
            made.submit(entry)
            written = capsys.readouterr()
            shown += written.out + written.err
    assert shown.rstrip() == text.rstrip()


def test_every_command_and_setting_is_in_the_table() -> None:
    load_commands()
    text = REPL.read_text(encoding="utf-8")
    for known in COMMANDS.values():
        assert f"| `{known.head}` |" in text
    for name in SETTINGS:
        assert f"`{name}`" in text


def test_scripts_in_it_hold(tmp_path: Path) -> None:
    scripts = [block.text for block in blocks(REPL) if block.kind == "gx"]
    assert scripts
    for text in scripts:
        (tmp_path / "s.gx").write_text(text)
        assert not wrong_in(tmp_path / "s.gx")


def test_every_picture_is_there_and_is_made_by_the_script() -> None:
    text = REPL.read_text(encoding="utf-8")
    script = (ROOT / "scripts" / "make_screens.py").read_text()
    names = re.findall(r"\(screens/(\w+)\.svg\)", text)
    assert len(names) == 5
    for name in names:
        assert f'"{name}": Screen(' in script
        assert "<svg" in (ROOT / "docs" / "screens" / f"{name}.svg").read_text(encoding="utf-8")

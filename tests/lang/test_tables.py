"""The cache of the parse tables: used, never stale, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gradcli.lang import tables
from gradcli.lang.grammar_file import grammar_path, grammar_text

ROOT = Path(__file__).resolve().parent.parent.parent
PROBE = """
import sys
from gradcli.lang.parser import parse
from gradcli.lang.source import Source
print(len(parse(Source("x = 1\\ny = 2")).root.children), "lark" in sys.modules)
"""


def probe(cache: Path) -> str:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_lark_is_loaded_once(tmp_path: Path) -> None:
    assert [probe(tmp_path), probe(tmp_path)] == ["2 True", "2 False"]


def test_a_damaged_cache_is_built_again(tmp_path: Path) -> None:
    probe(tmp_path)
    [path] = (tmp_path / "gradcli").glob("grammar*")
    for damage in (b"", b"\xff" * 100, path.read_bytes()[:1000]):
        path.write_bytes(damage)
        assert probe(tmp_path) == "2 True"
        assert probe(tmp_path) == "2 False"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    assert probe(blocked) == "2 True"


def test_another_grammar_has_another_key() -> None:
    text = grammar_text()
    assert tables.cache_key(text) != tables.cache_key(text + "\n")


def test_the_grammar_is_found_in_a_checkout() -> None:
    assert Path(grammar_path()).name == "gx.lark"

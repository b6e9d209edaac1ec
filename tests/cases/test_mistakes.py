"""The folder of mistakes: each script fails in the way that the rendering beside it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .rendering import MISTAKES, Shown, golden_of, mistakes, shown, words_of

ROOT = Path(__file__).resolve().parents[2]
ALL = mistakes()
FAMILIES = {"syntax", "names", "shapes", "dtypes", "values", "indexing", "runtime", "backward", "files", "usage"}
SAMPLE = [path for index, path in enumerate(ALL) if index % 40 == 0]
FOREIGN = re.compile(
    r"Traceback|NoneType|\bself\b|numpy\.|\bndarray\b|np\.float|\$END|_NEWLINE|_INDENT|_DEDENT|Unexpected|object at 0x"
    r"|object is not|unsupported operand|positional argument|subscriptable|'\w+' object|<class|<function|got str\b"
)


def name_of(path: Path) -> str:
    return str(path.relative_to(MISTAKES).with_suffix(""))


@pytest.fixture(scope="module")
def rendered() -> dict[Path, Shown]:
    return {}


def once(rendered: dict[Path, Shown], path: Path) -> Shown:
    if path not in rendered:
        rendered[path] = shown(path)
    return rendered[path]


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_a_mistake_is_shown_as_agreed(path: Path, rendered: dict[Path, Shown]) -> None:
    golden = golden_of(path)
    assert golden.exists(), "run python -m tests.cases.update_goldens"
    assert once(rendered, path).text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_a_mistake_is_shown_in_our_words_with_its_place(path: Path, rendered: dict[Path, Shown]) -> None:
    done = once(rendered, path)
    assert int(done.status) in (1, 2, 3)
    assert re.match(r"(warning(\[[a-z-]+\])?: |error\[[a-z-]+\]: )", done.err), done.err
    assert not FOREIGN.search(done.err), done.err
    if path.parent.name != "usage":
        place = re.search(rf"^ +--> {re.escape(path.name)}:(\d+):(\d+)$", done.err, re.MULTILINE)
        assert place is not None, done.err
        line = path.read_text(encoding="utf-8").split("\n")[int(place[1]) - 1]
        assert 1 <= int(place[2]) <= len(line) + 1
        assert re.search(r"^ +\| +\^+|^ +\| \^+", done.err, re.MULTILINE), done.err


@pytest.mark.parametrize("path", ALL[::4], ids=name_of)
def test_json_says_the_same(path: Path, rendered: dict[Path, Shown]) -> None:
    text, done = once(rendered, path), shown(path, "--format", "json")
    report = json.loads(done.out)
    assert (done.status, report["ok"]) == (text.status, False)
    error = report["error"]
    assert f"error[{error['code']}]: {error['message'].split(chr(10))[0]}" in text.err
    if error["line"] is not None:
        assert f":{error['line']}:{error['column']}\n" in text.err


def test_the_folder_is_complete() -> None:
    assert {path.parent.name for path in ALL} == FAMILIES
    assert len(ALL) >= 90
    assert {golden_of(path) for path in ALL} == set(MISTAKES.glob("*/*.txt"))
    assert not [path for path in ALL if not re.fullmatch(r"[a-z_]+", path.stem)]


@pytest.mark.parametrize("path", SAMPLE, ids=name_of)
def test_the_process_shows_the_same(path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "gradcli", *words_of(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=path.parent, env=environment)
    process = Shown(words_of(path), done.stdout, done.stderr, done.returncode)
    assert process.text == golden_of(path).read_text(encoding="utf-8")

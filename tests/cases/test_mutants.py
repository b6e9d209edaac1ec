"""Scripts with a random slip (a word lost, doubled or taken from elsewhere) never meet a fault of gradcli's own."""

from __future__ import annotations

import contextlib
import io
import random
import re
from pathlib import Path

import pytest

from gradcli.cli.main import main

HERE = Path(__file__).resolve().parent
UNFIT = re.compile(r"\bsave\b|\bload\b|while|\d{5}|\({9}|def depth")  # writes, loops without end, large numbers
PYTHONS = re.compile(r"Traceback|NoneType|object is not|unsupported operand|positional arg|<class|object at 0x|\[type]")
WORD = re.compile(r"\w+|[^\w\s]|\s+")
SCRIPTS = [path.read_text(encoding="utf-8") for path in sorted(HERE.rglob("*.gx"))]
SOURCES = [text for text in SCRIPTS if not UNFIT.search(text)]


def slip(draw: random.Random, words: list[str]) -> str:
    """Return a script with one word replaced, inserted or deleted."""
    parts = WORD.findall(draw.choice(SOURCES))
    place, kind = draw.randrange(len(parts)), draw.randrange(3)
    parts[place : place + (kind != 1)] = [draw.choice(words)] if kind < 2 else []
    return "".join(parts)


@pytest.mark.parametrize("seed", range(8))
def test_a_slip_is_answered_in_our_words(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    words = [word for text in SOURCES for word in WORD.findall(text)]
    with contextlib.chdir(tmp_path):
        for _ in range(50):
            script = slip(draw, words)
            if UNFIT.search(script):
                continue
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main(["run", "-e", script, "--timeout", "10"])
            assert status in (0, 1, 2, 3), f"{script}\n{err.getvalue()}"
            assert not PYTHONS.search(err.getvalue()), f"{script}\n{err.getvalue()}"

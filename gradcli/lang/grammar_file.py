"""Where the grammar lies: inside the package in a wheel, at the top of the repository in a checkout."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACES = (
    os.path.join(_PACKAGE, "_grammar", "gx.lark"),
    os.path.join(os.path.dirname(_PACKAGE), "grammar", "gx.lark"),
)


def grammar_path() -> str:
    """Return the path of ``gx.lark``; raises FileNotFoundError when the installation is broken."""
    for path in PLACES:
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"gx.lark is missing; looked for {' and '.join(PLACES)}")


def grammar_text() -> str:
    """Return the text of the grammar."""
    with open(grammar_path(), encoding="utf-8") as file:
        return file.read()

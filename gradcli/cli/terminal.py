"""What the streams can show: colour, width, characters. Standard output and standard error are judged separately."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TextIO


class Color(StrEnum):
    """When to colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Look(NamedTuple):
    """How to draw on one stream."""

    color: bool
    unicode: bool
    width: int


PLAIN = Look(color=False, unicode=True, width=100)
"""How text is drawn where nobody looks at it: tests, JSON, captured output."""


def wants_color(stream: TextIO, when: Color, environment: Mapping[str, str]) -> bool:
    """Decide on colour: the option, then NO_COLOR (when not empty), then FORCE_COLOR, then the terminal and TERM."""
    if when is not Color.AUTO:
        return when is Color.ALWAYS
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal(stream) and environment.get("TERM") != "dumb"


def is_terminal(stream: TextIO) -> bool:
    """Whether a person sees the stream; a closed stream is none."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def look(stream: TextIO, when: Color = Color.AUTO) -> Look:
    """Return how to draw on ``stream``."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "")
    unicode = encoding.startswith("utf") and os.environ.get("TERM") != "dumb"
    return Look(wants_color(stream, when, os.environ), unicode, _width(stream))


def _width(stream: TextIO) -> int:
    if not is_terminal(stream):
        return PLAIN.width
    try:
        return max(40, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        return PLAIN.width


_CODES = {"error": "1;31", "warning": "1;33", "note": "36", "frame": "34", "strong": "1", "dim": "2", "name": "32"}


class Paint:
    """Wraps pieces of text in terminal colours, or leaves them alone."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, style: str, text: str) -> str:
        """Return ``text`` in ``style``, one of error, warning, note, frame, strong, dim and name."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self._color and text else text

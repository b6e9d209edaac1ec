"""Text by the cells it takes on a terminal: wide and combining characters, tabs, control characters, long lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import accumulate

_TAB = 4


def visible(text: str) -> str:
    """Return ``text`` with every character that would move the cursor or turn the line around made harmless."""
    return "".join(_shown(char) for char in text) if not text.isascii() or not text.isprintable() else text


def visible_line(text: str) -> str:
    """Return ``text`` as ``visible`` does, on one line: an id stays one where a file's name has line ends."""
    return visible(text).replace("\n", "\u240a").replace("\t", "\u2409")


def _shown(char: str) -> str:
    if char in "\n\t" or char.isprintable():
        return char
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control character
    return "�" if unicodedata.category(char) in ("Cc", "Cs", "Cn", "Co") else f"<U+{code:04X}>" if code > 0x7F else "?"


def cells(char: str) -> int:
    """Return how many cells of a terminal ``char`` takes."""
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Return how many cells ``text`` takes."""
    return len(text) if text.isascii() else sum(map(cells, text))


class LaidLine:
    """A line of a script as it is drawn: at most ``room`` cells, with the character at ``focus`` among them."""

    def __init__(self, line: str, focus: int, room: int, dots: str) -> None:
        whole = len(line) <= 2 * room and sum(width(piece) for piece in _pieces(line)) <= room
        self._first = 0 if whole or focus < room * 2 // 3 else focus - room // 2
        # a clipped line is measured around the focus only: it may have megabytes
        pieces = list(_pieces(line if whole else line[self._first : self._first + room]))
        self._starts = list(accumulate(map(width, pieces), initial=len(dots) if self._first else 0))
        kept = len(pieces)
        while not whole and kept and self._starts[kept] > room - len(dots):
            kept -= 1
        self._last = self._starts[kept]
        cut = self._first + kept < len(line)
        self.text = (dots if self._first else "") + "".join(pieces[:kept]) + (dots if cut else "")

    def cell(self, index: int) -> int:
        """Return the cell at which the character with this index starts; the nearest one drawn when it is cut off."""
        if index < self._first:
            return 0
        inside = index - self._first
        return min(self._starts[inside], self._last) if inside < len(self._starts) else self._last


def _pieces(line: str) -> Iterator[str]:
    """Yield each character as it is drawn; a tab runs to the next tab stop."""
    at = 0
    for char in line:
        piece = " " * (_TAB - at % _TAB) if char == "\t" else _shown(char)
        at += width(piece)
        yield piece

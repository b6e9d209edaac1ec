"""The words of one line at a time, for whoever looks at a text while it is typed: colours, brackets, line by line.

Lines are read with the grammar's own expression. What a line needs to know of those before it is a ``LineState``, so
that a change of one line means reading that line again, and the next ones only while their state differs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from gradcli.lang.lexer import CLOSERS
from gradcli.lang.tables import Tables, load_tables


class LineState(NamedTuple):
    """What is open at the end of a line: a text in three quotes, brackets, or a backslash."""

    quote: str = ""
    depth: int = 0
    joined: bool = False

    @property
    def clean(self) -> bool:
        """Whether the next line begins a statement of its own."""
        return not (self.quote or self.depth or self.joined)


class Word(NamedTuple):
    """A piece of a line: ``keyword``, ``name``, ``number``, ``string``, ``comment``, ``operator`` or ``other``."""

    start: int
    end: int
    kind: str


CLEAN = LineState()
_KINDS = {"NUMBER": "number", "STRING": "string", "COMMENT": "comment", "OPERATOR": "operator", "NAME": "name"}


@cache
def _reader() -> tuple[re.Pattern[str], dict[int, str], Tables]:
    tables = load_tables()
    kinds = {tables.groups[group]: kind for group, kind in _KINDS.items()}
    return re.compile(tables.pattern), kinds, tables


def scan_line(line: str, state: LineState = CLEAN) -> tuple[list[Word], LineState]:
    """Return the words of ``line`` (blanks left out), which begins in ``state``, and the state it ends in."""
    pattern, kinds, tables = _reader()
    words: list[Word] = []
    position, quote, depth = 0, state.quote, state.depth
    while position < len(line):
        if quote:
            position, quote = _rest_of_text(line, position, quote, words)
            continue
        match = pattern.match(line, position)
        if match is None or match.end() == position:
            position = _unknown(line, position, words)
            continue
        start, position = position, match.end()
        kind = kinds.get(match.lastindex or 0)
        if kind == "string" and (opened := _opened(line, start, position)):
            quote, position = opened, start + line[start:].index(opened) + 3
            words.append(Word(start, position, "string"))
        elif kind == "name":
            words.append(Word(start, position, "keyword" if match.group() in tables.words else "name"))
        elif kind is not None:
            if kind == "operator":
                depth = max(0, depth + (line[start] in CLOSERS) - (line[start] in CLOSERS.values()))
            words.append(Word(start, position, kind))
    joined = bool(words) and words[-1].kind == "other" and line.endswith("\\")
    return words, LineState(quote, depth, joined)


def _rest_of_text(line: str, position: int, quote: str, words: list[Word]) -> tuple[int, str]:
    """Read on inside of a text in three quotes; return where it ends and what is open then."""
    at = position
    while at < len(line):
        if line[at] == "\\":
            at += 2
        elif line.startswith(quote, at):
            words.append(Word(position, at + 3, "string"))
            return at + 3, ""
        else:
            at += 1
    words.append(Word(position, len(line), "string"))
    return len(line), quote


def _opened(line: str, start: int, end: int) -> str:
    """Return the three quotes that open at what was read as an empty text, or nothing."""
    text = line[start:end].lstrip("rRfFuU")
    return text[0] * 3 if text in ("''", '""') and line[end : end + 1] == text[0] else ""


def _unknown(line: str, position: int, words: list[Word]) -> int:
    """Read what begins no word: a text without its end runs to the end of the line."""
    end = len(line) if line[position] in "\"'" else position + 1
    words.append(Word(position, end, "string" if line[position] in "\"'" else "other"))
    return end

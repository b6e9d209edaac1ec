"""Colours of what is typed, by the grammar's own words; a line is read again only when it or one before has changed."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from gradcli.lang.line_scanner import CLEAN, LineState, Word, scan_line
from gradcli.lang.pieces import is_command

_SOFT = ("leaf", "input", "check")


class _Painted:
    """The lines of one text, as far as they have been read; what the text before began with is taken over.

    ``states`` are those before each line that has been read, and after the last. prompt_toolkit may come back to a
    text that it has had before, so each keeps lists of its own.
    """

    __slots__ = ("lines", "painted", "states")

    def __init__(self, before: _Painted | None, lines: list[str]) -> None:
        same = 0 if before is None else min(_common_start(before.lines, lines), len(before.painted))
        self.lines: list[str] = lines
        self.painted: list[StyleAndTextTuples] = [] if before is None else before.painted[:same]
        self.states: list[LineState] = [CLEAN] if before is None else before.states[: same + 1]


class Highlighter(Lexer):
    """Colours lines; ``is_known`` tells whether a name is one of gx's functions."""

    def __init__(self, is_known: Callable[[str], bool]) -> None:
        self._is_known = is_known
        self._last: _Painted | None = None

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Return what gives the coloured text of a line by its number."""
        self._last = now = _Painted(self._last, document.lines)

        def line(number: int) -> StyleAndTextTuples:
            while len(now.painted) <= number:
                self._paint_next(now)
            return now.painted[number]

        return line

    def _paint_next(self, now: _Painted) -> None:
        number = len(now.painted)
        text, state = now.lines[number], now.states[number]
        if number == 0 and is_command(text):
            now.painted.append(_command(text))
            now.states.append(CLEAN)
            return
        words, after = scan_line(text, state)
        now.painted.append(self._painted_line(text, words))
        now.states.append(after)

    def _painted_line(self, text: str, words: list[Word]) -> StyleAndTextTuples:
        parts: StyleAndTextTuples = []
        at = 0
        for number, word in enumerate(words):
            if word.start > at:
                parts.append(("", text[at : word.start]))
            parts.append((self._style(text, words, number), text[word.start : word.end]))
            at = word.end
        parts.append(("", text[at:]))
        return parts

    def _style(self, text: str, words: list[Word], number: int) -> str:
        word = words[number]
        shown = text[word.start : word.end]
        if word.kind == "comment":
            return "class:gx.expected" if shown.startswith("#>") else "class:gx.comment"
        if word.kind != "name":
            return f"class:gx.{word.kind}"
        if number == 0 and shown in _SOFT and len(words) > 1 and words[1].kind in ("name", "string"):
            return "class:gx.keyword"
        after_dot = number > 0 and text[words[number - 1].start : words[number - 1].end] == "."
        return "class:gx.function" if not after_dot and self._is_known(shown) else "class:gx.name"


def _command(text: str) -> StyleAndTextTuples:
    word, blank, rest = text.partition(" ")
    return [("class:gx.command", word), ("", blank + rest)]


def _common_start(before: list[str], now: list[str]) -> int:
    """Return how many lines at the start are the same."""
    count = 0
    for one, other in zip(before, now, strict=False):
        if one is not other and one != other:
            break
        count += 1
    return count

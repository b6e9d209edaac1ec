"""A script's text, and the way from character offsets to lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of text: lines and columns from 1, columns count characters, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Source:
    """Text under a name; ``text`` has plain newlines and always ends with one.

    Line ends of all three kinds become a newline, so that a script means the same whichever editor wrote it.
    """

    __slots__ = ("_ascii", "_starts", "_widths", "name", "text")

    def __init__(self, text: str, name: str = "<script>") -> None:
        if text.startswith("\ufeff"):
            text = text[1:]
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.name = name
        self.text = text if text.endswith("\n") or not text else text + "\n"
        self._ascii = text.isascii()
        self._starts: list[int] | None = None
        self._widths: dict[int, list[int]] = {}

    @property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        if self._starts is None:
            lines = self.text.split("\n")
            self._starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return self._starts

    def line(self, number: int) -> str:
        """Return the text of line ``number`` (from 1) without its line end; empty beyond the last line."""
        if not 1 <= number <= len(self.starts):
            return ""
        start = self.starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line (from 1) and column (from 0, in characters) of ``offset``."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1]

    def byte_place(self, offset: int) -> tuple[int, int]:
        """Return line (from 1) and column (from 0, in UTF-8 bytes) of ``offset``: Python's way of counting."""
        starts = self._starts or self.starts
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1]
        return (line, column) if self._ascii else (line, self._byte_widths(line)[column])

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters from ``start`` up to ``end``; a line's end counts as part of its line."""
        line, column = self.place(start)
        if end <= start:
            return Span(line, column + 1, line, column + 1)
        end_line, last_column = self.place(end - 1)
        return Span(line, column + 1, end_line, last_column + 2)

    def span_of_bytes(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """Return the span that Python's position (columns from 0, in bytes) stands for."""
        return Span(line, self._characters(line, column) + 1, end_line, self._characters(end_line, end_column) + 1)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line (from 1) and column (from 1)."""
        return self.starts[line - 1] + column - 1

    def slice(self, span: Span) -> str:
        """Return the text that ``span`` covers."""
        return self.text[self.offset(span.line, span.column) : self.offset(span.end_line, span.end_column)]

    def line_span(self, line: int) -> Span:
        """Return the span of a whole line without its indentation and its comment-free tail of blanks."""
        text = self.line(line)
        indent = len(text) - len(text.lstrip())
        return Span(line, indent + 1, line, max(len(text.rstrip()), indent) + 1)

    def _byte_widths(self, line: int) -> list[int]:
        """Byte column of each character column of a line; kept, since a line is asked for once per expression."""
        widths = self._widths.get(line)
        if widths is None:
            text = self.line(line)
            widths = list(accumulate((len(char.encode("utf-8", "replace")) for char in text), initial=0))
            self._widths[line] = widths
        return widths

    def _characters(self, line: int, column: int) -> int:
        if self._ascii:
            return column
        return bisect_right(self._byte_widths(line), column) - 1

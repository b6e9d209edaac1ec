"""A stream of lines -> entries: statements as soon as they are whole, and the lines that are commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gradcli.lang.completeness import State, completeness
from gradcli.lang.line_scanner import CLEAN, scan_line

_COMMAND = re.compile(r":\s*[a-z]|\?{1,2}\s*[\w.]*\s*$|[\w.]+\s*\?{1,2}\s*$")
_MAY_GO_ON = ("if", "for", "while")  # a line of its own, but `else` may follow
_GOES_ON = ("else", "elif")


class Piece(NamedTuple):
    """One entry: its text, and whether it is a command (``:vars``, ``?sum``) and no statement."""

    text: str
    is_command: bool


def is_command(line: str) -> bool:
    """Tell whether a line at the start of an entry is a command."""
    return _COMMAND.match(line) is not None


class Splitter:
    """Takes lines one by one and gives the pieces that they complete.

    A block goes on until a line that starts at the margin, blank lines and comments notwithstanding, as in a file.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._state = CLEAN
        self._waiting = False  # the statement is whole, or not, but its block may go on

    def feed(self, line: str) -> Iterator[Piece]:
        """Take the next line, without its end; yield the pieces that are whole now."""
        starts = self._state.clean and line[:1] not in ("", " ", "\t", "#")
        if starts and is_command(line):
            yield from self.finish()
            yield Piece(line.strip(), True)
            return
        words, state = scan_line(line, self._state)
        first = line[words[0].start : words[0].end] if words else ""
        if starts and self._waiting and first not in _GOES_ON and not self._is_decorated():
            yield from self.finish()
        at_margin = starts or not self._has_code() or not self._state.clean
        self._lines.append(line)
        self._state = state
        if not state.clean or not words or words[0].kind == "comment":
            return
        if at_margin and not self._waiting:
            yield from self._judge(first)

    def finish(self) -> Iterator[Piece]:
        """Yield what is left, whole or not."""
        lines, self._lines, self._state, self._waiting = self._lines, [], CLEAN, False
        text = "\n".join(lines).strip("\n")
        if text.strip():
            yield Piece(text, False)

    def _has_code(self) -> bool:
        return any(line.strip() and not line.lstrip().startswith("#") for line in self._lines)

    def _is_decorated(self) -> bool:
        """Tell whether the lines so far only decorate the function that must follow."""
        last = next((line for line in reversed(self._lines) if line.strip() and not line.startswith("#")), "")
        return last.startswith("@")

    def _judge(self, first: str) -> Iterator[Piece]:
        """Yield the statement that the line ends, unless a block of it may follow."""
        state = completeness("\n".join(self._lines)).state
        if state in (State.COMPLETE, State.WRONG) and first not in _MAY_GO_ON:
            yield from self.finish()
        else:
            self._waiting = True


def pieces(text: str) -> list[Piece]:
    """Return the entries of a whole text: one for all statements between two commands."""
    lines = text.split("\n")
    if not any(is_command(line) for line in lines):
        return [Piece(text, False)] if text.strip() else []
    splitter, found = Splitter(), list[Piece]()
    for line in lines:
        found += splitter.feed(line)
    found += splitter.finish()
    joined: list[Piece] = []
    for piece in found:
        if joined and not piece.is_command and not joined[-1].is_command:
            joined[-1] = Piece(f"{joined[-1].text}\n{piece.text}", False)
        else:
            joined.append(piece)
    return joined

"""From running code back to the text: code objects, frames and their spans."""

from __future__ import annotations

import sys
from collections.abc import Container
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from gradcli.lang.source import Source, Span

if TYPE_CHECKING:
    from gradcli.lang.compiling import Unit

Position = tuple[int | None, int | None, int | None, int | None]


class Places:
    """Knows the sources whose code runs in ``namespace``, by the file names of their code objects.

    ``order`` are those that have run, one after the other; ``given`` the names whose values come from the command line.
    """

    def __init__(self, namespace: dict[str, Any], order: list[Unit]) -> None:
        self.namespace = namespace
        self.order = order
        self.given: Container[str] = ()
        self.units: dict[str, Unit] = {}
        self._positions: dict[CodeType, list[Position]] = {}

    def add(self, unit: Unit) -> None:
        """Remember a unit before its code runs."""
        self.units[unit.source.name] = unit

    def locate(self, code: CodeType | None, lasti: int) -> tuple[Source, Span] | None:
        """Return source and span of an instruction; the whole line where Python kept no columns; None outside gx."""
        if code is None or code.co_filename not in self.units:
            return None
        source = self.units[code.co_filename].source
        line, end_line, column, end_column = self._position(code, lasti)
        if line is None or not 1 <= line <= len(source.starts):
            return None
        if end_line is None or column is None or end_column is None:
            return source, source.line_span(line)
        return source, source.span_of_bytes(line, column, end_line, end_column)

    def _position(self, code: CodeType, lasti: int) -> Position:
        """Return Python's position; a code object's table is read once, since each read walks all of it."""
        positions = self._positions.get(code)
        if positions is None:
            positions = self._positions[code] = list(code.co_positions())
        index = lasti // 2
        return positions[index] if 0 <= index < len(positions) else (None, None, None, None)

    def frames(self, trace: TracebackType | None) -> list[tuple[FrameType, int]]:
        """Return the script's frames of a traceback with their instructions, outermost first."""
        found = []
        while trace is not None:
            if trace.tb_frame.f_globals is self.namespace:
                found.append((trace.tb_frame, trace.tb_lasti))
            trace = trace.tb_next
        return found

    def current(self) -> tuple[FrameType, int] | None:
        """Return the script's innermost running frame with its instruction."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_globals is not self.namespace:
            frame = frame.f_back
        return None if frame is None else (frame, frame.f_lasti)

    def running_line(self, source: Source) -> int | None:
        """Return the line of ``source`` that is running now, of its own statements: outside of what they call."""
        found = None
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_globals is self.namespace and frame.f_code.co_filename == source.name:
                found = frame
            frame = frame.f_back
        place = None if found is None else self.locate(found.f_code, found.f_lasti)
        return None if place is None else place[1].end_line

    def expectation_of_caller(self) -> tuple[Source, int] | None:
        """Return the ``#>`` that watches a line which is running now, innermost first."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_globals is self.namespace and frame.f_code.co_filename in self.units:
                unit = self.units[frame.f_code.co_filename]
                place = self.locate(frame.f_code, frame.f_lasti)
                lines = () if place is None else (place[1].end_line, place[1].line)
                for index, item in islice(enumerate(unit.expectations), None):
                    if item.line in lines:
                        return unit.source, index
            frame = frame.f_back
        return None

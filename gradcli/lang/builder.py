"""The one place that makes Python nodes: each gets the place of the gx text it came from, so none can be without."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from gradcli.lang.diagnostic import GxError, syntax_error
from gradcli.lang.nodes.base import Node
from gradcli.lang.parser import parse_part
from gradcli.lang.source import Source

PythonNode = TypeVar("PythonNode", bound=ast.AST)


class Placed(Protocol):
    """Anything with an extent in the source: a node, a token, an ``Extent``."""

    start: int
    end: int


class Extent:
    """A piece of the source between two nodes, such as the first part of a chain."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Builder:
    """Turns the nodes of one source into Python nodes; ``expectations`` maps lines to the ``#>`` that watches them."""

    def __init__(self, source: Source, expectations: Mapping[int, int] | None = None) -> None:
        self.source = source
        self.expectations = expectations or {}
        self.leaves: dict[str, tuple[int, int]] = {}
        self.inputs: dict[str, tuple[int, int]] = {}
        self.checks: list[tuple[str, Placed, Placed]] = []
        self.class_names: set[str] = set()  # attributes of the script's own classes

    def emit(self, root: Node) -> Any:
        """Turn ``root`` and all below it into Python, children first, with a stack of our own."""
        todo: list[tuple[Any, bool]] = [(root, False)]
        done: list[Any] = []
        while todo:
            item, complete = todo.pop()
            if complete:
                first = len(done) - len(item.children)
                done[first:] = [item.emit(self, *done[first:])]
            elif isinstance(item, Node):
                todo.append((item, True))
                todo.extend((child, False) for child in reversed(item.children))
            else:
                done.append(item)
        return done[0]

    def __call__(self, kind: type[PythonNode], where: Placed, **fields: Any) -> PythonNode:
        """Return a Python node of ``kind`` at the place of ``where`` (Python counts columns from 0, in UTF-8 bytes)."""
        line, column = self.source.byte_place(where.start)
        end_line, end_column = self.source.byte_place(where.end)
        make: Any = kind  # its constructor takes any field, which the type of a bare node doesn't say
        made: PythonNode = make(
            lineno=line, col_offset=column, end_lineno=end_line, end_col_offset=end_column, **fields
        )
        return made

    def name(self, where: Placed, name: str, store: bool = False) -> ast.Name:
        """Return a use of ``name``; helpers of the language have names with a dot, which no script can spell."""
        return self(ast.Name, where, id=name, ctx=ast.Store() if store else ast.Load())

    def constant(self, where: Placed, value: Any) -> ast.Constant:
        """Return a constant."""
        return self(ast.Constant, where, value=value)

    def helper(self, where: Placed, name: str, *arguments: ast.expr) -> ast.Call:
        """Return a call of the language's own helper ``.name``."""
        return self(ast.Call, where, func=self.name(where, f".{name}"), args=list(arguments), keywords=[])

    def target(self, where: Placed, expression: ast.expr) -> ast.expr:
        """Turn an expression into the target of an assignment; raises for what can't be assigned to."""
        pending: list[ast.expr] = [expression]
        while pending:
            part = pending.pop()
            if isinstance(part, ast.Tuple | ast.List):
                pending.extend(part.elts)
            elif isinstance(part, ast.Starred):
                pending.append(part.value)
            elif not isinstance(part, ast.Name | ast.Attribute | ast.Subscript):
                raise self._no_target(part)
            elif isinstance(part, ast.Attribute):
                part.value = self.helper(where, "owner", part.value)
            part.ctx = ast.Store()
        return expression

    def part(self, start: int, end: int) -> ast.expr:
        """Parse and emit a piece of the source of its own, such as the inside of an f-string's braces."""
        expression: ast.expr = self.emit(parse_part(self.source, start, end))
        return expression

    def single(self, where: Placed, value: ast.expr) -> ast.expr:
        """Return ``value``, which stands alone: a starred one would spread into whatever is called with it."""
        if isinstance(value, ast.Starred):
            raise self.error(where, "stray-star", "`*` has a meaning only inside a list, a tuple or a call")
        return value

    def text(self, where: Placed) -> str:
        """Return the source text of ``where``."""
        return self.source.text[where.start : where.end]

    def place_of(self, node: ast.expr | ast.stmt) -> Extent:
        """Return the extent of the source that a Python node came from."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        span = self.source.span_of_bytes(node.lineno, node.col_offset, end_line, end_column)
        offset = self.source.offset
        return Extent(offset(span.line, span.column), offset(span.end_line, span.end_column))

    def expectation(self, where: Placed) -> int | None:
        """Return the number of the ``#>`` comment on the line where ``where`` ends, if there is one."""
        return self.expectations.get(self.source.place(where.end)[0]) if self.expectations else None

    def watched(self, where: Placed, helper: str, value: ast.expr) -> ast.expr:
        """Return ``value``, shown to the ``#>`` comment on the line where ``where`` ends, if there is one."""
        number = self.expectation(where)
        return value if number is None else self.helper(where, helper, self.constant(where, number), value)

    def assigned(self, where: Placed, value: ast.expr) -> ast.expr:
        """Return ``value`` of an assignment, watched where that is the last statement on its line."""
        rest = self.source.text[where.end :].partition("\n")[0].lstrip() if self.expectations else ""
        return value if rest[:1] not in ("", "#") else self.watched(where, "assigned", value)

    def error(self, where: Placed, code: str, message: str, **more: Any) -> GxError:
        """Return a syntax error at ``where``."""
        return syntax_error(self.source, where.start, where.end, code, message, **more)

    def _no_target(self, part: ast.expr) -> GxError:
        place = self.place_of(part)
        text = self.text(place)
        shown = f"`{text}`" if len(text) <= 40 else "this expression"
        help = "to compare, write `==`" if isinstance(part, ast.Constant | ast.Compare | ast.BinOp) else None
        return self.error(place, "not-a-target", f"{shown} can't be assigned to", help=help)

"""The entries of an interactive session, read as text: which value one shows, and which earlier values it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gradcli.lang.compiling import Unit

OUT = "Out"


def shows_value(unit: Unit) -> bool:
    """Tell whether the last statement of ``unit``, not compiled yet, is an expression that no ``;`` silences."""
    body = unit.tree.body
    return bool(body) and isinstance(body[-1], ast.Expr) and not _after(unit, body[-1]).startswith(";")


def _after(unit: Unit, statement: ast.stmt) -> str:
    """Return the text behind a statement, blanks left out."""
    return unit.source.text[_extent(unit, statement)[1] :].lstrip(" \t")


def _extent(unit: Unit, node: ast.stmt | ast.expr) -> tuple[int, int]:
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    span = unit.source.span_of_bytes(node.lineno, node.col_offset, end_line, end_column)
    return unit.source.offset(span.line, span.column), unit.source.offset(span.end_line, span.end_column)


class ResultPlace(NamedTuple):
    """Where the last statement of an entry starts, as an offset, and the line it ends on."""

    start: int
    last_line: int


def result_place(unit: Unit) -> ResultPlace:
    """Return where the statement stands that gives an entry's value."""
    last = unit.tree.body[-1]
    return ResultPlace(_extent(unit, last)[0], last.end_lineno or last.lineno)


class Uses(NamedTuple):
    """The results that an entry uses: places of short names with the number meant, all numbers, or simply all."""

    places: list[tuple[int, int, int]]
    numbers: set[int]
    everything: bool


def uses_of_results(unit: Unit, meant: Mapping[str, int], out: bool) -> Uses:
    """Return which results ``unit`` uses, by the names of ``meant`` or, with ``out``, as ``Out[n]``."""
    found = Uses([], set(), False)
    for name in [name for scope in unit.names.scopes for name in scope.used]:
        if name.id in meant and name.id not in unit.names.script.bound:
            start, end = _extent(unit, name)
            found.places.append((start, end, meant[name.id]))
            found.numbers.add(meant[name.id])
    if not out:
        return found
    keys = {id(node.value): node.slice for node in ast.walk(unit.tree) if isinstance(node, ast.Subscript)}
    names = [node for node in ast.walk(unit.tree) if isinstance(node, ast.Name) and node.id == OUT]
    constants = [key.value for name in names if isinstance(key := keys.get(id(name)), ast.Constant)]
    found.numbers.update(key for key in constants if isinstance(key, int))
    return found._replace(everything=len(constants) < len(names))


def watchable_lines(unit: Unit) -> set[int]:
    """Return the lines at which a ``#>`` compares just what was printed there.

    At the end of an expression it compares the expression's value too. Inside of a block nobody saw that value, so
    there only calls of ``print``, which have none, and lines without such an end can be watched.
    """
    unclear = {node.end_lineno for node in _inner_expressions(unit.tree) if not _is_print(node.value)}
    return set(range(1, len(unit.source.starts) + 1)) - unclear


def _inner_expressions(tree: ast.Module) -> Iterator[ast.Expr]:
    """Yield the expression statements inside of blocks and functions."""
    for statement in tree.body:
        if not isinstance(statement, ast.Expr):
            yield from (node for node in ast.walk(statement) if isinstance(node, ast.Expr))


def _is_print(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print"

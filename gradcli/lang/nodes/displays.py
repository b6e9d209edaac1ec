"""Tuples, lists, dicts and comprehensions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder


class TupleDisplay(Node):
    """``a, b`` and ``()``."""

    __slots__ = ()

    def emit(self, at: Builder, *elements: ast.expr) -> ast.expr:
        return at(ast.Tuple, self, elts=list(elements), ctx=ast.Load())


class ListDisplay(Node):
    """``[a, b]``."""

    __slots__ = ()

    def emit(self, at: Builder, *elements: ast.expr) -> ast.expr:
        return at(ast.List, self, elts=list(elements), ctx=ast.Load())


class Starred(Node):
    """``*a`` among the elements of a list or tuple."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> ast.expr:
        return at(ast.Starred, self, value=value, ctx=ast.Load())


class DictDisplay(Node):
    """``{key: value}``."""

    __slots__ = ()

    def emit(self, at: Builder, *pairs: tuple[ast.expr | None, ast.expr]) -> ast.expr:
        return at(ast.Dict, self, keys=[key for key, _ in pairs], values=[value for _, value in pairs])


class Pair(Node):
    """``key: value`` of a dict."""

    __slots__ = ()

    def emit(self, at: Builder, key: ast.expr, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        return key, value


class SpreadPair(Node):
    """``**other`` of a dict."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> tuple[None, ast.expr]:
        return None, value


class ListComprehension(Node):
    """``[f(x) for x in values]``."""

    __slots__ = ()

    def emit(self, at: Builder, element: ast.expr, *clauses: Any) -> ast.expr:
        return at(ast.ListComp, self, elt=element, generators=generators(clauses))


class DictComprehension(Node):
    """``{k: v for k, v in pairs}``."""

    __slots__ = ()

    def emit(self, at: Builder, pair: tuple[ast.expr, ast.expr], *clauses: Any) -> ast.expr:
        return at(ast.DictComp, self, key=pair[0], value=pair[1], generators=generators(clauses))


class GeneratorExpression(Node):
    """``(f(x) for x in values)``."""

    __slots__ = ()

    def emit(self, at: Builder, element: ast.expr, *clauses: Any) -> ast.expr:
        return at(ast.GeneratorExp, self, elt=element, generators=generators(clauses))


class ForClause(Node):
    """``for x in values`` of a comprehension."""

    __slots__ = ()

    def emit(self, at: Builder, target: ast.expr, iterable: ast.expr) -> ast.comprehension:
        return ast.comprehension(target=at.target(self, target), iter=iterable, ifs=[], is_async=0)


class IfClause(Node):
    """``if test`` of a comprehension."""

    __slots__ = ()

    def emit(self, at: Builder, test: ast.expr) -> ast.expr:
        return test


class TargetTuple(Node):
    """``a, b`` between ``for`` and ``in``."""

    __slots__ = ()

    def emit(self, at: Builder, *targets: ast.expr) -> ast.expr:
        return at(ast.Tuple, self, elts=list(targets), ctx=ast.Load())


class StarredTarget(Node):
    """``*rest`` between ``for`` and ``in``."""

    __slots__ = ()

    def emit(self, at: Builder, target: ast.expr) -> ast.expr:
        return at(ast.Starred, self, value=target, ctx=ast.Load())


def generators(clauses: tuple[Any, ...]) -> list[ast.comprehension]:
    """Give each condition to the ``for`` before it."""
    result: list[ast.comprehension] = []
    for clause in clauses:
        if isinstance(clause, ast.comprehension):
            result.append(clause)
        else:
            result[-1].ifs.append(clause)
    return result

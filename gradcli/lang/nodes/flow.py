"""Scripts, blocks and the statements that steer them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node
from gradcli.lang.nodes.statements import ExpressionStatement

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder


class Script(Node):
    """A whole script. The values of its own expression statements are handed to the session."""

    __slots__ = ()

    def emit(self, at: Builder, *statements: Any) -> ast.Module:
        for node, statement in zip(self.children, statements, strict=True):
            if isinstance(node, ExpressionStatement):
                offsets = at.constant(node, node.start), at.constant(node, node.end)
                statement.value = at.helper(node, "keep", statement.value, *offsets)
        return ast.Module(body=flat(statements), type_ignores=[])


class LoneExpression(Node):
    """One expression that is a source of its own."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> ast.expr:
        return at.single(self, value)


class Block(Node):
    """The statements below a header."""

    __slots__ = ()

    def emit(self, at: Builder, *statements: Any) -> list[ast.stmt]:
        return flat(statements)


class IfStatement(Node):
    """``if test:`` with its ``elif`` and ``else``."""

    __slots__ = ()

    def emit(self, at: Builder, test: ast.expr, body: list[ast.stmt], *rest: Any) -> ast.stmt:
        *others, orelse = rest
        orelse = orelse or []
        for other in reversed(others):
            other.orelse = orelse
            orelse = [other]
        return at(ast.If, self, test=test, body=body, orelse=orelse)

    def __init__(self, children: list[Any], start: int, end: int) -> None:
        super().__init__(children, start, end)
        self.depth += len(children) - 3


class ElifClause(Node):
    """``elif test:``."""

    __slots__ = ()

    def emit(self, at: Builder, test: ast.expr, body: list[ast.stmt]) -> ast.stmt:
        return at(ast.If, self, test=test, body=body, orelse=[])


class ElseClause(Node):
    """``else:``."""

    __slots__ = ()

    def emit(self, at: Builder, body: list[ast.stmt]) -> list[ast.stmt]:
        return body


class WhileStatement(Node):
    """``while test:``."""

    __slots__ = ()

    def emit(self, at: Builder, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt] | None) -> ast.stmt:
        return at(ast.While, self, test=test, body=body, orelse=orelse or [])


class ForStatement(Node):
    """``for x in values:``."""

    __slots__ = ()

    def emit(
        self, at: Builder, target: ast.expr, values: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt] | None
    ) -> ast.stmt:
        store = at.target(self.children[0], target)
        # what goes wrong in the statement itself is what it loops over
        return at(ast.For, self.children[1], target=store, iter=values, body=body, orelse=orelse or [])


class WithStatement(Node):
    """``with no_grad():``."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: Any) -> ast.stmt:
        *items, body = parts
        return at(ast.With, self.children[0], items=items, body=body)


class WithItem(Node):
    """``context as name`` of a ``with``."""

    __slots__ = ()

    def emit(self, at: Builder, context: ast.expr, target: ast.expr | None) -> ast.withitem:
        store = at.target(self.children[1], target) if target is not None else None
        return ast.withitem(context_expr=context, optional_vars=store)


def flat(statements: Any) -> list[ast.stmt]:
    """Join statements and lists of statements: one of gx may become several of Python's."""
    result: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, list):
            result += statement
        else:
            result.append(statement)
    return result

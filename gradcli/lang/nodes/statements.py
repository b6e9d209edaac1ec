"""Simple statements."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.asserting import Asserted, conjuncts
from gradcli.lang.nodes.base import Node
from gradcli.lang.nodes.operators import BINARY, GUARDED, plain_is_safe

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder, Placed
    from gradcli.lang.lexer import Token


class ExpressionStatement(Node):
    """An expression for its effect; a ``#>`` on its last line makes its value something to compare."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> ast.stmt:
        return at(ast.Expr, self, value=at.watched(self, "expect", at.single(self, value)))


class Assignment(Node):
    """``a = b = value``; a ``#>`` behind it is compared with the value, where names alone are assigned."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: ast.expr) -> ast.stmt:
        *targets, value = parts
        if all(isinstance(target, ast.Name) for target in targets):
            value = at.assigned(self, value)
        stores = [at.target(node, target) for node, target in zip(self.children, targets, strict=False)]
        return at(ast.Assign, self, targets=stores, value=value)


class Augment(Node):
    """The operator of an augmented assignment."""

    __slots__ = ()

    def emit(self, at: Builder, operator: Token) -> str:
        return operator.text[:-1]


class AugmentedAssignment(Node):
    """``x += y``. Where the operator is guarded, the guard is called and the target's parts are evaluated once.

    A ``#>`` behind it is compared with what a name has then.
    """

    __slots__ = ()

    def emit(self, at: Builder, target: ast.expr, operator: str, value: ast.expr) -> list[ast.stmt]:
        statement = self._statement(at, target, operator, value)
        if not isinstance(target, ast.Name) or at.expectation(self) is None:
            return [statement]
        return [statement, at(ast.Expr, self, value=at.assigned(self, at.name(self.children[0], target.id)))]

    def _statement(self, at: Builder, target: ast.expr, operator: str, value: ast.expr) -> ast.stmt:
        if not isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            raise at.error(
                self.children[0], "not-a-target", f"`{at.text(self.children[0])}` can't be changed by `{operator}=`"
            )
        if operator not in GUARDED or plain_is_safe(operator, target, value):
            at.target(self.children[0], target)
            return at(ast.AugAssign, self, target=target, op=BINARY[operator](), value=value)
        load, store = _load_and_store(at, self.children[0], target)
        result = at.helper(self, f"i{GUARDED[operator]}", load, value)
        return at(ast.Assign, self, targets=[store], value=result)


def _load_and_store(at: Builder, where: Placed, target: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Return the target as a value that remembers its object and index, and as a place that uses what it remembers.

    Python evaluates the right side first, so ``x[f()] *= 2`` becomes
    ``.object[.index] = .imul((.object := x)[(.index := f())], 2)``.
    """
    if isinstance(target, ast.Name):
        return target, at.name(where, target.id, store=True)
    if isinstance(target, ast.Attribute):
        owner = _remember(at, where, ".object", at.helper(where, "owner", target.value))
        part = at(ast.Attribute, where, value=owner, attr=target.attr, ctx=ast.Load())
        return part, at(ast.Attribute, where, value=at.name(where, ".object"), attr=target.attr, ctx=ast.Store())
    assert isinstance(target, ast.Subscript)
    owner = _remember(at, where, ".object", target.value)
    index = _remember(at, where, ".index", _as_value(at, where, target.slice))
    load = at(ast.Subscript, where, value=owner, slice=index, ctx=ast.Load())
    store = at(ast.Subscript, where, value=at.name(where, ".object"), slice=at.name(where, ".index"), ctx=ast.Store())
    return load, store


def _remember(at: Builder, where: Placed, name: str, value: ast.expr) -> ast.expr:
    return at(ast.NamedExpr, where, target=at.name(where, name, store=True), value=value)


def _as_value(at: Builder, where: Placed, index: ast.expr) -> ast.expr:
    """Return an index without slice syntax, which can't be kept in a variable."""
    if isinstance(index, ast.Slice):
        bounds = (index.lower, index.upper, index.step)
        return at.helper(where, "slice", *(bound or at.constant(where, None) for bound in bounds))
    if isinstance(index, ast.Tuple):
        index.elts = [_as_value(at, where, element) for element in index.elts]
    return index


class PassStatement(Node):
    """``pass``."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.stmt:
        return at(ast.Pass, self)


class BreakStatement(Node):
    """``break``."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.stmt:
        return at(ast.Break, self)


class ContinueStatement(Node):
    """``continue``."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.stmt:
        return at(ast.Continue, self)


class ReturnStatement(Node):
    """``return value``."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr | None) -> ast.stmt:
        return at(ast.Return, self, value=value)


class AssertStatement(Node):
    """``assert test, message``: on failure the values of the test's parts are handed over with their texts.

    The operands of ``and`` are tested one by one, so that the failure points at the one that does not hold.
    """

    __slots__ = ()

    def emit(self, at: Builder, test: ast.expr, message: ast.expr | None) -> ast.stmt:
        tests = conjuncts(at, test)
        statements = []
        for part in tests:
            where = at.place_of(part) if len(tests) > 1 else self.children[0]
            asserted = Asserted(at, 0)
            statements.append(asserted.failure(where, asserted.take_apart(part), message))
        for before, after in pairwise(statements):
            before.orelse = [after]
        return statements[0]


class DelStatement(Node):
    """``del a, b[i]``."""

    __slots__ = ()

    def emit(self, at: Builder, targets: ast.expr) -> ast.stmt:
        parts: list[Any] = targets.elts if isinstance(targets, ast.Tuple) else [targets]
        for part in parts:
            if not isinstance(part, ast.Name | ast.Subscript | ast.Attribute):
                raise at.error(
                    self, "not-a-target", f"`{at.text(self.children[0])}` can't be deleted", help="`del` takes names"
                )
            if isinstance(part, ast.Attribute):
                part.value = at.helper(self, "owner", part.value)
            part.ctx = ast.Del()
        return at(ast.Delete, self, targets=parts)


class GlobalStatement(Node):
    """``global a, b``."""

    __slots__ = ()

    def emit(self, at: Builder, *names: Token) -> ast.stmt:
        return at(ast.Global, self, names=[name.text for name in names])


class NonlocalStatement(Node):
    """``nonlocal a, b``."""

    __slots__ = ()

    def emit(self, at: Builder, *names: Token) -> ast.stmt:
        return at(ast.Nonlocal, self, names=[name.text for name in names])

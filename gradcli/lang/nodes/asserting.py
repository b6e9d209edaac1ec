"""What an ``assert`` becomes: its test, taken apart so that a failure can show the value of each part."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from gradcli.lang.nodes.operators import COMPARE

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder, Placed

_MOST_OPERANDS = 40
_REDUCTIONS = ("all", "any")
_SYMBOLS = {kind: text for text, kind in COMPARE.items()}


class Part(NamedTuple):
    """A part of the test: its source text (empty for one that says nothing new) and the name that keeps its value."""

    text: str
    name: str


class Asserted:
    """The parts of one test, and what is asserted of them.

    ``relation`` says it in words of the script: ``==``, ``allclose``, ``isfinite``, ``not ...``; with ``all`` or
    ``any`` in front where a reduction stands around an elementwise one. ``options`` are keywords by name.
    """

    def __init__(self, at: Builder, count: int) -> None:
        self._at = at
        self._count = count
        self.parts: list[Part] = []
        self.options: dict[str, str] = {}
        self.relation = ""

    def named(self, value: ast.expr, shown: bool = True) -> ast.expr:
        """Give ``value`` a name that keeps it, and return what computes it."""
        if isinstance(value, ast.Starred | ast.GeneratorExp | ast.Lambda):
            return value
        place = self._at.place_of(value)
        name = f".part{self._count + len(self.parts) + len(self.options)}"
        self.parts.append(Part(self._at.text(place) if shown and not isinstance(value, ast.Constant) else "", name))
        return self._at(ast.NamedExpr, place, target=self._at.name(place, name, store=True), value=value)

    def take_apart(self, test: ast.expr) -> ast.expr:
        """Name the parts of ``test`` and return it with them in place."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            self.relation += _SYMBOLS[type(test.ops[0])]
            test.left = self.named(test.left)
            test.comparators = [self.named(test.comparators[0])]
        elif isinstance(test, ast.Call):
            self._call(test)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.relation += "not "
            test.operand = self.take_apart(test.operand)
        elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and not self.relation:
            self.relation = "or"
            test.values = [self._alternative(value) for value in test.values]
        elif isinstance(test, ast.Name | ast.Attribute | ast.Subscript):
            return self.named(test)
        return test

    def _alternative(self, value: ast.expr) -> ast.expr:
        """Name the parts of one side of an ``or``: when it fails, all of them have been computed."""
        inner = Asserted(self._at, self._count + len(self.parts))
        value = inner.take_apart(value)
        self.parts += inner.parts
        return value

    def _call(self, call: ast.Call) -> None:
        function, inner = call.func, call.args[0] if len(call.args) == 1 else None
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in _REDUCTIONS and isinstance(function, ast.Attribute) and _is_test(function.value):
            self.relation += name + " "
            function.value = self.take_apart(function.value)
            return
        if name in _REDUCTIONS and inner is not None and _is_test(inner):
            self.relation += name + " "
            call.args = [self.take_apart(inner)]
            return
        self.relation += name
        if isinstance(function, ast.Attribute):
            function.value = self.named(function.value)
        call.args = [self.named(argument) for argument in call.args]
        for keyword in call.keywords:
            if keyword.arg is not None and not isinstance(keyword.value, ast.Lambda | ast.GeneratorExp):
                keyword.value = self._option(keyword.arg, keyword.value)

    def _option(self, word: str, value: ast.expr) -> ast.expr:
        named = self.named(value, shown=False)
        if isinstance(named, ast.NamedExpr):
            self.options[word] = self.parts.pop().name
        return named

    def failure(self, where: Placed, test: ast.expr, message: ast.expr | None) -> ast.If:
        """Return ``if not test: .failed(message, relation, texts, values, options)``."""
        at = self._at
        texts = at(ast.Tuple, where, elts=[at.constant(where, part.text) for part in self.parts], ctx=ast.Load())
        values = at(ast.Tuple, where, elts=[at.name(where, part.name) for part in self.parts], ctx=ast.Load())
        options = at(
            ast.Dict,
            where,
            keys=[at.constant(where, word) for word in self.options],
            values=[at.name(where, name) for name in self.options.values()],
        )
        said = message or at.constant(where, None)
        failed = at.helper(where, "failed", said, at.constant(where, self.relation), texts, values, options)
        holds = at(ast.UnaryOp, where, op=ast.Not(), operand=test)
        return at(ast.If, where, test=holds, body=[at(ast.Expr, where, value=failed)], orelse=[])


def _is_test(value: ast.expr) -> bool:
    """Tell whether ``value`` is an elementwise test: a comparison, or a call such as ``isfinite(x)``."""
    if isinstance(value, ast.Compare):
        return len(value.ops) == 1
    function = value.func if isinstance(value, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", "")) in ("isfinite", "isnan", "isinf", "isclose", "eq")


def conjuncts(at: Builder, test: ast.expr) -> list[ast.expr]:
    """Return the tests that must all hold: the operands of ``and``, the pairs of a chain ``a < b < c``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and len(test.values) <= _MOST_OPERANDS:
        return [part for value in test.values for part in conjuncts(at, value)]
    if isinstance(test, ast.Compare) and 1 < len(test.ops) <= _MOST_OPERANDS:
        return _links(at, test)
    return [test]


def _links(at: Builder, chain: ast.Compare) -> list[ast.expr]:
    """Return ``a < (.link0 := b)`` and ``.link0 < c``: what stands in the middle is computed once."""
    links: list[ast.expr] = []
    left = chain.left
    for k, (operator, right) in enumerate(zip(chain.ops, chain.comparators, strict=True)):
        start, place = at.place_of(left), at.place_of(right)
        place.start, end = start.start, place.end
        name, last = f".link{k}", k == len(chain.ops) - 1
        here = at.place_of(right)
        kept = right if last else at(ast.NamedExpr, here, target=at.name(here, name, store=True), value=right)
        place.end = end
        links.append(at(ast.Compare, place, left=left, ops=[operator], comparators=[kept]))
        left = at.name(here, name)
    return links

"""Operators. Chains of equal rank are one node with many children, so that long sums need no deep recursion."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder, Placed
    from gradcli.lang.lexer import Token

CHUNK = 50
BINARY: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "@": ast.MatMult,
    "**": ast.Pow,
    "^": ast.Pow,
    "&": ast.BitAnd,
    "|": ast.BitOr,
}
GUARDED = {"*": "mul", "%": "mod", "@": "matmul", "**": "pow", "^": "pow"}
UNARY: dict[str, type[ast.unaryop]] = {"-": ast.USub, "+": ast.UAdd, "~": ast.Invert}
COMPARE: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    ">": ast.Gt,
    "<=": ast.LtE,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
    "in": ast.In,
    "not in": ast.NotIn,
    "is": ast.Is,
    "is not": ast.IsNot,
}


def binary(at: Builder, where: Placed, operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Return ``left operator right``: Python's operator where it is safe, else the guarded one of ``guards``."""
    if operator in GUARDED and not plain_is_safe(operator, left, right):
        return at.helper(where, GUARDED[operator], left, right)
    return at(ast.BinOp, where, left=left, op=BINARY[operator](), right=right)


def plain_is_safe(operator: str, left: ast.expr, right: ast.expr) -> bool:
    """Tell whether literals alone rule out repetition, formatting and numbers that grow without end."""
    if _small(left) and _small(right) and operator != "@":
        return True
    if operator == "*":
        return _is_float(left) or _is_float(right)
    if operator == "%":
        return isinstance(left, ast.Constant) and type(left.value) in (int, float)
    return operator in ("**", "^") and isinstance(left, ast.Constant) and type(left.value) is float


def _is_float(operand: ast.expr) -> bool:
    if isinstance(operand, ast.UnaryOp):
        operand = operand.operand
    return isinstance(operand, ast.Constant) and type(operand.value) in (float, complex)


def _small(operand: ast.expr) -> bool:
    value: Any = operand.value if isinstance(operand, ast.Constant) else None
    return type(value) in (int, float) and 0 <= value < 64


class Chain(Node, abstract=True):
    """Operands and operators by turns, read from the left."""

    __slots__ = ()

    def __init__(self, children: list[Any], start: int, end: int) -> None:
        super().__init__(children, start, end)
        self.depth += min(self.operators(len(children)), CHUNK)

    @staticmethod
    def operators(count: int) -> int:
        return count // 2

    def chain(self, at: Builder, operators: list[str], operands: list[ast.expr], nodes: list[Node]) -> ast.expr:
        """Nest the operations to the left; beyond CHUNK of them the value so far gets a hidden name.

        ``a + b + ...`` of n terms is n levels deep for Python's compiler, which gives up at about a thousand.
        """
        segments: list[ast.expr] = []
        value = operands[0]
        for index, operator in enumerate(operators):
            if index and index % CHUNK == 0:
                segments.append(at(ast.NamedExpr, self, target=at.name(self, ".chain", store=True), value=value))
                value = at.name(self, ".chain")
            value = binary(at, _Extent(self.start, nodes[index + 1].end), operator, value, operands[index + 1])
        if not segments:
            return value
        parts = at(ast.Tuple, self, elts=[*segments, value], ctx=ast.Load())
        return at(ast.Subscript, self, value=parts, slice=at.constant(self, len(segments)), ctx=ast.Load())


class _Extent:
    """The part of a chain up to one of its operands."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Sum(Chain):
    """``a + b - c``."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: Any) -> ast.expr:
        return self.chain(at, [token.text for token in parts[1::2]], list(parts[::2]), self.children[::2])


class Product(Chain):
    """``a * b / c``, and ``//``, ``%``, ``@``."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: Any) -> ast.expr:
        return self.chain(at, [token.text for token in parts[1::2]], list(parts[::2]), self.children[::2])


class BitOr(Chain):
    """``a | b``."""

    __slots__ = ()

    @staticmethod
    def operators(count: int) -> int:
        return count - 1

    def emit(self, at: Builder, *operands: ast.expr) -> ast.expr:
        return self.chain(at, ["|"] * (len(operands) - 1), list(operands), self.children)


class BitAnd(Chain):
    """``a & b``."""

    __slots__ = ()

    @staticmethod
    def operators(count: int) -> int:
        return count - 1

    def emit(self, at: Builder, *operands: ast.expr) -> ast.expr:
        return self.chain(at, ["&"] * (len(operands) - 1), list(operands), self.children)


class Power(Node):
    """``a ** b`` and ``a ^ b``."""

    __slots__ = ()

    def emit(self, at: Builder, base: ast.expr, exponent: ast.expr) -> ast.expr:
        return binary(at, self, "**", base, exponent)


class UnaryOperation(Node):
    """``-a``, ``+a``, ``~a``."""

    __slots__ = ()

    def emit(self, at: Builder, sign: Token, operand: ast.expr) -> ast.expr:
        return at(ast.UnaryOp, self, op=UNARY[sign.text](), operand=operand)


class NotOperation(Node):
    """``not a``."""

    __slots__ = ()

    def emit(self, at: Builder, operand: ast.expr) -> ast.expr:
        return at(ast.UnaryOp, self, op=ast.Not(), operand=operand)


class Conjunction(Node):
    """``a and b``."""

    __slots__ = ()

    def emit(self, at: Builder, *operands: ast.expr) -> ast.expr:
        return at(ast.BoolOp, self, op=ast.And(), values=list(operands))


class Disjunction(Node):
    """``a or b``."""

    __slots__ = ()

    def emit(self, at: Builder, *operands: ast.expr) -> ast.expr:
        return at(ast.BoolOp, self, op=ast.Or(), values=list(operands))


class Comparator(Node):
    """``<``, ``not in``, ``is``, ...."""

    __slots__ = ()

    def emit(self, at: Builder, *words: Token) -> ast.cmpop:
        return COMPARE[" ".join(word.text for word in words)]()


class Comparison(Node):
    """``a < b <= c``."""

    __slots__ = ()

    def emit(self, at: Builder, first: ast.expr, *rest: Any) -> ast.expr:
        return at(ast.Compare, self, left=first, ops=list(rest[::2]), comparators=list(rest[1::2]))


class Conditional(Node):
    """``a if test else b``."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr, test: ast.expr, otherwise: ast.expr) -> ast.expr:
        return at(ast.IfExp, self, test=test, body=value, orelse=otherwise)

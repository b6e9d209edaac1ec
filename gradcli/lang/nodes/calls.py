"""What follows a value: attributes, calls, subscripts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node
from gradcli.lang.nodes.displays import generators

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token


class Attribute(Node):
    """``x.grad``."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr, name: Token) -> ast.expr:
        return at(ast.Attribute, self, value=value, attr=name.text, ctx=ast.Load())


class Call(Node):
    """``f(a, *b, c=d, **e)``."""

    __slots__ = ()

    def emit(self, at: Builder, function: ast.expr, *arguments: Any) -> ast.expr:
        given = [argument for argument in arguments if argument is not None]
        keywords = [argument for argument in given if isinstance(argument, ast.keyword)]
        self._check_order(at, given)
        positional = [argument for argument in given if not isinstance(argument, ast.keyword)]
        return at(ast.Call, self, func=function, args=positional, keywords=keywords)

    def _check_order(self, at: Builder, given: list[Any]) -> None:
        """Refuse what Python refuses: a positional argument after a keyword, a keyword twice, a bare generator."""
        seen: set[str] = set()
        named = False
        for argument, node in zip(given, self.children[1:], strict=True):
            if isinstance(argument, ast.keyword):
                if argument.arg in seen:
                    raise at.error(node, "repeated-argument", f"the argument `{argument.arg}` is given twice")
                named = True
                seen.add(argument.arg or "")
                seen.discard("")
            elif named and not isinstance(argument, ast.Starred):
                message = "an argument without a name can't follow one with a name"
                raise at.error(node, "argument-order", message, help="move it to the front, or give it its name")
            elif isinstance(node, GeneratorArgument) and len(given) > 1:
                raise at.error(node, "bare-generator", "a generator among other arguments needs its own brackets")


class KeywordArgument(Node):
    """``name=value`` of a call."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token, value: ast.expr) -> ast.keyword:
        return at(ast.keyword, self, arg=name.text, value=value)


class StarredArgument(Node):
    """``*values`` of a call."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> ast.expr:
        return at(ast.Starred, self, value=value, ctx=ast.Load())


class SpreadArgument(Node):
    """``**options`` of a call."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> ast.keyword:
        return at(ast.keyword, self, arg=None, value=value)


class GeneratorArgument(Node):
    """``f(x) for x in values`` as the only argument of a call."""

    __slots__ = ()

    def emit(self, at: Builder, element: ast.expr, *clauses: Any) -> ast.expr:
        return at(ast.GeneratorExp, self, elt=element, generators=generators(clauses))


class Subscript(Node):
    """``x[i]``."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr, index: ast.expr) -> ast.expr:
        return at(ast.Subscript, self, value=value, slice=index, ctx=ast.Load())


class SubscriptTuple(Node):
    """``i, j`` between square brackets."""

    __slots__ = ()

    def emit(self, at: Builder, *indices: ast.expr) -> ast.expr:
        return at(ast.Tuple, self, elts=list(indices), ctx=ast.Load())


class SliceRange(Node):
    """``a:b:c`` between square brackets."""

    __slots__ = ()

    def emit(self, at: Builder, lower: ast.expr | None, upper: ast.expr | None, step: ast.expr | None) -> ast.expr:
        return at(ast.Slice, self, lower=lower, upper=upper, step=step)

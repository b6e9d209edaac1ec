"""Functions: ``def``, ``lambda``, their parameters and decorators."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token

# Python 3.12 added type parameters to the node; older versions don't know the field.
_MORE: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


class DefStatement(Node):
    """``def f(a, b=1, *rest, key=2, **more):``."""

    __slots__ = ()

    def emit(
        self,
        at: Builder,
        name: Token,
        parameters: ast.arguments | None,
        annotation: ast.expr | None,
        body: list[ast.stmt],
    ) -> ast.stmt:
        return at(
            ast.FunctionDef,
            self,
            name=name.text,
            args=parameters or no_parameters(),
            body=body,
            decorator_list=[],
            returns=None,
            type_comment=None,
            **_MORE,
        )


class Decorated(Node):
    """A function with decorators."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: Any) -> ast.stmt:
        *decorators, function = parts
        function.decorator_list = decorators
        result: ast.stmt = function
        return result


class Decorator(Node):
    """``@value`` above a ``def``."""

    __slots__ = ()

    def emit(self, at: Builder, value: ast.expr) -> ast.expr:
        return value


class LambdaExpression(Node):
    """``lambda a, b=1: value``."""

    __slots__ = ()

    def emit(self, at: Builder, parameters: ast.arguments | None, body: ast.expr) -> ast.expr:
        return at(ast.Lambda, self, args=parameters or no_parameters(), body=body)


class Parameters(Node):
    """A parameter list; each part says what it is by (kind, name, default)."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: tuple[str, ast.arg | None, ast.expr | None]) -> ast.arguments:
        result = no_parameters()
        seen: set[str] = set()
        state = "positional"
        for node, (kind, argument, default) in zip(self.children, parts, strict=True):
            if argument is not None and argument.arg in seen:
                raise at.error(node, "repeated-parameter", f"two parameters are called `{argument.arg}`")
            if state == "end" or (kind in ("many", "bare") and state != "positional"):
                raise at.error(node, "parameter-order", f"`{at.text(node)}` can't follow what is before it")
            seen.add(argument.arg if argument else "")
            state = {"plain": state, "many": "keyword", "bare": "keyword", "keywords": "end"}[kind]
            self._add(at, node, result, kind, argument, default, state)
        if parts[-1][0] == "bare":
            raise at.error(self.children[-1], "parameter-order", "after `*` a parameter is missing")
        return result

    def _add(
        self,
        at: Builder,
        node: Node,
        result: ast.arguments,
        kind: str,
        argument: ast.arg | None,
        default: ast.expr | None,
        state: str,
    ) -> None:
        """Put one parameter into its list."""
        if kind == "many":
            result.vararg = argument
        elif kind == "keywords":
            result.kwarg = argument
        elif argument is not None and state == "keyword":
            result.kwonlyargs.append(argument)
            result.kw_defaults.append(default)
        elif argument is not None:
            if default is None and result.defaults:
                message = f"`{argument.arg}` has no default but follows a parameter that has one"
                raise at.error(node, "parameter-order", message)
            result.args.append(argument)
            result.defaults += [default] if default is not None else []


class TypedParameters(Parameters):
    """The parameter list of a ``def``: its annotations have no effect."""

    __slots__ = ()


class Parameter(Node):
    """``name`` or ``name=default``."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token, *more: ast.expr | None) -> tuple[str, ast.arg, ast.expr | None]:
        return "plain", at(ast.arg, name, arg=name.text), more[-1]


class TypedParameter(Parameter):
    """``name``, ``name: kind``, ``name=default`` or ``name: kind = default``."""

    __slots__ = ()


class Annotation(Node):
    """``: kind`` behind a parameter: read over."""

    __slots__ = ()

    def emit(self, at: Builder, kind: ast.expr) -> None:
        return None


class ManyParameter(Node):
    """``*rest``."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token, annotation: None = None) -> tuple[str, ast.arg, None]:
        return "many", at(ast.arg, name, arg=name.text), None


class TypedManyParameter(ManyParameter):
    """``*rest`` or ``*rest: kind``."""

    __slots__ = ()


class KeywordsOnly(Node):
    """``*`` alone: what follows is given by name."""

    __slots__ = ()

    def emit(self, at: Builder) -> tuple[str, None, None]:
        return "bare", None, None


class KeywordsParameter(Node):
    """``**more``."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token, annotation: None = None) -> tuple[str, ast.arg, None]:
        return "keywords", at(ast.arg, name, arg=name.text), None


class TypedKeywordsParameter(KeywordsParameter):
    """``**more`` or ``**more: kind``."""

    __slots__ = ()


def no_parameters() -> ast.arguments:
    """Return an empty parameter list."""
    return ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])

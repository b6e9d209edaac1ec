"""Imports: they bind names that the language knows already, and load nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang import importable
from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder, Placed
    from gradcli.lang.lexer import Token


class DottedName(Node):
    """``a.b.c`` of an import."""

    __slots__ = ()

    def emit(self, at: Builder, *names: Token) -> str:
        return ".".join(name.text for name in names)


class ImportStatement(Node):
    """``import a, b.c as d``."""

    __slots__ = ()

    def emit(self, at: Builder, *parts: ast.stmt) -> list[ast.stmt]:
        return list(parts)


class Imported(Node):
    """``a.b`` binds ``a``; ``a.b as c`` binds ``c`` to ``a.b``."""

    __slots__ = ()

    def emit(self, at: Builder, module: str, name: Token | None) -> ast.stmt:
        if module in importable.ANNOTATIONS:
            return at(ast.Pass, self)
        check(at, self.children[0], module)
        if name is not None:
            return bind(at, self, name.text, module)
        first = module.partition(".")[0]
        return bind(at, self, first, first)


class FromStatement(Node):
    """``from a.b import c, d as e``."""

    __slots__ = ()

    def emit(self, at: Builder, module: str, *parts: Any) -> list[ast.stmt]:
        if module in importable.ANNOTATIONS:
            return [at(ast.Pass, self)]
        check(at, self.children[0], module)
        statements: list[ast.stmt] = []
        for node, part in zip(self.children[1:], parts, strict=True):
            if part is None:
                continue
            member, name = part
            path = f"{module}.{member.text}"
            if not importable.exists(path):
                help = importable.suggestion(path)
                raise at.error(node, "unknown-import", f"`{module}` has no `{member.text}`", help=help)
            statements.append(bind(at, node, (name or member).text, path))
        return statements or [at(ast.Pass, self)]


class ImportedName(Node):
    """``c as d`` of a ``from``."""

    __slots__ = ()

    def emit(self, at: Builder, member: Token, name: Token | None) -> tuple[Token, Token | None]:
        return member, name


class Everything(Node):
    """``from torch import *``: all of it is there without being imported."""

    __slots__ = ()

    def emit(self, at: Builder) -> None:
        return None


def check(at: Builder, where: Placed, module: str) -> None:
    """Raise for a module that scripts can't import."""
    if not importable.exists(module):
        message = f"`{module}` can't be imported: a script reaches only gx's own functions"
        raise at.error(where, "unknown-import", message, help=importable.suggestion(module))


def bind(at: Builder, where: Placed, name: str, path: str) -> ast.stmt:
    """Return ``name = <the known thing at path>``."""
    value = at.helper(where, "import", at.constant(where, path))
    return at(ast.Assign, where, targets=[at.name(where, name, store=True)], value=value)

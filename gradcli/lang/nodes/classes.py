"""``class``: a custom rule, a subclass of ``torch.autograd.Function`` with its static methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token

# Python 3.12 added type parameters to the node; older versions don't know the field.
_MORE: dict[str, Any] = {"type_params": []} if "type_params" in ast.ClassDef._fields else {}
_MEMBERS = (ast.FunctionDef, ast.Assign, ast.Pass)


class ClassStatement(Node):
    """``class Name(base):`` with functions and plain assignments in its block.

    Which bases there are is decided when the class is made (``guards.build_class``), by what the expression gives.
    """

    __slots__ = ()

    def emit(self, at: Builder, name: Token, base: ast.expr, body: list[ast.stmt]) -> ast.stmt:
        for statement in body:
            if not isinstance(statement, _MEMBERS) and not _is_text(statement):
                raise at.error(
                    at.place_of(statement),
                    "class-body",
                    "the block of a class holds functions and assignments only",
                    help="put other statements below the class",
                )
        at.class_names |= {target for statement in body for target in _assigned(statement)}
        made = at(ast.ClassDef, self, name=name.text, bases=[base], keywords=[], body=body, decorator_list=[], **_MORE)
        return made


def _is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a text that describes the class."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _assigned(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a class's block makes attributes of the class."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]

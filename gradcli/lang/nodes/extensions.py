"""What gx adds to Python: ``leaf``, ``input`` and ``check``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradcli.lang.nodes.base import Node
from gradcli.lang.nodes.strings import split_prefix, string_value

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token


class LeafStatement(Node):
    """``leaf w = value``: a float tensor that requires grad."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token, value: ast.expr) -> ast.stmt:
        at.leaves[name.text] = (name.start, name.end)
        return declaration(at, self, "leaf", name, value)


class InputStatement(Node):
    """``input v = value``: a constant that may be replaced from outside."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token, value: ast.expr) -> ast.stmt:
        at.inputs[name.text] = (name.start, name.end)
        return declaration(at, self, "input", name, value)


class CheckStatement(Node):
    """``check "title":``: its block runs under a guard that reports a failed assertion and lets the script go on.

    Whoever runs the script may leave checks out, so the block is entered only where it is wanted.
    """

    __slots__ = ()

    def emit(self, at: Builder, title: Token, body: list[ast.stmt]) -> ast.stmt:
        if "f" in split_prefix(title.text)[0].lower():
            raise at.error(title, "check-title", "the title of a check can't be an f-string")
        words = string_value(at, title, title.text)
        at.checks.append((words, self, title))
        offsets = at.constant(title, self.start), at.constant(title, title.end)
        guard = at.helper(title, "check", at.constant(title, words), *offsets)
        block = at(ast.With, self, items=[ast.withitem(context_expr=guard, optional_vars=None)], body=body)
        wanted = at.helper(title, "wanted", at.constant(title, self.start))
        return at(ast.If, self, test=wanted, body=[block], orelse=[])


def declaration(at: Builder, node: Node, kind: str, name: Token, value: ast.expr) -> ast.stmt:
    """Return ``name = .kind("name", value)``; a value given from outside spares the script's own."""
    text = at.constant(name, name.text)
    given = at(
        ast.IfExp,
        node,
        test=at.helper(name, "is_given", text),
        body=at.helper(name, "given", text),
        orelse=value,
    )
    made = at.assigned(node, at.helper(node, kind, text, given))
    return at(ast.Assign, node, targets=[at.name(name, name.text, store=True)], value=made)

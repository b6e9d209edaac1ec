"""A script as Python text: what it is compiled from, for other engines to run.

The helpers of the language are called ``gx_...`` there: ``gx_leaf(name, value)``, ``gx_pow(a, b)``, ...
"""

from __future__ import annotations

import ast
from typing import Any

from gradcli.lang.compiling import read_unit
from gradcli.lang.source import Source

PREFIX = "gx_"


def python_text(source: Source, indirect: bool = False) -> str:
    """Return the Python text of a script; GxError where it can't be read.

    With ``indirect``, methods and attributes are reached through ``gx_method(x, "sum", ...)`` and ``gx_attribute(x,
    "T")``: an engine whose arrays have others can give them a meaning.
    """
    tree: ast.Module = read_unit(source).tree
    tree = _Helpers().visit(tree)
    if indirect:
        tree = _Indirect().visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


class _Helpers(ast.NodeTransformer):
    """Gives the helpers names that can be written."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id.startswith("."):
            node.id = PREFIX + node.id[1:]
        return node


class _Indirect(ast.NodeTransformer):
    """Turns methods and attributes into calls."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        self.generic_visit(node)
        if isinstance(function, ast.Attribute):
            # its owner was visited as an attribute just now: take it out of the call that became of it
            made: Any = node.func
            owner, name = made.args
            node.args = [owner, name, *node.args]
            node.func = ast.Name(id=f"{PREFIX}method", ctx=ast.Load())
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        name = ast.Name(id=f"{PREFIX}attribute", ctx=ast.Load())
        return ast.Call(func=name, args=[node.value, ast.Constant(node.attr)], keywords=[])

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node  # a rule belongs to the engine that it was written for

"""Whether an entry can change anything but its own names: then the values of the session need not be copied before.

The answer is yes for whatever is not known to leave values alone: what is not an operation, user functions, attributes
and elements that are set.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from gradcli.lang.builtin_functions import safe_builtins
from gradcli.lang.compiling import Unit
from gradcli.ops.namespaces import Namespace
from gradcli.ops.registry import INDEX

_CHANGES = (ast.AugAssign, ast.Global, ast.Nonlocal, ast.ClassDef, ast.Delete)
_HELPERS_THAT_CHANGE = (".imul", ".ipow", ".imod", ".imatmul")
_HARMLESS = {
    *("item", "tolist", "detach", "size", "dim", "numel", "numpy", "keys", "items", "values", "get", "count", "index"),
    *("join", "lower", "upper", "strip", "split", "startswith", "endswith", "replace", "find", "name", "print"),
    *("no_grad", "enable_grad", "inference_mode", "set_grad_enabled", "manual_seed", "load", "set_printoptions"),
    *("set_default_dtype", "get_default_dtype", "is_grad_enabled"),
}
_OF_LISTS = {"add", "sort", "update", "clear", "pop", "remove", "insert", "append", "extend", "discard", "reverse"}
_WORDS_THAT_CHANGE = ("out", "inplace")


def may_change_values(unit: Unit, namespace: Mapping[str, Any]) -> bool:
    """Tell whether running ``unit`` could write into a value that ``namespace`` holds."""
    return any(_changes(node, unit, namespace) for node in ast.walk(unit.tree))


def _changes(node: ast.AST, unit: Unit, namespace: Mapping[str, Any]) -> bool:
    if isinstance(node, _CHANGES):
        return True
    if isinstance(node, ast.Attribute | ast.Subscript):
        writes = isinstance(node, ast.Attribute) and (node.attr.endswith("_") or node.attr == "backward")
        return writes or not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load) and _acts(namespace.get(node.id))
    if isinstance(node, ast.keyword):
        return node.arg in _WORDS_THAT_CHANGE
    return isinstance(node, ast.Call) and not _is_harmless(node.func)


def _acts(value: Any) -> bool:
    """Tell whether a value of the session's is one that does something when it is used as a function."""
    return callable(value) and not isinstance(value, Namespace)


def _is_harmless(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        name = function.id
        if name.startswith("."):
            return name not in _HELPERS_THAT_CHANGE
    elif isinstance(function, ast.Attribute):
        name = function.attr
        if name in _OF_LISTS:
            return False
    else:
        return False
    if name.endswith("_") or name in ("grad", "backward"):
        return False
    known = f"torch.{name}" in INDEX or f"Tensor.{name}" in INDEX or f"torch.nn.functional.{name}" in INDEX
    return known or name in _HARMLESS or (isinstance(function, ast.Name) and name in safe_builtins())

"""The kind of a value in a line: what :type and :vars show."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from gradcli.autograd import Node, Tensor
from gradcli.cli.repl.show import brief, signature_of
from gradcli.lang.guards import describe_type

_LONGEST = 60


def described(value: Any) -> str:
    """Return the kind of a value with what matters of it: shape, dtype, its part in a graph."""
    if isinstance(value, Tensor):
        return f"tensor {tuple(value.shape)} {value.dtype.name}, {_part_in_graph(value)}"
    if isinstance(value, Node):
        return f"node {value.name()} of a graph, made from {sum(p is not None for p in value.parents)} recorded inputs"
    if isinstance(value, FunctionType):
        return f"function {signature_of(value)}"
    if isinstance(value, list | tuple | set | dict):
        return f"{type(value).__name__} of {len(value)}{_kinds(value)}"
    return f"{describe_type(value).removeprefix('a ').removeprefix('an ')}{_shown(value)}"


def _part_in_graph(value: Tensor) -> str:
    if not value.requires_grad:
        return "no grad"
    if value.is_leaf:
        return "leaf that requires grad"
    assert value.grad_fn is not None
    return f"made by {value.grad_fn.name()}"


def _kinds(value: Any) -> str:
    """Return the kinds of the items of a list where they are all the same."""
    items = list(value.values() if isinstance(value, dict) else value)
    kinds = {"tensors" if isinstance(item, Tensor) else f"{type(item).__name__} values" for item in items[:1000]}
    return f" {kinds.pop()}" if len(kinds) == 1 else ""


def _shown(value: Any) -> str:
    if not isinstance(value, bool | int | float | complex | str):
        return ""
    try:
        text = brief(value)
    except ValueError:
        return " of thousands of digits"
    return f" {text}" if len(text) <= _LONGEST else f" of {len(text)} characters"

"""One small class for each rule of ``gx.lark``: its fields and what it becomes in Python, together."""

from gradcli.lang.nodes import (
    atoms,
    calls,
    classes,
    definitions,
    displays,
    extensions,
    flow,
    imports,
    operators,
    statements,
    strings,
)
from gradcli.lang.nodes.base import NODE_CLASSES, Node

__all__ = [
    "NODE_CLASSES",
    "Node",
    "atoms",
    "calls",
    "classes",
    "definitions",
    "displays",
    "extensions",
    "flow",
    "imports",
    "operators",
    "statements",
    "strings",
]

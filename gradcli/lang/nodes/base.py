"""What all nodes share. A node is a rule of the grammar that was recognised; it knows how to become Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder

NODE_CLASSES: dict[str, type[Node]] = {}  # by rule name


class Node:
    """A piece of a script: its children in source order (nodes, tokens, or None for an absent part) and its extent.

    A subclass is named after its rule and has one method, ``emit(at, *parts)``: ``parts`` are the children, nodes
    already turned into Python, and name the rule's fields; ``at`` builds Python nodes with this node's place.
    """

    __slots__ = ("children", "depth", "end", "start")
    levels: ClassVar[int] = 1

    def __init_subclass__(cls, abstract: bool = False) -> None:
        if not abstract:
            NODE_CLASSES[re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()] = cls

    def __init__(self, children: list[Any], start: int, end: int) -> None:
        self.children = children
        self.start = start
        self.end = end
        deepest = 0
        for child in children:
            if child is not None and child.depth > deepest:
                deepest = child.depth
        self.depth: int = deepest + self.levels

    def emit(self, at: Builder, *parts: Any) -> Any:
        """Return the Python node (or nodes) that this node means."""
        raise NotImplementedError(type(self).__name__)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.children))})"

"""The order in which leaves are reached where somebody looks: each as soon as its gradient is complete.

A plain pass reaches a leaf when its sequence number comes up, which nobody can tell without a hook on a leaf. Where
there is one, the pass counts the edges into each hooked leaf first and runs it at the last arrival, as PyTorch does.
"""

from __future__ import annotations

import weakref
from heapq import heapify
from typing import Any

from gradcli.autograd.backward import Edge, Pass, special
from gradcli.autograd.node import AccumulateGrad, Node

_hooked: dict[int, weakref.ref[Any]] = {}


class OrderedPass(Pass):
    """A backward pass that knows its roots and runs hooked leaves early."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.roots: list[Node] = []
        self.left: dict[Node, int] | None = None
        self.reach: set[Node] | None = None
        self.shared: dict[Any, Any] = {}  # what hooks over several tensors keep for this pass

    def seed(self, edge: Edge, g: Any) -> None:
        """Let ``g`` arrive at an output's edge."""
        self.roots.append(edge[0])
        Pass.arrive(self, edge[0], edge[1], g)

    def arrive(self, node: Node, nr: int, g: Any) -> None:
        """Add ``g`` to what is pending; a hooked leaf for which this is the last contribution runs at once."""
        hooked = isinstance(node, AccumulateGrad) and (node.variable._hooks is not None or node.rare is not None)
        if not hooked:
            super().arrive(node, nr, g)
            return
        if self.left is None:
            self.left = self.count()
        self.left[node] = left = self.left.get(node, 1) - 1
        if left > 0 or node in self.pending:
            super().arrive(node, nr, g)
        if left > 0:
            return
        if node in self.pending:
            g = self.pending.pop(node)
            self.heap.remove((-node.seq, node))
            heapify(self.heap)
        self.failing = node
        self.step(node, g)
        self.failing = None

    def reachable(self) -> set[Node]:
        """Return the nodes that this pass runs, as far as each gradient is there."""
        if self.reach is None:
            self.reach = seen = set(self.roots)
            stack = list(seen)
            while stack:
                fresh = [p for p in stack.pop().parents if p is not None and p not in seen and self.runs(p)]
                seen.update(fresh)
                stack.extend(fresh)
        return self.reach

    def runs(self, node: Node) -> bool:
        """Return whether a node that is reached also runs."""
        return self.needed is None or node in self.needed

    def count(self) -> dict[Node, int]:
        """Return the number of edges into each leaf."""
        counts: dict[Node, int] = {}
        for node in self.reachable():
            for parent in node.parents:
                if parent.__class__ is AccumulateGrad and self.runs(parent):
                    counts[parent] = counts.get(parent, 0) + 1
        return counts


def look(hooks: Any) -> None:
    """Let passes be ordered from now on, as long as ``hooks`` lives."""
    key = id(hooks)

    def gone(_: Any) -> None:
        _hooked.pop(key, None)
        if not _hooked and OrderedPass in special:
            special.remove(OrderedPass)

    if key not in _hooked:
        _hooked[key] = weakref.ref(hooks, gone)
        if OrderedPass not in special:
            special.append(OrderedPass)

"""The backward loop: cotangents flow from the outputs to the leaves, latest recorded node first.

Every node is younger than the nodes it points at, so a heap ordered by falling ``seq`` is a topological order: when a
node is taken, all that flows into it has arrived. There is no recursion and no dependency count; broadcasting and dtype
promotion are undone here, once, for all rules.
"""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from typing import Any

import numpy as np

from gradcli.autograd.blocks import LARGE, in_blocks
from gradcli.autograd.errors import Detail, detail_of
from gradcli.autograd.gradients import accumulate, alone
from gradcli.autograd.lifted import NeedsLoop, arriving
from gradcli.autograd.mode import mode
from gradcli.autograd.node import AccumulateGrad, Node, freed
from gradcli.autograd.record import user, users
from gradcli.autograd.shapes import fit_array
from gradcli.autograd.tensor import Tensor

Edge = tuple[Node, int]


class Pass:
    """One backward pass: what is pending, what is captured, and whether the pass itself is recorded."""

    captures: dict[Edge, list[int]] | None = None
    captured: dict[int, Any]
    needed: set[Node] | None = None
    targets: set[Node] | frozenset[Node] = frozenset()
    failing: Node | None = None  # the node of a chain whose rule raised

    def __init__(
        self,
        *,
        retain: bool,
        graph: bool,
        captures: dict[Edge, list[int]] | None = None,
        needed: set[Node] | None = None,
    ) -> None:
        self.retain = retain
        self.graph = graph
        self.pending: dict[Node, Any] = {}
        self.heap: list[tuple[int, Node]] = []
        self.owned: set[Node] = set()
        if captures is not None:
            self.captures, self.needed, self.captured = captures, needed, {}
            self.targets = {node for node, _ in captures}

    def seed(self, edge: Edge, g: Any) -> None:
        """Let ``g`` arrive at an output's edge."""
        self.arrive(edge[0], edge[1], g)

    def run(self, node: Node | None = None, g: Any = None) -> None:
        """Take nodes until none is pending. Errors carry the node whose rule failed.

        A single raw ``g`` that arrives at a ``node`` of one output may be given here instead of as a seed.
        """
        before, place = mode.enabled, user.place
        mode.enabled = self.graph
        plain = self.__class__ is Pass  # other kinds look at each step and arrival
        try:
            while node is not None or self.heap:
                if node is None:
                    node = heappop(self.heap)[1]
                    g = self.pending.pop(node)
                last = node
                if plain and node.__class__ is AccumulateGrad and node.rare is None:
                    self.leaf(node, g, 2)
                    node = g = None
                    continue
                if not self.graph and not isinstance(g, Tensor) and (plain or not self.heap):
                    node, g = self.follow(node, g)
                if node is not None:
                    last = node
                    self.step(node, g)
                node = g = None
        except Exception as exception:
            blame(exception, self.failing or last)
            raise
        finally:
            mode.enabled, user.place = before, place

    def follow(self, node: Node, g: Any) -> tuple[Node | None, Any]:
        """Run nodes one after the other as long as the next is younger than all that is pending and nobody looks on.

        Whatever flows into a node is younger than it, so it has all arrived then. Returns the first node that needs the
        general step, with what arrives there, or None. This is the general step without its bookkeeping.
        """
        retain, needed, targets, heap = self.retain, self.needed, self.targets, self.heap
        try:
            while True:
                plan = node.plan
                if node.rare is not None or (targets and node in targets) or (plan is None and not node.forks):
                    return node, g
                if node.saved.__class__ is not tuple:
                    raise freed(node)
                if plan is None:
                    parent, g = self.fork(node, g)
                    if parent is None:
                        return None, None
                else:
                    i, rule, elementwise, frees = plan
                    made = None
                    if elementwise and g.size >= LARGE:
                        fresh = alone(g, 1)
                        made = in_blocks(node, g, fresh)
                    g = rule(node, g) if made is None else made
                    if frees and not retain:
                        node.release()
                    parent = node.parents[i]
                    if g is None or parent is None or (needed is not None and parent not in needed):
                        return None, None
                    if g.shape != parent.shape or g.dtype is not parent.dtype:
                        if parent.multi:
                            nr = 0 if node.numbers is None else node.numbers[i]
                            self.arrive(parent, nr, fit_array(g, parent.shape[nr], parent.dtype[nr]))
                            return None, None
                        g = fit_array(g, parent.shape, parent.dtype)
                if heap and -heap[0][0] >= parent.seq:
                    self.arrive(parent, 0, g)
                    return None, None
                node = parent
        except Exception:
            self.failing = node
            raise

    def fork(self, node: Node, g: Any) -> tuple[Node | None, Any]:
        """Run a node of several inputs; return the youngest of them with its cotangent, the others' have arrived."""
        grads, needed = node.run(g), self.needed
        if node.frees and not self.retain:
            node.release()
        youngest: Node | None = None
        kept: Any = None
        for i, parent in enumerate(node.parents):
            g = grads[i] if parent is not None else None
            if parent is None or g is None or (needed is not None and parent not in needed):
                continue
            if parent.multi:
                nr = 0 if node.numbers is None else node.numbers[i]
                self.arrive(parent, nr, fit_array(g, parent.shape[nr], parent.dtype[nr]))
                continue
            if g.shape != parent.shape or g.dtype is not parent.dtype:
                g = fit_array(g, parent.shape, parent.dtype)
            if youngest is None:
                youngest, kept = parent, g
            elif parent.seq > youngest.seq:
                self.arrive(youngest, 0, kept)
                youngest, kept = parent, g
            else:
                self.arrive(parent, 0, g)
        return youngest, kept

    def step(self, node: Node, g: Any) -> None:
        """Run one node on what arrived at it."""
        rare = node.rare
        if rare is not None and rare.hooks is not None:
            g = rare.hooks.before(node, g, self)
        if node.__class__ is AccumulateGrad:
            self.leaf(node, g)
            if rare is not None and rare.hooks is not None:
                rare.hooks.after(node, (), g, self)
            return
        if self.captures is not None and not self.capture(node, g):
            return
        saved = node.saved
        if saved.__class__ is not tuple:
            raise freed(node)
        if self.graph or (rare is not None and rare.lifted) or has_tensor(g):
            user.place = (node.code, node.lasti)
            grads = self.on_tensors(node, g if self.graph else as_tensors(g, node.multi))
        elif node.plan is not None and node.plan[2] and g.size >= LARGE and node.rare is None:
            fresh = alone(g, 2)  # held by run and here
            made = in_blocks(node, g, fresh)
            grads = node.run(g) if made is None else (None,) * node.plan[0] + (made,)
        else:
            grads = node.run(g)
        if not self.retain and node.frees:
            node.release()
        if rare is not None and rare.hooks is not None:
            grads = rare.hooks.after(node, grads, g, self)
        self.spread(node, grads)

    def on_tensors(self, node: Node, g: Any) -> Any:
        """Run a node's rule on tensors; sample by sample where it reads plain arrays of a batch."""
        try:
            return node.run_graph(g)
        except NeedsLoop:
            from gradcli.autograd.batched import run_per_sample

            return run_per_sample(node, g)

    def spread(self, node: Node, grads: Any) -> None:
        """Send the cotangents of a node's inputs on, each in the shape and dtype of its input."""
        numbers, needed, graph = node.numbers, self.needed, self.graph
        for i, parent in enumerate(node.parents):
            if parent is None or (needed is not None and parent not in needed):
                continue
            g = grads[i]
            if g is None:
                continue
            nr = 0 if numbers is None else numbers[i]
            shape, dtype = (parent.shape[nr], parent.dtype[nr]) if parent.multi else (parent.shape, parent.dtype)
            if graph or isinstance(g, Tensor):
                g = arriving(g, parent, shape, dtype, graph)
            elif g.shape != shape or g.dtype is not dtype:
                g = fit_array(g, shape, dtype)
            self.arrive(parent, nr, g)

    def arrive(self, node: Node, nr: int, g: Any) -> None:
        """Add ``g`` to what is pending at output ``nr`` of ``node``."""
        known = self.pending.get(node)
        if known is None:
            heappush(self.heap, (-node.seq, node))
            if node.multi:
                slots: list[Any] = [None] * len(node.shape)
                slots[nr] = g
                g = slots
            self.pending[node] = g
        elif node.multi:
            known[nr] = g if known[nr] is None else known[nr] + g
        elif self.graph or node not in self.owned or isinstance(known, Tensor) or isinstance(g, Tensor):
            self.pending[node] = known + g
            if known.shape:  # a sum of 0-d arrays is a NumPy scalar, which cannot be added to in place
                self.owned.add(node)
        else:
            np.add(known, g, known)

    def capture(self, node: Node, g: Any) -> bool:
        """Keep what arrives at the edges asked for; return whether the node must run for others."""
        assert self.captures is not None
        for nr, part in enumerate(g) if node.multi else ((0, g),):
            for index in self.captures.get((node, nr), ()):
                self.captured[index] = part
        return self.needed is None or any(p in self.needed for p in node.parents if p is not None)

    def leaf(self, node: AccumulateGrad, g: Any, holders: int = 3) -> None:
        """Deliver a leaf's gradient: to the caller where it was asked for, else to ``.grad``.

        ``holders`` references lead to ``g`` from here and from who called: those of ``run`` and ``step``.
        """
        hooks = node.variable._hooks
        if hooks is not None:
            g = hooks.before(node.variable, g, self)
        if self.captures is not None:
            for index in self.captures.get((node, 0), ()):
                self.captured[index] = g
            return
        fresh = node.variable._grad is None and alone(g, holders) and g.flags.c_contiguous
        accumulate(node.variable, g, self.graph, fresh)
        if hooks is not None:
            hooks.after(node.variable)


def has_tensor(g: Any) -> bool:
    """Return whether a cotangent of a plain pass is a tensor: a lifted one, which its node's rule must see as it is."""
    return any(isinstance(part, Tensor) for part in g) if g.__class__ is list else isinstance(g, Tensor)


def as_tensors(g: Any, multi: bool) -> Any:
    """Return raw cotangents as tensors, for a node whose rule runs on tensors in a plain pass too."""
    if multi:
        return [as_tensors(part, False) for part in g]
    return g if g is None or isinstance(g, Tensor) else Tensor(np.asarray(g))


special: list[type[Pass]] = []  # kinds of passes that somebody needs now: each adds its part


@cache
def _combined(kinds: tuple[type[Pass], ...]) -> type[Pass]:
    return type("Pass", kinds, {})


def pass_class() -> type[Pass]:
    """Return the class of a backward pass, with the parts that hooks or anomaly mode need at present."""
    return _combined(tuple(dict.fromkeys(special))) if special else Pass


def _raised_by_user(exception: Exception) -> bool:
    trace = exception.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and users(trace.tb_frame)


def blame(exception: Exception, node: Node) -> None:
    """Note on ``exception`` which node's rule failed, once."""
    detail = detail_of(exception)
    if detail is None and _raised_by_user(exception):
        return  # a hook or a custom rule: its own line says more than ours
    if detail is None:
        detail = Detail("backward-failed", f"the rule of {node.name()} failed: {exception}")
        exception.detail = detail  # type: ignore[attr-defined]
    if all(known is not node for known, _ in detail.nodes):
        detail.nodes.insert(0, (node, "backward of this expression failed"))


def needed_nodes(roots: list[Node], targets: set[Node]) -> set[Node]:
    """Return the nodes from which one of ``targets`` is reached, targets included; iterative, oldest first."""
    oldest = min(t.seq for t in targets)
    seen: set[Node] = set(roots)
    stack = list(roots)
    while stack:
        for parent in stack.pop().parents:
            if parent is not None and parent.seq >= oldest and parent not in seen:
                seen.add(parent)
                stack.append(parent)
    needed = targets & seen
    for node in sorted(seen, key=lambda n: n.seq):
        if node not in needed and any(p in needed for p in node.parents if p is not None):
            needed.add(node)
    return needed

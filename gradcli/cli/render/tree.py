"""The grad_fn tree of an output: each node under the one that uses it, with the script's own expression and line.

A node that several others use is drawn once and then referred to; rounds of a loop are folded. The walk keeps its
own stack, so a chain of a million nodes is no deeper for Python than one of three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gradcli.cli.render.chains import Fold, chain_from, fold_of, uses
from gradcli.cli.render.columns import visible, width
from gradcli.cli.terminal import Look, Paint
from gradcli.lang.graph_walk import GraphNode

_MOST_ROWS = 2_000
_DEEPEST = 60
_LONGEST_SOURCE = 60
_WIDEST_LEFT = 72


class _Signs(NamedTuple):
    """The characters a tree is drawn with."""

    fork: str
    last: str
    bar: str
    fold: str
    above: str
    dots: str


_UNICODE = _Signs("├─ ", "└─ ", "│  ", "⋮ ", "↑", "…")
_ASCII = _Signs("|- ", "`- ", "|  ", ": ", "^", "...")


class _Waiting(NamedTuple):
    """A node or a fold still to be drawn: the text before it and the text before what is below it."""

    what: int | Fold
    before: str
    below: str
    depth: int


def draw(nodes: Sequence[GraphNode], look: Look, entries: bool = False) -> str:
    """Return the tree of a graph that ``graph_walk.walk`` gave, with its line end.

    With ``entries`` a place is told by the name of its source too, as a session has many.
    """
    tree = _Tree(nodes, _UNICODE if look.unicode else _ASCII, entries)
    tree.run()
    return tree.text(Paint(look.color))


class _Tree:
    def __init__(self, nodes: Sequence[GraphNode], signs: _Signs, entries: bool = False) -> None:
        self._nodes = nodes
        self._entries = entries
        self._signs = signs
        self._used = uses(nodes)
        self._drawn: set[int] = set()
        self._folds: dict[int, Fold] = {}
        self._chained: set[int] = set()
        self._rows: list[tuple[str, str, str]] = []  # before, left, right
        self._waiting = [_Waiting(0, "", "", 0)] if nodes else []

    def run(self) -> None:
        """Fill the rows, from the root on."""
        while self._waiting:
            if len(self._rows) >= _MOST_ROWS:
                self._rows.append(("", f"{self._signs.dots} the rest of {len(self._nodes):,} nodes is left out", ""))
                return
            here = self._waiting.pop()
            if isinstance(here.what, Fold):
                self._rows.append((here.before, self._signs.fold + here.what.words, ""))
                self._put([here.what.resume], here)
            else:
                self._draw(self._nodes[here.what], here)

    def text(self, paint: Paint) -> str:
        """Return the rows with what is on the right aligned."""
        lefts = [width(before) + width(left) for before, left, _ in self._rows]
        margin = max((left for left in lefts if left <= _WIDEST_LEFT), default=0)
        lines = []
        for (before, left, right), taken in zip(self._rows, lefts, strict=True):
            gap = " " * (max(margin - taken, 0) + 2) if right else ""
            lines.append(paint("frame", before) + left + gap + paint("dim", right))
        return "".join(f"{line}\n" for line in lines)

    def _draw(self, node: GraphNode, here: _Waiting) -> None:
        mark = f" #{node.id}" if self._used[node.id] > 1 else ""
        leaf = f" {visible(node.leaf)}" if node.leaf else ""
        title = f"{node.name}{leaf}"
        if node.id in self._drawn:
            self._rows.append((here.before, f"{title}{mark} {self._signs.above}", ""))
            return
        self._drawn.add(node.id)
        self._rows.append((here.before, f"{title} {_shape(node.shape)}{mark}", self._place(node)))
        below = self._below(node)
        if below and here.depth >= _DEEPEST:
            self._rows.append((here.below, f"{self._signs.dots} deeper nodes are left out", ""))
        else:
            self._put(below, here)

    def _below(self, node: GraphNode) -> list[int | Fold]:
        """Return what hangs below a node: its inputs, of which the next one of a chain may begin a fold."""
        if node.id not in self._chained and node.op != "leaf":
            chain = chain_from(node.id, self._nodes, self._used)
            fold = fold_of(chain, self._nodes)
            self._chained.update(chain if fold is None else chain[: chain.index(fold[1].resume)])
            if fold is not None:
                self._folds[fold[0]] = fold[1]
        inputs: list[int | Fold] = [i for i in dict.fromkeys(node.inputs) if i is not None]
        fold_here = self._folds.get(node.id)
        if fold_here is None:
            return inputs
        return [i for i in inputs if isinstance(i, int) and self._nodes[i].op == "leaf"] + [fold_here]

    def _put(self, below: Sequence[int | Fold], here: _Waiting) -> None:
        for position, what in enumerate(reversed(below)):
            branch, bar = (self._signs.fork, self._signs.bar) if position else (self._signs.last, "   ")
            self._waiting.append(_Waiting(what, here.below + branch, here.below + bar, here.depth + 1))

    def _place(self, node: GraphNode) -> str:
        if node.span is None or node.source is None:
            return ""
        source = visible(" ".join(node.source.split()))
        if len(source) > _LONGEST_SOURCE:
            source = source[: _LONGEST_SOURCE - len(self._signs.dots)] + self._signs.dots
        return f"{source}  {node.script}:{node.span.line}" if self._entries else f"{source}  line {node.span.line}"


def _shape(shape: Sequence[object]) -> str:
    """Return a shape as Python writes it: (), (3,), (2, 3); several outputs as a list of them."""
    if shape and isinstance(shape[0], list):
        return ", ".join(_shape(part) for part in shape if isinstance(part, list))
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"

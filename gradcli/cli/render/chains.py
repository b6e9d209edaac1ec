"""Long chains of a graph, such as the rounds of a loop: which nodes of them a tree leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from gradcli.lang.graph_walk import GraphNode

_LONGEST_PERIOD = 24
_LEAST_REPEATS = 3
_LONGEST_PLAIN = 24  # a chain that repeats nothing is drawn in full up to here
_ENDS = 8


class Fold(NamedTuple):
    """Nodes left out after a drawn one: how many, what they are, and the node that the drawing goes on with."""

    hidden: int
    words: str
    resume: int


def uses(nodes: Sequence[GraphNode]) -> Counter[int]:
    """Return how many edges lead to each node."""
    return Counter(parent for node in nodes for parent in node.inputs if parent is not None)


def chain_from(start: int, nodes: Sequence[GraphNode], used: Counter[int]) -> list[int]:
    """Return the nodes from ``start`` on that each have one input besides leaves, which nobody else uses."""
    chain = [start]
    while True:
        inner = [i for i in nodes[chain[-1]].inputs if i is not None and nodes[i].op != "leaf"]
        if len(inner) != 1 or used[inner[0]] > 1:
            return chain
        chain.append(inner[0])


def fold_of(chain: Sequence[int], nodes: Sequence[GraphNode]) -> tuple[int, Fold] | None:
    """Return the node after which the first fold of ``chain`` comes, and the fold; None when the chain is short."""
    keys = [_key(nodes[i], nodes) for i in chain]
    for period in range(1, min(_LONGEST_PERIOD, len(keys) // _LEAST_REPEATS) + 1):
        repeats = _repeats(keys, period)
        if repeats >= _LEAST_REPEATS and repeats * period > period + 1:
            hidden = (repeats - 1) * period
            end = period + hidden
            if end == len(chain):  # the last node of the chain carries what follows
                hidden, end = hidden - period, end - period
            what = "like it" if period == 1 else f"nodes: {hidden // period:,} more rounds of these {period}"
            return chain[period - 1], Fold(hidden, f"{hidden:,} more {what}", chain[end])
    if len(chain) > _LONGEST_PLAIN:
        hidden = len(chain) - 2 * _ENDS
        return chain[_ENDS - 1], Fold(hidden, f"{hidden:,} more nodes in a chain", chain[len(chain) - _ENDS])
    return None


def _repeats(keys: Sequence[Any], period: int) -> int:
    """Return how often the first ``period`` keys stand one after another at the start."""
    at = period
    while at < len(keys) and keys[at] == keys[at - period]:
        at += 1
    return at // period


def _key(node: GraphNode, nodes: Sequence[GraphNode]) -> Any:
    leaves = tuple(i if i is None or nodes[i].op == "leaf" else "inner" for i in node.inputs)
    return node.name, node.span, leaves

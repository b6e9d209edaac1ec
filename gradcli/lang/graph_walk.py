"""The grad_fn graph of a tensor as plain data, numbered from its root: what trees and JSON show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd import Tensor
from gradcli.autograd.node import AccumulateGrad, Node
from gradcli.lang.request import numbered
from gradcli.lang.source import Source, Span

Locate = Callable[[CodeType | None, int], "tuple[Source, Span] | None"]
"""Turns the place that a node recorded into a span of the script."""


class GraphNode(NamedTuple):
    """One node: PyTorch's name and our op's, the output's shape, where it was written, and the ids of its inputs.

    ``leaf`` is the name of the leaf that an ``AccumulateGrad`` belongs to; an input is None where it is a constant.
    """

    id: int
    name: str
    op: str
    shape: Any
    span: Span | None
    source: str | None
    script: str | None
    leaf: str | None
    inputs: tuple[int | None, ...]
    saved_bytes: int


def walk(output: Tensor, locate: Locate, leaf_names: Mapping[int, str]) -> list[GraphNode]:
    """Return the nodes that ``output`` was computed by, depth first from the root, each once, inputs in order.

    ``leaf_names`` gives a leaf's name by the id of its tensor. An output without a graph has no nodes.
    """
    if not output.requires_grad:
        return []
    order = numbered(output)
    places: dict[tuple[CodeType | None, int], tuple[Source, Span] | None] = {}
    return [_shown(node, number, order, _locate(node, locate, places), leaf_names) for node, number in order.items()]


def _locate(node: Node, locate: Locate, places: dict[Any, Any]) -> tuple[Source, Span] | None:
    """Return the node's place; a loop makes many nodes at one place, which is resolved once."""
    key = (node.code, node.lasti)
    if key not in places:
        places[key] = locate(node.code, node.lasti)
    place: tuple[Source, Span] | None = places[key]
    return place


def _shown(
    node: Node,
    number: int,
    order: Mapping[Node, int],
    place: tuple[Source, Span] | None,
    leaf_names: Mapping[int, str],
) -> GraphNode:
    leaf = leaf_names.get(id(node.variable)) if isinstance(node, AccumulateGrad) else None
    return GraphNode(
        number,
        node.name(),
        "leaf" if isinstance(node, AccumulateGrad) else op_name(node),
        _plain_shape(node.shape),
        None if place is None else place[1],
        None if place is None else place[0].slice(place[1]),
        None if place is None else place[0].name,
        leaf,
        tuple(None if parent is None else order[parent] for parent in node.parents),
        sum(map(_bytes_of, node.saved)),
    )


def op_name(node: Node) -> str:
    """Return the name of the operation that made ``node``."""
    name: str = getattr(node.primitive, "name", node.name())
    return name


def _plain_shape(shape: Any) -> Any:
    return [_plain_shape(part) if isinstance(part, tuple) else int(part) for part in shape or ()]


def _bytes_of(saved: Any) -> int:
    if isinstance(saved, np.ndarray | Tensor):
        return int(saved.nbytes)
    return sum(map(_bytes_of, saved)) if isinstance(saved, list | tuple) else 0

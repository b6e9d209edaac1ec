"""Nested tuples, lists and dictionaries of tensors: their leaves, and the same nest around other leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a nest, left to right; whatever is no tuple, list or dictionary is a leaf."""
    if isinstance(tree, dict):
        return [leaf for value in tree.values() for leaf in leaves(value)]
    if isinstance(tree, (tuple, list)):
        return [leaf for value in tree for leaf in leaves(value)]
    return [tree]


def rebuilt(tree: Any, values: Iterator[Any]) -> Any:
    """Return the nest of ``tree`` with its leaves taken from ``values``."""
    if isinstance(tree, dict):
        return {key: rebuilt(value, values) for key, value in tree.items()}
    if isinstance(tree, (tuple, list)):
        parts = [rebuilt(value, values) for value in tree]
        if hasattr(tree, "_fields"):
            return type(tree)(*parts)
        return type(tree)(parts)
    return next(values)


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """Return the nest of ``tree`` with ``function`` applied to each leaf."""
    return rebuilt(tree, map(function, leaves(tree)))


def spread(prefix: Any, tree: Any) -> list[Any]:
    """Return for each leaf of ``tree`` the value of ``prefix`` above it: one value for all, or a nest of them."""
    if isinstance(prefix, (tuple, list)) and isinstance(tree, (tuple, list)):
        if len(prefix) != len(tree):
            raise ValueError(f"{len(prefix)} values for {len(tree)} arguments")
        return [v for p, t in zip(prefix, tree, strict=True) for v in spread(p, t)]
    if isinstance(prefix, dict) and isinstance(tree, dict):
        return [v for key, t in tree.items() for v in spread(prefix[key], t)]
    return [prefix] * len(leaves(tree))


def same_nest(one: Any, other: Any) -> bool:
    """Return whether two nests have the same tuples, lists and dictionaries around their leaves."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same_nest(one[k], other[k]) for k in one)
    if isinstance(one, (tuple, list)):
        alike = isinstance(other, (tuple, list)) and len(one) == len(other)
        return alike and all(same_nest(a, b) for a, b in zip(one, other, strict=True))
    return not isinstance(other, (dict, tuple, list))

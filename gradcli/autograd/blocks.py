"""The rule of an elementwise operation on a large array, block by block.

Temporaries of the rule stay in cache that way, and the result takes the memory of the cotangent where nobody else can
see it: on large arrays the time goes into fresh pages of memory, not into arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.autograd.primitive import checked
from gradcli.autograd.tensor import Tensor

if TYPE_CHECKING:
    from gradcli.autograd.node import Node

LARGE = 1 << 15  # from this many elements on it pays
_BLOCK = 1 << 13


def in_blocks(node: Node, g: Any, alone: bool) -> Any:
    """Return the one cotangent of an elementwise ``node``, or None where what it saved cannot be cut into blocks.

    ``alone``: nobody else can see ``g``, so that its memory may take the result.
    """
    order = _order(g)
    if order is None:
        return None
    turned = g.transpose(order)
    flat = turned.reshape(-1) if turned.flags.c_contiguous else np.broadcast_to(g[(0,) * g.ndim], g.size)
    saved = [_kept(node, k, g.shape, order) for k in range(len(node.saved))]
    if any(value is NotImplemented for value, _ in saved):
        return None
    assert node.plan is not None
    rule, part = node.plan[1], node.__class__.__new__(node.__class__)
    part.rare = None
    out: Any = None
    for start in range(0, flat.size, _BLOCK):
        stop = start + _BLOCK
        block = flat[start:stop]
        part.saved = tuple([value if cut is None else cut(value[start:stop]) for value, cut in saved])
        made = rule(part, block)
        if out is None:
            if made is block:  # the rule hands on what it gets
                return g
            if made.__class__ is not np.ndarray or made.shape != block.shape:
                return None
            out = flat if alone and made.dtype is flat.dtype else np.empty(flat.shape, made.dtype)
        out[start:stop] = made
    return out.reshape(turned.shape).transpose(np.argsort(order))


def mapped(function: Callable[[Any], Any], x: Any) -> Any:
    """Return ``function(x)`` of an elementwise function that keeps the dtype, block by block where ``x`` is large."""
    if x.size < LARGE:
        return function(x)
    flat, out = x.reshape(-1), np.empty(x.shape, x.dtype)
    into = out.reshape(-1)
    for start in range(0, flat.size, _BLOCK):
        into[start : start + _BLOCK] = function(flat[start : start + _BLOCK])
    return out


def _order(g: Any) -> tuple[int, ...] | None:
    """Return the order of axes in which ``g`` lies row by row in memory; None where it has gaps.

    An array that repeats one number counts as row by row.
    """
    if g.flags.c_contiguous or not any(g.strides):
        return tuple(range(g.ndim))
    order = tuple(sorted(range(g.ndim), key=lambda axis: -g.strides[axis]))
    return order if g.transpose(order).flags.c_contiguous else None


def _kept(node: Node, k: int, shape: tuple[int, ...], order: tuple[int, ...]) -> tuple[Any, Any]:
    """Return saved value ``k`` and what makes a saved value of a block of it, None where each block has the whole.

    NotImplemented stands for what cannot be cut.
    """
    value, kind = node.saved[k], node.saved_kinds[k]
    if kind == "param" or kind == "number":
        return (value, None) if not getattr(value, "ndim", 0) else (NotImplemented, None)
    cut: Any = Tensor
    if kind == "input" and value.__class__ is Tensor:
        checked(node, k)
        array = value._array
    elif kind == "out" and value.__class__ is np.ndarray:
        array, cut = value, _same
    else:
        return NotImplemented, None
    if array.shape != shape or not array.transpose(order).flags.c_contiguous:
        return NotImplemented, None
    return array.transpose(order).reshape(-1), cut


def _same(block: Any) -> Any:
    return block

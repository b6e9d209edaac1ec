"""Tensors joined: cat, stack and what is made of them; broadcast against each other; grids."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import axis_of
from gradcli.ops.row import T, op, sample
from gradcli.ops.shape import reshape
from gradcli.ops.shaping import Shape, given, shape_of, zeros_for
from gradcli.ops.slices import at, pick, selected


def _joined(*tensors: Any, dim: int, ends: Shape, empty: Shape) -> Any:
    return np.concatenate([t for k, t in enumerate(tensors) if k not in empty] if empty else tensors, axis=dim)


def _parts(g: Any, dim: int, ends: Shape, empty: Shape, needs: tuple[bool, ...]) -> tuple[Any, ...]:
    made = [pick(g, at(dim, slice(a, b))) if need else None
            for (a, b), need in zip(pairwise((0, *ends)), needs, strict=True)]
    for k in empty:  # tensors of shape (0,) may be joined with any others
        made[k] = zeros_for(g, (0,))
    return tuple(made)


def _stacked(*tensors: Any, dim: int) -> Any:
    return np.stack(tensors, axis=dim)


def _layers(g: Any, dim: int, needs: tuple[bool, ...]) -> tuple[Any, ...]:
    return tuple(selected(g, dim, i) if need else None for i, need in enumerate(needs))


cat_primitive: Primitive = Primitive("cat", _joined, _parts, promotes=True, batch=("dim",))
stack_primitive: Primitive = Primitive("stack", _stacked, _layers, promotes=True, batch=("dim",))


def sequence(tensors: Any, what: str) -> list[Any]:
    """Return the tensors of a list or tuple; TypeError for one tensor, ValueError for none."""
    if not isinstance(tensors, (list, tuple)):
        raise error(TypeError, "not-a-sequence", f"{what} takes a list of tensors, got {type(tensors).__name__}",
                    hint=f"{what}([a, b])")
    if not tensors:
        raise error(ValueError, "nothing-to-join", f"{what} needs at least one tensor")
    return [given(t) for t in tensors]


@op("torch.cat", "cat(tensors, dim=0)", names="torch.concat torch.concatenate", numpy_words=True, category="join",
    doc="The tensors one after the other along an existing dimension; dtypes are promoted.",
    formula="each tensor gets its slice of g", conventions="empty tensors of shape (0,) are left out, as in PyTorch",
    examples=("cat([tensor([1., 2.]), tensor([3.])])  #> [1., 2., 3.]",),
    samples=(sample([T(2, 3), T(1, 3)]), sample([T(2), T(0), T(3)]), sample([T(2, 1), T(2, 2)], dim=-1)))
def cat(tensors: Any, dim: int = 0) -> Any:
    """Return the tensors joined along ``dim``; RuntimeError where another dimension differs or one is 0-d."""
    parts = sequence(tensors, "cat")
    shapes = [shape_of(t) for t in parts]
    first = shapes[0]
    if first and first != (0,):
        axis = axis_of(dim, len(first))
        if len({(*s[:axis], -1, *s[axis + 1 :]) if len(s) == len(first) else s for s in shapes}) == 1:
            return cat_primitive(*parts, dim=axis, ends=tuple(accumulate([s[axis] for s in shapes])), empty=())
    if any(not s for s in shapes):
        raise error(RuntimeError, "zero-dim", "cat joins along a dimension, and a 0-d tensor has none",
                    hint="stack() joins 0-d tensors into a new dimension")
    full = [s for s in shapes if s != (0,)] or shapes[:1]
    empty = tuple(k for k, s in enumerate(shapes) if s == (0,) and len(full[0]) > 1)
    axis = axis_of(dim, len(full[0]))
    for k, s in enumerate(full):
        if len(s) != len(full[0]) or any(n != m for i, (n, m) in enumerate(zip(s, full[0], strict=True)) if i != axis):
            raise error(RuntimeError, "shape-mismatch", f"cat along dimension {axis}: tensor {k} has shape "
                        f"{tuple(s)}, tensor 0 has {tuple(full[0])}", hint="all other dimensions must be equal")
    ends = tuple(accumulate(0 if k in empty else s[axis] for k, s in enumerate(shapes)))
    return cat_primitive(*parts, dim=axis, ends=ends, empty=empty)


@op("torch.stack", "stack(tensors, dim=0)", numpy_words=True, category="join",
    doc="Tensors of one shape, joined along a new dimension.", formula="each tensor gets its part of g",
    examples=("stack([tensor([1., 2.]), tensor([3., 4.])])  #> [[1., 2.], [3., 4.]]",),
    samples=(sample([T(2), T(2)]), sample([T(2, 3), T(2, 3)], dim=-1), sample([T(), T(), T()])))
def stack(tensors: Any, dim: int = 0) -> Any:
    """Return the tensors joined along a new dimension; RuntimeError where shapes differ."""
    parts = sequence(tensors, "stack")
    shapes = [shape_of(t) for t in parts]
    for k, s in enumerate(shapes):
        if s != shapes[0]:
            raise error(RuntimeError, "shape-mismatch", f"stack needs tensors of one shape: tensor {k} has shape "
                        f"{tuple(s)}, tensor 0 has {tuple(shapes[0])}")
    return stack_primitive(*parts, dim=axis_of(dim, len(shapes[0]) + 1))


def _grown(tensors: list[Any], ndim: int) -> list[Any]:
    from gradcli.ops.atleast import atleast

    return [atleast(t, ndim) for t in tensors]


@op("torch.hstack", "hstack(tensors)", category="join", doc="The tensors side by side: along the second dimension, "
    "vectors along the first.",
    formula="each tensor gets its slice of g", examples=("hstack([tensor([1.]), tensor([2., 3.])])  #> [1., 2., 3.]",),
    samples=(sample([T(2), T(3)]), sample([T(2, 1), T(2, 2)])))
def hstack(tensors: Any) -> Any:
    """Return the tensors joined by columns; RuntimeError as ``cat``."""
    parts = _grown(sequence(tensors, "hstack"), 1)
    return cat(parts, 0 if len(shape_of(parts[0])) == 1 else 1)


@op("torch.vstack", "vstack(tensors)", names="torch.row_stack", category="join", doc="The tensors on top of each "
    "other, vectors as rows.",
    formula="each tensor gets its slice of g", examples=("vstack([tensor([1., 2.]), tensor([3., 4.])])  #> [[1., 2.], "
                                                         "[3., 4.]]",),
    samples=(sample([T(3), T(3)]), sample([T(1, 3), T(2, 3)])))
def vstack(tensors: Any) -> Any:
    """Return the tensors joined by rows; RuntimeError as ``cat``."""
    return cat(_grown(sequence(tensors, "vstack"), 2), 0)


@op("torch.dstack", "dstack(tensors)", category="join", doc="The tensors behind each other, along the third dimension.",
    formula="each tensor gets its slice of g", examples=("dstack([tensor([1.]), tensor([2.])])  #> [[[1., 2.]]]",),
    samples=(sample([T(2), T(2)]),))
def dstack(tensors: Any) -> Any:
    """Return the tensors joined along the third dimension; RuntimeError as ``cat``."""
    return cat(_grown(sequence(tensors, "dstack"), 3), 2)


@op("torch.column_stack", "column_stack(tensors)", category="join", doc="The tensors side by side, vectors as columns.",
    formula="each tensor gets its slice of g", examples=("column_stack([tensor([1., 2.]), tensor([3., 4.])])  #> "
                                                         "[[1., 3.], [2., 4.]]",),
    samples=(sample([T(3), T(3)]), sample([T(2), T(2, 2)])))
def column_stack(tensors: Any) -> Any:
    """Return the tensors joined by columns; RuntimeError as ``cat``."""
    parts = sequence(tensors, "column_stack")
    return cat([reshape(t, -1, 1) if len(shape_of(t)) < 2 else t for t in parts], 1)

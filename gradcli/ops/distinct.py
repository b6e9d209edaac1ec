"""Distinct elements: of the whole tensor, of slices along a dimension, of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import axis_of
from gradcli.ops.reducing import operand, ordered
from gradcli.ops.row import Lit, T, op, sample

Found = tuple[Any, Any, Any]


def _unique(input: Any) -> Found:
    values, inverse, counts = np.unique(input, return_inverse=True, return_counts=True, equal_nan=False)
    return values, inverse.reshape(input.shape).astype(np.int64), counts.astype(np.int64)


def _unique_dim(input: Any, *, dim: int) -> Found:
    values, inverse, counts = np.unique(input, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    return values, inverse.reshape(-1).astype(np.int64), counts.astype(np.int64)


def _unique_consecutive(input: Any, *, dim: int | None) -> Found:
    """Keep each element (slice along ``dim``) that differs from the one before."""
    lanes = np.reshape(input, (-1, 1)) if dim is None else np.moveaxis(input, dim, 0)
    fresh = np.ones(len(lanes), bool)
    fresh[1:] = (lanes[1:] != lanes[:-1]).any(axis=tuple(range(1, lanes.ndim)))
    starts = np.flatnonzero(fresh)
    inverse = np.cumsum(fresh) - 1
    counts = np.diff(starts, append=len(lanes))
    values = lanes[starts]
    if dim is None:
        return values.reshape(-1), inverse.reshape(input.shape).astype(np.int64), counts.astype(np.int64)
    return np.moveaxis(values, 0, dim), inverse.astype(np.int64), counts.astype(np.int64)


def _words(name: str) -> str:
    return f"!the derivative of {name} is not implemented: how many distinct elements there are changes in jumps"


unique_primitive = Primitive("unique", _unique, _words("unique"), node="Unique2Backward0", multi=True,
    batch="indexing.refused")
unique_dim_primitive = Primitive("unique_dim", _unique_dim, _words("unique"), multi=True, batch="indexing.refused")
consecutive_primitive = Primitive("unique_consecutive", _unique_consecutive, _words("unique_consecutive"), multi=True,
    batch="indexing.refused")


def _chosen(found: Found, inverse: bool, counts: bool) -> Any:
    """Return what was asked for: the values alone, or a tuple."""
    parts = [found[0], *([found[1]] if inverse else []), *([found[2]] if counts else [])]
    return tuple(parts) if len(parts) > 1 else parts[0]


_SETS = (
    sample(Lit([2.0, 1.0, 2.0])),
    sample(Lit([[3, 1], [3, 1]]), dim=0),
    sample(T(4), return_inverse=True),
    sample(Lit([[1, 2], [2, 1]]), return_inverse=True, return_counts=True),
)


@op(
    "torch.unique",
    "unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None)",
    names="Tensor.unique",
    category="sorting/selection",
    doc="The distinct elements in order, or the distinct slices along dim; on request with inverse indices and counts.",
    formula="not differentiable: backward raises",
    conventions="each nan is distinct; the result has a graph all the same",
    examples=(
        "unique(tensor([3., 1., 3.]))  #> [1., 3.]",
        "unique(tensor([3, 1, 3]), return_counts=True)  #> (tensor([1, 3]), tensor([1, 2]))",
    ),
    samples=_SETS,
)
def unique(
    input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return distinct elements, or a tuple with int64 inverse indices and counts; RuntimeError for complex numbers."""
    input = ordered("unique", operand(input))
    if dim is None or not input.ndim:
        return _chosen(unique_primitive(input), return_inverse, return_counts)
    return _chosen(unique_dim_primitive(input, dim=axis_of(dim, input.ndim)), return_inverse, return_counts)


@op(
    "torch.unique_consecutive",
    "unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)",
    names="Tensor.unique_consecutive",
    category="sorting/selection",
    doc="The elements (slices along dim) that differ from the one before; on request with inverse indices and counts.",
    formula="not differentiable: backward raises",
    conventions="the result has a graph all the same",
    examples=("unique_consecutive(tensor([1., 1., 2., 1.]))  #> [1., 2., 1.]",),
    samples=(
        sample(Lit([1.0, 1.0, 2.0, 1.0])),
        sample(Lit([1, 1, 2]), return_counts=True),
        sample(Lit([[1, 1], [1, 1], [0, 1]]), return_inverse=True, dim=0),
    ),
)
def unique_consecutive(
    input: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return the elements without repeats in a row, or a tuple with int64 inverse indices and counts."""
    input = ordered("unique_consecutive", operand(input), NotImplementedError)
    axis = None if dim is None else axis_of(dim, input.ndim)
    return _chosen(consecutive_primitive(input, dim=axis), return_inverse, return_counts)

"""Sorted order: sort, argsort, topk and where values belong in sorted sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of, raw
from gradcli.ops.nth import top_places
from gradcli.ops.reducing import operand, ordered, shape_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.selecting import selection

SortResult, TopkResult = result_type("sort", "values indices"), result_type("topk", "values indices")


def order_of(array: Any, dim: int, descending: bool) -> Any:
    """Return the stable order of ``array`` along ``dim``; nan counts as the largest."""
    if not array.ndim:
        return np.zeros((), np.int64)
    if not descending:
        return np.argsort(array, axis=dim, kind="stable")
    backward = np.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return array.shape[dim] - 1 - np.flip(backward, dim)


def _argsort(input: Any, *, dim: int, descending: bool) -> Any:
    return order_of(input, dim, descending)


def _top(input: Any, *, dim: int, k: int, largest: bool) -> Any:
    return top_places(input, dim, k, largest) if input.ndim else np.zeros((), np.int64)


argsort_primitive = Primitive("argsort", _argsort, None, batch=("dim:lane",))
top_primitive = Primitive("topk_indices", _top, None, batch=("dim:lane",))
sort_primitive, topk_primitive = selection("sort"), selection("topk")


def sorted_pair(input: Any, axis: int, descending: bool) -> tuple[Any, Any]:
    """Return the sorted values (recorded) and where they come from."""
    indices = argsort_primitive(input, dim=axis, descending=descending)
    return sort_primitive(input, indices, dim=axis, shape=shape_of(input)), indices


_LINES = (
    sample(T(5)),
    sample(T(2, 3)),
    sample(T(3, 2), dim=0, descending=True),
    sample(T()),
    sample(T(0)),
    sample(T(2, 3, 2), 1),
    sample(Lit([2.0, 1.0, 2.0]), smooth=False),
)
_ORDER = "stable: equal elements keep their order; nan counts as the largest"


@op(
    "torch.sort",
    "sort(input, dim=-1, descending=False, *, stable=False)",
    names="Tensor.sort",
    numpy_words=True,
    category="sorting/selection",
    doc="The elements in order along dim, as (values, indices).",
    formula="g, put back where the values came from",
    conventions=_ORDER,
    samples=_LINES,
    examples=("sort(tensor([3., 1., 2.])).values  #> [1., 2., 3.]", "sort(tensor([3., 1., 2.])).indices  #> [1, 2, 0]"),
)
def sort(input: Any, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    """Return ``(values, indices)``; RuntimeError for complex numbers, IndexError for a dim that is not there."""
    input = ordered("sort", operand(input))
    return SortResult(sorted_pair(input, axis_of(dim, input.ndim), descending))


@op(
    "torch.msort",
    "msort(input)",
    names="Tensor.msort",
    category="sorting/selection",
    doc="The elements in order along the first dimension.",
    formula="g, put back where the values came from",
    conventions=_ORDER,
    examples=("msort(tensor([[3., 1.], [2., 4.]]))  #> [[2., 1.], [3., 4.]]",),
    samples=(sample(T(4)), sample(T(3, 2)), sample(T())),
)
def msort(input: Any) -> Any:
    """Return ``input`` sorted along dim 0; RuntimeError for complex numbers."""
    return sorted_pair(ordered("msort", operand(input)), 0, False)[0]


@op(
    "torch.argsort",
    "argsort(input, dim=-1, descending=False, *, stable=False)",
    names="Tensor.argsort",
    numpy_words=True,
    category="sorting/selection",
    doc="The indices that put the elements in order along dim.",
    conventions=f"{_ORDER}; the result has no graph",
    samples=_LINES,
    examples=("argsort(tensor([3., 1., 2.]))  #> [1, 2, 0]",),
)
def argsort(input: Any, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    """Return int64 indices; RuntimeError for complex numbers, IndexError for a dim that is not there."""
    input = ordered("argsort", operand(input))
    return argsort_primitive(input, dim=axis_of(dim, input.ndim), descending=descending)


@op(
    "torch.topk",
    "topk(input, k, dim=-1, largest=True, sorted=True)",
    names="Tensor.topk",
    numpy_words=True,
    category="sorting/selection",
    doc="The k largest (or smallest) elements along dim, as (values, indices).",
    formula="g, put back where the values came from",
    conventions="ties as PyTorch's CPU kernel; nan counts as the largest",
    examples=(
        "topk(tensor([3., 1., 2.]), 2).values  #> [3., 2.]",
        "topk(tensor([3., 1., 2.]), 1, largest=False).indices  #> [1]",
    ),
    samples=(
        sample(T(5), 2),
        sample(T(2, 3), 2, -1),
        sample(T(3, 2), 1, dim=0, largest=False),
        sample(T(4), 0),
        sample(T(), 1),
    ),
)
def topk(input: Any, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return ``(values, indices)``; RuntimeError where there are fewer than k elements, or complex ones."""
    input = ordered("topk", operand(input))
    axis, shape = axis_of(dim, input.ndim), shape_of(input)
    k, there = int(k), shape[axis] if shape else 1
    if not 0 <= k <= there:
        raise error(RuntimeError, "k-out-of-range", f"topk cannot take {k} of {there} elements along dim {axis}")
    indices = top_primitive(input, dim=axis, k=k, largest=largest)
    return TopkResult((topk_primitive(input, indices, dim=axis, shape=shape), indices))


# -- places in sorted sequences ---------------------------------------------------------------------------------------
def _side(name: str, right: bool, side: Any) -> str:
    if side not in (None, "left", "right"):
        raise error(RuntimeError, "side", f"{name} takes side='left' or 'right', got {side!r}")
    if side == "left" and right:
        raise error(RuntimeError, "side", f"{name} got side='left' and right=True, which contradict each other")
    return "right" if right or side == "right" else "left"


def _search(sequence: Any, values: Any, *, side: Any, kind: Any) -> Any:
    if sequence.ndim == 1:
        return np.searchsorted(sequence, values, side).astype(kind)
    lanes = sequence.reshape(-1, sequence.shape[-1])
    wanted = values.reshape(len(lanes), -1)
    found = [np.searchsorted(lane, row, side) for lane, row in zip(lanes, wanted, strict=True)]
    return np.array(found, dtype=kind).reshape(values.shape)


search_primitive = Primitive("searchsorted", _search, None, batch=())


@op(
    "torch.searchsorted",
    "searchsorted(sorted_sequence, input, *, right=False, side=None)",
    category="sorting/selection",
    doc="Where each value would be inserted to keep the sequence (its last dimension) sorted.",
    conventions="right=True goes behind equal elements; the result has no graph",
    examples=(
        "searchsorted(tensor([1., 3., 5.]), tensor([2., 3.]))  #> [1, 1]",
        "searchsorted(tensor([1., 3., 5.]), 3, right=True)  #> 2",
    ),
    samples=(sample(Lit([0.0, 1.0, 2.0]), T(4)), sample(Lit([[0.0, 1.0], [-1.0, 2.0]]), T(2, 3), right=True)),
)
def searchsorted(
    sorted_sequence: Any,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: Any = None,
    sorter: Any = None,
) -> Any:
    """Return int64 (int32 with ``out_int32``) places; RuntimeError where the leading dimensions differ."""
    sequence, values = operand(sorted_sequence), operand(input)
    if sorter is not None:
        sequence = Tensor(np.take_along_axis(raw(sequence), raw(operand(sorter)), -1))
    lead = shape_of(sequence)[:-1]
    if len(shape_of(sequence)) != 1 and lead != shape_of(values)[:-1]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"searchsorted needs one sequence, or one for each row of values: shapes "
            f"{shape_of(sequence)} and {shape_of(values)}",
        )
    kind = np.int32 if out_int32 else np.int64
    return search_primitive(sequence, values, side=_side("searchsorted", right, side), kind=kind)


@op(
    "torch.bucketize",
    "bucketize(input, boundaries, *, right=False)",
    category="sorting/selection",
    doc="The index of the bucket that each value falls in, between sorted 1-d boundaries.",
    conventions="a value on a boundary goes to the lower bucket, with right=True to the upper; the result has no graph",
    examples=("bucketize(tensor([0.5, 1., 2.5]), tensor([1., 2.]))  #> [0, 0, 2]",),
    samples=(sample(T(4), Lit([-1.0, 0.0, 1.0])), sample(T(2, 2), Lit([0.0]), right=True)),
)
def bucketize(input: Any, boundaries: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    """Return int64 (int32 with ``out_int32``) bucket numbers; RuntimeError for boundaries that are not 1-d."""
    edges = operand(boundaries)
    if edges.ndim != 1:
        raise error(RuntimeError, "shape-mismatch", f"bucketize needs 1-d boundaries, got shape {shape_of(edges)}")
    return searchsorted(edges, input, out_int32=out_int32, right=right)

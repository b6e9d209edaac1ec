"""Counting: truth of all or any elements, numbers of nonzeros, histograms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.ops.reducing import Axes, dtype_of, operand, reduced_axes, shape_of
from gradcli.ops.row import Lit, T, op, sample

HistogramResult = result_type("histogram", "hist bin_edges")


# -- truth ------------------------------------------------------------------------------------------------------------
def _all(input: Any, *, dim: Axes, keepdim: bool) -> Any:
    return _truth(np.logical_and, input, dim, keepdim)


def _any(input: Any, *, dim: Axes, keepdim: bool) -> Any:
    return _truth(np.logical_or, input, dim, keepdim)


def _truth(ufunc: np.ufunc, input: Any, dim: Axes, keepdim: bool) -> Any:
    """Reduce to bool; uint8 stays uint8, as in PyTorch."""
    out = ufunc.reduce(input != 0, axis=dim, keepdims=keepdim)
    return np.asarray(out, np.uint8) if input.dtype == np.uint8 else out


all_primitive, any_primitive = Primitive("all", _all, None,
    batch=("dim",)), Primitive("any", _any, None, batch=("dim",))
nonzeros = Primitive(
    "count_nonzero", lambda input, *, dim: np.asarray(np.count_nonzero(input, axis=dim), np.int64), None,
    batch=("dim",),
)
_TRUTHS = (
    sample(Lit([True, False])),
    sample(Lit([[True, False], [True, True]]), dim=1),
    sample(T(2, 3)),
    sample(Lit([[0, 1], [0, 0]]), 0, keepdim=True),
    sample(T(0)),
    sample(T(2, 3), dim=(0, 1)),
)


def _truth_axes(input: Any, dim: Any, keepdim: bool) -> Axes:
    """Return the axes to reduce: here, unlike in sums, dim=() names none."""
    return () if isinstance(dim, (tuple, list)) and not dim else reduced_axes(dim, input, keepdim)


@op(
    "torch.all",
    "all(input, dim=None, keepdim=False)",
    names="Tensor.all",
    numpy_words=True,
    category="reduction",
    doc="Whether every element is nonzero, over all elements or over dim.",
    conventions="true of nothing; nan is not zero; the result has no graph",
    examples=("all(tensor([True, False]))  #> False",),
    samples=_TRUTHS,
)
def all(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Return a bool tensor (uint8 for uint8); IndexError for a dim that is not there."""
    input = operand(input)
    return all_primitive(input, dim=_truth_axes(input, dim, keepdim), keepdim=keepdim)


@op(
    "torch.any",
    "any(input, dim=None, keepdim=False)",
    names="Tensor.any",
    numpy_words=True,
    category="reduction",
    doc="Whether some element is nonzero, over all elements or over dim.",
    conventions="false of nothing; nan is not zero; the result has no graph",
    examples=("any(tensor([True, False]))  #> True",),
    samples=_TRUTHS,
)
def any(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Return a bool tensor (uint8 for uint8); IndexError for a dim that is not there."""
    input = operand(input)
    return any_primitive(input, dim=_truth_axes(input, dim, keepdim), keepdim=keepdim)


@op(
    "torch.count_nonzero",
    "count_nonzero(input, dim=None)",
    names="Tensor.count_nonzero",
    numpy_words=True,
    category="reduction",
    doc="The number of nonzero elements, of all of them or over dim.",
    conventions="nan is not zero; the result has no graph",
    examples=("count_nonzero(tensor([0., 1., 2.]))  #> 2",),
    samples=(sample(T(3)), sample(Lit([[0, 1], [2, 0]]), 0), sample(T(2, 3), (0, 1)), sample(T())),
)
def count_nonzero(input: Any, dim: Any = None) -> Any:
    """Return int64 counts; IndexError for a dim that is not there."""
    input = operand(input)
    return nonzeros(input, dim=reduced_axes(dim, input))


# -- bincount ---------------------------------------------------------------------------------------------------------
def _bincount(weights: Any, *, input: Any, minlength: int) -> Any:
    kind = weights.dtype if weights.dtype == np.float32 else np.float64
    return np.bincount(input, weights, minlength).astype(kind)


def _counts(input: Any, *, minlength: int) -> Any:
    return np.bincount(input, minlength=minlength).astype(np.int64)


_NO_BINCOUNT = "the derivative of bincount is not implemented: index_add or scatter_add sums weights with a gradient"
bincount_primitive = Primitive("bincount", _bincount, _NO_BINCOUNT, node="NotImplemented")
counts_primitive = Primitive("bincount", _counts, None)


@op(
    "torch.bincount",
    "bincount(input, weights=None, minlength=0)",
    names="Tensor.bincount",
    category="sorting/selection",
    doc="How often each of 0, 1, 2, ... occurs, or the sum of the weights at its occurrences.",
    formula="not differentiable: backward to weights raises",
    conventions="the result has a graph where weights have one",
    examples=(
        "bincount(tensor([0, 2, 2]))  #> [1, 0, 2]",
        "bincount(tensor([0, 2]), tensor([0.5, 1.]))  #> [0.5, 0., 1.]",
    ),
    samples=(sample(Lit([0, 2, 2])), sample(Lit([1, 1]), minlength=4), sample(Lit([1, 0]), Lit([1.0, 2.0]))),
)
def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """Return int64 counts, or sums of weights; RuntimeError for input that is not 1-d, integer and non-negative."""
    values = operand(input)
    array = values._array if hasattr(values, "_array") else values
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.size and array.min() < 0):
        raise error(
            RuntimeError,
            "bincount-input",
            f"bincount counts a 1-d tensor of non-negative integers, got {array.dtype} of shape {array.shape}",
        )
    if minlength < 0:
        raise error(RuntimeError, "bincount-input", f"minlength must not be negative, got {minlength}")
    if weights is None:
        return counts_primitive(values, minlength=minlength)
    weights = operand(weights)
    if shape_of(weights) != array.shape:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"weights must have the shape of input {array.shape}, got {shape_of(weights)}",
        )
    return bincount_primitive(weights, input=array, minlength=minlength)


# -- histograms -------------------------------------------------------------------------------------------------------
def _limits(name: str, array: Any, low: float, high: float) -> tuple[float, float]:
    """Return the range of a histogram: the one asked for, or that of the data, widened where it is a single point."""
    if low > high:
        raise error(RuntimeError, "histogram-range", f"{name} needs max above min, got {low} and {high}")
    if low == high:
        low, high = (float(array.min()), float(array.max())) if array.size else (0.0, 1.0)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise error(RuntimeError, "histogram-range", f"the range of {name} must be finite, it is {low} to {high}")
    return (low - 0.5, high + 0.5) if name == "histogram" and low == high else (low, high)


def _bins_of(array: Any, bins: int, low: float, high: float) -> Any:
    """Return the bin of each element: equal widths, the last bin closed; -1 outside the range."""
    place = np.floor((array - low) * (bins / (high - low))) if high > low else np.full(array.shape, bins // 2)
    inside = (array >= low) & (array <= high)
    return np.where(inside, np.minimum(np.where(inside, place, 0), bins - 1), -1).astype(np.int64)


def _histc(input: Any, *, bins: int, low: float, high: float) -> Any:
    flat = input.reshape(-1)
    low, high = _limits("histc", flat, low, high)
    if low == high:
        low, high = low - 1, high + 1
    places = _bins_of(flat, bins, low, high)
    return np.bincount(places[places >= 0], minlength=bins).astype(input.dtype)


histc_primitive = Primitive("histc", _histc, None)


def _check_bins(name: str, input: Any, bins: int) -> None:
    if dtype_of(input).kind != "f":
        raise error(
            NotImplementedError,
            "dtype-mismatch",
            f"{name} counts floating numbers, this tensor is {dtype_of(input)}",
            hint="convert it first, or use bincount",
        )
    if bins < 1:
        raise error(RuntimeError, "histogram-bins", f"{name} needs at least one bin, got {bins}")


@op(
    "torch.histc",
    "histc(input, bins=100, min=0, max=0)",
    names="Tensor.histc",
    category="sorting/selection",
    doc="How many elements fall in each of bins equal parts of min..max (the range of the data where both are 0).",
    conventions="the last bin includes max; elements outside are left out; the result has no graph",
    examples=("histc(tensor([1., 2., 1.]), bins=4, min=0, max=3)  #> [0., 2., 1., 0.]",),
    samples=(sample(T(5), bins=3), sample(T(2, 3), bins=4, min=-1, max=1)),
)
def histc(input: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """Return counts in the dtype of ``input``; RuntimeError for an infinite or reversed range."""
    input = operand(input)
    _check_bins("histc", input, bins)
    return histc_primitive(input, bins=bins, low=float(min), high=float(max))


def _histogram(input: Any, weight: Any, *, edges: Any, bins: int, low: float, high: float, density: bool) -> Any:
    flat = input.reshape(-1)
    weights = None if weight is None else weight.reshape(-1)
    if edges is None:
        low, high = _limits("histogram", flat, low, high)
        edges = np.linspace(low, high, bins + 1, dtype=input.dtype)
        places = _bins_of(flat, bins, low, high)
    else:
        places = np.searchsorted(edges, flat, "right") - 1
        places = np.where(flat == edges[-1], len(edges) - 2, places)
        places = np.where((flat < edges[0]) | (flat > edges[-1]) | np.isnan(flat), -1, places)
    inside = places >= 0
    hist = np.bincount(places[inside], None if weights is None else weights[inside], len(edges) - 1).astype(input.dtype)
    return (hist / hist.sum() / np.diff(edges) if density else hist), edges


_NO_HISTOGRAM = "the derivative of histogram is not implemented: counts do not change with the data"
histogram_primitive = Primitive("histogram", _histogram, _NO_HISTOGRAM, node="NotImplemented", multi=True)


@op(
    "torch.histogram",
    "histogram(input, bins, *, range=None, weight=None, density=False)",
    names="Tensor.histogram",
    category="sorting/selection",
    doc="The counts (or sums of weight) of the elements in each bin, and the edges of the bins; "
    "bins is a number of equal parts of range, or a 1-d tensor of edges. density=True makes the integral 1.",
    formula="not differentiable: backward raises",
    conventions="the last bin includes its upper edge",
    examples=("histogram(tensor([1., 2., 1.]), 2, range=(0., 4.)).hist  #> [2., 1.]",),
    samples=(sample(T(5), 3), sample(T(4), Lit([-2.0, 0.0, 2.0])), sample(T(4), 2, range=(-2.0, 2.0), density=True)),
)
def histogram(input: Any, bins: Any, *, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """Return ``(hist, bin_edges)`` in the dtype of ``input``; RuntimeError for a bad range or other shape of weight."""
    input = operand(input)
    edges = None
    if not isinstance(bins, int):
        found = operand(bins)
        edges, bins = (found._array if hasattr(found, "_array") else found), shape_of(found)[0] - 1
    _check_bins("histogram", input, bins)
    if weight is not None and shape_of(operand(weight)) != shape_of(input):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"weight must have the shape of input {shape_of(input)}, got {shape_of(operand(weight))}",
        )
    low, high = (0.0, 0.0) if range is None else (float(range[0]), float(range[1]))
    return HistogramResult(
        histogram_primitive(input, weight, edges=edges, bins=bins, low=low, high=high, density=density)
    )

"""Medians, modes, k-th values and quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, as_tensor
from gradcli.autograd.results import result_type
from gradcli.ops.common import axis_of, everything
from gradcli.ops.common import fixed as constant
from gradcli.ops.extremes import even_over_all
from gradcli.ops.nth import kth_place, sorted_places
from gradcli.ops.reducing import dtype_of, filled, masked, operand, ordered, shape_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.selecting import pick, selection
from gradcli.ops.sorting import order_of, sorted_pair

MedianResult, NanmedianResult = result_type("median", "values indices"), result_type("nanmedian", "values indices")
ModeResult, KthvalueResult = result_type("mode", "values indices"), result_type("kthvalue", "values indices")
NAN = float("nan")


def _nans(array: Any) -> Any:
    return np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.shape, bool)


# -- medians ----------------------------------------------------------------------------------------------------------
def _middle(values: Any) -> Any:
    """Return the lower median of a flat array without nan."""
    nth = (len(values) - 1) // 2
    return np.partition(values, nth)[nth] if len(values) else np.float64(NAN)


def _median(input: Any) -> Any:
    flat = input.reshape(-1)
    missing = _nans(flat)
    return flat[missing][0] if missing.any() else flat.dtype.type(_middle(flat))


def _nanmedian(input: Any) -> Any:
    flat = input.reshape(-1)
    return flat.dtype.type(_middle(flat[~_nans(flat)]))


def _median_at(input: Any, *, dim: int, keepdim: bool, skip: bool) -> Any:
    """Return where the median is along ``dim``: the first nan where there is one, unless they are skipped."""
    if not input.ndim:
        return np.zeros((), np.int64)
    missing = _nans(input)
    left = input.shape[dim] - np.add.reduce(missing, axis=dim, keepdims=True, dtype=np.int64)
    nth = np.maximum((left - 1) // 2, 0)
    found = np.take_along_axis(order_of(input, dim, False), nth, dim)
    if not skip:
        found = np.where(left < input.shape[dim], np.argmax(missing, axis=dim, keepdims=True), found)
    return found if keepdim else np.squeeze(found, dim)


median_all = Primitive("median", _median, {"input": even_over_all}, batch="sums.middle")
nanmedian_all = Primitive("nanmedian", _nanmedian, {"input": even_over_all}, batch="sums.middle")
median_at = Primitive("median_at", _median_at, None, batch=("dim:lane",))
median_over = selection("median", node="MedianBackward1")
nanmedian_over = selection("nanmedian", node="NanmedianBackward1")
_MIDDLES = (
    sample(T(5)),
    sample(T(4)),
    sample(T(2, 3)),
    sample(T(3, 2), 0, keepdim=True),
    sample(T(2, 4), dim=-1),
    sample(T()),
    sample(T(), 0),
    sample(Lit([3.0, 1.0, 3.0]), smooth=False),
)


def _median_pair(name: str, input: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    filled(name, shape, (axis,) if shape else ())
    indices = median_at(input, dim=axis, keepdim=keepdim, skip=name == "nanmedian")
    take = median_over if name == "median" else nanmedian_over
    return take(input, indices, dim=axis, shape=shape), indices


@op(
    "torch.median",
    "median(input, dim=None, keepdim=False)",
    names="Tensor.median",
    numpy_words=True,
    category="reduction",
    doc="The lower median of all elements; median(input, dim) gives (values, indices) along dim.",
    formula="g to the median",
    examples=("median(tensor([1., 4., 2., 3.]))  #> 2.",),
    conventions="of two middle values the lower one; nan propagates; median(input) shares the cotangent evenly over "
    "ties, along dim all of it goes to the returned index",
    samples=_MIDDLES,
)
def median(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Return the median, or ``(values, indices)`` along ``dim``; IndexError where ``dim`` is empty."""
    input = ordered("median", operand(input), NotImplementedError)
    return median_all(input) if dim is None else MedianResult(_median_pair("median", input, dim, keepdim))


@op(
    "torch.nanmedian",
    "nanmedian(input, dim=None, keepdim=False)",
    names="Tensor.nanmedian",
    numpy_words=True,
    category="reduction",
    doc="The lower median of what is not nan; nanmedian(input, dim) gives (values, indices).",
    formula="g to the median",
    conventions="as median, with nan left out; nan where nothing is left",
    examples=("nanmedian(tensor([1., nan, 2., 3.]))  #> 2.",),
    samples=(*_MIDDLES, sample(Lit([1.0, NAN, 2.0])), sample(Lit([[1.0, NAN], [2.0, 0.5]]), 1)),
)
def nanmedian(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Return the median without nan, or ``(values, indices)`` along ``dim``; IndexError where ``dim`` is empty."""
    input = ordered("nanmedian", operand(input), NotImplementedError)
    return nanmedian_all(input) if dim is None else NanmedianResult(_median_pair("nanmedian", input, dim, keepdim))


# -- mode and k-th value ----------------------------------------------------------------------------------------------
def _mode_at(input: Any, *, dim: int, keepdim: bool) -> Any:
    """Return the last index of the first longest run of the sorted elements."""
    if not input.ndim:
        return np.zeros((), np.int64)
    order = np.moveaxis(sorted_places(input, dim), dim, -1)
    values = np.take_along_axis(np.moveaxis(input, dim, -1), order, -1)
    fresh = np.ones(values.shape, bool)
    fresh[..., 1:] = values[..., 1:] != values[..., :-1]
    spots = np.arange(values.shape[-1])
    runs = spots - np.maximum.accumulate(np.where(fresh, spots, 0), axis=-1)
    best = np.argmax(runs, axis=-1, keepdims=True)
    found = np.moveaxis(np.take_along_axis(order, best, -1), -1, dim)
    return found if keepdim else np.squeeze(found, dim)


def _kth_at(input: Any, *, dim: int, keepdim: bool, k: int) -> Any:
    if not input.ndim:
        return np.zeros((), np.int64)
    found = kth_place(input, dim, k - 1)
    return found if keepdim else np.squeeze(found, dim)


mode_at, kth_at = Primitive("mode_at", _mode_at, None,
    batch=("dim:lane",)), Primitive("kthvalue_at", _kth_at, None, batch=("dim:lane",))
mode_over, kthvalue_over = selection("mode"), selection("kthvalue")


@op(
    "torch.mode",
    "mode(input, dim=-1, keepdim=False)",
    names="Tensor.mode",
    numpy_words=True,
    category="reduction",
    doc="The most frequent value along dim, as (values, indices).",
    formula="g to the returned index",
    conventions="the smallest of equally frequent values, at the index PyTorch returns; each nan counts once",
    examples=("mode(tensor([1., 2., 2., 3.])).values  #> 2.",),
    samples=(
        sample(T(4)),
        sample(T(2, 3), 0),
        sample(T(2, 3), 1, keepdim=True),
        sample(T()),
        sample(Lit([1.0, 2.0, 2.0, 3.0]), smooth=False),
    ),
)
def mode(input: Any, dim: int = -1, keepdim: bool = False) -> Any:
    """Return ``(values, indices)``; IndexError where ``dim`` is empty or not there."""
    input = ordered("mode", operand(input))
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    filled("mode", shape, (axis,) if shape else ())
    indices = mode_at(input, dim=axis, keepdim=keepdim)
    return ModeResult((mode_over(input, indices, dim=axis, shape=shape), indices))


@op(
    "torch.kthvalue",
    "kthvalue(input, k, dim=-1, keepdim=False)",
    names="Tensor.kthvalue",
    numpy_words=True,
    category="sorting/selection",
    doc="The k-th smallest element along dim, counted from 1, as (values, indices).",
    formula="g to the returned index",
    conventions="nan counts as the largest; ties as PyTorch's CPU kernel",
    examples=("kthvalue(tensor([5., 1., 3.]), 2).values  #> 3.",),
    samples=(sample(T(5), 2), sample(T(3, 2), 1, dim=0, keepdim=True), sample(T(2, 3), 3), sample(T(), 1)),
)
def kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return ``(values, indices)``; RuntimeError for a k that is not there, IndexError where ``dim`` is empty."""
    input = ordered("kthvalue", operand(input))
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    filled("kthvalue", shape, (axis,) if shape else ())
    there = shape[axis] if shape else 1
    if not 1 <= k <= there:
        raise error(
            RuntimeError,
            "k-out-of-range",
            f"kthvalue cannot take number {k} of {there} elements along dim {axis}",
            hint="k counts from 1",
        )
    indices = kth_at(input, dim=axis, keepdim=keepdim, k=int(k))
    return KthvalueResult((kthvalue_over(input, indices, dim=axis, shape=shape), indices))


# -- quantiles --------------------------------------------------------------------------------------------------------
def _lerp(start: Any, end: Any, weight: Any) -> Any:
    """Return start + weight (end - start), from the nearer end, which is exact at both."""
    return np.where(weight < 0.5, start + weight * (end - start), end - (end - start) * (1 - weight))


lerp = Primitive(
    "lerp",
    _lerp,
    {
        "start": lambda g, weight: g * (1 - weight),
        "end": lambda g, weight: g * weight,
        "weight": lambda g, start, end: g * (end - start),
    },
    node="LerpBackward1",
    batch="elementwise",
)

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _check_quantile(name: str, input: Any, q: Any, interpolation: str) -> None:
    if dtype_of(input).kind != "f":
        raise error(RuntimeError, "dtype-mismatch", f"{name} needs a floating tensor, this one is {dtype_of(input)}")
    if isinstance(q, (tuple, list)):
        raise error(TypeError, "not-a-tensor", f"{name} takes q as a number or a tensor", hint="tensor([0.25, 0.75])")
    if dtype_of(q) != dtype_of(input):
        raise error(
            RuntimeError, "dtype-mismatch", f"q is {dtype_of(q)} and the tensor {dtype_of(input)}: they must agree"
        )
    if q.ndim > 1 or not np.all((everything(q) >= 0) & (everything(q) <= 1)):
        raise error(RuntimeError, "quantile-range", f"{name} takes q from 0 to 1, a number or a 1-d tensor")
    if interpolation not in _INTERPOLATIONS:
        raise error(
            RuntimeError, "interpolation", f"{name} interpolates {', '.join(_INTERPOLATIONS)}, not {interpolation!r}"
        )
    if 0 in shape_of(input):
        raise error(RuntimeError, "empty-reduction", f"{name} of no elements: shape {shape_of(input)}")


def _between(values: Any, ranks: Any, axis: int, interpolation: str, fixed: Any) -> Any:
    """Return sorted ``values`` at fractional ``ranks``; the gradient of ranks is cut where ``fixed``."""
    places, shape = constant(ranks), shape_of(values)
    round_to = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}.get(interpolation, np.floor)

    def at(rounded: Any) -> Any:
        return pick(values, rounded.astype(np.int64), dim=axis, shape=shape)

    first = at(round_to(places))
    if interpolation not in ("linear", "midpoint"):
        return first
    weight = places * 0 + 0.5 if interpolation == "midpoint" else masked(ranks - np.floor(places), fixed)
    return lerp(first, at(np.ceil(places)), weight)


def _quantile(name: str, input: Any, q: Any, dim: Any, keepdim: bool, interpolation: str, skip: bool) -> Any:
    input = as_tensor(input)
    q = (
        q
        if isinstance(q, (tuple, list))
        else as_tensor(np.array(q, dtype_of(input)) if isinstance(q, (int, float)) else q)
    )
    _check_quantile(name, input, q, interpolation)
    line = input.reshape((-1,)) if dim is None or not input.ndim else input
    axis = 0 if line is not input else axis_of(dim, input.ndim)
    values, _ = sorted_pair(line, axis, False)
    missing = np.isnan(constant(line))
    gaps = np.add.reduce(missing, axis=axis, keepdims=True)
    last = line.shape[axis] - 1
    top = np.where(skip & (gaps <= last), last - gaps, last).astype(dtype_of(input))
    steps = (*(1,) * axis, -1, *(1,) * (line.ndim - 1 - axis))
    fixed = (gaps > 0) & (not skip)
    ranks = masked(q.reshape(steps) * as_tensor(top), fixed) + as_tensor(np.where(fixed, top, 0).astype(top.dtype))
    return _arranged(_between(values, ranks, axis, interpolation, fixed), input, q, dim, axis, keepdim)


def _arranged(out: Any, input: Any, q: Any, dim: Any, axis: int, keepdim: bool) -> Any:
    """Put the quantiles in front (a single number leaves no dimension) and the reduced dimension back if kept."""
    out = out.movedim(axis, 0) if axis else out
    if dim is None or not input.ndim:
        rest = (1,) * input.ndim if keepdim else ()
    else:
        sizes = shape_of(input)
        rest = (*sizes[:axis], *((1,) if keepdim else ()), *sizes[axis + 1 :])
    return out.reshape((*shape_of(q), *rest))


_Q = (
    sample(T(5), 0.4),
    sample(T(2, 4), Lit([0.1, 0.7]), dim=1),
    sample(T(4), Lit(0.3), keepdim=True),
    sample(T(3, 2), 0.25, dim=0, keepdim=True),
    sample(T(4), 0.5, interpolation="midpoint"),
    sample(T(4), 0.4, interpolation="lower"),
    sample(T(2, 3, 2), Lit([0.2, 0.9]), dim=1, keepdim=True),
)


@op(
    "torch.quantile",
    "quantile(input, q, dim=None, keepdim=False, *, interpolation='linear')",
    names="Tensor.quantile",
    numpy_words=True,
    category="reduction",
    doc="The quantiles q (from 0 to 1) of all elements, or along dim; a 1-d q gives a new first dimension.",
    formula="g shared between the two neighbours in order; to q, g times their difference times n - 1",
    conventions="nan where there is a nan; interpolation is linear, lower, higher, midpoint or nearest",
    examples=(
        "quantile(tensor([1., 2., 4.]), 0.75)  #> 3.",
        "quantile(tensor([1., 2., 4.]), tensor([0., 1.]))  #> [1., 4.]",
    ),
    samples=_Q,
)
def quantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    """Return quantiles; RuntimeError for integers, no elements, a q outside 0..1 or of another dtype."""
    return _quantile("quantile", input, q, dim, keepdim, interpolation, skip=False)


@op(
    "torch.nanquantile",
    "nanquantile(input, q, dim=None, keepdim=False, *, interpolation='linear')",
    names="Tensor.nanquantile",
    numpy_words=True,
    category="reduction",
    doc="The quantiles of what is not nan, as quantile.",
    formula="that of quantile",
    conventions="nan where nothing is left",
    examples=("nanquantile(tensor([1., nan, 3.]), 0.5)  #> 2.",),
    samples=(*_Q, sample(Lit([1.0, NAN, 3.0, 4.0]), 0.4)),
)
def nanquantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    """Return quantiles without nan; RuntimeError for integers, no elements, a q outside 0..1 or of another dtype."""
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation, skip=True)

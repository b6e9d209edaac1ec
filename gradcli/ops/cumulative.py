"""Running sums, extremes and logarithms of sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of, fixed
from gradcli.ops.reducing import Axes, floating, masked, operand, ordered, shape_of, summing_dtype
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.scans import cumsum_primitive, edge_ones, recur, shift
from gradcli.ops.selecting import selection

CummaxResult, CumminResult = result_type("cummax", "values indices"), result_type("cummin", "values indices")


def _axis(input: Any, dim: int) -> int:
    return axis_of(dim, input.ndim)


_LANES = (
    sample(T(), 0),
    sample(T(4), 0),
    sample(T(2, 3), 0),
    sample(T(2, 3), dim=-1),
    sample(T(2, 3, 2), dim=1),
    sample(T(0), 0),
)


@op(
    "torch.cumsum",
    "cumsum(input, dim, *, dtype=None)",
    names="Tensor.cumsum",
    numpy_words=True,
    inplace=True,
    category="cumulative",
    doc="The running sum along dim. Integers and bools sum to int64.",
    formula="the running sum of g from the end",
    examples=("cumsum(tensor([1., 2., 3.]), 0)  #> [1., 3., 6.]",),
    samples=_LANES,
)
def cumsum(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Return the running sum along ``dim`` in ``dtype``; IndexError for a dim that is not there."""
    input = operand(input)
    return cumsum_primitive(input, dim=_axis(input, dim), dtype=summing_dtype(input, dtype))


# -- running extremes -------------------------------------------------------------------------------------------------
def _places(input: Any, best: Any, dim: int) -> Any:
    """Return where the running extreme ``best`` was last met; after a nan, where the last nan was."""
    if not input.ndim:
        return np.zeros((), np.int64)
    shape = tuple(n if i == dim else 1 for i, n in enumerate(input.shape))
    places = np.arange(input.shape[dim], dtype=np.int64).reshape(shape)
    met = (input == best) | np.isnan(input) if input.dtype.kind == "f" else input == best
    return np.maximum.accumulate(np.where(met, places, 0), axis=dim)


def _running(ufunc: np.ufunc, input: Any, dim: int) -> Any:
    return ufunc.accumulate(input, axis=dim) if input.ndim else np.array(input)


def _cummax_at(input: Any, *, dim: int) -> Any:
    return _places(input, _running(np.maximum, input, dim), dim)


def _cummin_at(input: Any, *, dim: int) -> Any:
    return _places(input, _running(np.minimum, input, dim), dim)


def _cummax(input: Any, indices: Any, *, dim: int, shape: Axes) -> Any:
    return _running(np.maximum, input, dim)


def _cummin(input: Any, indices: Any, *, dim: int, shape: Axes) -> Any:
    return _running(np.minimum, input, dim)


cummax_at, cummin_at = Primitive("cummax_at", _cummax_at, None,
    batch=("dim:lane",)), Primitive("cummin_at", _cummin_at, None,
    batch=("dim:lane",))
cummax_primitive = selection("cummax", _cummax, repeats=True)
cummin_primitive = selection("cummin", _cummin, repeats=True)
_LATER = "on a tie the later index is returned, and gets the cotangent; nan wins and stays"


@op(
    "torch.cummax",
    "cummax(input, dim)",
    names="Tensor.cummax",
    numpy_words=True,
    category="cumulative",
    doc="The running maximum along dim, as (values, indices).",
    formula="g, added up at the indices",
    conventions=_LATER,
    examples=("cummax(tensor([1., 3., 2.]), 0).values  #> [1., 3., 3.]",),
    samples=(*_LANES, sample(Lit([1.0, 1.0, 3.0, 3.0, 2.0]), 0, smooth=False)),
)
def cummax(input: Any, dim: int) -> Any:
    """Return ``(values, indices)``; RuntimeError for complex numbers, IndexError for a dim that is not there."""
    input = ordered("cummax", operand(input))
    axis = _axis(input, dim)
    indices = cummax_at(input, dim=axis)
    return CummaxResult((cummax_primitive(input, indices, dim=axis, shape=shape_of(input)), indices))


@op(
    "torch.cummin",
    "cummin(input, dim)",
    names="Tensor.cummin",
    numpy_words=True,
    category="cumulative",
    doc="The running minimum along dim, as (values, indices).",
    formula="g, added up at the indices",
    conventions=_LATER,
    examples=("cummin(tensor([2., 3., 1.]), 0).values  #> [2., 2., 1.]",),
    samples=(*_LANES, sample(Lit([3.0, 3.0, 1.0, 1.0, 2.0]), 0, smooth=False)),
)
def cummin(input: Any, dim: int) -> Any:
    """Return ``(values, indices)``; RuntimeError for complex numbers, IndexError for a dim that is not there."""
    input = ordered("cummin", operand(input))
    axis = _axis(input, dim)
    indices = cummin_at(input, dim=axis)
    return CumminResult((cummin_primitive(input, indices, dim=axis, shape=shape_of(input)), indices))


# -- logcumsumexp -----------------------------------------------------------------------------------------------------
def _exp(x: Any) -> Any:
    return x.exp() if isinstance(x, Tensor) else np.exp(x)


def _logcumsumexp(input: Any, *, dim: int) -> Any:
    return np.logaddexp.accumulate(input, axis=dim) if input.ndim else np.array(input)


def _steady(sums: Any, dim: int) -> Any:
    """Return where a running sum is followed by an infinite one of the same sign, or by nothing: its factor is 1."""
    last = edge_ones(sums, dim, last=True) != 0
    return (np.isinf(sums) & (sums == shift(sums, dim=dim, by=-1))) | last


def _logcumsumexp_rule(g: Any, input: Any, out: Any, dim: int) -> Any:
    """The sum over k >= i of g[k] exp(x[i] - y[k]), as a recurrence whose factors exp(y[i] - y[i+1]) never exceed 1."""
    if not input.ndim:
        return g
    decay = _exp(masked(out - shift(out, dim=dim, by=-1), _steady(fixed(out), dim)))
    return recur(decay, g, dim=dim, reverse=True, source=False) * _exp(input - out)


logcumsumexp_primitive = Primitive("logcumsumexp", _logcumsumexp, {"input": _logcumsumexp_rule}, batch=("dim:lane",))


@op(
    "torch.logcumsumexp",
    "logcumsumexp(input, dim)",
    names="Tensor.logcumsumexp",
    numpy_words=True,
    category="cumulative",
    doc="The logarithm of the running sum of exponentials along dim, without overflow.",
    formula="the sum over later results y of g exp(input - y)",
    conventions="nan where all entries so far are -inf",
    examples=("logcumsumexp(tensor([0., 0., 0.]), 0)  #> [0., 0.6931, 1.0986]",),
    samples=_LANES,
)
def logcumsumexp(input: Any, dim: int) -> Any:
    """Return log(cumsum(exp(input))) along ``dim``; RuntimeError for integers and complex numbers."""
    input = ordered("logcumsumexp", floating("logcumsumexp", operand(input), NotImplementedError))
    return logcumsumexp_primitive(input, dim=_axis(input, dim))

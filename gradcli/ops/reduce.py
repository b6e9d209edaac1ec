"""Sums and means."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.reducing import (
    Axes,
    count_of,
    floating,
    numpy_dtype,
    operand,
    plain,
    recorder,
    reduced_axes,
    shape_of,
    spread,
    spread_all,
    sum_all,
    sum_over,
    summing_dtype,
)
from gradcli.ops.row import T, op, sample


def _mean_all(input: Any, *, shape: Axes, count: int, dtype: Any) -> Any:
    return np.true_divide(np.add.reduce(input, axis=None, dtype=dtype), count)


def _mean_over(input: Any, *, dim: Axes, keepdim: bool, shape: Axes, count: int, dtype: Any) -> Any:
    total = np.add.reduce(input, axis=dim, dtype=dtype, keepdims=keepdim)  # type: ignore[call-overload]
    return np.true_divide(total, count)


def _share_all(g: Any, shape: Axes, count: int) -> Any:
    return spread_all(g / count, shape) if count else spread_all(g, shape)


def _share(g: Any, dim: Axes, shape: Axes, count: int) -> Any:
    return spread(g / count, shape, dim) if count else spread(g, shape, dim)


def _mean_all_jvp(values: Any, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
    return mean_all(tangents[0], **params)


def _mean_over_jvp(values: Any, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
    return mean_over(tangents[0], **params)


mean_all = Primitive("mean", _mean_all, {"input": _share_all}, jvp=_mean_all_jvp, batch="sums.mean")
mean_over = Primitive("mean", _mean_over, {"input": _share}, node="MeanBackward1", jvp=_mean_over_jvp,
    batch=("dim", "shape"))

_record_sum, _record_sum_over = recorder(sum_all), recorder(sum_over)
_record_mean, _record_mean_over = recorder(mean_all), recorder(mean_over)

_AXES = (
    sample(T()),
    sample(T(3)),
    sample(T(2, 3)),
    sample(T(2, 3), 0),
    sample(T(2, 3), dim=-1, keepdim=True),
    sample(T(2, 3, 2), dim=(0, -1)),
    sample(T(2, 2), dim=()),
)


@op(
    "torch.sum",
    "sum(input, dim=None, keepdim=False, *, dtype=None)",
    names="Tensor.sum",
    numpy_words=True,
    category="reduction",
    doc="The sum over all elements, or over the dimensions dim. Integers and bools sum to int64.",
    formula="g, repeated over what was summed",
    conventions="the sum of nothing is 0; dim=() sums everything, as None does",
    examples=("sum(tensor([1., 2., 3.]))  #> 6.", "sum(tensor([[1., 2.], [3., 4.]]), dim=0)  #> [4., 6.]"),
    samples=(*_AXES, sample(T(0, 3), 0), sample(T(2, 0))),
)
def sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the sum over ``dim`` (None: all) in ``dtype``; IndexError for a dim that is not there."""
    if dim is None and dtype is None and plain(input) and keepdim is False:
        return _record_sum(input, {"shape": input._array.shape, "dtype": None})
    input = operand(input)
    params = {"shape": shape_of(input), "dtype": summing_dtype(input, dtype)}
    if dim is None and not keepdim:
        return _record_sum(input, params)
    return _record_sum_over(input, {"dim": reduced_axes(dim, input, keepdim), "keepdim": keepdim, **params})


@op(
    "torch.mean",
    "mean(input, dim=None, keepdim=False, *, dtype=None)",
    names="Tensor.mean",
    numpy_words=True,
    category="reduction",
    doc="The mean of all elements, or over the dimensions dim. Integers need dtype=.",
    formula="g / n, repeated over what was averaged",
    conventions="the mean of nothing is nan, its gradient is empty",
    examples=("mean(tensor([1., 2., 6.]))  #> 3.", "mean(tensor([[1., 2.], [3., 4.]]), dim=1)  #> [1.5, 3.5]"),
    samples=_AXES,
)
def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the mean over ``dim`` (None: all) in ``dtype``; RuntimeError for integers without ``dtype``."""
    if dim is None and dtype is None and plain(input) and keepdim is False:
        array = input._array
        return _record_mean(input, {"shape": array.shape, "count": array.size, "dtype": None})
    input = operand(input)
    kind = numpy_dtype(dtype)
    if kind is None:
        floating("mean", input)
    elif kind.kind in "biu":
        raise error(RuntimeError, "dtype-mismatch", f"the mean is no {kind}", hint="pass a floating dtype")
    axes, shape = reduced_axes(dim, input, keepdim), shape_of(input)
    params = {"shape": shape, "count": count_of(shape, axes), "dtype": kind}
    if dim is None and not keepdim:
        return _record_mean(input, params)
    return _record_mean_over(input, {"dim": axes, "keepdim": keepdim, **params})

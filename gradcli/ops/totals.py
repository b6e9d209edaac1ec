"""Sums of another kind: logsumexp, sums and means that skip nan, and the sum back to a broadcast shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.shapes import summed_axes
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, fixed
from gradcli.ops.reducing import (
    Axes,
    dtype_of,
    floating,
    operand,
    ordered,
    reduced_axes,
    shape_of,
    spread,
    sum_over,
    summing_dtype,
)
from gradcli.ops.row import Lit, T, op, sample


def _exp(x: Any) -> Any:
    return x.exp() if isinstance(x, Tensor) else np.exp(x)


def _logsumexp(input: Any, *, dim: Axes, keepdim: bool) -> Any:
    if not input.size:
        shape = np.add.reduce(input, axis=dim, keepdims=keepdim).shape  # type: ignore[call-overload]
        return np.full(shape, -np.inf, input.dtype)
    top = np.maximum.reduce(input.real, axis=dim, keepdims=True)
    top = np.where(np.isinf(top), top.dtype.type(0), top)
    out = np.log(np.add.reduce(np.exp(input - top), axis=dim, keepdims=True)) + top
    return out if keepdim else np.squeeze(out, dim)


def _logsumexp_rule(g: Any, input: Any, out: Any, dim: Axes) -> Any:
    shape = shape_of(input)
    return spread(g, shape, dim) * H(_exp(input - spread(out, shape, dim)))


logsumexp_primitive = Primitive("logsumexp", _logsumexp, {"input": _logsumexp_rule}, to_float=True, batch=("dim",))


@op(
    "torch.logsumexp",
    "logsumexp(input, dim, keepdim=False)",
    names="Tensor.logsumexp torch.special.logsumexp",
    numpy_words=True,
    category="reduction",
    doc="log(sum(exp(input))) over dim, without overflow.",
    formula="g * softmax(input)",
    conventions="the gradient is nan where every entry is -inf",
    examples=("logsumexp(tensor([1000., 1000.]), 0)  #> 1000.6931",),
    samples=(
        sample(T(4), 0),
        sample(T(2, 3), dim=-1, keepdim=True),
        sample(T(2, 3), (0, 1)),
        sample(T(), 0),
        sample(T(0, 3), 0, smooth=False),
    ),
)
def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """Return log(sum(exp(input))) over ``dim``; integers are converted to the default float."""
    input = operand(input)
    return logsumexp_primitive(input, dim=reduced_axes(dim, input, keepdim), keepdim=keepdim)


def _nansum(input: Any, *, dim: Axes, keepdim: bool, dtype: Any) -> Any:
    present = ~np.isnan(input) if input.dtype.kind == "f" else True
    return np.add.reduce(input, axis=dim, keepdims=keepdim, dtype=dtype, where=present)  # type: ignore[call-overload]


def _nansum_rule(g: Any, input: Any, dim: Axes) -> Any:
    return spread(g, shape_of(input), dim) * ~np.isnan(fixed(input))


nansum_primitive = Primitive("nansum", _nansum, {"input": _nansum_rule}, batch=("dim",))
_GAPS = (
    sample(Lit([1.0, float("nan"), 3.0])),
    sample(Lit([[1.0, float("nan")], [2.0, 3.0]]), dim=1, keepdim=True),
    sample(T(2, 3), 0),
    sample(T()),
)


@op(
    "torch.nansum",
    "nansum(input, dim=None, keepdim=False, *, dtype=None)",
    names="Tensor.nansum",
    numpy_words=True,
    category="reduction",
    doc="The sum over dim, or of everything, with nan counted as 0.",
    formula="g, repeated over what was summed",
    conventions="gradient 0 at nan",
    examples=("nansum(tensor([1., nan, 2.]))  #> 3.",),
    samples=_GAPS,
)
def nansum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the sum of what is not nan; RuntimeError for complex numbers."""
    input = ordered("nansum", operand(input))
    axes = reduced_axes(dim, input, keepdim)
    return nansum_primitive(input, dim=axes, keepdim=keepdim, dtype=summing_dtype(input, dtype))


@op(
    "torch.nanmean",
    "nanmean(input, dim=None, keepdim=False, *, dtype=None)",
    names="Tensor.nanmean",
    numpy_words=True,
    category="reduction",
    doc="The mean over dim, or of everything, of what is not nan.",
    formula="g / n, repeated over what was averaged",
    conventions="gradient 0 at nan; nan where nothing is left",
    examples=("nanmean(tensor([1., nan, 2.]))  #> 1.5",),
    samples=_GAPS,
)
def nanmean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the mean of what is not nan; RuntimeError for integers and complex numbers."""
    input = floating("nanmean", ordered("nanmean", operand(input)))
    axes = reduced_axes(dim, input, keepdim)
    total = nansum_primitive(input, dim=axes, keepdim=keepdim, dtype=summing_dtype(input, dtype))
    present = ~np.isnan(fixed(input))
    count = np.add.reduce(present, axis=axes, keepdims=keepdim, dtype=dtype_of(total))  # type: ignore[call-overload]
    return total / (count if isinstance(count, Tensor) or not isinstance(total, Tensor) else Tensor(np.asarray(count)))


@op(
    "Tensor.sum_to_size",
    "sum_to_size(*size)",
    category="reduction",
    doc="The sum over the dimensions that broadcasting from size would have added or stretched.",
    formula="g, expanded",
    conventions="the adjoint of expand",
    examples=("tensor([[1., 2.], [3., 4.]]).sum_to_size(1, 2)  #> [[4., 6.]]",),
    samples=(sample(T(2, 3), 1, 3), sample(T(2, 2, 3), 3), sample(T(2, 3), (2, 1))),
)
def sum_to_size(input: Any, *size: Any) -> Any:
    """Return ``input`` summed to ``size``; RuntimeError where ``size`` does not broadcast to its shape."""
    wanted = tuple(int(n) for n in (size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size))
    shape = shape_of(input)
    if len(wanted) > len(shape) or any(w not in (1, n) for w, n in zip(wanted[::-1], shape[::-1], strict=False)):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"a tensor of shape {shape} does not sum to size {wanted}",
            hint="each size, counted from the last, must be the tensor's own or 1",
        )
    axes = summed_axes(shape, wanted)
    if not axes:
        return input
    out = sum_over(input, dim=axes, keepdim=True, shape=shape, dtype=summing_dtype(input, None))
    return out if len(wanted) == len(shape) else out.reshape(wanted)

"""Softmax, its logarithm, and what is made of them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import axis_of, raw
from gradcli.ops.elementwise import exp
from gradcli.ops.masks import inner, total
from gradcli.ops.nn_common import dtype_of, floating, generator, operand
from gradcli.ops.row import Lit, T, op, sample

_SAMPLES = (
    sample(T(2, 3), dim=-1),
    sample(T(4), 0),
    sample(T(2, 3, 2), 1),
    sample(T(), 0),
    sample(T(0, 3), 1),
    sample(T(2, 0), 1),
    sample(Lit([1000.0, 0.0, -1000.0]), 0, smooth=False),
)


def _shifted(input: Any, axis: int) -> Any:
    return input - np.maximum.reduce(
        input, axis=axis, keepdims=True, initial=-np.inf if not input.size else np._NoValue
    )


def _softmax(input: Any, *, dim: int) -> Any:
    if not input.ndim:
        return input - input + input.dtype.type(1)
    e = _shifted(input, dim)
    np.exp(e, out=e)
    e /= np.add.reduce(e, axis=dim, keepdims=True)
    return e


def _softmax_rule(g: Any, out: Any, dim: int) -> Any:
    if not out.ndim:
        return g * out - g * out * out
    made = g - inner(g, out, (dim,))
    if made.__class__ is np.ndarray and made.dtype is out.dtype:
        return np.multiply(made, out, out=made)
    return made * out


def _log_softmax(input: Any, *, dim: int) -> Any:
    if not input.ndim:
        return input - input
    x = _shifted(input, dim)
    x -= np.log(np.add.reduce(np.exp(x), axis=dim, keepdims=True))
    return x


def _log_softmax_rule(g: Any, out: Any, dim: int) -> Any:
    if not out.ndim:
        return g - exp(out) * g
    made, along = exp(out), total(g, dim)
    if made.__class__ is np.ndarray and made.dtype is g.dtype:
        made *= along
        return np.subtract(g, made, out=made)
    return g - made * along


def _safe_softmax(input: Any, *, dim: int) -> Any:
    """Return the softmax with rows of nothing but -inf set to 0."""
    empty = np.logical_and.reduce(input == -np.inf, axis=dim, keepdims=True)
    return np.where(empty, input.dtype.type(0), _softmax(input, dim=dim))


softmax_primitive = Primitive("softmax", _softmax, {"input": _softmax_rule}, batch=("dim",))
log_softmax_primitive = Primitive("log_softmax", _log_softmax, {"input": _log_softmax_rule}, batch=("dim",))
safe_softmax_primitive = Primitive(
    "_safe_softmax", _safe_softmax, {"input": _softmax_rule}, node="SafeSoftmaxBackward0",
    batch=("dim:lane",),
)


def _arguments(name: str, input: Any, dim: int | None, dtype: Any) -> tuple[Any, int]:
    """Return the input in ``dtype`` and the axis.

    A missing dim is 0 for 0, 1 or 3 dimensions and 1 otherwise, with a warning.
    """
    input = operand(input)
    if dtype is not None:
        from gradcli.autograd.dtypes import as_dtype

        if dtype_of(input) != as_dtype(dtype).numpy:
            input = input.to(as_dtype(dtype))
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
        warnings.warn(f"{name} without dim= takes dim {dim} here; say which one is meant", UserWarning, stacklevel=4)
    return floating(name, input), axis_of(dim, input.ndim)


@op(
    "torch.nn.functional.softmax",
    "softmax(input, dim=None, dtype=None)",
    names="torch.softmax torch.special.softmax Tensor.softmax",
    category="nn activation",
    numpy_words=True,
    doc="exp(input) divided by its sum along dim; shifted by the maximum, so it never overflows.",
    formula="out * (g - sum(g * out, dim))",
    conventions="an entry of -inf gives 0 and gradient 0; a row of nothing but -inf gives nan",
    examples=("softmax(tensor([0., 0., 1000.]), 0)  #> [0., 0., 1.]",),
    samples=_SAMPLES,
)
def softmax(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    input, axis = _arguments("softmax", input, dim, dtype)
    return softmax_primitive(input, dim=axis)


@op(
    "torch.nn.functional.log_softmax",
    "log_softmax(input, dim=None, dtype=None)",
    names="torch.log_softmax torch.special.log_softmax Tensor.log_softmax",
    category="nn activation",
    numpy_words=True,
    doc="The logarithm of softmax, exact for large inputs.",
    formula="g - exp(out) * sum(g, dim)",
    examples=("log_softmax(tensor([0., 0., 1000.]), 0)  #> [-1000., -1000., 0.]",),
    samples=_SAMPLES,
)
def log_softmax(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    input, axis = _arguments("log_softmax", input, dim, dtype)
    return log_softmax_primitive(input, dim=axis)


@op(
    "torch.nn.functional.softmin",
    "softmin(input, dim=None, dtype=None)",
    category="nn activation",
    doc="softmax(-input).",
    formula="-out * (g - sum(g * out, dim))",
    examples=("F.softmin(tensor([1., 1.]), 0)  #> [0.5000, 0.5000]",),
    samples=_SAMPLES,
)
def softmin(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    input, axis = _arguments("softmin", -operand(input), dim, dtype)
    return softmax_primitive(input, dim=axis)


@op(
    "torch.nn.functional.gumbel_softmax",
    "gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1)",
    category="random",
    doc="A random point of the simplex by the Gumbel trick (Jang et al. 2016); hard=True gives a one-hot with the "
    "soft gradient.",
    formula="that of softmax((logits + noise) / tau)",
    examples=("F.gumbel_softmax(tensor([[0., 1.]])).sum()  #> 1.",),
    samples=(sample(T(2, 3), smooth=False), sample(T(2, 3), hard=True, smooth=False)),
    conventions="the straight-through one-hot adds and subtracts the soft result, so its entries are 0 and 1 to "
    "rounding",
)
def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    from gradcli.autograd.tensor import Tensor
    from gradcli.ops.distributions import exponential

    logits = floating("gumbel_softmax", logits)
    axis = axis_of(dim, logits.ndim)
    x = raw(logits)
    noise = -np.log(exponential(generator(), x.shape, x.dtype))
    soft = softmax_primitive((logits + Tensor(noise)) / tau, dim=axis)
    if not hard:
        return soft
    values = raw(soft)
    top = np.zeros_like(values)
    np.put_along_axis(top, np.argmax(values, axis=axis, keepdims=True), 1, axis=axis)
    return Tensor(top - values) + soft

"""Products and running products, with gradients that are exact where factors are zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, axis_of, everything
from gradcli.ops.reducing import operand, shape_of, spread, spread_all, summing_dtype
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.scans import edge_ones, recur, shift, tail_sum


def others(input: Any, dim: int) -> Any:
    """Return at each place along ``dim`` the product of all other elements: those before times those after."""
    before = recur(input, edge_ones(input, dim), dim=dim, reverse=False, source=True)
    after = recur(input, edge_ones(input, dim, last=True), dim=dim, reverse=True, source=True)
    return before * after


def _prod_all(input: Any, *, dtype: Any) -> Any:
    return np.multiply.reduce(input, axis=None, dtype=dtype)


def _prod_over(input: Any, *, dim: int, keepdim: bool, dtype: Any) -> Any:
    if not input.ndim:
        return np.array(input, dtype=dtype)
    return np.multiply.reduce(input, axis=dim, dtype=dtype, keepdims=keepdim)  # type: ignore[call-overload]


def _prod_all_rule(g: Any, input: Any, out: Any) -> Any:
    shape = shape_of(input)
    if not shape:  # a single factor: nothing to multiply with, whatever its value
        return g
    if np.all(everything(input)):
        return spread_all(g * H(out), shape) / H(input)
    return g * H(others(input.reshape((-1,)), 0)).reshape(shape)


def _prod_rule(g: Any, input: Any, out: Any, dim: int) -> Any:
    shape = shape_of(input)
    if not shape:
        return g
    axes = (dim,)
    if np.all(everything(input)):
        return spread(g * H(out), shape, axes) / H(input)
    return spread(g, shape, axes) * H(others(input, dim))


def _cumprod(input: Any, *, dim: int, dtype: Any) -> Any:
    return np.multiply.accumulate(input, axis=dim, dtype=dtype) if input.ndim else np.array(input, dtype=dtype)


def _cumprod_rule(g: Any, input: Any, out: Any, dim: int) -> Any:
    """The sum over k >= i of g[k] times the product of input[j], j <= k, j != i; without zeros input[i] divides out."""
    if math.prod(shape_of(input)) <= 1:
        return g
    if np.all(everything(input)):
        return tail_sum(g * H(out), dim=dim) / H(input)
    before = shift(out, dim=dim, by=1) + edge_ones(input, dim)
    return recur(H(input), g, dim=dim, reverse=True, source=True) * H(before)


prod_all = Primitive("prod", _prod_all, {"input": _prod_all_rule}, batch="sums.product")
prod_over = Primitive("prod", _prod_over, {"input": _prod_rule}, node="ProdBackward1", batch=("dim:lane",))
cumprod_primitive = Primitive("cumprod", _cumprod, {"input": _cumprod_rule}, batch=("dim:lane",))

_ZEROS = (
    sample(Lit([2.0, 0.0, 3.0]), smooth=True),
    sample(Lit([0.0, 0.0, 3.0])),
    sample(Lit([[2.0, 0.0], [3.0, 4.0]])),
)
_LANES = (
    sample(T(), 0),
    sample(T(4), 0),
    sample(T(2, 3), 0),
    sample(T(2, 3), dim=-1),
    sample(T(2, 3, 2), dim=1),
    sample(Lit([2.0, 0.0, 3.0, 4.0]), 0),
    sample(Lit([[0.0, 0.0, 3.0], [1.0, 2.0, 0.0]]), 1),
    sample(T(0), 0),
)


@op(
    "torch.prod",
    "prod(input, dim=None, keepdim=False, *, dtype=None)",
    names="Tensor.prod",
    numpy_words=True,
    category="reduction",
    doc="The product of all elements, or along dim. Integers and bools multiply to int64.",
    formula="g times the product of the other elements",
    conventions="exact with zeros; the product of nothing is 1",
    examples=("prod(tensor([2., 3., 4.]))  #> 24.", "prod(tensor([[1., 2.], [3., 4.]]), dim=0)  #> [3., 8.]"),
    samples=(
        sample(T()),
        sample(T(3)),
        sample(T(2, 2)),
        *_ZEROS,
        *_LANES,
        sample(T(2, 3), dim=1, keepdim=True),
        sample(T(0)),
    ),
)
def prod(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the product along ``dim`` (None: of everything) in ``dtype``; TypeError for several dims."""
    input = operand(input)
    kind = summing_dtype(input, dtype)
    if dim is None and not keepdim:
        return prod_all(input, dtype=kind)
    if dim is None or isinstance(dim, (tuple, list)):
        raise error(
            TypeError,
            "one-dim",
            "prod multiplies everything, or along one dim",
            hint="x.prod(0).prod(0) reduces two dimensions in turn",
        )
    return prod_over(input, dim=axis_of(dim, input.ndim), keepdim=keepdim, dtype=kind)


@op(
    "torch.cumprod",
    "cumprod(input, dim, *, dtype=None)",
    names="Tensor.cumprod",
    numpy_words=True,
    inplace=True,
    category="cumulative",
    doc="The running product along dim. Integers and bools multiply to int64.",
    formula="the sum over later results of g times the product of the other factors",
    conventions="exact with zeros",
    examples=("cumprod(tensor([2., 3., 4.]), 0)  #> [2., 6., 24.]",),
    samples=_LANES,
)
def cumprod(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Return the running product along ``dim`` in ``dtype``; IndexError for a dim that is not there."""
    input = operand(input)
    return cumprod_primitive(input, dim=axis_of(dim, input.ndim), dtype=summing_dtype(input, dtype))

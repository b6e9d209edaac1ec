"""Lengths and distances of vectors: normalize, cosine similarity, distances of pairs and of all pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import everything
from gradcli.ops.nn_common import broadcast_shape, floating, operand
from gradcli.ops.norms import vector_norm_primitive
from gradcli.ops.row import Lit, T, op, sample

Array = np.ndarray[Any, Any]
_BLOCK = 1 << 18  # elements of differences held at a time
_norm = Primitive(
    "norm", vector_norm_primitive.forward, vector_norm_primitive.vjp, node="NormBackward1", batch=("dim",)
)


@op(
    "torch.nn.functional.normalize",
    "normalize(input, p=2.0, dim=1, eps=1e-12)",
    category="nn activation",
    doc="input divided by its p-norm along dim, which counts as at least eps.",
    formula="(g - u * sum(u * g)) / norm for p = 2, with u the result",
    conventions="at the zero vector the gradient is g / eps",
    examples=("F.normalize(tensor([[3., 4.]]))  #> [[0.6000, 0.8000]]",),
    samples=(
        sample(T(2, 3)),
        sample(T(3), dim=0),
        sample(T(2, 3), p=1.0),
        sample(T(2, 3), p=3.0, dim=0),
        sample(Lit([0.0, 0.0]), dim=0, smooth=False),
    ),
)
def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    input = floating("normalize", input)
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand(tuple(input.shape))


def _length(x: Any, dim: int, eps: float) -> Any:
    """Return the 2-norm along ``dim``, its value raised to ``eps`` without a change of its history."""
    length = x.norm(2, dim, keepdim=True).clone()
    array = everything(length)
    np.maximum(array, eps, out=array)
    return length


@op(
    "torch.nn.functional.cosine_similarity",
    "cosine_similarity(x1, x2, dim=1, eps=1e-08)",
    names="torch.cosine_similarity",
    category="nn loss",
    doc="The cosine of the angle between x1 and x2 along dim; lengths count as at least eps.",
    formula="g * (u2 - cos * u1) / |x1| to x1, with u1, u2 the unit vectors; likewise to x2",
    conventions="at a zero vector g * u2 / eps",
    examples=("cosine_similarity(tensor([[1., 0.]]), tensor([[1., 1.]]))  #> [0.7071]",),
    samples=(sample(T(2, 3), T(2, 3)), sample(T(3), T(2, 3), dim=-1), sample(T(2), T(2), dim=0)),
)
def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    x1, x2 = floating("cosine_similarity", x1, x2)
    shape = broadcast_shape("cosine_similarity", tuple(x1.shape), tuple(x2.shape))
    if tuple(x1.shape) != tuple(x2.shape):
        x1, x2 = x1.expand(shape), x2.expand(shape)
    return ((x1 / _length(x1, dim, eps)) * (x2 / _length(x2, dim, eps))).sum(dim)


@op(
    "torch.nn.functional.pairwise_distance",
    "pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False)",
    names="torch.pairwise_distance",
    category="nn loss",
    doc="The p-norm of x1 - x2 + eps along the last dim.",
    formula="that of the norm: g * (x1 - x2 + eps) / distance for p = 2",
    examples=("F.pairwise_distance(tensor([[0., 0.]]), tensor([[3., 4.]]))  #> [5.0000]",),
    samples=(sample(T(2, 3), T(2, 3)), sample(T(3), T(2, 3), p=1.0, keepdim=True), sample(T(3), T(3), p=3.0)),
)
def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    x1, x2 = floating("pairwise_distance", x1, x2)
    difference = x1 - x2 + eps
    return _norm(difference, ord=float(p), dim=(difference.ndim - 1,), keepdim=bool(keepdim))


def p_norm(difference: Array, p: float) -> Array:
    """Return the p-norm along the last axis."""
    size = np.abs(difference)
    found: Array
    if p == 2:
        found = np.sqrt(np.einsum("...m,...m->...", size, size))
    elif p == 1:
        found = np.add.reduce(size, axis=-1)
    elif p == 0:
        found = np.add.reduce(size != 0, axis=-1).astype(size.dtype)
    elif math.isinf(p):
        found = np.maximum.reduce(size, axis=-1, initial=0)
    else:
        found = np.power(np.add.reduce(np.power(size, p), axis=-1), 1 / p)
    return found


def p_slope(difference: Array, distance: Array, p: float) -> Array:
    """Return the derivative of the p-norm by each coordinate: 0 where the distance is 0.

    For p = inf every coordinate that ties for the largest gets it, as in PyTorch.
    """
    apart = distance != 0
    far = np.where(apart, distance, 1)[..., None]
    if p == 0:
        return np.zeros_like(difference)
    if p == 1:
        return np.sign(difference)
    if p == 2:
        slope = difference / far
    elif math.isinf(p):
        slope = np.sign(difference) * (np.abs(difference) == distance[..., None])
    else:
        size = np.abs(difference)
        slope = np.sign(difference) * np.power(size, p - 1, out=np.zeros_like(size), where=size != 0) / far ** (p - 1)
    return np.where(apart[..., None], slope, difference.dtype.type(0))


def _row_blocks(x1: Array, x2: Array) -> Iterator[tuple[slice, Array]]:
    """Yield blocks of rows of x1 with their differences to every row of x2."""
    shape = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    each = max(1, math.prod(shape) * x2.shape[-2] * x2.shape[-1])
    step = max(1, _BLOCK // each)
    for start in range(0, x1.shape[-2], step):
        rows = slice(start, start + step)
        yield rows, x1[..., rows, None, :] - x2[..., None, :, :]


def _cdist(x1: Any, x2: Any, *, p: float) -> Any:
    shape = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    out = np.zeros((*shape, x1.shape[-2], x2.shape[-2]), x1.dtype)
    for rows, difference in _row_blocks(x1, x2):
        out[..., rows, :] = p_norm(difference, p)
    return out


def _cdist_backward(g: Any, x1: Any, x2: Any, out: Any, *, p: float) -> Any:
    to_first = np.zeros((*out.shape[:-1], x1.shape[-1]), x1.dtype)
    to_second = np.zeros((*out.shape[:-2], *x2.shape[-2:]), x2.dtype)
    for rows, difference in _row_blocks(x1, x2):
        part = p_slope(difference, out[..., rows, :], p) * g[..., rows, :, None]
        to_first[..., rows, :] = np.add.reduce(part, axis=-2)
        to_second -= np.add.reduce(part, axis=-3)
    return to_first, to_second


def _cdist_rule(g: Any, needs: tuple[bool, bool], x1: Any, x2: Any, out: Any, p: float) -> Any:
    return cdist_backward(g, x1, x2, out, p=p)


cdist_backward = Primitive(
    "_cdist_backward",
    _cdist_backward,
    "!the derivative of cdist's gradient is not implemented, as in PyTorch",
    multi=True,
    batch="products.aligned",
)
cdist_primitive = Primitive("cdist", _cdist, _cdist_rule, batch="elementwise")


@op(
    "torch.cdist",
    "cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')",
    category="linear algebra",
    doc="The p-norm distance of every row of x1 to every row of x2; leading dims are batches.",
    formula="g * (x1 - x2) / distance for p = 2, summed over the other side's rows",
    conventions="gradient 0 at coinciding points; differences are always taken directly; no second derivative",
    examples=("cdist(tensor([[0., 0.]]), tensor([[3., 4.], [0., 1.]]))  #> [[5., 1.]]",),
    samples=(
        sample(T(3, 2), T(2, 2)),
        sample(T(2, 2, 2), T(3, 2), p=1.0),
        sample(T(3, 2), T(2, 2), p=3.0),
        sample(T(2, 2), T(2, 2), p=math.inf),
        sample(Lit([[0.0, 0.0], [1.0, 1.0]]), Lit([[0.0, 0.0]]), smooth=False),
    ),
)
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Any:
    x1, x2 = floating("cdist", x1, x2)
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"cdist needs two matrices (or batches) of rows of one length, got shapes {tuple(x1.shape)} and "
            f"{tuple(x2.shape)}",
        )
    if p < 0:
        raise error(RuntimeError, "negative-p", f"cdist: p must be 0 or more, got {p}")
    broadcast_shape("cdist", tuple(x1.shape[:-2]), tuple(x2.shape[:-2]))
    return cdist_primitive(x1, x2, p=float(p))


def _pairs(x: Array) -> tuple[Array, Array, Array]:
    i, j = np.triu_indices(x.shape[0], 1)
    return i, j, x[i] - x[j]


def _pdist(input: Any, *, p: float) -> Any:
    return p_norm(_pairs(input)[2], p)


def _pdist_backward(g: Any, input: Any, out: Any, *, p: float) -> Any:
    i, j, difference = _pairs(input)
    part = p_slope(difference, out, p) * g[:, None]
    total = np.zeros_like(input)
    np.add.at(total, i, part)
    np.subtract.at(total, j, part)
    return total


pdist_backward = Primitive(
    "_pdist_backward", _pdist_backward, "!the derivative of pdist's gradient is not implemented, as in PyTorch"
)
pdist_primitive = Primitive("pdist", _pdist, {"input": lambda g, input, out, p: pdist_backward(g, input, out, p=p)})


@op(
    "torch.nn.functional.pdist",
    "pdist(input, p=2.0)",
    names="torch.pdist",
    category="nn loss",
    doc="The p-norm distance of each pair of rows of a matrix, in the order (0, 1), (0, 2), ...",
    formula="that of cdist, to both rows of a pair",
    conventions="gradient 0 at coinciding points; no second derivative",
    examples=("pdist(tensor([[0., 0.], [3., 4.], [0., 1.]]))  #> [5.0000, 1.0000, 4.2426]",),
    samples=(sample(T(3, 2)), sample(T(3, 2), p=1.0), sample(T(1, 2))),
)
def pdist(input: Any, p: float = 2.0) -> Any:
    input = floating("pdist", input)
    if input.ndim != 2:
        raise error(RuntimeError, "shape-mismatch", f"pdist needs a matrix, got shape {tuple(input.shape)}")
    if p < 0:
        raise error(RuntimeError, "negative-p", f"pdist: p must be 0 or more, got {p}")
    return pdist_primitive(operand(input), p=float(p))

"""Pooling to a given size: each result covers its share of the input, whatever the input's size."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.masks import tied
from gradcli.ops.nn_common import floating
from gradcli.ops.planes import drop
from gradcli.ops.row import T, op, sample

Sizes = tuple[int, ...]


def regions(n: int, out: int) -> list[tuple[int, int]]:
    """Return where each of ``out`` results begins and ends in a dim of size ``n``."""
    return [(i * n // out, -((-(i + 1) * n) // out)) for i in range(out)]


def _averaged(input: Any, *, size: Sizes, wanted: Sizes) -> Any:
    lead = input.ndim - len(size)
    for k, (n, m) in enumerate(zip(size, wanted, strict=True)):
        axis = lead + k
        parts = [np.add.reduce(input[_at(axis, a, b)], axis=axis, keepdims=True) / (b - a) for a, b in regions(n, m)]
        input = np.concatenate(parts, axis=axis) if parts else input[_at(axis, 0, 0)]
    return input


def _averaged_back(g: Any, *, size: Sizes, wanted: Sizes) -> Any:
    lead = g.ndim - len(size)
    for k, (n, m) in enumerate(zip(size, wanted, strict=True)):
        axis = lead + k
        total = np.zeros((*g.shape[:axis], n, *g.shape[axis + 1 :]), g.dtype)
        for i, (a, b) in enumerate(regions(n, m)):
            total[_at(axis, a, b)] += g[_at(axis, i, i + 1)] / (b - a)
        g = total
    return g


def _at(axis: int, start: int, stop: int) -> tuple[slice, ...]:
    return (*(slice(None),) * axis, slice(start, stop))


def _averaging(n: int) -> Primitive:
    return Primitive(
        f"adaptive_avg_pool{n}d",
        _averaged,
        {"input": lambda g, input, size, wanted: tied(averaged_back(g, size=size, wanted=wanted), input)},
        node=f"AdaptiveAvgPool{n}DBackward0",
        batch=(),
    )


_AVERAGE = {2: _averaging(2), 3: _averaging(3)}
averaged_back = Primitive(
    "adaptive_avg_pool_backward",
    _averaged_back,
    {"g": lambda g, size, wanted: _AVERAGE[2](g, size=size, wanted=wanted)},
    batch=(),
)


def _largest(input: Any, *, size: Sizes, wanted: Sizes) -> Any:
    lead = input.shape[: input.ndim - len(size)]
    values: Any = np.empty((*lead, *wanted), input.dtype)
    places: Any = np.empty((*lead, *wanted), np.int64)
    plane = np.arange(int(np.prod(size))).reshape(size)
    for cell in itertools.product(*(enumerate(regions(n, m)) for n, m in zip(size, wanted, strict=True))):
        here = tuple(i for i, _ in cell)
        inside = tuple(slice(a, b) for _, (a, b) in cell)
        flat = input[(..., *inside)].reshape(*lead, -1)
        best = np.argmax(flat, axis=-1)
        values[(..., *here)] = np.take_along_axis(flat, best[..., None], -1)[..., 0]
        places[(..., *here)] = plane[inside].ravel()[best]
    return values, places


def _largest_rule(g: Any, needs: tuple[bool], input: Any, out: Any, size: Sizes) -> Any:
    return (None if g[0] is None else tied(drop(g[0], out[1], size), input),)


def _largest_primitive(n: int) -> Primitive:
    return Primitive(
        f"adaptive_max_pool{n}d", _largest, _largest_rule, multi=True, node=f"AdaptiveMaxPool{n}DBackward0",
        batch=(),
    )


_LARGEST = {2: _largest_primitive(2), 3: _largest_primitive(3)}


def _sizes(name: str, n: int, input: Any, output_size: Any) -> tuple[Sizes, Sizes]:
    """Return the spatial size of the input and of the result; None keeps a dim."""
    if input.ndim not in (n + 1, n + 2):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs an input of {n + 1} or {n + 2} dimensions, got shape {tuple(input.shape)}",
        )
    size = tuple(input.shape[-n:])
    wanted = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * n
    if len(wanted) not in (1, n):
        raise error(RuntimeError, "bad-length", f"{name}: output_size must be one integer or {n}, got {list(wanted)}")
    wanted = wanted * n if len(wanted) < n else wanted
    out = tuple(m if w is None else int(w) for w, m in zip(wanted, size, strict=True))
    if min(out) < 0 or 0 in size:
        raise error(RuntimeError, "bad-size", f"{name}: cannot pool the size {list(size)} to {list(out)}")
    return size, out


def adaptive_average(name: str, n: int, input: Any, output_size: Any) -> Any:
    """Return the mean of each region; pooling to a single element is a plain mean."""
    input = floating(name, input)
    size, out = _sizes(name, n, input, output_size)
    if n == 1:
        return adaptive_average(name, 2, input.unsqueeze(-2), (1, *out)).squeeze(-2)
    if all(m == 1 for m in out):
        return input.mean(tuple(range(-n, 0)), keepdim=True)
    return _AVERAGE[n](input, size=size, wanted=out)


def _adaptive_max(name: str, n: int, input: Any, output_size: Any, return_indices: bool) -> Any:
    input = floating(name, input)
    size, out = _sizes(name, n, input, output_size)
    if n == 1:
        both = tuple(x.squeeze(-2) for x in _LARGEST[2](input.unsqueeze(-2), size=(1, *size), wanted=(1, *out)))
    else:
        both = _LARGEST[n](input, size=size, wanted=out)
    return both if return_indices else both[0]


_DOC = "The {} of {} regions that cover the input; output_size is one size or one a dim, None keeps a dim."
_MEAN_RULE, _MAX_RULE = "g / count to each element of the region", "g to the place of each region's maximum"
_MAX_NOTE = "ties go to the first in row-major order"


@op(
    "torch.nn.functional.adaptive_avg_pool1d",
    "adaptive_avg_pool1d(input, output_size)",
    names="torch.adaptive_avg_pool1d",
    category="nn layer: pool",
    doc=_DOC.format("mean", "output_size"),
    formula=_MEAN_RULE,
    examples=("F.adaptive_avg_pool1d(tensor([[1., 2., 3.]]), 2)  #> [[1.5000, 2.5000]]",),
    samples=(sample(T(1, 2, 5), 2), sample(T(2, 4), 1)),
)
def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    return adaptive_average("adaptive_avg_pool1d", 1, input, output_size)


@op(
    "torch.nn.functional.adaptive_avg_pool2d",
    "adaptive_avg_pool2d(input, output_size)",
    category="nn layer: pool",
    doc=_DOC.format("mean", "output_size"),
    formula=_MEAN_RULE,
    examples=("F.adaptive_avg_pool2d(tensor([[[1., 2., 3.]]]), (1, 2))  #> [[[1.5000, 2.5000]]]",),
    samples=(sample(T(1, 2, 3, 3), 1), sample(T(1, 1, 5, 4), (2, 3)), sample(T(1, 3, 4), (None, 2))),
)
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    return adaptive_average("adaptive_avg_pool2d", 2, input, output_size)


@op(
    "torch.nn.functional.adaptive_avg_pool3d",
    "adaptive_avg_pool3d(input, output_size)",
    category="nn layer: pool",
    doc=_DOC.format("mean", "output_size"),
    formula=_MEAN_RULE,
    examples=("F.adaptive_avg_pool3d(tensor([[[[1., 2., 3.]]]]), (1, 1, 2))  #> [[[[1.5000, 2.5000]]]]",),
    samples=(sample(T(1, 1, 2, 2, 2), 1), sample(T(1, 1, 3, 2, 4), 2)),
)
def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    return adaptive_average("adaptive_avg_pool3d", 3, input, output_size)


@op(
    "torch.nn.functional.adaptive_max_pool1d",
    "adaptive_max_pool1d(input, output_size, return_indices=False)",
    category="nn layer: pool",
    doc=_DOC.format("maximum", "output_size"),
    formula=_MAX_RULE,
    conventions=_MAX_NOTE,
    examples=("F.adaptive_max_pool1d(tensor([[1., 2., 3.]]), 2)  #> [[2., 3.]]",),
    samples=(sample(T(1, 1, 7), 3), sample(T(2, 4), 2)),
)
def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    return _adaptive_max("adaptive_max_pool1d", 1, input, output_size, return_indices)


@op(
    "torch.adaptive_max_pool1d",
    "adaptive_max_pool1d(input, output_size)",
    category="nn layer: pool",
    doc="F.adaptive_max_pool1d with return_indices=True.",
    formula=_MAX_RULE,
    conventions=_MAX_NOTE,
    examples=("adaptive_max_pool1d(tensor([[1., 2., 3.]]), 2)[1]  #> [[1, 2]]",),
    samples=(sample(T(1, 1, 7), 3),),
)
def torch_adaptive_max_pool1d(input: Any, output_size: Any) -> Any:
    return _adaptive_max("adaptive_max_pool1d", 1, input, output_size, True)


@op(
    "torch.nn.functional.adaptive_max_pool2d",
    "adaptive_max_pool2d(input, output_size, return_indices=False)",
    category="nn layer: pool",
    doc=_DOC.format("maximum", "output_size"),
    formula=_MAX_RULE,
    conventions=_MAX_NOTE,
    examples=("F.adaptive_max_pool2d(tensor([[[1., 2., 3.]]]), (1, 2))  #> [[[2., 3.]]]",),
    samples=(sample(T(1, 1, 3, 4), 2), sample(T(1, 2, 3, 3), (2, None))),
)
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    return _adaptive_max("adaptive_max_pool2d", 2, input, output_size, return_indices)


@op(
    "torch.nn.functional.adaptive_max_pool3d",
    "adaptive_max_pool3d(input, output_size, return_indices=False)",
    category="nn layer: pool",
    doc=_DOC.format("maximum", "output_size"),
    formula=_MAX_RULE,
    conventions=_MAX_NOTE,
    examples=("F.adaptive_max_pool3d(tensor([[[[1., 2., 3.]]]]), (1, 1, 2))  #> [[[[2., 3.]]]]",),
    samples=(sample(T(1, 1, 2, 2, 2), 1), sample(T(1, 1, 3, 2, 2), 2)),
)
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    return _adaptive_max("adaptive_max_pool3d", 3, input, output_size, return_indices)

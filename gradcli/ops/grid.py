"""Images sampled at the points of a grid, and grids made of affine maps (Jaderberg et al. 2015)."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.masks import join, keep, part, total
from gradcli.ops.nn_common import dtype_of, floating
from gradcli.ops.planes import drop, pick
from gradcli.ops.row import Lit, T, op, sample

_A = -0.75  # of the cubic kernel, as PyTorch's bicubic


class Sampling(NamedTuple):
    """How a grid is read: interpolation, what lies outside, whether -1 and 1 are the centres of the corner pixels."""

    mode: str
    outside: str
    align: bool


class Tap(NamedTuple):
    """One neighbour along one dim: its place, where it exists, its weight and how that changes with the position."""

    place: Any
    exists: Any
    weight: Any
    slope: Any


def _position(x: Any, n: int, align: bool) -> tuple[Any, float]:
    """Return the pixel position of grid coordinates and its derivative."""
    scale = (n - 1) / 2 if align else n / 2
    return (x + 1) * scale - (0 if align else 0.5), scale


def _reflected(p: Any, n: int, align: bool) -> tuple[Any, Any]:
    """Return raw positions mirrored into the image, and the sign of the slope there."""
    low, span = (0.0, float(n - 1)) if align else (-0.5, float(n))
    if span == 0:
        return np.zeros_like(p), np.zeros_like(p)
    away = p - low
    one = p.dtype.type(1)
    sign = np.where(away < 0, -one, one)
    away = np.abs(away)
    flips = np.floor(away / span)
    extra = away - flips * span
    even = flips % 2 == 0
    return np.where(even, extra, span - extra) + low, sign * np.where(even, one, -one)


def _bounded(p: Any, n: int, how: Sampling) -> tuple[Any, Any]:
    """Return raw positions moved into the image, and the factor of the slope."""
    factor = np.ones_like(p)
    if how.outside == "reflection":
        p, factor = _reflected(p, n, how.align)
    if how.outside != "zeros":
        inside = (p > 0) & (p < n - 1)
        p, factor = np.clip(p, 0, n - 1), factor * inside
    return p, factor


def _moved(p: Any, n: int, how: Sampling) -> Any:
    """Return positions moved into the image as a function of ``p``: bounded value, with slope 1, -1 or 0."""
    bounded, factor = _bounded(raw(p), n, how)
    if not isinstance(p, Tensor):
        return bounded
    return p * factor + (bounded - raw(p) * factor)


def _tap(at: Any, n: int, weight: Any, slope: Any) -> Tap:
    exists = (at >= 0) & (at < n)
    return Tap(np.where(exists, at, 0), exists, weight, slope)


def _linear(p: Any, n: int) -> list[Tap]:
    low = np.floor(raw(p))
    t = p - low
    at = _integers(low)
    return [_tap(at, n, 1 - t, -1.0), _tap(at + 1, n, t, 1.0)]


def _integers(places: Any) -> Any:
    """Return places as integers; nan and what is far outside become -1."""
    return np.where(np.abs(places) < 2**31, places, -1).astype(np.int64)


def _near(t: Any) -> tuple[Any, Any]:
    """Return the cubic kernel for distances up to 1, and its derivative."""
    return ((_A + 2) * t - (_A + 3)) * t * t + 1, ((3 * (_A + 2)) * t - 2 * (_A + 3)) * t


def _far(t: Any) -> tuple[Any, Any]:
    """Return the cubic kernel for distances from 1 to 2, and its derivative."""
    return ((t * _A - 5 * _A) * t + 8 * _A) * t - 4 * _A, (t * (3 * _A) - 10 * _A) * t + 8 * _A


def _cubic(p: Any, n: int, how: Sampling) -> list[Tap]:
    low = np.floor(raw(p))
    t = p - low
    taps = []
    for k, (kernel, distance, sign) in enumerate(
        ((_far, t + 1, 1), (_near, t, 1), (_near, 1 - t, -1), (_far, 2 - t, -1))
    ):
        weight, slope = kernel(distance)
        at = low + (k - 1)
        taps.append(_tap(_integers(np.rint(_bounded(at, n, how)[0])), n, weight, slope * sign))
    return taps


def _taps(coordinate: Any, n: int, how: Sampling) -> tuple[list[Tap], Any]:
    """Return the neighbours along one dim and the derivative of the position by the grid coordinate."""
    p, scale = _position(coordinate, n, how.align)
    if how.mode == "bicubic":
        return _cubic(p, n, how), scale
    factor = _bounded(raw(p), n, how)[1] * scale
    p = _moved(p, n, how)
    if how.mode == "bilinear":
        return _linear(p, n), factor
    return [_tap(_integers(np.rint(raw(p))), n, 1.0, None)], factor


def _dims(grid: Any, size: tuple[int, ...], how: Sampling) -> list[tuple[list[Tap], Any]]:
    """Return the neighbours along each spatial dim; the last grid coordinate belongs to the first of them."""
    n = len(size)
    last = grid.ndim - 1
    lead = tuple(grid.shape[:-1])
    coordinates = [part(grid, last, n - 1 - d, n - d).reshape((lead[0], 1, *lead[1:])) for d in range(n)]
    return [_taps(c, m, how) for c, m in zip(coordinates, size, strict=True)]


def _corners(dims: list[tuple[list[Tap], Any]], size: tuple[int, ...], channels: int) -> Any:
    """Yield each combination of neighbours with its flat places (for every channel) and where it exists."""
    for taps in itertools.product(*(taps for taps, _ in dims)):
        place, exists = taps[0].place, taps[0].exists
        for tap, m in zip(taps[1:], size[1:], strict=True):
            place, exists = place * m + tap.place, exists & tap.exists
        shape = (place.shape[0], channels, *place.shape[2:])
        yield taps, np.broadcast_to(place, shape), exists


def _product(taps: tuple[Tap, ...], skip: int = -1) -> Any:
    weight: Any = 1.0
    for d, tap in enumerate(taps):
        if d != skip:
            weight = tap.weight * weight
    return weight


def _sampled(input: Any, grid: Any, *, how: Sampling) -> Any:
    size = input.shape[2:]
    dims = _dims(grid, size, how)
    out: Any = 0
    for taps, places, exists in _corners(dims, size, input.shape[1]):
        out = out + np.where(exists, pick(input, places, len(size)) * _product(taps), input.dtype.type(0))
    return out


def _sampled_rule(g: Any, needs: tuple[bool, bool], input: Any, grid: Any, how: Sampling) -> Any:
    size = tuple(input.shape[2:])
    dims = _dims(grid, size, how)
    to_input: Any = None
    slopes: list[Any] = [None] * len(size)
    for taps, places, exists in _corners(dims, size, input.shape[1]):
        if needs[0]:
            piece = drop(keep(g * _product(taps), exists), places, size)
            to_input = piece if to_input is None else to_input + piece
        if needs[1] and how.mode != "nearest":
            felt = total(keep(g * pick(input, places, len(size)), exists), 1)
            for d, tap in enumerate(taps):
                piece = felt * tap.slope * _product(taps, d)
                slopes[d] = piece if slopes[d] is None else slopes[d] + piece
    return to_input, _to_grid(slopes, dims, grid, how) if needs[1] else None


def _to_grid(slopes: list[Any], dims: list[tuple[list[Tap], Any]], grid: Any, how: Sampling) -> Any:
    """Return the cotangent of the grid from those of the positions."""
    if how.mode == "nearest":
        return grid * 0
    lead = tuple(grid.shape[:-1])
    found = [(slope * factor).reshape((*lead, 1)) for slope, (_, factor) in zip(slopes, dims, strict=True)][::-1]
    out = found[0]
    for more in found[1:]:
        out = join(out, more, len(lead))
    return out


_GRID = {n: Primitive(f"grid_sampler_{n}d", _sampled, _sampled_rule, node=f"GridSampler{n}DBackward0",
    batch="networks.folded") for n in (2, 3)}


def _checked(input: Any, grid: Any, mode: str, padding_mode: str) -> int:
    n = int(input.ndim) - 2
    if n not in (2, 3) or grid.ndim != input.ndim or grid.shape[-1] != n or grid.shape[0] != input.shape[0]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            "grid_sample needs images (N, C, H, W) with a grid (N, ..., 2), or (N, C, D, H, W) with (N, ..., 3); got "
            f"shapes {tuple(input.shape)} and {tuple(grid.shape)}",
        )
    if mode not in ("bilinear", "nearest", "bicubic") or (mode == "bicubic" and n == 3):
        raise error(
            ValueError if n == 2 else RuntimeError,
            "bad-choice",
            f"grid_sample has no mode {mode!r} in {n} dims",
            hint="bilinear or nearest; bicubic for images",
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise error(
            ValueError,
            "bad-choice",
            f"grid_sample has no padding_mode {padding_mode!r}",
            hint="zeros, border or reflection",
        )
    if 0 in tuple(input.shape[2:]):
        raise error(RuntimeError, "bad-size", f"grid_sample cannot read an empty image of shape {tuple(input.shape)}")
    return n


@op(
    "torch.nn.functional.grid_sample",
    "grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None)",
    category="nn layer: upsample",
    doc="input read at the points of grid, whose last dim holds x, y (and z) from -1 to 1 across the image.",
    formula="each pixel gets g times the weights with which it was read; the grid gets g times the slope of the "
    "image there",
    conventions="align_corners=False by default: -1 and 1 are the outer edges of the corner pixels; mode nearest "
    "gives the grid zeros",
    examples=("F.grid_sample(tensor([[[[1., 3.]]]]), tensor([[[[0., 0.]]]]), align_corners=False)  #> [[[[2.]]]]",),
    samples=(
        sample(T(1, 1, 3, 3), Lit([[[[0.1, -0.2], [0.3, 0.45]], [[-0.5, 0.15], [0.6, -0.7]]]]), align_corners=False),
        sample(
            T(1, 2, 3, 3),
            Lit([[[[0.1, -0.2], [0.3, 0.45]]]]),
            mode="bicubic",
            padding_mode="border",
            align_corners=True,
        ),
        sample(T(1, 1, 3, 3), Lit([[[[1.4, -0.2], [-2.3, 0.45]]]]), padding_mode="reflection", align_corners=True),
        sample(T(1, 1, 2, 2, 2), Lit([[[[[0.1, -0.2, 0.3]]]]]), align_corners=False),
    ),
)
def grid_sample(
    input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    input, grid = floating("grid_sample", input, grid)
    n = _checked(input, grid, mode, padding_mode)
    return _GRID[n](input, grid, how=Sampling(mode, padding_mode, _align("grid_sample", align_corners)))


def _align(name: str, align_corners: bool | None) -> bool:
    if align_corners is None:
        warnings.warn(f"{name} without align_corners= takes False; say which one is meant", UserWarning, stacklevel=3)
    return bool(align_corners)


def _affine(theta: Any, *, base: Any) -> Any:
    return np.matmul(base, np.swapaxes(theta, 1, 2))


def _affine_back(g: Any, *, base: Any) -> Any:
    return np.matmul(np.swapaxes(g, 1, 2), base)


affine_primitive = Primitive("affine_grid_generator", _affine, {"theta": lambda g, base: affine_back(g, base=base)},
    batch="networks.folded")
affine_back: Primitive = Primitive(
    "affine_grid_generator_backward", _affine_back, {"g": lambda g, base: affine_primitive(g, base=base)},
    batch="networks.folded",
)


def _base_grid(size: tuple[int, ...], align: bool, dtype: Any) -> Any:
    """Return the homogeneous coordinates (x, y, .., 1) of all pixels, row by row."""
    lines = []
    for m in size:
        line = np.linspace(-1, 1, m) if m > 1 else np.zeros(1)
        lines.append(line if align or m < 2 else line * ((m - 1) / m))
    axes = np.meshgrid(*lines, indexing="ij")[::-1]
    return np.stack([*(a.ravel() for a in axes), np.ones(math.prod(size))], axis=-1).astype(dtype)


@op(
    "torch.nn.functional.affine_grid",
    "affine_grid(theta, size, align_corners=None)",
    category="nn layer: upsample",
    doc="The grid of grid_sample that maps each result point by theta, (N, 2, 3) for size (N, C, H, W) or (N, 3, 4) "
    "for (N, C, D, H, W).",
    formula="the sum over the points of g times their coordinates",
    conventions="align_corners as in grid_sample",
    examples=(
        "F.affine_grid(tensor([[[1., 0., 0.], [0., 1., 0.]]]), (1, 1, 1, 2), align_corners=True)  #> [[[[-1., 0.], [ "
        "1., 0.]]]]",
    ),
    samples=(
        sample(T(1, 2, 3), (1, 1, 2, 3), align_corners=False),
        sample(T(1, 2, 3), (1, 1, 2, 2), align_corners=True),
        sample(T(1, 3, 4), (1, 1, 2, 1, 2), align_corners=False),
    ),
)
def affine_grid(theta: Any, size: Any, align_corners: bool | None = None) -> Any:
    theta = floating("affine_grid", theta)
    shape = tuple(int(m) for m in size)
    n = len(shape) - 2
    if n not in (2, 3) or tuple(theta.shape) != (shape[0], n, n + 1):
        raise error(
            ValueError,
            "shape-mismatch",
            f"affine_grid: theta of shape {tuple(theta.shape)} does not fit the size {list(shape)}; (N, 2, 3) goes "
            "with 4 "
            "numbers, (N, 3, 4) with 5",
        )
    base = _base_grid(shape[2:], _align("affine_grid", align_corners), dtype_of(theta))
    return affine_primitive(theta, base=base).reshape((shape[0], *shape[2:], n))

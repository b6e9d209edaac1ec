"""Images in another size: interpolation along each dim from a few neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.nn_common import floating
from gradcli.ops.row import T, op, sample

Array = np.ndarray[Any, Any]


class Taps(NamedTuple):
    """How one dim of ``size`` is resampled: ``places[k, o]`` and ``weight[k, o]`` of the k-th neighbour of result o."""

    places: Array
    weight: Array
    size: int


def _resampled(input: Any, *, taps: tuple[Taps, ...]) -> Any:
    for axis, tap in zip(range(input.ndim - len(taps), input.ndim), taps, strict=True):
        shape = (-1, *(1,) * (input.ndim - 1 - axis))
        weight = tap.weight.astype(input.dtype)
        input = sum(np.take(input, i, axis=axis) * w.reshape(shape) for i, w in zip(tap.places, weight, strict=True))
    return input


def _resampled_back(g: Any, *, taps: tuple[Taps, ...]) -> Any:
    """Return the adjoint; the index of each tap rises, so equal places are neighbours and add up by ``reduceat``."""
    for axis, tap in zip(range(g.ndim - len(taps), g.ndim), taps, strict=True):
        shape = (-1, *(1,) * (g.ndim - 1 - axis))
        weight = tap.weight.astype(g.dtype)
        total: Any = np.zeros((*g.shape[:axis], tap.size, *g.shape[axis + 1 :]), g.dtype)
        for i, w in zip(tap.places, weight, strict=True):
            which, starts = np.unique(i, return_index=True)
            total[(*(slice(None),) * axis, which)] += np.add.reduceat(g * w.reshape(shape), starts, axis=axis)
        g = total
    return g


resampled_back = Primitive(
    "upsample_backward", _resampled_back, {"g": lambda g, taps: _primitive("UpsampleNearest1DBackward0")(g, taps=taps)},
    batch=(),
)
_PRIMITIVES: dict[str, Primitive] = {}


def _primitive(node: str) -> Primitive:
    """Return the primitive whose node has the name ``node``."""
    found = _PRIMITIVES.get(node)
    if found is None:
        found = _PRIMITIVES[node] = Primitive(
            "upsample", _resampled, {"input": lambda g, taps: resampled_back(g, taps=taps)}, node=node,
            batch=(),
        )
    return found


def _centres(n: int, out: int, scale: float | None, align: bool) -> tuple[Array, float]:
    """Return where each result lies in the input, and the input's step for one result."""
    if align:
        step = (n - 1) / (out - 1) if out > 1 else 0.0
        return np.arange(out) * step, step
    step = 1 / scale if scale else n / out
    return (np.arange(out) + 0.5) * step - 0.5, step


def nearest(n: int, out: int, scale: float | None, exact: bool) -> Taps:
    """Return taps that copy one neighbour."""
    step = 1 / scale if scale else n / out
    at = np.floor((np.arange(out) + (0.5 if exact else 0)) * step).astype(np.int64)
    return Taps(np.minimum(at, n - 1)[None], np.ones((1, out)), n)


def linear(n: int, out: int, scale: float | None, align: bool) -> Taps:
    """Return the two taps of linear interpolation."""
    at = np.maximum(_centres(n, out, scale, align)[0], 0)
    low = np.minimum(at.astype(np.int64), n - 1)
    part = np.clip(at - low, 0, 1)
    return Taps(np.stack([low, np.minimum(low + 1, n - 1)]), np.stack([1 - part, part]), n)


def _cubic_weight(x: Array, a: float) -> Array:
    """Return the cubic convolution kernel (Keys 1981) at distance x."""
    x = np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))


def cubic(n: int, out: int, scale: float | None, align: bool) -> Taps:
    """Return the four taps of cubic convolution with a = -0.75; beyond the edge the edge is repeated."""
    at = _centres(n, out, scale, align)[0]
    low = np.floor(at).astype(np.int64)
    places = np.stack([low + k for k in (-1, 0, 1, 2)])
    return Taps(np.clip(places, 0, n - 1), _cubic_weight(at - places, -0.75), n)


def _triangle(x: Array) -> Array:
    return np.asarray(np.maximum(1 - np.abs(x), 0))


def antialiased(
    n: int, out: int, scale: float | None, align: bool, reach: int, kernel: Callable[[Array], Array]
) -> Taps:
    """Return taps whose kernel widens when the result is smaller than the input."""
    step = _centres(n, out, scale, align)[1]
    wide = max(step, 1.0)
    support = reach * wide
    centre = step * (np.arange(out) + 0.5)
    first = np.maximum((centre - support + 0.5).astype(np.int64), 0)
    last = np.minimum((centre + support + 0.5).astype(np.int64), n)
    places = first + np.arange(max(1, int((last - first).max(initial=1))))[:, None]
    weight = np.where(places < last, kernel((places - centre + 0.5) / wide), 0)
    return Taps(np.minimum(places, n - 1), weight / np.add.reduce(weight, axis=0), n)


_NAMES = {
    ("nearest", 1): "Nearest1D",
    ("nearest", 2): "Nearest2D",
    ("nearest", 3): "Nearest3D",
    ("nearest-exact", 1): "NearestExact1D",
    ("nearest-exact", 2): "NearestExact2D",
    ("nearest-exact", 3): "NearestExact3D",
    ("linear", 1): "Linear1D",
    ("bilinear", 2): "Bilinear2D",
    ("trilinear", 3): "Trilinear3D",
    ("bicubic", 2): "Bicubic2D",
}


def _taps(mode: str, n: int, out: int, scale: float | None, align: bool, antialias: bool) -> Taps:
    if mode.startswith("nearest"):
        return nearest(n, out, scale, mode == "nearest-exact")
    if antialias:
        cubic_kernel = mode == "bicubic"
        kernel = (lambda x: _cubic_weight(x, -0.5)) if cubic_kernel else _triangle
        return antialiased(n, out, scale, align, 2 if cubic_kernel else 1, kernel)
    return cubic(n, out, scale, align) if mode == "bicubic" else linear(n, out, scale, align)


def _target(
    size: tuple[int, ...], wanted: Any, factor: Any, recompute: bool
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """Return the size of the result and the scale of each dim that was given (None: from the sizes)."""
    n = len(size)
    if (wanted is None) == (factor is None):
        raise error(ValueError, "bad-size", "interpolate needs either size or scale_factor")
    given = wanted if wanted is not None else factor
    values = tuple(given) if isinstance(given, (tuple, list)) else (given,) * n
    if len(values) != n:
        raise error(
            ValueError, "bad-length", f"interpolate: {n} numbers are needed for {n} spatial dims, got {len(values)}"
        )
    if wanted is not None:
        out = tuple(int(v) for v in values)
    else:
        out = tuple(math.floor(m * float(v)) for m, v in zip(size, values, strict=True))
    if min(out) < 1 or 0 in size:
        raise error(RuntimeError, "bad-size", f"interpolate: cannot go from the size {list(size)} to {list(out)}")
    from_sizes = wanted is not None or recompute
    return out, tuple(None if from_sizes else float(v) for v in values)


@op(
    "torch.nn.functional.interpolate",
    "interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, "
    "recompute_scale_factor=None, antialias=False)",
    names="torch.nn.functional.upsample torch.nn.functional.upsample_nearest",
    category="nn layer: upsample",
    doc="Images (N, C, ...) in another size; modes nearest, nearest-exact, linear, bilinear, bicubic, trilinear, area.",
    formula="each element gets g times the weights with which it was read",
    conventions="a given scale_factor, not the ratio of the sizes, places the results; align_corners=True keeps the "
    "corners",
    examples=(
        "F.interpolate(tensor([[[1., 3.]]]), scale_factor=2)  #> [[[1., 1., 3., 3.]]]",
        "F.interpolate(tensor([[[1., 3.]]]), size=3, mode='linear', align_corners=True)  #> [[[1., 2., 3.]]]",
    ),
    samples=(
        sample(T(1, 1, 2, 2), scale_factor=2),
        sample(T(1, 2, 3), size=5, mode="linear", align_corners=False),
        sample(T(1, 1, 2, 3), size=(3, 4), mode="bilinear", align_corners=True),
        sample(T(1, 1, 2, 2), scale_factor=2.0, mode="bicubic", align_corners=False),
        sample(T(1, 1, 4, 4), size=(2, 3), mode="area"),
        sample(T(1, 1, 6, 5), size=(3, 3), mode="bilinear", antialias=True),
        sample(T(1, 1, 2, 2, 2), size=3, mode="trilinear"),
        sample(T(1, 1, 5), size=3, mode="nearest-exact"),
    ),
)
def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    input = floating("interpolate", input)
    n = input.ndim - 2
    if mode != "area" and (mode, n) not in _NAMES:
        raise error(
            NotImplementedError,
            "bad-choice",
            f"interpolate has no mode {mode!r} for an input of shape {tuple(input.shape)}",
            hint="linear for (N, C, L), bilinear and bicubic for (N, C, H, W), trilinear for (N, C, D, H, W)",
        )
    if align_corners is not None and (mode == "area" or mode.startswith("nearest")):
        raise error(ValueError, "bad-choice", f"interpolate: align_corners does not belong to mode {mode!r}")
    if antialias and mode not in ("bilinear", "bicubic"):
        raise error(
            ValueError, "bad-choice", f"interpolate: antialias belongs to bilinear and bicubic, not to {mode!r}"
        )
    spatial = tuple(input.shape[2:])
    out, scales = _target(spatial, size, scale_factor, bool(recompute_scale_factor))
    if mode == "area":
        from gradcli.ops.adaptive import adaptive_average

        return adaptive_average("interpolate", n, input, out)
    taps = tuple(
        _taps(mode, m, o, s, bool(align_corners), antialias) for m, o, s in zip(spatial, out, scales, strict=True)
    )
    return _primitive(f"Upsample{_NAMES[mode, n]}{'Aa' if antialias else ''}Backward0")(input, taps=taps)


@op(
    "torch.nn.functional.upsample_bilinear",
    "upsample_bilinear(input, size=None, scale_factor=None)",
    category="nn layer: upsample",
    doc="interpolate with mode 'bilinear' and align_corners=True.",
    formula="as interpolate's",
    examples=("F.upsample_bilinear(tensor([[[[1., 3.]]]]), size=(1, 3))  #> [[[[1., 2., 3.]]]]",),
    samples=(sample(T(1, 1, 2, 3), size=(3, 4)),),
)
def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    return interpolate(input, size, scale_factor, "bilinear", True)

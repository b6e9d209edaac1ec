"""Derivatives measured as well as differences allow, with an estimate of their error, and what kind of point it is.

Extrapolation is Ridders' (Adv. Eng. Software 4, 1982): central differences of falling steps, each combined with the one
before to cancel the next power of the step; the best entry of the table is the one that changed least.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Values = Callable[[float], Array]  # the outputs as a real vector, after a step of this size
_SHRINK = 4.0
_LEVELS = 13
_WORST_STEP = 0.1
# irregular steps: regular ones may be multiples of the rounding that they are to find
_NEARBY = np.array([-1.0, -0.8137, -0.5713, -0.3391, -0.1279, 0.1733, 0.3947, 0.6301, 0.8573, 1.0213])
_CURVES = np.stack([np.ones(10), _NEARBY, _NEARBY**2, np.abs(_NEARBY), _NEARBY * np.abs(_NEARBY)], axis=1)
_FIT = np.linalg.pinv(_CURVES)
_SMALL = 6  # from this level on steps are below 1e-4
_LOST = 0.05  # with noise of this share of all that the values vary, nothing can be measured
_LEVEL = (1e-9, -1e-9, 2.3e-10, -2.3e-10)  # steps over which a smooth function with a slope moves
_CALM, _CALMEST = 3e-7, 1e-8  # hardly anything but rounding keeps a function from being a parabola over such steps


class Estimate(NamedTuple):
    """Derivatives, how far off each may be, and the noise of the outputs; all of the outputs' shape.

    An unknown derivative has an infinite error. ``flat`` outputs don't move at all near the point.
    """

    value: Array
    error: Array
    noise: Array
    flat: Array


class _Pair(NamedTuple):
    """The outputs on both sides of the point."""

    step: float
    above: Array
    below: Array

    @property
    def slope(self) -> Array:
        slope: Array = (self.above - self.below) / (2 * self.step)
        return slope


def derivative(values: Values, scale: float, precision: float, floor: float | Array = 0.0) -> Estimate:
    """Return the derivative of ``values`` at 0 for steps in units of ``scale``, the size over which they may change.

    ``precision`` is the relative rounding of one value, ``floor`` the absolute error that each may have beyond it:
    steps are not worth more than what these leave.
    """
    steps = [_WORST_STEP * scale / _SHRINK**k for k in range(_LEVELS)]
    pairs = [_Pair(step, values(step), values(-step)) for step in steps]
    with np.errstate(all="ignore"):
        noise = np.maximum(_noise(values, _CALM * scale), floor)
        value, error = _extrapolated([(pair.slope, _doubt(pair, precision, noise)) for pair in pairs])
        least = np.maximum(_noise(values, _CALMEST * scale), floor)
        slopes = [(pair.slope, _doubt(pair, precision, least)) for pair in pairs]
        value, error = _near_zero(value, error, slopes)
        error = np.maximum(
            error, _disagreement(value, slopes, noise / np.array([pair.step for pair in pairs])[:, None])
        )
        spread = np.ptp([side for pair in pairs for side in (pair.above, pair.below)], axis=0)
        here = values(0.0)
        is_rough = noise > np.maximum(_LOST * spread, 16 * precision * np.abs(here))  # a level output has no spread
        error = np.where(is_rough, np.inf, error)
        flat = np.all([values(step * scale) == here for step in _LEVEL], axis=0)
        return Estimate(value, error, noise, flat)


def _noise(values: Values, reach: float) -> Array:
    """Return the noise of the outputs: what a parabola on each side of the point leaves of their values near it.

    Steps that are too short find none where a value is cut to a few digits on the way.
    """
    found = np.array([values(float(step) * reach) for step in _NEARBY])
    rest = found - _CURVES @ (_FIT @ np.nan_to_num(found, posinf=0.0, neginf=0.0))
    spread: Array = 2 * np.max(np.abs(np.nan_to_num(rest, nan=0.0, posinf=0.0, neginf=0.0)), axis=0)
    return spread


def _doubt(pair: _Pair, precision: float, noise: Array) -> Array:
    rounding = 2 * precision * np.maximum(np.abs(pair.above), np.abs(pair.below))
    doubt: Array = (rounding + noise) / pair.step
    return doubt


def _extrapolated(slopes: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Return the best entry of Ridders' table, and how much it changed when it was made."""
    table: list[Array] = []
    best = slopes[0][0].copy()
    error = np.full(best.shape, np.inf)
    for slope, doubt in slopes:
        row = [slope]
        for k, before in enumerate(table):
            power = _SHRINK ** (2 * (k + 1))
            row.append((row[k] * power - before) / (power - 1))
            change = np.maximum(np.abs(row[-1] - row[-2]), np.abs(row[-1] - before)) + doubt
            better = change < error
            best, error = np.where(better, row[-1], best), np.where(better, change, error)
        table = row[:6]
    return best, error


def _disagreement(value: Array, slopes: list[tuple[Array, Array]], noise: Array) -> Array:
    """Return how far small steps are from an estimate, beyond their own noise.

    A bounded function has tiny slopes over huge steps; if it waves or jumps in between, they say nothing.
    """
    gaps = [np.abs(s - value) - 10 * (doubt + n) for (s, doubt), n in zip(slopes, noise, strict=True)]
    worst: Array = np.max(np.nan_to_num(np.array(gaps[_SMALL:]), nan=np.inf), axis=0)
    return np.maximum(worst, 0.0)


def _near_zero(value: Array, error: Array, slopes: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Return an estimate, or what the smallest steps give where that is another value.

    A derivative is a limit: a function that is calm over large steps may have a narrow peak at the point itself.
    """
    known = np.zeros(value.shape, dtype=bool)
    for (slope, noise), (next_, _), (third, _) in zip(slopes[:1:-1], slopes[-2:0:-1], slopes[-3::-1], strict=True):
        usable = ~known & (noise <= 1e-3 * np.abs(slope))
        doubt = np.abs(slope - next_) + noise
        steady = (doubt <= 0.1 * np.abs(slope)) & (np.abs(next_ - third) <= 0.1 * np.abs(slope))
        gross = np.abs(value - slope) > np.maximum(10 * doubt + error, 0.1 * np.abs(slope))
        other = usable & steady & gross
        value, error = np.where(other, slope, value), np.where(other, doubt, error)
        known |= usable
    return value, error


class Slopes(NamedTuple):
    """The slopes on both sides of a point for one output, and what kind of point it is.

    ``kind`` is "smooth", "kink" (two slopes), "jump" (the value jumps), "steep" (a slope without bound) or "edge"
    (no finite value on one side or on both). ``size`` is that of the slopes around.
    """

    left: float
    right: float
    kind: str
    size: float = 0.0

    def has(self, slope: float) -> bool:
        """Tell whether a slope is one that the point allows: between those of a kink, or that of the finite side."""
        known = [s for s in (self.left, self.right) if np.isfinite(s)]
        if not known:
            return False
        slack = 1e-4 * max(1e-300, self.size, *map(abs, known))
        return min(known) - slack <= slope <= max(known) + slack

    def words(self) -> str:
        """Return the two slopes in words."""
        return f"{_number(self.left)} from the left, {_number(self.right)} from the right"


def slopes(value: Callable[[float], float], scale: float, precision: float, floor: float = 0.0) -> Slopes:
    """Return the one-sided slopes of a function of one number at 0, and the kind of point that they tell of."""
    here = value(0.0)
    pairs = []
    for step in (1e-4 * scale, 1e-5 * scale, 1e-6 * scale):
        above, below = value(step), value(-step)
        noise = (precision * max(abs(above), abs(below)) + floor) / step
        pairs.append(((here - below) / step, (above - here) / step, noise))
    noise = pairs[-1][2]
    sides = [[pair[k] for pair in pairs] for k in range(2)]
    left, right = (_limit(side, noise) for side in sides)
    if not (np.isfinite(left) and np.isfinite(right)):
        around = [abs(slope) for side in sides for slope in side if np.isfinite(slope)]
        kind = "steep" if any(_grows(side, 2.0) for side in sides) else "edge"
        return Slopes(left, right, kind, max(around, default=0.0))
    gaps = [abs(a - b) for a, b in zip(*sides, strict=True)]
    size = max(abs(left), abs(right))
    if size > 100 * noise and any(_grows(side, 1.5) for side in sides):
        return Slopes(sides[0][-1], sides[1][-1], "jump" if any(_grows(side, 5.0) for side in sides) else "steep")
    if gaps[-1] <= 20 * noise or gaps[-1] <= 1e-3 * size or gaps[-1] < 0.5 * gaps[0]:
        return Slopes(left, right, "smooth")
    return Slopes(left, right, "kink")


def _limit(side: list[float], noise: float) -> float:
    """Return where slopes of falling steps lead to (Aitken), the last one where they don't move beyond the noise."""
    first, second, last = side
    before, after = second - first, last - second
    if not np.isfinite(last) or abs(after) <= 4 * noise or abs(before) <= abs(after):
        return last
    return last - after * after / (after - before)


def _grows(sizes: list[float], factor: float) -> bool:
    return bool(np.isfinite(sizes).all()) and all(abs(b) > factor * abs(a) > 0 for a, b in pairwise(sizes))


def _number(value: float) -> str:
    return f"{value:.6g}"

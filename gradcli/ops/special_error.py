"""The error function and its family, on float64 arrays.

``erf`` is a Taylor polynomial around the nearest point of a fine grid, ``erfc`` comes from the C library, element by
element. The inverses start from a rational guess and are corrected by Newton's or Halley's step; formulas from
M. Abramowitz and I. A. Stegun (1964), chapter 7.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gradcli.autograd.blocks import mapped

Array = np.ndarray[Any, Any]

_SQRT_PI = math.sqrt(math.pi)
_SQRT_HALF = math.sqrt(0.5)
_SPLITTER = 134217729.0
# M. Giles, "Approximating the erfinv function" (2010): about seven digits, in w = -log(1 - x^2), for both ranges.
_GILES_CENTRE = (1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087,
                 -4.39150654e-06, -3.5233877e-06, 3.43273939e-07, 2.81022636e-08)  # fmt: skip
_GILES_TAIL = (2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773,
               -0.00367342844, 0.00134934322, 0.000100950558, -0.000200214257)  # fmt: skip
# (-1)^n (2n - 1)!! / 2^n: erfcx(x) sqrt(pi) x in powers of 1 / x^2.
_ERFCX_FAR = tuple((-1) ** n * math.prod(range(1, 2 * n, 2)) / 2**n for n in range(12))
_ERFCX_SWITCH = 26.0


def _mapped(function: Callable[[float], float], x: Array) -> Array:
    return np.fromiter(map(function, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


def _horner(x: Array, coefficients: tuple[float, ...]) -> Array:
    value = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


_ERF_ONE = 6.0  # from here on erf is 1 to the last bit
_SMALL = 64  # up to so many elements the C library is as fast
# Points of the grid in 1, and the degree: (1 / 512)^6 is below the rounding of double, (1 / 64)^4 of single precision.
_GRIDS = {np.dtype(np.float64): (256, 5), np.dtype(np.float32): (32, 4)}


def erf(x: Array) -> Array:
    """Return the error function ``2/sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to ``x``, in double or
    single precision.
    """
    if x.size <= _SMALL:
        return _mapped(math.erf, x).astype(x.dtype, copy=False)
    made: Array = mapped(_erf_near, x)
    return made


def _erf_near(x: Array) -> Array:
    """Return ``erf(x)``: the value at the nearest point of the grid and the polynomial of the rest."""
    steps, table = _GRIDS[x.dtype][0], _erf_table(x.dtype)
    rest = np.minimum(np.abs(x), x.dtype.type(_ERF_ONE))
    nearest = np.rint(rest * steps)
    index = nearest.astype(np.intp)  # of nan: anything, and the rest is nan
    rest -= np.multiply(nearest, 1 / steps, out=nearest)
    value: Array = table[-1].take(index, mode="clip")
    term = nearest
    for row in table[-2::-1]:
        value *= rest
        value += row.take(index, mode="clip", out=term)
    np.copysign(value, x, out=value)
    return value


@cache
def _erf_table(dtype: np.dtype[Any]) -> Array:
    """Return the Taylor coefficients at each point of the grid, lowest first.

    The derivatives of erf are Hermite polynomials times its first: erf^(n+1) = (-1)^n H_n erf' (A&S 7.1.19), where
    H_(n+1) = 2 x H_n - 2 n H_(n-1).
    """
    steps, degree = _GRIDS[dtype]
    x = np.arange(int(_ERF_ONE * steps) + 1) / steps
    slope = 2 / _SQRT_PI * np.exp(-x * x)
    rows, before, hermite = [_mapped(math.erf, x)], np.zeros_like(x), np.ones_like(x)
    for n in range(degree):
        rows.append((-1) ** n / math.factorial(n + 1) * hermite * slope)
        before, hermite = hermite, 2 * x * hermite - 2 * n * before
    return np.array(rows, dtype)


def erfc(x: Array) -> Array:
    """Return ``1 - erf(x)`` without cancellation."""
    return _mapped(math.erfc, x)


def erfcx(x: Array) -> Array:
    """Return ``exp(x**2) erfc(x)``; ``inf`` where that overflows, below about -26.6."""
    near = np.clip(x, -_ERFCX_SWITCH - 1.0, _ERFCX_SWITCH)
    value = _exp_square(near) * _mapped(math.erfc, near)
    far = np.where(x > _ERFCX_SWITCH, x, _ERFCX_SWITCH)
    with np.errstate(over="ignore"):
        tail = _horner(1.0 / far / far, _ERFCX_FAR) / (far * _SQRT_PI)
    return np.where(x > _ERFCX_SWITCH, tail, value)


def _exp_square(x: Array) -> Array:
    """Return ``exp(x**2)`` with the rounding error of the square (T. J. Dekker, 1971) put back in."""
    square = x * x
    scaled = _SPLITTER * x
    high = scaled - (scaled - x)
    low = x - high
    rounding = ((high * high - square) + 2 * high * low) + low * low
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(square) * (1.0 + rounding))


def erfinv(x: Array) -> Array:
    """Return the inverse of ``erf`` on [-1, 1]; infinite at the ends, nan beyond."""
    size = np.abs(x)
    inside = np.where(size < 1, size, 0.0)
    y = _erfinv_guess(inside)
    for _ in range(3):
        # Against 1 - |x| where that is exact, so that digits near the ends survive.
        error = np.where(inside < 0.5, erf(y) - inside, (1.0 - inside) - erfc(y))
        step = error * (0.5 * _SQRT_PI) * np.exp(y * y)
        y = y - step / (1.0 + y * step)
    y = np.where(size == 1, np.inf, np.where(size < 1, y, np.nan))
    return np.copysign(y, x)


def _erfinv_guess(x: Array) -> Array:
    """Return ``erfinv(x)`` for ``x`` in [0, 1) to a few digits: Giles's polynomials, then the tail's asymptote."""
    rest = 1.0 - x
    w = -np.log(rest) - np.log1p(x)
    centre = x * _horner(np.minimum(w, 5.0) - 2.5, _GILES_CENTRE)
    tail = x * _horner(np.sqrt(np.clip(w, 5.0, 16.0)) - 3.0, _GILES_TAIL)
    logarithm = -np.log(np.minimum(rest, 1e-3))
    far = np.sqrt(logarithm - np.log(np.sqrt(logarithm) * _SQRT_PI))
    return np.where(w < 5, centre, np.where(w < 16, tail, far))


def ndtri(p: Array) -> Array:
    """Return the quantile of the normal distribution; ``-inf`` at 0, ``inf`` at 1, nan outside of [0, 1]."""
    upper = p > 0.5
    small = np.where(upper, 1.0 - p, p)
    centre = math.sqrt(2.0) * erfinv(2.0 * np.clip(small, 0.1, 0.5) - 1.0)
    tail = _ndtri_tail(np.where((small > 0) & (small < 0.1), small, 0.1))
    z = np.where(small < 0.1, tail, centre)
    z = np.where(upper, -z, z)
    z = np.where(p == 0, -np.inf, np.where(p == 1, np.inf, z))
    return np.where((p >= 0) & (p <= 1), z, np.nan)


def _ndtri_tail(p: Array) -> Array:
    """Return the quantile for ``p`` in (0, 0.1] by Newton's steps on ``log_ndtr``, nearly a parabola there."""
    goal = np.log(p)
    z = -np.sqrt(-2.0 * goal)
    for _ in range(5):
        # The slope of log_ndtr is sqrt(2/pi) / erfcx(-z / sqrt(2)).
        z = z - (log_ndtr(z) - goal) * erfcx(-z * _SQRT_HALF) * math.sqrt(math.pi / 2)
    return z


def log_ndtr(x: Array) -> Array:
    """Return the logarithm of the normal distribution function, far into the left tail too."""
    left = np.minimum(x, -1.0)
    with np.errstate(over="ignore", divide="ignore"):
        tail = np.log(0.5 * erfcx(-left * _SQRT_HALF)) - 0.5 * left * left
    body = np.log1p(-0.5 * erfc(np.maximum(x, -1.0) * _SQRT_HALF))
    return np.where(x < -1.0, tail, body)


def sinc(x: Array) -> Array:
    """Return ``sin(pi x) / (pi x)``, 1 at 0."""
    angle = np.pi * x
    safe = np.where(angle == 0, 1.0, angle)
    return np.where(angle == 0, 1.0, np.sin(safe) / safe)

"""Bessel functions J and Y, and the modified K, of orders 0 and 1, on float64 arrays.

Below 25 all J are computed at once by J. C. P. Miller's downward recurrence and Y by Neumann's series over them
(M. Abramowitz and I. A. Stegun, *Handbook of Mathematical Functions*, 9.1.46, 9.1.88); above, Hankel's expansion
9.2.5. K is summed as its integral 9.6.24 by the trapezoidal rule, which converges exponentially; below 2 from the
series 9.6.11.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from gradcli.ops.special_bessel import i0, i1

Array = np.ndarray[Any, Any]
_GAMMA = 0.5772156649015329
_TINY, _SMALL, _FAR = 1e-6, 2.0, 25.0
_K_NODES = 24


def j0(x: Array) -> Array:
    """Return ``J0(x)``, even, 1 at 0."""
    return _first(0, np.abs(x))


def j1(x: Array) -> Array:
    """Return ``J1(x)``, odd."""
    return np.copysign(1.0, x) * _first(1, np.abs(x))


def y0(x: Array) -> Array:
    """Return ``Y0(x)``: nan below 0, -inf at 0."""
    return _at_zero(x, _second(0, np.abs(x)), -np.inf)


def y1(x: Array) -> Array:
    """Return ``Y1(x)``: nan below 0, -inf at 0."""
    return _at_zero(x, _second(1, np.abs(x)), -np.inf)


def k0e(x: Array) -> Array:
    """Return ``exp(x) K0(x)``: nan below 0, inf at 0."""
    return _at_zero(x, _scaled_k(0, np.abs(x)), np.inf)


def k1e(x: Array) -> Array:
    """Return ``exp(x) K1(x)``: nan below 0, inf at 0."""
    return _at_zero(x, _scaled_k(1, np.abs(x)), np.inf)


def k0(x: Array) -> Array:
    """Return ``K0(x)``: nan below 0, inf at 0."""
    return _at_zero(x, _unscaled_k(0, np.abs(x)), np.inf)


def k1(x: Array) -> Array:
    """Return ``K1(x)``: nan below 0, inf at 0."""
    return _at_zero(x, _unscaled_k(1, np.abs(x)), np.inf)


def spherical_j0(x: Array) -> Array:
    """Return ``sin(x) / x``, 1 at 0 and 0 at infinity."""
    safe = np.where((x == 0) | np.isinf(x), 1.0, x)
    return np.where(x == 0, 1.0, np.where(np.isinf(x), 0.0, np.sin(safe) / safe))


def _at_zero(x: Array, value: Array, limit: float) -> Array:
    return np.where(x == 0, limit, np.where((x < 0) | np.isnan(x), np.nan, value))


# -- J and Y ----------------------------------------------------------------------------------------------------------
def _first(order: int, x: Array) -> Array:
    near = np.where(x < _SMALL, _miller(x, _TINY, _SMALL, 26)[order], _miller(x, _SMALL, _FAR, 84)[order])
    near = np.where(x < _TINY, (0.5 * x) if order else 1.0, near)
    return np.where(x < _FAR, near, _hankel(order, x, 0.0))


def _second(order: int, x: Array) -> Array:
    low, high = _miller(x, _TINY, _SMALL, 26), _miller(x, _SMALL, _FAR, 84)
    near = np.where(x < _SMALL, _neumann(order, x, low), _neumann(order, x, high))
    limit = -2 / (np.pi * x) if order else 2 / np.pi * (np.log(0.5 * x) + _GAMMA)
    return np.where(x < _FAR, np.where(x < _TINY, limit, near), _hankel(order, x, 0.5 * np.pi))


def _miller(x: Array, low: float, high: float, count: int) -> list[Array]:
    """Return J_0 .. J_count where ``low <= x < high``; elsewhere what is returned means nothing."""
    x = np.where((x >= low) & (x < high), x, low)
    values: list[Array] = [np.full_like(x, 1e-30), np.zeros_like(x)]
    for k in range(count, 0, -1):
        values.insert(0, 2 * k / x * values[0] - values[1])
    norm = values[0] + 2 * sum(values[2::2])
    return [value / norm for value in values]


def _neumann(order: int, x: Array, j: list[Array]) -> Array:
    """Return Y from the J: ``2/pi (log(x/2) - psi(order + 1)) J`` and a series of the J of higher order."""
    total = np.zeros_like(x)
    for k in range(1, (len(j) - 1 - order) // 2):
        total += (-1) ** k * (order + 2 * k) / (k * (order + k)) * j[order + 2 * k]
    first = -2 * j[0] / (np.pi * x) if order else 0.0
    return first + 2 / np.pi * ((np.log(0.5 * x) + _GAMMA - order) * j[order] - total)


def _hankel(order: int, x: Array, turn: float) -> Array:
    """Return ``sqrt(2 / (pi x)) (P cos(w) - Q sin(w))`` with ``w = x - order pi/2 - pi/4``, turned for Y."""
    x = np.where(x < _FAR, _FAR, x)
    even = odd = np.zeros_like(x)
    for k, coefficient in enumerate(_coefficients(order)):
        term = coefficient / x**k
        even, odd = (even + term, odd) if k % 2 == 0 else (even, odd + term)
    turn = turn + order * 0.5 * np.pi + 0.25 * np.pi  # by the addition theorems, so that x loses no digits
    cosine = np.cos(x) * np.cos(turn) + np.sin(x) * np.sin(turn)
    sine = np.sin(x) * np.cos(turn) - np.cos(x) * np.sin(turn)
    return np.asarray(np.sqrt(2 / (np.pi * x)) * (even * cosine - odd * sine))


@cache
def _coefficients(order: int) -> tuple[float, ...]:
    """Return the coefficients of ``x^-k``, P and Q in turn, with their signs."""
    values = [1.0]
    for k in range(1, 20):
        values.append(values[-1] * (4 * order * order - (2 * k - 1) ** 2) / (8 * k))
    return tuple(value * (-1) ** (k // 2) for k, value in enumerate(values))


# -- K ----------------------------------------------------------------------------------------------------------------
def _scaled_k(order: int, x: Array) -> Array:
    return np.where(x < _SMALL, _k_series(order, x) * np.exp(np.minimum(x, _SMALL)), _k_integral(order, x))


def _unscaled_k(order: int, x: Array) -> Array:
    return np.where(x < _SMALL, _k_series(order, x), _k_integral(order, x) * np.exp(-x))


def _k_integral(order: int, x: Array) -> Array:
    """Return the integral over t >= 0 of ``exp(-x (cosh t - 1)) cosh(order t)``, for x >= 2."""
    x = np.maximum(x, _SMALL)
    step = np.minimum(0.2, 0.7 / np.sqrt(x))
    total = np.full_like(x, 0.5)
    for n in range(1, _K_NODES):
        t = n * step
        half = np.sinh(0.5 * t)
        total += np.exp(-2 * x * half * half) * (np.cosh(t) if order else 1.0)
    return np.where(np.isinf(x), 0.0, total * step)


def _k_series(order: int, x: Array) -> Array:
    """Return K from ``log(x/2) I`` and a power series, for x < 2."""
    x = np.where(x < _SMALL, x, 1.0)
    quarter, term, total, harmonic = 0.25 * x * x, np.ones_like(x), np.zeros_like(x), 0.0
    for k in range(1, 30):
        psi = 2 * (harmonic - _GAMMA) + 1 / k if order else harmonic - _GAMMA
        total = total + psi * term
        harmonic += 1 / k
        term = term * quarter / (k * (k + order))
    if order:
        return np.asarray(1 / x + np.log(0.5 * x) * i1(x) - 0.25 * x * total)
    return np.asarray(total - np.log(0.5 * x) * i0(x))



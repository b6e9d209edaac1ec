"""Modified Bessel functions of the first kind, orders 0 and 1, on float64 arrays.

M. Abramowitz and I. A. Stegun, *Handbook of Mathematical Functions* (1964): the ascending series 9.6.10, all of
whose terms have one sign, up to 20, and Hankel's expansion 9.7.1 from there, where its smallest term is below 1e-17.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_SWITCH = 20.0
_SERIES_TERMS = 60
_HANKEL_TERMS = 25


def i0(x: Array) -> Array:
    """Return ``I0(x)``, even, 1 at 0."""
    return _unscaled(0, np.abs(x))


def i0e(x: Array) -> Array:
    """Return ``exp(-|x|) I0(x)``."""
    return _scaled(0, np.abs(x))


def i1(x: Array) -> Array:
    """Return ``I1(x)``, odd."""
    return np.copysign(_unscaled(1, np.abs(x)), x)


def i1e(x: Array) -> Array:
    """Return ``exp(-|x|) I1(x)``."""
    return np.copysign(_scaled(1, np.abs(x)), x)


def _unscaled(order: int, x: Array) -> Array:
    near, far = _pieces(order, x)
    with np.errstate(over="ignore", invalid="ignore"):
        # exp alone overflows earlier than the product, so it is multiplied in two halves.
        half = np.exp(0.5 * x)
        value = np.where(x < _SWITCH, near, far * half * half)
    return np.where(np.isinf(x), np.inf, value)


def _scaled(order: int, x: Array) -> Array:
    near, far = _pieces(order, x)
    return np.where(x < _SWITCH, near * np.exp(-np.minimum(x, _SWITCH)), far)


def _pieces(order: int, x: Array) -> tuple[Array, Array]:
    """Return the series below the switch and Hankel's scaled expansion above; each is only good on its side."""
    quarter = np.square(0.5 * np.where(x < _SWITCH, x, 0.0))
    series = _horner(quarter, _series(order)) * ((0.5 * x) ** order)
    large = np.where(x < _SWITCH, _SWITCH, x)
    hankel = _horner(1.0 / large, _hankel(order)) / np.sqrt(2 * np.pi * large)
    return series, hankel


def _horner(x: Array, coefficients: tuple[float, ...]) -> Array:
    value = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


@cache
def _series(order: int) -> tuple[float, ...]:
    """Return ``1 / (k! (k + order)!)`` for each ``k``."""
    return tuple(1 / (math.factorial(k) * math.factorial(k + order)) for k in range(_SERIES_TERMS))


@cache
def _hankel(order: int) -> tuple[float, ...]:
    """Return the coefficients of ``1/x``: each is the last times ``((2k - 1)**2 - 4 order**2) / 8k``."""
    coefficients = [1.0]
    for k in range(1, _HANKEL_TERMS):
        coefficients.append(coefficients[-1] * ((2 * k - 1) ** 2 - 4 * order * order) / (8 * k))
    return tuple(coefficients)

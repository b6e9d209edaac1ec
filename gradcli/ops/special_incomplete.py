"""The regularised incomplete gamma functions P and Q on float64 arrays.

Series and continued fraction as in W. Gautschi, "A computational procedure for incomplete gamma functions" (1979),
the fraction evaluated by W. J. Lentz's method (1976). P is summed where x < a + 1, Q where it is not, and the other is
1 minus it, so that neither cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.ops.special_gamma import lgamma

Array = np.ndarray[Any, Any]
_EPS = 2.0**-53
_TINY = 1e-300
_MOST = 100_000


def gammainc(a: Array, x: Array) -> Array:
    """Return P(a, x), the lower function, of broadcast float64 arrays; nan for negative arguments and at (0, 0)."""
    lower, upper, summed = _both(a, x)
    return _at_edges(a, x, np.where(summed, lower, 1 - upper), 0.0)


def gammaincc(a: Array, x: Array) -> Array:
    """Return Q(a, x) = 1 - P(a, x), the upper function, of broadcast float64 arrays."""
    lower, upper, summed = _both(a, x)
    return _at_edges(a, x, np.where(summed, 1 - lower, upper), 1.0)


def _at_edges(a: Array, x: Array, value: Array, at_zero: float) -> Array:
    """Return ``value`` with the limits at zero and infinity, and nan where the functions are not defined."""
    value = np.where((x == 0) | np.isinf(a), at_zero, value)
    value = np.where((a == 0) | np.isinf(x), 1 - at_zero, value)
    undefined = (a < 0) | (x < 0) | ((a == 0) & (x == 0)) | (np.isinf(a) & np.isinf(x)) | np.isnan(a) | np.isnan(x)
    return np.where(undefined, np.nan, value)


def _both(a: Array, x: Array) -> tuple[Array, Array, Array]:
    """Return P where it is summed, Q elsewhere, and where that is."""
    a, x = np.broadcast_arrays(a, x)
    inside = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    safe_a, safe_x = np.where(inside, a, 1.0), np.where(inside, x, 1.0)
    summed = safe_x < safe_a + 1
    front = np.exp(safe_a * np.log(safe_x) - safe_x - lgamma(safe_a))
    lower = front * _series(safe_a, np.where(summed, safe_x, 0.0))
    upper = front * _fraction(safe_a, np.where(summed, safe_a + 2, safe_x))
    return lower, upper, summed


def _series(a: Array, x: Array) -> Array:
    """Return the sum over n of x^n / (a (a + 1) ... (a + n))."""
    term = 1 / a
    total = term
    for n in range(1, _MOST):
        term = term * (x / (a + n))
        total = total + term
        if np.all(term <= total * _EPS):
            break
    return total


def _fraction(a: Array, x: Array) -> Array:
    """Return the continued fraction of Gamma(a, x) / (x^a e^-x)."""
    b = x + 1 - a
    c = np.full_like(b, 1 / _TINY)
    d = 1 / b
    value = d
    for n in range(1, _MOST):
        factor = -n * (n - a)
        b = b + 2
        d = 1 / _nonzero(factor * d + b)
        c = _nonzero(b + factor / c)
        step = c * d
        value = value * step
        if np.all(np.abs(step - 1) <= 2 * _EPS):
            break
    return value


def _nonzero(value: Array) -> Array:
    return np.where(np.abs(value) < _TINY, _TINY, value)

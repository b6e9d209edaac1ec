"""Normal numbers from uniform ones, rounded as PyTorch's CPU kernels round them.

The transform is G. E. P. Box and M. E. Muller's (1958): ``sqrt(-2 ln u) cos(2 pi v)`` and the same with sin.
PyTorch fills 16 or more numbers in blocks of 16, the first half of a block holding the ``u`` and the second the ``v``.
In float64 it calls the C library, and so does ``math`` here (NumPy's own vectorised log and cos differ in the last
bit). In float32 it evaluates the Cephes polynomials (S. L. Moshier, *Methods and Programs for Mathematical
Functions*, 1989) with fused multiply-adds; they are followed here step by step, each fused step as a
float64 operation (where the product is exact) rounded to float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

BLOCK = 16
_HALF = BLOCK // 2
# Enough blocks at a time to hide the calls' cost, few enough to stay in the processor's cache.
_CHUNK = 2048

_LOG = (7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
        -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)  # fmt: skip
_LN2 = (-2.12194440e-4, 0.693359375)
_SIN = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COS = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_MINUS_QUARTER_PI = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
_SQRT_HALF = np.float32(math.sqrt(0.5))
_FOUR_OVER_PI = np.float32(4 / math.pi)


def fma(a: Array, b: Array | float, c: Array | float) -> Array:
    """Return ``a * b + c`` rounded once, in the precision of ``a`` (float32 or float64).

    In float64 by T. J. Dekker's exact product and D. E. Knuth's exact sum (1971, 1969); two roundings meet only when
    the two error terms' sum is inexact.
    """
    if a.dtype == np.float32:
        product = np.multiply(a, np.float32(b) if isinstance(b, float) else b, dtype=np.float64)
        return np.asarray(product + (np.float32(c) if isinstance(c, float) else c), np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        high, low = _exact_product(a, np.float64(b))
        total = high + c
        back = total - high
        error = (high - (total - back)) + (c - back)
        fused = total + (error + low)
    return np.where(np.isfinite(fused), fused, total)


def _exact_product(a: Array, b: Any) -> tuple[Array, Array]:
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _split(value: Any) -> tuple[Any, Any]:
    scaled = 134217729.0 * value
    high = scaled - (scaled - value)
    return high, value - high


def pairs(first: Sequence[float], second: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the cosine and sine halves for radii from ``first`` (the ``u``, in (0, 1]) and angles from ``second``."""
    radii = [math.sqrt(-2.0 * value) for value in map(math.log, first)]
    return rotated(radii, second)


def rotated(radii: Sequence[float], turns: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return ``r cos(2 pi t)`` and ``r sin(2 pi t)`` in float64, by the C library."""
    angles = [2.0 * math.pi * turn for turn in turns]
    cosines = [radius * value for radius, value in zip(radii, map(math.cos, angles), strict=True)]
    return cosines, [radius * value for radius, value in zip(radii, map(math.sin, angles), strict=True)]


def blocks(uniform: Array) -> Array:
    """Return standard normal numbers for ``uniform`` (1-d, float32 or float64, a multiple of 16 long)."""
    result = np.empty_like(uniform).reshape(-1, 2, _HALF)
    source = uniform.reshape(-1, 2, _HALF)
    transform = _block64 if uniform.dtype == np.float64 else _block32
    for start in range(0, len(source), _CHUNK):
        part = slice(start, start + _CHUNK)
        result[part, 0], result[part, 1] = transform(source[part, 0], source[part, 1])
    return result.reshape(-1)


def _block64(u: Array, v: Array) -> tuple[Array, Array]:
    cosines, sines = pairs((1.0 - u).ravel().tolist(), v.ravel().tolist())
    return np.array(cosines).reshape(u.shape), np.array(sines).reshape(u.shape)


def _block32(u: Array, v: Array) -> tuple[Array, Array]:
    radius = np.sqrt(np.float32(-2) * _log32(np.float32(1) - u))
    sine, cosine = _sincos32(np.float32(2 * math.pi) * v)
    return radius * cosine, radius * sine


def _polynomial(x: Array, coefficients: Sequence[float]) -> Array:
    """Return Horner's scheme in float32 with fused steps."""
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = fma(value, x, coefficient)
    return value


def _log32(x: Array) -> Array:
    """Return the float32 logarithm of positive ``x``: mantissa in [sqrt(1/2), sqrt(2)), polynomial, exponent."""
    mantissa, exponent = np.frexp(x)
    below = mantissa < _SQRT_HALF
    scale = exponent.astype(np.float32) - below
    rest = np.where(below, mantissa + mantissa, mantissa) - np.float32(1)
    square = rest * rest
    value = fma(_polynomial(rest, _LOG) * rest, square, scale * np.float32(_LN2[0]))
    value = fma(square, -0.5, value)
    return fma(scale, _LN2[1], rest + value)


def _sincos32(x: Array) -> tuple[Array, Array]:
    """Return the float32 sine and cosine of ``x`` in [0, 2 pi]: octant, reduction in three steps, two polynomials."""
    octant = ((x * _FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    turns = octant.astype(np.float32)
    for part in _MINUS_QUARTER_PI:
        x = fma(turns, part, x)
    square = x * x
    cosine = fma(_polynomial(square, _COS) * square, square, square * np.float32(-0.5)) + np.float32(1)
    sine = fma(_polynomial(square, _SIN) * square, x, x)
    swapped = (octant & 2) != 0
    return (
        _signed(np.where(swapped, cosine, sine), (octant & 4) != 0),
        _signed(np.where(swapped, sine, cosine), ((octant + 2) & 4) != 0),
    )


def _signed(value: Array, negative: Array) -> Array:
    return np.where(negative, -value, value)


def exact_log1p(values: Array) -> Array:
    """Return ``log(1 + x)`` of a float64 array by the C library, as PyTorch's scalar kernels do."""
    return np.fromiter(map(math.log1p, values.ravel().tolist()), np.float64, values.size).reshape(values.shape)

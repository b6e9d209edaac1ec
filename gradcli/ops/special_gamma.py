"""The gamma function's logarithm and its derivatives, and the Hurwitz zeta function, on float64 arrays.

Formulas: M. Abramowitz and I. A. Stegun, *Handbook of Mathematical Functions* (1964), chapters 6 and 23. Around 2
the Taylor series is summed, whose coefficients are zeta(k) - 1; upwards Stirling's series serves, after steps of
the recurrence; negative arguments are reflected. Poles have the values that PyTorch gives.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_ONE_MINUS_EULER = 0.42278433509846713
_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)
# (-1)^k (zeta(k) - 1) / k for k = 2 .. 31
_TAYLOR = (
    0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986, 0.0028905103307415234,
    -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939,
    9.945751278180853e-05, -4.492623673813314e-05,
    2.050721277567069e-05, -9.439488275268397e-06, 4.374866789907488e-06,
    -2.039215753801366e-06, 9.55141213040742e-07,
    -4.492469198764566e-07, 2.1207184805554665e-07, -1.0043224823968099e-07,
    4.7698101693639804e-08, -2.2711094608943164e-08,
    1.0838659214896955e-08, -5.183475041970047e-09, 2.4836745438024785e-09,
    -1.1921401405860912e-09, 5.731367241678862e-10,
    -2.7595228851242334e-10, 1.330476437424449e-10, -6.4229645638381e-11,
    3.1044247747322276e-11, -1.5021384080754142e-11,
)  # fmt: skip
_STIRLING = (
    0.08333333333333333, -0.002777777777777778, 0.0007936507936507937, -0.0005952380952380953, 0.0008417508417508417,
    -0.0019175269175269176, 0.00641025641025641, -0.029550653594771242, 0.17964437236883057,
)  # fmt: skip
# B(2j) / (2j)! for j = 1 .. 10
_BERNOULLI = (
    0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05, -8.267195767195768e-07, 2.08767569878681e-08,
    -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13,
    8.586062056277845e-15, -2.174868698558062e-16,
)  # fmt: skip
_FAR = 10.0


def _horner(x: Array, coefficients: tuple[float, ...]) -> Array:
    """Return the polynomial whose ``coefficients`` start with the constant."""
    value = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


def _sine_pi(x: Array) -> Array:
    """Return ``|sin(pi x)|`` without the rounding error of ``pi x``."""
    return np.sin(np.pi * np.abs(x - np.round(x)))


def lgamma(x: Array) -> Array:
    """Return ``log |gamma(x)|``; infinite at 0, at the negative integers and at both infinities."""
    positive = np.where(x < 0.5, 1.0 - x, x)
    value = _lgamma_positive(positive)
    reflected = math.log(math.pi) - np.log(_sine_pi(x)) - value
    tiny = np.abs(x) < 1e-8
    reflected = np.where(tiny, -np.log(np.abs(x)) - (1 - _ONE_MINUS_EULER) * x, reflected)
    value = np.where(x < 0.5, reflected, value)
    return np.where((x <= 0) & (x == np.floor(x)), np.inf, value)


def _lgamma_positive(x: Array) -> Array:
    """Return ``log gamma(x)`` for ``x >= 0.5``: brought to [1.5, 2.5] by the recurrence, or by Stirling from 10 on."""
    far = x >= _FAR
    near = np.where(far, 2.0, x)
    product = np.ones_like(x)
    for _ in range(int(_FAR) - 2):
        above = near > 2.5
        near = np.where(above, near - 1.0, near)
        product = np.where(above, product * near, product)
    low = near < 1.5
    around = np.where(low, near - 1.0, near - 2.0)
    taylor = around * (_ONE_MINUS_EULER + around * _horner(around, _TAYLOR))
    taylor -= np.where(low, np.log1p(np.where(low, around, 0.0)), 0.0)
    large = np.where(far, x, _FAR)
    inverse = 1.0 / large
    logarithm = np.log(large)
    stirling = (
        (large - 0.5) * (logarithm - 1.0) + (_HALF_LOG_TWO_PI - 0.5) + inverse * _horner(inverse * inverse, _STIRLING)
    )
    stirling = np.where(large > 1e300, large * (logarithm - 1.0), stirling)
    return np.where(far, stirling, np.log(product) + taylor)


def digamma(x: Array) -> Array:
    """Return the derivative of ``lgamma``; nan at the negative integers, ``-inf`` at 0 and ``inf`` at -0."""
    positive = np.where(x < 0.5, 1.0 - x, x)
    value = _digamma_positive(positive)
    cotangent = np.pi / np.tan(np.pi * (x - np.round(x)))
    value = np.where(x < 0.5, value - cotangent, value)
    value = np.where((x < 0) & (x == np.floor(x)), np.nan, value)
    return np.where(x == 0, -np.copysign(np.inf, x), value)


def _digamma_positive(x: Array) -> Array:
    """Return ``digamma(x)`` for ``x >= 0.5`` by the series that ``_lgamma_positive`` sums, differentiated."""
    far = x >= _FAR
    near = np.where(far, 2.0, x)
    steps = np.zeros_like(x)
    for _ in range(int(_FAR) - 2):
        above = near > 2.5
        near = np.where(above, near - 1.0, near)
        steps = np.where(above, steps + 1.0 / near, steps)
    low = near < 1.5
    steps = np.where(low, steps - 1.0 / near, steps)
    around = np.where(low, near - 1.0, near - 2.0)
    slopes = tuple(order * value for order, value in enumerate(_TAYLOR, 2))
    taylor = _ONE_MINUS_EULER + around * _horner(around, slopes)
    large = np.where(far, x, _FAR)
    inverse = 1.0 / large
    square = inverse * inverse
    falling = tuple((2 * order - 1) * value for order, value in enumerate(_STIRLING, 1))
    stirling = np.log(large) - 0.5 * inverse - square * _horner(square, falling)
    return np.where(far, stirling, taylor + steps)


def zeta(s: Array, q: Array) -> Array:
    """Return the Hurwitz zeta function, the sum of ``(q + k)**-s`` over ``k >= 0``, of broadcast arrays.

    ``inf`` for ``s = 1`` and at the poles ``q = 0, -1, ...``; nan for ``s < 1`` and for a power of a negative base
    that isn't whole.
    """
    s, q = np.broadcast_arrays(s, q)
    pole = (q <= 0) & (q == np.floor(q))
    negative = (q < 0) & ~pole
    order = np.where(s < 1, 2.0, s)
    value = _zeta_positive(order, np.where(negative, q - np.floor(q), np.where(pole, 1.0, q)))
    if negative.any():
        # The terms with a negative base are a finite piece of another series, mirrored. Adding its two ends apart
        # lets the halves cancel exactly where q is half an odd number and the power odd.
        sign = np.where(order % 2 == 0, 1.0, -1.0)
        mirrored = np.where(negative, np.ceil(q) - q, 1.0)
        beyond = np.where(negative, mirrored - np.floor(q), 1.0)
        both = value + sign * _zeta_positive(order, mirrored) - sign * _zeta_positive(order, beyond)
        value = np.where(negative, both, value)
        value = np.where(negative & (order != np.floor(order)), np.nan, value)
    value = np.where(s < 1, np.nan, np.where(pole, np.inf, value))
    return np.where(s == 1, np.inf, value)


def _zeta_positive(s: Array, q: Array) -> Array:
    """Return ``zeta(s, q)`` for ``s > 1`` and ``q > 0``: ten terms, then Euler's and Maclaurin's sum of the rest."""
    total = np.zeros(np.broadcast_shapes(s.shape, q.shape))
    for index in range(int(_FAR)):
        total = total + np.power(q + index, -s)
    end = q + _FAR
    power = np.power(end, -s)
    rest = np.power(end, 1.0 - s) / (s - 1.0) + 0.5 * power
    factor = s / end
    for index, coefficient in enumerate(_BERNOULLI):
        rest = rest + power * factor * coefficient
        factor = factor * ((s + (2 * index + 1)) / end) * ((s + (2 * index + 2)) / end)
    return np.where(np.isinf(s), total, total + rest)


def polygamma(order: int, x: Array) -> Array:
    """Return the derivative of ``digamma`` of ``order`` >= 0: ``(-1)**(order + 1) order! zeta(order + 1, x)``."""
    if order == 0:
        return digamma(x)
    sign = 1.0 if order % 2 else -1.0
    factorial = math.gamma(order + 1.0) if order < 171 else math.inf
    return sign * factorial * zeta(np.asarray(order + 1.0), x)

"""Distributions built on a generator's uniform and normal numbers, draw by draw as PyTorch's CPU kernels make them.

Each function takes the generator first and returns an ndarray. Formulas are the inverses of the distribution
functions, evaluated in float64 by the C library and rounded once to the dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.ops.boxmuller import exact_log1p, fma
from gradcli.ops.generator import Array, Generator, Shape, narrowed

_POISSON_SWITCH = 10.0


def exponential(generator: Generator, shape: Shape, dtype: Any = np.float64, rate: float = 1.0) -> Array:
    """Return numbers of density ``rate exp(-rate x)``: ``exponential_``. Raises RuntimeError unless ``rate > 0``."""
    _require(rate > 0, f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    _require(np.dtype(dtype).kind == "f", f"exponential_ needs a floating-point dtype, got {np.dtype(dtype).name}")
    return narrowed(-1.0 / rate * exact_log1p(-_uniform(generator, shape)), dtype)


def geometric(generator: Generator, shape: Shape, dtype: Any = np.float64, p: float = 0.5) -> Array:
    """Return the number of tries up to the first success: ``geometric_``. Raises RuntimeError unless ``0 < p < 1``."""
    _require(0 < p < 1, f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    with np.errstate(divide="ignore"):
        return narrowed(np.ceil(_mapped(math.log, _uniform(generator, shape)) / math.log1p(-p)), dtype)


def cauchy(
    generator: Generator, shape: Shape, dtype: Any = np.float64, median: float = 0.0, sigma: float = 1.0
) -> Array:
    """Return Cauchy numbers: ``cauchy_``. Raises RuntimeError unless ``sigma > 0``."""
    _require(sigma > 0, f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    slope = _mapped(math.tan, math.pi * (_uniform(generator, shape) - 0.5))
    return narrowed(fma(slope, float(sigma), float(median)), dtype)


def log_normal(
    generator: Generator, shape: Shape, dtype: Any = np.float64, mean: float = 1.0, std: float = 2.0
) -> Array:
    """Return exponentials of normal numbers: ``log_normal_``. Raises RuntimeError unless ``std > 0``."""
    _require(std > 0, f"log_normal_ expects std > 0.0, but found std={std:g}")
    size = shape if isinstance(shape, int) else math.prod(shape)
    normal = fma(generator.normals(size), float(std), float(mean))
    return narrowed(_mapped(_exp, normal), dtype).reshape(shape)


def multinomial(generator: Generator, weights: Array, count: int, *, replacement: bool = False) -> Array:
    """Return ``count`` category numbers (int64) for each row of ``weights`` (1-d or 2-d, floats, not normalised).

    Without replacement the categories with the largest ``weight / exponential`` win (the exponential race, P. S.
    Efraimidis and P. G. Spirakis, 2006); with it the summed weights are searched. Raises RuntimeError as PyTorch.
    """
    rows = _checked_weights(weights, count, replacement)
    if replacement and count > 1:
        chosen = _search(generator, rows, count)
    else:
        race = rows / exponential(generator, rows.shape, rows.dtype)
        chosen = np.argsort(-race, axis=1, kind="stable")[:, :count]
    return chosen.astype(np.int64).reshape((*weights.shape[:-1], count))


def _search(generator: Generator, rows: Array, count: int) -> Array:
    sums = np.cumsum(rows, axis=1, dtype=rows.dtype)
    sums = sums / sums[:, -1:]
    draws = generator.uniform53(len(rows) * count).reshape(-1, count)
    return np.array([np.searchsorted(row, draw) for row, draw in zip(sums, draws, strict=True)])


def _checked_weights(weights: Array, count: int, replacement: bool) -> Array:
    _require(weights.ndim in (1, 2), "prob_dist must be 1 or 2 dim")
    _require(weights.dtype.kind == "f", f"multinomial needs floating-point weights, got {weights.dtype.name}")
    _require(count > 0, "cannot sample n_sample <= 0 samples")
    too_many = not replacement and count > weights.shape[-1]
    _require(not too_many, "cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    valid = bool(np.all(np.isfinite(weights) & (weights >= 0)))
    _require(valid, "probability tensor contains either `inf`, `nan` or element < 0")
    possible = bool(np.all(weights.sum(axis=-1) > 0))
    _require(possible, "invalid multinomial distribution (sum of probabilities <= 0)")
    return weights.reshape(-1, weights.shape[-1])


def poisson(generator: Generator, rate: Array) -> Array:
    """Return counts with the means ``rate``, in its shape and float dtype: ``torch.poisson``.

    By D. E. Knuth's product of uniforms below a mean of 10, by W. Hoermann's transformed rejection (PTRS, 1993) from
    there. Raises RuntimeError for a negative or nan mean.
    """
    _require(bool(np.all(rate >= 0)), "invalid Poisson rate, expected rate to be non-negative")
    counts = [_count(generator, mean) for mean in rate.ravel().tolist()]
    return np.array(counts, np.float64).astype(rate.dtype).reshape(rate.shape)


def _count(generator: Generator, mean: float) -> float:
    if mean >= _POISSON_SWITCH:
        return _count_by_rejection(generator, mean)
    if mean == 0:
        return 0
    count, product, bound = 0, float(generator.uniform53(1)[0]), math.exp(-mean)
    while product > bound:
        count += 1
        product *= float(generator.uniform53(1)[0])
    return count


def _count_by_rejection(generator: Generator, mean: float) -> float:
    root = math.sqrt(mean)
    log_mean = math.log(mean)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    limit = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = generator.uniform53(2).tolist()
        u -= 0.5
        distance = 0.5 - abs(u)
        count: int = math.floor((2 * a / distance + b) * u + mean + 0.43)
        if distance >= 0.07 and v <= limit:
            return count
        if count < 0 or (distance < 0.013 and v > distance):
            continue
        hat = math.log(v) + math.log(inverse_alpha) - math.log(a / (distance * distance) + b)
        if hat <= -mean + count * log_mean - math.lgamma(count + 1):
            return count


def _uniform(generator: Generator, shape: Shape) -> Array:
    size = shape if isinstance(shape, int) else math.prod(shape)
    return generator.uniform53(size).reshape(shape)


def _mapped(function: Callable[[float], float], values: Array) -> Array:
    """Return ``function`` of each element by the C library (NumPy's vectorised ones may differ in the last bit)."""
    return np.fromiter(map(function, values.ravel().tolist()), np.float64, values.size).reshape(values.shape)


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise error(RuntimeError, "bad-distribution", message)

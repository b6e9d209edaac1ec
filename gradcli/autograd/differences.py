"""Numerical derivatives: central and one-sided differences of a function of tensors, element by element."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradcli.autograd.mode import no_grad
from gradcli.autograd.tensor import Tensor

Array = np.ndarray[Any, Any]
Outputs = Callable[[], list[Array]]


def real_parts(array: Array) -> Array:
    """Return the values as a flat real vector: a complex number is two of them, its real and its imaginary part."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def evaluate(function: Callable[..., Any], inputs: tuple[Any, ...], count: int) -> list[Array]:
    """Return the first ``count`` differentiable outputs as real vectors, computed without recording."""
    with no_grad():
        made = function(*inputs)
    outputs = [o for o in (made if isinstance(made, (tuple, list)) else (made,)) if isinstance(o, Tensor)]
    floating = [o for o in outputs if o._array.dtype.kind in "fc"]
    return [real_parts(o._array).astype(np.float64) for o in floating[:count]]


@contextmanager
def moved(tensor: Tensor, index: int, step: complex) -> Iterator[None]:
    """Move element ``index`` of ``tensor`` (flat) by ``step``, on a copy of its memory, while the block runs."""
    before = tensor._array
    array = before.copy()
    array.reshape(-1)[index] += step if array.dtype.kind == "c" else step.real
    tensor._array = array
    try:
        yield
    finally:
        tensor._array = before


def steps_of(tensor: Tensor) -> tuple[complex, ...]:
    """Return the directions of one element: along the real axis, and for a complex tensor the imaginary one."""
    return (1.0, 1j) if tensor._array.dtype.kind == "c" else (1.0,)


def column(outputs: Outputs, tensor: Tensor, index: int, step: complex, eps: float) -> list[Array]:
    """Return the central difference quotient of every output along one direction of one element: (f(x+h) - f(x-h)) /
    2h.
    """
    with moved(tensor, index, eps * step):
        above = outputs()
    with moved(tensor, index, -eps * step):
        below = outputs()
    return [(a - b) / (2 * eps) for a, b in zip(above, below, strict=True)]


def one_sided(
    outputs: Outputs, tensor: Tensor, index: int, step: complex, eps: float, out: int, row: int
) -> tuple[float, float]:
    """Return the left and the right slope of one output element along one direction: (f(x) - f(x-h))/h, (f(x+h) -
    f(x))/h.
    """
    here = outputs()[out][row]
    with moved(tensor, index, eps * step):
        above = outputs()[out][row]
    with moved(tensor, index, -eps * step):
        below = outputs()[out][row]
    return float((here - below) / eps), float((above - here) / eps)


def jacobians(outputs: Outputs, tensor: Tensor, eps: float) -> list[Array]:
    """Return for each output the numerical Jacobian: rows are its real parts, columns the element directions."""
    columns = [column(outputs, tensor, k, step, eps) for k in range(tensor._array.size) for step in steps_of(tensor)]
    if not columns:
        return [np.zeros((o.size, 0)) for o in outputs()]
    return [np.stack(parts, axis=1) for parts in zip(*columns, strict=True)]


def taylor_order(value: Callable[[float], float], slope: float) -> float:
    """Return the order at which ``value(h) - value(0) - h * slope`` vanishes: 2 for the right slope, 1 for a wrong one.

    It is the median of the orders between halved steps; nan where the remainder is lost in rounding (a linear
    function).
    """
    start = value(0.0)
    steps = [2.0**-k for k in range(4, 12)]
    remainders = [abs(value(h) - start - h * slope) for h in steps]
    noise = 1e-13 * max(1.0, abs(start))
    orders = [np.log2(a / b) for a, b in itertools.pairwise(remainders) if a > noise and b > noise]
    return float(np.median(orders)) if orders else float("nan")

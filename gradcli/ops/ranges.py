"""Ranges, identity matrices, indices of triangles, and window functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import DType, default, int64, promote
from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.create import finished, numpy_dtype
from gradcli.ops.row import op, sample

Array = np.ndarray[Any, Any]


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value


@op(
    "torch.arange", "arange(start=0, end, step=1, *, dtype=None, requires_grad=False)", category="creation",
    doc="The numbers from start up to, but without, end.",
    conventions="Whole numbers give int64, a float among them the default float.",
    examples=("arange(4)  #> [0, 1, 2, 3]", "arange(1, 2, 0.5)  #> [1.0000, 1.5000]"),
    samples=(sample(5), sample(1.0, 2.0, 0.25)),
)  # fmt: skip
def arange(
    *bounds: Any, start: Any = None, end: Any = None, step: Any = None, dtype: Any = None,
    requires_grad: bool = False, device: Any = None,
) -> Tensor:  # fmt: skip
    start, end, step = _bounds([_number(b) for b in bounds], _number(start), _number(end), _number(step))
    if step == 0:
        raise error(RuntimeError, "bad-argument", "arange needs a step other than 0")
    if (end - start) * step < 0:
        raise error(
            RuntimeError, "bad-argument", f"arange: steps of {step} do not lead from {start} to {end}",
            hint="a negative step goes down: arange(5, 0, -1)",
        )  # fmt: skip
    whole = all(isinstance(v, int) for v in (start, end, step))
    kind = numpy_dtype(dtype, int64 if whole else None)
    count = -((start - end) // step) if whole else math.ceil((end - start) / step)
    if whole:
        return finished((start + step * np.arange(count, dtype=np.int64)).astype(kind), requires_grad)
    return finished((start + step * np.arange(count, dtype=np.float64)).astype(kind), requires_grad)


def _bounds(given: list[Any], start: Any, end: Any, step: Any) -> tuple[Any, Any, Any]:
    """Return (start, end, step) of ``arange(end)``, ``arange(start, end)`` or ``arange(start, end, step)``."""
    if len(given) == 1:
        given = [start or 0, given[0]] if end is None else [given[0], end]
    elif not given:
        given = [start or 0, end]
    if len(given) > 3 or len(given) < 2 or given[1] is None:
        raise error(TypeError, "bad-argument", "arange takes (end), (start, end) or (start, end, step)")
    return given[0], given[1], given[2] if len(given) == 3 else 1 if step is None else step


def _points(start: Any, end: Any, steps: int, dtype: np.dtype[Any]) -> Array:
    """Return ``steps`` evenly spaced numbers, counted from the nearer end as PyTorch does (so both ends are exact)."""
    if steps < 0:
        raise error(RuntimeError, "bad-argument", f"the number of steps cannot be negative, got {steps}")
    wide = dtype if dtype.kind in "fc" else np.dtype(np.float64)
    low, high = wide.type(start), wide.type(end)
    if steps <= 1:
        return np.full(steps, start, dtype)
    index = np.arange(steps)
    step = (high - low) / wide.type(steps - 1)
    front, back = low + step * index.astype(wide), high - step * (steps - 1 - index).astype(wide)
    return np.where(index < steps // 2, front, back).astype(dtype)


def _kind_of(start: Any, end: Any, dtype: Any) -> np.dtype[Any]:
    complex_ = isinstance(start, complex) or isinstance(end, complex)
    return numpy_dtype(dtype, _complex_default() if complex_ else None)


def _complex_default() -> DType:
    from gradcli.autograd.dtypes import complex64

    return promote(default.dtype, complex64)


@op(
    "torch.linspace", "linspace(start, end, steps, *, dtype=None, requires_grad=False)", category="creation",
    doc="So many numbers from start to end, both included, evenly spaced.",
    conventions="Tensor bounds are read as constants: the result has no graph.",
    examples=("linspace(0, 1, 5)  #> [0.0000, 0.2500, 0.5000, 0.7500, 1.0000]",),
    samples=(sample(0.0, 1.0, 5), sample(3, -3, 4)),
)  # fmt: skip
def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, requires_grad: bool = False, device: Any = None
) -> Tensor:
    start, end = _number(start), _number(end)
    return finished(_points(start, end, steps, _kind_of(start, end, dtype)), requires_grad)


@op(
    "torch.logspace", "logspace(start, end, steps, base=10.0, *, dtype=None, requires_grad=False)",
    category="creation", doc="base to the power of evenly spaced exponents from start to end.",
    examples=("logspace(0, 2, 3)  #> [1., 10., 100.]",), samples=(sample(0.0, 2.0, 3), sample(0, 3, 4, base=2.0)),
)  # fmt: skip
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, requires_grad: bool = False,
    device: Any = None,
) -> Tensor:  # fmt: skip
    kind = _kind_of(start, end, dtype)
    exponents = _points(_number(start), _number(end), steps, kind if kind.kind in "fc" else np.dtype(np.float64))
    return finished((exponents.dtype.type(base) ** exponents).astype(kind), requires_grad)


@op(
    "torch.eye", "eye(n, m=None, *, dtype=None, requires_grad=False)", category="creation",
    doc="A matrix of n rows and m columns (n by default) with ones on the diagonal, zeros elsewhere.",
    examples=("eye(2)  #> [[1., 0.], [0., 1.]]",), samples=(sample(2), sample(2, 3)),
)  # fmt: skip
def eye(n: int, m: int | None = None, *, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Tensor:
    for size in (n, n if m is None else m):
        if size < 0:
            raise error(RuntimeError, "negative-size", f"eye: a size cannot be negative, got {size}")
    return finished(np.eye(n, m, dtype=numpy_dtype(dtype)), requires_grad)


def _triangle(name: str, choose: Callable[..., Any], words: str, example: str) -> Callable[..., Tensor]:
    def indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> Tensor:
        return finished(np.stack(choose(row, offset, col)).astype(numpy_dtype(dtype, int64)))

    indices.__name__ = indices.__qualname__ = name
    register = op(
        f"torch.{name}", f"{name}(row, col, offset=0)", category="creation",
        doc=f"The row and column numbers of the {words} triangle of a row by col matrix: two rows of integers.",
        examples=(f"{name}(2, 2)  #> {example}",), samples=(sample(3, 3), sample(2, 4, 1)),
    )  # fmt: skip
    return register(indices)


tril_indices = _triangle("tril_indices", np.tril_indices, "lower", "[[0, 1, 1], [0, 0, 1]]")
triu_indices = _triangle("triu_indices", np.triu_indices, "upper", "[[0, 0, 1], [0, 1, 1]]")

"""Two values compared: whether they agree, and where they differ most. Nothing is broadcast, nothing converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import DType
from gradcli.autograd.tensor import Tensor

Array = np.ndarray[Any, Any]
NO_GRADIENT = "no gradient: the value is None"
_EXACT = (0.0, 0.0)
# rtol, atol by dtype: the defaults of torch.testing.assert_close
_TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "complex64": (1.3e-6, 1e-5)}
_DOUBLE = (1e-7, 1e-7)


@dataclass(slots=True, frozen=True)
class Worst:
    """The element that is furthest beyond what is allowed; ``wrong`` of ``count`` elements differ at all."""

    index: tuple[int, ...]
    got: Any
    expected: Any
    absolute: float
    relative: float
    wrong: int
    count: int

    def lines(self, name: str = "") -> list[str]:
        """Return the words for it; ``name`` stands before the index."""
        found = f"got {number(self.got)}, expected {number(self.expected)}"
        errors = [f"absolute error {self.absolute:.3g}, relative error {self.relative:.3g}"]
        if not np.isfinite(self.absolute):
            errors = []  # one of the two is nan or infinite, which says it all
        if not self.index and self.count == 1:
            return [found, *errors]
        place = f"{name}[{', '.join(map(str, self.index))}]"
        return [f"{self.wrong} of {self.count} elements differ", f"worst at {place}: {found}", *errors]


@dataclass(slots=True, frozen=True)
class Difference:
    """Why two values are not equal: ``reason`` in words, and the worst element where shapes and dtypes agree.

    ``kind`` is "none" (a gradient that is None), "shape", "dtype", "type" or "values".
    """

    kind: str
    reason: str
    worst: Worst | None = None

    @property
    def lines(self) -> list[str]:
        """All that there is to say, line by line."""
        return [self.reason] if self.worst is None else self.worst.lines()

    @property
    def magnitude(self) -> float | None:
        """The relative error of the worst element; None where no elements were compared."""
        return None if self.worst is None else self.worst.relative


def tolerances(dtype: DType) -> tuple[float, float]:
    """Return the relative and the absolute tolerance that ``assert_close`` has for a dtype; integers are exact."""
    if not (dtype.is_floating_point or dtype.is_complex):
        return _EXACT
    return _TOLERANCES.get(dtype.name, _DOUBLE)


def difference(
    got: Any, expected: Any, rtol: float = 0.0, atol: float = 0.0, *, equal_nan: bool = False, check_dtype: bool = True
) -> Difference | None:
    """Return how ``got`` differs from ``expected``, None where |got - expected| <= atol + rtol * |expected| everywhere.

    Both are tensors, numbers or nested lists. Shapes must be equal: a scalar is not a vector of one element. Two
    tensors must have one dtype unless ``check_dtype`` is False; numbers and lists have none. nan equals nothing, unless
    ``equal_nan``. None is not a value: it is a gradient that was never computed.
    """
    if got is None or expected is None:
        return _of_none(got, expected)
    a, b = _array(got), _array(expected)
    if a is None or b is None:
        same = a is None and b is None and bool(got == expected)
        return None if same else Difference("type", f"got {_short(got)}, expected {_short(expected)}")
    if a.shape != b.shape:
        return Difference("shape", f"shapes differ: got {a.shape}, expected {b.shape}; nothing is broadcast here")
    if check_dtype and isinstance(got, Tensor) and isinstance(expected, Tensor) and got.dtype is not expected.dtype:
        return Difference("dtype", f"dtypes differ: got {got.dtype}, expected {expected.dtype}")
    worst = worst_element(a, b, rtol, atol, equal_nan)
    return None if worst is None else Difference("values", "values differ", worst)


def _of_none(got: Any, expected: Any) -> Difference | None:
    if got is None and expected is None:
        return None
    other = expected if got is None else got
    is_value = _array(other) is not None
    side = "got" if got is None else "expected"
    hint = f"{NO_GRADIENT}, which is not zero ({'expected' if got is None else 'got'} {_short(other)})"
    return Difference("none", hint if is_value else f"{side} None")


def worst_element(got: Array, expected: Array, rtol: float, atol: float, equal_nan: bool) -> Worst | None:
    """Return the worst of two arrays of one shape, None where all elements are close enough."""
    a, b = _widened(got), _widened(expected)
    with np.errstate(all="ignore"):
        gap = np.abs(a - b)
        allowed = np.asarray(atol + rtol * np.abs(b), dtype=float)
        close = (a == b) | ((gap <= allowed) & np.isfinite(gap.astype(float)))
        if equal_nan:
            close |= np.isnan(a) & np.isnan(b)
        if close.all():
            return None
        gap = gap.astype(float)
        gap = np.where(np.isnan(gap) | np.isinf(gap), np.inf, gap)
        excess = np.where(close, -1.0, np.where(allowed > 0, gap / np.maximum(allowed, 5e-324), gap))
    flat = int(np.argmax(np.where(np.isnan(excess), np.inf, excess)))
    place = tuple(int(n) for n in np.unravel_index(flat, got.shape)) if got.ndim else ()
    absolute, size = float(gap.reshape(-1)[flat]), float(np.abs(b).reshape(-1)[flat])
    relative = absolute / size if size > 0 and np.isfinite(size) else float("inf")
    wrong = int(close.size - np.count_nonzero(close))
    return Worst(
        place, got.reshape(-1)[flat].item(), expected.reshape(-1)[flat].item(), absolute, relative, wrong, got.size
    )


def _widened(array: Array) -> Array:
    """Return numbers whose differences neither overflow nor lose digits; large integers stay exact."""
    if array.dtype.kind in "fc":
        return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    if array.size and np.abs(array.astype(np.float64)).max() >= 2.0**53:
        return array.astype(object)
    return array.astype(np.float64)


def _array(value: Any) -> Array | None:
    if isinstance(value, Tensor):
        return value._array
    if isinstance(value, np.ndarray | np.generic | bool | int | float | complex):
        made = np.asarray(value)
    elif isinstance(value, list | tuple):
        try:
            made = np.array([v._array if isinstance(v, Tensor) else v for v in value])
        except (ValueError, OverflowError):
            return None
    else:
        return None
    return made if made.dtype.kind in "biufc" else None


def number(value: Any) -> str:
    """Return a number with as many digits as tell it apart from its neighbours, no more than needed."""
    return repr(value)


def _short(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}" if value.ndim else f"tensor({value.item()})"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

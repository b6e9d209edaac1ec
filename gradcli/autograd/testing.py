"""``torch.testing``: two values asserted to be equal up to rounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gradcli.autograd.comparing import Difference, difference, tolerances
from gradcli.autograd.dtypes import DType
from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor

Message = str | Callable[[str], str] | None


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Message = None,
) -> None:
    """Raise AssertionError unless |actual - expected| <= atol + rtol * |expected| in each element.

    Shapes are never broadcast, and dtypes must be equal unless ``check_dtype`` is False. The tolerances default to
    those of the dtype (1e-7 and 1e-7 for float64, 1.3e-6 and 1e-5 for float32, none for integers); of two dtypes the
    wider ones count. Sequences and mappings are compared item by item. ValueError for one tolerance without the other.
    """
    if (rtol is None) != (atol is None):
        raise error(ValueError, "one-tolerance", "assert_close needs both rtol and atol, or neither")
    given = None if rtol is None or atol is None else (rtol, atol)
    for place, a, b in _pairs(actual, expected, ""):
        allowed = given or _allowed(a, b)
        found = difference(a, b, *allowed, equal_nan=equal_nan, check_dtype=check_dtype)
        if found is None and check_stride and isinstance(a, Tensor) and isinstance(b, Tensor):
            found = _strides(a, b)
        if found is not None:
            raise _failure(found, place, allowed, msg)


def _pairs(a: Any, b: Any, place: str) -> list[tuple[str, Any, Any]]:
    """Return the values to compare, each with where it stands in the sequences and mappings around it."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if set(a) != set(b):
            only = sorted(set(a) ^ set(b), key=str)
            raise error(AssertionError, "not-close", f"the keys differ: {', '.join(map(repr, only))} on one side only")
        return [pair for key in a for pair in _pairs(a[key], b[key], f"{place}[{key!r}]")]
    if _is_sequence(a) and _is_sequence(b):
        if len(a) != len(b):
            raise error(AssertionError, "not-close", f"the lengths differ: got {len(a)}, expected {len(b)}")
        numbered = enumerate(zip(a, b, strict=True))
        return [pair for k, (x, y) in numbered for pair in _pairs(x, y, f"{place}[{k}]")]
    return [(place, a, b)]


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _allowed(a: Any, b: Any) -> tuple[float, float]:
    found = [tolerances(dtype) for dtype in (_dtype_of(a), _dtype_of(b)) if dtype is not None]
    if not found:
        exact = isinstance(a, int) and isinstance(b, int)
        return (0.0, 0.0) if exact else (1e-7, 1e-7)
    return max(r for r, _ in found), max(t for _, t in found)


def _dtype_of(value: Any) -> DType | None:
    return value.dtype if isinstance(value, Tensor) else None


def _strides(a: Tensor, b: Tensor) -> Difference | None:
    got, expected = a.stride(), b.stride()
    return None if got == expected else Difference("stride", f"strides differ: got {got}, expected {expected}")


def _failure(found: Difference, place: str, allowed: tuple[float, float], msg: Message) -> Exception:
    lines = found.lines
    if found.worst is not None:
        lines = ["the values are not close", *lines, f"allowed: rtol {allowed[0]:g}, atol {allowed[1]:g}"]
    text = (f"item {place}: " if place else "") + "\n".join(lines)
    if msg is not None:
        text = msg(text) if callable(msg) else msg
    return error(AssertionError, "not-close", text)

"""What a failed ``assert`` says: the value of each part of its test, and where two values differ most."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.comparing import Difference, difference
from gradcli.autograd.tensor import Tensor
from gradcli.lang.checks import AssertionFailed, Parts
from gradcli.lang.diagnostic import Diagnostic, Label
from gradcli.lang.source import Source, Span

_LONGEST = 400
_CLOSE = {"rtol": 1e-5, "atol": 1e-8, "equal_nan": False}
_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NAN = "nan equals nothing, not even nan; allclose(..., equal_nan=True) lets it"


def failed_assertion(error: AssertionFailed, here: tuple[Source, Span] | None) -> Diagnostic:
    """Return the diagnostic of an assertion that does not hold; ``here`` is its test."""
    label = [Label(here[1], "this is not so", True, here[0])] if here else []
    text = here[0].slice(here[1]) if here else "the assertion"
    message = error.message or f"`{text if len(text) <= 60 else text[:57] + '...'}` does not hold"
    return Diagnostic("check", "assertion-failed", message, label, notes_of(error.parts))


def notes_of(parts: Parts) -> list[str]:
    """Return a note for each part whose value its text doesn't tell, then what differs."""
    told = {text: shown for text, value in parts if text and _has_value(value) and (shown := _shown(value)) != text}
    return [*(f"{text} is {shown}" for text, shown in told.items()), *compared(parts)[0]]


def compared(parts: Parts) -> tuple[list[str], float | None]:
    """Return where two compared values differ, in words, and the relative error of the worst element."""
    relation = parts.relation.removeprefix("all ")
    values = [value for _, value in parts if _has_value(value)]
    if relation == "isfinite" and len(values) == 1 and isinstance(values[0], Tensor):
        return _not_finite(values[0]), None
    if len(values) < 2:
        return [], None
    if relation in ("==", "equal", "eq"):
        found = difference(values[0], values[1], check_dtype=relation == "equal")
    elif relation in ("allclose", "isclose"):
        options = {**_CLOSE, **dict(zip(_CLOSE, values[2:], strict=False)), **parts.options}
        found = difference(*values[:2], *(options[name] for name in ("rtol", "atol")), equal_nan=options["equal_nan"])
    elif relation in _ORDERS:
        return _out_of_order(_ORDERS[relation], values[0], values[1])
    else:
        return [], None
    return _words(found), found.magnitude if found else None


def _words(found: Difference | None) -> list[str]:
    if found is None:
        return []
    worst = found.worst
    if worst is None:
        return found.lines
    if not worst.index and isinstance(worst.got, int) and isinstance(worst.expected, int):
        return []  # the parts say it already
    is_nan = worst.got != worst.got and worst.expected != worst.expected
    return ["; ".join(worst.lines()), *([_NAN] if is_nan else [])]


def _not_finite(value: Tensor) -> list[str]:
    bad = ~np.isfinite(value._array)
    if not bad.any() or not value.ndim:
        return []
    index = tuple(int(n) for n in np.argwhere(bad)[0])
    first = f"the first at [{', '.join(map(str, index))}]: {value._array[index].item()}"
    return [f"{int(bad.sum())} of {bad.size} elements are not finite; {first}"]


def _out_of_order(holds: Callable[[Any, Any], Any], left: Any, right: Any) -> tuple[list[str], float | None]:
    """Return the element that breaks an order most."""
    a, b = (np.asarray(v._array if isinstance(v, Tensor) else v) for v in (left, right))
    if not {a.dtype.kind, b.dtype.kind} <= set("biuf") or not (a.ndim or b.ndim):
        return [], None
    a, b = np.broadcast_arrays(a, b)
    wrong = ~holds(a, b)
    if not wrong.any():
        return [], None
    gap = np.where(wrong, np.nan_to_num(np.abs(a.astype(float) - b.astype(float)), nan=np.inf), -1.0)
    index = tuple(int(n) for n in np.unravel_index(int(np.argmax(gap)), gap.shape))
    place = ", ".join(map(str, index))
    words = f"worst at [{place}]: {a[index].item()!r} and {b[index].item()!r}"
    return [f"{int(wrong.sum())} of {wrong.size} elements break it; {words}"], None


def _has_value(value: Any) -> bool:
    """Tell whether a value says something: a function or a namespace doesn't."""
    return value is None or isinstance(value, Tensor | bool | int | float | complex | str | list | tuple | dict | set)


def _shown(value: Any) -> str:
    try:
        text = str(value)
    except ValueError:  # whole numbers with thousands of digits refuse to become text
        return "a number with thousands of digits"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."

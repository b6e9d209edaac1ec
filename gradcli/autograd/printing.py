"""The text of a tensor, character by character as PyTorch prints it.

The layout has three steps: the elements that will be shown are chosen (all of them, or the edges of a large
tensor), each becomes a string of one width, and the strings are nested into brackets. ``options``
holds what ``set_printoptions`` changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from math import inf, isfinite
from typing import Any

import numpy as np

from gradcli.autograd.errors import error

_PREFIX = "tensor("
_INDENT = len(_PREFIX)
_DEFAULT_COMPLEX = {"float64": "complex128", "float32": "complex64"}


@dataclass(slots=True)
class PrintOptions:
    """How tensors are printed: digits, when to summarise, edge items, line width, scientific mode (None: decide)."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=inf),
}

options = PrintOptions()
"""The options in force where a call gives none; changed in place, never replaced."""


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change the current options; ``profile`` ("default", "short" or "full") first, then what is given beside it.

    As in PyTorch ``sci_mode`` is replaced by every call: leaving it out lets each tensor decide again.
    Raises ValueError for an unknown profile or a negative number, TypeError for something that is no number.
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in given.items():
        if value is not None:
            _check_option(name, value)
    base = _PROFILES.get(profile) if profile is not None else options
    if base is None:
        hint = "one of " + ", ".join(_PROFILES)
        raise error(ValueError, "unknown-profile", f"unknown print profile '{profile}'", hint=hint)
    for field in fields(PrintOptions):
        changed = given.get(field.name)
        setattr(options, field.name, getattr(base, field.name) if changed is None else changed)
    options.sci_mode = sci_mode


def _check_option(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float if name == "threshold" else int):
        raise error(TypeError, "bad-print-option", f"set_printoptions: {name} must be a number, not {value!r}")
    if value < 0:
        raise error(ValueError, "bad-print-option", f"set_printoptions: {name} must not be negative, got {value}")


def format_size(shape: Sequence[int]) -> str:
    """Return ``torch.Size([2, 2])`` for the shape ``(2, 2)``."""
    return f"torch.Size([{', '.join(map(str, shape))}])"


def format_tensor(
    array: np.ndarray[Any, Any],
    *,
    dtype_name: str,
    default_dtype_name: str,
    requires_grad: bool = False,
    grad_fn_name: str | None = None,
    options: PrintOptions = options,
) -> str:
    """Return the text ``print(tensor)`` gives for ``array`` (any shape; bool, integer, float or complex).

    ``dtype_name`` and ``default_dtype_name`` are NumPy's names (``"float64"``); the dtype is shown when it can't be
    guessed from the digits. ``grad_fn_name`` is the node's name (``"MulBackward0"``) and goes before ``requires_grad``.
    """
    shown = _edges(array, options.edgeitems) if array.size > options.threshold else array
    if shown.size:
        lines = _nest(*_strings(shown, options), array.shape, shown.shape, options)
    else:
        lines = "[...]" if array.size else "[]"
    unseen = array.ndim != 1 if array.size == 0 else options.edgeitems == 0
    suffixes = [f"size={tuple(array.shape)}"] if unseen else []
    if not _is_expected(dtype_name, default_dtype_name, empty=array.size == 0):
        suffixes.append(f"dtype=torch.{dtype_name}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(_PREFIX + lines, suffixes, options.linewidth)


def _is_expected(dtype_name: str, default_name: str, *, empty: bool) -> bool:
    """Say whether a reader knows the dtype without being told; nothing tells it in an empty tensor."""
    if dtype_name == default_name:
        return True
    return not empty and dtype_name in ("int64", "bool", _DEFAULT_COMPLEX.get(default_name))


def _with_suffixes(text: str, suffixes: Sequence[str], linewidth: int) -> str:
    """Append ``suffixes``, each on a new line when the last one would grow beyond ``linewidth``."""
    # PyTorch counts one column more than there is on the last line; the closing bracket needs it.
    column = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if column + len(suffix) + 2 > linewidth:
            text += ",\n" + " " * _INDENT + suffix
            column = _INDENT + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text + ")"


def _edges(array: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """Return the ``count`` first and last items along each axis longer than twice that."""
    for axis, size in enumerate(array.shape):
        if size > 2 * count:
            array = np.delete(array, slice(count, size - count), axis)
    return array


def _strings(array: np.ndarray[Any, Any], options: PrintOptions) -> tuple[list[str], int]:
    """Return the padded text of every element in row-major order, and the width that lines are broken by."""
    kind = array.dtype.kind
    if kind == "c":
        real, real_width = _strings(array.real, options)
        imag, imag_width = _strings(array.imag, options)
        return list(map(_complex, real, imag)), real_width + imag_width + 1
    values = array.ravel().tolist()
    if kind == "f":
        render, width = _float_style(values, options)
        return [render(value).rjust(width) for value in values], width
    texts = [str(value) for value in values]
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts], width


def _complex(real: str, imag: str) -> str:
    imag = imag.lstrip()
    return f"{real}{imag}j" if imag[0] == "-" else f"{real}+{imag}j"


def _float_style(values: list[float], options: PrintOptions) -> tuple[Callable[[float], str], int]:
    """Choose one notation for all ``values``; return what renders a value and the width to pad to.

    Zeros, infinities and nan have no say in either. Scientific mode starts beyond 1e8, at a ratio of more than 1000
    between the largest and smallest magnitude, and below 1e-4 unless all are integers, which are written ``1.``.
    With zeros, infinities and nan alone even ``sci_mode=True`` changes nothing.
    """
    sizes = [value for value in values if value and isfinite(value)]
    if not sizes:
        return _renderer(options.precision, False, True), 1
    integral = all(map(float.is_integer, sizes))
    scientific = _needs_exponent(sizes, integral) if options.sci_mode is None else bool(options.sci_mode)
    render = _renderer(options.precision, scientific, integral)
    return render, max(len(render(value)) for value in sizes)


def _needs_exponent(sizes: list[float], integral: bool) -> bool:
    magnitudes = list(map(abs, sizes))
    low, high = min(magnitudes), max(magnitudes)
    return high / low > 1000 or high > 1e8 or (low < 1e-4 and not integral)


def _renderer(precision: int, scientific: bool, integral: bool) -> Callable[[float], str]:
    if scientific:
        return f"{{:.{precision}e}}".format
    if not integral:
        return f"{{:.{precision}f}}".format
    return lambda value: f"{value:.0f}." if isfinite(value) else f"{value:.0f}"


def _nest(texts: list[str], width: int, full: tuple[int, ...], shown: tuple[int, ...], options: PrintOptions) -> str:
    """Put the elements ``texts`` of an array of shape ``shown`` into brackets, marking what ``full`` has beyond it."""
    if not full:
        return texts[0]
    remaining = iter(texts)
    count = options.edgeitems

    def level(axis: int, indent: int) -> str:
        elided = full[axis] != shown[axis]
        if axis == len(full) - 1:
            items = list(islice(remaining, shown[axis]))
            if elided:
                items.insert(count, " ...")
            return _row(items, indent, _columns(width, indent, options.linewidth))
        blocks = [level(axis + 1, indent + 1) for _ in range(shown[axis])]
        if elided:
            blocks.insert(count, "...")
        separator = "," + "\n" * (len(full) - axis - 1) + " " * (indent + 1)
        return f"[{separator.join(blocks)}]"

    return level(0, _INDENT)


def _columns(width: int, indent: int, linewidth: int) -> int:
    """Return how many elements of ``width`` fit on a line, with ", " after each; at least one."""
    return max(1, (linewidth - indent) // (width + 2))


def _row(items: list[str], indent: int, columns: int) -> str:
    lines = [", ".join(items[start : start + columns]) for start in range(0, len(items), columns)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"

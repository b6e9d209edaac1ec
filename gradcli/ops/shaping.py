"""What operations on shapes share: sizes from arguments, the missing size -1, and when a reshape needs no copy."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import as_tensor
from gradcli.autograd.tensor import Tensor

Shape = tuple[int, ...]


def given(value: Any) -> Any:
    """Return a tensor or ndarray as it is, and a tensor of anything else that holds numbers; TypeError otherwise."""
    return value if isinstance(value, (Tensor, np.ndarray)) else as_tensor(value)


def array_of(value: Any) -> np.ndarray[Any, Any]:
    """Return the array of a tensor, or the array itself."""
    array: np.ndarray[Any, Any] = value._array if isinstance(value, Tensor) else value
    return array


def shape_of(value: Any) -> Shape:
    """Return the shape of a tensor (of one sample of a batched one) or an array as a plain tuple."""
    return value._array.shape if value.__class__ is Tensor else tuple(value.shape)


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of a tensor or an array."""
    found: np.dtype[Any] = value._element if isinstance(value, Tensor) else value.dtype
    return found


def integer(value: Any, what: str) -> int:
    """Return ``value`` as an int (a tensor of one integer counts); TypeError naming ``what`` otherwise."""
    try:
        return operator.index(value)
    except TypeError:
        shown = value if isinstance(value, (float, str)) else type(value).__name__
        raise error(TypeError, "not-an-integer", f"{what} must be an integer, got {shown}") from None


def integers(values: Any, what: str) -> Shape:
    """Return ints from ``(2, 3)``, ``((2, 3),)``, ``([2, 3],)`` or ``(2,)``: sizes and dims as PyTorch takes them."""
    if len(values) == 1 and not isinstance(values[0], int):
        only = values[0]
        if isinstance(only, (tuple, list)):
            values = only
        elif isinstance(only, (Tensor, np.ndarray)) and array_of(only).ndim == 1:
            values = array_of(only).tolist()
    for v in values:
        if v.__class__ is not int:
            return tuple(integer(v, what) for v in values)
    return values if values.__class__ is tuple else tuple(values)


def complete(shape: Shape, size: int, what: str = "reshape") -> Shape:
    """Return ``shape`` with its -1 worked out for ``size`` elements; RuntimeError where the elements do not fit."""
    if math.prod(shape) == size and (not shape or min(shape) >= 0):
        return shape
    holes = shape.count(-1)
    if holes > 1:
        raise error(RuntimeError, "two-unknown-sizes", f"{what} can infer one size only, {list(shape)} has {holes} of "
                    f"-1")
    bad = next((n for n in shape if n < -1), None)
    if bad is not None:
        raise error(RuntimeError, "negative-size", f"{what} got the size {bad} in {list(shape)}",
                    hint="-1 stands for the size that is left over, other negative sizes mean nothing")
    if holes:
        rest = math.prod(n for n in shape if n != -1)
        if rest == 0:
            raise error(RuntimeError, "unknown-size", f"{what} cannot infer -1 in {list(shape)}: any size would do",
                        hint="write the size instead of -1")
        if size % rest == 0:
            return tuple(size // rest if n == -1 else n for n in shape)
    if holes or math.prod(shape) != size:
        raise error(RuntimeError, "wrong-size", f"{what} to {list(shape)} does not fit {size} elements",
                    label=f"{size} elements")
    return shape


def count_of(value: Any) -> int:
    """Return the number of elements of a tensor (of one sample of a batched one) or an array."""
    return math.prod(shape_of(value))


def fits_without_copy(array: np.ndarray[Any, Any], shape: Shape) -> bool:
    """Return whether ``array`` can take ``shape`` on the memory it has.

    Runs of dimensions that are contiguous with each other may be cut anew; a new dimension may not span two runs.
    """
    if array.flags.c_contiguous or not array.size:
        return True
    pending = [n for n in reversed(shape) if n != 1]
    run, expected = 1, 0
    for n, stride in reversed([(n, s) for n, s in zip(array.shape, array.strides, strict=True) if n != 1]):
        if run > 1 and stride != expected:
            if not _cut(pending, run):
                return False
            run = 1
        run *= n
        expected = stride * n
    return _cut(pending, run)


def _cut(pending: list[int], run: int) -> bool:
    """Take sizes from the end of the wanted shape until they fill ``run``; return whether they do so exactly."""
    filled = 1
    while filled < run and pending:
        filled *= pending.pop(0)
    return filled == run


def zeros_for(g: Any, shape: Shape) -> Any:
    """Return zeros of ``shape`` in the dtype of ``g``: an array, or a constant tensor where ``g`` is a tensor."""
    made = np.zeros(shape, dtype_of(g))
    return Tensor(made) if isinstance(g, Tensor) else made


def expanded(array: np.ndarray[Any, Any], shape: Shape) -> np.ndarray[Any, Any]:
    """Return ``array`` broadcast to ``shape`` as a view that is writable where the array is."""
    if array.flags.c_contiguous and array.size:
        lead = len(shape) - array.ndim
        own = zip(array.shape, array.strides, shape[lead:], strict=True)
        strides = (0,) * lead + tuple(s if n == m else 0 for n, s, m in own)
        return np.ndarray(shape, array.dtype, array, 0, strides)
    out = np.broadcast_to(array, shape)
    if array.flags.writeable:
        out.flags.writeable = True
    return out

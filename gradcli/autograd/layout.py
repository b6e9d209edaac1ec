"""How an array lies in memory: which dimension runs slowest, and whether elements share cells."""

from __future__ import annotations

from typing import Any

import numpy as np

Order = tuple[int, ...] | None  # the dimensions from the slowest to the fastest; None: row-major


def order_of(array: np.ndarray[Any, Any]) -> Order:
    """Return the order of the dimensions of ``array`` in memory."""
    if array.flags.c_contiguous:
        return None
    return tuple(sorted(range(array.ndim), key=lambda d: -abs(array.strides[d])))


def dense(array: np.ndarray[Any, Any], order: Order) -> np.ndarray[Any, Any]:
    """Return the values of ``array`` without gaps in the given order, the array itself where it lies so already."""
    if order is None:
        return np.ascontiguousarray(array) if array.ndim else array
    back = np.argsort(order)
    return np.ascontiguousarray(array.transpose(order)).transpose(back)


def overlaps(array: np.ndarray[Any, Any]) -> bool:
    """Return whether two elements of ``array`` are one cell of memory."""
    if array.size < 2 or array.flags.c_contiguous:
        return False
    reach = 0
    for stride, size in sorted((abs(s), n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1):
        if stride == 0:
            return True
        if stride <= reach:  # windows may interlock without touching: count the cells
            return _cells(array) < array.size
        reach += stride * (size - 1)
    return False


def _cells(array: np.ndarray[Any, Any]) -> int:
    offsets = np.zeros((), np.int64)
    for stride, size in zip(array.strides, array.shape, strict=True):
        offsets = offsets[..., None] + stride * np.arange(size)
    return len(np.unique(offsets))

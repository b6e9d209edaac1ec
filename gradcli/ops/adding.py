"""Adding into an array at places that may be named more than once, on raw arrays: what gradients of reading do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Key = tuple[Any, ...]


def add_rows(out: Any, rows: Any, values: Any) -> None:
    """Add ``values[k]`` to ``out[rows[k]]`` for each k; ``rows`` is a vector, entries may repeat or be negative.

    Equal rows are brought together and summed first: whole rows at a time, where ``np.add.at`` goes cell by cell.
    """
    if not rows.size:
        return
    if out.ndim == 1:
        np.add.at(out, rows, values)
        return
    rows = np.where(rows < 0, rows + len(out), rows)
    order = rows.argsort(kind="stable")
    ranked = rows[order]
    starts = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    if len(starts) == len(rows):
        out[rows] += values
    else:
        out[ranked[starts]] += np.add.reduceat(values.take(order, 0), starts, axis=0)


def add_along(out: Any, dim: int, rows: Any, values: Any) -> None:
    """Add the entries of ``values`` along ``dim`` to those of ``out`` that ``rows`` names."""
    add_rows(np.moveaxis(out, dim, 0), rows, np.moveaxis(values, dim, 0))


def add_at(out: Any, key: Key, values: Any) -> None:
    """Add ``values`` to ``out[key]``, once for each time a place is named; ``out`` is contiguous."""
    arrays = [k for k in key if isinstance(k, np.ndarray)]
    if len(arrays) == 1 and arrays[0].dtype.kind != "b":
        dim = len(key) - 1
        before, after = out.shape[:dim], out.shape[dim + 1 :]
        wide = np.broadcast_to(values, (*before, *arrays[0].shape, *after))
        flat = (math.prod(before), -1, math.prod(after))
        if wide.size:
            cells, values = out.reshape(flat[0], out.shape[dim], flat[2]), wide.reshape(flat)
            if flat[0] == flat[2] == 1:
                add_rows(cells.reshape(-1), arrays[0].reshape(-1), values.reshape(-1))
            else:
                add_along(cells, 1, arrays[0].reshape(-1), values)
        return
    places = np.arange(out.size).reshape(out.shape)[key]
    np.add.at(out.reshape(-1), places.reshape(-1), np.broadcast_to(values, places.shape).reshape(-1))

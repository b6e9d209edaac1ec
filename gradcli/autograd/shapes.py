"""Undoing broadcasting and promotion: a cotangent takes the shape and dtype of the value it belongs to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def summed_axes(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes of ``shape`` that broadcasting from ``target`` added or stretched."""
    lead = len(shape) - len(target)
    stretched = (lead + i for i, size in enumerate(target) if size == 1 and shape[lead + i] != 1)
    return (*range(lead), *stretched)


def fit_array(g: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return raw ``g`` summed to ``shape`` and in ``dtype`` (the real part where a complex one meets a real input)."""
    if g.shape != shape:
        axes = summed_axes(g.shape, shape) if len(g.shape) >= len(shape) else None
        if axes is None:
            g = np.broadcast_to(g, shape)
        else:
            g = np.add.reduce(g, axis=axes, keepdims=True).reshape(shape) if axes else np.broadcast_to(g, shape)
    if g.dtype != dtype:
        if g.dtype.kind == "c" and dtype.kind != "c":
            g = g.real
        g = np.asarray(g).astype(dtype, copy=False)
    return g


def fit_tensor(g: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return tensor ``g`` summed to ``shape`` and in ``dtype``, by recorded operations."""
    from gradcli.autograd.dtypes import from_numpy_dtype

    found = tuple(g.shape)
    if found != shape:
        axes = summed_axes(found, shape) if len(found) >= len(shape) else ()
        if axes:
            g = g.sum(axes, keepdim=True).reshape(shape)
        else:
            g = g.reshape(shape) if math.prod(found) == math.prod(shape) else g.expand(shape)
    if g._element != dtype:
        if g._element.kind == "c" and dtype.kind != "c":
            g = g.real
        g = g.to(from_numpy_dtype(dtype))
    return g

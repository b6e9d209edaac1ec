"""The kernel that all normalisations share: statistics over some axes, the normalised input, and its derivative."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.tensor import Tensor
from gradcli.ops.masks import inner, total


class Statistics:
    """Over what one call normalises, and the mean and 1 / deviation found there.

    ``view`` is the shape in which ``axes`` are averaged, ``along`` the shape in which weight and bias meet the input;
    ``live`` says that the statistics depend on the input (not so with running ones); ``centred`` is the input minus its
    mean, from ``measure`` until the result takes its memory.
    """

    __slots__ = ("along", "axes", "centred", "count", "eps", "live", "mean", "rstd", "view")

    def __init__(self, view: tuple[int, ...], axes: tuple[int, ...], along: tuple[int, ...], eps: float) -> None:
        self.view, self.axes, self.along, self.eps = view, axes, along, eps
        self.count = math.prod(view[a] for a in axes)
        self.live = True
        self.centred: Any = None

    def measure(self, x: Any) -> Any:
        """Find mean and 1 / deviation of the raw input, and return the biased variance."""
        x = x.reshape(self.view)
        self.mean = np.add.reduce(x, axis=self.axes, keepdims=True) / x.dtype.type(self.count)
        self.centred = x - self.mean
        variance = inner(self.centred, self.centred, self.axes) / x.dtype.type(self.count)
        self.rstd = 1 / np.sqrt(variance + x.dtype.type(self.eps))
        return variance

    def take(self, mean: Any, variance: Any) -> None:
        """Use given statistics instead."""
        self.live, self.mean, self.rstd = False, mean, 1 / np.sqrt(variance + variance.dtype.type(self.eps))


def normalized(input: Any, weight: Any, bias: Any, *, found: Statistics) -> Any:
    """Return the raw input normalised by what was ``found``, times weight plus bias."""
    if not found.live:
        return _affine(input, weight, bias, found)
    centred, found.centred = found.centred, None
    if centred is None:
        centred = input.reshape(found.view) - found.mean
    out = np.multiply(centred, found.rstd, out=centred).reshape(input.shape)
    if weight is not None:
        out *= weight.reshape(found.along)
    if bias is not None:
        out += bias.reshape(found.along)
    return out


def _affine(input: Any, weight: Any, bias: Any, found: Statistics) -> Any:
    """Return the result for given statistics: one product and one sum for each element."""
    scale = found.rstd if weight is None else found.rstd * weight.reshape(found.along)
    shift = -found.mean * scale
    out = input * scale
    out += shift if bias is None else shift + bias.reshape(found.along)
    return out


def normal(input: Any, found: Statistics) -> tuple[Any, Any]:
    """Return the normalised input and 1 / deviation, as functions of the input where a graph is recorded."""
    x = input.reshape(found.view)
    if not (found.live and isinstance(input, Tensor)):
        centred = x - found.mean
        if centred.__class__ is np.ndarray and centred.dtype is found.rstd.dtype:
            return np.multiply(centred, found.rstd, out=centred), found.rstd
        return centred * found.rstd, found.rstd
    centred = x - total(x, found.axes) / found.count
    rstd = (total(centred * centred, found.axes) / found.count + found.eps) ** -0.5
    return centred * rstd, rstd


def _to_input(g: Any, weight: Any, unit: Any, rstd: Any, shape: tuple[int, ...], found: Statistics) -> Any:
    g = (g if weight is None else g * weight.reshape(found.along)).reshape(found.view)
    if not found.live:
        return (g * rstd).reshape(shape)
    mean, slope = total(g, found.axes) / found.count, inner(g, unit, found.axes) / found.count
    if unit.__class__ is np.ndarray and unit.dtype is g.dtype:  # the last use of it: its memory takes the result
        unit *= slope
        unit += mean
        np.subtract(g, unit, out=unit)
        unit *= rstd
        return unit.reshape(shape)
    return ((g - mean - unit * slope) * rstd).reshape(shape)


def _summed(g: Any, found: Statistics, shape: tuple[int, ...]) -> Any:
    """Return ``g`` summed over what weight and bias are repeated along."""
    axes = tuple(i for i, n in enumerate((1,) * (g.ndim - len(found.along)) + found.along) if n == 1)
    return (total(g, axes) if axes else g).reshape(shape)


def normalized_rule(
    g: Any, needs: tuple[bool, bool, bool], input: Any, weight: Any, bias: Any, found: Statistics
) -> Any:
    """Return the cotangents of input, weight and bias."""
    unit, rstd = normal(input, found)
    shape = tuple(input.shape)
    to_weight = _summed(g * unit.reshape(shape), found, tuple(weight.shape)) if needs[1] else None
    return (
        _to_input(g, weight, unit, rstd, shape, found) if needs[0] else None,
        to_weight,
        _summed(g, found, tuple(bias.shape)) if needs[2] else None,
    )

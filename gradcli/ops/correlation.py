"""The three kernels behind convolutions in any number of dimensions, on blocks of columns and one BLAS call a block.

``correlate`` is the forward pass, ``spread`` its adjoint in the input (a transposed convolution), ``kernel_gradient``
its adjoint in the weight. Each is linear in both arguments, so the derivative of any is made of the other two.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Index = tuple[Any, ...]
_BLOCK_BYTES = 2 << 20  # of columns: what stays in cache between writing them and multiplying

_WIDE = 128  # so many columns in one sample are worth a BLAS call of their own


class Geometry(NamedTuple):
    """The constants of a convolution: for each dim input and kernel size, stride, padding and dilation; and groups."""

    size: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int = 1

    @property
    def out(self) -> tuple[int, ...]:
        """The spatial size of the result."""
        parts = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, strict=True)
        return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in parts)

    @property
    def pointwise(self) -> bool:
        """Whether columns are the input itself: a kernel of one element, moved by one, without padding."""
        return all(k == 1 for k in self.kernel) and all(s == 1 for s in self.stride) and not any(self.padding)


class _Workspace(threading.local):
    """One buffer of columns a thread, kept between calls: fresh pages cost as much as the copy into them."""

    memory: Array = np.empty(0, np.uint8)

    def take(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Return an uninitialised array in the buffer; a large one is fresh."""
        size = math.prod(shape) * dtype.itemsize
        if size > 2 * _BLOCK_BYTES:
            return np.empty(shape, dtype)
        if self.memory.size < size:
            self.memory = np.empty(size, np.uint8)
        return self.memory[:size].view(dtype).reshape(shape)


_workspace = _Workspace()


def padded(x: Array, padding: tuple[int, ...], fill: float = 0) -> Array:
    """Return ``x`` with ``padding`` elements of ``fill`` on both sides of each spatial dim."""
    if not any(padding):
        return x
    lead = x.ndim - len(padding)
    shape = (*x.shape[:lead], *(n + 2 * p for n, p in zip(x.shape[lead:], padding, strict=True)))
    out = np.full(shape, fill, x.dtype) if fill else np.zeros(shape, x.dtype)
    inner: Index = (..., *(slice(p, p + n) for n, p in zip(x.shape[lead:], padding, strict=True)))
    out[inner] = x
    return out


def offsets(geometry: Geometry) -> Iterator[tuple[tuple[int, ...], Index]]:
    """Yield each kernel element with the slices of the padded input that it meets."""
    out = geometry.out
    for at in itertools.product(*map(range, geometry.kernel)):
        starts = [a * d for a, d in zip(at, geometry.dilation, strict=True)]
        yield at, tuple(slice(b, b + s * (n - 1) + 1, s) for b, s, n in zip(starts, geometry.stride, out, strict=True))


def _windows(x: Array, geometry: Geometry) -> Array:
    """Return the strided view (N, C, *kernel, *out) of a padded input."""
    steps = x.strides[2:]
    inner = tuple(s * d for s, d in zip(steps, geometry.dilation, strict=True))
    outer = tuple(s * d for s, d in zip(steps, geometry.stride, strict=True))
    return np.lib.stride_tricks.as_strided(
        x, (*x.shape[:2], *geometry.kernel, *geometry.out), (*x.strides[:2], *inner, *outer), writeable=False
    )


def _blocks(x: Array, geometry: Geometry) -> Iterator[tuple[slice, Array]]:
    """Yield the samples of each block and its columns, shape (groups, C / groups * kernel, samples * out)."""
    n, channels = x.shape[:2]
    rows, places = math.prod(geometry.kernel) * channels, math.prod(geometry.out)
    count = max(1, min(n, _BLOCK_BYTES // max(1, rows * places * x.itemsize)))
    direct = geometry.pointwise and (count == 1 or places >= _WIDE) and x.flags.c_contiguous
    count = 1 if direct else count
    windows = None if direct else _windows(padded(x, geometry.padding), geometry)
    for start in range(0, n, count):
        samples = slice(start, min(n, start + count))
        held = samples.stop - start
        shape = (geometry.groups, rows // geometry.groups, held * places)
        if windows is None:
            yield samples, x[start].reshape(shape)
            continue
        columns = _workspace.take((channels, *geometry.kernel, held, *geometry.out), x.dtype)
        np.copyto(columns, np.moveaxis(windows[samples], 0, 1 + len(geometry.kernel)))
        yield samples, columns.reshape(shape)


def _by_group(y: Array, groups: int) -> Array:
    """Return (N, C, *out) as (groups, C / groups, N * out); a copy unless N is 1."""
    return np.moveaxis(y, 0, 1).reshape(groups, y.shape[1] // groups, -1)


def correlate(x: Array, w: Array, geometry: Geometry) -> Array:
    """Return the cross-correlation of x (N, C, *size) with w (O, C / groups, *kernel): shape (N, O, *out)."""
    out = geometry.out
    y = np.empty((x.shape[0], w.shape[0], *out), np.result_type(x, w))
    rows = w.reshape(geometry.groups, w.shape[0] // geometry.groups, -1)
    for samples, columns in _blocks(x, geometry):
        held = samples.stop - samples.start
        if held == 1:
            np.matmul(rows, columns, out=y[samples.start].reshape(geometry.groups, rows.shape[1], -1))
        else:
            y[samples] = np.moveaxis(np.matmul(rows, columns).reshape(w.shape[0], held, *out), 0, 1)
    return y


def _as_correlation(y: Array, w: Array, geometry: Geometry) -> Array | None:
    """Return ``spread`` as a correlation with the turned kernel, which reads where folding adds; None with strides."""
    reach = tuple(d * (k - 1) - p for d, k, p in zip(geometry.dilation, geometry.kernel, geometry.padding, strict=True))
    if any(s != 1 for s in geometry.stride) or min(reach, default=0) < 0:
        return None
    groups = geometry.groups
    parts = np.flip(w.reshape(groups, w.shape[0] // groups, *w.shape[1:]), tuple(range(3, w.ndim + 1)))
    turned = np.ascontiguousarray(np.swapaxes(parts, 1, 2)).reshape(-1, w.shape[0] // groups, *geometry.kernel)
    back = Geometry(geometry.out, geometry.kernel, geometry.stride, reach, geometry.dilation, groups)
    return correlate(np.ascontiguousarray(y), turned, back)


def spread(y: Array, w: Array, geometry: Geometry) -> Array:
    """Return the adjoint of ``correlate`` in x: y (N, O, *out) and w (O, C / groups, *kernel) give (N, C, *size)."""
    quick = _as_correlation(y, w, geometry)
    if quick is not None:
        return quick
    groups, out, n = geometry.groups, geometry.out, y.shape[0]
    turned = np.moveaxis(w.reshape(groups, w.shape[0] // groups, -1), 1, 2)
    channels, kernel = w.shape[1] * groups, geometry.kernel
    dtype = np.result_type(y, w)
    full: Any = np.zeros(
        (n, channels, *(s + 2 * p for s, p in zip(geometry.size, geometry.padding, strict=True))), dtype
    )
    rows = max(1, math.prod(kernel) * channels * math.prod(out) * dtype.itemsize)
    count = max(1, min(n, _BLOCK_BYTES // rows)) if n else 1
    for start in range(0, n, count):
        part = y[start : start + count]
        columns: Any = np.matmul(turned, _by_group(part, groups)).reshape(channels, *kernel, len(part), *out)
        for at, where in offsets(geometry):
            full[(slice(start, start + count), slice(None), *where)] += np.moveaxis(columns[(slice(None), *at)], 0, 1)
    return cropped(full, geometry)


def cropped(full: Array, geometry: Geometry) -> Array:
    """Return the middle of a padded array."""
    if not any(geometry.padding):
        return full
    inner: Index = (..., *(slice(p, p + n) for p, n in zip(geometry.padding, geometry.size, strict=True)))
    return np.ascontiguousarray(full[inner])


def kernel_gradient(x: Array, y: Array, geometry: Geometry) -> Array:
    """Return the adjoint of ``correlate`` in w: x (N, C, *size) and y (N, O, *out) give (O, C / groups, *kernel)."""
    groups, outs = geometry.groups, y.shape[1]
    rows = x.shape[1] // groups * math.prod(geometry.kernel)
    total = np.zeros((groups, outs // groups, rows), np.result_type(x, y))
    for samples, columns in _blocks(x, geometry):
        total += np.matmul(_by_group(y[samples], groups), np.moveaxis(columns, 1, 2))
    return total.reshape(outs, x.shape[1] // groups, *geometry.kernel)


def columns_of(x: Array, geometry: Geometry) -> Array:
    """Return the columns of every sample: (N, C * kernel, out), as im2col."""
    windows = _windows(padded(x, geometry.padding), geometry)
    return windows.reshape(x.shape[0], x.shape[1] * math.prod(geometry.kernel), math.prod(geometry.out))


def fold_columns(columns: Array, geometry: Geometry) -> Array:
    """Return the adjoint of ``columns_of``: overlapping columns add up to (N, C, *size)."""
    n, channels = columns.shape[0], columns.shape[1] // math.prod(geometry.kernel)
    parts: Any = columns.reshape(n, channels, *geometry.kernel, *geometry.out)
    full: Any = np.zeros(
        (n, channels, *(s + 2 * p for s, p in zip(geometry.size, geometry.padding, strict=True))), columns.dtype
    )
    for at, where in offsets(geometry):
        full[(..., *where)] += parts[(slice(None), slice(None), *at)]
    return cropped(full, geometry)

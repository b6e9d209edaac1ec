"""Discrete Fourier transforms: three operations under all of torch.fft, each the adjoint of another up to a scale.

Complex to complex, real to complex (the half that is not redundant, or all of it) and complex to real; a scale stands
for the normalization.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import default
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of
from gradcli.ops.matrix import as_operand, constant_like, is_complex, shape_of

Axes = tuple[int, ...]


def _c2c(input: Any, *, dim: Axes, scale: float, forward: bool) -> Any:
    out = np.fft.fftn(input, axes=dim) if forward else np.fft.ifftn(input, axes=dim, norm="forward")
    return _scaled(out, scale)


def _r2c(input: Any, *, dim: Axes, scale: float, onesided: bool) -> Any:
    return _scaled(np.fft.rfftn(input, axes=dim) if onesided else np.fft.fftn(input, axes=dim), scale)


def _c2r(input: Any, *, dim: Axes, scale: float, size: int) -> Any:
    sizes = (*(input.shape[d] for d in dim[:-1]), size)
    return _scaled(np.fft.irfftn(input, s=sizes, axes=dim, norm="forward"), scale)


def _scaled(out: Any, scale: float) -> Any:
    return out if scale == 1 else out * scale


def _resized(input: Any, *, shape: Axes, before: Axes) -> Any:
    out = np.zeros(shape, input.dtype)
    common = tuple(slice(0, min(m, n)) for m, n in zip(shape, input.shape, strict=True))
    out[common] = input[common]
    return out


def _r2c_rule(g: Any, dim: Axes, scale: float, onesided: bool, input: Any) -> Any:
    """Return the real part of the inverse transform of g, the half that was not computed counting as 0."""
    full = list(shape_of(g))
    full[dim[-1]] = shape_of(input)[dim[-1]]
    whole = resize(g, tuple(full)) if onesided else g
    return c2c(whole, dim=dim, scale=scale, forward=False).real


def _c2r_rule(g: Any, dim: Axes, scale: float, size: int) -> Any:
    """Return the transform of g, doubled where an entry of the input stood for its mirror image too."""
    made = r2c(g, dim=dim, scale=scale, onesided=True)
    count = size // 2 + 1
    weights = np.full(count, 2.0)
    weights[0] = 1
    if size % 2 == 0:
        weights[-1] = 1
    shape = [1] * made.ndim
    shape[dim[-1]] = count
    kind = np.float32 if _itemsize(made) == 8 else np.float64
    return made * constant_like(made, weights.astype(kind).reshape(shape))


def _itemsize(x: Any) -> int:
    return int(x._element.itemsize if isinstance(x, Tensor) else x.dtype.itemsize)


c2c: Primitive = Primitive(
    "fft_c2c",
    _c2c,
    {"input": lambda g, dim, scale, forward: c2c(g, dim=dim, scale=scale, forward=not forward)},
    node="FftC2CBackward0",
    batch=("dim",),
)
r2c: Primitive = Primitive("fft_r2c", _r2c, {"input": _r2c_rule}, node="FftR2CBackward0", batch=("dim",))
c2r: Primitive = Primitive("fft_c2r", _c2r, {"input": _c2r_rule}, node="FftC2RBackward0", batch=("dim",))
_resize: Primitive = Primitive(
    "constant_pad_nd",
    _resized,
    {"input": lambda g, shape, before: _resize(g, shape=before, before=shape)},
    batch=("shape", "before"),
)


def resize(x: Any, shape: Axes) -> Any:
    """Return ``x`` cut to ``shape`` or filled up with zeros at the end of each dimension."""
    before = shape_of(x)
    return x if before == shape else _resize(x, shape=shape, before=before)


def operand(name: str, x: Any) -> Any:
    """Return the tensor to transform, integers as the default float; RuntimeError for float16."""
    as_operand(name, x)
    dtype = x._element if isinstance(x, Tensor) else x.dtype
    if dtype.kind in "biu":
        return x.to(default.dtype) if isinstance(x, Tensor) else x.astype(default.dtype.numpy)
    if dtype.itemsize < 4:
        raise error(
            RuntimeError, "dtype-mismatch", f"{name} does not transform {dtype}", hint="convert: .to(torch.float32)"
        )
    return x


def as_complex(x: Any) -> Any:
    """Return ``x`` in the complex dtype of its precision."""
    if is_complex(x):
        return x
    from gradcli.autograd.dtypes import complex64, complex128

    kind = complex64 if _itemsize(x) == 4 else complex128
    return x.to(kind) if isinstance(x, Tensor) else x.astype(kind.numpy)


def scale_of(name: str, norm: Any, count: int, forward: bool) -> float:
    """Return the factor of a transform of ``count`` points: 1, 1/sqrt(count) or 1/count."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise error(
            RuntimeError, "bad-mode", f"{name} has no normalization {norm!r}", hint="'backward', 'ortho', 'forward'"
        )
    if norm == "ortho":
        return 1 / math.sqrt(count)
    return 1.0 if (norm == "forward") != forward else 1 / count


def transformed_dims(name: str, x: Any, s: Any, dim: Any) -> tuple[Axes, list[int]]:
    """Return the dimensions to transform and the size that each shall have (-1: as it is)."""
    if not x.ndim:
        raise error(IndexError, "wrong-ndim", f"{name} needs at least one dimension, got a 0-d tensor")
    sizes = None if s is None else [s] if isinstance(s, int) else [int(n) for n in s]
    if dim is None:
        dims = range(x.ndim if sizes is None else len(sizes))
        found = tuple(d + x.ndim - len(dims) for d in dims)
    else:
        found = tuple(axis_of(d, x.ndim) for d in ((dim,) if isinstance(dim, int) else dim))
    if len(set(found)) != len(found):
        raise error(RuntimeError, "dim-twice", f"{name} got a dimension twice: {dim}")
    if sizes is not None and (len(sizes) != len(found) or any(d < 0 for d in found)):
        raise error(RuntimeError, "dims-mismatch", f"{name} got {len(sizes)} size(s) for {len(found)} dimension(s)")
    sizes = [-1] * len(found) if sizes is None else sizes
    for d, n in zip(found, sizes, strict=True):
        if n < -1 or n == 0 or (n == -1 and not shape_of(x)[d]):
            raise error(
                RuntimeError, "bad-size", f"{name} cannot transform {max(n, 0)} points (dim {d} of shape {shape_of(x)})"
            )
    return found, sizes


def fitted(x: Any, dims: Axes, sizes: list[int]) -> Any:
    """Return ``x`` with the wanted size in each dimension."""
    shape = list(shape_of(x))
    for d, n in zip(dims, sizes, strict=True):
        shape[d] = shape[d] if n == -1 else n
    return resize(x, tuple(shape))


def complex_transform(name: str, x: Any, s: Any, dim: Any, norm: Any, forward: bool) -> Any:
    """Return the complex transform of ``x`` over ``dim`` or its inverse, of any real or complex input."""
    x = operand(name, x)
    dims, sizes = transformed_dims(name, x, s, dim)
    x = fitted(x, dims, sizes)
    count = math.prod(shape_of(x)[d] for d in dims)
    scale = scale_of(name, norm, count, forward)
    if not dims:
        return as_complex(x)
    if len(dims) == 1 and not is_complex(x):
        made = r2c(x, dim=dims, scale=scale, onesided=False)
        return made if forward else made.conj()
    return c2c(as_complex(x), dim=dims, scale=scale, forward=forward)


def real_transform(name: str, x: Any, s: Any, dim: Any, norm: Any, forward: bool) -> Any:
    """Return the half of the transform of a real ``x`` that is not redundant (its conjugate for the inverse)."""
    x = operand(name, x)
    if is_complex(x):
        raise error(
            RuntimeError,
            "dtype-mismatch",
            f"{name} transforms real tensors, got {x.dtype}",
            hint="fft.fft is for complex ones",
        )
    dims, sizes = transformed_dims(name, x, s, dim)
    if not dims:
        raise error(RuntimeError, "bad-dim", f"{name} needs at least one dimension")
    x = fitted(x, dims, sizes)
    count = math.prod(shape_of(x)[d] for d in dims)
    made = r2c(x, dim=dims, scale=scale_of(name, norm, count, forward), onesided=True)
    return made if forward else made.conj()


def to_real_transform(name: str, x: Any, s: Any, dim: Any, norm: Any, forward: bool) -> Any:
    """Return the real signal whose transform has the half ``x`` (its conjugate for the forward direction)."""
    x = as_complex(operand(name, x))
    dims, sizes = transformed_dims(name, x, s, dim)
    if not dims:
        raise error(RuntimeError, "bad-dim", f"{name} needs at least one dimension")
    size = 2 * (shape_of(x)[dims[-1]] - 1) if sizes[-1] == -1 else sizes[-1]
    if size < 1:
        raise error(
            RuntimeError, "bad-size", f"{name} cannot give {size} points (shape {shape_of(x)})", hint="n= says how many"
        )
    x = fitted(x, dims, [*sizes[:-1], size // 2 + 1])
    count = math.prod(shape_of(x)[d] for d in dims[:-1]) * size
    return c2r(x.conj() if forward else x, dim=dims, scale=scale_of(name, norm, count, forward), size=size)

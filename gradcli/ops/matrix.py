"""What operations on matrices share: transposes that work on arrays and tensors, and checks of shapes and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, element

_ndarray = np.ndarray
LEADING: tuple[str, ...] = ()  # the batch rule of operations that take a batch in front as it is


def mT(x: Any) -> Any:
    """Return ``x`` (..., m, n), array or tensor, with its last two dimensions exchanged: (..., n, m)."""
    return x.swapaxes(-1, -2) if isinstance(x, _ndarray) else x.transpose(-2, -1)


def mH(x: Any) -> Any:
    """Return the conjugate transpose of ``x`` (..., m, n), array or tensor: (..., n, m)."""
    return mT(H(x))


def column_major(x: Any) -> bool:
    """Return whether a plain tensor holds a matrix in column-major order, and not in row-major order as well."""
    return x.__class__ is Tensor and x._array.flags.f_contiguous and not x._array.flags.c_contiguous


def shape_of(x: Any) -> tuple[int, ...]:
    """Return the shape of a tensor (one sample of a batched one) or array as a plain tuple."""
    return x._array.shape if x.__class__ is Tensor else tuple(x.shape)


def is_complex(x: Any) -> bool:
    """Return whether ``x`` holds complex numbers."""
    return element(x).kind == "c"  # type: ignore[no-any-return]


def as_operand(name: str, x: Any) -> Any:
    """Return a tensor or array as it is; TypeError for a number, a list or anything else, as PyTorch."""
    if isinstance(x, (Tensor, _ndarray)):
        return x
    hint = "a number scales with *" if isinstance(x, (int, float, complex)) else "tensor([...]) makes one"
    raise error(TypeError, "not-a-tensor", f"{name} takes tensors, got {type(x).__name__}", hint=hint)


def check_dim(name: str, argument: str, x: Any, ndim: int) -> None:
    """Raise RuntimeError unless ``x`` has just ``ndim`` dimensions."""
    as_operand(name, x)
    if x.ndim != ndim:
        raise error(
            RuntimeError,
            "wrong-ndim",
            f"{name} needs {argument} of {ndim} dimension{'s' if ndim > 1 else ''}, got shape {tuple(x.shape)}",
            label=f"shape {tuple(x.shape)}",
        )


def check_inner(name: str, a: Any, b: Any) -> None:
    """Raise RuntimeError unless the last dimension of ``a`` fits ``b`` (..., k, n) or (k,)."""
    left, right = shape_of(a), shape_of(b)
    if left[-1] != right[-2 if len(right) > 1 else -1]:
        k = right[-2 if len(right) > 1 else -1]
        fits = (len(left) > 1 and left[-2] == k) or (len(right) > 1 and right[-1] == left[-1])
        rows = "rows of the right one" if len(right) > 1 else "entries of the right one"
        columns = "columns of the left one" if len(left) > 1 else "entries of the left one"
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs equal inner sizes, got {left} and {right}",
            label=f"{left[-1]} ({columns}) is not {k} ({rows})",
            hint=".mT exchanges the last two dimensions" if fits else None,
        )


def check_same_dtype(name: str, *tensors: Any) -> None:
    """Raise RuntimeError unless all operands have one dtype, and that is a number type: products do not promote."""
    first = element(tensors[0])
    for other in tensors[1:]:
        if element(other) != first:
            raise error(
                RuntimeError,
                "dtype-mismatch",
                f"{name} needs operands of one dtype, got {first} and {element(other)}",
                hint=f"convert one of them: .to(torch.{np.promote_types(first, element(other))})",
            )
    if first.kind == "b":
        raise error(
            RuntimeError, "dtype-mismatch", f"{name} does not multiply bool tensors", hint="convert them: .to(int)"
        )


def check_matrix(name: str, a: Any) -> None:
    """Raise RuntimeError unless ``a`` is (a batch of) matrices of a floating or complex dtype."""
    as_operand(name, a)
    if a.ndim < 2:
        raise error(
            RuntimeError,
            "wrong-ndim",
            f"{name} needs a matrix, or a batch of them; got shape {tuple(a.shape)}",
            label=f"shape {tuple(a.shape)}",
        )
    check_float(name, a)


def check_square(name: str, a: Any) -> None:
    """Raise RuntimeError unless ``a`` is (a batch of) square matrices of a floating or complex dtype."""
    check_matrix(name, a)
    m, n = a.shape[-2:]
    if m != n:
        raise error(
            RuntimeError,
            "not-square",
            f"{name} needs square matrices, got {m} by {n} (shape {tuple(a.shape)})",
            label=f"shape {tuple(a.shape)}",
        )


def check_float(name: str, a: Any) -> None:
    """Raise RuntimeError unless ``a`` is of a floating or complex dtype that LAPACK knows (not float16)."""
    dtype = element(a)
    if dtype.kind not in "fc" or dtype.itemsize < 4:
        raise error(
            RuntimeError,
            "dtype-mismatch",
            f"{name} needs a floating or complex dtype, got {dtype}",
            hint="write the numbers with a point, 1. instead of 1, or convert: .to(torch.float64)",
        )


def permute(x: Any, axes: tuple[int, ...]) -> Any:
    """Return ``x``, array or tensor, with its dimensions in the order ``axes``."""
    return x.transpose(axes) if isinstance(x, _ndarray) else x.permute(axes)


def stacked(parts: list[Any]) -> Any:
    """Return arrays or tensors of one shape along a new first dimension."""
    if isinstance(parts[0], _ndarray):
        return np.stack(parts)
    from gradcli.ops.joining import stack

    return stack(parts)


def triangle(x: Any, upper: bool, offset: int = 0) -> Any:
    """Return the upper or lower triangle of ``x`` (..., m, n), ``offset`` diagonals further out."""
    if isinstance(x, _ndarray):
        return np.triu(x, offset) if upper else np.tril(x, -offset)
    return x.triu(offset) if upper else x.tril(-offset)


def substitute(A: Any, B: Any, upper: bool, unit: bool) -> Any:
    """Return A^-1 B for triangular arrays A (..., n, n), B (..., n, k): halves in turn, rows one by one when small."""
    n = A.shape[-1]
    shape = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    out = np.array(np.broadcast_to(B, (*shape, *B.shape[-2:])))
    with np.errstate(all="ignore"):
        _substitute_into(A, out, 0, n, upper, unit)
    return out


_ROWS = 16


def _substitute_into(A: Any, out: Any, start: int, stop: int, upper: bool, unit: bool) -> None:
    """Solve rows ``start`` to ``stop`` of ``out`` in place, the rows solved before having been taken off already."""
    if stop - start > _ROWS:
        middle = (start + stop) // 2
        first, second = ((middle, stop), (start, middle)) if upper else ((start, middle), (middle, stop))
        _substitute_into(A, out, *first, upper, unit)
        out[..., slice(*second), :] -= A[..., slice(*second), slice(*first)] @ out[..., slice(*first), :]
        _substitute_into(A, out, *second, upper, unit)
        return
    for i in reversed(range(start, stop)) if upper else range(start, stop):
        done = slice(i + 1, stop) if upper else slice(start, i)
        out[..., i, :] -= (A[..., i : i + 1, done] @ out[..., done, :])[..., 0, :]
        if not unit:
            out[..., i, :] /= A[..., i, i, None]


def concatenated(parts: list[Any], dim: int) -> Any:
    """Return arrays or tensors joined along an existing dimension."""
    if isinstance(parts[0], _ndarray):
        return np.concatenate(parts, axis=dim)
    from gradcli.ops.joining import cat

    return cat(parts, dim)


def diagonal(x: Any) -> Any:
    """Return the diagonals (..., n) of ``x`` (..., n, n), array or tensor."""
    return x.diagonal(0, -2, -1)


def on_diagonal(x: Any) -> Any:
    """Return matrices (..., n, n) with ``x`` (..., n), array or tensor, on the diagonal and 0 elsewhere."""
    if not isinstance(x, _ndarray):
        return x.diag_embed()
    out = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    np.einsum("...ii->...i", out)[...] = x
    return out


def filled_diagonal(x: Any, value: float) -> Any:
    """Return ``x`` (..., n, n), array or tensor, with ``value`` on the diagonal."""
    n = shape_of(x)[-1]
    mask = np.eye(n, dtype=bool)
    return np.where(mask, x.dtype.type(value), x) if isinstance(x, _ndarray) else x.masked_fill(Tensor(mask), value)


def gaps_between(values: Any) -> Any:
    """Return E_ij = v_j - v_i of ``values`` (..., n), exactly 0 where two differ by no more than rounding leaves.

    Vectors of equal values are arbitrary, and so is all that is divided by such a gap: 0 makes it nan, not noise.
    """
    made = row(values) - column(values)
    fixed = values if isinstance(values, _ndarray) else values.detach()
    if not shape_of(values)[-1]:
        return made
    size = (
        abs(fixed).max(axis=-1)[..., None, None] if isinstance(fixed, _ndarray) else column(abs(fixed).amax(-1, True))
    )
    bound = size * (shape_of(values)[-1] * float(np.finfo(element(values)).eps))
    equal = abs(row(fixed) - column(fixed)) <= bound
    return np.where(equal, made.dtype.type(0), made) if isinstance(made, _ndarray) else made.masked_fill(equal, 0)


def column(x: Any) -> Any:
    """Return vectors (..., n), array or tensor, as columns (..., n, 1)."""
    return x[..., None] if isinstance(x, _ndarray) else x.unsqueeze(-1)


def row(x: Any) -> Any:
    """Return vectors (..., n), array or tensor, as rows (..., 1, n)."""
    return x[..., None, :] if isinstance(x, _ndarray) else x.unsqueeze(-2)


def constant_like(x: Any, array: Any) -> Any:
    """Return ``array`` as a constant beside ``x``: a tensor where that is one."""
    return array if isinstance(x, _ndarray) else Tensor(array)


def zeros_like(x: Any) -> Any:
    """Return zeros of the shape and dtype of ``x``, array or tensor, as a constant."""
    return constant_like(x, np.zeros(shape_of(x), element(x)))


def summed(x: Any, dims: list[int]) -> Any:
    """Return ``x``, array or tensor, summed over ``dims``, which stay with size 1."""
    return x.sum(tuple(dims), keepdims=True) if isinstance(x, _ndarray) else x.sum(tuple(dims), keepdim=True)

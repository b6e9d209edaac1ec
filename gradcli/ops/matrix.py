"""What operations on matrices share: transposes that work on arrays and tensors, and checks of shapes and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, raw

_ndarray = np.ndarray


def mT(x: Any) -> Any:
    """Return ``x`` (..., m, n), array or tensor, with its last two dimensions exchanged: (..., n, m)."""
    return x.swapaxes(-1, -2) if isinstance(x, _ndarray) else x.transpose(-2, -1)


def mH(x: Any) -> Any:
    """Return the conjugate transpose of ``x`` (..., m, n), array or tensor: (..., n, m)."""
    return mT(H(x))


def shape_of(x: Any) -> tuple[int, ...]:
    """Return the shape of a tensor or array as a plain tuple."""
    return x._array.shape if isinstance(x, Tensor) else x.shape  # type: ignore[no-any-return]


def is_complex(x: Any) -> bool:
    """Return whether ``x`` holds complex numbers."""
    return raw(x).dtype.kind == "c"  # type: ignore[no-any-return]


def as_operand(name: str, x: Any) -> Any:
    """Return a tensor or array as it is; TypeError for a number, a list or anything else, as PyTorch."""
    if isinstance(x, (Tensor, _ndarray)):
        return x
    raise error(TypeError, "not-a-tensor", f"{name} takes tensors, got {type(x).__name__}",
                hint="tensor([...]) makes one")


def check_dim(name: str, argument: str, x: Any, ndim: int) -> None:
    """Raise RuntimeError unless ``x`` has just ``ndim`` dimensions."""
    as_operand(name, x)
    if x.ndim != ndim:
        raise error(RuntimeError, "wrong-ndim",
                    f"{name} needs {argument} of {ndim} dimension{'s' if ndim > 1 else ''}, got shape {tuple(x.shape)}",
                    label=f"shape {tuple(x.shape)}")


def check_inner(name: str, a: Any, b: Any) -> None:
    """Raise RuntimeError unless the last dimension of ``a`` fits ``b`` (..., k, n) or (k,)."""
    left, right = shape_of(a), shape_of(b)
    if left[-1] != right[-2 if len(right) > 1 else -1]:
        k = right[-2 if len(right) > 1 else -1]
        raise error(RuntimeError, "shape-mismatch",
                    f"{name} cannot multiply shapes {left} and {right}: {left[-1]} column(s) on the left meet {k} "
                    "row(s) on the right", label=f"{left} against {right}",
                    hint="the last dimension of the left must equal the first of a right vector, or the one before "
                         "last of a right matrix; .mT exchanges the last two")


def check_same_dtype(name: str, *tensors: Any) -> None:
    """Raise RuntimeError unless all operands have one dtype, and that is a number type: products do not promote."""
    first = raw(tensors[0]).dtype
    for other in tensors[1:]:
        if raw(other).dtype != first:
            raise error(RuntimeError, "dtype-mismatch",
                        f"{name} needs operands of one dtype, got {first} and {raw(other).dtype}",
                        hint=f"convert one of them: .to(torch.{np.promote_types(first, raw(other).dtype)})")
    if first.kind == "b":
        raise error(RuntimeError, "dtype-mismatch", f"{name} does not multiply bool tensors",
                    hint="convert them: .to(int)")


def check_matrix(name: str, a: Any) -> None:
    """Raise RuntimeError unless ``a`` is (a batch of) matrices of a floating or complex dtype."""
    as_operand(name, a)
    if a.ndim < 2:
        raise error(RuntimeError, "wrong-ndim",
                    f"{name} needs a matrix, or a batch of them; got shape {tuple(a.shape)}",
                    label=f"shape {tuple(a.shape)}")
    check_float(name, a)


def check_square(name: str, a: Any) -> None:
    """Raise RuntimeError unless ``a`` is (a batch of) square matrices of a floating or complex dtype."""
    check_matrix(name, a)
    m, n = a.shape[-2:]
    if m != n:
        raise error(RuntimeError, "not-square",
                    f"{name} needs square matrices, got {m} by {n} (shape {tuple(a.shape)})",
                    label=f"shape {tuple(a.shape)}")


def check_float(name: str, a: Any) -> None:
    """Raise RuntimeError unless ``a`` is of a floating or complex dtype that LAPACK knows (not float16)."""
    dtype = raw(a).dtype
    if dtype.kind not in "fc" or dtype.itemsize < 4:
        raise error(RuntimeError, "dtype-mismatch", f"{name} needs a floating or complex dtype, got {dtype}",
                    hint="write the numbers with a point, 1. instead of 1, or convert: .to(torch.float64)")

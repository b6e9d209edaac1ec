"""Vector norms, with PyTorch's subgradients at zeros and ties."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import fixed
from gradcli.ops.reducing import (
    Axes,
    dtype_of,
    floating,
    kept,
    masked,
    numpy_dtype,
    of,
    operand,
    reduced_axes,
    shape_of,
    spread,
    tie_shares,
)
from gradcli.ops.row import Lit, T, op, sample


# -- forward ----------------------------------------------------------------------------------------------------------
def _squares(input: Any) -> Any:
    return input.real**2 + input.imag**2 if input.dtype.kind == "c" else input * input


def _vector_norm(input: Any, *, ord: float, dim: Axes, keepdim: bool) -> Any:
    if ord == 2:
        return np.sqrt(_reduced(np.add, _squares(input), dim, keepdim))
    sizes = np.abs(input)
    if ord == math.inf:
        return _reduced(np.maximum, sizes, dim, keepdim)
    if ord == -math.inf:
        return _reduced(np.minimum, sizes, dim, keepdim)
    if ord == 0:
        return _reduced(np.add, (sizes != 0).astype(sizes.dtype), dim, keepdim)
    if ord == 1:
        return _reduced(np.add, sizes, dim, keepdim)
    return _reduced(np.add, sizes**ord, dim, keepdim) ** (1.0 / ord)


def _reduced(ufunc: np.ufunc, values: Any, dim: Axes, keepdim: bool) -> Any:
    return ufunc.reduce(values, axis=dim, keepdims=keepdim)


# -- reverse ----------------------------------------------------------------------------------------------------------
def _norm_rule(g: Any, input: Any, out: Any, ord: float, dim: Axes) -> Any:
    shape = shape_of(input)
    if ord == 0:
        return None
    g = spread(g, shape, dim)
    if ord == 1:
        return of("sgn")(input) * g
    if math.isinf(ord):
        return _largest_rule(g, input, out, dim)
    norm = spread(out, shape, dim)
    zero = fixed(norm) == 0
    if ord == 2:
        return g * masked(input / norm, zero)
    return _power_rule(g, input, norm, zero, ord)


def _largest_rule(g: Any, input: Any, out: Any, dim: Axes) -> Any:
    """The elements of the largest (smallest) size share the cotangent, each with its sign; nan stands for nan."""
    array = fixed(input)
    sizes, norm = np.abs(array), kept(fixed(out), shape_of(input), dim)
    ties = (sizes == norm) | (np.isnan(sizes) & np.isnan(norm))
    return of("sgn")(input) * (g * tie_shares(ties, dim, g))


def _power_rule(g: Any, input: Any, norm: Any, zero: Any, ord: float) -> Any:
    """sgn(x) |x|^(p-1) g / norm^(p-1), with zeros where PyTorch masks them."""
    sizes, power = of("abs")(input), of("pow")
    if ord < 1:
        scaled = of("sgn")(input) * masked(power(sizes, ord - 1), fixed(input) == 0)
        return scaled * g * power(norm, 1 - ord)
    scaled = of("sgn")(input) * power(sizes, ord - 1) if ord < 2 else input * power(sizes, ord - 2)
    return scaled * masked(masked(g, zero) / power(norm, ord - 1), zero)


vector_norm_primitive = Primitive("linalg_vector_norm", _vector_norm, {"input": _norm_rule}, batch=("dim",))


# -- functions --------------------------------------------------------------------------------------------------------
def _widened(input: Any, dtype: Any) -> Any:
    """Return ``input`` in the dtype asked for; RuntimeError where that would narrow it."""
    kind = numpy_dtype(dtype)
    if kind is None or kind == dtype_of(input):
        return input
    if not np.can_cast(dtype_of(input), kind):
        raise error(
            RuntimeError,
            "dtype-mismatch",
            f"vector_norm cannot narrow {dtype_of(input)} to {kind}",
            hint="convert the result instead",
        )
    return input.to(dtype) if hasattr(input, "to") else input.astype(kind)


def _check_filled(shape: tuple[int, ...], axes: Axes, ord: float) -> None:
    empty = [d for d in axes if shape[d] == 0]
    if empty and (ord < 0 or ord == math.inf):
        raise error(
            RuntimeError,
            "empty-reduction",
            f"the {ord} norm of no elements is not defined: shape {shape}",
            label=f"shape {shape}",
        )


_NOT_ZERO = (
    sample(T(4)),
    sample(T(2, 3)),
    sample(T(2, 3), dim=-1, keepdim=True),
    sample(T(2, 3), dim=(0, 1)),
    sample(T()),
)
_AT_ZERO = "gradient 0 at the zero vector; the infinity norms share evenly over ties; order 0 has no gradient"


@op(
    "torch.linalg.vector_norm",
    "linalg.vector_norm(x, ord=2, dim=None, keepdim=False)",
    category="linear algebra",
    doc="The norm of order ord of all elements, or over dim: (sum |x|^ord)^(1/ord), largest size for inf, count for 0.",
    formula="g sgn(x) |x|^(p-1) / norm^(p-1)",
    conventions=_AT_ZERO,
    examples=("linalg.vector_norm(tensor([3., 4.]))  #> 5.", "linalg.vector_norm(tensor([3., -4.]), 1)  #> 7."),
    samples=(
        *_NOT_ZERO,
        sample(T(4), 3),
        sample(T(4), 1),
        sample(T(4), 1.5),
        sample(T(3), 0.5),
        sample(T(4), float("inf")),
        sample(T(4), float("-inf")),
        sample(T(3), -1),
        sample(Lit([0.0, 0.0]), smooth=False),
    ),
)
def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the vector norm, real for complex input too; RuntimeError for integers, TypeError for a named order."""
    if isinstance(ord, (str, bool)) or not hasattr(ord, "__float__"):
        raise error(
            TypeError,
            "norm-order",
            f"the order of a vector norm is a number, got {ord!r}",
            hint="inf and -inf are numbers too",
        )
    x = _widened(floating("vector_norm", operand(x)), dtype)
    axes = reduced_axes(dim, x, keepdim)
    ord = float(ord)
    _check_filled(shape_of(x), axes, ord)
    return vector_norm_primitive(x, ord=ord, dim=axes, keepdim=keepdim)


@op(
    "torch.norm",
    "norm(input, p='fro', dim=None, keepdim=False)",
    names="Tensor.norm",
    numpy_words=True,
    category="reduction",
    doc="The vector norm of order p over dim, or of all elements; 'fro' is order 2, 'nuc' the sum of singular values.",
    formula="that of linalg.vector_norm",
    conventions=_AT_ZERO,
    examples=("norm(tensor([3., 4.]))  #> 5.", "norm(tensor([[3., -4.], [6., 8.]]), p=1, dim=1)  #> [7., 14.]"),
    samples=(
        *_NOT_ZERO,
        sample(T(4), p=1),
        sample(T(2, 3), p=float("inf"), dim=1),
        sample(Lit([0.0, 0.0]), smooth=False),
    ),
)
def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Return the norm of ``input``; RuntimeError for integers and for an order that is not known."""
    if isinstance(p, str) and p != "fro":
        return _named_norm(operand(input), p, dim, keepdim)
    return vector_norm(input, 2 if p is None or p == "fro" else p, dim, keepdim, dtype=dtype)


def _named_norm(input: Any, p: str, dim: Any, keepdim: bool) -> Any:
    if p != "nuc":
        raise error(
            RuntimeError,
            "norm-order",
            f"norm knows 'fro', 'nuc' and numbers, got p={p!r}",
            hint="p=float('inf') for the largest size",
        )
    axes = (0, 1) if dim is None and input.ndim == 2 else dim
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise error(RuntimeError, "norm-order", "the nuclear norm is that of matrices: dim must name two dimensions")
    return of("linalg.matrix_norm")(input, "nuc", tuple(axes), keepdim)

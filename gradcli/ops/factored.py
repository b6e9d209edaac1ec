"""Systems and inverses from factors that are known already: of LU and of Cholesky."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import element, raw
from gradcli.ops.factorizations import permutation, permutation_primitive
from gradcli.ops.matmul import batch_shape
from gradcli.ops.matrix import (
    LEADING,
    as_operand,
    check_same_dtype,
    check_square,
    constant_like,
    mH,
    shape_of,
    substitute,
    triangle,
)
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_A = [[2.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, 0.25, 2.5]]
_L = [[2.0, 0.0, 0.0], [0.5, 1.5, 0.0], [-0.5, 0.25, 1.0]]


def _lu_solve(LU: Any, pivots: Any, B: Any, *, adjoint: bool) -> Any:
    P = permutation(pivots, LU.shape[-1], LU.dtype)
    if not adjoint:
        return substitute(LU, substitute(LU, np.swapaxes(P, -1, -2) @ B, False, True), True, False)
    turned = np.conj(LU).swapaxes(-1, -2)
    return P @ substitute(turned, substitute(turned, B, False, False), True, True)


def _lu_solve_rule(
    g: Any, LU: Any, pivots: Any, out: Any, needs: tuple[bool, ...], adjoint: bool
) -> tuple[Any, None, Any]:
    """Send g back through the two triangular systems, and to each factor minus it times the solution of its system."""
    gB = lu_solve_primitive(LU, pivots, g, adjoint=not adjoint)
    if not needs[0]:
        return None, None, gB
    P = permutation_primitive(pivots, size=shape_of(LU)[-1], dtype=element(LU))
    lower = triangle(LU, False, 1) + constant_like(LU, np.eye(shape_of(LU)[-1], dtype=element(LU)))
    if adjoint:
        W = mH(P) @ out
        gZ = triangle(LU, True) @ gB
        gL, gU = W @ mH(gZ), (mH(lower) @ W) @ mH(gB)
    else:
        gY = mH(lower) @ (mH(P) @ gB)
        gL, gU = (mH(P) @ gB) @ mH(triangle(LU, True) @ out), gY @ mH(out)
    return -(triangle(gL, False, 1) + triangle(gU, True)), None, gB


lu_solve_primitive: Primitive = Primitive(
    "linalg_lu_solve", _lu_solve, _lu_solve_rule, batch="products.aligned"
)


@op(
    "torch.linalg.lu_solve",
    "linalg.lu_solve(LU, pivots, B, *, left=True, adjoint=False)",
    category=_LINEAR,
    doc="The solution of A X = B (X A = B with left=False, A^H X = B with adjoint=True) from the factors of A.",
    formula="as of the two triangular systems",
    examples=(
        "linalg.lu_solve(tensor([[4., 4.], [0.5, -1.]]), tensor([2, 2]), tensor([[3.], [8.]]))  #> [[1.], [1.]]",
    ),
    samples=(
        sample(Lit(_A), Lit([1, 3, 3]), T(3, 2)),
        sample(Lit(_A), Lit([1, 3, 3]), T(3, 2), adjoint=True),
        sample(Lit(_A), Lit([2, 2, 3]), T(2, 3), left=False),
    ),
)
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: bool = True, adjoint: bool = False) -> Any:
    """Solve with LU (..., n, n), pivots (..., n) from 1, B (..., n, k); RuntimeError where shapes do not fit."""
    name = "linalg.lu_solve"
    check_square(name, LU)
    check_same_dtype(name, LU, as_operand(name, B))
    if not left:
        return mH(lu_solve(LU, pivots, mH(B), adjoint=not adjoint))
    if B.ndim < 2 or shape_of(B)[-2] != shape_of(LU)[-1]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: the factors have shape {shape_of(LU)}, B has shape {shape_of(B)}",
        )
    batch_shape(name, LU, B)
    return lu_solve_primitive(LU, raw(as_operand(name, pivots)), B, adjoint=bool(adjoint))


@op(
    "torch.lu_solve",
    "lu_solve(b, LU_data, LU_pivots)",
    names="Tensor.lu_solve",
    category=_LINEAR,
    doc="The older spelling of linalg.lu_solve, with the right-hand side first.",
    formula="as of the two triangular systems",
    examples=("lu_solve(tensor([[3.], [8.]]), tensor([[4., 4.], [0.5, -1.]]), tensor([2, 2]))  #> [[1.], [1.]]",),
    samples=(sample(T(3, 2), Lit(_A), Lit([1, 3, 3])),),
)
def old_lu_solve(b: Any, LU_data: Any, LU_pivots: Any) -> Any:
    """Solve with LU_data (..., n, n), LU_pivots (..., n) from 1, b (..., n, k); RuntimeError where shapes do not
    fit.
    """
    return lu_solve(LU_data, LU_pivots, b)


def _cholesky_solve(B: Any, L: Any, *, upper: bool) -> Any:
    lower = np.conj(L).swapaxes(-1, -2) if upper else L
    half = substitute(lower, B, False, False)
    return substitute(np.conj(lower).swapaxes(-1, -2), half, True, False)


def _cholesky_solve_rule(g: Any, L: Any, out: Any, needs: tuple[bool, ...], upper: bool) -> tuple[Any, Any]:
    gB = cholesky_solve_primitive(g, L, upper=upper)
    if not needs[1]:
        return gB, None
    return gB, _factor_cotangent(gB @ mH(out), L, upper)


def _factor_cotangent(gA: Any, L: Any, upper: bool) -> Any:
    """Return the cotangent of the factor from minus that of A = L L^H (or L^H L)."""
    both = gA + mH(gA)
    return -(L @ both if upper else both @ L)


def _cholesky_inverse(L: Any, *, upper: bool) -> Any:
    return _cholesky_solve(np.eye(L.shape[-1], dtype=L.dtype), L, upper=upper)


cholesky_solve_primitive = Primitive("cholesky_solve", _cholesky_solve, _cholesky_solve_rule, batch="elementwise")
cholesky_inverse_primitive = Primitive(
    "cholesky_inverse",
    _cholesky_inverse,
    {"L": lambda g, L, out, upper: _factor_cotangent(out @ g @ out, L, upper)},
    batch=LEADING,
)


@op(
    "torch.cholesky_solve",
    "cholesky_solve(B, L, upper=False)",
    names="Tensor.cholesky_solve",
    category=_LINEAR,
    doc="The solution of L L^H X = B (L^H L X = B with upper=True) for a Cholesky factor L.",
    formula="gB = A^-1 g to B, -(gB X^H + X gB^H) L to L",
    conventions="one triangle of L is read, but its gradient is not masked to that triangle",
    examples=("cholesky_solve(tensor([[6.], [4.]]), tensor([[2., 0.], [1., 1.]]))  #> [[1.], [1.]]",),
    samples=(sample(T(3, 2), Lit(_L), smooth=False),),
)
def cholesky_solve(B: Any, L: Any, upper: bool = False) -> Any:
    """Solve with L (..., n, n), B (..., n, k); RuntimeError where shapes or dtypes do not fit."""
    name = "cholesky_solve"
    check_square(name, L)
    check_same_dtype(name, as_operand(name, B), L)
    if B.ndim < 2 or shape_of(B)[-2] != shape_of(L)[-1]:
        raise error(RuntimeError, "shape-mismatch", f"{name}: L has shape {shape_of(L)}, B has shape {shape_of(B)}")
    batch_shape(name, L, B)
    return cholesky_solve_primitive(B, L, upper=bool(upper))


@op(
    "torch.cholesky_inverse",
    "cholesky_inverse(L, upper=False)",
    names="Tensor.cholesky_inverse",
    category=_LINEAR,
    doc="The inverse of L L^H (of L^H L with upper=True) for a Cholesky factor L.",
    formula="-A^-1 (g + g^H) A^-1 L",
    conventions="one triangle of L is read, but its gradient is not masked to that triangle",
    examples=("cholesky_inverse(tensor([[2., 0.], [0., 1.]]))  #> [[0.25, 0.], [0., 1.]]",),
    samples=(sample(Lit(_L), smooth=False),),
)
def cholesky_inverse(L: Any, upper: bool = False) -> Any:
    """Invert (..., n, n); RuntimeError unless square and floating."""
    check_square("cholesky_inverse", L)
    return cholesky_inverse_primitive(L, upper=bool(upper))

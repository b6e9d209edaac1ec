"""Triangular factors by elimination: LU with row exchanges, what is solved with given factors, and LDL^T.

NumPy has no LU of its own, so the elimination is written here, for a whole batch at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import LinAlgError, error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import element, everything, is_batch, raw
from gradcli.ops.linalg import triangular_primitive
from gradcli.ops.matrix import (
    LEADING,
    as_operand,
    check_matrix,
    concatenated,
    constant_like,
    mH,
    shape_of,
    triangle,
    zeros_like,
)
from gradcli.ops.row import Lit, op, sample

_LINEAR = "linear algebra"
_A = [[2.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, 0.25, 2.5]]
_TALL = [[1.0, 2.0], [0.5, -1.0], [1.5, 0.25]]
_WIDE = [[1.0, 2.0, -0.5], [0.5, -1.0, 2.0]]
_L = [[2.0, 0.0, 0.0], [0.5, 1.5, 0.0], [-0.5, 0.25, 1.0]]


def eliminate(A: Any) -> tuple[Any, Any]:
    """Return LU and pivots (int32, from 1) of an array (..., m, n): the largest entry of each column is the pivot."""
    m, n = A.shape[-2:]
    work = np.array(A).reshape(int(np.prod(A.shape[:-2])), m, n)
    count, steps = len(work), min(m, n)
    pivots = np.zeros((count, steps), np.int32)
    each = np.arange(count)
    with np.errstate(all="ignore"):
        for k in range(steps):
            size = abs(work[:, k:, k].real) + abs(work[:, k:, k].imag)
            p = np.argmax(size, axis=1) + k
            pivots[:, k] = p + 1
            held = work[each, p]
            work[each, p] = work[:, k]
            work[:, k] = held
            pivot = np.where(work[:, k, k] == 0, 1, work[:, k, k])
            work[:, k + 1 :, k] /= pivot[:, None]
            work[:, k + 1 :, k + 1 :] -= work[:, k + 1 :, k, None] * work[:, k, None, k + 1 :]
    return work.reshape(A.shape), pivots.reshape(*A.shape[:-2], steps)


def permutation(pivots: Any, m: int, dtype: Any) -> Any:
    """Return the permutation matrices P (..., m, m) with A = P L U of 1-based pivots (..., k)."""
    flat = pivots.reshape(int(np.prod(pivots.shape[:-1])), pivots.shape[-1])
    order = np.tile(np.arange(m), (len(flat), 1))
    each = np.arange(len(flat))
    for k in range(flat.shape[1]):
        other = flat[:, k] - 1
        held = order[each, other]
        order[each, other] = order[:, k]
        order[:, k] = held
    P = np.zeros((len(flat), m, m), dtype)
    P[each[:, None], order, np.arange(m)] = 1
    return P.reshape(*pivots.shape[:-1], m, m)


def _first_zero(LU: Any) -> Any:
    zero = np.diagonal(LU, axis1=-2, axis2=-1) == 0
    return np.where(zero.any(axis=-1), zero.argmax(axis=-1) + 1 if zero.shape[-1] else 0, 0).astype(np.int32)


def zero_pivots(A: Any) -> Any:
    """Return for each matrix of a tensor the place (from 1) of the first zero pivot, 0 where there is none: (...)
    int32.
    """
    return _zero_pivots(A)


def leading_minor(A: Any, upper: bool) -> Any:
    """Return for each matrix the order of the first leading minor that is not positive, 0 where all are: (...)
    int32.
    """
    lower = np.conj(A).swapaxes(-1, -2) if upper else A
    work = np.array(lower).reshape(int(np.prod(A.shape[:-2])), *A.shape[-2:])
    info = np.zeros(len(work), np.int32)
    for i, matrix in enumerate(work):
        for k in range(len(matrix)):
            rest = matrix[k, k].real - (abs(matrix[k, :k]) ** 2).sum()
            if not rest > 0:
                info[i] = k + 1
                break
            matrix[k, k] = np.sqrt(rest)
            matrix[k + 1 :, k] = (matrix[k + 1 :, k] - matrix[k + 1 :, :k] @ np.conj(matrix[k, :k])) / matrix[k, k]
    return info.reshape(A.shape[:-2])


# -- LU ---------------------------------------------------------------------------------------------------------------
def _lu_factor(A: Any) -> Any:
    return eliminate(A)


def _lu(A: Any) -> Any:
    LU, pivots = eliminate(A)
    m, n = A.shape[-2:]
    k = min(m, n)
    lower = np.tril(LU[..., :k], -1) + np.eye(m, k, dtype=A.dtype)
    return permutation(pivots, m, A.dtype), lower, np.triu(LU[..., :k, :])


def _lu_factor_rule(g: list[Any], out: Any) -> tuple[Any]:
    LU, pivots = out
    m, n = shape_of(LU)[-2:]
    k = min(m, n)
    lower, upper = triangle(LU[..., :k], False, 1), triangle(LU[..., :k, :], True)
    lower = lower + constant_like(lower, np.eye(m, k, dtype=element(LU)))
    gL, gU = triangle(g[0][..., :k], False, 1), triangle(g[0][..., :k, :], True)
    P = permutation_primitive(pivots, size=m, dtype=element(LU))
    return (_plu_rule(P, lower, upper, gL, gU),)


def _lu_rule(g: list[Any], out: Any) -> tuple[Any]:
    P, lower, upper = out
    gL = zeros_like(lower) if g[1] is None else g[1]
    gU = zeros_like(upper) if g[2] is None else g[2]
    return (_plu_rule(_fixed(P), lower, upper, gL, gU),)


def _fixed(P: Any) -> Any:
    """Return the permutation without a place in the graph: it jumps, but does not change with A."""
    return P.detach() if isinstance(P, Tensor) else P


def _plu_rule(P: Any, lower: Any, upper: Any, gL: Any, gU: Any) -> Any:
    """Return the cotangent of A = P L U: P L^-H [tril(L^H gL, -1) + triu(gU U^H)] U^-H for square A.

    The columns that a wide A has besides are P L U2, the rows that a tall A has besides are L2 U, with a triangular
    factor
    already known; what they send to it is added to its cotangent first.
    """
    m, n = shape_of(lower)[-2], shape_of(upper)[-1]
    if m < n:
        beside = _solve_left(lower, gU[..., m:])
        gL = gL - beside @ mH(upper[..., m:])
        square = _square_rule(lower, upper[..., :m], gL, gU[..., :m])
        return P @ concatenated([square, beside], -1)
    if m > n:
        below = _solve_right(gL[..., n:, :], upper)
        gU = gU - mH(lower[..., n:, :]) @ below
        square = _square_rule(lower[..., :n, :], upper, gL[..., :n, :], gU)
        return P @ concatenated([square, below], -2)
    return P @ _square_rule(lower, upper, gL, gU)


def _square_rule(lower: Any, upper: Any, gL: Any, gU: Any) -> Any:
    inner = triangle(mH(lower) @ triangle(gL, False, 1), False, 1) + triangle(triangle(gU, True) @ mH(upper), True)
    return _solve_right(_solve_left(lower, inner), upper)


def _solve_left(lower: Any, x: Any) -> Any:
    return triangular_primitive(mH(lower), x, upper=True, left=True, unitriangular=True)


def _solve_right(x: Any, upper: Any) -> Any:
    return triangular_primitive(mH(upper), x, upper=False, left=False, unitriangular=False)


permutation_primitive = Primitive(
    "lu_permutation", lambda pivots, *, size, dtype: permutation(pivots, size, dtype), None, batch=LEADING
)
_zero_pivots = Primitive("lu_info", lambda A: _first_zero(eliminate(A)[0]), None, batch=LEADING)
minors = Primitive("cholesky_info", lambda A, *, upper: leading_minor(A, upper), None, batch=LEADING)
lu_factor_primitive = Primitive(
    "linalg_lu_factor", _lu_factor, _lu_factor_rule, node="LinalgLuFactorExBackward0", multi=True, batch=LEADING
)
lu_primitive = Primitive("linalg_lu", _lu, _lu_rule, multi=True, batch=LEADING)
LUFactorResult = result_type("linalg_lu_factor", "LU pivots")
LUFactorExResult = result_type("linalg_lu_factor_ex", "LU pivots info")
LUResult, LUUnpackResult = result_type("linalg_lu", "P L U"), result_type("lu_unpack", "P L U")


def _check_pivot(name: str, A: Any, pivot: bool) -> None:
    check_matrix(name, A)
    if not pivot:
        raise error(RuntimeError, "bad-mode", f"{name} always exchanges rows: pivot=False is not possible on a CPU")


@op(
    "torch.linalg.lu_factor",
    "linalg.lu_factor(A, *, pivot=True)",
    category=_LINEAR,
    doc="The factors L (below the diagonal) and U of A = P L U in one matrix, with the row exchanges.",
    formula="P L^-H [tril(L^H gL, -1) + triu(gU U^H)] U^-H",
    conventions="pivots count from 1",
    examples=("linalg.lu_factor(tensor([[2., 1.], [4., 4.]])).LU  #> [[4., 4.], [0.5, -1.]]",),
    samples=(sample(Lit(_A)), sample(Lit(_TALL)), sample(Lit(_WIDE))),
)
def lu_factor(A: Any, *, pivot: bool = True) -> Any:
    """Factor (..., m, n); RuntimeError unless a matrix of floats, LinAlgError for a zero pivot of a square matrix."""
    LU, pivots, info = lu_factor_ex(A, pivot=pivot)
    _refuse_zero_pivot("linalg.lu_factor", everything(info))
    return LUFactorResult((LU, pivots))


def _refuse_zero_pivot(name: str, info: Any) -> None:
    if info.any():
        place = tuple(int(i) for i in np.argwhere(info)[0]) if info.ndim else ()
        which = f"batch element {', '.join(map(str, place))}" if place else "the matrix"
        raise error(
            LinAlgError,
            "singular-matrix",
            f"{name}: {which} is singular: pivot {int(info[place])} is zero",
            hint="linalg.lu_factor_ex gives the factors of singular matrices too",
        )


@op(
    "torch.linalg.lu_factor_ex",
    "linalg.lu_factor_ex(A, *, pivot=True, check_errors=False)",
    category=_LINEAR,
    doc="linalg.lu_factor with, for each matrix, 0 or the place (from 1) of the first zero pivot.",
    formula="as of linalg.lu_factor",
    conventions="pivots count from 1",
    examples=("linalg.lu_factor_ex(tensor([[1., 2.], [2., 4.]])).info  #> 2",),
    samples=(sample(Lit(_A)),),
)
def lu_factor_ex(A: Any, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """Factor (..., m, n); RuntimeError unless a matrix of floats, LinAlgError for a zero pivot with
    ``check_errors``.
    """
    _check_pivot("linalg.lu_factor_ex", A, pivot)
    LU, pivots = lu_factor_primitive(A)
    info = _zero_pivots(A) if is_batch(A) else Tensor(_first_zero(raw(LU)))
    if check_errors:
        _refuse_zero_pivot("linalg.lu_factor_ex", everything(info))
    return LUFactorExResult((LU, pivots, info))


@op(
    "torch.linalg.lu",
    "linalg.lu(A, *, pivot=True)",
    category=_LINEAR,
    doc="P, L, U with A = P L U: a permutation, a lower triangle with ones on its diagonal, an upper triangle.",
    formula="P L^-H [tril(L^H gL, -1) + triu(gU U^H)] U^-H",
    examples=("linalg.lu(tensor([[2., 1.], [4., 4.]])).U  #> [[4., 4.], [0., -1.]]",),
    samples=(sample(Lit(_A)), sample(Lit(_TALL)), sample(Lit(_WIDE)), sample(Lit([_A, _A]))),
)
def lu(A: Any, *, pivot: bool = True) -> Any:
    """Factor (..., m, n); RuntimeError unless a matrix of floats."""
    _check_pivot("linalg.lu", A, pivot)
    P, lower, upper = lu_primitive(A)
    return LUResult((P.detach(), lower, upper))


def _lu_unpack(LU_data: Any) -> Any:
    m, n = LU_data.shape[-2:]
    k = min(m, n)
    return np.tril(LU_data[..., :k], -1) + np.eye(m, k, dtype=LU_data.dtype), np.triu(LU_data[..., :k, :])


def _lu_unpack_rule(g: list[Any], out: Any) -> tuple[Any]:
    """Put the triangles of both cotangents together, in the shape of the factored matrix."""
    lower, upper = out
    m, n = shape_of(lower)[-2], shape_of(upper)[-1]
    first = triangle(zeros_like(lower) if g[0] is None else g[0], False, 1)
    second = triangle(zeros_like(upper) if g[1] is None else g[1], True)
    if m < n:
        first = concatenated([first, zeros_like(second[..., m:])], -1)
    if m > n:
        second = concatenated([second, zeros_like(first[..., n:, :])], -2)
    return (first + second,)


lu_unpack_primitive = Primitive("lu_unpack", _lu_unpack, _lu_unpack_rule, multi=True, batch=LEADING)


@op(
    "torch.lu_unpack",
    "lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True)",
    category=_LINEAR,
    doc="P, L, U from the results of linalg.lu_factor.",
    formula="the triangles of g to LU_data",
    examples=("lu_unpack(tensor([[4., 4.], [0.5, -1.]]), tensor([2, 2])).L  #> [[1., 0.], [0.5, 1.]]",),
    samples=(sample(Lit(_A), Lit([1, 2, 3])), sample(Lit(_TALL), Lit([2, 2]))),
)
def lu_unpack(LU_data: Any, LU_pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """Split (..., m, n) and (..., k) into P (..., m, m), L (..., m, k), U (..., k, n); empty where not asked for."""
    check_matrix("lu_unpack", LU_data)
    m = shape_of(LU_data)[-2]
    dtype = element(LU_data)
    P = lower = upper = Tensor(np.zeros(0, dtype))
    if unpack_data:
        lower, upper = lu_unpack_primitive(LU_data)
    if unpack_pivots:
        P = permutation_primitive(as_operand("lu_unpack", LU_pivots), size=m, dtype=dtype)
    return LUUnpackResult((P, lower, upper))

"""Inverses and linear systems, with triangular ones, and powers of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import LinAlgError, error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.ops.common import H, element, everything
from gradcli.ops.matmul import batch_shape
from gradcli.ops.matrix import (
    LEADING,
    as_operand,
    check_float,
    check_same_dtype,
    check_square,
    column,
    constant_like,
    mH,
    mT,
    row,
    shape_of,
    substitute,
    triangle,
)
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_A = [[2.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, 0.25, 2.5]]
_TWO = [[[2.0, 1.0], [0.5, 3.0]], [[1.0, -0.5], [1.0, 2.0]]]


def _inv(A: Any, *, name: str) -> Any:
    return _nan_where_nan(A, guarded(name, np.linalg.inv, A))


def _nan_where_nan(A: Any, out: Any) -> Any:
    """Return ``out`` (..., n, k) with nan for matrices of ``A`` that contain nan, whatever elimination made of it."""
    bad = np.isnan(A).any(axis=(-2, -1), keepdims=True)
    return np.where(bad, out.dtype.type(np.nan), out) if bad.any() else out


def _solve(A: Any, B: Any, *, left: bool, vector: bool, name: str) -> Any:
    right = B[..., None] if vector else B
    if left:
        out = guarded(name, np.linalg.solve, A, right)
    else:
        out = guarded(name, np.linalg.solve, A.swapaxes(-1, -2), right.swapaxes(-1, -2)).swapaxes(-1, -2)
    out = _nan_where_nan(A, out)
    return out[..., 0] if vector else out


def guarded(name: str, function: Callable[..., Any], A: Any, *rest: Any) -> Any:
    """Return ``function(A, ...)``; a singular matrix becomes an error that names the operation and the batch
    element.
    """
    try:
        with np.errstate(all="ignore"):
            return function(A, *rest)
    except np.linalg.LinAlgError:
        raise singular(name, A) from None


def singular(name: str, A: Any) -> Exception:
    """Return the error of a matrix without an inverse among ``A`` (..., n, n)."""
    flat = A.reshape(-1, *A.shape[-2:])
    bad = next((i for i, matrix in enumerate(flat) if _fails(matrix)), 0)
    place = np.unravel_index(bad, A.shape[:-2]) if A.ndim > 2 else ()
    which = f"batch element {', '.join(str(int(i)) for i in place)} is" if A.ndim > 2 else "the matrix is"
    return error(
        LinAlgError,
        "singular-matrix",
        f"{name}: {which} singular, so it has no inverse",
        label="singular matrix",
        hint="linalg.lstsq and linalg.pinv work for singular matrices too",
    )


def _fails(matrix: Any) -> bool:
    try:
        np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return True
    return False


def _solve_rule(
    g: Any, A: Any, out: Any, needs: tuple[bool, ...], left: bool, vector: bool, name: str
) -> tuple[Any, Any]:
    """With X = A^-1 B: the cotangent of B is A^-H g, that of A is minus it times X^H."""
    gB = solve_primitive(mH(A), g, left=left, vector=vector, name=name)
    if not needs[0]:
        return None, gB
    if vector:
        return -(column(gB) * row(H(out))), gB
    return -(gB @ mH(out) if left else mH(out) @ gB), gB


def _triangular(A: Any, B: Any, *, upper: bool, left: bool, unitriangular: bool) -> Any:
    if left:
        return substitute(A, B, upper, unitriangular)
    return substitute(A.swapaxes(-1, -2), B.swapaxes(-1, -2), not upper, unitriangular).swapaxes(-1, -2)


def _triangular_rule(
    g: Any, A: Any, out: Any, needs: tuple[bool, ...], upper: bool, left: bool, unitriangular: bool
) -> tuple[Any, Any]:
    gB = triangular_primitive(mH(A), g, upper=not upper, left=left, unitriangular=unitriangular)
    if not needs[0]:
        return None, gB
    full = gB @ mH(out) if left else mH(out) @ gB
    return -triangle(full, upper, int(unitriangular)), gB


def _solve_samples(primitive: Primitive, size: int, flags: Any, values: Any, params: dict[str, Any]) -> Any:
    """Solve for all samples of a vmap at once: vectors as columns, so that the batches of both operands line up."""
    from gradcli.ops.batching import elementwise

    A, B = values
    if not params["vector"]:
        return elementwise(primitive, size, flags, values, params)
    return elementwise(primitive, size, flags, (A, column(B)), {**params, "vector": False}).squeeze(-1)


inv_primitive = Primitive(
    "linalg_inv", _inv, {"A": lambda g, out: -(mH(out) @ g @ mH(out))}, node="LinalgInvExBackward0", batch=LEADING
)
solve_primitive = Primitive("linalg_solve", _solve, _solve_rule, node="LinalgSolveExBackward0", batch=_solve_samples)
triangular_primitive = Primitive("linalg_solve_triangular", _triangular, _triangular_rule, batch="elementwise")
InvExResult, SolveExResult = result_type("linalg_inv_ex", "inverse info"), result_type("linalg_solve_ex", "result info")
TriangularSolveResult = result_type("triangular_solve", "solution cloned_coefficient")


def inverse(A: Any) -> Any:
    """Return the inverses of square matrices (..., n, n), array or tensor, without checks."""
    return inv_primitive(A, name="linalg.inv")


@op(
    "torch.linalg.inv",
    "linalg.inv(A)",
    names="torch.inverse Tensor.inverse",
    category=_LINEAR,
    doc="The inverse of a square matrix, or of each of a batch.",
    formula="-A^-H g A^-H",
    examples=("linalg.inv(tensor([[2., 0.], [0., 4.]]))  #> [[0.5, 0.], [0., 0.25]]",),
    samples=(sample(Lit(_A)), sample(Lit(_TWO)), sample(T(1, 1, low=1.0)), sample(T(0, 0)), sample(T(0, 2, 2))),
)
def inv(A: Any) -> Any:
    """Return (..., n, n); RuntimeError unless square and floating or complex, LinAlgError for a singular matrix."""
    check_square("linalg.inv", A)
    return inverse(A)


@op(
    "torch.linalg.inv_ex",
    "linalg.inv_ex(A, *, check_errors=False)",
    category=_LINEAR,
    doc="The inverse and, for each matrix, 0 or the place (from 1) of the zero pivot that stopped it.",
    formula="-A^-H g A^-H",
    conventions="a singular matrix is an error only with check_errors=True; its inverse is inf here",
    examples=("linalg.inv_ex(tensor([[1., 2.], [2., 4.]])).info  #> 2",),
    samples=(sample(Lit(_A)), sample(Lit(_TWO))),
)
def inv_ex(A: Any, *, check_errors: bool = False) -> Any:
    """Return the inverse (..., n, n) and info (...) int32; LinAlgError for a singular matrix with ``check_errors``."""
    from gradcli.ops.factorizations import zero_pivots

    check_square("linalg.inv_ex", A)
    info = zero_pivots(A)
    if check_errors or not everything(info).any():
        return InvExResult((inv_primitive(A, name="linalg.inv_ex"), info))
    bad = column(column(info != 0))
    eye = constant_like(A, np.eye(shape_of(A)[-1], dtype=element(A)))
    return InvExResult((inverse(eye.where(bad, A)).masked_fill(bad, float("inf")), info))


def _is_vector(A: Any, B: Any) -> bool:
    """Return whether B is a vector or batch of vectors: one dimension, or the batch of A and one more."""
    return bool(B.ndim == 1 or (B.ndim == A.ndim - 1 and shape_of(B) == shape_of(A)[:-1]))


def check_system(name: str, A: Any, B: Any, left: bool = True) -> bool:
    """Check the operands of a system; return whether B is a vector. RuntimeError where shapes or dtypes do not fit."""
    check_square(name, A)
    as_operand(name, B)
    check_same_dtype(name, A, B)
    n = shape_of(A)[-1]
    if not B.ndim:
        raise error(RuntimeError, "wrong-ndim", f"{name} needs a right-hand side of at least one dimension")
    vector = _is_vector(A, B)
    if vector and not left:
        raise error(RuntimeError, "shape-mismatch", f"{name} with left=False needs a matrix B, got shape {shape_of(B)}")
    rows = shape_of(B)[-1] if vector or not left else shape_of(B)[-2]
    if rows != n:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: A is {n} by {n}, but B of shape {shape_of(B)} has {rows} {'rows' if left else 'columns'}",
            label=f"{shape_of(A)} against {shape_of(B)}",
        )
    if not vector:
        batch_shape(name, A, B)
    return vector


@op(
    "torch.linalg.solve",
    "linalg.solve(A, B, *, left=True)",
    category=_LINEAR,
    doc="The solution X of A X = B, or of X A = B with left=False; B may be a vector or have a batch of its own.",
    formula="gB = A^-H g to B, -gB X^H to A",
    examples=("linalg.solve(tensor([[2., 0.], [0., 4.]]), tensor([2., 4.]))  #> [1., 1.]",),
    samples=(
        sample(Lit(_A), T(3)),
        sample(Lit(_A), T(3, 2)),
        sample(Lit(_TWO), T(2, 2)),
        sample(Lit(_TWO), T(2)),
        sample(Lit(_TWO), T(2, 2, 1)),
        sample(Lit(_A), T(2, 3), left=False),
        sample(Lit(_A), T(2, 3, 1)),
    ),
)
def solve(A: Any, B: Any, *, left: bool = True) -> Any:
    """Solve with (..., n, n); RuntimeError where shapes or dtypes do not fit, LinAlgError for a singular matrix."""
    vector = check_system("linalg.solve", A, B, left)
    return solve_primitive(A, B, left=left, vector=vector, name="linalg.solve")


@op(
    "torch.linalg.solve_ex",
    "linalg.solve_ex(A, B, *, left=True, check_errors=False)",
    category=_LINEAR,
    doc="The solution of A X = B and, for each matrix, 0 or the place (from 1) of the zero pivot that stopped it.",
    formula="gB = A^-H g to B, -gB X^H to A",
    conventions="a singular matrix is an error only with check_errors=True; its solution is inf here",
    examples=("linalg.solve_ex(tensor([[2., 0.], [0., 4.]]), tensor([2., 4.])).result  #> [1., 1.]",),
    samples=(sample(Lit(_A), T(3)), sample(Lit(_A), T(3, 2))),
)
def solve_ex(A: Any, B: Any, *, left: bool = True, check_errors: bool = False) -> Any:
    """Return the solution and info (...) int32; LinAlgError for a singular matrix with ``check_errors``."""
    from gradcli.ops.factorizations import zero_pivots

    vector = check_system("linalg.solve_ex", A, B, left)
    info = zero_pivots(A)
    if check_errors or not everything(info).any():
        return SolveExResult((solve_primitive(A, B, left=left, vector=vector, name="linalg.solve_ex"), info))
    bad = column(column(info != 0))
    eye = constant_like(A, np.eye(shape_of(A)[-1], dtype=element(A)))
    made = solve_primitive(eye.where(bad, A), B, left=left, vector=vector, name="linalg.solve_ex")
    return SolveExResult((made.masked_fill(bad.squeeze(-1) if vector else bad, float("inf")), info))


@op(
    "torch.linalg.solve_triangular",
    "linalg.solve_triangular(A, B, *, upper, left=True, unitriangular=False)",
    category=_LINEAR,
    doc="The solution X of A X = B, or of X A = B with left=False, where A is triangular; the other triangle is not "
    "read.",
    formula="gB = A^-H g to B, the triangle of -gB X^H to A",
    conventions="a zero on the diagonal is no error: it gives inf or nan; with unitriangular=True the diagonal counts "
    "as 1",
    examples=(
        "linalg.solve_triangular(tensor([[2., 1.], [0., 4.]]), tensor([[3.], [4.]]), upper=True)  #> [[1.], [1.]]",
    ),
    samples=(
        sample(Lit(_A), T(3, 2), upper=True),
        sample(Lit(_A), T(3, 2), upper=False),
        sample(Lit(_TWO), T(2, 1), upper=True),
        sample(Lit(_A), T(2, 3), upper=True, left=False),
        sample(Lit(_A), T(3, 1), upper=False, unitriangular=True),
    ),
)
def solve_triangular(A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """Solve with (..., n, n) and (..., n, k); batches broadcast. RuntimeError where shapes or dtypes do not fit."""
    name = "linalg.solve_triangular"
    check_square(name, A)
    check_float(name, as_operand(name, B))
    check_same_dtype(name, A, B)
    n = shape_of(A)[-1]
    if B.ndim < 2 or shape_of(B)[-2 if left else -1] != n:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: A is {n} by {n}, B has shape {shape_of(B)}",
            hint="B is a matrix or a batch of them: unsqueeze(-1) makes a column of a vector",
        )
    batch_shape(name, A, B)
    return triangular_primitive(A, B, upper=bool(upper), left=bool(left), unitriangular=bool(unitriangular))


@op(
    "torch.triangular_solve",
    "triangular_solve(input, A, upper=True, transpose=False, unitriangular=False)",
    names="Tensor.triangular_solve",
    category=_LINEAR,
    doc="The solution X of A X = input (of A^T X = input with transpose=True) for triangular A, with a copy of A.",
    formula="as of linalg.solve_triangular",
    examples=("triangular_solve(tensor([[3.], [4.]]), tensor([[2., 1.], [0., 4.]])).solution  #> [[1.], [1.]]",),
    samples=(sample(T(3, 2), Lit(_A)), sample(T(3, 2), Lit(_A), upper=False, transpose=True)),
)
def triangular_solve(
    input: Any, A: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """Solve with A (..., n, n) and input (..., n, k); RuntimeError where shapes or dtypes do not fit."""
    as_operand("triangular_solve", A)
    matrix = mT(A) if transpose else A
    solution = solve_triangular(matrix, input, upper=upper != transpose, unitriangular=unitriangular)
    return TriangularSolveResult((solution, A.clone()))

"""Decompositions: Cholesky, QR, eigenvalues and eigenvectors.

The rules are those of the differentials of the defining equations (A = L L^H, A = Q R, A V = V diag(L)), as in Giles
(2008), "Collected matrix derivative results", and in Walter and Lehmann (2018) for QR, for batches and complex numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import LinAlgError, error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, element, everything
from gradcli.ops.linalg import solve_primitive, triangular_primitive
from gradcli.ops.matrix import (
    LEADING,
    check_matrix,
    check_square,
    column,
    concatenated,
    diagonal,
    filled_diagonal,
    gaps_between,
    is_complex,
    mH,
    on_diagonal,
    row,
    shape_of,
    triangle,
)
from gradcli.ops.row import Lit, op, sample

_LINEAR = "linear algebra"
PHASE_TOLERANCE = 1e-2  # PyTorch's
_SPD = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.5]]
_SPD2 = [[[2.0, 0.5], [0.5, 1.0]], [[3.0, -1.0], [-1.0, 2.0]]]
_TALL = [[1.0, 2.0], [0.5, -1.0], [1.5, 0.25]]
_WIDE = [[1.0, 2.0, -0.5], [0.5, -1.0, 2.0]]
_GENERAL = [[2.0, 1.0, 0.0], [0.5, -1.0, 0.25], [0.0, 1.0, 3.5]]


# -- Cholesky ---------------------------------------------------------------------------------------------------------
def _cholesky(A: Any, *, upper: bool, name: str) -> Any:
    try:
        return np.linalg.cholesky(A, upper=upper)
    except np.linalg.LinAlgError:
        raise not_positive(name, A, upper) from None


def not_positive(name: str, A: Any, upper: bool) -> Exception:
    """Return the error of a matrix of ``A`` (..., n, n) that is not positive definite."""
    from gradcli.ops.factorizations import leading_minor

    info = leading_minor(A, upper)
    place = tuple(int(i) for i in np.argwhere(info)[0]) if A.ndim > 2 else ()
    which = f"batch element {', '.join(map(str, place))}" if place else "the matrix"
    return error(
        LinAlgError,
        "not-positive-definite",
        f"{name}: {which} is not positive definite: its leading minor of order {int(info[place])} is not positive",
        label="not positive definite",
        hint="adding a small multiple of the identity to a nearly singular matrix helps",
    )


def _cholesky_rule(g: Any, out: Any, upper: bool) -> Any:
    lower, gL = (mH(out), mH(g)) if upper else (out, g)
    inner = triangle(mH(lower) @ triangle(gL, False), False)
    middle = (inner + mH(triangle(inner, False, 1))) * 0.5
    flags = {"upper": True, "unitriangular": False}
    half = triangular_primitive(mH(lower), middle, left=True, **flags)
    return triangular_primitive(lower, half, left=False, upper=False, unitriangular=False)


cholesky_primitive = Primitive(
    "linalg_cholesky", _cholesky, {"A": _cholesky_rule}, node="LinalgCholeskyExBackward0", batch=LEADING
)
old_cholesky_primitive = Primitive("cholesky", _cholesky, {"A": _cholesky_rule}, batch=LEADING)
CholeskyExResult = result_type("linalg_cholesky_ex", "L info")


@op(
    "torch.linalg.cholesky",
    "linalg.cholesky(A, *, upper=False)",
    category=_LINEAR,
    doc="The lower triangular L with A = L L^H (or the upper U with A = U^H U) of a positive definite matrix.",
    formula="L^-H P L^-1 with P the lower triangle of L^H g, half of it mirrored",
    conventions="one triangle of A is read; the gradient is symmetric",
    examples=("linalg.cholesky(tensor([[4., 2.], [2., 2.]]))  #> [[2., 0.], [1., 1.]]",),
    samples=(sample(Lit(_SPD), smooth=False), sample(Lit(_SPD2), upper=True, smooth=False)),
)
def cholesky(A: Any, *, upper: bool = False) -> Any:
    """Factor (..., n, n); RuntimeError unless square and floating, LinAlgError where not positive definite."""
    check_square("linalg.cholesky", A)
    return cholesky_primitive(A, upper=bool(upper), name="linalg.cholesky")


@op(
    "torch.cholesky",
    "cholesky(input, upper=False)",
    names="Tensor.cholesky",
    category=_LINEAR,
    doc="The older spelling of linalg.cholesky.",
    formula="as of linalg.cholesky",
    examples=("cholesky(tensor([[4., 2.], [2., 2.]]))  #> [[2., 0.], [1., 1.]]",),
    samples=(sample(Lit(_SPD), smooth=False),),
)
def old_cholesky(input: Any, upper: bool = False) -> Any:
    """Factor (..., n, n); RuntimeError unless square and floating, LinAlgError where not positive definite."""
    check_square("cholesky", input)
    return old_cholesky_primitive(input, upper=bool(upper), name="cholesky")


@op(
    "torch.linalg.cholesky_ex",
    "linalg.cholesky_ex(A, *, upper=False, check_errors=False)",
    category=_LINEAR,
    doc="The Cholesky factor and, for each matrix, 0 or the order of the leading minor that is not positive.",
    formula="as of linalg.cholesky",
    conventions="a matrix that is not positive definite is an error only with check_errors=True; its factor is nan "
    "here",
    examples=("linalg.cholesky_ex(tensor([[1., 2.], [2., 1.]])).info  #> 2",),
    samples=(sample(Lit(_SPD), smooth=False),),
)
def cholesky_ex(A: Any, *, upper: bool = False, check_errors: bool = False) -> Any:
    """Return L (..., n, n) and info (...) int32; LinAlgError where not positive definite with ``check_errors``."""
    from gradcli.ops.factorizations import minors

    check_square("linalg.cholesky_ex", A)
    info = minors(A, upper=bool(upper))
    if check_errors or not everything(info).any():
        return CholeskyExResult((cholesky_primitive(A, upper=bool(upper), name="linalg.cholesky_ex"), info))
    bad = column(column(info != 0))
    eye = Tensor(np.eye(shape_of(A)[-1], dtype=element(A)))
    made = cholesky_primitive(eye.where(bad, A), upper=bool(upper), name="linalg.cholesky_ex")
    return CholeskyExResult((made.masked_fill(bad, float("nan")), info))


# -- QR ---------------------------------------------------------------------------------------------------------------
def _qr(A: Any, *, mode: str) -> Any:
    if mode == "r":
        return np.zeros(0, A.dtype), np.linalg.qr(A, "r")
    return tuple(np.linalg.qr(A, mode))  # type: ignore[call-overload]


def _qr_rule(g: list[Any], A: Any, out: Any, mode: str) -> tuple[Any]:
    m, n = shape_of(A)[-2:]
    if mode == "r":
        raise error(
            RuntimeError,
            "no-derivative",
            "the derivative of linalg.qr with mode='r' needs Q, which was not computed",
            hint="mode='reduced' has a derivative",
        )
    if mode == "complete" and m > n:
        raise error(
            RuntimeError,
            "no-derivative",
            f"linalg.qr with mode='complete' of a tall matrix ({m} by {n}) has no derivative: the last {m - n} "
            "columns of Q "
            "are arbitrary",
            hint="mode='reduced' has one",
        )
    (gQ, gR), (Q, R) = g, out
    if m >= n:
        return (_square_qr_rule(gQ, gR, Q, R),)
    left = None if gR is None else gR[..., :m]
    right = None if gR is None else gR[..., m:]
    if right is not None:
        extra = A[..., m:] @ mH(right)
        gQ = extra if gQ is None else gQ + extra
    first = _square_qr_rule(gQ, left, Q, R[..., :m])
    second = A[..., m:] * 0 if right is None else Q @ right
    return (concatenated([first, second], -1),)


def _square_qr_rule(gQ: Any, gR: Any, Q: Any, R: Any) -> Any:
    """Return [gQ + Q sym(triu(gR R^H - Q^H gQ))] R^-H, where sym mirrors a triangle and halves nothing but the
    diagonal.
    """
    inner = 0.0
    if gR is not None:
        inner = gR @ mH(R)
    if gQ is not None:
        inner = inner - mH(Q) @ gQ
    upper = triangle(inner, True)
    mirrored = upper + mH(triangle(inner, True, 1))
    if is_complex(Q):
        mirrored = mirrored - on_diagonal((diagonal(inner) - H(diagonal(inner))) * 0.5)
    made = Q @ mirrored if gQ is None else gQ + Q @ mirrored
    return triangular_primitive(mH(R), made, upper=False, left=False, unitriangular=False)


qr_primitive = Primitive("linalg_qr", _qr, _qr_rule, multi=True, batch=LEADING)
QRResult = result_type("linalg_qr", "Q R")


@op(
    "torch.linalg.qr",
    "linalg.qr(A, mode='reduced')",
    names="torch.qr Tensor.qr",
    category=_LINEAR,
    doc="Q with orthonormal columns and upper triangular R with A = Q R.",
    formula="[gQ + Q sym(triu(gR R^H - Q^H gQ))] R^-H",
    conventions="signs are LAPACK's: the diagonal of R may be negative; mode='r' and a tall mode='complete' have no "
    "derivative",
    examples=("linalg.qr(tensor([[3., 1.], [4., 2.]])).R.abs()  #> [[5., 2.2], [0., 0.4]]",),
    samples=(
        sample(Lit(_TALL)),
        sample(Lit(_WIDE)),
        sample(Lit(_GENERAL)),
        sample(Lit(_SPD2)),
        sample(Lit(_GENERAL), "complete"),
    ),
)
def qr(A: Any, mode: Any = "reduced") -> Any:
    """Factor (..., m, n); RuntimeError unless a matrix of floats and a mode of 'reduced', 'complete', 'r'."""
    check_matrix("linalg.qr", A)
    mode = {True: "reduced", False: "complete"}.get(mode, mode) if isinstance(mode, bool) else mode
    if mode not in ("reduced", "complete", "r"):
        raise error(
            RuntimeError, "bad-mode", f"linalg.qr has no mode {mode!r}", hint="modes: 'reduced', 'complete', 'r'"
        )
    return QRResult(qr_primitive(A, mode=mode))


# -- eigenvalues ------------------------------------------------------------------------------------------------------
def _eigh(A: Any, *, UPLO: Any, name: str) -> Any:
    """Return values and vectors; those of a matrix with nan or inf are nan, for which LAPACK has no defined answer."""
    bad = ~np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    if not bad.any():
        return converging(name, lambda a: tuple(np.linalg.eigh(a, UPLO)), A)
    values, vectors = np.linalg.eigh(np.where(bad, np.eye(A.shape[-1], dtype=A.dtype), A))
    return np.where(bad[..., 0], np.nan, values), np.where(bad, np.nan, vectors)


def converging(name: str, function: Any, A: Any) -> Any:
    """Return ``function(A)``; nan or inf, for which LAPACK does not converge, become an error that says so."""
    try:
        return function(A)
    except np.linalg.LinAlgError:
        why = "it contains nan or inf" if not np.isfinite(A).all() else "the iteration did not converge"
        raise error(LinAlgError, "no-convergence", f"{name} failed for a matrix of shape {A.shape}: {why}") from None


def _eigh_rule(g: list[Any], out: Any) -> tuple[Any]:
    """Return V (diag(gL) + skew(V^H gV) / E) V^H with E_ij = L_j - L_i: nan for vectors of equal eigenvalues, not for
    values.
    """
    (gL, gV), (values, V) = g, out
    if gV is None:
        return ((V * row(gL)) @ mH(V),)
    inner = mH(V) @ gV
    _check_gauge("linalg.eigh", diagonal(inner))
    gaps = filled_diagonal(gaps_between(values), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = filled_diagonal((inner - mH(inner)) * 0.5 / gaps, 0.0)
    if gL is not None:
        middle = middle + on_diagonal(gL)
    return (V @ middle @ mH(V),)


def _check_gauge(name: str, phases: Any) -> None:
    """Raise RuntimeError where a loss depends on the phase of complex vectors, which the decomposition leaves open."""
    array = everything(phases)
    if array.dtype.kind == "c" and not np.allclose(array.imag, 0, atol=PHASE_TOLERANCE):
        raise error(
            RuntimeError,
            "phase-dependent",
            f"{name}: complex vectors are defined up to a factor e^(i phi), and this result depends on that factor, "
            "so it "
            "has no derivative",
            hint="use a quantity without it, such as v * v.conj() or abs(v)",
        )


def _eig(A: Any) -> Any:
    values, vectors = converging("linalg.eig", np.linalg.eig, A)
    kind = np.result_type(A.dtype, np.complex64)
    return values.astype(kind), vectors.astype(kind)


def _eig_rule(g: list[Any], out: Any) -> tuple[Any]:
    """Return V^-H (diag(gL) + (V^H gV - V^H V diag(Re V^H gV)) / conj(E)) V^H with E_ij = L_j - L_i."""
    (gL, gV), (values, V) = g, out
    middle = None if gL is None else on_diagonal(gL)
    if gV is not None:
        inner = mH(V) @ gV
        phases = diagonal(inner)
        _check_gauge("linalg.eig", phases)
        gaps = filled_diagonal(H(gaps_between(values)), 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            turned = filled_diagonal((inner - (mH(V) @ V) * row((phases + H(phases)) * 0.5)) / gaps, 0.0)
        middle = turned if middle is None else middle + turned
    return (solve_primitive(mH(V), middle @ mH(V), left=True, vector=False, name="linalg.eig"),)


eigh_primitive = Primitive("linalg_eigh", _eigh, _eigh_rule, multi=True, batch=LEADING)
eig_primitive = Primitive("linalg_eig", _eig, _eig_rule, multi=True, batch=LEADING)
EighResult = result_type("linalg_eigh", "eigenvalues eigenvectors")
EigResult = result_type("linalg_eig", "eigenvalues eigenvectors")


def _hermitian(name: str, A: Any, UPLO: str) -> Any:
    check_square(name, A)
    if str(UPLO).upper() not in ("L", "U"):
        raise error(RuntimeError, "bad-mode", f"{name}: UPLO is 'L' or 'U', got {UPLO!r}")
    return eigh_primitive(A, UPLO=UPLO.upper(), name=name)


@op(
    "torch.linalg.eigh",
    "linalg.eigh(A, UPLO='L')",
    category=_LINEAR,
    doc="Eigenvalues, rising, and orthonormal eigenvectors (columns) of a symmetric or Hermitian matrix.",
    formula="V (diag(gL) + skew(V^H gV) / E) V^H with E_ij = L_j - L_i",
    conventions="one triangle is read, the gradient is symmetric; vectors are defined up to a sign, and of equal "
    "eigenvalues their "
    "gradient is nan; the gradient of the eigenvalues alone stays finite",
    examples=("linalg.eigh(tensor([[2., 1.], [1., 2.]])).eigenvalues  #> [1., 3.]",),
    samples=(sample(Lit(_SPD), smooth=False), sample(Lit(_SPD2), "U", smooth=False)),
)
def eigh(A: Any, UPLO: str = "L") -> Any:
    """Return (..., n) and (..., n, n); RuntimeError unless square and floating, LinAlgError for nan or inf."""
    return EighResult(_hermitian("linalg.eigh", A, UPLO))


@op(
    "torch.linalg.eigvalsh",
    "linalg.eigvalsh(A, UPLO='L')",
    category=_LINEAR,
    doc="Eigenvalues, rising, of a symmetric or Hermitian matrix.",
    formula="V diag(g) V^H",
    conventions="one triangle is read, the gradient is symmetric; finite for equal eigenvalues too",
    examples=("linalg.eigvalsh(tensor([[2., 1.], [1., 2.]]))  #> [1., 3.]",),
    samples=(sample(Lit(_SPD), smooth=False), sample(Lit(_SPD2), "U", smooth=False)),
)
def eigvalsh(A: Any, UPLO: str = "L") -> Any:
    """Return (..., n); RuntimeError unless square and floating, LinAlgError for nan or inf."""
    return _hermitian("linalg.eigvalsh", A, UPLO)[0]


@op(
    "torch.linalg.eig",
    "linalg.eig(A)",
    category=_LINEAR,
    doc="Complex eigenvalues and eigenvectors (columns of length 1) of a square matrix, in LAPACK's order.",
    formula="V^-H (diag(gL) + (V^H gV - V^H V diag(Re V^H gV)) / conj(E)) V^H with E_ij = L_j - L_i",
    conventions="always complex; nan or inf for the vectors of equal eigenvalues",
    examples=("linalg.eig(tensor([[2., 0.], [0., 3.]])).eigenvalues.real  #> [2., 3.]",),
    samples=(sample(Lit(_GENERAL)),),
)
def eig(A: Any) -> Any:
    """Return (..., n) and (..., n, n), complex; RuntimeError unless square and floating, LinAlgError for nan or inf."""
    check_square("linalg.eig", A)
    return EigResult(eig_primitive(A))


@op(
    "torch.linalg.eigvals",
    "linalg.eigvals(A)",
    category=_LINEAR,
    doc="Complex eigenvalues of a square matrix, in LAPACK's order.",
    formula="V^-H diag(g) V^H",
    conventions="always complex",
    examples=("linalg.eigvals(tensor([[2., 0.], [0., 3.]])).real  #> [2., 3.]",),
    samples=(sample(Lit(_GENERAL)), sample(Lit([[0.0, 1.0], [-2.0, 0.5]]))),
)
def eigvals(A: Any) -> Any:
    """Return (..., n), complex; RuntimeError unless square and floating, LinAlgError for nan or inf."""
    check_square("linalg.eigvals", A)
    return eig_primitive(A)[0]

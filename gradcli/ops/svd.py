"""Singular values and vectors, and what is defined by them: rank, pseudoinverse, least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, everything, raw
from gradcli.ops.decompositions import PHASE_TOLERANCE, converging
from gradcli.ops.matmul import batch_shape
from gradcli.ops.matrix import (
    LEADING,
    as_operand,
    check_matrix,
    check_same_dtype,
    check_square,
    column,
    diagonal,
    filled_diagonal,
    gaps_between,
    is_complex,
    mH,
    on_diagonal,
    row,
    shape_of,
)
from gradcli.ops.row import Lit, op, sample

_LINEAR = "linear algebra"
_TALL = [[1.0, 2.0], [0.5, -1.0], [1.5, 0.25]]
_WIDE = [[1.0, 2.0, -0.5], [0.5, -1.0, 2.0]]
_TWO = [[[2.0, 1.0], [0.5, 3.0]], [[1.0, -0.5], [1.0, 2.0]]]


def _svd(A: Any, *, full_matrices: bool, name: str) -> Any:
    return converging(name, lambda a: tuple(np.linalg.svd(a, full_matrices)), A)


def _svd_rule(g: list[Any], A: Any, out: Any) -> tuple[Any]:
    """Return U [(skew(U^H gU) / E) S + S (skew(V^H gV) / E) + diag(gS)] V^H and the parts outside the spaces of U and
    V.
    """
    (gU, gS, gVh), (U, S, Vh) = g, out
    k = shape_of(S)[-1]
    m, n = shape_of(A)[-2:]
    U, Vh = _first_columns(U, k), _first_rows(Vh, k)
    if gU is None and gVh is None:
        return ((U * row(gS)) @ Vh,)
    gU = None if gU is None else _first_columns(gU, k)
    gVh = None if gVh is None else _first_rows(gVh, k)
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = _inner(U, S, Vh, gU, gVh)
        if gS is not None:
            inner = inner + on_diagonal(gS)
        made = U @ inner @ Vh
        if gU is not None and m > k:
            scaled = gU / row(S)
            made = made + (scaled - U @ (mH(U) @ scaled)) @ Vh
        if gVh is not None and n > k:
            scaled = gVh / column(S)
            made = made + U @ (scaled - (scaled @ mH(Vh)) @ Vh)
    return (made,)


def _inner(U: Any, S: Any, Vh: Any, gU: Any, gVh: Any) -> Any:
    """Return the part of the gradient through the vectors, in the basis of the vectors."""
    gaps = filled_diagonal(gaps_between(S) * (row(S) + column(S)), 1.0)
    left = None if gU is None else mH(U) @ gU
    right = None if gVh is None else Vh @ mH(gVh)
    made: Any = 0.0
    if left is not None:
        made = (left - mH(left)) / gaps * row(S)
    if right is not None:
        made = made + column(S) * ((right - mH(right)) / gaps)
    if is_complex(U):
        made = made + _phases(left, right, S)
    return made


def _phases(left: Any, right: Any, S: Any) -> Any:
    """Return what the phases of complex vectors add; RuntimeError where the loss depends on the phase that is
    arbitrary.
    """
    turn = [diagonal(x) - H(diagonal(x)) for x in (left, right) if x is not None]
    total = everything(turn[0]) + (everything(turn[1]) if len(turn) == 2 else 0)
    if not np.allclose(total.imag, 0, atol=PHASE_TOLERANCE):
        raise error(
            RuntimeError,
            "phase-dependent",
            "linalg.svd: complex singular vectors are defined up to a factor e^(i phi), and "
            "this result depends on that factor, so it has no derivative",
        )
    return on_diagonal(turn[0] / (S * 2)) if len(turn) == 2 else 0.0


def _first_columns(x: Any, k: int) -> Any:
    return x if shape_of(x)[-1] == k else x[..., :k]


def _first_rows(x: Any, k: int) -> Any:
    return x if shape_of(x)[-2] == k else x[..., :k, :]


svd_primitive = Primitive("linalg_svd", _svd, _svd_rule, multi=True, batch=LEADING)
SVDResult = result_type("linalg_svd", "U S Vh")
OldSVDResult = result_type("svd", "U S V")
LstsqResult = result_type("linalg_lstsq", "solution residuals rank singular_values")


@op(
    "torch.linalg.svd",
    "linalg.svd(A, full_matrices=True)",
    category=_LINEAR,
    doc="U, S, Vh with A = U diag(S) Vh: singular vectors (columns of U, rows of Vh) and falling singular values.",
    formula="U [(skew(U^H gU) / E) S + S (skew(V^H gV) / E) + diag(gS)] V^H with E_ij = S_j^2 - S_i^2, and the parts "
    "of gU, gV "
    "outside the spaces of U, V divided by S",
    conventions="vectors are defined up to a common sign; of equal singular values their gradient is nan, that of the "
    "values alone "
    "stays finite; with full_matrices the gradient of the completing columns is dropped, as in PyTorch",
    examples=("linalg.svd(tensor([[3., 0.], [0., 4.]])).S  #> [4., 3.]",),
    samples=(sample(Lit(_TALL), full_matrices=False), sample(Lit(_WIDE), full_matrices=False), sample(Lit(_TWO))),
)
def svd(A: Any, full_matrices: bool = True) -> Any:
    """Decompose (..., m, n); RuntimeError unless a matrix of floats, LinAlgError for nan or inf."""
    check_matrix("linalg.svd", A)
    return SVDResult(svd_primitive(A, full_matrices=bool(full_matrices), name="linalg.svd"))


@op(
    "torch.svd",
    "svd(input, some=True, compute_uv=True)",
    names="Tensor.svd",
    category=_LINEAR,
    doc="The older spelling of linalg.svd: U, S, V with input = U diag(S) V^H.",
    formula="as of linalg.svd",
    examples=("svd(tensor([[3., 0.], [0., 4.]])).S  #> [4., 3.]",),
    samples=(sample(Lit(_TALL)), sample(Lit(_TWO))),
)
def old_svd(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """Decompose (..., m, n); with ``compute_uv=False`` U and V are zeros, as in PyTorch."""
    check_matrix("svd", input)
    U, S, Vh = svd_primitive(input, full_matrices=not (some and compute_uv), name="svd")
    if not compute_uv:
        return OldSVDResult((Tensor(np.zeros_like(U._array)), S, Tensor(np.zeros_like(Vh._array))))
    return OldSVDResult((U, S, mH(Vh)))


@op(
    "torch.linalg.svdvals",
    "linalg.svdvals(A)",
    category=_LINEAR,
    doc="The singular values of a matrix, falling.",
    formula="U diag(g) V^H",
    conventions="finite for equal values too",
    examples=("linalg.svdvals(tensor([[3., 0.], [0., 4.]]))  #> [4., 3.]",),
    samples=(sample(Lit(_TALL)), sample(Lit(_WIDE)), sample(Lit(_TWO))),
)
def svdvals(A: Any) -> Any:
    """Return (..., min(m, n)) of (..., m, n); RuntimeError unless a matrix of floats, LinAlgError for nan or inf."""
    check_matrix("linalg.svdvals", A)
    return svd_primitive(A, full_matrices=False, name="linalg.svdvals")[1]


# -- rank and pseudoinverse -------------------------------------------------------------------------------------------
def threshold(s: Any, shape: tuple[int, ...], atol: Any, rtol: Any) -> Any:
    """Return below what singular values count as zero: max(atol, rtol * largest); rtol is eps * max(m, n) unless
    given.
    """
    if rtol is None:
        rtol = np.finfo(s.dtype).eps * max(shape[-2:]) if atol is None or not np.any(raw(atol)) else 0.0
    largest = s.max(axis=-1, keepdims=True) if s.shape[-1] else np.zeros((*s.shape[:-1], 1), s.dtype)
    absolute, relative = (np.asarray(0.0 if x is None else raw(x))[..., None] for x in (atol, rtol))
    return np.maximum(absolute, relative * largest)


def _pinv(A: Any, *, atol: Any, rtol: Any, hermitian: bool) -> Any:
    if hermitian:
        s, u = converging("linalg.pinv", np.linalg.eigh, A)
        vh, size = np.conj(u).swapaxes(-1, -2), abs(s)
    else:
        u, s, vh = converging("linalg.pinv", lambda a: np.linalg.svd(a, full_matrices=False), A)
        size = s
    kept = size > threshold(size, A.shape, atol, rtol)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype, copy=False)
    return np.conj(vh).swapaxes(-1, -2) @ (inverse[..., None] * np.conj(u).swapaxes(-1, -2))


def _pinv_rule(g: Any, A: Any, out: Any) -> Any:
    """Return the transposed differential of P = A^+ at constant rank (Golub, Pereyra 1973), for A of any shape."""
    P, Ph, gh = out, mH(out), mH(g)
    made = -(Ph @ g @ Ph)
    wide = gh @ P @ Ph
    tall = Ph @ P @ gh
    return made + (wide - A @ (P @ wide)) + (tall - (tall @ P) @ A)


pinv_primitive = Primitive("linalg_pinv", _pinv, {"A": _pinv_rule}, batch=LEADING)


@op(
    "torch.linalg.pinv",
    "linalg.pinv(A, *, atol=None, rtol=None, hermitian=False)",
    names="torch.pinverse Tensor.pinverse",
    category=_LINEAR,
    doc="The pseudoinverse (Moore-Penrose) of a matrix of any shape and rank.",
    formula="-P^H g P^H + (I - A P) g^H P P^H + P^H P g^H (I - P A)",
    conventions="singular values up to max(atol, rtol * largest) count as zero; the gradient is that at constant rank",
    examples=("linalg.pinv(tensor([[2., 0.], [0., 0.]]))  #> [[0.5, 0.], [0., 0.]]",),
    samples=(sample(Lit(_TALL)), sample(Lit(_WIDE)), sample(Lit(_TWO))),
)
def pinv(A: Any, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """Return (..., n, m) of (..., m, n); RuntimeError unless a matrix of floats, LinAlgError for nan or inf."""
    (check_square if hermitian else check_matrix)("linalg.pinv", A)
    return pinv_primitive(A, atol=raw(atol), rtol=raw(rcond if rtol is None else rtol), hermitian=bool(hermitian))


@op(
    "torch.linalg.matrix_rank",
    "linalg.matrix_rank(A, *, atol=None, rtol=None, hermitian=False)",
    category=_LINEAR,
    doc="The number of singular values above max(atol, rtol * largest).",
    examples=("linalg.matrix_rank(tensor([[1., 2.], [2., 4.]]))  #> 1",),
    samples=(sample(Lit(_TALL)), sample(Lit(_TWO))),
)
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """Return (...) int64 of (..., m, n); RuntimeError unless a matrix of floats, LinAlgError for nan or inf."""
    (check_square if hermitian else check_matrix)("linalg.matrix_rank", A)
    limits = {
        "atol": raw(tol if atol is None else atol),
        "rtol": 0.0 if tol is not None and rtol is None else raw(rtol),
    }
    return _rank(A, **limits, hermitian=bool(hermitian))


def _rank_of(A: Any, *, atol: Any, rtol: Any, hermitian: bool) -> Any:
    if hermitian:
        s = abs(converging("linalg.matrix_rank", np.linalg.eigvalsh, A))
    else:
        s = converging("linalg.matrix_rank", lambda a: np.linalg.svd(a, compute_uv=False), A)
    return np.asarray((s > threshold(s, A.shape, atol, rtol)).sum(axis=-1), dtype=np.int64)


_rank = Primitive("linalg_matrix_rank", _rank_of, None, batch=LEADING)


# -- least squares ----------------------------------------------------------------------------------------------------
def _lstsq(A: Any, B: Any, *, rcond: Any, driver: str) -> Any:
    m, n = A.shape[-2:]
    u, s, vh = converging("linalg.lstsq", lambda a: np.linalg.svd(a, full_matrices=False), A)
    relative = np.finfo(s.dtype).eps * max(m, n) if rcond is None else rcond
    kept = s > threshold(s, A.shape, None, relative)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype, copy=False)
    X = np.conj(vh).swapaxes(-1, -2) @ (inverse[..., None] * (np.conj(u).swapaxes(-1, -2) @ B))
    rank = np.asarray(kept.sum(axis=-1), dtype=np.int64)
    if m > n and (driver == "gels" or (driver != "gelsy" and (rank == n).all())):
        residuals = (abs(A @ X - B) ** 2).sum(axis=-2)
    else:
        residuals = np.zeros(0, s.dtype)
    none = driver in ("gels", "gelsy")
    return X, residuals, np.zeros(0, np.int64) if driver == "gels" else rank, np.zeros(0, s.dtype) if none else s


def _lstsq_rule(g: list[Any], A: Any, B: Any, out: Any) -> tuple[Any, Any]:
    """The solution is A^+ B: its cotangent passes through the pseudoinverse; the residuals add theirs."""
    gX, gR = g[0], g[1]
    gA = gB = None
    if gX is not None:
        P = pinv_primitive(A, atol=None, rtol=None, hermitian=False)
        gA, gB = _pinv_rule(gX @ mH(B), A, P), mH(P) @ gX
    if gR is not None and shape_of(gR)[-1:] == shape_of(B)[-1:]:
        weighed = (A @ out[0] - B) * row(gR) * 2
        more = weighed @ mH(out[0])
        gA, gB = (more, -weighed) if gA is None else (gA + more, gB - weighed)
    return gA, gB


lstsq_primitive = Primitive("linalg_lstsq", _lstsq, _lstsq_rule, multi=True, batch=())


@op(
    "torch.linalg.lstsq",
    "linalg.lstsq(A, B, rcond=None, *, driver=None)",
    category=_LINEAR,
    doc="The X of least |A X - B|, and of least |X| where there are several; with the squared residuals of each "
    "column (for more "
    "rows than columns and full rank), the rank, and the singular values (drivers 'gelsd', 'gelss').",
    formula="as of linalg.pinv(A) @ B; residuals: 2 (A X - B) X^H g to A, -2 (A X - B) g to B",
    examples=("linalg.lstsq(tensor([[1.], [1.]]), tensor([[1.], [3.]])).solution  #> [[2.0000]]",),
    samples=(
        sample(Lit(_TALL), Lit([[1.0], [2.0], [0.5]])),
        sample(Lit(_WIDE), Lit([[1.0, 0.0], [0.5, 2.0]])),
        sample(Lit(_TWO), Lit([[[1.0], [2.0]], [[0.5], [1.0]]])),
    ),
)
def lstsq(A: Any, B: Any, rcond: Any = None, *, driver: str | None = None) -> Any:
    """Solve (..., m, n) against (..., m, k); RuntimeError where shapes or dtypes do not fit, LinAlgError for nan."""
    check_matrix("linalg.lstsq", A)
    check_same_dtype("linalg.lstsq", A, as_operand("linalg.lstsq", B))
    driver = driver or "gelsy"
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise error(
            RuntimeError,
            "bad-mode",
            f"linalg.lstsq has no driver {driver!r}",
            hint="drivers: gels, gelsy, gelsd, gelss",
        )
    vector = B.ndim == A.ndim - 1
    right = column(B) if vector else B
    if right.ndim < 2 or shape_of(right)[-2] != shape_of(A)[-2]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"linalg.lstsq: A of shape {shape_of(A)} has {shape_of(A)[-2]} rows, B has shape {shape_of(B)}",
            label=f"{shape_of(A)} against {shape_of(B)}",
        )
    batch_shape("linalg.lstsq", A, right)
    X, residuals, rank, values = lstsq_primitive(A, right, rcond=rcond, driver=driver)
    return LstsqResult((X.squeeze(-1) if vector else X, residuals, rank, Tensor(raw(values))))

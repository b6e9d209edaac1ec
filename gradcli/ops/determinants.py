"""Determinants, exact at singular matrices: det, slogdet, logdet.

The derivative of det is the cofactor matrix det(A) A^-T, which is finite everywhere although A^-1 is not. Near a
singular
matrix it is computed from A = U M V^H, where U and V are constants (the singular vectors) and M is nearly diagonal: the
part of M with large singular values is eliminated, and the adjugate of the small rest is a polynomial in its entries
(Faddeev-LeVerrier), so that derivatives of any order are right too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.ops.common import H, element, everything, raw
from gradcli.ops.linalg import inverse
from gradcli.ops.matrix import LEADING, check_square, concatenated, constant_like, is_complex, mH, shape_of, stacked
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_REGULAR = [[2.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, 0.25, 2.5]]
_SINGULAR = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]]


def _det(A: Any) -> Any:
    return np.linalg.det(A)


def _slogdet(A: Any) -> Any:
    sign, logabsdet = np.linalg.slogdet(A)
    return sign, logabsdet


def _det_rule(g: Any, A: Any, out: Any) -> Any:
    return _last_two(g) * H(cofactors(A, out))


def _last_two(x: Any) -> Any:
    """Return ``x`` with two further dimensions of size 1."""
    return x.reshape(*shape_of(x), 1, 1)


def cofactors(A: Any, det: Any) -> Any:
    """Return the matrix of cofactors of ``A`` (..., n, n), whose determinant is ``det``: the derivative of det."""
    if _well_conditioned(everything(A)).all():
        return _last_two(det) * inverse(A).swapaxes(-1, -2)
    array = raw(A)
    regular, n = _well_conditioned(array), array.shape[-1]
    flat, dets = A.reshape(-1, n, n), det.reshape(-1)
    parts = [_one(flat[i], dets[i], bool(ok)) for i, ok in enumerate(regular.reshape(-1))]
    return stacked(parts).reshape(array.shape)


def _one(A: Any, det: Any, regular: bool) -> Any:
    return (det * inverse(A) if regular else adjugate(A)).swapaxes(-1, -2)


def _well_conditioned(array: Any) -> Any:
    """Return for each matrix whether det(A) A^-1 is accurate, twice differentiated too; so are matrices with nan."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(array).all(axis=(-2, -1))
        s = np.linalg.svd(np.where(finite[..., None, None], array, np.eye(array.shape[-1])), compute_uv=False)
    return ~finite | (s[..., -1] > _small(array.dtype) * s[..., 0]) if s.shape[-1] else finite


def _small(dtype: Any) -> float:
    return float(np.finfo(dtype).eps ** (1 / 3))


def adjugate(A: Any) -> Any:
    """Return the adjugate of one matrix (n, n), also of a singular one."""
    u, s, vh = np.linalg.svd(raw(A))
    rank = int((s > _small(s.dtype) * s[0]).sum()) if s[0] else 0
    m = constant_like(A, u.conj().T) @ A @ constant_like(A, vh.conj().T)
    inner = _adjugate_of_split(m, rank) if rank else _polynomial_adjugate(m)
    turn = np.linalg.det(u) * np.linalg.det(vh)
    return constant_like(A, vh.conj().T * turn) @ inner @ constant_like(A, u.conj().T)


def _adjugate_of_split(m: Any, rank: int) -> Any:
    """Return the adjugate of a matrix whose leading block of size ``rank`` is regular, by block elimination."""
    a, b, c, d = m[:rank, :rank], m[:rank, rank:], m[rank:, :rank], m[rank:, rank:]
    inv = inverse(a)
    right, left = inv @ b, c @ inv
    rest = d - c @ right
    low = _polynomial_adjugate(rest)
    down = right @ low
    high = inv * _trace_of_product(rest, low) + down @ left
    top, bottom = concatenated([high, -down], -1), concatenated([-(low @ left), low], -1)
    return concatenated([top, bottom], -2) * linalg_det(a)


def _trace_of_product(rest: Any, low: Any) -> Any:
    """Return det(rest) from rest and its adjugate: the first entry of their product."""
    return (rest[:1] @ low[:, :1]).reshape(())


def _polynomial_adjugate(x: Any) -> Any:
    """Return the adjugate of a small or tiny matrix by the recursion of Faddeev and LeVerrier, which never divides by
    it.
    """
    n = shape_of(x)[0]
    eye = constant_like(x, np.eye(n, dtype=element(x)))
    power = eye
    for k in range(1, n):
        product = x @ power
        power = product - eye * ((product * eye).sum() / k)
    return power if n % 2 else -power


def _slogdet_rule(g: list[Any], A: Any, out: Any) -> tuple[Any]:
    """Return the cotangent of A: that of log det times A^-H; the sign of a real determinant has derivative 0."""
    sign, logabsdet = g
    if is_complex(A) and sign is not None:
        turned = H(sign) * out[0]
        imaginary = (turned - H(turned)) * -0.5
        logabsdet = imaginary if logabsdet is None else logabsdet + imaginary
    if logabsdet is None:
        return (None,)
    return (_last_two(logabsdet) * _inverse_or_infinite(A, out),)


def _inverse_or_infinite(A: Any, out: Any) -> Any:
    """Return A^-H; where A is exactly singular, its adjugate divided by 0, as PyTorch."""
    if not (everything(out[0]) == 0).any():
        return mH(inverse(A))
    array = raw(A)
    n = array.shape[-1]
    flat = A.reshape(-1, n, n)
    zero = (raw(out[0]) == 0).reshape(-1)
    with np.errstate(all="ignore"):
        parts = [mH(adjugate(flat[i]) / -0.0 if bad else inverse(flat[i])) for i, bad in enumerate(zero)]
    return stacked(parts).reshape(array.shape)


det_primitive = Primitive("linalg_det", _det, {"A": _det_rule}, batch=LEADING)
slogdet_primitive = Primitive("linalg_slogdet", _slogdet, _slogdet_rule, multi=True, batch=LEADING)
SlogdetResult = result_type("linalg_slogdet", "sign logabsdet")


@op(
    "torch.linalg.det",
    "linalg.det(A)",
    names="torch.det Tensor.det",
    category=_LINEAR,
    doc="The determinant of a square matrix, or of each of a batch.",
    formula="g * conj(det(A) A^-1)^T, the cofactors of A",
    conventions="at a singular matrix the derivatives are the cofactors, first order and higher (PyTorch gives 0 "
    "without "
    "create_graph)",
    examples=("linalg.det(tensor([[1., 2.], [3., 4.]]))  #> -2.0000",),
    samples=(
        sample(T(2, 2)),
        sample(T(2, 3, 3)),
        sample(T(1, 1)),
        sample(Lit(_SINGULAR)),
        sample(Lit([[0.0]])),
        sample(Lit([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])),
        sample(T(0, 0)),
    ),
)
def linalg_det(A: Any) -> Any:
    """Return the determinants (...) of (..., n, n); RuntimeError unless square and floating or complex."""
    check_square("linalg.det", A)
    return det_primitive(A)


@op(
    "torch.linalg.slogdet",
    "linalg.slogdet(A)",
    names="torch.slogdet Tensor.slogdet",
    category=_LINEAR,
    doc="The sign and the logarithm of the absolute value of the determinant, which do not overflow.",
    formula="g of logabsdet * A^-H; a real sign has derivative 0",
    conventions="a singular matrix gives sign 0, logabsdet -inf and an infinite gradient",
    examples=("linalg.slogdet(tensor([[2., 0.], [0., -3.]])).sign  #> -1.",),
    samples=(sample(Lit(_REGULAR)), sample(Lit([[[1.0, 2.0], [0.5, -1.0]], [[2.0, 0.0], [1.0, 1.0]]]))),
)
def slogdet(A: Any) -> Any:
    """Return sign and logabsdet (...) of (..., n, n); RuntimeError unless square and floating or complex."""
    check_square("linalg.slogdet", A)
    return SlogdetResult(slogdet_primitive(A))


@op(
    "torch.logdet",
    "logdet(input)",
    names="Tensor.logdet",
    category=_LINEAR,
    doc="The logarithm of the determinant.",
    formula="g * A^-H",
    conventions="nan for a negative determinant, -inf for a singular matrix",
    examples=("logdet(tensor([[2., 0.], [0., 3.]])).exp()  #> 6.",),
    samples=(sample(Lit(_REGULAR)),),
)
def logdet(input: Any) -> Any:
    """Return log det (...) of (..., n, n); nan where the determinant is negative."""
    check_square("logdet", input)
    sign, logabsdet = slogdet_primitive(input)
    if is_complex(input):
        return sign.log() + logabsdet
    from gradcli.ops.choosing import where

    return where(sign == -1, float("nan"), logabsdet)

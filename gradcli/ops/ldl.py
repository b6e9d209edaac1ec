"""Symmetric indefinite factors, P^T A P = L D L^T with blocks of size 1 and 2 in D (Bunch and Kaufman 1977)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import LinAlgError, error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.matmul import batch_shape
from gradcli.ops.matrix import as_operand, check_same_dtype, check_square, shape_of
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_ALPHA = (1 + math.sqrt(17)) / 8  # bounds the growth of entries
_REFUSED = "!the derivative of linalg.ldl_factor is not implemented; linalg.cholesky and linalg.lu have one"


def _factor(A: Any, hermitian: bool) -> tuple[Any, Any]:
    """Return LD (the lower triangle) and pivots of one matrix, stored as LAPACK's sytrf stores them."""
    n = len(A)
    work = np.tril(A)
    turned = np.tril(A, -1)
    work = work + (np.conj(turned) if hermitian else turned).T
    pivots = np.zeros(n, np.int32)
    k = 0
    while k < n:
        p, size = _choose(work, k)
        _exchange(work[k:, k:], size - 1, p - k)
        pivots[k : k + size] = p + 1 if size == 1 else -(p + 1)
        _eliminate_block(work[k:, k:], size, hermitian)
        k += size
    return np.tril(work), pivots


def _choose(work: Any, k: int) -> tuple[int, int]:
    """Return the row to exchange with, and the size of the next block of D."""
    own = _size(work[k, k])
    below = _size(work[k + 1 :, k])
    if not below.size or own >= _ALPHA * below.max():
        return k, 1
    i = k + 1 + int(below.argmax())
    others = np.delete(_size(work[k:, i]), i - k)
    if own * others.max() >= _ALPHA * below.max() ** 2:
        return k, 1
    return (i, 1) if _size(work[i, i]) >= _ALPHA * others.max() else (i, 2)


def _size(x: Any) -> Any:
    """Return the size by which LAPACK compares entries: of a complex one the sum of both parts."""
    return abs(x.real) + abs(x.imag)


def _exchange(block: Any, i: int, j: int) -> None:
    if i != j:
        block[[i, j]] = block[[j, i]]
        block[:, [i, j]] = block[:, [j, i]]


def _eliminate_block(block: Any, size: int, hermitian: bool) -> None:
    """Take the first ``size`` columns out of a symmetric block, leaving their multipliers in place."""
    D, C = block[:size, :size], block[size:, :size].copy()
    if not D.any():
        return
    multipliers = np.linalg.solve(D.T, C.T).T
    block[size:, size:] -= multipliers @ (np.conj(C) if hermitian else C).T
    block[size:, :size] = multipliers


def _solve(LD: Any, pivots: Any, B: Any, hermitian: bool) -> Any:
    """Return A^-1 B of one matrix by its factors."""
    out, n = np.array(B), len(LD)
    blocks = []
    k = 0
    while k < n:
        size = 1 if pivots[k] > 0 else 2
        blocks.append((k, size, abs(int(pivots[k])) - 1))
        k += size
    for k, size, p in blocks:
        _exchange_rows(out, k + size - 1, p)
        out[k + size :] -= LD[k + size :, k : k + size] @ out[k : k + size]
        out[k : k + size] = np.linalg.solve(_block(LD[k : k + size, k : k + size], hermitian), out[k : k + size])
    for k, size, p in reversed(blocks):
        column = LD[k + size :, k : k + size]
        out[k : k + size] -= (np.conj(column) if hermitian else column).T @ out[k + size :]
        _exchange_rows(out, k + size - 1, p)
    return out


def _block(D: Any, hermitian: bool) -> Any:
    lower = np.tril(D, -1)
    return np.tril(D) + (np.conj(lower) if hermitian else lower).T


def _exchange_rows(out: Any, i: int, j: int) -> None:
    out[[i, j]] = out[[j, i]]


def _ldl_factor(A: Any, *, hermitian: bool) -> Any:
    n = A.shape[-1]
    made = [_factor(a, hermitian) for a in A.reshape(math.prod(A.shape[:-2]), n, n)]
    LD = np.array([m[0] for m in made], A.dtype).reshape(A.shape)
    return LD, np.array([m[1] for m in made], np.int32).reshape(A.shape[:-1])


def _ldl_solve(LD: Any, pivots: Any, B: Any, *, hermitian: bool) -> Any:
    batch = np.broadcast_shapes(LD.shape[:-2], B.shape[:-2])
    n, k = B.shape[-2:]
    factors = np.broadcast_to(LD, (*batch, n, n)).reshape(math.prod(batch), n, n)
    places = np.broadcast_to(pivots, (*batch, n)).reshape(math.prod(batch), n)
    right = np.broadcast_to(B, (*batch, n, k)).reshape(math.prod(batch), n, k)
    made = [_solve(f, p, b, hermitian) for f, p, b in zip(factors, places, right, strict=True)]
    return np.array(made, B.dtype).reshape(*batch, n, k)


ldl_primitive = Primitive("linalg_ldl_factor", _ldl_factor, _REFUSED, node="NotImplemented", multi=True, batch=())
ldl_solve_primitive = Primitive(
    "linalg_ldl_solve", _ldl_solve, _REFUSED, node="NotImplemented", batch="products.aligned"
)
LDLResult = result_type("linalg_ldl_factor", "LD pivots")


@op(
    "torch.linalg.ldl_factor",
    "linalg.ldl_factor(A, *, hermitian=False)",
    category=_LINEAR,
    doc="The factors L and D of a symmetric (or Hermitian) matrix in one lower triangle, with the exchanges.",
    formula="not differentiable: backward raises",
    conventions="the result has a graph, backward raises; pivots count from 1, negative ones mark blocks of size 2",
    examples=("linalg.ldl_factor(tensor([[2., 1.], [1., -3.]])).LD  #> [[2., 0.], [0.5, -3.5]]",),
    samples=(sample(Lit([[2.0, 1.0], [1.0, -3.0]])),),
)
def ldl_factor(A: Any, *, hermitian: bool = False) -> Any:
    """Factor (..., n, n), of which the lower triangle is read; RuntimeError unless square and floating."""
    check_square("linalg.ldl_factor", A)
    return LDLResult(ldl_primitive(A, hermitian=bool(hermitian)))


@op(
    "torch.linalg.ldl_solve",
    "linalg.ldl_solve(LD, pivots, B, *, hermitian=False)",
    category=_LINEAR,
    doc="The solution X of A X = B from the factors of linalg.ldl_factor.",
    formula="not differentiable: backward raises",
    conventions="the result has a graph, backward raises; linalg.solve has a derivative",
    examples=(
        "linalg.ldl_solve(tensor([[2., 0.], [0.5, -3.5]]), tensor([1, 2]), tensor([[3.], [-2.]]))  #> [[1.], [1.]]",
    ),
    samples=(sample(Lit([[2.0, 0.0], [0.5, -3.5]]), Lit([1, 2]), T(2, 1)),),
)
def ldl_solve(LD: Any, pivots: Any, B: Any, *, hermitian: bool = False) -> Any:
    """Solve with LD (..., n, n), pivots (..., n), B (..., n, k); RuntimeError where the shapes do not fit."""
    name = "linalg.ldl_solve"
    check_square(name, LD)
    check_same_dtype(name, LD, as_operand(name, B))
    if B.ndim < 2 or shape_of(B)[-2] != shape_of(LD)[-1]:
        raise error(
            RuntimeError, "shape-mismatch", f"{name}: the factors have shape {shape_of(LD)}, B has shape {shape_of(B)}"
        )
    batch_shape(name, LD, B)
    try:
        return ldl_solve_primitive(LD, Tensor(raw(as_operand(name, pivots))), B, hermitian=bool(hermitian))
    except np.linalg.LinAlgError:
        raise error(LinAlgError, "singular-matrix", f"{name}: the factored matrix is singular") from None

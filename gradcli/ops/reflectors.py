"""Householder reflections H_i = I - tau_i v_i v_i^H: what QR factorizations are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, raw
from gradcli.ops.matrix import as_operand, check_matrix, check_same_dtype, mH, shape_of
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_TALL = [[1.0, 2.0], [0.5, -1.0], [1.5, 0.25]]


def _geqrf(input: Any) -> Any:
    turned, tau = np.linalg.qr(input, "raw")
    return turned.swapaxes(-1, -2), tau


geqrf_primitive = Primitive(
    "geqrf", _geqrf, "!the derivative of geqrf is not implemented; linalg.qr has one", multi=True
)
GeqrfResult = result_type("geqrf", "a tau")


def _reflected(A: Any, tau: Any, i: int, other: Any, left: bool, adjoint: bool) -> Any:
    """Return H_i other, or other H_i, with H_i or its adjoint; the columns of A below the diagonal are the vectors."""
    v = A[..., i : i + 1]
    factor = tau[..., i : i + 1].unsqueeze(-1)
    factor = H(factor) if adjoint else factor
    if left:
        return other - factor * (v @ (mH(v) @ other))
    return other - (other @ v) * factor @ mH(v)


def _vectors(A: Any, tau: Any) -> Any:
    m, k = shape_of(A)[-2], shape_of(tau)[-1]
    return A[..., :k].tril(-1) + Tensor(np.eye(m, k, dtype=raw(A).dtype))


def _check(name: str, A: Any, tau: Any) -> None:
    check_matrix(name, A)
    check_same_dtype(name, A, as_operand(name, tau))
    m, n = shape_of(A)[-2:]
    if m < n:
        raise error(
            RuntimeError, "shape-mismatch", f"{name} needs at least as many rows as columns, got shape {shape_of(A)}"
        )
    if tau.ndim != A.ndim - 1 or shape_of(tau)[-1] > n or shape_of(tau)[:-1] != shape_of(A)[:-2]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: tau of shape {shape_of(tau)} does not belong to reflectors of shape {shape_of(A)}",
            hint="tau has one number for each column",
        )


@op(
    "torch.linalg.householder_product",
    "linalg.householder_product(A, tau)",
    names="torch.orgqr Tensor.orgqr",
    category=_LINEAR,
    doc="The first columns of the product of reflections whose vectors are the columns of A below the diagonal.",
    formula="as of the products of the reflections",
    examples=("linalg.householder_product(tensor([[1.], [0.]]), tensor([0.]))  #> [[1.], [0.]]",),
    samples=(sample(Lit(_TALL), T(2)), sample(Lit(_TALL), T(1)), sample(T(2, 3, 2), T(2, 2))),
)
def householder_product(A: Any, tau: Any) -> Any:
    """Return (..., m, n) of A (..., m, n) and tau (..., k); RuntimeError where the shapes do not belong together."""
    _check("linalg.householder_product", A, tau)
    m, n = shape_of(A)[-2:]
    vectors = _vectors(A, tau)
    made: Any = Tensor(np.array(np.broadcast_to(np.eye(m, n, dtype=raw(A).dtype), shape_of(A))))
    for i in reversed(range(shape_of(tau)[-1])):
        made = _reflected(vectors, tau, i, made, True, False)
    return made


@op(
    "torch.ormqr",
    "ormqr(input, tau, other, left=True, transpose=False)",
    names="Tensor.ormqr",
    category=_LINEAR,
    doc="The product Q other (other Q with left=False; Q^H with transpose=True), where Q is the product of the "
    "reflections.",
    formula="as of the products of the reflections",
    examples=("ormqr(tensor([[1.], [0.]]), tensor([0.]), tensor([[3.], [4.]]))  #> [[3.], [4.]]",),
    samples=(
        sample(Lit(_TALL), T(2), T(3, 2)),
        sample(Lit(_TALL), T(2), T(3, 2), True, True),
        sample(Lit(_TALL), T(2), T(2, 3), False),
    ),
)
def ormqr(input: Any, tau: Any, other: Any, left: bool = True, transpose: bool = False) -> Any:
    """Multiply with input (..., m, n), tau (..., k); RuntimeError where the shapes do not belong together."""
    _check("ormqr", input, tau)
    check_same_dtype("ormqr", input, as_operand("ormqr", other))
    rows = shape_of(input)[-2]
    if other.ndim < 2 or shape_of(other)[-2 if left else -1] != rows:
        raise error(RuntimeError, "shape-mismatch", f"ormqr: Q is {rows} by {rows}, other has shape {shape_of(other)}")
    vectors = _vectors(input, tau)
    order = range(shape_of(tau)[-1])
    for i in reversed(order) if left != transpose else order:
        other = _reflected(vectors, tau, i, other, left, transpose)
    return other


@op(
    "torch.geqrf",
    "geqrf(input)",
    names="Tensor.geqrf",
    category=_LINEAR,
    doc="The reflections of a QR factorization: R on and above the diagonal, the vectors below it, and their factors "
    "tau.",
    formula="not differentiable: backward raises",
    conventions="the result has a graph, backward raises; linalg.qr has a derivative",
    examples=("geqrf(tensor([[2.], [0.]])).a  #> [[2.], [0.]]",),
    samples=(sample(Lit(_TALL)),),
)
def geqrf(input: Any) -> Any:
    """Return a (..., m, n) and tau (..., k); RuntimeError unless a matrix of floats."""
    check_matrix("geqrf", input)
    return GeqrfResult(geqrf_primitive(input))

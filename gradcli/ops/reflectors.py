"""Householder reflections H_i = I - tau_i v_i v_i^H: what QR factorizations are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.results import result_type
from gradcli.ops.common import H, element
from gradcli.ops.matrix import (
    as_operand,
    check_matrix,
    check_same_dtype,
    column,
    concatenated,
    constant_like,
    mH,
    shape_of,
    triangle,
    zeros_like,
)
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_TALL = [[1.0, 2.0], [0.5, -1.0], [1.5, 0.25]]


def _geqrf(input: Any) -> Any:
    turned, tau = np.linalg.qr(input, "raw")
    return turned.swapaxes(-1, -2), tau


geqrf_primitive = Primitive(
    "geqrf", _geqrf, "!the derivative of geqrf is not implemented; linalg.qr has one", multi=True, batch=()
)
GeqrfResult = result_type("geqrf", "a tau")


def _vectors(A: Any, tau: Any) -> Any:
    """Return the vectors v_i as columns: 0 above the diagonal, 1 on it, the entries of A below."""
    m, k = shape_of(A)[-2], shape_of(tau)[-1]
    return triangle(A[..., :k], False, 1) + constant_like(A, np.eye(m, k, dtype=element(A)))


def _reflect(v: Any, factor: Any, x: Any) -> Any:
    """Return (I - factor v v^H) x for a column v."""
    return x - factor * (v @ (mH(v) @ x))


def _ormqr(input: Any, tau: Any, other: Any, *, transpose: bool) -> Any:
    """Return Q other or Q^H other: the last reflection first, or the first first with conjugate factors."""
    vectors = _vectors(input, tau)
    order = range(tau.shape[-1])
    for i in order if transpose else reversed(order):
        factor = tau[..., i, None, None]
        other = _reflect(vectors[..., i : i + 1], H(factor) if transpose else factor, other)
    return other


def _ormqr_rule(g: Any, input: Any, tau: Any, other: Any, transpose: bool) -> tuple[Any, Any, Any]:
    """Take the reflections back one by one, from the outside in, the cotangent passing through their adjoints."""
    vectors = _vectors(input, tau)
    order = range(shape_of(tau)[-1])
    columns: dict[int, Any] = {}
    factors: dict[int, Any] = {}
    inner = _inner_values(vectors, tau, other, transpose)
    for i in reversed(order) if transpose else order:
        v, x = vectors[..., i : i + 1], inner[i]
        factor = column(tau[..., i : i + 1])
        factor = H(factor) if transpose else factor
        seen, sent = mH(v) @ x, mH(v) @ g
        columns[i] = -(g @ mH(seen) * H(factor) + x @ mH(sent) * factor)
        slope = -(sent * H(seen)).sum(-1)
        factors[i] = H(slope) if transpose else slope
        g = _reflect(v, H(factor), g)
    if not columns:
        return zeros_like(input), zeros_like(tau), g
    gathered = triangle(concatenated([columns[i] for i in order], -1), False, 1)
    rest = shape_of(input)[-1] - len(order)
    if rest:
        gathered = concatenated([gathered, zeros_like(input[..., len(order) :])], -1)
    return gathered, concatenated([factors[i] for i in order], -1), g


def _inner_values(vectors: Any, tau: Any, other: Any, transpose: bool) -> dict[int, Any]:
    """Return what each reflection was applied to."""
    order = range(shape_of(tau)[-1])
    found = {}
    for i in order if transpose else reversed(order):
        found[i] = other
        factor = column(tau[..., i : i + 1])
        other = _reflect(vectors[..., i : i + 1], H(factor) if transpose else factor, other)
    return found


ormqr_primitive = Primitive("ormqr", _ormqr, _ormqr_rule, batch=())


def _householder(A: Any, tau: Any) -> Any:
    return _ormqr(A, tau, _start(A), transpose=False)


def _start(A: Any) -> Any:
    """Return the first columns of the identity, for each matrix of a batch."""
    shape = shape_of(A)
    return np.array(np.broadcast_to(np.eye(*shape[-2:], dtype=element(A)), shape))


def _householder_rule(g: Any, A: Any, tau: Any) -> tuple[Any, Any]:
    gA, gtau, _ = _ormqr_rule(g, A, tau, constant_like(A, _start(A)), False)
    return gA, gtau


householder_primitive = Primitive("linalg_householder_product", _householder, _householder_rule, batch=())


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
            f"{name}: tau of shape {shape_of(tau)} does not belong to reflections of shape {shape_of(A)}",
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
    return householder_primitive(A, tau)


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
    if left:
        return ormqr_primitive(input, tau, other, transpose=bool(transpose))
    return mH(ormqr_primitive(input, tau, mH(other), transpose=not transpose))


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

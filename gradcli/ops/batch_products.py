"""Batch rules of products of vectors and matrices."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.primitive import Primitive
from gradcli.ops.batching import Flags, Params, Values, batch_all, call, padded


def mm(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Multiply the matrices of each sample; a matrix that is the same for all meets the rows of all at once."""
    a, b = values
    if flags == (True, False) and a.ndim == 3:
        return call("matmul", a.reshape((size * a.shape[1], a.shape[2])), b).reshape((size, a.shape[1], b.shape[1]))
    return call("matmul", a, b)


def bmm(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Multiply stacks of matrices."""
    return call("matmul", *values)


def mv(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Multiply matrices and vectors; one matrix for all samples makes one product of matrices."""
    matrix, vector = values
    if flags == (False, True):
        return call("matmul", vector, matrix.transpose(0, 1))
    return call("matmul", matrix, vector.unsqueeze(-1)).squeeze(-1)


def dot(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Multiply vectors: one for all samples makes one product of a matrix and a vector."""
    a, b = values
    if flags == (True, True):
        return call("matmul", a.unsqueeze(1), b.unsqueeze(2)).reshape(size)
    return call("matmul", a, b) if flags[0] else call("matmul", b, a)


def vdot(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Multiply vectors, the first conjugated."""
    return dot(primitive, size, flags, (values[0].conj().resolve_conj(), values[1]), params)


def _combined(input: Any, product: Any, params: Params) -> Any:
    beta, alpha = params["beta"], params["alpha"]
    product = product if alpha == 1 else product * alpha
    return product if beta == 0 else product + (input if beta == 1 else input * beta)


def addmm(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to the product of the matrices of each sample."""
    input, a, b = values
    product = call("matmul", a, b)
    return _combined(padded(input, product.ndim - 1) if flags[0] else input, product, params)


def addmv(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to the product of each sample's matrix and vector."""
    input, matrix, vector = values
    product = mv(primitive, size, flags[1:], (matrix, vector), {})
    return _combined(padded(input, 1) if flags[0] else input, product, params)


def addr(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to the outer product of each sample's vectors."""
    input, a, b = values
    product = a.unsqueeze(-1) * b.unsqueeze(-2)
    return _combined(padded(input, 2) if flags[0] else input, product, params)


def addbmm(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Add to the sum of the products in each sample's stack."""
    input, a, b = values
    product = call("matmul", a, b).sum(-3)
    return _combined(padded(input, 2) if flags[0] else input, product, params)


def trace(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Sum each diagonal."""
    return values[0].diagonal(0, 1, 2).sum(-1)


def trace_backward(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Put each number on the diagonal of zeros."""
    from gradcli.ops.slices import place_diagonal

    shape = params["shape"]
    row = values[0].unsqueeze(-1).expand((size, min(shape)))
    return place_diagonal(row, offset=0, dim1=1, dim2=2, sizes=(size, *shape))


def contract(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Contract with one more letter for the batch."""
    *sides, out = params["letters"]
    new = next(letter for letter in "zyxwvutsrq" if all(letter not in part for part in (*sides, out)))
    marked = [new + side if flag else side for side, flag in zip(sides, flags, strict=True)]
    return primitive(*values, letters=(*marked, new + out))



def aligned(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Give every stack of matrices (of vectors where a row of integers) the batch and as many dimensions as the rest.
    """
    made = batch_all(size, flags, values)
    own = [2 if v._element.kind in "fc" else 1 for v in made]
    most = max(v.ndim - k for v, k in zip(made, own, strict=True))
    return primitive(*(padded(v, most - 1 + k) for v, k in zip(made, own, strict=True)), **params)

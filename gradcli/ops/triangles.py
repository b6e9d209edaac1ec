"""Triangles and diagonals of matrices: triu, tril, diag, diag_embed, diagflat."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import axis_of
from gradcli.ops.row import T, op, sample
from gradcli.ops.shape import reshape
from gradcli.ops.shaping import Shape, given, integer, shape_of
from gradcli.ops.slices import diagonal_primitive

triu_primitive: Primitive = Primitive("triu", lambda input, *, diagonal: np.triu(input, diagonal), {
    "input": lambda g, diagonal: triu_primitive(g, diagonal=diagonal)}, batch=())
tril_primitive: Primitive = Primitive("tril", lambda input, *, diagonal: np.tril(input, diagonal), {
    "input": lambda g, diagonal: tril_primitive(g, diagonal=diagonal)}, batch=())


def _triangle(primitive: Primitive, input: Any, diagonal: Any) -> Any:
    input = given(input)
    if len(shape_of(input)) < 2:
        raise error(RuntimeError, "too-few-dims", f"{primitive.name} needs at least 2 dimensions, this tensor has "
                    f"shape {tuple(shape_of(input))}")
    return primitive(input, diagonal=integer(diagonal, "diagonal"))


@op("torch.triu", "triu(input, diagonal=0)", names="Tensor.triu", inplace=True, category="shape",
    doc="The upper triangle of the last two dimensions, the rest 0; diagonal moves the border up.",
    formula="triu(g, diagonal)",
    examples=("triu(tensor([[1., 2.], [3., 4.]]))  #> [[1., 2.], [0., 4.]]",),
    samples=(sample(T(3, 3)), sample(T(2, 4), 1), sample(T(2, 3, 3), diagonal=-1)))
def triu(input: Any, diagonal: int = 0) -> Any:
    """Return the upper triangle; RuntimeError for fewer than 2 dimensions."""
    return _triangle(triu_primitive, input, diagonal)


@op("torch.tril", "tril(input, diagonal=0)", names="Tensor.tril", inplace=True, category="shape",
    doc="The lower triangle of the last two dimensions, the rest 0; diagonal moves the border up.",
    formula="tril(g, diagonal)",
    examples=("tril(tensor([[1., 2.], [3., 4.]]))  #> [[1., 0.], [3., 4.]]",),
    samples=(sample(T(3, 3)), sample(T(2, 4), 1), sample(T(2, 3, 3), diagonal=-1)))
def tril(input: Any, diagonal: int = 0) -> Any:
    """Return the lower triangle; RuntimeError for fewer than 2 dimensions."""
    return _triangle(tril_primitive, input, diagonal)


def _embedded(input: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    size = input.shape[-1] + abs(offset)
    out = np.zeros((*input.shape[:-1], size, size), input.dtype)
    rows = np.arange(input.shape[-1])
    out[..., rows + max(-offset, 0), rows + max(offset, 0)] = input
    return np.ascontiguousarray(np.moveaxis(out, (-2, -1), (dim1, dim2)))


def _diagonal_of(g: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal_primitive(g, offset=offset, dim1=dim1, dim2=dim2, sizes=tuple(g.shape))


diag_embed_primitive: Primitive = Primitive("diag_embed", _embedded, {"input": _diagonal_of}, batch=("dim1", "dim2"))


@op("torch.diag_embed", "diag_embed(input, offset=0, dim1=-2, dim2=-1)", names="Tensor.diag_embed", category="shape",
    doc="Square matrices with the last dimension of input on a diagonal and 0 elsewhere.", formula="diagonal(g, "
    "offset, dim1, dim2)",
    examples=("diag_embed(tensor([1., 2.]))  #> [[1., 0.], [0., 2.]]",),
    samples=(sample(T(3)), sample(T(2, 3), 1), sample(T(2, 3), offset=-1, dim1=0, dim2=2)))
def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Return matrices of diagonals; RuntimeError for a 0-d input or where dim1 and dim2 are one."""
    input = given(input)
    ndim = len(shape_of(input))
    if not ndim:
        raise error(RuntimeError, "zero-dim", "diag_embed needs at least 1 dimension")
    first, second = axis_of(dim1, ndim + 1), axis_of(dim2, ndim + 1)
    if first == second:
        raise error(RuntimeError, "dim-twice", f"diag_embed: dim1 {dim1} and dim2 {dim2} are one dimension")
    if first > second:  # the lower of the two dimensions counts as rows, so the offset changes sides
        offset = -offset
        first, second = second, first
    return diag_embed_primitive(input, offset=integer(offset, "offset"), dim1=first, dim2=second)


def _diagonal_copy(input: Any, *, diagonal: int, sizes: Shape) -> Any:
    return np.diagonal(input, diagonal).copy()


def _place_diagonal(input: Any, *, diagonal: int, sizes: Shape) -> Any:
    out = np.zeros(sizes, input.dtype)
    rows = np.arange(input.shape[0])
    out[rows + max(-diagonal, 0), rows + max(diagonal, 0)] = input
    return out


_copy_diagonal: Primitive = Primitive("diagonal_copy", _diagonal_copy, {
    "input": lambda g, diagonal, sizes: _put_diagonal(g, diagonal=diagonal, sizes=sizes)},
    node="DiagonalBackward0_copy", batch="arrays.diagonal_copied")
_put_diagonal: Primitive = Primitive("diagonal_backward", _place_diagonal, {
    "input": lambda g, diagonal, sizes: _copy_diagonal(g, diagonal=diagonal, sizes=sizes)},
    batch="arrays.diagonal_placed")


@op("torch.diag", "diag(input, diagonal=0)", names="Tensor.diag", category="shape",
    doc="Of a vector the matrix with it on a diagonal, of a matrix a copy of its diagonal.",
    formula="diag(g, diagonal), in the shape of input",
    examples=("diag(tensor([1., 2.]))  #> [[1., 0.], [0., 2.]]", "diag(tensor([[1., 2.], [3., 4.]]))  #> [1., 4.]"),
    samples=(sample(T(3)), sample(T(3, 3)), sample(T(3, 4), -1), sample(T(2), 1)))
def diag(input: Any, diagonal: int = 0) -> Any:
    """Return a diagonal or a diagonal matrix; RuntimeError for another number of dimensions than 1 or 2."""
    input = given(input)
    shape, offset = shape_of(input), integer(diagonal, "diagonal")
    if len(shape) == 1:
        return diag_embed(input, offset)
    if len(shape) != 2:
        raise error(RuntimeError, "not-a-matrix", f"diag takes a vector or a matrix, this tensor has shape "
                    f"{tuple(shape)}", hint="diagonal() and diag_embed() work on batches")
    return _copy_diagonal(input, diagonal=offset, sizes=shape)


@op("torch.diagflat", "diagflat(input, offset=0)", names="Tensor.diagflat", category="shape",
    doc="A matrix with all elements of input on a diagonal.", formula="the diagonal of g in the shape of input",
    examples=("diagflat(tensor([[1.], [2.]]))  #> [[1., 0.], [0., 2.]]",), samples=(sample(T(2), -1), sample(T(2, 2))))
def diagflat(input: Any, offset: int = 0) -> Any:
    """Return the matrix with the flattened ``input`` on a diagonal."""
    return diag_embed(reshape(given(input), -1), offset)

"""Products of vectors and matrices: mm, mv, dot, bmm, outer, and matmul (the operator @), which is made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode
from gradcli.autograd.primitive import OPERANDS, Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, raw
from gradcli.ops.matrix import as_operand, check_dim, check_inner, check_same_dtype, column_major, mH, mT, shape_of
from gradcli.ops.row import T, op, sample


def _mm(input: Any, mat2: Any) -> Any:
    return np.matmul(input, mat2)


def _mv(input: Any, vec: Any) -> Any:
    return np.matmul(input, vec)


def _dot(input: Any, tensor: Any) -> Any:
    return np.dot(input, tensor)


def _vdot(input: Any, other: Any) -> Any:
    return np.vdot(input, other)


def _bmm(input: Any, mat2: Any) -> Any:
    return np.matmul(input, mat2)


def _reshaped(input: Any, *, shape: tuple[int, ...], before: tuple[int, ...]) -> Any:
    return input.reshape(shape)


def _first(input: Any) -> Any:
    return input[0]


_MATRICES = {"input": lambda g, mat2: g @ mH(mat2), "mat2": lambda g, input: mH(input) @ g}

mm_primitive = Primitive("mm", _mm, dict(_MATRICES), batch="products.mm")
mm_turned = Primitive(  # see addmm_turned
    "mm", _mm, {**_MATRICES, "mat2": lambda g, input: mH(mH(g) @ input)}, batch="products.mm"
)
bmm_primitive = Primitive("bmm", _bmm, dict(_MATRICES), batch="products.bmm")
mv_primitive = Primitive(
    "mv",
    _mv,
    {"input": lambda g, vec: g.reshape(-1, 1) * H(vec), "vec": lambda g, input: mH(input) @ g},
    batch="products.mv",
)
dot_primitive = Primitive(
    "dot",
    _dot,
    {"input": lambda g, tensor: g * H(tensor), "tensor": lambda g, input: g * H(input)},
    batch="products.dot",
)
vdot_primitive = Primitive("vdot", _vdot, {"input": lambda g, other: H(g) * other, "other": lambda g, input: g * input},
    batch="products.vdot")
_unsafe_view = Primitive(
    "_unsafe_view", _reshaped, {"input": lambda g, before: g.reshape(before)}, batch=("shape", "before")
)
squeeze_first = Primitive(
    "squeeze_",
    _first,
    {"input": lambda g: g.reshape(1, *shape_of(g))},
    node="SqueezeBackward4",
    batch=lambda primitive, size, flags, values, params: values[0].squeeze(1),
)

_mm_rows, _mm_turned = (fast.binary(primitive, quick=np.matmul) for primitive in (mm_primitive, mm_turned))
_mv_fast = fast.binary(mv_primitive, quick=np.matmul)
batched_product = fast.binary(bmm_primitive, quick=np.matmul)
_dot_fast = fast.binary(dot_primitive, quick=np.dot)


def _mm_fast(input: Any, mat2: Any) -> Any:
    return _mm_turned(input, mat2) if column_major(mat2) else _mm_rows(input, mat2)


@op(
    "torch.mm",
    "mm(input, mat2)",
    names="Tensor.mm",
    category="linear algebra",
    doc="The product of two matrices, (n, k) and (k, m).",
    formula="g @ mat2^H to input, input^H @ g to mat2",
    examples=("mm(tensor([[1., 2.], [3., 4.]]), tensor([[1.], [10.]]))  #> [[21.], [43.]]",),
    samples=(sample(T(2, 3), T(3, 4)), sample(T(1, 1), T(1, 2)), sample(T(0, 3), T(3, 2)), sample(T(2, 0), T(0, 2))),
)
def mm(input: Any, mat2: Any) -> Any:
    """Multiply matrices (n, k) and (k, m) of one dtype; RuntimeError for other shapes, also batches."""
    check_dim("mm", "input", input, 2)
    check_dim("mm", "mat2", mat2, 2)
    check_inner("mm", input, mat2)
    check_same_dtype("mm", input, mat2)
    return _mm_fast(input, mat2)


@op(
    "torch.mv",
    "mv(input, vec)",
    names="Tensor.mv",
    category="linear algebra",
    doc="The product of a matrix (n, k) and a vector (k,).",
    formula="outer(g, conj(vec)) to input, input^H @ g to vec",
    examples=("mv(tensor([[1., 2.], [3., 4.]]), tensor([1., 10.]))  #> [21., 43.]",),
    samples=(sample(T(2, 3), T(3)), sample(T(1, 1), T(1)), sample(T(2, 0), T(0))),
)
def mv(input: Any, vec: Any) -> Any:
    """Multiply a matrix (n, k) by a vector (k,) of one dtype; RuntimeError for other shapes."""
    check_dim("mv", "input", input, 2)
    check_dim("mv", "vec", vec, 1)
    check_inner("mv", input, vec)
    check_same_dtype("mv", input, vec)
    return _mv_fast(input, vec)


@op(
    "torch.dot",
    "dot(input, tensor)",
    names="Tensor.dot",
    category="linear algebra",
    doc="The sum of the products of two vectors of one length. Vectors only, unlike numpy.dot.",
    formula="g * conj(tensor) to input, g * conj(input) to tensor",
    examples=("dot(tensor([1., 2.]), tensor([3., 4.]))  #> 11.",),
    samples=(sample(T(3), T(3)), sample(T(1), T(1)), sample(T(0), T(0))),
)
def dot(input: Any, tensor: Any) -> Any:
    """Multiply two vectors of one length and dtype to a 0-d result; RuntimeError for other shapes."""
    _check_vectors("dot", input, tensor)
    return _dot_fast(input, tensor)


@op(
    "torch.vdot",
    "vdot(input, other)",
    names="Tensor.vdot",
    category="linear algebra",
    doc="The sum of conj(input) * other over two vectors of one length.",
    formula="conj(g) * other to input, g * input to other",
    conventions="the first argument is conjugated",
    examples=("vdot(tensor([1., 2.]), tensor([3., 4.]))  #> 11.",),
    samples=(sample(T(3), T(3)), sample(T(0), T(0))),
)
def vdot(input: Any, other: Any) -> Any:
    """Multiply the conjugate of one vector by another to a 0-d result; RuntimeError for other shapes."""
    _check_vectors("vdot", input, other)
    return vdot_primitive(input, other)


@op(
    "torch.bmm",
    "bmm(input, mat2)",
    names="Tensor.bmm",
    category="linear algebra",
    doc="The products of two batches of matrices, (b, n, k) and (b, k, m), without broadcasting.",
    formula="g @ mat2^H to input, input^H @ g to mat2",
    examples=("bmm(tensor([[[1., 2.]]]), tensor([[[3.], [4.]]]))  #> [[[11.]]]",),
    samples=(sample(T(2, 2, 3), T(2, 3, 1)), sample(T(0, 2, 3), T(0, 3, 2)), sample(T(2, 2, 0), T(2, 0, 3))),
)
def bmm(input: Any, mat2: Any) -> Any:
    """Multiply batches (b, n, k) and (b, k, m) of one dtype; RuntimeError for other shapes."""
    check_dim("bmm", "input", input, 3)
    check_dim("bmm", "mat2", mat2, 3)
    if input.shape[0] != mat2.shape[0]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"bmm needs batches of one size, got {input.shape[0]} and {mat2.shape[0]} "
            f"(shapes {tuple(input.shape)} and {tuple(mat2.shape)})",
            hint="matmul broadcasts batches",
        )
    check_inner("bmm", input, mat2)
    check_same_dtype("bmm", input, mat2)
    return batched_product(input, mat2)


@op(
    "torch.outer",
    "outer(input, vec2)",
    names="Tensor.outer torch.ger Tensor.ger",
    category="linear algebra",
    doc="All products of an entry of one vector (n,) and one of another (m,): shape (n, m).",
    formula="g @ conj(vec2) to input, g^T @ conj(input) to vec2",
    examples=("outer(tensor([1., 2.]), tensor([3., 4.]))  #> [[3., 4.], [6., 8.]]",),
    samples=(sample(T(2), T(3)), sample(T(1), T(1)), sample(T(0), T(2))),
)
def outer(input: Any, vec2: Any) -> Any:
    """Multiply each entry of (n,) by each of (m,), dtypes promoted; RuntimeError for other than vectors."""
    check_dim("outer", "input", input, 1)
    check_dim("outer", "vec2", vec2, 1)
    return input.reshape(input.shape[0], 1) * vec2


def _check_vectors(name: str, a: Any, b: Any) -> None:
    check_dim(name, "input", a, 1)
    check_dim(name, "the other operand", b, 1)
    if a.shape != b.shape:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs vectors of one length, got {a.shape[0]} and {b.shape[0]}",
            label=f"{tuple(a.shape)} against {tuple(b.shape)}",
        )
    check_same_dtype(name, a, b)


@op(
    "torch.matmul",
    "matmul(input, other)",
    names="Tensor.matmul torch.linalg.matmul",
    category="linear algebra",
    doc="The operator @: vector times vector, matrix times vector, matrix times matrix, or batches of these. A "
    "vector on the left is a row, on the right a column, and its dimension is gone from the result; leading "
    "dimensions broadcast.",
    formula="g @ other^H to input, input^H @ g to other, summed over broadcast dimensions",
    examples=(
        "matmul(tensor([[1., 2.], [3., 4.]]), tensor([1., 10.]))  #> [21., 43.]",
        "tensor([[1., 2.], [3., 4.]]) @ tensor([[0., 1.], [1., 0.]])  #> [[2., 1.], [4., 3.]]",
    ),
    samples=(
        sample(T(3), T(3)),
        sample(T(2, 3), T(3)),
        sample(T(3), T(3, 2)),
        sample(T(2, 3), T(3, 4)),
        sample(T(2, 2, 3), T(3, 4)),
        sample(T(2, 3), T(2, 3, 2)),
        sample(T(2, 2, 3), T(2, 3, 1)),
        sample(T(2, 1, 2, 3), T(3, 3, 2)),
        sample(T(2, 2, 3), T(3)),
        sample(T(3), T(2, 3, 2)),
        sample(T(0, 3), T(3, 2)),
        sample(T(2, 0), T(0, 2)),
        sample(T(2, 0, 3), T(3, 2)),
    ),
)
def matmul(input: Any, other: Any) -> Any:
    """Multiply operands of one dtype and at least 1 dimension as ``@`` does; RuntimeError where shapes do not fit."""
    if input.__class__ is Tensor and other.__class__ is Tensor:
        a, b = input._array, other._array
        if a.ndim == 2 and 0 < b.ndim < 3 and a.shape[1] == b.shape[0] and a.dtype is b.dtype and a.dtype.kind != "b":
            return _mm_fast(input, other) if b.ndim == 2 else _mv_fast(input, other)
    left, right = as_operand("matmul", input).ndim, as_operand("matmul", other).ndim
    if not left or not right:
        raise error(
            RuntimeError,
            "wrong-ndim",
            f"matmul needs operands of at least 1 dimension, got shapes {tuple(input.shape)} and {tuple(other.shape)}",
            hint="a number scales with *, not with @",
        )
    check_inner("matmul", input, other)
    check_same_dtype("matmul", input, other)
    if left <= 2 and right <= 2:
        return _small(input, other, left, right)
    return _batched(input, other)


def unsafe_view(input: Any, shape: tuple[int, ...]) -> Any:
    """Return a fresh result in another shape, by the node PyTorch records for it."""
    return _unsafe_view(input, shape=shape, before=shape_of(input))


def _small(input: Any, other: Any, left: int, right: int) -> Any:
    """Multiply vectors and matrices: one node, as PyTorch names it."""
    if right == 2:
        return _mm_fast(input, other) if left == 2 else squeeze_first(mm_primitive(_as_row(input), other))
    return _mv_fast(input, other) if left == 2 else _dot_fast(input, other)


def _as_row(x: Any) -> Any:
    return x.unsqueeze(0) if isinstance(x, Tensor) else x[None]


def recorded(*operands: Any) -> bool:
    """Return whether a product of ``operands`` leaves nodes, or is carried out by a transformation."""
    return any(isinstance(x, Tensor) and ((x._rg and mode.enabled) or x.__class__ is not Tensor) for x in operands)


def _batched(input: Any, other: Any) -> Any:
    """Multiply with at least one batch, in the steps that PyTorch records; on arrays where nothing is recorded."""
    batch = batch_shape("matmul", input, other) if input.ndim > 1 and other.ndim > 1 else ()
    if recorded(input, other):
        return _in_steps(as_tensor(input), as_tensor(other), batch)
    made = _in_steps(raw(input), raw(other), batch)
    return Tensor(made) if isinstance(input, Tensor) or isinstance(other, Tensor) else made


def _in_steps(input: Any, other: Any, batch: tuple[int, ...]) -> Any:
    """Multiply two tensors or two arrays: a batch by one matrix as a single product of all rows, else batch by
    batch.
    """
    if other.ndim <= 2:
        return _folded(input, other)
    if input.ndim == 1:
        return _folded(mT(other), input)
    if input.ndim == 2:
        made = mT(_folded(mT(other), mT(input) if isinstance(input, np.ndarray) else input.t()))
        return made.copy() if isinstance(made, np.ndarray) else made.clone()
    (n, k), m = shape_of(input)[-2:], shape_of(other)[-1]
    return unsafe_view(batched_product(_as_batch(input, batch, n, k), _as_batch(other, batch, k, m)), (*batch, n, m))


def _as_batch(x: Any, batch: tuple[int, ...], n: int, k: int) -> Any:
    """Return (count, n, k) of an operand whose leading dimensions broadcast to ``batch``."""
    if shape_of(x)[:-2] != batch:
        x = np.broadcast_to(x, (*batch, n, k)) if isinstance(x, np.ndarray) else x.expand(*batch, n, k)
    return x if len(batch) == 1 else x.reshape(math.prod(batch), n, k)


def _folded(many: Any, one: Any) -> Any:
    """Multiply a batch (..., n, k) by one matrix (k, m) or vector (k,), as a single product of all rows."""
    *lead, k = shape_of(many)
    rows = many.reshape(int(np.prod(lead)), k)
    out = _mv_fast(rows, one) if one.ndim == 1 else _mm_fast(rows, one)
    return unsafe_view(out, (*lead, *shape_of(one)[1:]))


def batch_shape(name: str, a: Any, b: Any) -> tuple[int, ...]:
    """Return the shape to which two batches of matrices broadcast (their leading dimensions), or raise RuntimeError."""
    left, right = shape_of(a)[:-2], shape_of(b)[:-2]
    if left == right:
        return left
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} cannot broadcast the batches {left} and {right} of shapes {shape_of(a)} and {shape_of(b)}",
            label=f"{shape_of(a)} against {shape_of(b)}",
        ) from None


def _operator(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, OPERANDS) else NotImplemented


def _reflected(self: Tensor, other: Any) -> Any:
    return matmul(other, self) if isinstance(other, OPERANDS) else NotImplemented


for _name, _function in (("__matmul__", _operator), ("__rmatmul__", _reflected)):
    setattr(Tensor, _name, _function)

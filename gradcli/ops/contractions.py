"""Products that sum over chosen dimensions: tensordot, inner, kron, cross, vecdot, chains of matrices, trace."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, axis_of
from gradcli.ops.matmul import dot_primitive, matmul, mm_primitive, unsafe_view, vdot
from gradcli.ops.matrix import as_operand, check_dim, check_same_dtype, column, permute, row, shape_of, summed
from gradcli.ops.row import T, op, sample

_LINEAR = "linear algebra"


def _cross(input: Any, other: Any, *, dim: int) -> Any:
    a, b = (np.moveaxis(x, dim, 0) for x in (input, other))
    parts = [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.stack(parts, axis=dim)


def _trace(input: Any) -> Any:
    return np.trace(input)


def _on_diagonal(input: Any, *, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, input.dtype)
    np.einsum("ii->i", out[: min(shape), : min(shape)])[...] = input
    return out


cross_primitive: Primitive = Primitive(
    "linalg_cross",
    _cross,
    {
        "input": lambda g, other, dim: cross_primitive(H(other), g, dim=dim),
        "other": lambda g, input, dim: cross_primitive(g, H(input), dim=dim),
    },
    promotes=True,
    batch=("dim",),
)
trace_primitive: Primitive = Primitive(
    "trace", _trace, {"input": lambda g, input: _spread_trace(g, shape=shape_of(input))},
    batch="products.trace",
)
_spread_trace: Primitive = Primitive("trace_backward", _on_diagonal, {"input": lambda g: trace_primitive(g)},
    batch="products.trace_backward")


@op(
    "torch.trace",
    "trace(input)",
    names="Tensor.trace",
    category=_LINEAR,
    doc="The sum of the main diagonal of a matrix of any shape.",
    formula="g on the main diagonal, 0 elsewhere",
    examples=("trace(tensor([[1., 2.], [3., 4.]]))  #> 5.",),
    samples=(sample(T(3, 3)), sample(T(3, 2)), sample(T(2, 4))),
)
def trace(input: Any) -> Any:
    """Return the sum of the diagonal of (n, m) as a 0-d tensor; RuntimeError for other dimensions."""
    check_dim("trace", "input", input, 2)
    return trace_primitive(input)


@op(
    "torch.tensordot",
    "tensordot(a, b, dims=2)",
    category=_LINEAR,
    doc="The products of a and b summed over pairs of dimensions: the last n of a with the first n of b where dims is "
    "a number, "
    "or the dimensions that dims lists for each.",
    formula="g contracted with the other operand over the dimensions of the other that are left",
    examples=("tensordot(tensor([[1., 2.]]), tensor([[3.], [4.]]), dims=1)  #> [[11.]]",),
    samples=(
        sample(T(2, 3), T(3, 2), dims=1),
        sample(T(2, 3), T(2, 3)),
        sample(T(2), T(3), 0),
        sample(T(2, 3, 4), T(4, 2), dims=([0, 2], [1, 0])),
        sample(T(2, 1), T(3, 2), dims=1),
    ),
)
def tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    """Contract dims of equal sizes (a size of 1 broadcasts); RuntimeError where sizes or dtypes differ."""
    left, right = _paired_dims(as_operand("tensordot", a), as_operand("tensordot", b), dims)
    check_same_dtype("tensordot", a, b)
    a, b = _summed_where_single(a, b, left, right)
    free_a = [i for i in range(a.ndim) if i not in left]
    free_b = [i for i in range(b.ndim) if i not in right]
    shape = (*(shape_of(a)[i] for i in free_a), *(shape_of(b)[i] for i in free_b))
    count = int(np.prod([shape_of(a)[i] for i in left]))
    a, b = permute(a, (*free_a, *left)), permute(b, (*right, *free_b))
    if not shape:
        return dot_primitive(a.reshape(count), b.reshape(count))
    rows = int(np.prod([shape_of(a)[i] for i in range(len(free_a))]))
    columns = int(np.prod(shape_of(b)[len(right) :]))
    return mm_primitive(a.reshape(rows, count), b.reshape(count, columns)).reshape(shape)


def _paired_dims(a: Any, b: Any, dims: Any) -> tuple[list[int], list[int]]:
    """Return the dimensions of ``a`` and of ``b`` to be summed over, in pairs."""
    dims = dims.tolist() if hasattr(dims, "tolist") else dims
    if isinstance(dims, int):
        if not 0 <= dims <= min(a.ndim, b.ndim):
            raise error(
                RuntimeError,
                "dims-mismatch",
                f"tensordot cannot sum over {dims} dimensions of shapes {shape_of(a)} and {shape_of(b)}",
            )
        return list(range(a.ndim - dims, a.ndim)), list(range(dims))
    first, second = ([d] if isinstance(d, int) else list(d) for d in dims)
    if len(first) != len(second):
        raise error(RuntimeError, "dims-mismatch", f"tensordot pairs dimensions: {len(first)} of a, {len(second)} of b")
    left, right = [axis_of(d, a.ndim) for d in first], [axis_of(d, b.ndim) for d in second]
    for axes, name in ((left, "a"), (right, "b")):
        if len(set(axes)) != len(axes):
            raise error(RuntimeError, "dim-twice", f"tensordot got dims {axes} of {name}: one is named twice")
    return left, right


def _summed_where_single(a: Any, b: Any, left: list[int], right: list[int]) -> tuple[Any, Any]:
    """Return operands of equal sizes on the paired dimensions: where one has size 1, the other is summed first."""
    for i, j in zip(left, right, strict=True):
        m, n = shape_of(a)[i], shape_of(b)[j]
        if m == n:
            continue
        if m == 1:
            b = summed(b, [j])
        elif n == 1:
            a = summed(a, [i])
        else:
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"tensordot pairs dim {i} of a (size {m}) with dim {j} of b (size {n})",
                label=f"{shape_of(a)} against {shape_of(b)}",
            )
    return a, b


@op(
    "torch.inner",
    "inner(input, other)",
    names="Tensor.inner",
    category=_LINEAR,
    doc="The products of input and other summed over the last dimension of both; a plain product where one is 0-d.",
    formula="g contracted with the other operand",
    examples=("inner(tensor([[1., 2.], [3., 4.]]), tensor([1., 10.]))  #> [21., 43.]",),
    samples=(
        sample(T(3), T(3)),
        sample(T(2, 3), T(3)),
        sample(T(2, 3), T(4, 3)),
        sample(T(), T(3)),
        sample(T(2, 2, 3), T(3)),
    ),
)
def inner(input: Any, other: Any) -> Any:
    """Contract the last dimensions, which have one size; RuntimeError otherwise."""
    as_operand("inner", input)
    as_operand("inner", other)
    if not input.ndim or not other.ndim:
        return input * other
    if shape_of(input)[-1] != shape_of(other)[-1]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"inner sums over last dimensions of one size, got {shape_of(input)[-1]} and {shape_of(other)[-1]}",
            label=f"{shape_of(input)} against {shape_of(other)}",
        )
    return tensordot(input, other, dims=([-1], [-1]))


@op(
    "torch.kron",
    "kron(input, other)",
    names="Tensor.kron",
    category=_LINEAR,
    doc="The Kronecker product: input with each entry replaced by that entry times other.",
    formula="g summed against the other operand",
    examples=("kron(tensor([1., 2.]), tensor([1., 1.]))  #> [1., 1., 2., 2.]",),
    samples=(
        sample(T(2, 2), T(1, 3)),
        sample(T(2), T(2, 2)),
        sample(T(2), T(3)),
        sample(T(), T(2)),
        sample(T(0), T(2)),
    ),
)
def kron(input: Any, other: Any) -> Any:
    """Multiply (a1, ...) by (b1, ...) to (a1 * b1, ...); missing leading dimensions count as 1; dtypes promoted."""
    as_operand("kron", input)
    as_operand("kron", other)
    ndim = max(input.ndim, other.ndim)
    a = (1,) * (ndim - input.ndim) + shape_of(input)
    b = (1,) * (ndim - other.ndim) + shape_of(other)
    wide = unsafe_view(input, tuple(n for size in a for n in (size, 1)))
    fine = unsafe_view(other, tuple(n for size in b for n in (1, size)))
    return unsafe_view(wide * fine, tuple(m * n for m, n in zip(a, b, strict=True)))


@op(
    "torch.linalg.cross",
    "linalg.cross(input, other, *, dim=-1)",
    category=_LINEAR,
    doc="The vector product along a dimension of size 3; the others broadcast.",
    formula="cross(conj(other), g) to input, cross(g, conj(input)) to other",
    examples=("linalg.cross(tensor([1., 0., 0.]), tensor([0., 1., 0.]))  #> [0., 0., 1.]",),
    samples=(sample(T(3), T(3)), sample(T(2, 3), T(1, 3)), sample(T(3, 2), T(3, 2), dim=0), sample(T(0, 3), T(0, 3))),
)
def linalg_cross(input: Any, other: Any, *, dim: int = -1) -> Any:
    """Multiply vectors along ``dim``; RuntimeError where that is not of size 3, or the dimensions differ in number."""
    as_operand("linalg.cross", input)
    as_operand("linalg.cross", other)
    if input.ndim != other.ndim:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"linalg.cross needs operands with as many dimensions, got shapes {shape_of(input)} and {shape_of(other)}",
        )
    axis = axis_of(dim, input.ndim)
    for x in (input, other):
        if not x.ndim or shape_of(x)[axis] != 3:
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"the vector product needs size 3 in dim {dim}, got shapes {shape_of(input)} and {shape_of(other)}",
            )
    return cross_primitive(input, other, dim=axis - input.ndim)


@op(
    "torch.cross",
    "cross(input, other, dim=None)",
    names="Tensor.cross",
    category=_LINEAR,
    doc="The vector product along a dimension of size 3, by default the first that has this size in both.",
    formula="cross(conj(other), g) to input, cross(g, conj(input)) to other",
    conventions="without dim: the first dimension of size 3, not the last; linalg.cross takes the last",
    examples=("cross(tensor([1., 0., 0.]), tensor([0., 1., 0.]))  #> [0., 0., 1.]",),
    samples=(sample(T(3), T(3)), sample(T(3, 2), T(3, 2)), sample(T(2, 3), T(2, 3), dim=1)),
)
def cross(input: Any, other: Any, dim: int | None = None) -> Any:
    """Multiply vectors along ``dim``; RuntimeError where no dimension has size 3."""
    as_operand("cross", input)
    as_operand("cross", other)
    if dim is None:
        sizes = zip(shape_of(input), shape_of(other), strict=False)
        dim = next((i for i, pair in enumerate(sizes) if pair == (3, 3)), None)
        if dim is None:
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"cross finds no dimension of size 3 in shapes {shape_of(input)} and {shape_of(other)}",
            )
    return linalg_cross(input, other, dim=dim)


@op(
    "torch.linalg.vecdot",
    "linalg.vecdot(x, y, *, dim=-1)",
    category=_LINEAR,
    doc="The sum of conj(x) * y along a dimension; the others broadcast.",
    formula="conj(g) * y to x, g * x to y",
    conventions="the first argument is conjugated",
    examples=("linalg.vecdot(tensor([[1., 2.], [3., 4.]]), tensor([1., 10.]))  #> [21., 43.]",),
    samples=(sample(T(3), T(3)), sample(T(2, 3), T(3)), sample(T(3, 2), T(3, 2), dim=0)),
)
def vecdot(x: Any, y: Any, *, dim: int = -1) -> Any:
    """Sum products along ``dim`` of operands of one dtype; RuntimeError where the shapes do not broadcast."""
    check_same_dtype("linalg.vecdot", as_operand("linalg.vecdot", x), as_operand("linalg.vecdot", y))
    if x.ndim == y.ndim == 1:
        return vdot(x, y)
    return (H(x) * y).sum(dim)


@op(
    "torch.linalg.multi_dot",
    "linalg.multi_dot(tensors)",
    category=_LINEAR,
    doc="The product of a chain of matrices in the order of fewest multiplications; the first and the last may be "
    "vectors.",
    formula="as of the products",
    examples=("linalg.multi_dot([tensor([[1., 2.]]), tensor([[3.], [4.]]), tensor([[2.]])])  #> [[22.]]",),
    samples=(
        sample([T(2, 3), T(3, 2)]),
        sample([T(2, 3), T(3, 1), T(1, 4)]),
        sample([T(3), T(3, 2), T(2, 2), T(2)]),
        sample([T(2, 4), T(4, 1), T(1, 3), T(3, 2)]),
    ),
)
def multi_dot(tensors: Any) -> Any:
    """Multiply two or more tensors of one dtype; RuntimeError where neighbours do not fit."""
    matrices = _chain("linalg.multi_dot", list(tensors))
    shape = (*shape_of(tensors[0])[:-1], *shape_of(tensors[-1])[1:])
    return _multiply(
        matrices, _splits([*(shape_of(m)[0] for m in matrices), shape_of(matrices[-1])[1]]), 0, len(matrices)
    ).reshape(shape)


@op(
    "torch.chain_matmul",
    "chain_matmul(*matrices)",
    category=_LINEAR,
    doc="The product of a chain of matrices in the order of fewest multiplications.",
    formula="as of the products",
    examples=("chain_matmul(tensor([[1., 2.]]), tensor([[3.], [4.]]), tensor([[2.]]))  #> [[22.]]",),
    samples=(sample(T(2, 3), T(3, 1), T(1, 4)),),
)
def chain_matmul(*matrices: Any) -> Any:
    """Multiply one or more matrices of one dtype; RuntimeError where neighbours do not fit."""
    for matrix in matrices:
        check_dim("chain_matmul", "each operand", matrix, 2)
    return matrices[0] if len(matrices) == 1 else multi_dot(matrices)


def _chain(name: str, tensors: list[Any]) -> list[Any]:
    """Return the operands of a chain as matrices."""
    if len(tensors) < 2:
        raise error(RuntimeError, "too-few", f"{name} multiplies two tensors or more, got {len(tensors)}")
    for k, tensor in enumerate(tensors):
        if as_operand(name, tensor).ndim != 2 and (tensor.ndim != 1 or 0 < k < len(tensors) - 1):
            raise error(
                RuntimeError,
                "wrong-ndim",
                f"{name} needs matrices (the first and the last may be vectors), "
                f"operand {k} has shape {shape_of(tensor)}",
            )
    check_same_dtype(name, *tensors)
    first, last = tensors[0], tensors[-1]
    tensors[0] = row(first) if first.ndim == 1 else first
    tensors[-1] = column(last) if last.ndim == 1 else last
    for k, (a, b) in enumerate(pairwise(tensors)):
        if shape_of(a)[1] != shape_of(b)[0]:
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"{name} cannot multiply operand {k} of shape {shape_of(a)} by operand {k + 1} of shape {shape_of(b)}",
            )
    return tensors


def _splits(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Return where to split each run of a chain whose k-th matrix is (sizes[k], sizes[k + 1]): dynamic programming."""
    count = len(sizes) - 1
    cost = {(i, i + 1): 0 for i in range(count)}
    split: dict[tuple[int, int], int] = {}
    for length in range(2, count + 1):
        for i in range(count - length + 1):
            j = i + length
            options = {k: cost[i, k] + cost[k, j] + sizes[i] * sizes[k] * sizes[j] for k in range(i + 1, j)}
            # a tie is cut as late as possible: PyTorch multiplies equal costs from the left
            split[i, j] = max(options, key=lambda k: (-options[k], k))
            cost[i, j] = options[split[i, j]]
    return split


def _multiply(matrices: list[Any], split: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if j - i == 1:
        return matrices[i]
    k = split[i, j]
    return matmul(_multiply(matrices, split, i, k), _multiply(matrices, split, k, j))

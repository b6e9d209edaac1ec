"""Tensors combined: block diagonals, Cartesian products and combinations."""

from __future__ import annotations

from itertools import combinations as _choices
from itertools import combinations_with_replacement as _repeated_choices
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.row import T, op, sample


def _blocks(shapes: list[tuple[int, int]]) -> list[tuple[slice, slice]]:
    row = column = 0
    found = []
    for rows, columns in shapes:
        found.append((slice(row, row + rows), slice(column, column + columns)))
        row, column = row + rows, column + columns
    return found


def _block_diag(*tensors: Any) -> Any:
    shapes = [t.shape for t in tensors]
    out = np.zeros(np.sum(shapes, axis=0, dtype=np.int64), np.result_type(*tensors))
    for block, tensor in zip(_blocks(shapes), tensors, strict=True):
        out[block] = tensor
    return out


def _slope_blocks(g: Any, tensors: Any, needs: tuple[bool, ...]) -> tuple[Any, ...]:
    blocks = _blocks([tuple(t.shape) for t in tensors])
    return tuple(g[block] if needed else None for block, needed in zip(blocks, needs, strict=True))


_block_diag_primitive = Primitive("block_diag", _block_diag, _slope_blocks)


@op(
    "torch.block_diag", "block_diag(*tensors)", category="creation",
    doc="A matrix with the given matrices along its diagonal and zeros elsewhere; vectors count as rows.",
    formula="the blocks of g",
    examples=("block_diag(tensor([[1.]]), tensor([2., 3.]))  #> [[1., 0., 0.], [0., 2., 3.]]",),
    samples=(sample(T(2, 2), T(1, 3)), sample(T(), T(2), T(2, 1))),
)  # fmt: skip
def block_diag(*tensors: Any) -> Tensor:
    matrices = []
    for tensor in map(as_tensor, tensors):
        if tensor.ndim > 2:
            raise error(RuntimeError, "wrong-ndim", f"block_diag takes at most 2 dimensions, got {tuple(tensor.shape)}")
        matrices.append(tensor if tensor.ndim == 2 else tensor.reshape((1, tensor.numel())))
    if not matrices:
        return Tensor(np.zeros((1, 0), np.float64)).to(as_tensor(0.0).dtype)
    return _block_diag_primitive(*matrices)  # type: ignore[no-any-return]


@op(
    "torch.cartesian_prod", "cartesian_prod(*tensors)", category="creation",
    doc="All ways to take one element of each vector, a row each; of a single vector the vector itself.",
    formula="g summed over the rows that hold the element",
    examples=("cartesian_prod(tensor([1, 2]), tensor([3, 4]))  #> [[1, 3], [1, 4], [2, 3], [2, 4]]",),
    samples=(sample(T(2), T(3)), sample(T(2)), sample(T(2), T(1), T(2))),
)  # fmt: skip
def cartesian_prod(*tensors: Any) -> Any:
    from gradcli.ops.joining import stack

    given = [as_tensor(t) for t in tensors]
    for tensor in given:
        if tensor.ndim != 1:
            raise error(RuntimeError, "wrong-ndim", f"cartesian_prod takes vectors, got shape {tuple(tensor.shape)}")
    if len(given) == 1:
        return given[0]
    sizes = tuple(t.numel() for t in given)
    columns = [t.reshape(tuple(n if i == j else 1 for j, n in enumerate(sizes))) for i, t in enumerate(given)]
    return stack([c.expand(sizes).reshape((-1,)) for c in columns], dim=1)


@op(
    "torch.combinations", "combinations(input, r=2, with_replacement=False)", names="Tensor.combinations",
    category="creation", doc="All ways to choose r elements of a vector, a row each.",
    formula="g summed over the rows that hold the element",
    examples=("combinations(tensor([1, 2, 3]))  #> [[1, 2], [1, 3], [2, 3]]",),
    samples=(sample(T(3)), sample(T(3), 3), sample(T(2), with_replacement=True)),
)  # fmt: skip
def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    from gradcli.ops.joining import stack

    vector: Any = as_tensor(input)
    if vector.ndim != 1:
        raise error(RuntimeError, "wrong-ndim", f"combinations takes a vector, got shape {tuple(vector.shape)}")
    if r < 0:
        raise error(RuntimeError, "bad-argument", f"combinations: r cannot be negative, got {r}")
    choose = _repeated_choices if with_replacement else _choices
    if not r:
        return vector[:0]
    index = np.array(list(choose(range(vector.numel()), r)), np.int64).reshape(-1, r)
    return stack([vector[Tensor(index[:, k])] for k in range(r)], dim=1)

"""Jacobians and Hessians of a recorded tensor by leaves: batched backward passes over unit cotangents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gradcli.autograd import Tensor, grad

_BATCH = 2**22
"""Elements of the cotangents that one batched pass starts from."""


def jacobians(output: Tensor, leaves: Sequence[Tensor], graph: bool = False) -> list[Tensor | None]:
    """Return the Jacobian of ``output`` by each leaf, of shape output + leaf; None where it does not reach the leaf.

    Row i is eᵢᵀJ, the vector-Jacobian product of a unit cotangent. With ``graph`` the result can be differentiated.
    """
    rows = [
        grad(
            [output],
            list(leaves),
            [seeds],
            retain_graph=True,
            create_graph=graph,
            allow_unused=True,
            is_grads_batched=True,
        )
        for seeds in _unit_cotangents(output)
    ]
    if not rows:  # an output without elements
        return [_zeros(output, leaf) for leaf in leaves]
    return [
        None if any(part is None for part in parts) else _joined(parts, output, leaf)
        for parts, leaf in zip(zip(*rows, strict=True), leaves, strict=True)
    ]


def hessians(output: Tensor, leaves: Sequence[Tensor], seed: Tensor | None = None) -> list[list[Tensor | None]]:
    """Return the second derivatives of ``output`` by each pair of leaves: of shape leaf + leaf for an output of one
    element or with a ``seed`` v (then those of vᵀy), otherwise of shape output + leaf + leaf.

    None stands for a block that is zero since the first derivative does not depend on the second leaf.
    """
    if seed is None and math.prod(output.shape) != 1:
        first = jacobians(output, leaves, graph=True)
    else:
        first = list(grad([output], list(leaves), [seed], retain_graph=True, create_graph=True, allow_unused=True))
    return [[None] * len(leaves) if g is None or not g.requires_grad else jacobians(g, leaves) for g in first]


def hessian_by_name(
    output: Tensor, leaves: Mapping[str, Tensor], seed: Tensor | None = None
) -> tuple[dict[str, dict[str, Tensor]], bool]:
    """Return the blocks of ``hessians`` by the names of two leaves, and whether the first derivative is constant."""
    blocks = hessians(output, list(leaves.values()), seed)
    lead = [output] if seed is None and math.prod(output.shape) != 1 else []
    named = {
        first: {
            second: _zeros(*lead, leaves[first], leaves[second]) if block is None else block
            for second, block in zip(leaves, row, strict=True)
        }
        for first, row in zip(leaves, blocks, strict=True)
    }
    return named, all(block is None for row in blocks for block in row)


def _zeros(*parts: Tensor) -> Tensor:
    """Return zeros of the shapes of all parts, one after the other, in the dtype of the last."""
    shape = [size for part in parts for size in part.shape]
    return Tensor(np.zeros(shape, parts[-1]._element))


def _unit_cotangents(output: Tensor) -> Iterator[Tensor]:
    """Yield the unit vectors of the output's space along a new first axis, in batches of bounded size."""
    count = math.prod(output.shape)
    size = max(1, min(count, _BATCH // max(count, 1)))
    for start in range(0, count, size):
        rows = min(size, count - start)
        seeds = np.zeros((rows, count), output._element)
        seeds[np.arange(rows), start + np.arange(rows)] = 1
        yield Tensor(seeds.reshape((rows, *output.shape)))


def _joined(parts: Sequence[Tensor | None], output: Tensor, leaf: Tensor) -> Tensor:
    """Return batches of rows as one Jacobian."""
    rows = [part for part in parts if part is not None]
    whole = rows[0] if len(rows) == 1 else _stacked(rows)
    shaped: Tensor = whole.reshape((*output.shape, *leaf.shape))
    return shaped


def _stacked(rows: list[Tensor]) -> Tensor:
    from gradcli.ops.registry import row_named

    row = row_named("torch.cat")
    assert row is not None
    stacked: Tensor = row.function(rows)
    return stacked

"""Einstein summation: a notation is read into labels, operands are aligned by them, and pairs are contracted in turn.

A contraction is a batched matrix product of operands whose dimensions have been permuted and joined, so its derivatives
are those of the product and of the views.
"""

from __future__ import annotations

import math
import string
from functools import lru_cache
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.matmul import batched_product, recorded
from gradcli.ops.matrix import as_operand, check_same_dtype, column, permute, shape_of, summed
from gradcli.ops.row import T, op, sample

Labels = tuple[str, ...]
_LETTERS = string.ascii_uppercase + string.ascii_lowercase


@op(
    "torch.einsum",
    "einsum(equation, *operands)",
    category="linear algebra",
    doc="Sums of products, written with a label for each dimension: 'ij,jk->ik' is the matrix product. A label "
    "missing after -> "
    "is summed over, a label twice in one operand takes the diagonal, ... stands for further dimensions, which "
    "broadcast. "
    "Without -> the result has the labels that occur once, in alphabetical order. Operands may also be followed by "
    "lists of "
    "integer labels: einsum(a, [0, 1], b, [1, 2], [0, 2]).",
    formula="to each operand: g contracted with the others over the labels that operand lacks",
    conventions="sizes of 1 broadcast; many operands are contracted from left to right",
    examples=(
        "einsum('ij,j->i', tensor([[1., 2.], [3., 4.]]), tensor([1., 10.]))  #> [21., 43.]",
        "einsum('ii', tensor([[1., 2.], [3., 4.]]))  #> 5.",
    ),
    samples=(
        sample("ij,jk->ik", T(2, 3), T(3, 2)),
        sample("i,i->", T(3), T(3)),
        sample("ii->i", T(3, 3)),
        sample("ij->", T(2, 3)),
        sample("ba", T(2, 3)),
        sample("bij,bjk->bik", T(2, 2, 3), T(2, 3, 1)),
        sample("ij,ij,kj->ik", T(2, 3), T(2, 3), T(2, 3)),
        sample("...ij,...jk", T(2, 2, 3), T(3, 2)),
        sample("i,j->ji", T(2), T(3)),
        sample("ij,jk->", T(2, 3), T(3, 2)),
        sample("iij,jk->ik", T(2, 2, 3), T(3, 2)),
        sample("ij,ij->ij", T(1, 3), T(2, 3)),
        sample("i,i->i", T(0), T(0)),
    ),
)
def einsum(equation: Any, *operands: Any) -> Any:
    """Contract operands of one dtype as the notation says; RuntimeError where notation and shapes do not fit."""
    terms, output, operands = _read(equation, operands)
    _check_sizes(terms, operands)
    if recorded(*operands):
        return _contracted([as_tensor(x) for x in operands], terms, output)
    made = _contracted([raw(x) for x in operands], terms, output)
    return Tensor(made) if any(isinstance(x, Tensor) for x in operands) else made


def _contracted(operands: list[Any], terms: list[Labels], output: Labels) -> Any:
    """Contract tensors, or arrays, in the steps that PyTorch takes and records: aligned, in pairs from the left."""
    order = (*output, *_summed_labels(terms, output))
    first = len(output)
    aligned = [_aligned(x, labels, order) for x, labels in zip(operands, terms, strict=True)]
    counts = [sum(shape_of(x)[d] != 1 for x in aligned) for d in range(len(order))]
    made = aligned[0]
    for other in aligned[1:]:
        made = _pair(made, other, first, counts)
    if len(order) == first:
        return made
    return made.sum(tuple(range(first, len(order)))) if len(operands) == 1 else made.reshape(shape_of(made)[:first])


def _summed_labels(terms: list[Labels], output: Labels) -> list[str]:
    """Return the labels that the result lacks: dimensions of '...' as they come, then letters in order."""
    missing = {label for labels in terms for label in labels} - set(output)
    dots = sorted((label for label in missing if len(label) > 1), key=int)
    return [*dots, *sorted(label for label in missing if len(label) == 1)]


def _aligned(x: Any, labels: Labels, order: Labels) -> Any:
    """Return ``x`` with a dimension for each label of ``order``, of size 1 where it lacks the label; diagonals
    taken.
    """
    while len(set(labels)) < len(labels):
        label = next(y for y in labels if labels.count(y) > 1)
        i = labels.index(label)
        j = labels.index(label, i + 1)
        x, labels = x.diagonal(0, i, j), labels[:j] + labels[j + 1 :]
        last = x.ndim - 1
        x = permute(x, (*range(i), last, *range(i, last)))
    for label in order:
        if label not in labels:
            x, labels = column(x), (*labels, label)
    return permute(x, tuple(labels.index(label) for label in order))


def _pair(left: Any, right: Any, first: int, counts: list[int]) -> Any:
    """Multiply two aligned operands and sum over the dimensions, from ``first`` on, that no later operand has."""
    dims: list[int] = []
    only_left: list[int] = []
    only_right: list[int] = []
    for d, (m, n) in enumerate(zip(shape_of(left), shape_of(right), strict=True)):
        if d < first:
            continue
        if m != 1 and n != 1:
            counts[d] -= 1
            if counts[d] == 1:
                dims.append(d)
        elif counts[d] == 1 and (m != 1 or n != 1):
            (only_left if m != 1 else only_right).append(d)
            counts[d] = 0
    left = summed(left, only_left) if only_left else left
    right = summed(right, only_right) if only_right else right
    return _sum_of_products(left, right, dims) if dims else left * right


def _sum_of_products(left: Any, right: Any, dims: list[int]) -> Any:
    """Return the sum of left * right over ``dims`` (kept, with size 1), as one batched matrix product."""
    check_same_dtype("einsum", left, right)
    a, b = shape_of(left), shape_of(right)
    free = [d for d in range(len(a)) if d not in dims]
    batch = [d for d in free if a[d] != 1 and b[d] != 1]
    rows = [d for d in free if a[d] != 1 and b[d] == 1]
    columns = [d for d in free if a[d] == 1]
    count, depth = math.prod(a[d] for d in batch), math.prod(a[d] for d in dims)
    order = [*batch, *rows, *dims, *columns]
    left = permute(left, tuple(order)).reshape(count, math.prod(a[d] for d in rows), depth)
    right = permute(right, (*batch, *dims, *columns, *rows)).reshape(count, depth, math.prod(b[d] for d in columns))
    sizes = (*(a[d] for d in (*batch, *rows)), *(1 for _ in dims), *(b[d] for d in columns))
    return permute(batched_product(left, right).reshape(sizes), tuple(order.index(d) for d in range(len(a))))


def _check_sizes(terms: list[Labels], operands: tuple[Any, ...]) -> None:
    """Raise RuntimeError where two dimensions under one label differ in size (1 fits all, but not on a diagonal)."""
    sizes: dict[str, int] = {}
    for k, (labels, x) in enumerate(zip(terms, operands, strict=True)):
        own: dict[str, int] = {}
        for label, size in zip(labels, shape_of(x), strict=True):
            if own.setdefault(label, size) != size:
                raise error(
                    RuntimeError,
                    "shape-mismatch",
                    f"einsum takes a diagonal of operand {k} (label {_shown(label)} twice), but its sizes there are "
                    f"{own[label]} and {size}",
                    label=f"shape {shape_of(x)}",
                )
            known = sizes.get(label, 1)
            if known != size and 1 not in (known, size):
                raise error(
                    RuntimeError,
                    "shape-mismatch",
                    f"einsum: label {_shown(label)} has size {size} in operand {k} (shape "
                    f"{shape_of(x)}) and size {known} before",
                    label=f"{_shown(label)}: {known} against {size}",
                )
            sizes[label] = size if known == 1 else known


def _shown(label: str) -> str:
    return repr(label) if len(label) == 1 else f"of dimension {label} of '...'"


def _read(equation: Any, operands: tuple[Any, ...]) -> tuple[list[Labels], Labels, tuple[Any, ...]]:
    """Return the labels of each operand, those of the result, and the operands."""
    if not isinstance(equation, str):
        equation, operands = _from_sublists((equation, *operands))
    elif len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    for x in operands:
        as_operand("einsum", x)
    terms, output = _labels(equation, tuple(x.ndim for x in operands))
    return terms, output, operands


@lru_cache(maxsize=256)
def _labels(equation: str, ranks: tuple[int, ...]) -> tuple[list[Labels], Labels]:
    """Return the labels of operands with so many dimensions, and those of the result."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    if len(parts) != len(ranks):
        raise error(
            RuntimeError, "bad-notation", f"einsum: {equation!r} names {len(parts)} operand(s), got {len(ranks)}"
        )
    terms = [_term(equation, k, part, rank) for k, (part, rank) in enumerate(zip(parts, ranks, strict=True))]
    dots = max(sum(1 for label in term if len(label) > 1) for term in terms)
    return terms, _output(equation, right, terms, dots) if arrow else _implied(terms, dots)


def _term(equation: str, k: int, part: str, ndim: int) -> Labels:
    """Return the labels of one operand, the dimensions of '...' numbered from the last, as broadcasting aligns them."""
    before, dots, after = part.partition("...")
    _check_letters(equation, before + after)
    free = ndim - len(before) - len(after)
    if free < 0 or (free and not dots):
        raise error(
            RuntimeError,
            "bad-notation",
            f"einsum: {part!r} in {equation!r} labels {len(before + after)} dimension(s), but operand {k} has {ndim}",
            hint="'...' stands for dimensions without a label",
        )
    return (*before, *(f"-{i}" for i in range(free, 0, -1)), *after)


def _check_letters(equation: str, letters: str) -> None:
    for letter in letters:
        if letter not in _LETTERS:
            raise error(
                RuntimeError,
                "bad-notation",
                f"einsum: {letter!r} in {equation!r} is no label",
                hint="labels are single letters a-z, A-Z; '...' stands for further dimensions",
            )


def _output(equation: str, right: str, terms: list[Labels], dots: int) -> Labels:
    before, ellipsis, after = right.partition("...")
    _check_letters(equation, before + after)
    known = {label for term in terms for label in term}
    for letter in before + after:
        if letter not in known:
            raise error(
                RuntimeError, "bad-notation", f"einsum: the result label {letter!r} of {equation!r} is in no operand"
            )
        if (before + after).count(letter) > 1:
            raise error(
                RuntimeError, "bad-notation", f"einsum: the result label {letter!r} of {equation!r} is written twice"
            )
    return (*before, *(f"-{i}" for i in range(dots, 0, -1) if ellipsis), *after)


def _implied(terms: list[Labels], dots: int) -> Labels:
    """Return the labels of a result that is not written: first those of '...', then all that occur once, in order."""
    written = [label for term in terms for label in term if len(label) == 1]
    once = sorted(label for label in set(written) if written.count(label) == 1)
    return (*(f"-{i}" for i in range(dots, 0, -1)), *once)


def _from_sublists(args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return equation and operands of the form einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    pairs, rest = args[: len(args) // 2 * 2], args[len(args) // 2 * 2 :]
    equation = ",".join(_letters(labels) for labels in pairs[1::2])
    if rest:
        equation += "->" + _letters(rest[0])
    return equation, pairs[::2]


def _letters(labels: Any) -> str:
    if not isinstance(labels, (list, tuple)):
        raise error(
            TypeError,
            "bad-notation",
            "einsum takes an equation and tensors, or tensors each followed by a list of labels; "
            f"got {type(labels).__name__} in place of a list",
        )
    for label in labels:
        if label is not Ellipsis and not (isinstance(label, int) and 0 <= label < len(_LETTERS)):
            raise error(
                RuntimeError, "bad-notation", f"einsum: integer labels are 0 to {len(_LETTERS) - 1}, got {label!r}"
            )
    return "".join("..." if label is Ellipsis else _LETTERS[label] for label in labels)

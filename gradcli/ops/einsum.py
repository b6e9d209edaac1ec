"""Einstein summation: a notation is read into labels, operands are brought to plain form, pairs are contracted in turn.

Only the contraction of two operands is a new operation. Its cotangents are contractions again, so it may be
differentiated any number of times.
"""

from __future__ import annotations

import math
import string
from functools import lru_cache
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, raw
from gradcli.ops.matrix import as_operand, check_same_dtype, permute, shape_of
from gradcli.ops.row import T, op, sample

Labels = tuple[str, ...]
_LETTERS = string.ascii_uppercase + string.ascii_lowercase


@lru_cache(maxsize=256)
def _plan(a: Labels, b: Labels, result: Labels) -> tuple[Any, ...]:
    """Return how dimensions labelled ``a`` and ``b`` become a batched matrix product and then ``result``.

    The orders of both operands and of the result, and how many labels are in the batch, in rows, and summed over.
    """
    batch = [x for x in result if x in a and x in b]
    rows = [x for x in result if x not in b]
    columns = [x for x in result if x not in a]
    summed = [x for x in a if x not in result]
    order = (*batch, *rows, *columns)
    first = tuple(a.index(x) for x in (*batch, *rows, *summed))
    second = tuple(b.index(x) for x in (*batch, *summed, *columns))
    return first, second, tuple(order.index(x) for x in result), len(batch), len(rows), len(summed)


def _contract(left: Any, right: Any, *, a: Labels, b: Labels, result: Labels) -> Any:
    """Contract two arrays whose dimensions are labelled ``a`` and ``b``, as one batched matrix product."""
    first, second, order, batch, rows, summed = _plan(a, b, result)
    left, right = left.transpose(first), right.transpose(second)
    lead, outer, inner = left.shape[:batch], left.shape[batch : batch + rows], left.shape[batch + rows :]
    tail = right.shape[batch + summed :]
    count, depth = math.prod(lead), math.prod(inner)
    left = left.reshape(count, math.prod(outer), depth)
    right = right.reshape(count, depth, math.prod(tail))
    product = np.matmul(left, right) if summed else left * right
    return product.reshape(lead + outer + tail).transpose(order)


def _contract_samples(primitive: Primitive, size: int, flags: Any, values: Any, params: dict[str, Any]) -> Any:
    """Contract for all samples of a vmap at once: the batch is one more label of the operands that have it."""
    a, b = (("*",) * flag + params[name] for flag, name in zip(flags, "ab", strict=True))
    return primitive(*values, a=a, b=b, result=("*", *params["result"]))


contract: Primitive = Primitive(
    "einsum",
    _contract,
    {
        "left": lambda g, right, a, b, result: contract(g, H(right), a=result, b=b, result=a),
        "right": lambda g, left, a, b, result: contract(g, H(left), a=result, b=a, result=b),
    },
    batch=_contract_samples,
)


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
    sizes = _sizes(terms, operands)
    plain = [_plain(k, x, t, sizes) for k, (x, t) in enumerate(zip(operands, terms, strict=True))]
    made, labels = plain[0]
    for k in range(1, len(plain)):
        later = {x for _, others in plain[k + 1 :] for x in others}
        made, labels = _pair(made, labels, *plain[k], keep=(*output, *sorted(later.difference(output))))
    made, labels = _sum_out(made, labels, output)
    return permute(made, tuple(labels.index(label) for label in output)) if labels != output else made


def _pair(left: Any, a: Labels, right: Any, b: Labels, keep: Labels) -> tuple[Any, Labels]:
    """Contract two operands over the labels that nobody needs any more."""
    left, a = _sum_out(left, a, b + keep)
    right, b = _sum_out(right, b, a + keep)
    out = tuple(x for x in keep if x in a or x in b)
    if raw(left).dtype != raw(right).dtype and set(a) | set(b) == set(out):
        one = raw(left).dtype.type(1) * raw(right).dtype.type(1)  # an outer product promotes, as multiplication does
        left, right = left * one, right * one
    check_same_dtype("einsum", left, right)
    return contract(left, right, a=a, b=b, result=out), out


def _sum_out(x: Any, labels: Labels, keep: Labels) -> tuple[Any, Labels]:
    """Sum over the dimensions whose label is in none of the other operands and not in the result."""
    dims = tuple(i for i, label in enumerate(labels) if label not in keep)
    return (x.sum(dims), tuple(label for label in labels if label in keep)) if dims else (x, labels)


def _plain(k: int, x: Any, labels: Labels, sizes: dict[str, int]) -> tuple[Any, Labels]:
    """Return operand ``k`` with each label once: diagonals taken, and dimensions of size 1 that broadcast dropped."""
    shape = shape_of(x)
    if len(set(labels)) == len(labels) and all(n == sizes[label] for n, label in zip(shape, labels, strict=True)):
        return x, labels
    while len(set(labels)) < len(labels):
        label = next(y for y in labels if labels.count(y) > 1)
        i = labels.index(label)
        j = labels.index(label, i + 1)
        if shape_of(x)[i] != shape_of(x)[j]:
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"einsum takes a diagonal of operand {k} (label {label!r} twice), but its "
                f"sizes there are {shape_of(x)[i]} and {shape_of(x)[j]}",
                label=f"shape {shape_of(x)}",
            )
        x = x.diagonal(0, i, j)
        labels = (*(y for n, y in enumerate(labels) if n not in (i, j)), label)
    shape = shape_of(x)
    kept = [n for n, label in enumerate(labels) if shape[n] == sizes[label]]
    if len(kept) < len(labels):
        x, labels = x.reshape(tuple(shape[n] for n in kept)), tuple(labels[n] for n in kept)
    return x, labels


def _sizes(terms: list[Labels], operands: tuple[Any, ...]) -> dict[str, int]:
    """Return the size of each label; RuntimeError where two dimensions under one label differ (1 fits all)."""
    sizes: dict[str, int] = {}
    for k, (labels, x) in enumerate(zip(terms, operands, strict=True)):
        for label, size in zip(labels, shape_of(x), strict=True):
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
    return sizes


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

"""Products of matrices: shapes of gradients for every pairing of dimensions, notations of einsum, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd import Tensor, grad

RANDOM = np.random.default_rng(7)
PAIRS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (7, 3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 2)),
    ((1, 2, 3), (5, 3, 4)),
]


def draw(*shape: int) -> Tensor:
    return Tensor(RANDOM.standard_normal(shape)).requires_grad_()


def tree(fn: Any) -> str:
    if fn is None:
        return "."
    kids = [tree(n) for n, _ in fn.next_functions]
    name = fn.name().replace("Backward", "").replace("AccumulateGrad", "A")
    return name + (f"({', '.join(kids)})" if kids else "")


@pytest.mark.parametrize(("left", "right"), PAIRS, ids=str)
def test_matmul_gives_each_operand_a_gradient_of_its_own_shape(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = draw(*left), draw(*right)
    y = a @ b
    want = np.matmul(a._array, b._array)
    np.testing.assert_allclose(y._array, want, rtol=1e-13)
    seed = RANDOM.standard_normal(want.shape)
    da, db = RANDOM.standard_normal(left), RANDOM.standard_normal(right)
    got = grad(y, [a, b], [Tensor(seed)])
    assert [tuple(g.shape) for g in got] == [left, right]
    slope = (got[0]._array * da).sum() + (got[1]._array * db).sum()
    change = np.matmul(da, b._array) + np.matmul(a._array, db)
    assert slope == pytest.approx(float((seed * change).sum()), rel=1e-12)


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        ((3,), (3,), "Dot0(A, A)"),
        ((2, 3), (3,), "Mv0(A, A)"),
        ((3,), (3, 2), "Squeeze4(Mm0(Unsqueeze0(A), A))"),
        ((5, 2, 3), (3, 4), "UnsafeView0(Mm0(View0(A), A))"),
        ((2, 3), (5, 3, 4), "Clone0(Transpose0(UnsafeView0(Mm0(UnsafeView0(Clone0(Transpose0(A))), T0(A)))))"),
        ((5, 2, 3), (5, 3, 4), "UnsafeView0(Bmm0(A, A))"),
    ],
    ids=str,
)
def test_matmul_records_the_steps_of_pytorch(left: tuple[int, ...], right: tuple[int, ...], names: str) -> None:
    assert tree((draw(*left) @ draw(*right)).grad_fn) == names


@pytest.mark.parametrize(
    ("left", "right"), [((2, 3), (2,)), ((), (3,)), ((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 2))], ids=str
)
def test_operands_that_do_not_fit_are_refused_with_their_shapes(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    with pytest.raises(RuntimeError) as caught:
        draw(*left) @ draw(*right)
    assert str(left) in str(caught.value) and str(right) in str(caught.value)


def test_products_do_not_promote_and_numbers_are_no_matrices() -> None:
    whole = torch.ones(2, 2, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="one dtype"):
        whole @ draw(2, 2)
    with pytest.raises(RuntimeError, match="bool"):
        (whole > 0) @ (whole > 0)
    with pytest.raises(TypeError, match="takes tensors"):
        whole @ 2
    assert (whole @ whole).tolist() == [[2, 2], [2, 2]]
    assert (np.ones((2, 2)) @ draw(2, 2)).requires_grad


def test_a_foreign_operand_may_take_over() -> None:
    class Foreign:
        def __rmatmul__(self, other: Any) -> str:
            return "taken"

    assert draw(2, 2) @ Foreign() == "taken"


NOTATIONS = [
    ("ij,jk->ik", (2, 3), (3, 2)),
    ("ij,jk", (2, 3), (3, 2)),
    ("i,i->", (3,), (3,)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("iii", (2, 2, 2)),
    ("ij->", (2, 3)),
    ("ba", (2, 3)),
    ("bij,bjk->bik", (2, 2, 3), (2, 3, 1)),
    ("a...b,b->...a", (2, 4, 3), (3,)),
    ("ij,ij,kj->ik", (2, 3), (2, 3), (2, 3)),
    ("...ij,...jk", (4, 2, 3), (3, 2)),
    ("...,...->...", (2, 3), (3,)),
    ("iij,jk->ik", (2, 2, 3), (3, 2)),
    ("bn,anm,bm->ba", (2, 5), (3, 5, 4), (2, 4)),
    ("ij,kl,mn->nilk", (2, 2), (2, 3), (1, 2)),
    ("ij,ij->ij", (1, 3), (2, 3)),
    ("Ab,bA->A", (2, 3), (3, 2)),
    (" i j , j -> i ", (2, 3), (3,)),
    ("ij,k->ik", (2, 3), (4,)),
]


@pytest.mark.parametrize("case", NOTATIONS, ids=lambda c: c[0])
def test_einsum_reads_notations_as_numpy_does(case: tuple[Any, ...]) -> None:
    equation, *shapes = case
    operands = [draw(*s) for s in shapes]
    want = np.einsum(equation, *(x._array for x in operands))
    got = torch.einsum(equation, *operands)
    np.testing.assert_allclose(got._array, want, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(torch.einsum(equation, [x.detach() for x in operands])._array, got._array)


def test_einsum_sums_over_dots_that_the_result_lacks() -> None:
    x = draw(4, 2, 3)
    np.testing.assert_allclose(torch.einsum("...ij->ij", x)._array, x._array.sum(0), rtol=1e-13)


def test_einsum_takes_lists_of_labels() -> None:
    a, b = draw(2, 3), draw(3, 2)
    np.testing.assert_allclose(torch.einsum(a, [0, 1], b, [1, 2], [2, 0])._array, (a._array @ b._array).T)
    np.testing.assert_allclose(torch.einsum(a, [..., 1], b, [1, 2], [..., 2])._array, a._array @ b._array)


@pytest.mark.parametrize(
    ("equation", "shapes", "words"),
    [
        ("ij,jk", [(2, 3), (2, 3)], "size 2"),
        ("ij,j->ii", [(2, 3), (3,)], "twice"),
        ("ij,j->k", [(2, 3), (3,)], "no operand"),
        ("ij", [(2, 3, 4)], "labels 2"),
        ("ij,jk", [(2, 3)], "2 operand"),
        ("i1", [(2, 3)], "no label"),
        ("ii", [(2, 3)], "diagonal"),
    ],
)
def test_einsum_says_what_is_wrong_with_a_notation(equation: str, shapes: list[Any], words: str) -> None:
    with pytest.raises(RuntimeError, match=words):
        torch.einsum(equation, *(draw(*s) for s in shapes))


def test_multi_dot_takes_the_cheapest_order() -> None:
    a, b, c, d = draw(2, 4), draw(4, 1), draw(1, 3), draw(3, 2)
    assert tree(torch.linalg.multi_dot([a, b, c, d]).grad_fn) == "View0(Mm0(Mm0(A, A), Mm0(A, A)))"
    assert tree(torch.linalg.multi_dot([draw(3, 2), draw(2, 3), draw(3, 1)]).grad_fn) == "View0(Mm0(A, Mm0(A, A)))"


def test_beta_zero_does_not_read_the_input() -> None:
    hole = Tensor(np.full((2, 2), np.nan))
    assert torch.addmm(hole, draw(2, 3), draw(3, 2), beta=0).isfinite().all()


def test_trace_marks_the_main_diagonal_of_any_shape() -> None:
    for shape in ((5, 3), (2, 4)):
        x = draw(*shape)
        np.testing.assert_array_equal(grad(torch.trace(x), x)[0]._array, np.eye(*shape))

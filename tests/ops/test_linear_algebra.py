"""Inverses, determinants, decompositions: singular and repeated values, complex matrices, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd import LinAlgError, Tensor, grad

RANDOM = np.random.default_rng(11)
LA = torch.linalg


def leaf(data: Any) -> Tensor:
    return Tensor(np.array(data, dtype=np.result_type(np.asarray(data).dtype, np.float64))).requires_grad_()


def complex_draw(*shape: int) -> np.ndarray[Any, Any]:
    return RANDOM.standard_normal(shape) + 1j * RANDOM.standard_normal(shape)


def slope(
    function: Callable[[Tensor], Tensor], at: np.ndarray[Any, Any], along: np.ndarray[Any, Any], h: float = 1e-5
) -> float:
    """Return the fourth-order difference of a real scalar function."""
    values = [function(Tensor(at + k * h * along)).item() for k in (-2, -1, 1, 2)]
    return float((values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h))


def cofactors(m: Any) -> np.ndarray[Any, Any]:
    m = np.array(m)
    n = len(m)
    made = np.zeros_like(m)
    for i in range(n):
        for j in range(n):
            made[i, j] = (-1) ** (i + j) * np.linalg.det(np.delete(np.delete(m, i, 0), j, 1))
    return made


SINGULAR = [
    [[0.0]],
    [[2.0, 1.0], [4.0, 2.0]],
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]],
    (np.outer(np.arange(5.0), np.arange(5.0)) + np.eye(5, k=1)).tolist(),
    np.zeros((4, 4)).tolist(),
]


@pytest.mark.parametrize("matrix", SINGULAR, ids=range(len(SINGULAR)))
def test_det_has_its_cofactors_as_gradient_where_the_matrix_is_singular(matrix: Any) -> None:
    x = leaf(matrix)
    np.testing.assert_allclose(grad(torch.det(x), x)[0]._array, cofactors(matrix), atol=1e-12)
    np.testing.assert_allclose(grad(torch.det(x), x, create_graph=True)[0]._array, cofactors(matrix), atol=1e-12)


@pytest.mark.parametrize("matrix", SINGULAR[1:], ids=range(1, len(SINGULAR)))
def test_higher_derivatives_of_det_are_exact_where_the_matrix_is_singular(matrix: Any) -> None:
    n = len(matrix)
    d, e, f = (RANDOM.standard_normal((n, n)) for _ in range(3))
    x = leaf(matrix)
    first = (grad(torch.det(x), x, create_graph=True)[0] * Tensor(d)).sum()
    second_gradient = grad(first, x, create_graph=True)[0]
    second = (second_gradient * Tensor(e)).sum()
    # det is a polynomial: its mixed derivatives are combinations of its values
    at = np.array(matrix)

    def mixed(*along: Any) -> float:
        signs = [(s, sum(b * v for b, v in zip(bits, along, strict=True))) for bits, s in _signs(len(along))]
        return float(sum(s * np.linalg.det(at + step) for s, step in signs)) / 2 ** len(along)

    assert second.item() == pytest.approx(_polynomial(at, d, e), rel=1e-9, abs=1e-9)
    if n > 2:
        third = (grad(second, x)[0] * Tensor(f)).sum().item()
        if n == 3:
            assert third == pytest.approx(mixed(d, e, f), rel=1e-9, abs=1e-9)


def _signs(count: int) -> list[tuple[tuple[int, ...], int]]:
    bits = [()] if not count else [(*b, s) for b, _ in _signs(count - 1) for s in (1, -1)]
    return [(b, int(np.prod(b)) if b else 1) for b in bits]  # type: ignore[arg-type]


def _polynomial(at: Any, d: Any, e: Any) -> float:
    """Return d/ds d/dt det(at + s d + t e) at 0, from the values of a polynomial on a grid."""
    points = np.linspace(-1, 1, len(at) + 1)
    values = np.array([[np.linalg.det(at + s * d + t * e) for t in points] for s in points])
    powers = np.vander(points, increasing=True)
    return float(np.linalg.solve(powers, np.linalg.solve(powers, values).T)[1, 1])


def test_a_batch_of_regular_and_singular_matrices() -> None:
    batch = np.array([[[2.0, 1.0], [1.0, 3.0]], [[2.0, 1.0], [4.0, 2.0]]])
    x = leaf(batch)
    np.testing.assert_allclose(grad(torch.det(x).sum(), x)[0]._array, [cofactors(m) for m in batch], atol=1e-13)


def test_slogdet_of_a_singular_matrix_and_the_sign_has_no_gradient() -> None:
    x = leaf([[2.0, 1.0], [4.0, 2.0]])
    assert LA.slogdet(x).logabsdet.item() == -np.inf
    y = leaf([[2.0, 1.0], [1.0, 3.0]])
    sign = LA.slogdet(y).sign
    assert sign.requires_grad
    with pytest.raises(RuntimeError, match="not used"):
        grad(sign, y)


def test_a_singular_matrix_is_named_with_its_place_in_the_batch() -> None:
    batch = torch.tensor([[[2.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [2.0, 4.0]]])
    for call in (lambda: LA.solve(batch, torch.ones(2, 2, 1)), lambda: LA.inv(batch), lambda: LA.lu_factor(batch)):
        with pytest.raises(LinAlgError, match=r"batch element 1.*singular"):
            call()
    with pytest.raises(LinAlgError, match=r"linalg\.inv.*singular"):
        LA.inv(batch[1])
    with pytest.raises(LinAlgError, match=r"linalg\.cholesky: batch element 1.*order 1"):
        LA.cholesky(torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[-1.0, 0.0], [0.0, 1.0]]]))
    assert LA.inv_ex(batch).info.tolist() == [0, 2]
    assert LA.cholesky_ex(torch.tensor([[1.0, 2.0], [2.0, 1.0]])).info.item() == 2


@pytest.mark.parametrize("name", ["inv", "det", "cholesky", "eigh", "eig", "matrix_exp"])
def test_matrices_that_are_not_square_or_not_floating_are_refused(name: str) -> None:
    function = getattr(LA, name)
    with pytest.raises(RuntimeError, match="2 by 3"):
        function(torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="floating"):
        function(torch.ones(2, 2, dtype=torch.int64))
    with pytest.raises(RuntimeError, match="matrix"):
        function(torch.ones(3))


def test_nan_in_a_matrix_spreads_and_does_not_stop() -> None:
    hole = torch.tensor([[[float("nan"), 1.0], [1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]]])
    inverse = LA.inv(hole)
    assert inverse[0].isnan().all() and inverse[1].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert LA.eigvalsh(hole)[0].isnan().all()
    with pytest.raises(LinAlgError, match="nan or inf"):
        LA.svd(hole)


def rebuild(x: Tensor) -> Tensor:
    u, s, vh = LA.svd(x, full_matrices=False)
    return LA.norm((u * s) @ vh)


def test_vectors_of_equal_singular_values_have_gradient_nan_and_values_a_finite_one() -> None:
    x = leaf(np.diag([1.0, 1.0, 2.0]))
    assert grad(rebuild(x), x)[0].isnan().all()
    np.testing.assert_allclose(grad(LA.svdvals(x).sum(), x)[0]._array, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(grad(LA.eigvalsh(x).sum(), x)[0]._array, np.eye(3), atol=1e-15)
    assert grad(LA.eigh(x).eigenvectors.sum(), x)[0].isnan().any()
    low = leaf([[1.0, 2.0, 2.0], [2.0, 4.0, 4.0], [0.5, 1.0, 1.0]])  # rank 1: two values are 0 to rounding
    assert not grad(rebuild(low), low)[0].isfinite().any()


SYMMETRIC: list[Callable[[Tensor], Tensor]] = [
    lambda x: LA.cholesky(x).sum(),
    lambda x: (LA.cholesky(x, upper=True) ** 2 * torch.arange(9.0).reshape(3, 3)).sum(),
    lambda x: (LA.eigh(x).eigenvectors ** 2 * torch.tensor([[1.0, 2.0, 5.0], [0.0, 3.0, 1.0], [4.0, 1.0, 0.0]])).sum(),
    lambda x: (LA.eigvalsh(x, UPLO="U") * torch.arange(3.0)).sum(),
    lambda x: LA.pinv(x, hermitian=True).sum(),
]


@pytest.mark.parametrize("function", SYMMETRIC, ids=range(len(SYMMETRIC)))
def test_functions_of_symmetric_matrices_have_symmetric_gradients(function: Any) -> None:
    at = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.5]])
    d = RANDOM.standard_normal((3, 3))
    d = d + d.T
    x = leaf(at)
    g = grad(function(x), x, create_graph=True)[0]
    np.testing.assert_allclose(g._array, g._array.T, atol=1e-12)
    assert (g._array * d).sum() == pytest.approx(slope(function, at, d), rel=1e-8)

    def inner(y: Tensor) -> Tensor:
        y.requires_grad_()
        return (grad(function(y), y)[0] * Tensor(d)).sum()

    got = (grad((g * Tensor(d)).sum(), x)[0]._array * d).sum()
    assert got == pytest.approx(slope(inner, at, d), rel=1e-7, abs=1e-8)


def square(x: Tensor) -> Tensor:
    return (x.abs() ** 2).sum()


COMPLEX: list[tuple[Callable[[Tensor], Tensor], tuple[int, ...]]] = [
    (lambda x: square(x @ x.mH @ x), (2, 3)),
    (lambda x: square(LA.inv(x)), (3, 3)),
    (lambda x: torch.det(x).imag + torch.det(x).real, (3, 3)),
    (lambda x: LA.slogdet(x).logabsdet + LA.slogdet(x).sign.imag, (3, 3)),
    (lambda x: square(LA.solve(x, x.mH[:, :2])), (3, 3)),
    (lambda x: (LA.svd(x, full_matrices=False).U.abs() ** 2 * torch.arange(6.0).reshape(3, 2)).sum(), (3, 2)),
    (lambda x: (LA.svd(x, full_matrices=False).Vh.abs() ** 2 * torch.arange(6.0).reshape(2, 3)).sum(), (2, 3)),
    (lambda x: LA.qr(x).R.abs().sum() + LA.qr(x).Q.real.sum(), (3, 2)),
    (lambda x: square(LA.eigvals(x) ** 2), (3, 3)),
    (lambda x: (LA.eig(x).eigenvectors.abs() ** 2 * torch.arange(9.0).reshape(3, 3)).sum(), (3, 3)),
    (lambda x: square(LA.pinv(x)), (3, 2)),
    (lambda x: square(LA.matrix_exp(x)), (3, 3)),
    (lambda x: square(LA.lu(x).L) + square(LA.lu(x).U), (3, 3)),
    (lambda x: square(torch.fft.fft2(x, (4, 2))), (3, 3)),
]


@pytest.mark.parametrize(("function", "shape"), COMPLEX, ids=range(len(COMPLEX)))
def test_gradients_of_complex_matrices_are_those_of_differences(function: Any, shape: tuple[int, ...]) -> None:
    at, d = complex_draw(*shape), complex_draw(*shape)
    x = Tensor(at.copy()).requires_grad_()
    g = grad(function(x), x)[0]._array
    assert (g.conj() * d).sum().real == pytest.approx(slope(function, at, d), rel=1e-7)


def test_a_result_that_depends_on_the_phase_of_complex_vectors_is_refused() -> None:
    x = Tensor(complex_draw(3, 3)).requires_grad_()
    for value in (LA.eig(x).eigenvectors.sum().imag * 9, LA.svd(x).U.sum().imag * 9):
        with pytest.raises(RuntimeError, match="phi"):
            grad(value, x)


def test_qr_without_a_derivative_says_so() -> None:
    x = leaf([[1.0, 2.0], [0.5, -1.0], [1.5, 0.25]])
    for mode in ("complete", "r"):
        with pytest.raises(RuntimeError, match="mode"):
            grad(LA.qr(x, mode=mode).R.sum(), x)
    with pytest.raises(NotImplementedError, match="geqrf"):
        grad(torch.geqrf(x).a.sum(), x)


def test_pinv_and_lstsq_of_deficient_matrices() -> None:
    a = np.outer([1.0, 2.0, 3.0], [1.0, -1.0])
    np.testing.assert_allclose(LA.pinv(Tensor(a))._array, np.linalg.pinv(a), atol=1e-15)
    b = RANDOM.standard_normal((3, 1))
    found = LA.lstsq(Tensor(a), Tensor(b), driver="gelsd")
    np.testing.assert_allclose(found.solution._array, np.linalg.lstsq(a, b, rcond=None)[0], atol=1e-14)
    assert found.rank.item() == 1 and found.residuals.shape == (0,)
    assert LA.matrix_rank(Tensor(a)).item() == 1


def test_matrix_exp_of_large_and_small_matrices() -> None:
    rotation = np.array([[0.0, -30.0], [30.0, 0.0]])
    want = np.array([[np.cos(30), -np.sin(30)], [np.sin(30), np.cos(30)]])
    both = LA.matrix_exp(Tensor(np.stack([rotation, rotation * 1e-9])))._array
    np.testing.assert_allclose(both[0], want, atol=1e-12)
    np.testing.assert_allclose(both[1], [[1.0, -3e-8], [3e-8, 1.0]], atol=1e-15)
    assert np.isnan(LA.matrix_exp(Tensor(np.full((2, 2), np.nan)))._array).all()


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (2, 40, 40), (0, 0), (2, 0, 3)], ids=str)
def test_lu_rebuilds_the_matrix(shape: tuple[int, ...]) -> None:
    a = Tensor(RANDOM.standard_normal(shape))
    P, lower, upper = LA.lu(a)
    np.testing.assert_allclose((P @ lower @ upper)._array, a._array, atol=1e-12)
    again = torch.lu_unpack(*LA.lu_factor(a))
    np.testing.assert_array_equal(again.L._array, lower._array)


@pytest.mark.parametrize("n", [1, 17, 50])
def test_triangular_systems_of_any_size(n: int) -> None:
    a = Tensor(RANDOM.standard_normal((2, n, n)) + 4 * np.eye(n))
    b = Tensor(RANDOM.standard_normal((n, 3)))
    for upper in (True, False):
        part = a.triu() if upper else a.tril()
        x = LA.solve_triangular(a, b, upper=upper)
        np.testing.assert_allclose((part @ x)._array, np.broadcast_to(b._array, (2, n, 3)), rtol=1e-7, atol=1e-8)
    assert LA.solve_triangular(torch.zeros(1, 1), torch.ones(1, 1), upper=True).item() == np.inf


def test_ldl_rebuilds_solutions_of_indefinite_systems() -> None:
    for hermitian in (False, True):
        a = complex_draw(2, 9, 9) if hermitian else RANDOM.standard_normal((2, 9, 9))
        a = a + np.conj(a).swapaxes(-1, -2)
        a[:, range(9), range(9)] *= 0.01
        b = RANDOM.standard_normal((9, 2)).astype(a.dtype)
        found = LA.ldl_solve(*LA.ldl_factor(Tensor(a), hermitian=hermitian), Tensor(b), hermitian=hermitian)
        np.testing.assert_allclose(a @ found._array, np.broadcast_to(b, (2, 9, 2)), atol=1e-9)
        assert (LA.ldl_factor(Tensor(a), hermitian=hermitian).pivots._array < 0).any()


def test_norms_of_matrices_and_their_refusals() -> None:
    a = RANDOM.standard_normal((3, 4, 2))
    for ord in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        want = np.array([np.linalg.norm(a[:, i], ord) for i in range(4)])
        got = LA.matrix_norm(Tensor(a), ord, dim=(0, 2))
        np.testing.assert_allclose(got._array, want, rtol=1e-12)
        assert LA.matrix_norm(Tensor(a), ord, dim=(0, 2), keepdim=True).shape == (1, 4, 1)
    with pytest.raises(RuntimeError, match="order 3"):
        LA.matrix_norm(Tensor(a), 3)
    with pytest.raises(RuntimeError, match="needs dim"):
        LA.norm(Tensor(a), 2)
    assert LA.cond(torch.tensor([[1.0, 2.0], [2.0, 4.0]]), 1).item() == np.inf


def test_cond_in_the_frobenius_norm_differentiates() -> None:
    at, d = RANDOM.standard_normal((3, 3)), RANDOM.standard_normal((3, 3))
    x = leaf(at)
    got = (grad(LA.cond(x, "fro"), x)[0]._array * d).sum()
    assert got == pytest.approx(slope(lambda y: LA.cond(y, "fro"), at, d), rel=1e-6)

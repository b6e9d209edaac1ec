"""Reductions where it is not obvious: zeros in products, dtypes, empty tensors, nan, infinities, memory."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradcli.autograd import Tensor, detail_of, grad
from gradcli.ops.namespaces import namespace
from gradcli.ops.reducing import spread

torch = namespace("torch")
NAN, INF = math.nan, math.inf


def leaf(data: Any, dtype: str = "float64") -> Tensor:
    return Tensor(np.array(data, dtype)).requires_grad_()


def slopes(function: Any, x: Tensor) -> list[float]:
    y = function(x)
    return grad(y.sum() if y.ndim else y, x)[0].tolist()  # type: ignore[union-attr, no-any-return]


# -- products with zeros: whole numbers, so that equality is exact -----------------------------------------------------
FACTORS = st.lists(st.sampled_from([0.0, 0.0, 1.0, -2.0, 3.0]), min_size=1, max_size=5)


def without(values: list[float], *places: int) -> float:
    return math.prod(v for i, v in enumerate(values) if i not in places) if len(set(places)) == len(places) else 0.0


@settings(max_examples=60, deadline=None)
@given(FACTORS)
def test_derivatives_of_a_product_leave_factors_out(values: list[float]) -> None:
    x = leaf(values)
    (first,) = grad(torch.prod(x), x, create_graph=True)
    assert first is not None
    assert first.tolist() == pytest.approx([without(values, i) for i in range(len(values))], abs=1e-12)
    for i in range(len(values) if len(values) > 1 else 0):
        (second,) = grad(first[i], x, create_graph=True)
        assert second is not None
        assert second.tolist() == pytest.approx([without(values, i, j) for j in range(len(values))], abs=1e-12)


def test_the_third_derivative_of_a_product_with_zeros() -> None:
    x = leaf([0.0, 0.0, 0.0, 5.0])
    value: Any = torch.prod(x, 0)
    for place in (0, 1, 2):
        value = grad(value, x, create_graph=True)[0][place]  # type: ignore[index]
    assert value.item() == 5.0


@settings(max_examples=60, deadline=None)
@given(FACTORS)
def test_derivatives_of_running_products_leave_factors_out(values: list[float]) -> None:
    x, count = leaf(values), len(values)
    (first,) = grad(torch.cumprod(x, 0).sum(), x, create_graph=True)
    assert first is not None
    heads = [values[: k + 1] for k in range(count)]
    want = [math.fsum(without(h, i) for h in heads if i < len(h)) for i in range(count)]
    assert first.tolist() == pytest.approx(want, abs=1e-12)
    if count > 1:
        (second,) = grad(first.sum(), x)
        assert second is not None
        pairs = [math.fsum(without(h, i, j) for h in heads for i in range(len(h)) if j < len(h)) for j in range(count)]
        assert second.tolist() == pytest.approx(pairs, abs=1e-12)


# -- dtypes -----------------------------------------------------------------------------------------------------------
def test_integers_and_bools_sum_to_int64() -> None:
    for dtype in ("bool", "uint8", "int32"):
        assert torch.sum(Tensor(np.ones(300, dtype))).dtype.name == "int64"
        assert torch.sum(Tensor(np.ones(300, dtype))).item() == 300
        assert torch.prod(Tensor(np.ones(2, dtype)), 0).dtype.name == "int64"


def test_a_dtype_is_applied_before_summing_and_undone_in_the_gradient() -> None:
    from gradcli.autograd.dtypes import float64

    x = leaf([1.0, 2.0], "float32")
    y = torch.sum(x, dtype=float64)
    assert y.dtype.name == "float64"
    (g,) = grad(y, x)
    assert g is not None and g.dtype.name == "float32"


def test_truth_of_uint8_stays_uint8() -> None:
    assert torch.all(Tensor(np.array([1, 2], "uint8"))).dtype.name == "uint8"
    assert torch.all(Tensor(np.array([1, 2]))).dtype.name == "bool"


def test_a_variance_of_complex_numbers_is_real() -> None:
    assert torch.var(Tensor(np.array([1 + 1j, 3j]))).dtype.name == "float64"
    assert torch.norm(Tensor(np.array([3j, 4.0]))).item() == 5.0


# -- memory -----------------------------------------------------------------------------------------------------------
def test_the_cotangent_of_a_large_sum_is_repeated_without_copies() -> None:
    wide = spread(np.array(1.5), (10**6, 10**6), (0, 1))
    assert wide.shape == (10**6, 10**6) and wide.strides == (0, 0)
    rows = spread(np.arange(3.0), (3, 10**9), (1,))
    assert rows.shape == (3, 10**9) and rows.strides[1] == 0


# -- kinks ------------------------------------------------------------------------------------------------------------
def test_ties_share_where_everything_is_reduced_and_choose_along_a_dimension() -> None:
    ties = [3.0, 1.0, 3.0]
    assert slopes(torch.max, leaf(ties)) == [0.5, 0.0, 0.5]
    assert slopes(torch.amax, leaf(ties)) == [0.5, 0.0, 0.5]
    assert slopes(lambda x: torch.amax(x, 0), leaf(ties)) == [0.5, 0.0, 0.5]
    assert slopes(lambda x: torch.max(x, 0).values, leaf(ties)) == [1.0, 0.0, 0.0]
    assert slopes(lambda x: torch.aminmax(x).max, leaf(ties)) == [0.5, 0.0, 0.5]
    assert slopes(lambda x: torch.cummax(x, 0).values, leaf(ties)) == [2.0, 0.0, 1.0]
    assert slopes(lambda x: torch.norm(x, INF), leaf([-3.0, 1.0, 3.0])) == [-0.5, 0.0, 0.5]


def test_norms_and_deviations_have_gradient_zero_where_nothing_varies() -> None:
    for p in (1, 1.5, 2, 3):
        assert slopes(lambda x, p=p: torch.norm(x, p), leaf([0.0, 0.0])) == [0.0, 0.0]
    assert slopes(torch.std, leaf([2.0, 2.0])) == [0.0, 0.0]


def test_order_zero_has_a_graph_but_no_gradient() -> None:
    x = leaf([1.0, 0.0])
    assert torch.linalg.vector_norm(x, 0).requires_grad
    assert grad(torch.linalg.vector_norm(x, 0), x, allow_unused=True) == (None,)


def test_nan_is_found_or_skipped() -> None:
    assert torch.max(Tensor(np.array([1.0, NAN, 2.0])), 0).indices.item() == 1
    assert slopes(torch.max, leaf([NAN, 1.0, NAN])) == [0.5, 0.0, 0.5]
    assert slopes(torch.nanmean, leaf([NAN, 1.0, 3.0])) == [0.0, 0.5, 0.5]
    assert torch.nanquantile(Tensor(np.array([NAN, 1.0, 3.0])), 0.5).item() == 2.0
    assert math.isnan(torch.quantile(Tensor(np.array([NAN, 1.0, 3.0])), 0.5).item())


def test_logarithms_of_sums_do_not_overflow() -> None:
    x = leaf([1000.0, 1000.0, -1000.0])
    assert torch.logsumexp(x, 0).item() == pytest.approx(1000 + math.log(2), rel=1e-15)
    assert slopes(lambda x: torch.logsumexp(x, 0), x) == pytest.approx([0.5, 0.5, 0.0])
    assert slopes(lambda x: torch.logcumsumexp(x, 0), x) == pytest.approx([2.0, 1.0, 0.0])
    assert slopes(lambda x: torch.logcumsumexp(x, 0), leaf([2.0, -INF, INF, 2.0]))[:2] == [2.0, 0.0]


# -- empty tensors ----------------------------------------------------------------------------------------------------
def test_empty_tensors() -> None:
    empty = leaf(np.zeros((0, 3)))
    assert torch.sum(empty).item() == 0.0 and torch.prod(empty).item() == 1.0
    with np.errstate(all="ignore"):
        assert math.isnan(torch.mean(empty).item())
        assert np.isnan(torch.var(empty, 0)._array).all()
    assert torch.logsumexp(empty, 0).tolist() == [-INF] * 3
    assert grad(torch.sum(empty), empty)[0].shape == (0, 3)  # type: ignore[union-attr]
    assert torch.max(empty, 1).values.shape == (0,)


@pytest.mark.parametrize(
    ("call", "cls"),
    [
        (lambda: torch.max(Tensor(np.zeros(0))), RuntimeError),
        (lambda: torch.max(Tensor(np.zeros((0, 3))), 0), IndexError),
        (lambda: torch.amax(Tensor(np.zeros((0, 3))), 0), IndexError),
        (lambda: torch.argmax(Tensor(np.zeros(0))), IndexError),
        (lambda: torch.quantile(Tensor(np.zeros(0)), 0.5), RuntimeError),
        (lambda: torch.linalg.vector_norm(Tensor(np.zeros(0)), INF), RuntimeError),
        (lambda: torch.mean(Tensor(np.ones(2, "int64"))), RuntimeError),
        (lambda: torch.sum(Tensor(np.ones((2, 2))), 0, 1), TypeError),  # type: ignore[arg-type]
        (lambda: torch.sum(Tensor(np.ones((2, 2))), 5), IndexError),
        (lambda: torch.sum(Tensor(np.ones((2, 2))), (0, -2)), RuntimeError),
        (lambda: torch.sum(Tensor(np.ones((2, 2))), 0.5), TypeError),
        (lambda: torch.max(Tensor(np.ones((2, 2))), (0, 1)), TypeError),
        (lambda: torch.prod(Tensor(np.ones((2, 2))), (0, 1)), TypeError),
        (lambda: torch.var(Tensor(np.ones(2)), unbiased=False, correction=1), TypeError),
        (lambda: torch.quantile(Tensor(np.ones(2)), 1.5), RuntimeError),
        (lambda: torch.bincount(Tensor(np.array([-1]))), RuntimeError),
        (lambda: torch.histc(Tensor(np.array([NAN]))), RuntimeError),
        (lambda: torch.gradient(Tensor(np.ones(1))), RuntimeError),
        (lambda: torch.max(Tensor(np.ones(2, "complex128"))), NotImplementedError),
    ],
)
def test_mistakes_are_explained(call: Any, cls: type[Exception]) -> None:
    with pytest.raises(cls) as caught:
        call()
    detail = detail_of(caught.value)
    assert detail is not None and detail.code and detail.message


# -- what has no derivative -------------------------------------------------------------------------------------------
def test_distinct_elements_and_weighted_counts_refuse_to_be_differentiated() -> None:
    x = leaf([1.0, 2.0])
    for made in (torch.unique(x), torch.bincount(Tensor(np.array([0, 1])), x)):
        assert made.requires_grad
        with pytest.raises(RuntimeError, match="not implemented"):
            grad(made.sum(), x)


# -- composed operations ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("order", "spacing"), itertools.product((1, 2), (1.0, 0.5)))
def test_gradient_is_exact_for_parabolas_inside(order: int, spacing: float) -> None:
    points = np.arange(6) * spacing
    (found,) = torch.gradient(Tensor(points**2 - points), spacing=spacing, edge_order=order)
    inside = slice(None) if order == 2 else slice(1, -1)
    np.testing.assert_allclose(found._array[inside], (2 * points - 1)[inside], atol=1e-12)


def test_gradient_takes_coordinates() -> None:
    points = np.array([0.0, 1.0, 3.0, 4.0])
    (found,) = torch.gradient(Tensor(points**2), spacing=(Tensor(points),), edge_order=2)
    np.testing.assert_allclose(found._array, 2 * points, atol=1e-12)

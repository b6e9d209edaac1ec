"""Layers with state, randomness or ties: what their values alone do not show."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gradcli.ops.registry  # noqa: F401  binds methods and operators
from gradcli.autograd import Tensor, grad
from gradcli.ops.activation import relu
from gradcli.ops.adaptive import adaptive_max_pool2d
from gradcli.ops.attention import scaled_dot_product_attention
from gradcli.ops.bits import chosen, zeroed
from gradcli.ops.classification import nll_loss
from gradcli.ops.distance import cdist, cosine_similarity, normalize
from gradcli.ops.dropout import alpha_dropout, dropout, dropout2d
from gradcli.ops.embedding import embedding, embedding_bag, one_hot
from gradcli.ops.generator import default_generator
from gradcli.ops.grid import grid_sample
from gradcli.ops.linear import linear
from gradcli.ops.norm import batch_norm, group_norm, instance_norm, layer_norm
from gradcli.ops.padding import pad
from gradcli.ops.piecewise import hardsigmoid, relu6
from gradcli.ops.pooling import max_pool2d, max_unpool2d
from gradcli.ops.resampling import interpolate
from gradcli.ops.softmax import softmax


def tensor(data: Any, rg: bool = False) -> Tensor:
    made = Tensor(np.array(data, dtype=float))
    return made.requires_grad_() if rg else made


def test_running_statistics_move_in_place_and_unbiased() -> None:
    mean, var = tensor([0.0, 0.0]), tensor([1.0, 1.0])
    before = mean._version
    batch_norm(tensor([[1.0, 2.0], [3.0, 6.0]], rg=True), mean, var, training=True, momentum=0.5)
    assert mean.tolist() == [1.0, 2.0]
    assert var.tolist() == [1.5, 4.5]
    assert mean._version > before and not mean.requires_grad
    batch_norm(tensor([[1.0, 2.0], [3.0, 6.0]]), mean, var)
    assert mean.tolist() == [1.0, 2.0]


def test_instance_norm_moves_running_statistics_by_the_mean_over_samples() -> None:
    mean, var = tensor([0.0]), tensor([1.0])
    instance_norm(tensor([[[0.0, 2.0]], [[4.0, 8.0]]]), mean, var, momentum=1.0)
    assert mean.tolist() == [3.5] and var.tolist() == [5.0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: batch_norm(tensor([[1.0, 2.0]]), None, None, training=True),
        lambda: instance_norm(tensor([[[1.0], [2.0]]])),
        lambda: group_norm(tensor([[1.0]]), 1),
    ],
)
def test_one_value_to_normalise_is_an_error(call: Any) -> None:
    with pytest.raises(ValueError, match="more than one value"):
        call()


def test_evaluation_without_statistics_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="running_mean and running_var"):
        batch_norm(tensor([[1.0, 2.0]]), None, None)


def test_a_constant_row_is_normalised_to_zero_with_a_finite_gradient() -> None:
    x = tensor([[2.0, 2.0, 2.0]], rg=True)
    y = layer_norm(x, (3,))
    assert y.tolist() == [[0.0, 0.0, 0.0]]
    (g,) = grad((y * tensor([1.0, 2.0, 3.0])).sum(), x)
    np.testing.assert_allclose(g.numpy(), [[-math.sqrt(1e5), 0, math.sqrt(1e5)]], rtol=1e-12)


def test_a_zero_vector_has_finite_gradients() -> None:
    x = tensor([0.0, 0.0], rg=True)
    assert grad(normalize(x, dim=0).sum(), x)[0].tolist() == pytest.approx([1e12, 1e12])
    (g,) = grad(cosine_similarity(x, tensor([1.0, 1.0]), dim=0), x)
    assert np.isfinite(g.numpy()).all()


DROPPED = [2.0, 2.0, 0.0, 2.0, 0.0, 0.0, 2.0, 2.0]
CHANNELS = [[[[2.0, 2.0]], [[2.0, 2.0]], [[0.0, 0.0]], [[2.0, 2.0]]]]
ALPHA = [1.6655988251839635, 1.6655988251839635, -0.7791939305180315, 1.6655988251839635]


def test_dropout_draws_pytorchs_numbers() -> None:
    # of PyTorch 2.13: manual_seed(3), then the functional form on ones
    default_generator.manual_seed(3)
    assert dropout(tensor(np.ones(8))).tolist() == DROPPED
    default_generator.manual_seed(3)
    assert dropout2d(tensor(np.ones((1, 4, 1, 2))), 0.5).tolist() == CHANNELS
    default_generator.manual_seed(3)
    np.testing.assert_allclose(alpha_dropout(tensor(np.ones(4)), 0.5, training=True).numpy(), ALPHA, rtol=1e-12)


def test_dropout_outside_of_training_is_the_input_itself() -> None:
    x = tensor([1.0, 2.0], rg=True)
    assert dropout(x, 0.5, training=False) is x
    assert dropout(x, 0.0) is x
    with pytest.raises(ValueError, match="between 0 and 1"):
        dropout(x, 1.5)


def test_the_first_of_equal_maxima_wins_and_padding_never_does() -> None:
    x = tensor(np.full((1, 1, 3, 3), -math.inf), rg=True)
    values, places = max_pool2d(x, 3, 2, 1, return_indices=True)
    assert values.tolist() == [[[[-math.inf, -math.inf], [-math.inf, -math.inf]]]]
    assert places.tolist() == [[[[0, 1], [3, 4]]]]
    y = tensor([[[1.0, 1.0], [1.0, math.nan]]], rg=True)
    assert math.isnan(max_pool2d(y, 2).item())
    z = tensor([[[1.0, 1.0], [1.0, 1.0]]], rg=True)
    assert grad(max_pool2d(z, 2).sum(), z)[0].tolist() == [[[1.0, 0.0], [0.0, 0.0]]]
    assert grad(adaptive_max_pool2d(z, 1).sum(), z)[0].tolist() == [[[1.0, 0.0], [0.0, 0.0]]]


def test_overlapping_windows_add_up_in_single_precision() -> None:
    x = Tensor(np.array([[[0.0, 5.0, 0.0]]], np.float32)).requires_grad_()
    (g,) = grad(max_pool2d(x, (1, 2), 1).sum(), x)
    assert g.tolist() == [[[0.0, 2.0, 0.0]]] and g.dtype.name == "float32"


def test_unpooling_puts_values_back_and_checks_places() -> None:
    x = tensor([[[1.0, 2.0], [4.0, 3.0]]], rg=True)
    values, places = max_pool2d(x, 2, return_indices=True)
    assert max_unpool2d(values, places, 2).tolist() == [[[0.0, 0.0], [4.0, 0.0]]]
    with pytest.raises(RuntimeError, match="indices reach 9"):
        max_unpool2d(values, Tensor(np.array([[[9]]])), 2)


def test_an_embedding_adds_repeated_rows_and_spares_the_padding_row() -> None:
    table, index = tensor(np.ones((3, 2)), rg=True), Tensor(np.array([1, 2, 1]))
    assert grad(embedding(index, table).sum(), table)[0].tolist() == [[0, 0], [2, 2], [1, 1]]
    assert grad(embedding(index, table, padding_idx=-1).sum(), table)[0].tolist() == [[0, 0], [2, 2], [0, 0]]
    assert grad(embedding(index, table, scale_grad_by_freq=True).sum(), table)[0].tolist() == [[0, 0], [1, 1], [1, 1]]
    with pytest.raises(IndexError, match="3 is no row of a table of 3 rows"):
        embedding(Tensor(np.array([3])), table)
    with pytest.raises(RuntimeError, match="integers"):
        embedding(tensor([1.0]), table)


def test_max_norm_shortens_looked_up_rows_in_the_table() -> None:
    table = tensor([[3.0, 4.0], [30.0, 40.0]])
    embedding(Tensor(np.array([0])), table, max_norm=1.0)
    np.testing.assert_allclose(table.numpy(), [[0.6, 0.8], [30.0, 40.0]], rtol=1e-6)
    with pytest.raises(RuntimeError, match="max_norm"):
        embedding(Tensor(np.array([0])), tensor([[3.0, 4.0]], rg=True), max_norm=1.0)


def test_an_empty_bag_is_zero() -> None:
    table = tensor([[1.0], [3.0]], rg=True)
    offsets = Tensor(np.array([0, 0]))
    for mode in ("sum", "mean", "max"):
        out = embedding_bag(Tensor(np.array([0, 1])), table, offsets, mode=mode)
        assert out.tolist()[0] == [0.0], mode


def test_one_hot_checks_its_classes() -> None:
    assert one_hot(Tensor(np.array([1]))).dtype.name == "int64"
    for data, classes, words in (
        ([-1], -1, "0 or more"),
        ([3], 2, "no class of 0 to 1"),
        ([], -1, "needs num_classes"),
    ):
        with pytest.raises(RuntimeError, match=words):
            one_hot(Tensor(np.array(data, dtype=np.int64)), classes)


def test_refused_second_derivatives_say_so() -> None:
    x = tensor([[0.0, 1.0], [2.0, 3.0]], rg=True)
    (g,) = grad(cdist(x, x).sum(), x, create_graph=True)
    with pytest.raises(NotImplementedError, match="cdist"):
        grad(g.sum(), x)
    (g,) = grad(hardsigmoid(x).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="hardsigmoid"):
        grad(g.sum(), x)


def test_a_nan_stays_in_its_own_pixels() -> None:
    x = tensor([[[1.0, math.nan, 3.0, 4.0]]])
    assert [math.isnan(v) for v in interpolate(x, size=8).tolist()[0][0]] == [False] * 2 + [True] * 2 + [False] * 4
    padded = pad(x, (1, 1), mode="reflect").tolist()[0][0]
    assert [math.isnan(v) for v in padded] == [True, False, True, False, False, False]


def test_inactive_elements_stop_nan_cotangents() -> None:
    x = tensor([-1.0, 0.0, 2.0], rg=True)
    (g,) = grad(relu(x), x, tensor([math.nan, math.inf, 1.0]))
    assert g.tolist() == [0.0, 0.0, 1.0]


def test_points_outside_of_the_image() -> None:
    image = tensor([[[[1.0, 3.0]]]], rg=True)
    grid = tensor([[[[3.0, 0.0]]]], rg=True)
    for mode, value in (("zeros", 0.0), ("border", 3.0), ("reflection", 1.0)):
        out = grid_sample(image, grid, padding_mode=mode, align_corners=True)
        assert out.item() == value, mode
        assert np.isfinite(grad(out.sum(), grid)[0].numpy()).all()


def test_attention_of_nothing_is_zero_and_softmax_of_nothing_is_nan() -> None:
    q, k = tensor([[1.0, 0.0]], rg=True), tensor([[1.0, 0.0], [0.0, 1.0]])
    out = scaled_dot_product_attention(q, k, k, attn_mask=Tensor(np.array([[False, False]])))
    assert out.tolist() == [[0.0, 0.0]]
    assert np.isnan(softmax(tensor([-math.inf, -math.inf]), 0).numpy()).all()
    with pytest.raises(RuntimeError, match="not both"):
        scaled_dot_product_attention(q, k, k, attn_mask=Tensor(np.array([[True, True]])), is_causal=True)


def test_linear_is_one_addmm() -> None:
    x, w, b = tensor(np.ones((2, 3)), rg=True), tensor(np.ones((4, 3)), rg=True), tensor(np.ones(4), rg=True)
    node = linear(x, w, b).grad_fn
    assert node is not None and node.name() == "AddmmBackward0"
    assert [parent.name() for parent, _ in node.next_functions if parent] == [
        "AccumulateGrad",
        "AccumulateGrad",
        "TBackward0",
    ]
    with pytest.raises(RuntimeError, match="last dim of the input, 2, is not the weight's 3"):
        linear(tensor(np.ones((2, 2))), w)


def test_softmax_without_dim_warns_and_refuses_integers() -> None:
    with pytest.warns(UserWarning, match="takes dim 1"):
        softmax(tensor([[1.0, 1.0]]))
    with pytest.raises(RuntimeError, match="floating"):
        softmax(Tensor(np.array([1, 2])), 0)


@pytest.mark.parametrize(
    "function",
    [relu, relu6, lambda x: max_pool2d(x, 2), lambda x: pad(x, (1, 1), mode="reflect"), lambda x: log_of_labels(x)],
)
def test_constant_slopes_have_second_derivatives_of_zero_not_none(function: Any) -> None:
    x = tensor([[[1.0, 2.0], [-4.0, 3.0]]], rg=True)
    (g,) = grad(function(x).sum(), x, create_graph=True)
    assert g.requires_grad
    assert grad(g.sum(), x)[0].tolist() == [[[0.0, 0.0], [0.0, 0.0]]]


def log_of_labels(x: Tensor) -> Any:
    return nll_loss(x, Tensor(np.array([[0, 1]])))


def test_selection_by_bits_is_selection() -> None:
    random = np.random.default_rng(3)
    for dtype in ("float16", "float32", "float64", "complex128", "int64"):
        for shape in ((3,), (600,), (30, 40), ()):
            a, b = (random.integers(-9, 9, shape).astype(dtype) for _ in range(2))
            if a.dtype.kind == "f" and a.ndim:
                a.flat[0], b.flat[1] = np.nan, np.inf
            mask = np.asarray(random.random(shape) < 0.5)
            np.testing.assert_array_equal(zeroed(a, mask), np.where(mask, a, 0))
            np.testing.assert_array_equal(chosen(mask, a, b), np.where(mask, a, b))
            assert zeroed(a, mask).dtype == chosen(mask, a, b).dtype == a.dtype
            turned = np.asarray(a.T)
            np.testing.assert_array_equal(zeroed(turned, mask.T), np.where(mask.T, turned, 0))

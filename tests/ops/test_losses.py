"""Losses: extreme inputs, ignored targets, weights, warnings and mistakes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gradcli.ops.registry  # noqa: F401  binds methods and operators
from gradcli.autograd import Tensor, grad
from gradcli.ops.class_margins import multi_margin_loss
from gradcli.ops.classification import cross_entropy, nll_loss
from gradcli.ops.ctc import ctc_loss
from gradcli.ops.likelihood import gaussian_nll_loss, kl_div, soft_margin_loss
from gradcli.ops.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    huber_loss,
    mse_loss,
    smooth_l1_loss,
)
from gradcli.ops.softmax import log_softmax


def tensor(data: Any, rg: bool = False) -> Tensor:
    made = Tensor(np.array(data, dtype=float))
    return made.requires_grad_() if rg else made


def labels(*data: Any) -> Tensor:
    return Tensor(np.array(data, dtype=np.int64))


def test_cross_entropy_of_large_logits_is_exact() -> None:
    x = tensor([[-420.0, 260.0, 720.5]], rg=True)
    loss = cross_entropy(x, labels(0))
    assert loss.item() == 1140.5
    np.testing.assert_allclose(grad(loss, x)[0].numpy(), [[-1.0, math.exp(-460.5), 1.0]], rtol=1e-12)


def test_cross_entropy_is_two_nodes() -> None:
    node = cross_entropy(tensor([[1.0, 2.0]], rg=True), labels(0)).grad_fn
    assert node is not None and node.name() == "NllLossBackward0"
    assert node.next_functions[0][0].name() == "LogSoftmaxBackward0"  # type: ignore[union-attr]
    image = cross_entropy(tensor(np.ones((1, 2, 1, 1)), rg=True), labels([[0]])).grad_fn
    assert image is not None and image.name() == "NllLoss2DBackward0"


def test_ignored_targets_count_nothing_and_may_hide_nan() -> None:
    x = tensor([[-1.0, math.nan], [-2.0, -3.0]], rg=True)
    loss = nll_loss(x, labels(1, 0), ignore_index=1)
    assert loss.item() == 2.0
    assert grad(loss, x)[0].tolist() == [[0.0, 0.0], [-1.0, 0.0]]


def test_the_mean_over_no_targets_is_nan_and_its_gradient_zero() -> None:
    x = tensor([[-1.0, -2.0]], rg=True)
    loss = nll_loss(x, labels(1), ignore_index=1)
    assert math.isnan(loss.item())
    assert grad(loss, x)[0].tolist() == [[0.0, 0.0]]
    assert math.isnan(nll_loss(tensor(np.zeros((0, 2))), labels()).item())


def test_the_weighted_mean_divides_by_the_weights_of_the_targets() -> None:
    x = tensor([[-1.0, -2.0], [-3.0, -4.0]])
    assert nll_loss(x, labels(0, 1), weight=tensor([1.0, 3.0])).item() == (1 + 12) / 4


@pytest.mark.parametrize(
    ("call", "cls", "words"),
    [
        (lambda: cross_entropy(tensor([[1.0, 2.0]]), labels(2)), IndexError, "2 is no class"),
        (lambda: cross_entropy(tensor([[1.0, 2.0]]), labels(0, 1)), ValueError, r"indices of shape \(1,\)"),
        (lambda: cross_entropy(tensor([[1.0, 2.0]]), tensor([0.0])), RuntimeError, "means probabilities"),
        (lambda: cross_entropy(tensor([[1.0, 2.0]]), labels(0), label_smoothing=2.0), RuntimeError, "between 0 and 1"),
        (
            lambda: cross_entropy(tensor([[1.0, 2.0]]), labels(0), weight=tensor([1.0])),
            RuntimeError,
            "one entry a class",
        ),
        (lambda: cross_entropy(tensor([[1.0, 2.0]]), labels(0), tensor([1.0, 1.0], rg=True)), RuntimeError, "weight"),
        (lambda: mse_loss(tensor([1.0]), tensor([1.0]), reduction="average"), ValueError, "'average'"),
        (lambda: mse_loss(tensor([1.0, 2.0, 3.0]), tensor([1.0, 2.0])), RuntimeError, "cannot broadcast"),
        (lambda: binary_cross_entropy(tensor([1.5]), tensor([1.0])), RuntimeError, "one is 1.5"),
        (lambda: binary_cross_entropy(tensor([0.5, 0.5]), tensor([1.0])), ValueError, "target of the input's shape"),
        (lambda: gaussian_nll_loss(tensor([1.0]), tensor([1.0]), tensor([-1.0])), ValueError, "negative"),
        (lambda: huber_loss(tensor([1.0]), tensor([1.0]), delta=0.0), RuntimeError, "positive"),
        (lambda: smooth_l1_loss(tensor([1.0]), tensor([1.0]), beta=-1.0), RuntimeError, "0 or more"),
        (lambda: multi_margin_loss(tensor([[1.0, 2.0]]), labels(0), p=3), ValueError, "1 or 2"),
        (lambda: ctc_loss(tensor(np.zeros((2, 1, 2))), labels([1]), (3,), (1,)), RuntimeError, "exceeds the 2 frames"),
    ],
)
def test_mistakes_are_explained(call: Any, cls: type[Exception], words: str) -> None:
    with pytest.raises(cls, match=words) as raised:
        call()
    assert raised.value.detail.code  # type: ignore[attr-defined]


def test_different_shapes_are_broadcast_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"\(2, 2\)"):
        loss = mse_loss(tensor([[1.0], [2.0]]), tensor([1.0, 2.0]))
    assert loss.item() == 0.5
    with pytest.warns(UserWarning, match="batchmean"):
        kl_div(tensor([0.0]), tensor([1.0]))


def test_probabilities_of_zero_and_one_are_cut() -> None:
    x = tensor([0.0, 1.0], rg=True)
    loss = binary_cross_entropy(x, tensor([1.0, 1.0]), reduction="none")
    assert loss.tolist() == [100.0, 0.0]
    assert grad(loss.sum(), x)[0].tolist() == pytest.approx([-1e12, 0.0], rel=1e-6)


def test_logits_of_any_size_give_finite_losses() -> None:
    x = tensor([-1000.0, 1000.0], rg=True)
    loss = binary_cross_entropy_with_logits(x, tensor([1.0, 0.0]), reduction="none")
    assert loss.tolist() == [1000.0, 1000.0]
    assert grad(loss.sum(), x)[0].tolist() == [-1.0, 1.0]
    y = tensor([-1000.0], rg=True)
    soft = soft_margin_loss(y, tensor([1.0]))
    assert soft.item() == 1000.0 and grad(soft, y)[0].tolist() == [-1.0]


def test_gaussian_nll_cuts_small_variances_but_not_their_gradient() -> None:
    var = tensor([0.0], rg=True)
    loss = gaussian_nll_loss(tensor([1.0]), tensor([1.0]), var, eps=0.5)
    assert loss.item() == pytest.approx(0.5 * math.log(0.5))
    assert grad(loss, var)[0].tolist() == [1.0]
    assert var.tolist() == [0.0]


def all_paths(logs: Any, target: list[int], blank: int) -> float:
    """Return minus the log of the sum over every path that reads ``target``, one by one."""
    total = 0.0
    for path in np.ndindex(*(logs.shape[1],) * logs.shape[0]):
        read = [c for k, c in enumerate(path) if (k == 0 or path[k - 1] != c) and c != blank]
        if read == target:
            total += math.exp(sum(logs[t, c] for t, c in enumerate(path)))
    return -math.log(total)


@pytest.mark.parametrize("target", [[1, 2], [1, 1], [2], []])
def test_ctc_sums_over_all_paths(target: list[int]) -> None:
    x = tensor(np.random.default_rng(1).standard_normal((4, 1, 3)), rg=True)
    logs = log_softmax(x, 2)
    row = Tensor(np.array([target], dtype=np.int64).reshape(1, len(target)))
    loss = ctc_loss(logs, row, (4,), (len(target),), reduction="sum")
    assert loss.item() == pytest.approx(all_paths(logs.detach().numpy()[:, 0], target, 0), rel=1e-12)
    (g,) = grad(loss, x)
    step = np.zeros((4, 1, 3))
    step[2, 0, 1] = 1e-5
    sides = [
        ctc_loss(
            log_softmax(Tensor(x.detach().numpy() + s * step), 2), row, (4,), (len(target),), reduction="sum"
        ).item()
        for s in (1, -1)
    ]
    assert g.numpy()[2, 0, 1] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-6)


def test_an_impossible_ctc_target_is_infinite_or_zero() -> None:
    logs = log_softmax(tensor(np.zeros((1, 1, 3)), rg=True), 2)
    target = labels([1, 2])
    assert ctc_loss(logs, target, (1,), (2,)).item() == math.inf
    assert ctc_loss(logs, target, (1,), (2,), zero_infinity=True).item() == 0.0

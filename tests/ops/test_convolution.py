"""Convolutions against their definition, their blocks, memory and errors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import gradcli.ops.registry  # noqa: F401  binds methods and operators
from gradcli.autograd import Tensor, grad
from gradcli.ops import correlation
from gradcli.ops.average_pooling import avg_pool2d
from gradcli.ops.conv import conv1d, conv2d, conv_transpose2d
from gradcli.ops.unfold import fold, unfold

RANDOM = np.random.default_rng(7)


def leaf(*shape: int, dtype: str = "float64") -> Tensor:
    return Tensor(RANDOM.standard_normal(shape).astype(dtype)).requires_grad_()


def slow_conv2d(x: Any, w: Any, stride: int, padding: int, dilation: int, groups: int) -> Any:
    """Return the cross-correlation written out element by element."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    n, outs, each = x.shape[0], w.shape[0], w.shape[1]
    sizes = [(x.shape[d] - dilation * (w.shape[d] - 1) - 1) // stride + 1 for d in (2, 3)]
    y = np.zeros((n, outs, *sizes))
    for b, o, i, j in itertools.product(range(n), range(outs), *map(range, sizes)):
        first = o // (outs // groups) * each
        rows = slice(i * stride, i * stride + dilation * (w.shape[2] - 1) + 1, dilation)
        columns = slice(j * stride, j * stride + dilation * (w.shape[3] - 1) + 1, dilation)
        y[b, o, i, j] = (x[b, first : first + each, rows, columns] * w[o]).sum()
    return y


OPTIONS = list(itertools.product((1, 2), (0, 1), (1, 2), (1, 2)))


@pytest.mark.parametrize(("stride", "padding", "dilation", "groups"), OPTIONS)
@pytest.mark.parametrize("block", [1, 1 << 12, 4 << 20])
def test_conv2d_is_its_definition_for_any_block_size(
    stride: int, padding: int, dilation: int, groups: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correlation, "_BLOCK_BYTES", block)
    x, w = RANDOM.standard_normal((3, 4, 6, 5)), RANDOM.standard_normal((6, 4 // groups, 3, 2))
    y = conv2d(Tensor(x), Tensor(w), None, stride, padding, dilation, groups)
    np.testing.assert_allclose(y.numpy(), slow_conv2d(x, w, stride, padding, dilation, groups), rtol=1e-12, atol=1e-12)


def test_the_three_kernels_are_adjoint() -> None:
    x, w = RANDOM.standard_normal((2, 4, 7, 6)), RANDOM.standard_normal((4, 2, 3, 2))
    geometry = correlation.Geometry((7, 6), (3, 2), (2, 1), (1, 0), (1, 2), 2)
    y = RANDOM.standard_normal((2, 4, *geometry.out))
    value = np.vdot(correlation.correlate(x, w, geometry), y)
    assert np.vdot(correlation.spread(y, w, geometry), x) == pytest.approx(value, rel=1e-12)
    assert np.vdot(correlation.kernel_gradient(x, y, geometry), w) == pytest.approx(value, rel=1e-12)


def test_a_noncontiguous_input_gives_the_same() -> None:
    x, w = RANDOM.standard_normal((2, 5, 6, 3)), Tensor(RANDOM.standard_normal((4, 3, 1, 1)))
    turned = np.moveaxis(x, 3, 1)
    np.testing.assert_array_equal(
        conv2d(Tensor(turned), w).numpy(), conv2d(Tensor(np.ascontiguousarray(turned)), w).numpy()
    )


def test_single_precision_stays_single_through_all_kernels() -> None:
    x, w, b = leaf(2, 2, 5, 5, dtype="float32"), leaf(3, 2, 2, 2, dtype="float32"), leaf(3, dtype="float32")
    y = conv2d(x, w, b, stride=2, padding=1)
    assert y.dtype.name == "float32"
    assert {g.dtype.name for g in grad(y.sum(), [x, w, b])} == {"float32"}


def test_a_frozen_body_saves_nothing_and_a_frozen_input_saves_no_weight() -> None:
    x, w = leaf(1, 2, 4, 4), leaf(3, 2, 2, 2)
    assert conv2d(x.detach(), w.detach()).grad_fn is None
    node = conv2d(x.detach(), w).grad_fn
    assert node is not None and set(node.saved_names) == {"input", "geometry"}
    assert [parent is None for parent, _ in node.next_functions] == [True, False, True]


def test_workspaces_of_two_calls_do_not_mix() -> None:
    x, w = leaf(3, 2, 6, 6), leaf(4, 2, 3, 3)
    first = conv2d(x, w)
    kept = first.detach().numpy().copy()
    conv2d(leaf(3, 2, 6, 6), w)
    np.testing.assert_array_equal(first.detach().numpy(), kept)


def test_the_names_of_nodes_are_pytorchs() -> None:
    x, w = leaf(2, 4, 4), leaf(3, 2, 2, 2)
    y = conv2d(x, w, padding="same")
    names = []
    node = y.grad_fn
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    assert names == [
        "SqueezeBackward1",
        "ConvolutionBackward0",
        "ConstantPadNdBackward0",
        "UnsqueezeBackward0",
        "AccumulateGrad",
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: conv2d(leaf(1, 1, 2, 2), leaf(1, 1, 3, 3)), "reaches over 3 x 3, more than the padded input of 2 x 2"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(1, 3, 2, 2)), "needs an input of 3 channels"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(3, 1, 2, 2), groups=2), "not a multiple of groups=2"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(2, 2, 2, 2), leaf(3)), "one entry an output channel"),
        (lambda: conv2d(leaf(2, 4), leaf(2, 2, 2, 2)), "needs an input of 4 dimensions"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(2, 2, 2, 2), stride=2, padding="same"), "needs stride 1"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(2, 2, 2, 2), stride=0), "must be positive"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(2, 2, 2, 2), padding=-1), "must not be negative"),
        (lambda: conv2d(leaf(1, 2, 4, 4), leaf(2, 2, 2, 2, dtype="float32")), "one dtype"),
        (lambda: conv1d(leaf(1, 1, 4), leaf(1, 1, 2), stride=(1, 1)), "one integer or 1 of them"),
        (lambda: conv_transpose2d(leaf(1, 1, 2, 2), leaf(1, 1, 2, 2), output_padding=1), "smaller than stride"),
        (lambda: fold(leaf(1, 3, 4), (3, 3), 2), "not a multiple of 4 kernel elements"),
        (lambda: avg_pool2d(leaf(1, 1, 4, 4), 2, padding=2), "half of the kernel"),
    ],
)
def test_mistakes_are_explained(call: Any, words: str) -> None:
    with pytest.raises(RuntimeError) as raised:
        call()
    assert words in str(raised.value)
    assert raised.value.detail.code  # type: ignore[attr-defined]


def test_fold_counts_how_often_an_element_was_unfolded() -> None:
    x = leaf(1, 1, 3, 3)
    y = fold(unfold(x, 2), (3, 3), 2)
    np.testing.assert_array_equal(grad(y.sum(), x)[0].numpy()[0, 0], [[1, 2, 1], [2, 4, 2], [1, 2, 1]])

"""vmap: batch dimensions in and out, nests, chunks, random numbers, indices, writes, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd.batched import Batched
from gradcli.func import grad, vmap
from gradcli.nn import functional as F

X = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
ROW = [1.0, 2.0, 3.0]


def x() -> Any:
    return torch.tensor(X)


def row() -> Any:
    return torch.tensor(ROW)


def random_samples(randomness: str) -> Any:
    torch.manual_seed(0)
    return vmap(lambda r: 0 * r + torch.randn(3), randomness=randomness)(x())


# -- dimensions in and out --------------------------------------------------------------------------------------------
def test_in_dims_name_the_samples_of_each_argument() -> None:
    assert vmap(lambda a, b: a + b, in_dims=(0, None))(x(), row()).tolist() == [[2, 4, 6], [5, 7, 9]]
    assert vmap(lambda a, b: a + b, in_dims=(1, 0))(x(), x().T).tolist() == [[2, 8], [4, 10], [6, 12]]
    assert vmap(lambda a: a, in_dims=-1)(x()).tolist() == x().T.tolist()


def test_nests_of_arguments_and_results() -> None:
    nest = {"a": x(), "b": (row(),)}
    made = vmap(lambda d: d["a"] * d["b"][0], in_dims=({"a": 0, "b": (None,)},))(nest)
    assert made.tolist() == [[1, 4, 9], [4, 10, 18]]
    out = vmap(lambda d: {"s": d["a"].sum(), "t": (d["a"] * 2,)})({"a": x()})
    assert out["s"].tolist() == [6, 15]
    assert out["t"][0].tolist() == [[2, 4, 6], [8, 10, 12]]


def test_out_dims_place_the_samples() -> None:
    twice, total = vmap(lambda r: (r * 2, r.sum()), out_dims=(1, 0))(x())
    assert twice.tolist() == [[2, 8], [4, 10], [6, 12]]
    assert total.tolist() == [6, 15]
    kept = vmap(lambda r: (r, row()), out_dims=(0, None))(x())
    assert kept[1].tolist() == ROW


def test_a_result_that_is_the_same_for_all_is_repeated() -> None:
    assert vmap(lambda r: row())(x()).tolist() == [ROW, ROW]


def test_keyword_arguments_are_the_same_for_all() -> None:
    assert vmap(lambda r, other: r + other.sum())(x(), other=torch.ones(5)).tolist() == [[6, 7, 8], [9, 10, 11]]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_chunks_give_what_one_run_gives(size: int) -> None:
    function = vmap(lambda r: (r * r, r.sum()), in_dims=1, out_dims=(1, 0), chunk_size=size)
    squares, totals = function(x())
    assert squares.tolist() == (x() ** 2).tolist()
    assert totals.tolist() == [5, 7, 9]


def test_batches_of_batches() -> None:
    outer = vmap(vmap(lambda a, b: a * b, in_dims=(None, 0)), in_dims=(0, None))
    assert outer(row(), row()).tolist() == np.outer(ROW, ROW).tolist()
    assert vmap(lambda r: vmap(lambda s: r @ s)(x()))(x()).tolist() == (x() @ x().T).tolist()


def test_rows_of_a_sample_are_gone_through_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradcli.autograd.vmap._one_by_one", None)
    assert vmap(lambda r: torch.stack([part * len(r) for part in r]))(x()).tolist() == (x() * 3).tolist()


def test_empty_batches_and_samples() -> None:
    assert vmap(lambda r: r * 2)(torch.zeros(2, 0)).shape == (2, 0)
    assert vmap(lambda r: r.sum())(torch.zeros(0, 3)).shape == (0,)


# -- values of a 0-d sample count as a 0-d tensor's --------------------------------------------------------------------
def test_a_number_a_sample_does_not_widen_a_vector() -> None:
    vector = torch.ones(3, dtype=torch.float32)
    made = vmap(lambda number: number * vector)(torch.tensor([1.0, 2.0], dtype=torch.float64))
    assert made.dtype == torch.float32
    assert made.tolist() == [[1, 1, 1], [2, 2, 2]]


# -- random numbers ---------------------------------------------------------------------------------------------------
def test_samples_share_random_numbers_or_draw_their_own() -> None:
    same, different = random_samples("same"), random_samples("different")
    assert same[0].tolist() == same[1].tolist()
    assert different[0].tolist() != different[1].tolist()


def test_random_numbers_are_refused_unless_allowed() -> None:
    for function in (lambda r: r + torch.randn(3), lambda r: F.dropout(r, 0.5)):
        with pytest.raises(RuntimeError, match="share them or not"):
            vmap(function)(x())
    with pytest.raises(RuntimeError, match="drawn after a tensor"):
        vmap(lambda p: torch.bernoulli(p), randomness="same")(x() / 10)


# -- indices ----------------------------------------------------------------------------------------------------------
def test_each_sample_has_an_index_of_its_own() -> None:
    index = torch.tensor([[0, 2], [1, 1]])
    want = [[1, 3], [5, 5]]
    functions: tuple[Callable[[Any, Any], Any], ...] = (
        lambda r, i: r[i],
        lambda r, i: r.gather(0, i),
        lambda r, i: r.index_select(0, i),
        lambda r, i: r.take(i),
        lambda r, i: F.embedding(i, r.unsqueeze(1)).squeeze(1),
    )
    for function in functions:
        assert vmap(function)(x(), index).tolist() == want


def test_indices_keep_the_order_of_dimensions() -> None:
    values = torch.tensor(np.arange(48.0).reshape(2, 2, 3, 4))
    i, j = torch.tensor([[0, 1], [1, 1]]), torch.tensor([3, 0])
    functions: tuple[Callable[[Any, Any], Any], ...] = (
        lambda v, i: v[:, i],
        lambda v, i: v[i, :, j],
        lambda v, i: v[:, i, j],
        lambda v, i: v[..., i],
    )
    for function in functions:
        made = vmap(function)(values, i)
        assert made.tolist() == [function(values[k], i[k]).tolist() for k in (0, 1)]
        made = vmap(function, in_dims=(0, None))(values, i[0])
        assert made.tolist() == [function(values[k], i[0]).tolist() for k in (0, 1)]


def test_gradients_of_samples_with_indices_of_their_own() -> None:
    index, weights = torch.tensor([[0, 2], [1, 1]]), row()
    made = vmap(grad(lambda w, r, i: (r[i] * w[i]).sum()), in_dims=(None, 0, 0))(weights, x(), index)
    assert made.tolist() == [[1, 0, 3], [0, 10, 0]]


def test_losses_with_targets_of_their_own() -> None:
    target = torch.tensor([2, 0])
    logits = x() / 3

    def loss(r: Any, t: Any) -> Any:
        return F.cross_entropy(r.unsqueeze(0), t.unsqueeze(0))

    made = vmap(grad(loss))(logits, target)
    want = [grad(loss)(logits[k], target[k]).tolist() for k in (0, 1)]
    np.testing.assert_allclose(made.tolist(), want)


# -- whole samples at once --------------------------------------------------------------------------------------------
def test_gradients_of_each_sample_of_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("sample by sample")

    monkeypatch.setattr("gradcli.autograd.batched.loop", refuse)
    monkeypatch.setattr("gradcli.autograd.vmap._one_by_one", refuse)
    numbers = np.random.default_rng(0)
    images = torch.tensor(numbers.normal(size=(3, 1, 2, 6, 6)))
    kernel, weight = torch.tensor(numbers.normal(size=(4, 2, 3, 3))), torch.tensor(numbers.normal(size=(5, 16)))
    scale = torch.tensor(numbers.normal(size=(16,)))

    def loss(parameters: Any, image: Any, target: Any) -> Any:
        kernel, weight, scale = parameters
        h = F.max_pool2d(F.relu(F.conv2d(image, kernel)), 2).flatten(1)
        h = F.layer_norm(h, (16,), scale)
        return F.cross_entropy(F.linear(h, weight), target)

    targets = torch.tensor([[1], [4], [0]])
    parameters = (kernel, weight, scale)
    made = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, images, targets)
    for k in range(3):
        for one, many in zip(grad(loss)(parameters, images[k], targets[k]), made, strict=True):
            np.testing.assert_allclose(many[k].numpy(), one.numpy(), atol=1e-12)


# -- writes -----------------------------------------------------------------------------------------------------------
def test_a_batch_is_written_in_place() -> None:
    values = x()
    assert vmap(lambda r: r.mul_(2))(values).tolist() == [[2, 4, 6], [8, 10, 12]]
    assert values.tolist() == [[2, 4, 6], [8, 10, 12]]


def test_a_tensor_made_after_a_batch_takes_what_differs() -> None:
    for like in (torch.zeros_like, lambda r: r.new_zeros(3), lambda r: torch.full_like(r, 7.0)):
        assert vmap(lambda r, like=like: like(r).copy_(r))(x()).tolist() == X
    with pytest.raises(RuntimeError, match="cannot take one in place"):
        vmap(lambda r: torch.zeros(3).copy_(r))(x())


def test_masks_of_each_sample_write_one_number() -> None:
    def clipped(r: Any) -> Any:
        z = r.clone()
        z[z > 2] = 0.0
        return z

    assert vmap(clipped)(x()).tolist() == [[1, 2, 0], [0, 0, 0]]


# -- what is refused --------------------------------------------------------------------------------------------------
REFUSED: list[tuple[type[Exception], Callable[[], Any]]] = [
    (ValueError, lambda: vmap(lambda a, b: a * b)(x(), torch.ones(3))),
    (ValueError, lambda: vmap(lambda a, b: a * b)(x(), 2.0)),
    (ValueError, lambda: vmap(lambda a: a)(torch.tensor(1.0))),
    (ValueError, lambda: vmap(lambda a: a, in_dims=2)(x())),
    (ValueError, lambda: vmap(lambda a: a, in_dims=(0, 0))(x())),
    (ValueError, lambda: vmap(lambda a: a, in_dims=None)(x())),
    (ValueError, lambda: vmap(lambda a: a, in_dims=[0])(x())),
    (ValueError, lambda: vmap(lambda a: a, in_dims="a")(x())),
    (ValueError, lambda: vmap(lambda a: a, in_dims=(1.5,))(x())),
    (ValueError, lambda: vmap(lambda a: a, out_dims="a")(x())),
    (ValueError, lambda: vmap(lambda a: a, out_dims=(0, 0))(x())),
    (IndexError, lambda: vmap(lambda a: a, out_dims=3)(x())),
    (ValueError, lambda: vmap(lambda a: a, out_dims=None)(x())),
    (ValueError, lambda: vmap(lambda a: None)(x())),
    (ValueError, lambda: vmap(lambda a: 1.0)(x())),
    (ValueError, lambda: vmap(lambda: row())()),
    (ValueError, lambda: vmap(lambda a: a, chunk_size=0)(x())),
    (RuntimeError, lambda: vmap(lambda a: a, randomness="often")(x())),
    (RuntimeError, lambda: vmap(lambda a: a.item())(row())),
    (RuntimeError, lambda: vmap(lambda a: float(a))(row())),
    (RuntimeError, lambda: vmap(lambda a: a.tolist())(x())),
    (RuntimeError, lambda: vmap(lambda a: a.numpy())(x())),
    (RuntimeError, lambda: vmap(lambda a: a if a > 0 else -a)(row())),
    (RuntimeError, lambda: vmap(lambda a: a[a > 2])(x())),
    (RuntimeError, lambda: vmap(torch.nonzero)(x())),
    (RuntimeError, lambda: vmap(lambda a: a.unique())(x())),
    (RuntimeError, lambda: vmap(lambda a: a.clone().requires_grad_())(x())),
    (RuntimeError, lambda: vmap(lambda a: a.sum().backward())(x())),
]


@pytest.mark.parametrize(("kind", "attempt"), REFUSED, ids=[str(k) for k in range(len(REFUSED))])
def test_what_pytorch_refuses_is_refused(kind: type[Exception], attempt: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        attempt()
    assert hasattr(caught.value, "detail")


def test_a_batch_shows_what_it_is() -> None:
    shown: list[str] = []

    def show(a: Any) -> Any:
        shown.append(repr(a))
        return a

    vmap(show)(x())
    assert "samples=2" in shown[0]
    assert Batched(x(), 1).shape == (3,)

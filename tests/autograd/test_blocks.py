"""Backward passes that reuse memory: rules block by block equal rules at once, and nothing that is seen changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd import Tensor, blocks, grad
from gradcli.ops.registry import rows
from gradcli.ops.row import Row
from tests.ops.drawing import Draw, outputs, samples_of

backward = sys.modules["gradcli.autograd.backward"]
SMOOTH = [(r, k) for r, k in samples_of(list(rows())) if r.differentiable and r.samples[k].smooth]
Array = np.ndarray[Any, Any]


@pytest.fixture
def tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every array of two elements be large, and a block hold four."""
    monkeypatch.setattr(backward, "LARGE", 2)
    monkeypatch.setattr(blocks, "_BLOCK", 4)


def gradients(row: Row, number: int) -> list[Array | None]:
    draw = Draw(row, number)
    tensors = draw.tensors()
    torch.manual_seed(3)
    made = [o for o in outputs(draw.call(tensors)) if o.requires_grad]
    if not made:
        return []
    total: Any = sum((o.abs() if o.dtype.is_complex else torch.sin(o + 0.5)).sum() for o in made)
    total.backward()
    return [None if t._grad is None else t._grad._array for t in tensors]


@pytest.mark.parametrize(("row", "number"), SMOOTH, ids=lambda v: v.name if isinstance(v, Row) else str(v))
def test_blocks_give_the_same_gradients(row: Row, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gradients(row, number)
    monkeypatch.setattr(backward, "LARGE", 2)
    monkeypatch.setattr(blocks, "_BLOCK", 4)
    for one, other in zip(whole, gradients(row, number), strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-300)
            assert one.dtype == other.dtype


def leaf(*shape: int, seed: int = 0) -> Tensor:
    return Tensor(np.random.default_rng(seed).uniform(0.2, 1.5, shape)).requires_grad_()


CHAINS: dict[str, Callable[[Tensor], Tensor]] = {
    "functions": lambda x: torch.sqrt(torch.sin(torch.exp(torch.tanh(x))) + 1.5),
    "numbers": lambda x: (1.5 - x * 2.0) / 3.0 - 0.5,
    "one constant": lambda x: torch.ones(5, 7, dtype=torch.float64) * 0.3 / x,
    "transposed": lambda x: torch.exp(torch.sin(x.T) * 2.0).T,
    "permuted product": lambda x: torch.tanh((x @ x.T)[:, :, None].expand(5, 5, 3).permute(2, 0, 1)),
    "shared": lambda x: torch.exp(x) * torch.sin(x) + torch.exp(x),
}


@pytest.mark.usefixtures("tiny_blocks")
@pytest.mark.parametrize("name", CHAINS)
def test_nothing_that_is_seen_changes(name: str) -> None:
    x = leaf(5, 7)
    x0 = x._array.copy()
    y = CHAINS[name](x)
    y0, v = y._array.copy(), leaf(*y._array.shape, seed=1).detach()
    v0 = v._array.copy()
    first = grad(y, x, v, retain_graph=True)[0]
    assert first is not None
    f0 = first._array.copy()
    y.backward(v, retain_graph=True)
    y.backward(v)
    np.testing.assert_array_equal(x._array, x0)
    np.testing.assert_array_equal(y._array, y0)
    np.testing.assert_array_equal(v._array, v0)
    np.testing.assert_array_equal(first._array, f0)
    assert x.grad is not None
    np.testing.assert_allclose(x.grad._array, 2 * f0, rtol=1e-14)


@pytest.mark.usefixtures("tiny_blocks")
def test_gradients_on_the_way_are_kept() -> None:
    x = leaf(4, 6)
    a = torch.exp(x)
    b = torch.sin(a)
    seen: list[Array] = []
    a.register_hook(lambda g: seen.append(g._array))
    middle, end = grad(torch.tanh(b), (b, x), torch.ones(4, 6, dtype=torch.float64), retain_graph=True)
    b.retain_grad()
    m0 = None if middle is None else middle._array.copy()
    torch.tanh(b).sum().backward()
    assert b.grad is not None and middle is not None and end is not None and x.grad is not None
    np.testing.assert_array_equal(middle._array, m0)
    np.testing.assert_allclose(b.grad._array, 1 - np.tanh(b._array) ** 2)
    np.testing.assert_allclose(seen[-1], b.grad._array * np.cos(a._array))
    np.testing.assert_allclose(x.grad._array, end._array)


@pytest.mark.usefixtures("tiny_blocks")
def test_an_overwritten_value_is_found() -> None:
    x = leaf(4, 6)
    a = x * 1.0
    y = torch.sin(a)
    with torch.no_grad():
        a.mul_(2.0)
    with pytest.raises(RuntimeError, match="overwritten"):
        y.backward(torch.ones(4, 6, dtype=torch.float64))


def test_leaves_never_share_the_memory_of_their_gradients() -> None:
    a, b, c = leaf(3, 4), leaf(3, 4), leaf(12)
    seed = torch.ones(3, 4, dtype=torch.float64)
    (a + b + c.reshape(3, 4)).backward(seed)
    arrays = [t.grad._array for t in (a, b, c) if t.grad is not None] + [seed._array]
    for k, one in enumerate(arrays):
        assert not any(np.may_share_memory(one, other) for other in arrays[k + 1 :])
    (a * 2.0).backward(seed)
    np.testing.assert_array_equal(arrays[0], 3.0)
    np.testing.assert_array_equal(arrays[1], 1.0)
    np.testing.assert_array_equal(seed._array, 1.0)


def test_a_first_gradient_is_taken_over_in_row_major_order() -> None:
    w, b, x = leaf(6, 5), leaf(6), Tensor(np.random.default_rng(2).standard_normal((4, 5)))
    torch.nn.functional.linear(x, w, b).sin().sum().backward()
    torch.nn.functional.linear(x, w).sum().backward()
    assert w.grad is not None and w.grad._array.flags.c_contiguous
    v = leaf(5, 6)
    (v.T.contiguous() * 2.0).sum().backward()
    assert v.grad is not None and v.grad._array.flags.c_contiguous

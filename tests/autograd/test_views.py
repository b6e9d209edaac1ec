"""Views share memory and history with their base; what a write changes in values, versions, nodes and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd.layout import dense, order_of, overlaps


def leaf(*shape: int) -> Any:
    return torch.tensor(np.arange(1.0, 1.0 + int(np.prod(shape))).reshape(shape), requires_grad=True)


def name(tensor: Any) -> str:
    return type(tensor.grad_fn).__name__


VIEWS = {
    "reshape": lambda x: x.reshape(3, 2),
    "view": lambda x: x.view(-1),
    "flatten": lambda x: x.flatten(),
    "transpose": lambda x: x.transpose(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "t": lambda x: x.t(),
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x.unsqueeze(1).squeeze(1),
    "movedim": lambda x: x.movedim(0, 1),
    "select": lambda x: x.select(1, 2),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "slice": lambda x: x[:, ::2],
    "index": lambda x: x[1, None, 1:],
    "ellipsis": lambda x: x[..., 0],
    "whole": lambda x: x[...],
    "diagonal": lambda x: x.diagonal(1),
    "unfold": lambda x: x.unfold(1, 2, 1),
    "as_strided": lambda x: x.as_strided((2, 2), (2, 1), 1),
    "unflatten": lambda x: x.unflatten(1, (3, 1)),
    "expand": lambda x: x[None].expand(1, -1, -1),
    "unbind": lambda x: x.unbind(1)[1],
    "split": lambda x: x.split(2, 1)[0],
    "chunk": lambda x: x.chunk(2, 1)[1],
    "tensor_split": lambda x: x.tensor_split(2, 1)[1],
    "chain": lambda x: x.T[1:].unsqueeze(0)[0, 1],
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
def test_a_view_shares_memory_base_and_version(view: Any) -> None:
    x = leaf(2, 3)
    b = x * 1
    v = view(b)
    assert np.shares_memory(v._array, b._array)
    assert v._base is b
    with torch.no_grad():
        b.mul_(2)
    assert v._version == b._version == 1
    np.testing.assert_array_equal(v.detach().numpy(), view(x.detach() * 2).numpy())


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
def test_a_written_base_gives_its_views_the_new_history(view: Any) -> None:
    x = leaf(2, 3)
    b = x * 1
    v = view(b)
    b.mul_(x)
    if v._view.multi:
        with pytest.raises(RuntimeError, match="several outputs"):
            v.sum()
        return
    assert name(v) == "AsStridedBackward0"
    (v * v).sum().backward()
    again = leaf(2, 3)
    w = view(again * again)
    (w * w).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), again.grad.numpy())


WRITABLE = {k: v for k, v in VIEWS.items() if k not in ("unbind", "split", "chunk", "unfold")}


@pytest.mark.parametrize("view", WRITABLE.values(), ids=WRITABLE.keys())
def test_a_write_through_a_view_is_a_write_into_the_base(view: Any) -> None:
    x = leaf(2, 3)
    b = x * 1
    other = b[0]
    v = view(b)
    v.mul_(v * 3)
    assert name(b) == "CopySlices"
    assert name(v) == name(other) == "AsStridedBackward0"
    weight = torch.tensor(np.linspace(0.5, 1.5, 6).reshape(2, 3))
    (b * b * weight).sum().backward()

    again = leaf(2, 3)
    marked = torch.zeros(2, 3)
    view(marked).fill_(1.0)
    changed = torch.where(marked.bool(), again * again * 3, again)
    (changed * changed * weight).sum().backward()
    np.testing.assert_allclose(b.detach().numpy(), changed.detach().numpy())
    np.testing.assert_allclose(x.grad.numpy(), again.grad.numpy())


@pytest.mark.parametrize("view", WRITABLE.values(), ids=WRITABLE.keys())
def test_a_base_in_column_order_is_written_at_the_right_places(view: Any) -> None:
    x = leaf(3, 2)
    b = torch.tensor(np.zeros((3, 2))).T + x.T
    assert not b._array.flags.c_contiguous or b._array.flags.f_contiguous
    try:
        v = view(b)
    except RuntimeError:  # view() of other strides
        pytest.skip("no such view in column order")
    if not np.shares_memory(v._array, b._array):
        pytest.skip("reshape had to copy")
    before = b.detach().clone()
    v.mul_(2)
    b.sum().backward()
    changed = (b.detach() != before).numpy()
    np.testing.assert_array_equal(x.grad.numpy(), np.where(changed, 2.0, 1.0).T)


def test_second_order_through_a_written_view() -> None:
    x = leaf(3)
    b = x * 1
    b[:2].mul_(x[1:])
    (g,) = torch.autograd.grad((b * b).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad((g * torch.tensor([1.0, 2.0, 3.0])).sum(), x)
    # f = x0^2 x1^2 + x1^2 x2^2 + x2^2 at (1, 2, 3)
    a, c, d = 1.0, 2.0, 3.0
    hessian = np.array([
        [2 * c * c, 4 * a * c, 0], [4 * a * c, 2 * a * a + 2 * d * d, 4 * c * d], [0, 4 * c * d, 2 * c * c + 2]])
    np.testing.assert_allclose(h.numpy(), hessian @ [1.0, 2.0, 3.0])


def test_a_base_that_begins_to_require_grad_takes_its_views_along_but_not_those_of_a_detached_alias() -> None:
    b, w = torch.zeros(3), leaf(2)
    v, u = b[:2], b[1:]
    d = b.detach()[1:]
    v.mul_(w)
    assert b.requires_grad and u.requires_grad and not d.requires_grad
    assert name(u) == "AsStridedBackward0" and d.grad_fn is None
    assert d._version == b._version == 1


def test_views_made_under_no_grad_or_of_several_outputs_have_no_new_history() -> None:
    b = leaf(3) * 1
    with torch.no_grad():
        v = b[:2]
    b.mul_(2)
    with pytest.raises(RuntimeError, match="no_grad"):
        v.sum()
    b = leaf(4) * 1
    part = b.split(2)[0][:1]
    with pytest.raises(RuntimeError, match="several outputs"):
        part.mul_(2)


def test_in_place_shape_changes_leave_earlier_views_on_the_old_shape() -> None:
    x = leaf(2, 2)
    b = x * 1
    row = b[0]
    b.t_()
    assert b.shape == (2, 2) and b._version == 1 and name(b) == "TBackward0"
    assert row.tolist() == [1.0, 2.0] and b.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    row.mul_(10)
    assert name(b) == "AsStridedBackward0" and b.tolist() == [[10.0, 3.0], [20.0, 4.0]]
    (b * b).sum().backward()
    assert x.grad.tolist() == [[200.0, 400.0], [6.0, 8.0]]


@pytest.mark.parametrize(("method", "args", "shape"), [
    ("squeeze_", (), (2, 3)), ("squeeze_", (0,), (2, 3)), ("unsqueeze_", (0,), (1, 1, 2, 3)),
    ("transpose_", (1, 2), (1, 3, 2)), ("swapaxes_", (0, 2), (3, 2, 1)), ("as_strided_", ((2,), (1,)), (2,))])
def test_in_place_shape_methods(method: str, args: Any, shape: tuple[int, ...]) -> None:
    x = leaf(1, 2, 3)
    y = x * 1
    assert getattr(y, method)(*args) is y
    assert tuple(y.shape) == shape and y._version == 1
    y.sum().backward()
    assert x.grad.sum().item() == np.prod(shape)
    with pytest.raises(RuntimeError, match="leaf"):
        getattr(leaf(1, 2, 3), method)(*args)


def test_stale_views_that_were_saved_are_noticed() -> None:
    y = leaf(2) * 1
    v = y[:1]
    z = v * v
    y.mul_(3)
    with pytest.raises(RuntimeError, match="in-place"):
        z.sum().backward()


def test_views_of_views_have_the_first_base() -> None:
    b = leaf(2, 3) * 1
    assert b[0][1:]._base is b and b.T.reshape(6)._base is None and b.reshape(-1).view(3, 2)[1]._base is b


@pytest.mark.parametrize(("strides", "shape", "expected"), [
    ((0,), (3,), True), ((8, 8), (2, 2), True), ((8, 16), (2, 2), False), ((24, 16), (2, 3), False),
    ((16, 24), (3, 2), False),
    ((8,), (1,), False), ((0, 8), (1, 2), False)])
def test_shared_cells_are_found(strides: tuple[int, ...], shape: tuple[int, ...], expected: bool) -> None:
    array = np.lib.stride_tricks.as_strided(np.zeros(20), shape, strides)
    assert overlaps(array) is expected


def test_the_order_in_memory_is_kept_by_a_dense_copy() -> None:
    array = np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)[::2]
    made = dense(array, order_of(array))
    np.testing.assert_array_equal(made, array)
    assert order_of(made) == order_of(array) == (1, 2, 0)
    assert order_of(np.zeros((2, 3))) is None

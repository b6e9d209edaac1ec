"""Dual numbers: levels, tangents through operations, views, writes and reverse mode, and batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli import func
from gradcli.autograd import forward_ad as fw

ROW = [1.0, 2.0, 3.0]


def row() -> Any:
    return torch.tensor(ROW)


def tangent_of(dual: Any) -> Any:
    return fw.unpack_dual(dual).tangent


def test_a_tangent_goes_through_operations() -> None:
    with fw.dual_level():
        dual = fw.make_dual(row(), torch.tensor([1.0, 0.0, 2.0]))
        value, tangent = fw.unpack_dual(torch.sin(dual) * dual)
    assert tangent is not None
    np.testing.assert_allclose(value.numpy(), np.sin(ROW) * ROW)
    want = (np.cos(ROW) * ROW + np.sin(ROW)) * [1, 0, 2]
    np.testing.assert_allclose(tangent.numpy(), want)


def test_what_has_no_tangent_says_none() -> None:
    with fw.dual_level():
        dual = fw.make_dual(row(), row())
        assert tangent_of(row()) is None
        assert tangent_of(dual.detach()) is None
        assert tangent_of(dual > 1) is None
        with torch.no_grad():  # blocks reverse mode alone
            assert tangent_of(dual * 2).tolist() == [2, 4, 6]
    assert tangent_of(dual) is None


def test_views_show_the_tangent_of_their_base() -> None:
    with fw.dual_level():
        dual = fw.make_dual(row(), torch.ones(3)) * 1
        part = dual[1:]
        part.mul_(10)
        assert tangent_of(dual).tolist() == [1, 10, 10]
        dual.zero_()
        assert tangent_of(part).tolist() == [0, 0]


def test_levels_do_not_nest_and_tangents_must_fit() -> None:
    with pytest.raises(RuntimeError):
        fw.make_dual(row(), row())
    with fw.dual_level():
        with pytest.raises(RuntimeError):
            fw.enter_dual_level()
        with pytest.raises(RuntimeError):
            fw.make_dual(row(), torch.ones(2))
        with pytest.raises(ValueError, match="floating"):
            fw.make_dual(torch.tensor([1, 2]), torch.tensor([1.0, 2.0]))
        with pytest.raises(RuntimeError):
            fw.make_dual(row(), torch.ones(3, dtype=torch.complex64))
        assert tangent_of(fw.make_dual(row().double(), torch.ones(3, dtype=torch.float32))).dtype == torch.float64
    with pytest.raises(RuntimeError):
        fw.exit_dual_level()


def test_reverse_mode_goes_through_tangents() -> None:
    x = torch.tensor(ROW, requires_grad=True)
    with fw.dual_level():
        dual = fw.make_dual(x, torch.ones(3))
        tangent = tangent_of((dual**3).sum())
        gradient: Any = torch.autograd.grad(tangent, x)[0]
    assert gradient.tolist() == [6, 12, 18]


def test_reverse_mode_reaches_primals_when_forward_mode_is_over() -> None:
    def along(x: Any) -> Any:
        return func.jvp(lambda x: (x * x.flip(0) * x.exp()).prod(), (x,), (torch.tensor([1.0, 2.0, 3.0]),))[1]

    x = torch.tensor([0.3, -0.7, 1.1])
    hessian = func.jacrev(func.grad(lambda x: (x * x.flip(0) * x.exp()).prod()))(x)
    np.testing.assert_allclose(func.grad(along)(x).numpy(), hessian.numpy() @ ROW)


def test_tangents_inside_a_batch_of_a_level_around_it() -> None:
    x, directions = row(), torch.eye(3)
    with fw.dual_level():
        made = func.vmap(lambda t: tangent_of(fw.make_dual(x, t) ** 2))(directions)
        many = func.vmap(lambda r, t: tangent_of(fw.make_dual(r, t) ** 3))(torch.ones(2, 3), directions[:2])
    assert made.tolist() == np.diag([2.0, 4.0, 6.0]).tolist()
    assert many.tolist() == [[3, 0, 0], [0, 3, 0]]


def test_products_of_each_sample() -> None:
    x, t = torch.tensor([[0.3, -0.7], [1.1, 0.4]]), torch.tensor([[1.0, 2.0], [0.5, -1.0]])

    def one(x: Any, t: Any) -> Any:
        return func.jvp(lambda x: (x.softmax(0) * x.prod()).exp(), (x,), (t,))[1]

    want = [one(x[k], t[k]).tolist() for k in range(2)]
    np.testing.assert_allclose(func.vmap(one)(x, t).tolist(), want)

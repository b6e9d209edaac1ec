"""In-place operations inside forward mode, vmap and their combinations with reverse mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradcli as torch

X, T = [1.0, 2.0, 3.0], [1.0, 10.0, 100.0]


def jvp(function: Any) -> tuple[Any, Any]:
    x, t = torch.tensor(X), torch.tensor(T)
    value, tangent = torch.func.jvp(function, (x,), (t,))
    assert x.tolist() == X and t.tolist() == T, "the inputs are not written"
    return value.tolist(), tangent.tolist()


def through_a_view(x: Any) -> Any:
    z = x.clone()
    z[:2].mul_(x[1:])
    return z


def by_index(x: Any) -> Any:
    z = x.clone()
    z[0] = z[2] * 2
    z[[1, 1]] = x[:2]
    return z


def of_constants(x: Any) -> Any:
    z = x * 1
    z.zero_()
    z[1] = 5.0
    return z


def by_mask(x: Any) -> Any:
    z = x * x
    z[z > 5] = 0.0
    z += x
    return z


def mixed(x: Any) -> Any:
    z = x * 1
    z[0] = x[1] * x[2]
    z.mul_(x)
    return z


@pytest.mark.parametrize(("function", "value", "tangent"), [
    (through_a_view, [2.0, 6.0, 3.0], [12.0, 230.0, 100.0]), (by_index, [6.0, 2.0, 3.0], [200.0, 10.0, 100.0]),
    (of_constants, [0.0, 5.0, 0.0], [0.0, 0.0, 0.0]), (by_mask, [2.0, 6.0, 3.0], [3.0, 50.0, 100.0])])
def test_the_tangent_is_written_with_the_value(function: Any, value: list[float], tangent: list[float]) -> None:
    assert jvp(function) == (value, tangent)


def test_samples_are_written_at_once() -> None:
    out = torch.func.vmap(mixed)(torch.tensor([X, [4.0, 5.0, 6.0]]))
    assert out.tolist() == [[6.0, 4.0, 9.0], [120.0, 25.0, 36.0]]


def test_all_modes_agree_on_the_derivatives_of_writes() -> None:
    x = torch.tensor(X)
    want = np.array([[6.0, 3.0, 2.0], [0.0, 4.0, 0.0], [0.0, 0.0, 6.0]])
    np.testing.assert_allclose(torch.func.jacrev(mixed)(x).numpy(), want)
    np.testing.assert_allclose(torch.func.jacfwd(mixed)(x).numpy(), want)
    hessian = torch.func.hessian(lambda x: mixed(x).sum())(x)
    np.testing.assert_allclose(hessian.numpy(), [[0.0, 3.0, 2.0], [3.0, 2.0, 1.0], [2.0, 1.0, 2.0]])


def into_constants(x: Any) -> Any:
    z = torch.zeros(2, 2)
    row, flat = z[0], z.view(4)
    row.copy_(x[:2] * 2)
    flat[3] = x[2]
    z[1, 0] += x[0]
    return z * z[0, 1] + flat.sum() + row[0]


def test_a_plain_tensor_takes_a_tangent_and_its_views_see_it() -> None:
    x = torch.tensor(X)
    value, tangent = torch.func.jvp(into_constants, (x,), (torch.tensor([1.0, 2.0, 3.0]),))
    want = torch.func.jacrev(into_constants)(x)
    np.testing.assert_allclose(value.numpy(), into_constants(x).numpy())
    np.testing.assert_allclose(tangent.numpy(), want.numpy() @ [1.0, 2.0, 3.0])
    np.testing.assert_allclose(torch.func.jacfwd(into_constants)(x).numpy(), want.numpy())


def test_a_plain_tensor_takes_no_batch() -> None:
    with pytest.raises(RuntimeError, match="cannot take one in place"):
        torch.func.vmap(into_constants)(torch.tensor([X]))

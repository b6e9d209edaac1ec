"""torch.autograd.functional: shapes, tuples, strict, create_graph, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp

ROW = [1.0, 2.0, 3.0]


def row() -> Any:
    return torch.tensor(ROW)


def leaf() -> Any:
    return torch.tensor(ROW, requires_grad=True)


def cubes(x: Any) -> Any:
    return (x**3).sum()


def mixed(a: Any, b: Any) -> Any:
    return (a * a * b).sum()


def matrix(rows: Any) -> Any:
    return np.array(rows, float).tolist()


# -- Jacobians --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "words", [{}, {"vectorize": True}, {"vectorize": True, "strategy": "forward-mode"}, {"strict": True}]
)
def test_every_strategy_gives_one_jacobian(words: dict[str, Any]) -> None:
    assert jacobian(lambda x: x**2, row(), **words).tolist() == matrix(np.diag([2, 4, 6]))
    (only,) = jacobian(lambda x: x**2, (row(),), **words)
    assert only.tolist() == matrix(np.diag([2, 4, 6]))
    blocks = jacobian(lambda a, b: (a * b, (a + b).sum()), (row(), row()), **words)
    assert blocks[0][1].tolist() == matrix(np.diag(ROW))
    assert blocks[1][0].tolist() == [1, 1, 1]


def test_outputs_that_do_not_depend_on_the_inputs_have_zeros() -> None:
    assert jacobian(lambda x: torch.ones(2), row()).tolist() == matrix(np.zeros((2, 3)))
    assert jacobian(lambda a, b: a * 2, (row(), row()))[1].tolist() == matrix(np.zeros((3, 3)))


def test_a_graph_is_made_on_demand() -> None:
    assert not jacobian(lambda x: x**2, leaf()).requires_grad
    x = leaf()
    jacobian(lambda x: x**3, x, create_graph=True).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [6, 12, 18]
    y = leaf()
    hessian(lambda x: (x**4).sum(), y, create_graph=True).sum().backward()
    assert y.grad is not None and y.grad.tolist() == [24, 48, 72]


def test_complex_rows_are_those_of_pytorch() -> None:
    z = torch.tensor([1 + 2j, 3 + 0j])
    assert jacobian(lambda z: z.abs() ** 2, z).tolist() == [[2 + 4j, 0], [0, 6]]
    assert jacobian(lambda z: z**2, z, vectorize=True).tolist() == [[2 - 4j, 0], [0, 6]]


# -- Hessians and their products --------------------------------------------------------------------------------------
@pytest.mark.parametrize("words", [{}, {"vectorize": True}, {"vectorize": True, "outer": "forward-mode"}])
def test_hessians(words: dict[str, Any]) -> None:
    outer = {"outer_jacobian_strategy": words["outer"]} if "outer" in words else {}
    given = {"vectorize": words.get("vectorize", False), **outer}
    assert hessian(cubes, row(), **given).tolist() == matrix(np.diag([6, 12, 18]))
    assert hessian(lambda x: cubes(x).reshape(1), row(), **given).tolist() == matrix(np.diag([6, 12, 18]))
    assert hessian(lambda x: x.sum(), row(), **given).tolist() == matrix(np.zeros((3, 3)))
    blocks = hessian(mixed, (row(), row()), **given)
    assert blocks[0][1].tolist() == matrix(np.diag([2, 4, 6]))
    assert blocks[1][1].tolist() == matrix(np.zeros((3, 3)))


@pytest.mark.parametrize("product", [hvp, vhp])
def test_products_of_a_symmetric_hessian_agree(product: Callable[..., Any]) -> None:
    value, along = product(cubes, row(), row())
    assert (value.item(), along.tolist()) == (36, [6, 24, 54])
    _, (first, second) = product(mixed, (row(), row()), (row(), row()))
    assert (first.tolist(), second.tolist()) == ([4, 16, 36], [2, 8, 18])
    assert product(lambda x: x.sum(), row(), row())[1].tolist() == [0, 0, 0]


# -- products of the Jacobian -----------------------------------------------------------------------------------------
def test_vectors_may_be_left_out_for_one_element() -> None:
    assert vjp(lambda x: x.sum(), row())[1].tolist() == [1, 1, 1]
    assert jvp(lambda x: x**2, torch.tensor(3.0))[1].item() == 6


def test_products_of_several_inputs_and_outputs() -> None:
    outputs, (to_a, to_b) = vjp(lambda a, b: (a * b, a), (row(), row()), (row(), torch.ones(3)))
    assert outputs[0].tolist() == [1, 4, 9]
    assert (to_a.tolist(), to_b.tolist()) == ([2, 5, 10], [1, 4, 9])
    _, (first, second) = jvp(lambda a, b: (a * b, a), (row(), row()), (torch.ones(3), torch.zeros(3)))
    assert (first.tolist(), second.tolist()) == (ROW, [1, 1, 1])


# -- what is refused --------------------------------------------------------------------------------------------------
REFUSED: list[tuple[type[Exception], Callable[[], Any]]] = [
    (NotImplementedError, lambda: jacobian(cubes, row(), strategy="forward-mode")),
    (ValueError, lambda: jacobian(cubes, row(), strategy="sideways")),
    (RuntimeError, lambda: jacobian(cubes, row(), strict=True, vectorize=True)),
    (RuntimeError, lambda: jacobian(lambda x: torch.ones(2), row(), strict=True)),
    (RuntimeError, lambda: jacobian(lambda a, b: a * 2, (row(), row()), strict=True)),
    (RuntimeError, lambda: jacobian(lambda x: x * 2, row(), strict=True, create_graph=True)),
    (TypeError, lambda: jacobian(lambda x: 1.0, row())),
    (TypeError, lambda: jacobian(cubes, 1.0)),
    (RuntimeError, lambda: jacobian(lambda z: z**2, torch.tensor([1j]))),
    (RuntimeError, lambda: hessian(lambda x: x**3, row())),
    (RuntimeError, lambda: hessian(lambda x: (x.sum(), x.sum()), row())),
    (RuntimeError, lambda: hessian(lambda x: x.sum(), row(), strict=True)),
    (RuntimeError, lambda: hessian(lambda x: torch.tensor(3.0), row(), strict=True)),
    (NotImplementedError, lambda: hessian(cubes, row(), outer_jacobian_strategy="forward-mode")),
    (RuntimeError, lambda: hvp(lambda x: x**3, row(), row())),
    (RuntimeError, lambda: hvp(cubes, row())),
    (RuntimeError, lambda: hvp(lambda x: x.sum(), row(), row(), strict=True)),
    (RuntimeError, lambda: vhp(lambda x: x.sum(), row(), row(), strict=True)),
    (RuntimeError, lambda: vjp(lambda x: x**2, row())),
    (RuntimeError, lambda: vjp(lambda x: x**2, row(), torch.ones(2))),
    (RuntimeError, lambda: vjp(lambda x: (x, x), row(), row())),
    (RuntimeError, lambda: vjp(lambda x: torch.ones(3), row(), row(), strict=True)),
    (RuntimeError, lambda: jvp(lambda x: x**2, row())),
    (RuntimeError, lambda: jvp(lambda x: torch.ones(3), row(), row(), strict=True)),
    (RuntimeError, lambda: jvp(lambda x: x * 2, row(), row(), strict=True, create_graph=True)),
]


@pytest.mark.parametrize(("kind", "attempt"), REFUSED, ids=[str(k) for k in range(len(REFUSED))])
def test_what_pytorch_refuses_is_refused(kind: type[Exception], attempt: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        attempt()
    assert hasattr(caught.value, "detail")

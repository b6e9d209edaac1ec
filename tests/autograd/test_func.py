"""torch.func: gradients, products, Jacobians and Hessians of functions, in any order, over nests, with aux values."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli import func
from gradcli.autograd.units import Units

ROW = [1.0, 2.0, 3.0]
CUBES = [[6.0, 0.0, 0.0], [0.0, 12.0, 0.0], [0.0, 0.0, 18.0]]


def row() -> Any:
    return torch.tensor(ROW)


def cubes(x: Any) -> Any:
    return (x**3).sum()


def product(a: Any, b: Any) -> Any:
    return (a * b).sum()


# -- gradients --------------------------------------------------------------------------------------------------------
def test_gradients_by_position_and_over_nests() -> None:
    x, y = row(), torch.tensor([4.0, 5.0, 6.0])
    assert func.grad(product, argnums=1)(x, y).tolist() == ROW
    first, second = func.grad(product, argnums=(1, 0))(x, y)
    assert (first.tolist(), second.tolist()) == (ROW, [4, 5, 6])
    nest = func.grad(lambda d: product(*d["pair"]))({"pair": (x, y)})
    assert nest["pair"][0].tolist() == [4, 5, 6]


def test_aux_values_come_without_a_graph() -> None:
    gradient, aux = func.grad(lambda x: (cubes(x), {"twice": x * 2}), has_aux=True)(row())
    assert gradient.tolist() == [3, 12, 27]
    assert aux["twice"].tolist() == [2, 4, 6] and not aux["twice"].requires_grad
    _, (value, more) = func.grad_and_value(lambda x: (cubes(x), x), has_aux=True)(row())
    assert (value.item(), more.tolist()) == (36, ROW)
    assert func.jacrev(lambda x: (x**2, x.sum()), has_aux=True)(row())[1].item() == 6
    assert func.jacfwd(lambda x: (x**2, x.sum()), has_aux=True)(row())[1].item() == 6
    assert func.vjp(lambda x: (x**2, x), row(), has_aux=True)[2].tolist() == ROW
    assert func.jvp(lambda x: (x**2, x), (row(),), (row(),), has_aux=True)[2].tolist() == ROW


def test_a_gradient_inside_reaches_what_requires_grad_outside() -> None:
    scale = torch.tensor(2.0, requires_grad=True)
    inner = func.grad(lambda x: scale * cubes(x))(row())
    inner.sum().backward()
    assert scale.grad is not None and scale.grad.item() == 42


def test_gradients_of_gradients() -> None:
    assert func.grad(func.grad(lambda x: x**3))(torch.tensor(2.0)).item() == 12


# -- products ---------------------------------------------------------------------------------------------------------
def test_products_over_nests() -> None:
    out, pull = func.vjp(lambda x, y: {"p": x * y, "s": (x + y,)}, row(), row())
    assert out["p"].tolist() == [1, 4, 9]
    to_x, to_y = pull({"p": row(), "s": (torch.ones(3),)})
    assert to_x.tolist() == to_y.tolist() == [2, 5, 10]
    value, tangent = func.jvp(lambda d: d["a"] ** 2, ({"a": row()},), ({"a": torch.ones(3)},))
    assert (value.tolist(), tangent.tolist()) == ([1, 4, 9], [2, 4, 6])


def test_the_linear_function_can_be_used_again() -> None:
    value, linear = func.linearize(lambda x, y: (x * y, x), row(), row())
    assert value[0].tolist() == [1, 4, 9]
    for k in (1.0, 2.0):
        assert linear(k * torch.ones(3), torch.zeros(3))[0].tolist() == [k * v for v in ROW]


# -- Jacobians and Hessians -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("jacobian", [func.jacrev, func.jacfwd])
def test_a_jacobian_has_the_shape_of_output_and_input(jacobian: Callable[..., Any]) -> None:
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert jacobian(lambda x: x.sum(1).outer(x.sum(0)))(x).shape == (2, 3, 2, 3)
    both = jacobian(lambda a, b: (a * b, a), argnums=(0, 1))(row(), row())
    assert both[0][1].tolist() == both[0][0].tolist() == np.diag(ROW).tolist()
    assert both[1][1].tolist() == np.zeros((3, 3)).tolist()
    nest = jacobian(lambda d: {"s": d["a"] * 2})({"a": row()})
    assert nest["s"]["a"].tolist() == (2 * np.eye(3)).tolist()
    assert jacobian(lambda x: x * 0 + torch.ones(2, 1))(row()).shape == (2, 3, 3)
    assert jacobian(lambda x: torch.ones(2))(row()).tolist() == np.zeros((2, 3)).tolist()


@pytest.mark.parametrize("chunk", [None, 1, 2, 5])
def test_rows_in_chunks(chunk: int | None) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    got = func.jacrev(lambda x: (x @ x, x.sum()), chunk_size=chunk)(x)
    want = func.jacfwd(lambda x: (x @ x, x.sum()))(x)
    assert [g.tolist() for g in got] == [w.tolist() for w in want]


@pytest.mark.parametrize(
    "second",
    [
        func.hessian,
        lambda f: func.jacfwd(func.jacrev(f)),
        lambda f: func.jacrev(func.jacfwd(f)),
        lambda f: func.jacfwd(func.jacfwd(f)),
        lambda f: func.jacrev(func.jacrev(f)),
        lambda f: func.jacrev(func.grad(f)),
    ],
)
def test_all_orders_of_modes_give_one_hessian(second: Callable[..., Any]) -> None:
    assert second(cubes)(row()).tolist() == CUBES
    x = torch.tensor([0.3, -0.7, 1.1])

    def mixed(x: Any) -> Any:
        return torch.tanh(x[:-1] * x[1:]).sum() + (x.exp() * x.flip(0)).prod()

    np.testing.assert_allclose(second(mixed)(x).numpy(), func.jacrev(func.grad(mixed))(x).numpy(), atol=1e-12)


def written(x: Any) -> Any:
    z = x * 1
    z[0] = x[1] * x[2]
    z.mul_(x.sum())
    return z.prod()


@pytest.mark.parametrize("modes", list(itertools.product((func.jacrev, func.jacfwd), repeat=3)))
@pytest.mark.parametrize(
    "function",
    [
        written,
        lambda x: (x.exp() * x.flip(0)).prod() + torch.tanh(x[:-1] * x[1:]).sum(),
        lambda x: (x[torch.tensor([0, 2, 2])] * x.sort()[0]).prod() * x.max(),
        lambda x: torch.linalg.solve(torch.diag(x) + x[:, None] * 0.1, x.cumsum(0)).dot(x),
    ],
)
def test_third_derivatives_in_all_orders_of_modes(function: Any, modes: tuple[Any, ...]) -> None:
    x = torch.tensor([0.3, -0.7, 1.1])
    first, second, third = modes
    want = func.jacrev(func.jacrev(func.grad(function)))(x)
    np.testing.assert_allclose(first(second(third(function)))(x).numpy(), want.numpy(), rtol=1e-9, atol=1e-9)


def test_a_hessian_is_recorded_on_demand() -> None:
    scale = torch.tensor(1.0, requires_grad=True)
    func.hessian(lambda x: cubes(x * scale))(row()).sum().backward()
    assert scale.grad is not None and scale.grad.item() == pytest.approx(108)


def test_hessians_by_several_arguments() -> None:
    blocks = func.hessian(lambda a, b: (a**2 * b).sum(), argnums=(0, 1))(row(), row())
    assert blocks[0][1].tolist() == (2 * np.diag(ROW)).tolist()
    assert func.hessian(lambda x: 3 * x.sum())(row()).tolist() == np.zeros((3, 3)).tolist()
    assert func.hessian(lambda x: x**3)(row()).shape == (3, 3, 3)


def test_transformations_inside_batches_and_batches_inside() -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert func.vmap(func.hessian(cubes))(x).tolist() == [np.diag(6 * r).tolist() for r in x.numpy()]
    want = func.jacrev(lambda x: (x**2).sum(1))(x).tolist()
    assert func.jacrev(func.vmap(lambda r: (r**2).sum()))(x).tolist() == want
    assert func.jacfwd(func.vmap(lambda r: (r**2).sum()))(x).tolist() == want


def test_a_jacobian_is_recorded_on_demand() -> None:
    x = row().requires_grad_()
    func.jacrev(lambda x: x**3)(x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [6, 12, 18]


# -- unit vectors as entries ------------------------------------------------------------------------------------------
STRUCTURED: list[Callable[[Any], Any]] = [
    lambda x: x * 3 - x / 2 + -x,
    lambda x: x[1:] * x[:-1] ** 2,
    lambda x: x.flip(0).reshape(2, 2).T * x.reshape(2, 2),
    lambda x: x.clamp(-0.5, 0.5) * torch.relu(x),
    lambda x: (x.reshape(2, 2) * x[:2]).sum(0, keepdim=True),
    lambda x: x.mean() * x.unsqueeze(1),
    lambda x: torch.linspace(1, 2, 12).reshape(3, 4) @ x.tanh(),
    lambda x: x.reshape(2, 2) @ torch.linspace(1, 2, 6).reshape(2, 3),
    lambda x: torch.linspace(1, 2, 6).reshape(3, 2) @ x.reshape(2, 2),
    lambda x: torch.dot(x, x) * x[2],
    lambda x: x.expand(3, 4) * x,
    lambda x: torch.cat([x[2:], x[:2] * x[0]]),
    lambda x: x.float() * 2,
    lambda x: torch.diag(x).sum(0) + x.reshape(2, 2).diagonal().prod(),
    lambda x: sum(x.roll(k) for k in range(4)) * x,
    lambda x: x[None] + x[:, None],
]


@pytest.mark.parametrize("function", STRUCTURED, ids=[str(k) for k in range(len(STRUCTURED))])
def test_rows_held_by_their_entries_are_those_written_out(function: Callable[[Any], Any]) -> None:
    x = torch.tensor([0.3, -0.7, 1.1, 0.4])
    rows = torch.eye(function(x).numel())
    out, pull = func.vjp(function, x)
    want = torch.stack([pull(r.reshape(out.shape).to(out.dtype))[0] for r in rows]).reshape(*out.shape, 4)
    np.testing.assert_allclose(func.jacrev(function)(x).numpy(), want.numpy(), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(func.jacfwd(function)(x).numpy(), want.numpy(), rtol=1e-6, atol=1e-15)


def test_diagonal_factors_leave_one_entry_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Units) -> Any:
        raise AssertionError("written out")

    seen: list[int] = []

    def look(g: Any) -> None:
        seen.append(len(g.entries.terms))

    x = torch.tensor([0.3, -0.7, 1.1])

    def function(x: Any) -> Any:
        y = torch.sin(x)
        y.register_hook(look)
        return torch.exp(y)

    func.jacrev(function)(x)
    assert seen == [1]


def test_a_factor_that_is_not_finite_gives_nan_as_in_any_pass() -> None:
    x = torch.tensor([0.0, 4.0])
    np.testing.assert_array_equal(func.jacrev(torch.sqrt)(x).numpy(), [[np.inf, 0.0], [np.nan, 0.25]])


# -- what is refused --------------------------------------------------------------------------------------------------
Z = [1 + 2j, 3 + 0j]
REFUSED: list[tuple[type[Exception], Callable[[], Any]]] = [
    (RuntimeError, lambda: func.grad(lambda x: x)(row())),
    (RuntimeError, lambda: func.grad(lambda x: 1.0)(row())),
    (RuntimeError, lambda: func.grad(lambda x: (x.sum(),))(row())),
    (RuntimeError, lambda: func.grad(product, argnums=2)(row(), row())),
    (RuntimeError, lambda: func.grad(product, argnums=(0, -2))(row(), row())),
    (RuntimeError, lambda: func.grad(cubes, has_aux=True)(row())),
    (RuntimeError, lambda: func.grad(lambda x: x.sum())(torch.tensor([1, 2]))),
    (ValueError, lambda: func.grad(lambda x: x * x)(3.0)),
    (RuntimeError, lambda: func.vjp(lambda x: x**2, row())[1](torch.ones(2))),
    (RuntimeError, lambda: func.vjp(lambda x: (x, x), row())[1](row())),
    (RuntimeError, lambda: func.vjp(lambda x: 1.0, row())),
    (RuntimeError, lambda: func.jvp(cubes, row(), row())),
    (RuntimeError, lambda: func.jvp(cubes, (row(),), (torch.ones(2),))),
    (RuntimeError, lambda: func.jvp(cubes, (row(),), (row(), row()))),
    (RuntimeError, lambda: func.jvp(cubes, (), ())),
    (RuntimeError, lambda: func.jvp(lambda x: 1.0, (row(),), (row(),))),
    (RuntimeError, lambda: func.jacrev(lambda x: 1.0)(row())),
    (ValueError, lambda: func.jacrev(cubes, chunk_size=0)),
    (RuntimeError, lambda: func.jacrev(lambda z: z**2)(torch.tensor(Z))),
    (RuntimeError, lambda: func.jacfwd(lambda z: z**2)(torch.tensor(Z))),
    (RuntimeError, lambda: func.jacrev(lambda x: x * 1j)(row())),
    (RuntimeError, lambda: func.jacfwd(lambda x: x + torch.randn(3))(row())),
]


@pytest.mark.parametrize(("kind", "attempt"), REFUSED, ids=[str(k) for k in range(len(REFUSED))])
def test_what_pytorch_refuses_is_refused(kind: type[Exception], attempt: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        attempt()
    assert hasattr(caught.value, "detail")


def test_complex_products_follow_pytorch() -> None:
    z = torch.tensor(Z)
    assert func.grad(lambda z: (z * z.conj()).real.sum())(z).tolist() == [2 + 4j, 6]
    assert func.jvp(lambda z: z**2, (z,), (torch.tensor([1j, 0j]),))[1].tolist() == [-4 + 2j, 0]


# -- functional_call --------------------------------------------------------------------------------------------------
class Layer:
    """What a module looks like from outside."""

    def __init__(self) -> None:
        self.weight, self.bias = torch.ones(2), torch.zeros(1)
        self.scale = Scale()

    def named_parameters(self) -> Any:
        yield from (("weight", self.weight), ("bias", self.bias), ("scale.factor", self.scale.factor))

    def __call__(self, x: Any) -> Any:
        return (self.weight * x).sum() * self.scale.factor + self.bias


class Scale:
    """A part of a module."""

    def __init__(self) -> None:
        self.factor = torch.tensor(2.0)


def test_a_module_runs_with_parameters_of_ones_own() -> None:
    layer, x = Layer(), torch.tensor([1.0, 2.0])
    parameters = {"weight": torch.tensor([3.0, 4.0]), "scale.factor": torch.tensor(10.0)}
    assert func.functional_call(layer, parameters, (x,)).item() == 110
    assert layer(x).item() == 6
    gradient = func.grad(lambda p: func.functional_call(layer, p, x).sum())(parameters)
    assert gradient["weight"].tolist() == [10, 20]
    assert func.functional_call(lambda x, w: x * w, [{"w": x}], (x,)).tolist() == [1, 4]


def test_functional_call_restores_after_errors_and_checks_names() -> None:
    layer = Layer()
    with pytest.raises(RuntimeError):
        func.functional_call(layer, {"weight": torch.ones(3)}, torch.ones(2))
    assert layer.weight.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match=r"missing: bias, scale.factor; unknown: other"):
        func.functional_call(layer, {"weight": torch.ones(2), "other": row()}, torch.ones(2), strict=True)
    with pytest.raises(ValueError, match="given twice"):
        func.functional_call(layer, [{"weight": row()}, {"weight": row()}], row())
    with pytest.raises(TypeError):
        func.functional_call(layer, [row()], row())

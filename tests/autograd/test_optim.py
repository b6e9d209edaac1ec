"""SGD: PyTorch's numbers, its state, what it leaves alone and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

import gradcli as torch
from gradcli.optim import SGD

# Four steps on the sum of p^3 - p from (1, -2), computed with PyTorch 2.13.
STEPS = [
    ({"lr": 0.1}, [0.627881265022208, -94.46686852993152]),
    ({"lr": 0.1, "momentum": 0.9}, [0.1670513991802878, -217.69326911057138]),
    ({"lr": 0.1, "momentum": 0.9, "dampening": 0.3}, [0.19311565243995363, -80.98712565103881]),
    ({"lr": 0.1, "weight_decay": 0.5}, [0.5544217274978638, -71.89017891875001]),
    (
        {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.2},
        [0.31419258182685794, -9039.571038322209],
    ),
    ({"lr": 0.05, "momentum": 0.5, "maximize": True}, [2.0311989709787497, -0.3952359522927565]),
]


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def descend(p: Any, optimizer: SGD, steps: int) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        (p**3 - p).sum().backward()
        optimizer.step()


@pytest.mark.parametrize(("options", "expected"), STEPS)
def test_steps_give_the_numbers_of_pytorch(options: dict[str, Any], expected: list[float]) -> None:
    p = leaf(1.0, -2.0)
    descend(p, torch.optim.SGD([p], **options), 4)
    assert p.tolist() == pytest.approx(expected, rel=1e-14)
    assert p.is_leaf
    assert p.requires_grad


def test_a_saved_state_goes_on_where_it_was() -> None:
    p, q = leaf(1.0, -2.0), leaf(1.0, -2.0)
    first = SGD([p], lr=0.1, momentum=0.9)
    descend(p, first, 2)
    second = SGD([q], lr=5.0)
    q.data = p.detach().clone()
    second.load_state_dict(first.state_dict())
    descend(p, first, 2)
    descend(q, second, 2)
    assert p.tolist() == q.tolist()
    assert first.state[p]["momentum_buffer"] is not second.state[q]["momentum_buffer"]
    with pytest.raises(ValueError, match="groups"):
        SGD([p, q], lr=0.1).load_state_dict(first.state_dict())


def test_groups_have_options_of_their_own() -> None:
    a, b, c = leaf(1.0), leaf(1.0), leaf(1.0)
    optimizer = SGD([{"params": [a]}, {"params": b, "lr": 0.5}], lr=0.1)
    optimizer.add_param_group({"params": [c], "lr": 0.0})
    (a + b + c).backward()
    optimizer.step()
    assert [p.item() for p in (a, b, c)] == [0.9, 0.5, 1.0]
    assert "lr: 0.5" in repr(optimizer)


def test_parameters_without_a_gradient_stay_and_zero_grad_has_two_ways() -> None:
    a, frozen = leaf(1.0), torch.tensor([1.0])
    optimizer = SGD([a, frozen], lr=0.1, momentum=0.9)
    (a * frozen).backward()
    kept = a.grad
    optimizer.step()
    assert frozen.tolist() == [1.0]
    assert len(optimizer.state) == 1
    optimizer.zero_grad(set_to_none=False)
    assert a.grad is kept
    assert a.grad.tolist() == [0.0]
    optimizer.zero_grad()
    assert a.grad is None


def test_step_returns_what_its_closure_computes_even_under_no_grad() -> None:
    p = leaf(2.0)
    optimizer = SGD([p], lr=0.25)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (p**2).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert optimizer.step(closure).item() == 4.0
    assert p.item() == 1.0


@pytest.mark.parametrize(
    ("params", "options", "cls"),
    [
        ([], {}, ValueError),
        (torch.ones(2), {}, TypeError),
        ([3.0], {}, TypeError),
        ([leaf(1.0) * 2], {}, ValueError),
        ([leaf(1.0)], {"lr": -1.0}, ValueError),
        ([leaf(1.0)], {"momentum": -1.0}, ValueError),
        ([leaf(1.0)], {"nesterov": True}, ValueError),
        ([leaf(1.0)], {"nesterov": True, "momentum": 0.5, "dampening": 0.1}, ValueError),
    ],
)
def test_what_is_refused(params: Any, options: dict[str, Any], cls: type[Exception]) -> None:
    with pytest.raises(cls):
        SGD(params, **options)
    same = leaf(1.0)
    with pytest.raises(ValueError, match="two groups"):
        SGD([same, same], lr=0.1)


def test_a_graph_made_before_a_step_is_refused_afterwards() -> None:
    w = leaf(1.0, 2.0)
    y = (w * w).sum()
    w.grad = torch.ones(2)
    SGD([w], lr=0.1).step()
    with pytest.raises(RuntimeError, match="overwritten"):
        y.backward()

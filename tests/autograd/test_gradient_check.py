"""The verdict of gradcheck: what it names as the cause, and what the default tolerances would let pass."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import gradcli as torch
from gradcli.autograd.refine import derivative, slopes

F = torch.nn.functional
EPS = 2.2e-16


def leaf(values: Any, **options: Any) -> torch.Tensor:
    return torch.tensor(values, requires_grad=True, **options)


def verdict(function: Callable[..., Any], *inputs: torch.Tensor) -> str:
    """Return what gradcheck says, empty when it passes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.autograd.gradcheck(function, inputs)
        except RuntimeError as failure:
            return str(failure)
    return ""


@pytest.mark.parametrize(
    ("function", "values", "words"),
    [
        (F.relu, [0.0, 1e-7, 0.5], "input 0[0] (value 0), output element 0: the rule gives 0, differences give 0.5"),
        (F.relu, [0.0, 0.5], "a kink here, where it is not smooth: slope 0 from the left, 1 from the right"),
        (F.relu, [1e-7, 0.5], "a kink within the step of the differences, where it is not smooth"),
        (torch.sqrt, [0.0], "the slope has no bound here, at the edge of the domain: the rule gives inf"),
        (torch.floor, [1.0], "the function jumps here: it has no slope, the rule gives 0"),
        (lambda x: x.detach() * x, [1.0, 2.0], "one of 2 paths is cut off (detach())"),
        (lambda x: x * 0 + x.detach().exp(), [1.0, 2.0], "a path is missing (detach()"),
        (lambda x: 1e-9 * x.detach() * x, [1.0, 2.0], "a factor: every entry is 0.5 times"),
        (lambda x: (x.detach() * 2 - x) * 1e6, [1.0, 2.0], "the sign is turned"),
    ],
)
def test_the_likely_cause(function: Callable[..., Any], values: list[float], words: str) -> None:
    assert words in verdict(function, leaf(values))


@pytest.mark.parametrize(
    ("function", "values"),
    [
        (torch.abs, [0.0]),
        (lambda x: x.max(), [1.0, 1.0]),
        (F.relu, [-0.3, 0.2, 0.5]),
        (torch.floor, [1.5]),
        (lambda x: 1e-9 * F.relu(x), [0.0, 1.0]),
        (lambda x: 1 + 1e-9 * x**2, [0.5, 2.0]),
        (lambda x: 1e-12 * torch.sin(1e3 * x), [0.5, 2.0]),
        (lambda x: (x + 1e6) - 1e6, [0.5]),
    ],
)
def test_what_passes(function: Callable[..., Any], values: list[float]) -> None:
    assert verdict(function, leaf(values)) == ""


def linear(dtype: Any) -> tuple[torch.Tensor, ...]:
    return leaf([[0.3, -0.7]], dtype=dtype), leaf([[1.1], [0.4]], dtype=dtype), leaf([0.25], dtype=dtype)


def convolution(dtype: Any) -> tuple[torch.Tensor, ...]:
    x = (torch.arange(32.0).reshape(1, 2, 4, 4) * 0.1 - 1).to(dtype).requires_grad_()
    w = (torch.arange(36.0).reshape(4, 1, 3, 3) * 0.05 - 0.7).to(dtype).requires_grad_()
    return x, w, leaf([0.1, -0.2, 0.3, 0.0], dtype=dtype)


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (lambda x, w, b: x @ w + b, linear),
        (lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1, groups=2), convolution),
    ],
)
def test_single_precision_is_named_as_the_cause_and_double_passes(
    function: Callable[..., Any], inputs: Callable[[Any], tuple[torch.Tensor, ...]]
) -> None:
    assert verdict(function, *inputs(torch.float64)) == ""
    said = verdict(function, *inputs(torch.float32))
    assert "an input is float32" in said and "kink" not in said


def test_given_tolerances_are_the_only_ones() -> None:
    x = leaf([1.0, 2.0])
    assert torch.autograd.gradcheck(lambda x: 1e-9 * x.detach() * x, (x,), atol=1e-6)


@pytest.mark.parametrize(
    ("function", "at", "kind", "left", "right"),
    [
        (abs, 0.0, "kink", -1.0, 1.0),
        (lambda x: max(x, 0.0) + 5 * x, 0.0, "kink", 5.0, 6.0),
        (lambda x: x**3, 0.0, "smooth", 0.0, 0.0),
        (lambda x: x**0.5 if x >= 0 else float("nan"), 0.0, "steep", float("nan"), 1e3),
        (lambda x: x**1.5 if x >= 0 else float("nan"), 0.0, "edge", float("nan"), 0.0),
        (lambda x: float(x >= 0), 0.0, "jump", 1e6, 0.0),
    ],
)
def test_kinds_of_points(function: Callable[[float], float], at: float, kind: str, left: float, right: float) -> None:
    found = slopes(lambda h: function(at + h), 1.0, EPS)
    assert found.kind == kind
    assert (found.left, found.right) == pytest.approx((left, right), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(("factor", "digits"), [(1.0, 10), (1e8, 10), (1e-8, 10)])
def test_derivatives_are_measured_at_any_scale(factor: float, digits: int) -> None:
    import numpy as np

    found = derivative(lambda h: np.array([np.log(factor + h), (factor + h) ** 2]), factor, EPS)
    assert found.value == pytest.approx([1 / factor, 2 * factor], rel=10.0**-digits)
    assert (np.abs(found.value - [1 / factor, 2 * factor]) <= 10 * found.error).all()

"""Anomaly mode: which gradients stop a pass, and where the error says they come from."""

from __future__ import annotations

from typing import Any

import pytest

import gradcli as torch
from gradcli.autograd import Pass, detail_of
from gradcli.autograd.backward import pass_class

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def caught(function: Any, **mode: bool) -> Any:
    """Return the detail of the error that ``function`` ends with in anomaly mode."""
    with torch.autograd.detect_anomaly(**mode), pytest.raises(RuntimeError) as found:
        function()
    detail = detail_of(found.value)
    assert detail is not None
    assert detail.code == "anomaly"
    return detail


def names(detail: Any) -> list[str]:
    return [node.name() for node, _ in detail.nodes]


def test_nan_in_a_rule_over_finite_values_names_the_rule_and_its_operands() -> None:
    x = leaf(0.0, 4.0)
    detail = caught(lambda: ((x * 0).sqrt() * 0).sum().backward())
    assert "rule of sqrt gives nan for its input at [0]" in detail.message
    assert detail.notes == ["the gradient that arrived was 0 at [0]", "its input is 0 at [0]"]
    assert names(detail) == ["SqrtBackward0"]


def test_the_first_bad_value_forward_is_the_origin() -> None:
    x = leaf(1.0, 0.0)
    detail = caught(lambda: (x / torch.tensor([1.0, 0.0]) * 0).sum().backward())
    assert "div gave nan at [1]" in detail.message
    assert detail.notes == ["its input is 0 at [1]", "its other is 0 at [1]"]
    detail = caught(lambda: (torch.log(x).exp() * torch.log(x)).sum().backward())
    assert "log gave -inf at [1]" in detail.message
    assert names(detail)[0] == "LogBackward0"


def test_a_bad_leaf_is_named_as_the_origin() -> None:
    x, w = leaf(1.0, 2.0), leaf(1.0, float("nan"))
    assert "a leaf holds nan at [1]" in caught(lambda: (x * w).sum().backward()).message


def test_an_infinite_contribution_that_turns_into_nan_is_traced_to_the_rule_that_made_it() -> None:
    x = leaf(1.0)
    detail = caught(lambda: (x * 0).sqrt().sum().backward())
    assert "rule of sqrt gives inf" in detail.message
    assert names(detail) == ["SqrtBackward0", "MulBackward0"]


def test_inf_is_an_anomaly_only_where_asked_for() -> None:
    x = leaf(0.0)
    with torch.autograd.detect_anomaly():
        x.sqrt().sum().backward()
    assert x.grad.tolist() == [float("inf")]
    assert "rule of sqrt gives inf" in caught(lambda: x.sqrt().sum().backward(), check_inf=True).message


def test_a_bad_seed_and_a_masked_infinity() -> None:
    x = leaf(1.0, 2.0)
    detail = caught(lambda: (x * 2).backward(torch.tensor([1.0, float("nan")])), check_inf=True)
    assert "the seed" in detail.message
    with torch.autograd.detect_anomaly(check_inf=True):
        y = x.masked_fill(torch.tensor([False, True]), float("-inf")).softmax(0)
        y[0].backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_without_check_nan_tracebacks_alone_are_kept() -> None:
    x = leaf(0.0)
    with torch.autograd.detect_anomaly(check_nan=False):
        assert not torch.is_anomaly_check_nan_enabled()
        y = (x * 0).sqrt() * 0
        y.sum().backward()
    (line,) = y.grad_fn.metadata["traceback_"][-1:]
    assert "test_anomaly.py" in line
    assert "y = (x * 0).sqrt() * 0" in line


def test_create_graph_and_custom_functions_are_looked_at_too() -> None:
    class Broken(torch.autograd.Function):
        """A rule that gives nan."""

        forward = staticmethod(lambda ctx, x: x * 1)
        backward = staticmethod(lambda ctx, g: g * float("nan"))

    x = leaf(1.0)
    assert "BrokenBackward" in caught(lambda: Broken.apply(x).backward()).message
    detail = caught(lambda: torch.autograd.grad((x - 1).abs().sqrt().sum(), x, create_graph=True))
    assert names(detail)[0] == "SqrtBackward0"


def test_the_mode_nests_restores_and_costs_nothing_when_off() -> None:
    assert not torch.is_anomaly_enabled()
    with torch.autograd.detect_anomaly():
        with torch.autograd.set_detect_anomaly(False):
            assert not torch.is_anomaly_enabled()
            assert "traceback_" not in (leaf(1.0) * 2).grad_fn.metadata
        assert torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(True)
    assert torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(False)
    assert pass_class() is Pass
    assert torch.Tensor.__init__.__name__ == "__init__"


def test_a_failing_rule_in_anomaly_mode_leaves_the_mode_as_it_was() -> None:
    x = leaf(0.0)
    with pytest.raises(RuntimeError), torch.autograd.set_detect_anomaly(True):
        ((x * 0).sqrt() * 0).backward()
    assert not torch.is_anomaly_enabled()


def test_batches_are_looked_at_too() -> None:
    x = leaf(4.0, 0.0)
    slope = torch.func.vmap(torch.func.grad(lambda x: (x * 0).sqrt() * x))
    with torch.autograd.detect_anomaly(), pytest.raises(RuntimeError, match="sqrt"):
        slope(x)
    with torch.autograd.detect_anomaly():
        assert torch.func.vmap(torch.func.grad(torch.sin))(x).tolist() == pytest.approx([-0.6536436208636119, 1.0])

"""``--against``: the same script run by PyTorch or JAX where they are, and said to be skipped where they aren't."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from gradcli.checks import against
from gradcli.checks.gradients import check_gradients
from gradcli.checks.results import CheckResult, CheckSettings
from gradcli.lang.emission import python_text
from gradcli.lang.events import Events
from gradcli.lang.runner import own_defaults
from gradcli.lang.session import Session
from gradcli.lang.source import Source
from gradcli.ops.generator import default_generator

RIGHT = Path(__file__).parent / "gradients_right"
SCRIPT = """\
leaf x = [0.5, -1.5, 2.0]
leaf w = [[1.0, 2.0, 3.0], [0.1, 0.2, 0.3]]
input b = [0.1, 0.2]
h = tanh(w @ x + b)
y = (h ^ 2).sum() + x.abs().sum(dim=0)
n = x.norm()
s = F.softmax(x, dim=0)
print(f"{y:.3f}")
y.backward()
check "left out":
    assert 1 == 2
"""
needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
needs_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is not installed")


def compared(text: str, engine: str) -> list[CheckResult]:
    """Return the results of comparing a script's gradients with another engine's."""
    with own_defaults("float64"):
        default_generator.manual_seed(0)
        session = Session(Events())
        session.run(Source(text, "test.gx"))
        found = check_gradients(session, "test.gx", CheckSettings(grad=True, against=(engine,)))
    return [result for result in found if "against" in result.title]


def answers(monkeypatch: pytest.MonkeyPatch, found: object) -> None:
    monkeypatch.setattr(against, "_run", lambda job: found)


def test_an_engine_that_is_not_there_is_skipped_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, {"missing": True})
    (result,) = compared(SCRIPT, "torch")
    assert (result.outcome, result.title) == ("skipped", "gradients against torch")
    assert result.diagnostic is not None and "PyTorch is not installed" in result.diagnostic.message


def test_an_interpreter_that_gives_no_answer_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    for python in ("/nowhere/python", sys.executable.replace("python", "no-python")):
        monkeypatch.setenv(against.PYTHON, python)
        (result,) = compared(SCRIPT, "torch")
        assert result.outcome == "skipped" and result.diagnostic is not None
        assert "gave no answer" in result.diagnostic.message


def test_a_gradient_that_differs_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, {"rows": [[[[2.0, 4.5]]]]})
    (result,) = compared("leaf x = [1.0, 2.0]\ny = (x ^ 2).sum()\n", "torch")
    assert result.outcome == "failed" and result.diagnostic is not None
    assert result.diagnostic.message == "the gradient of y by x is not that of PyTorch"
    assert result.diagnostic.notes == [
        "at x[1]: ours 4.0, PyTorch's 4.5",
        "absolute error 0.5, relative error 0.111",
        "differences agree with ours",
    ]


def test_a_gradient_that_is_the_same_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, {"rows": [[[[2.0, 4.0]]]]})
    (result,) = compared("leaf x = [1.0, 2.0]\ny = (x ^ 2).sum()\n", "torch")
    assert result.outcome == "passed"


def test_the_text_for_other_engines_is_plain_python() -> None:
    text = python_text(Source("leaf x = [1.0]\ny = x ^ 2 + (x @ x)\n", "a.gx"))
    assert text.startswith("x = gx_leaf('x', gx_given('x') if gx_is_given('x') else [1.0])")
    compile(text, "a", "exec")
    assert "gx_method(x, 'sum')" in python_text(Source("y = x.sum()\n", "a.gx"), indirect=True)


@needs_torch
def test_pytorch_agrees() -> None:
    results = compared(SCRIPT, "torch")
    assert [result.outcome for result in results] == ["passed"] * 6


@needs_torch
@pytest.mark.parametrize("name", ["dropout_with_seed", "layers", "integer_inputs", "stable_rule", "training_in_place"])
def test_pytorch_agrees_on_whole_scripts(name: str) -> None:
    results = compared((RIGHT / f"{name}.gx").read_text(encoding="utf-8"), "torch")
    assert results and {result.outcome for result in results} == {"passed"}


@needs_jax
def test_jax_agrees() -> None:
    results = compared(SCRIPT, "jax")
    assert [result.outcome for result in results] == ["passed"] * 6


@needs_jax
def test_what_jax_has_not_is_said() -> None:
    (result,) = compared("leaf x = [1.0]\ny = (x * randn(1)).sum()\n", "jax")
    assert result.outcome == "skipped" and result.diagnostic is not None
    assert "JAX can't run this script" in result.diagnostic.message

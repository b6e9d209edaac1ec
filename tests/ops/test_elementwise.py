"""Elementwise operations, creation and random numbers against PyTorch's recorded answers."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradcli.autograd import Tensor, grad
from gradcli.autograd.dtypes import ALL, DType
from gradcli.ops.namespaces import torch_namespace

RECORDED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "elementwise.json").read_text())
PROMOTIONS, KINKS = RECORDED["promotions"], RECORDED["kinks"]
BY_NAME = {dtype.name: dtype for dtype in ALL}
torch = torch_namespace()
# Refused by PyTorch, given here: a bool is a number, and dtypes need not agree.
LENIENT = {"x // y", "x ** y", "torch.ldexp(x, y)", "torch.clamp(x, y)", "y - x", "torch.rsub(x, y)", "y ** x", "x - y"}


def scope(**names: Any) -> dict[str, Any]:
    return {"torch": torch, "inf": math.inf, "nan": math.nan, **names}


def operand(dtype: str, shape: tuple[int, ...]) -> Tensor:
    return Tensor(np.full(shape, 3).astype(BY_NAME[dtype].numpy))


def kind(expression: str, x: Any, y: Any) -> str | None:
    try:
        value = eval(expression, scope(x=x, y=y))
    except (RuntimeError, TypeError):
        return None
    return value.name if isinstance(value, DType) else str(value.dtype.name)


def numbers(text: str) -> np.ndarray[Any, Any]:
    return np.array(eval(text, {"inf": math.inf, "nan": math.nan, "nanj": complex(0, math.nan)}))


def check_kinds(expression: str, made: list[str | None], recorded: list[str | None], context: Any) -> None:
    for got, want, about in zip(made, recorded, context, strict=True):
        if want is None and expression in LENIENT:
            continue
        assert got == want, (expression, about)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("expression", PROMOTIONS["of_tensors"])
def test_operands_promote_as_in_pytorch(expression: str) -> None:
    for a, rows in PROMOTIONS["of_tensors"][expression].items():
        for shape, recorded in zip(((2,), ()), rows, strict=True):
            made = [kind(expression, operand(a, (2,)), operand(b, shape)) for b in PROMOTIONS["dtypes"]]
            check_kinds(expression, made, recorded, [(a, b, shape) for b in PROMOTIONS["dtypes"]])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("expression", PROMOTIONS["of_numbers"])
def test_python_numbers_are_weak(expression: str) -> None:
    for a, rows in PROMOTIONS["of_numbers"][expression].items():
        for shape, recorded in zip(((2,), ()), rows, strict=True):
            made = [kind(expression, operand(a, shape), eval(y)) for y in PROMOTIONS["numbers"]]
            check_kinds(expression, made, recorded, [(a, y, shape) for y in PROMOTIONS["numbers"]])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", KINKS["cases"], ids=lambda case: case["expr"])
def test_values_and_gradients_at_kinks_poles_and_nan(case: dict[str, Any]) -> None:
    x, y = (Tensor(numbers(KINKS[name])).requires_grad_() for name in "xy")
    value = eval(case["expr"], scope(x=x, y=y))
    np.testing.assert_allclose(value.detach().numpy(), numbers(case["value"]), rtol=1e-12)
    found = grad(value.sum(), [x, y], allow_unused=True)
    for name, g in zip("xy", found, strict=True):
        want = np.zeros(16) if case[name] is None else numbers(case[name])
        np.testing.assert_allclose(np.zeros(16) if g is None else g.numpy(), want, rtol=1e-9, err_msg=name)


def check_answer(expression: str, recorded: Any) -> None:
    if isinstance(recorded, dict):
        with pytest.raises(Exception) as caught:
            eval(expression, scope())
        classes = [c.__name__ for c in type(caught.value).__mro__]
        assert recorded["error"] in classes, caught.value
        assert getattr(caught.value, "detail", None) is not None, "an error of our own"
        return
    value = eval(expression, scope())
    if isinstance(recorded, str):
        assert repr(value) == recorded
        return
    assert [value.dtype.name, list(value.shape)] == recorded[:2]
    np.testing.assert_allclose(value._array, numbers(recorded[2]).reshape(value.shape), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("expression", RECORDED["creation"])
def test_creation_and_refusals_as_in_pytorch(expression: str) -> None:
    check_answer(expression, RECORDED["creation"][expression])


@pytest.mark.parametrize("expression", RECORDED["random"])
def test_the_same_seed_gives_pytorchs_numbers(expression: str) -> None:
    torch.manual_seed(42)
    check_answer(expression, RECORDED["random"][expression])

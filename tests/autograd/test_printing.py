"""Tensors print as PyTorch prints them: stored texts, and fresh ones where PyTorch is installed."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gradcli.autograd import printing
from gradcli.autograd.printing import PrintOptions, format_size, format_tensor, set_printoptions

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "printing.json").read_text())


@pytest.fixture(autouse=True)
def _restored_options() -> Iterator[None]:
    set_printoptions(profile="default")
    yield
    set_printoptions(profile="default")


def ours(array: np.ndarray[Any, Any], default: str, grad: str = "") -> str:
    return format_tensor(
        array,
        dtype_name=str(array.dtype),
        default_dtype_name=default,
        requires_grad=bool(grad),
        grad_fn_name="CloneBackward0" if grad == "node" else None,
    )


@pytest.mark.parametrize("index", range(0, len(CASES), 50))
def test_stored_texts(index: int) -> None:
    for case in CASES[index : index + 50]:
        array = np.frombuffer(base64.b64decode(case.get("data", "")), case["dtype"]).reshape(case["shape"])
        set_printoptions(profile="default")
        set_printoptions(**case.get("options", {}))
        assert ours(array, case["default"], case.get("grad", "")) == case["text"], case


def test_enough_cases_are_stored() -> None:
    assert len(CASES) >= 400
    assert {case["dtype"] for case in CASES} >= {"float64", "float32", "float16", "int64", "bool", "complex128"}


def arrays() -> st.SearchStrategy[np.ndarray[Any, Any]]:
    dtypes = st.sampled_from(["float64", "float32", "float16", "int64", "bool", "complex128", "complex64"])
    shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=12)
    return dtypes.flatmap(lambda dtype: hnp.arrays(dtype, shapes))


@given(
    array=arrays(),
    precision=st.integers(0, 10),
    threshold=st.integers(0, 50),
    edgeitems=st.integers(0, 4),
    linewidth=st.integers(1, 120),
    sci_mode=st.sampled_from([None, True, False]),
    grad=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_fresh_texts(array: np.ndarray[Any, Any], grad: bool, **options: Any) -> None:
    torch = pytest.importorskip("torch")
    assume(array.ndim or options["edgeitems"])  # a scalar without edge items: PyTorch forgets its notation
    grad = grad and array.dtype.kind in "fc"
    torch.set_printoptions(**options)
    set_printoptions(**options)
    tensor = torch.from_numpy(array.copy()).requires_grad_(grad)
    assert ours(array, "float32", "leaf" if grad else "") == str(tensor)


def test_options_given_beside_a_profile_win() -> None:
    set_printoptions(profile="short", precision=7)
    assert printing.options == PrintOptions(precision=7, edgeitems=2)
    set_printoptions(profile="full")
    assert printing.options.threshold == math.inf
    assert printing.options.precision == 4


def test_scientific_mode_is_forgotten_by_the_next_call() -> None:
    set_printoptions(sci_mode=True)
    assert ours(np.array([1.0]), "float64") == "tensor([1.0000e+00])"
    set_printoptions(precision=2)
    assert ours(np.array([1.5]), "float64") == "tensor([1.50])"


def test_options_of_a_call_leave_the_current_ones_alone() -> None:
    text = format_tensor(
        np.array([1.5]), dtype_name="float64", default_dtype_name="float64", options=PrintOptions(precision=1)
    )
    assert text == "tensor([1.5])"
    assert printing.options == PrintOptions()


@pytest.mark.parametrize(
    ("options", "exception"),
    [({"precision": -1}, ValueError), ({"linewidth": 1.5}, TypeError), ({"edgeitems": True}, TypeError),
     ({"profile": "fool"}, ValueError)],
)  # fmt: skip
def test_bad_options_are_refused_and_change_nothing(options: dict[str, Any], exception: type[Exception]) -> None:
    with pytest.raises(exception) as caught:
        set_printoptions(**options)
    assert caught.value.detail.code in ("bad-print-option", "unknown-profile")  # type: ignore[attr-defined]
    assert printing.options == PrintOptions()


def test_sizes() -> None:
    assert format_size((2, 2)) == "torch.Size([2, 2])"
    assert format_size(()) == "torch.Size([])"

"""Values compared, and ``torch.testing.assert_close``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd.comparing import difference

T = torch.tensor
NAN = float("nan")


@pytest.mark.parametrize(
    ("got", "expected", "message"),
    [
        (T([2.0, 2.0]), T([[2.0, 2.0], [2.0, 2.0]]), "shapes differ: got (2,), expected (2, 2)"),
        (T([[1.0], [1.0]]), T([1.0, 1.0]), "shapes differ: got (2, 1), expected (2,)"),
        (T(1.0), T([1.0]), "shapes differ: got (), expected (1,)"),
        (T([1.0], dtype=torch.float32), T([1.0]), "dtypes differ: got torch.float32, expected torch.float64"),
        (T([1]), T([1.0]), "dtypes differ: got torch.int64, expected torch.float64"),
        (None, T([0.0]), "no gradient"),
        (T([0.0]), None, "no gradient"),
        (T([NAN]), T([NAN]), "got nan, expected nan"),
        (T([1.0, 2.0, 3.0]), T([1.0, 2.5, 3.0]), "1 of 3 elements differ\nworst at [1]: got 2.0, expected 2.5"),
        (T([2**60]), T([2**60 + 1]), "got 1152921504606846976, expected 1152921504606846977"),
        ([T([1.0]), T([2.0])], [T([1.0]), T([3.0])], "item [1]: "),
        ({"a": T([1.0])}, {"a": T([2.0])}, "item ['a']: "),
        ({"a": T([1.0])}, {"b": T([1.0])}, "the keys differ"),
        ([T([1.0])], [], "the lengths differ"),
        (T([float("inf")]), T([-float("inf")]), "got inf, expected -inf"),
    ],
)
def test_what_differs_is_named(got: Any, expected: Any, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        torch.testing.assert_close(got, expected)
    assert message in str(caught.value)


def test_what_is_close() -> None:
    close = torch.testing.assert_close
    close(T([1.0]), T([1.0 + 1e-9]))
    close(T([1.0], dtype=torch.float32), T([1.0 + 1e-6], dtype=torch.float32))
    close(T([1.0], dtype=torch.float32), T([1.0]), check_dtype=False)
    close(T([NAN]), T([NAN]), equal_nan=True)
    close(T([float("inf")]), T([float("inf")]))
    close(T([1.0]), T([1.4]), rtol=0.0, atol=0.5)
    close([1, 2.0], (1, 2.0))
    close(T([1 + 1j]), T([1 + 1j + 1e-9]))


@pytest.mark.parametrize(("dtype", "step"), [("float64", 3e-7), ("float32", 3e-5), ("float16", 3e-3), ("int64", 1)])
def test_the_default_tolerances_belong_to_the_dtype(dtype: str, step: float) -> None:
    a = T([1.0, 1.0]).to(getattr(torch, dtype))
    b = (T([1.0, 1.0], dtype=torch.float64) + step).to(getattr(torch, dtype))
    with pytest.raises(AssertionError, match="2 of 2 elements differ"):
        torch.testing.assert_close(a, b)


def test_one_tolerance_needs_the_other() -> None:
    with pytest.raises(ValueError, match="both rtol and atol"):
        torch.testing.assert_close(T(1.0), T(1.0), rtol=1.0)


def test_the_message_can_be_replaced() -> None:
    with pytest.raises(AssertionError, match=r"^mine$"):
        torch.testing.assert_close(T(1.0), T(2.0), msg="mine")
    with pytest.raises(AssertionError, match=r"^mine: the values"):
        torch.testing.assert_close(T(1.0), T(2.0), msg=lambda text: f"mine: {text}")


def test_the_worst_element_is_the_one_furthest_beyond_what_is_allowed() -> None:
    found = difference(np.array([1.0, 1000.0]), np.array([1.1, 1001.0]), rtol=1e-3)
    assert found is not None and found.worst is not None
    assert (found.worst.index, found.worst.wrong) == ((0,), 1)
    assert found.magnitude == pytest.approx(0.1 / 1.1)


def test_elements_without_a_shape_have_no_index() -> None:
    found = difference(2.0, 3)
    assert found is not None and found.lines == ["got 2.0, expected 3", "absolute error 1, relative error 0.333"]

"""The special functions against stored values, their identities, dtypes and shapes."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradcli.ops import special_math

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "special_math.json").read_text())
UNARY = sorted({case["name"] for case in CASES} - {"polygamma", "zeta"})
Array = np.ndarray[Any, Any]


def evaluate(case: dict[str, Any], x: Array) -> Array:
    function: Callable[..., Array] = getattr(special_math, case["name"])
    if case["name"] == "zeta":
        return function(np.array(case["order"], x.dtype), x)
    return function(case["order"], x) if "order" in case else function(x)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']}{case.get('order', '')}")
def test_stored_values(case: dict[str, Any]) -> None:
    x, expected = np.array(case["x"]), np.array(case["y"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = evaluate(case, x)
    infinite = np.isinf(expected)
    np.testing.assert_array_equal(value[infinite], expected[infinite])
    # Where the function crosses zero (lgamma, digamma, odd powers mirrored) only the absolute error can be small.
    np.testing.assert_allclose(value[~infinite], expected[~infinite], rtol=5e-15, atol=3e-15)
    smallest = ~infinite & (np.abs(expected) < 1e-3) & (case["name"] not in ("digamma", "lgamma"))
    # log_ndtr magnifies the rounding of x / sqrt(2) by the square of x.
    rtol = 2e-13 if case["name"] == "log_ndtr" else 2e-14
    np.testing.assert_allclose(value[smallest], expected[smallest], rtol=rtol, atol=5e-324)


@pytest.mark.parametrize("name", UNARY)
def test_dtype_and_shape_are_kept(name: str) -> None:
    function = getattr(special_math, name)
    for dtype in ("float64", "float32", "float16"):
        value = function(np.full((2, 3), 0.25, dtype))
        assert value.dtype == dtype
        assert value.shape == (2, 3)
    assert function(np.array(1)).dtype == np.float64
    assert function(np.array(0.25)).shape == ()
    assert function(np.zeros((0, 2))).shape == (0, 2)


def test_binary_dtypes_and_broadcasting() -> None:
    value = special_math.zeta(np.full((2, 1), 3, np.float32), np.full(4, 2, np.float32))
    assert value.dtype == np.float32
    assert value.shape == (2, 4)
    assert special_math.polygamma(0, np.array([2.0]))[0] == special_math.digamma(np.array([2.0]))[0]


def test_inverses() -> None:
    x = np.linspace(-5, 5, 101)
    np.testing.assert_allclose(special_math.erfinv(special_math.erf(x / 2)), x / 2, rtol=1e-12, atol=1e-15)
    p = np.logspace(-300, -0.31, 200)
    np.testing.assert_allclose(special_math.log_ndtr(special_math.ndtri(p)), np.log(p), rtol=3e-15, atol=3e-15)
    np.testing.assert_allclose(special_math.ndtri(1 - p[195:]), -special_math.ndtri(p[195:]), rtol=1e-9)


def test_recurrences() -> None:
    x = np.linspace(0.01, 40, 997)
    shifted = special_math.lgamma(x + 1) - special_math.lgamma(x)
    np.testing.assert_allclose(shifted, np.log(x), rtol=1e-13, atol=3e-14)
    np.testing.assert_allclose(special_math.digamma(x + 1) - special_math.digamma(x), 1 / x, rtol=1e-12)
    np.testing.assert_allclose(special_math.zeta(np.array(2.5), x) - special_math.zeta(np.array(2.5), x + 1), x**-2.5,
                               rtol=1e-11)  # fmt: skip


def test_scaled_bessel_functions_are_the_plain_ones_scaled() -> None:
    x = np.linspace(-40, 40, 801)
    for plain, scaled in ((special_math.i0, special_math.i0e), (special_math.i1, special_math.i1e)):
        np.testing.assert_allclose(plain(x) * np.exp(-np.abs(x)), scaled(x), rtol=2e-15)


def test_known_values() -> None:
    assert special_math.lgamma(np.array([1.0, 2.0])).tolist() == [0.0, 0.0]
    assert special_math.zeta(np.array(2.0), np.array(1.0)) == pytest.approx(math.pi**2 / 6, rel=1e-15)
    assert special_math.sinc(np.array(0.0)) == 1.0
    assert math.copysign(1, float(special_math.erfinv(np.array(-0.0)))) == -1


def test_erf_of_large_arrays_is_that_of_the_c_library() -> None:
    random = np.random.default_rng(5)
    x = np.concatenate([random.uniform(-6.5, 6.5, 20_000), 10.0 ** random.uniform(-300, 0, 10_000), [5.999, 6.0, 40.0]])
    exact = np.array([math.erf(v) for v in x])
    np.testing.assert_allclose(special_math.erf(x), exact, rtol=5e-16, atol=0)
    single = x.astype(np.float32)
    exact = np.array([math.erf(float(v)) for v in single])
    value = special_math.erf(single)
    assert value.dtype == np.float32
    normal = np.abs(exact) > np.finfo(np.float32).tiny
    np.testing.assert_allclose(value[normal], exact[normal], rtol=3e-7)
    special = np.tile([np.nan, np.inf, -np.inf, 0.0, -0.0], 20)
    np.testing.assert_array_equal(special_math.erf(special), np.tile([np.nan, 1.0, -1.0, 0.0, -0.0], 20))
    assert np.signbit(special_math.erf(special)[4])

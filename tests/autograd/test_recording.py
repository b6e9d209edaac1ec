"""What recording keeps: the user's line, numbers, the methods and saved values that are found at first use."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd import Tensor
from gradcli.autograd.record import set_user_globals


def one() -> Tensor:
    return Tensor(np.array([0.5, -1.5, 2.0])).requires_grad_()


def helper(x: Any) -> Any:
    return x * 2.0


def test_the_nodes_of_functions_that_call_each_other_keep_their_own_places() -> None:
    x = one()
    for _ in range(2):
        a, b = helper(x), x.sum()
        c = helper(torch.sin(x))
        here = test_the_nodes_of_functions_that_call_each_other_keep_their_own_places.__code__
        assert a.grad_fn.code is helper.__code__ and c.grad_fn.code is helper.__code__
        assert b.grad_fn is not None and b.grad_fn.code is here
        assert c.grad_fn.next_functions[0][0].code is here


def test_while_a_script_runs_only_its_namespace_counts() -> None:
    x = one()
    assert helper(x).grad_fn.code is helper.__code__
    namespace: dict[str, Any] = {"x": x, "helper": helper}
    before = set_user_globals(namespace)
    try:
        script = compile("y = helper(x) + x", "script", "exec")
        exec(script, namespace)
    finally:
        set_user_globals(before)
    assert namespace["y"].grad_fn.code is script
    assert namespace["y"].grad_fn.next_functions[0][0].code is script
    assert helper(x).grad_fn.code is helper.__code__


NUMBERS = [0.0, -0.0, 1.5, -1.5, math.inf, -math.inf, math.nan, 1e300, -1e300, 1e-300, 2, 0, -3, 2**24 + 1, 10**20]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_used_again_mean_the_same(dtype: Any) -> None:
    array = np.array([0.5, -1.5, 2.0], dtype)
    x = Tensor(array).requires_grad_()
    with np.errstate(all="ignore"):
        for number in [n for pair in itertools.pairwise(NUMBERS) for n in pair for _ in range(3)]:
            for made, right in ((x * number, array * number), (x + number, array + number), (x / number, None)):
                want = np.true_divide(array, number) if right is None else right
                np.testing.assert_array_equal(made._array, want, strict=True)
                np.testing.assert_array_equal(np.signbit(made._array), np.signbit(want))
            assert (x < number).tolist() == (array < number).tolist()


def test_a_saved_number_stays_a_number() -> None:
    x = one()
    for _ in range(3):
        y = x * 1.5
        assert y.grad_fn is not None
        assert y.grad_fn._saved_other.item() == 1.5  # type: ignore[attr-defined]
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        assert g is not None and g.tolist() == [1.5] * 3


def test_methods_are_found_on_the_class_and_refused_as_before() -> None:
    x = one()
    assert Tensor.cosh(x).tolist() == np.cosh(x._array).tolist()
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'nothing'"):
        _ = x.nothing  # type: ignore[attr-defined]
    for name in ("asinh", "sinh_", "nothing"):
        with pytest.raises(AttributeError):
            setattr(x, name, 1)
    assert not hasattr(Tensor, "nothing")


def test_saved_values_are_attributes_of_the_node() -> None:
    x = one()
    node: Any = torch.exp(x).grad_fn
    assert node._saved_result.tolist() == np.exp(x._array).tolist()
    assert "_saved_result" in dir(node)
    with pytest.raises(AttributeError):
        _ = node._saved_self

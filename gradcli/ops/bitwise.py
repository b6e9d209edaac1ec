"""Operations on bits and on whole numbers: & | ^ ~ << >>, gcd and lcm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.primitive import Primitive
from gradcli.ops.kinds import only, unfit
from gradcli.ops.row import Lit, op, sample
from gradcli.ops.unary import unary

_NO_GRADIENT = "not differentiable: the result is an integer or bool"
_HINT = "& | ^ combine conditions: (x > 0) & (x < 1), with the brackets"
_INTEGERS = (sample(Lit([12, 10]), Lit([10, 3])), sample(Lit([12, 10]), 6), sample(Lit([[6], [9]]), Lit([4, 3])))


def _binary(
    name: str, ufunc: Callable[..., Any], doc: str, example: str, kinds: str = "biu", category: str = "comparison"
) -> Callable[..., Any]:
    function = fast.binary(Primitive(name, only(kinds, name, ufunc, _HINT), None, promotes=True))
    function.__name__ = function.__qualname__ = name
    register = op(
        f"torch.{name}", f"{name}(input, other)", names=f"Tensor.{name}", inplace=True, category=category, doc=doc,
        formula=_NO_GRADIENT, examples=(f"{name}(tensor([12, 10]), tensor([10, 3]))  #> {example}",),
        samples=_INTEGERS,
    )  # fmt: skip
    return register(function)


def _shift(ufunc: Callable[..., Any], filling: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the shift that also stands for a shift by all bits or more: ``filling`` of input."""

    def forward(input: Any, other: Any) -> Any:
        outside = (other < 0) | (other >= 8 * input.dtype.itemsize)
        return np.where(outside, filling(input), ufunc(input, np.where(outside, 0, other).astype(input.dtype)))

    return forward


bitwise_and = _binary("bitwise_and", np.bitwise_and, "The bits set in both: the operator x & y.", "[8, 2]")
bitwise_or = _binary("bitwise_or", np.bitwise_or, "The bits set in either: the operator x | y.", "[14, 11]")
bitwise_xor = _binary(
    "bitwise_xor", np.bitwise_xor, "The bits set in just one: the operator of tensors x ^ y in Python.", "[6, 9]"
)
bitwise_left_shift = _binary(
    "bitwise_left_shift", _shift(np.left_shift, np.zeros_like), "The bits moved up: the operator x << y.",
    "[12288, 80]", "iu",
)  # fmt: skip
bitwise_right_shift = _binary(
    "bitwise_right_shift", _shift(np.right_shift, lambda x: np.where(x < 0, -1, 0).astype(x.dtype)),
    "The bits moved down: the operator x >> y.", "[0, 1]", "iu",
)  # fmt: skip
gcd = _binary("gcd", np.gcd, "The greatest common divisor, never negative.", "[2, 1]", "iu", "binary")
lcm = _binary("lcm", np.lcm, "The least common multiple.", "[60, 30]", "iu", "binary")


def _not(input: Any) -> Any:
    if input.dtype.kind not in "biu":
        raise unfit("bitwise_not", "biu", input, "logical_not() tests for 0")
    return np.bitwise_not(input)


bitwise_not = unary(
    "bitwise_not", _not, None, to_float=False, category="comparison",
    doc="All bits turned round; the negation of bools: the operator ~x.", formula=_NO_GRADIENT,
    example="[True, False] -> [False, True]", shapes=(sample(Lit([1, -2])), sample(Lit(True))),
)  # fmt: skip

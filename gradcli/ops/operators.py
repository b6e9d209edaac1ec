"""The operator methods of tensors, bound straight to the operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.inplace import inplace
from gradcli.autograd.primitive import OPERANDS, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops import arithmetic, bitwise, compare, elementwise, power

_NUMBER = (bool, int, float, complex)
Binary = Callable[[Any, Any], Any]


def _known(function: Binary) -> Binary:
    """Return the operator of ``function``, which leaves operands it does not know to their own class."""

    def operator(self: Tensor, other: Any) -> Any:
        return function(self, other) if isinstance(other, OPERANDS) else NotImplemented

    return operator


def _turned(by_number: Binary, by_tensor: Binary) -> Binary:
    """Return the operator whose tensor stands on the right, for a number and for anything else on the left."""

    def operator(self: Tensor, other: Any) -> Any:
        if isinstance(other, _NUMBER):
            return by_number(self, other)
        return by_tensor(as_tensor(other), self) if isinstance(other, OPERANDS) else NotImplemented

    return operator


def _exchanged(function: Binary) -> Binary:
    return lambda self, other: function(other, self)


def _written(function: Binary) -> Binary:
    """Return the augmented assignment of ``function``: it writes over the tensor."""

    def operator(self: Tensor, other: Any) -> Any:
        return inplace(function, self, other) if isinstance(other, OPERANDS) else NotImplemented

    return operator


def _power(self: Tensor, exponent: Any, modulo: None = None) -> Any:
    if exponent.__class__ is int or exponent.__class__ is float:
        return power.by_number(self, exponent)
    return power.pow(self, exponent) if isinstance(exponent, OPERANDS) else NotImplemented


def _invert(self: Tensor) -> Any:
    if self._element.kind not in "biu":
        raise error(
            TypeError, "dtype-mismatch", f"the operator ~ turns bools and the bits of integers round, not {self.dtype}",
            hint="logical_not() tests for 0",
        )  # fmt: skip
    return bitwise.bitwise_not(self)


def _over(self: Tensor, number: Any) -> Any:
    return arithmetic.mul(power.reciprocal(self), number)


add = fast.binary(arithmetic.add_primitive, {"alpha": 1}, quick=np.add, operator=True)
mul = fast.binary(arithmetic.mul_primitive, operator=True)
_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": add,
    "radd": add,
    "sub": fast.binary(arithmetic.sub_primitive, {"alpha": 1}, quick=np.subtract, operator=True),
    "rsub": _turned(arithmetic.rsub_number, arithmetic.sub),
    "mul": mul,
    "rmul": mul,
    "truediv": fast.binary(arithmetic.div_primitive, operator=True),
    "rtruediv": _turned(_over, arithmetic.div),
    "floordiv": _known(arithmetic.floor_divide),
    "rfloordiv": _turned(_exchanged(arithmetic.floor_divide), arithmetic.floor_divide),
    "mod": _known(arithmetic.remainder),
    "rmod": _turned(_exchanged(arithmetic.remainder), arithmetic.remainder),
    "pow": _power,
    "rpow": _turned(power.of_number, power.pow),
    "neg": elementwise.neg,
    "pos": elementwise.positive,
    "abs": elementwise.abs_,
    "invert": _invert,
    "eq": fast.binary(compare.eq_primitive, operator=True),
    "ne": fast.binary(compare.ne_primitive, operator=True),
    "lt": fast.binary(compare.lt_primitive, quick=np.less, operator=True),
    "le": fast.binary(compare.le_primitive, quick=np.less_equal, operator=True),
    "gt": fast.binary(compare.gt_primitive, quick=np.greater, operator=True),
    "ge": fast.binary(compare.ge_primitive, quick=np.greater_equal, operator=True),
}
_INTEGER: dict[str, Binary] = {
    "and": bitwise.bitwise_and,
    "or": bitwise.bitwise_or,
    "xor": bitwise.bitwise_xor,
    "lshift": bitwise.bitwise_left_shift,
    "rshift": bitwise.bitwise_right_shift,
}
_AUGMENTED: dict[str, Binary] = {
    "add": arithmetic.add,
    "sub": arithmetic.sub,
    "mul": arithmetic.mul,
    "truediv": arithmetic.div,
    "floordiv": arithmetic.floor_divide,
    "mod": arithmetic.remainder,
    "pow": power.pow,
    **_INTEGER,
}


def _bind() -> None:
    for name, function in _OPERATORS.items():
        setattr(Tensor, f"__{name}__", function)
    for name, function in _INTEGER.items():
        setattr(Tensor, f"__{name}__", _known(function))
        setattr(Tensor, f"__r{name}__", _turned(_exchanged(function), function))
    for name, function in _AUGMENTED.items():
        setattr(Tensor, f"__i{name}__", _written(function))


_bind()

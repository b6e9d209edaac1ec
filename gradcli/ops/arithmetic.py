"""Sums, products, quotients and powers, with the operators of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H
from gradcli.ops.row import Lit, T, op, sample

_NUMBER = (int, float, complex)


def _add(input: Any, other: Any, *, alpha: Any) -> Any:
    return np.add(input, other) if alpha == 1 else np.add(input, np.multiply(other, alpha))


def _sub(input: Any, other: Any, *, alpha: Any) -> Any:
    return np.subtract(input, other) if alpha == 1 else np.subtract(input, np.multiply(other, alpha))


def _rsub(input: Any, *, other: Any) -> Any:
    return np.subtract(other, input)


def _scaled(g: Any, alpha: Any) -> Any:
    return g if alpha == 1 else g * H(alpha)


_PAIRS = (sample(T(2, 3), T(2, 3)), sample(T(2, 3), T(3)), sample(T(3, 1), T(1, 2)), sample(T(), T(2, 2)))

add_primitive = Primitive("add", _add, {"input": lambda g: g, "other": lambda g, alpha: _scaled(g, alpha)}, promotes=True)
sub_primitive = Primitive("sub", _sub, {"input": lambda g: g, "other": lambda g, alpha: _scaled(-g, alpha)}, promotes=True)
rsub_primitive = Primitive("rsub", _rsub, {"input": lambda g: -g}, node="RsubBackward1")
mul_primitive = Primitive("mul", np.multiply, {"input": lambda g, other: g * H(other), "other": lambda g, input: g * H(input)},
                          promotes=True)
_add_fast = fast.binary(add_primitive, {"alpha": 1})
_sub_fast = fast.binary(sub_primitive, {"alpha": 1})
_mul_fast = fast.binary(mul_primitive)


@op("torch.add", "add(input, other, *, alpha=1)", names="Tensor.add", inplace=True, category="binary",
    doc="The sum input + alpha * other, broadcast.", formula="g to input, alpha * g to other",
    examples=("add(tensor([1., 2.]), 10)  #> [11., 12.]",), samples=(*_PAIRS, sample(T(3), T(3), alpha=0.5)))
def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _add_fast(input, other) if alpha == 1 else add_primitive(input, other, alpha=alpha)


@op("torch.sub", "sub(input, other, *, alpha=1)", names="Tensor.sub torch.subtract Tensor.subtract", inplace=True, category="binary",
    doc="The difference input - alpha * other, broadcast.", formula="g to input, -alpha * g to other",
    examples=("sub(tensor([1., 2.]), 10)  #> [-9., -8.]",), samples=(*_PAIRS, sample(T(3), T(3), alpha=0.5)))
def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _sub_fast(input, other) if alpha == 1 else sub_primitive(input, other, alpha=alpha)


@op("torch.mul", "mul(input, other)", names="Tensor.mul torch.multiply Tensor.multiply", inplace=True, category="binary",
    doc="The product input * other, broadcast.", formula="g * other to input, g * input to other",
    examples=("mul(tensor([1., 2.]), 10)  #> [10., 20.]",), samples=_PAIRS)
def mul(input: Any, other: Any) -> Any:
    return _mul_fast(input, other)

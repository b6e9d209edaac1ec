"""Powers and roots, with PyTorch's masking at a zero base and a zero exponent."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.dtypes import float64
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, as_tensor, promoted
from gradcli.ops.common import H, element
from gradcli.ops.complex import real
from gradcli.ops.masked import keep, zero
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.tangents import diagonal
from gradcli.ops.unary import unary

_NUMBER = (bool, int, float, complex)
# The exponents that PyTorch computes without pow, so that the values agree to the last bit.
_DIRECT: dict[Any, Any] = {
    2: np.square,
    0.5: np.sqrt,
    1: np.positive,
    -1: np.reciprocal,
    3: lambda x: x * x * x,
    -0.5: lambda x: 1 / np.sqrt(x),
    -2: lambda x: 1 / np.square(x),
}


def _power_number(input: Any, *, exponent: Any) -> Any:
    if input.dtype.kind != "f" or exponent.__class__ not in (int, float):
        input, number = promoted([input, exponent])
        if input.dtype.kind == "b":  # by True or False: a copy, or ones
            return np.logical_or(input, not number)
        if input.dtype.kind in "iu" and number < 0:
            raise error(
                RuntimeError, "negative-power", "integers have no negative integer powers",
                hint="make the base a float: x.double() ** -1",
            )  # fmt: skip
        return _power(input, number)
    direct = _DIRECT.get(exponent)
    return np.power(input, exponent) if direct is None else direct(input)


def _power(input: Any, exponent: Any) -> Any:
    if input.dtype.kind in "iu" and np.any(exponent < 0):
        return _negative_power(input, exponent)
    if input.dtype.kind == "b":
        raise error(
            NotImplementedError, "bool-power", "there is no power of two bool tensors",
            hint="a != b is where just one of two masks is true",
        )  # fmt: skip
    return np.power(input, exponent)


def _negative_power(input: Any, exponent: Any) -> Any:
    """Return integer powers with negative exponents: 1/x in integers, which is 0 but for 1 and -1."""
    inverse = np.where(np.abs(input) == 1, np.power(input, np.abs(exponent)), 0)
    return np.where(exponent < 0, inverse, np.power(input, np.abs(exponent)))


def _number_power(exponent: Any, *, input: Any) -> Any:
    base, power = promoted([input, exponent])
    return _power(base, power)


def _slope_number(g: Any, input: Any, exponent: Any) -> Any:
    if exponent == 0:
        return zero(g)
    return g * H(exponent * pow(input, exponent - 1))


def _slope_base(g: Any, input: Any, exponent: Any) -> Any:
    return keep(g * H(exponent * pow(input, exponent - 1)), exponent != 0)


def _slope_exponent(g: Any, input: Any, exponent: Any, out: Any) -> Any:
    flat = (input == 0) & (real(exponent) >= 0)
    return g * keep(H(out * _log(input, out)), ~flat)


def _slope_of_number(g: Any, input: Any, exponent: Any, out: Any) -> Any:
    slope = H(out * _log_number(input, element(out).kind == "c"))
    return g * (keep(slope, ~(real(exponent) >= 0)) if input == 0 else slope)


def _log(base: Any, out: Any) -> Any:
    from gradcli.ops.elementwise import log

    if element(out).kind == "c" and element(base).kind != "c":
        base = base + 0j
    return log(base)


def _log_number(base: Any, complex_: bool) -> Any:
    if base and (complex_ or isinstance(base, complex)):
        return cmath.log(base)
    return math.log(base) if base and base > 0 else -math.inf if base == 0 else math.nan


power_number = Primitive(
    "pow", _power_number, {"input": _slope_number}, node="PowBackward0", batch="elementwise"
)
power_primitive = Primitive(
    "pow", _power, {"input": _slope_base, "exponent": _slope_exponent}, node="PowBackward1", promotes=True
)
number_power = Primitive(
    "pow", _number_power, {"exponent": _slope_of_number}, node="PowBackward2", batch="elementwise"
)
diagonal(power_number)
by_number = fast.with_number(power_number, "exponent")
of_number = fast.with_number(number_power, "input")
_by_tensor = fast.binary(power_primitive)


@op(
    "torch.pow", "pow(input, exponent)", names="Tensor.pow", inplace=True, category="binary",
    doc="The power input ** exponent, broadcast: x ^ y in a script.",
    formula="g * exponent * input^(exponent - 1) to input, g * input^exponent * log(input) to exponent",
    conventions="Exponent 0 sends 0 to the base; base 0 sends 0 to an exponent >= 0. A negative base has no real power "
    "with a fraction: nan.",
    examples=("pow(tensor([1., 2., 3.]), 2)  #> [1., 4., 9.]", "2 ** tensor([1., 3.])  #> [2., 8.]"),
    samples=(
        sample(T(3), 2), sample(T(2, 2), 3), sample(T(), 0.5), sample(T(2), -1.5), sample(T(2), 1), sample(T(2), 0),
        sample(T(2, 3), T(3)), sample(2.5, T(3)), sample(T(0), T(1)), sample(T(2), Lit([0.0, 2.0]), smooth=False),
    ),
    domain=(0.5, 2.0),
)  # fmt: skip
def pow(input: Any, exponent: Any) -> Any:
    if isinstance(exponent, _NUMBER):
        return by_number(input, exponent)
    if isinstance(input, _NUMBER):
        return of_number(exponent, input)
    return _by_tensor(input, exponent)


@op(
    "torch.float_power", "float_power(input, exponent)", names="Tensor.float_power", inplace=True, category="binary",
    doc="The power input ** exponent, computed in float64 (complex128).", formula="as pow",
    conventions="Always float64 or complex128, whatever the operands are.",
    examples=("float_power(tensor([1, 2, 3]), -1)  #> [1.0000, 0.5000, 0.3333]",),
    samples=(sample(T(3), 2), sample(T(2, 3), T(3))), domain=(0.5, 2.0),
)  # fmt: skip
def float_power(input: Any, exponent: Any) -> Any:
    return pow(_wide(input), _wide(exponent))


def _wide(value: Any) -> Any:
    if isinstance(value, _NUMBER):
        return value if isinstance(value, complex) else float(value)
    tensor = as_tensor(value)
    return tensor if tensor.dtype.is_complex and tensor.itemsize == 16 else tensor.to(_wide_type(tensor))


def _wide_type(tensor: Any) -> Any:
    from gradcli.autograd.dtypes import complex128

    return complex128 if tensor.dtype.is_complex else float64



@op(
    "torch.square", "square(input)", names="Tensor.square", inplace=True, category="elementwise unary",
    doc="The square of each element.", formula="g * 2 * input", examples=("square(tensor([1., -3.]))  #> [1., 9.]",),
    samples=(sample(T(3)), sample(T()), sample(T(2, 2)), sample(T(0))),
)  # fmt: skip
def square(input: Any) -> Any:
    return by_number(input, 2)


def _cube(x: Any) -> Any:
    return x * x * x


sqrt = unary(
    "sqrt", np.sqrt, lambda g, out: g / (2 * H(out)), domain=(0.5, 2.0),
    doc="The square root of each element.", formula="g / (2 * sqrt(input))", example="[4., 9.] -> [2., 3.]",
    conventions="At 0 the derivative is inf, below 0 value and derivative are nan.",
)  # fmt: skip
rsqrt = unary(
    "rsqrt", lambda input: 1 / np.sqrt(input), lambda g, out: -0.5 * g * H(_cube(out)), domain=(0.5, 2.0),
    doc="One over the square root of each element.", formula="-g / 2 * input^(-3/2)",
    example="[4., 16.] -> [0.5000, 0.2500]", conventions="At 0 the derivative is -inf.",
)  # fmt: skip
reciprocal = unary(
    "reciprocal", lambda input: np.divide(1, input, dtype=input.dtype), lambda g, out: -g * H(out * out),
    domain=(0.5, 2.0), doc="One over each element.", formula="-g / input^2", example="[2., 4.] -> [0.5000, 0.2500]",
    conventions="At 0 the derivative is -inf.",
)  # fmt: skip

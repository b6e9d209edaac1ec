"""Sums, products and quotients. The operators of tensors are bound to them in ``operators``."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, promoted
from gradcli.ops.common import H
from gradcli.ops.kinds import unfit
from gradcli.ops.masked import zero
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.tangents import diagonal, quotient

PAIRS = (sample(T(2, 3), T(2, 3)), sample(T(2, 3), T(3)), sample(T(3, 1), T(1, 2)), sample(T(), T(2, 2)))
_EMPTY = sample(T(0, 3), T(3))


def _scale(alpha: Any, dtype: np.dtype[Any]) -> Any:
    """Return ``alpha`` as a number of ``dtype``; RuntimeError where it is of a higher category, as in PyTorch."""
    kind = "c" if isinstance(alpha, complex) else "f" if isinstance(alpha, float) else "i"
    if "biufc".index(kind) > "biufc".index(dtype.kind) and not (kind == "i" and dtype.kind in "bu"):
        raise error(
            RuntimeError, "dtype-mismatch", f"alpha={alpha} does not fit operands of {dtype}",
            hint="an integer sum takes an integer alpha",
        )  # fmt: skip
    try:
        return dtype.type(alpha)
    except OverflowError:
        raise error(RuntimeError, "overflow", f"alpha={alpha} is too large for {dtype}") from None


def _add(input: Any, other: Any, *, alpha: Any) -> Any:
    return np.add(input, other if alpha == 1 else np.multiply(other, _scale(alpha, input.dtype)))


def _sub(input: Any, other: Any, *, alpha: Any) -> Any:
    if input.dtype.kind == "b":
        raise error(
            RuntimeError, "bool-arithmetic", "bool tensors cannot be subtracted",
            hint="logical_xor() or != tells where they differ; .int() makes numbers of them",
        )  # fmt: skip
    return np.subtract(input, other if alpha == 1 else np.multiply(other, _scale(alpha, input.dtype)))


def _rsub(input: Any, *, other: Any) -> Any:
    if input.dtype.kind != "f" or isinstance(other, complex):
        input, other = promoted([input, other])
    return _sub(other, input, alpha=1) if input.dtype.kind == "b" else np.subtract(other, input)


def _rsub_scaled(input: Any, other: Any, *, alpha: Any) -> Any:
    return _sub(other, input, alpha=alpha)


def _rsub_scaled_number(input: Any, *, other: Any, alpha: Any) -> Any:
    input, other = promoted([input, other])
    return _sub(other, input, alpha=alpha)


def _scaled(g: Any, alpha: Any) -> Any:
    return g if alpha == 1 else g * H(alpha)


add_primitive = Primitive(
    "add", _add, {"input": lambda g: g, "other": lambda g, alpha: _scaled(g, alpha)}, promotes=True
)
sub_primitive = Primitive(
    "sub", _sub, {"input": lambda g: g, "other": lambda g, alpha: _scaled(-g, alpha)}, promotes=True
)
rsub_primitive = Primitive("rsub", _rsub, {"input": lambda g: -g}, node="RsubBackward1", batch="elementwise")
_rsub_tensor = Primitive(
    "rsub", _rsub_scaled, {"input": lambda g, alpha: _scaled(-g, alpha), "other": lambda g: g}, promotes=True
)
_rsub_scaled_primitive = Primitive(
    "rsub", _rsub_scaled_number, {"input": lambda g, alpha: _scaled(-g, alpha)}, node="RsubBackward1",
    batch="elementwise",
)
mul_primitive = Primitive(
    "mul", np.multiply, {"input": lambda g, other: g * H(other), "other": lambda g, input: g * H(input)}, promotes=True
)
for _primitive in (add_primitive, sub_primitive, mul_primitive, rsub_primitive):
    diagonal(_primitive)
_add_fast = fast.binary(add_primitive, {"alpha": 1}, quick=np.add)
_sub_fast = fast.binary(sub_primitive, {"alpha": 1}, quick=np.subtract)
_mul_fast = fast.binary(mul_primitive)
rsub_number = fast.with_number(rsub_primitive, "other")


@op(
    "torch.add", "add(input, other, *, alpha=1)", names="Tensor.add", inplace=True, category="binary",
    doc="The sum input + alpha * other, broadcast.", formula="g to input, alpha * g to other",
    examples=("add(tensor([1., 2.]), 10)  #> [11., 12.]",),
    samples=(*PAIRS, _EMPTY, sample(T(3), T(3), alpha=0.5), sample(T(2), 3)),
)  # fmt: skip
def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _add_fast(input, other) if alpha == 1 else add_primitive(input, other, alpha=alpha)


@op(
    "torch.sub", "sub(input, other, *, alpha=1)", names="Tensor.sub torch.subtract Tensor.subtract", inplace=True,
    category="binary", doc="The difference input - alpha * other, broadcast.",
    formula="g to input, -alpha * g to other", examples=("sub(tensor([1., 2.]), 10)  #> [-9., -8.]",),
    samples=(*PAIRS, _EMPTY, sample(T(3), T(3), alpha=0.5), sample(T(2), 3)),
)  # fmt: skip
def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _sub_fast(input, other) if alpha == 1 else sub_primitive(input, other, alpha=alpha)


@op(
    "torch.rsub", "rsub(input, other, *, alpha=1)", names="Tensor.rsub", category="binary",
    doc="The difference other - alpha * input, broadcast: what the operator does when the tensor stands on the right.",
    formula="-alpha * g to input, g to other", examples=("rsub(tensor([1., 2.]), 10)  #> [9., 8.]",),
    samples=(*PAIRS, sample(T(3), 2), sample(T(3), T(3), alpha=0.5)),
)  # fmt: skip
def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    if not isinstance(other, (bool, int, float, complex)):
        return _rsub_tensor(input, other, alpha=alpha)
    return rsub_number(input, other) if alpha == 1 else _rsub_scaled_primitive(input, other=other, alpha=alpha)


@op(
    "torch.mul", "mul(input, other)", names="Tensor.mul torch.multiply Tensor.multiply", inplace=True,
    category="binary", doc="The product input * other, broadcast.", formula="g * other to input, g * input to other",
    examples=("mul(tensor([1., 2.]), 10)  #> [10., 20.]",), samples=(*PAIRS, _EMPTY, sample(T(2), 3)),
)  # fmt: skip
def mul(input: Any, other: Any) -> Any:
    return _mul_fast(input, other)


# -- quotients --------------------------------------------------------------------------------------------------------
def _floor_divide(input: Any, other: Any) -> Any:
    _check_divisor(input, other)
    return np.floor_divide(input, other)


def _trunc_divide(input: Any, other: Any) -> Any:
    _check_divisor(input, other)
    if input.dtype.kind in "fc":
        return np.trunc(np.true_divide(input, other))
    quotient = np.floor_divide(input, other)
    return quotient + ((quotient < 0) & (quotient * other != input)).astype(quotient.dtype)


def _check_divisor(input: Any, other: Any) -> None:
    """Raise RuntimeError for an integer division by zero; a float one gives inf or nan."""
    if input.dtype.kind in "biu" and not np.all(other):
        raise error(RuntimeError, "zero-division", "integer division by zero",
                    hint="floats give inf or nan instead: divide by 0., or convert with .float()")  # fmt: skip


def _div_rounded(input: Any, other: Any, *, rounding_mode: str) -> Any:
    if input.dtype.kind in "bc":
        raise unfit("division with rounding", "iuf", input)
    return _floor_divide(input, other) if rounding_mode == "floor" else _trunc_divide(input, other)


div_primitive = Primitive(
    "div",
    np.true_divide,
    {"input": lambda g, other: g / H(other), "other": lambda g, input, other: -g * H(input / other / other)},
    promotes=True,
    to_float=True,
    jvp=quotient,
)
div_rounded_primitive = Primitive(
    "div",
    _div_rounded,
    {"input": lambda g: zero(g), "other": lambda g: zero(g)},
    node="DivBackward2",
    promotes=True,
)
floor_divide_primitive = Primitive(
    "floor_divide",
    lambda input, other: _div_rounded(input, other, rounding_mode="floor"),
    "the derivative of x // y is not implemented; div(x, y, rounding_mode='floor') has gradient zero",
    node="torch::autograd::NotImplemented",
    promotes=True,
)
_div_fast = fast.binary(div_primitive)


@op(
    "torch.div", "div(input, other, *, rounding_mode=None)",
    names="Tensor.div torch.divide Tensor.divide torch.true_divide Tensor.true_divide", inplace=True,
    category="binary", doc="The quotient input / other, broadcast; rounded down or towards zero on request.",
    formula="g / other to input, -g * input / other^2 to other; zeros with a rounding_mode",
    conventions="Integers are divided as floats, unless rounded. x / 0 is inf or nan, never an error.",
    examples=(
        "div(tensor([1., 3.]), 2)  #> [0.5000, 1.5000]", "div(tensor([-3.]), 2, rounding_mode='trunc')  #> [-1.]",
    ),
    samples=(*PAIRS, _EMPTY, sample(T(2), 4), sample(T(2), Lit([1.7, 2.3]), rounding_mode="floor", smooth=False)),
    domain=(0.5, 2.0),
)  # fmt: skip
def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    if rounding_mode is None:
        return _div_fast(input, other)
    if rounding_mode not in ("floor", "trunc"):
        raise error(RuntimeError, "bad-argument", f"rounding_mode is None, 'floor' or 'trunc', not {rounding_mode!r}")
    return div_rounded_primitive(input, other, rounding_mode=rounding_mode)


@op(
    "torch.floor_divide", "floor_divide(input, other)", names="Tensor.floor_divide", inplace=True, category="binary",
    doc="The quotient input / other rounded down: the operator x // y.",
    formula="not differentiable: recorded, and an error when backward reaches it",
    conventions="Integers stay integers; an integer division by zero is an error.",
    examples=("floor_divide(tensor([7., -7.]), 2)  #> [3., -4.]",),
    samples=(sample(Lit([7.0, -7.0]), Lit([2.0, 2.0])), sample(Lit([7, -7]), Lit([2, 3]))),
)  # fmt: skip
def floor_divide(input: Any, other: Any) -> Any:
    return floor_divide_primitive(input, other)


# -- remainders -------------------------------------------------------------------------------------------------------
def _remainder(input: Any, other: Any) -> Any:
    if input.dtype.kind in "bc":
        raise unfit("the remainder", "iuf", input)
    _check_divisor(input, other)
    return np.remainder(input, other)


def _fmod(input: Any, other: Any) -> Any:
    if input.dtype.kind in "bc":
        raise unfit("the remainder", "iuf", input)
    _check_divisor(input, other)
    return np.fmod(input, other)


def _by_number(forward: Any) -> Any:
    def by_number(input: Any, *, other: Any) -> Any:
        if input.dtype.kind == "f" and other.__class__ in (int, float):
            return forward(input, other)
        return forward(*promoted([input, other]))

    return by_number


def _rest_rules(rounding_mode: str) -> dict[str, Any]:
    return {
        "input": lambda g: g,
        "other": lambda g, input, other: -g * div_rounded_primitive(input, other, rounding_mode=rounding_mode),
    }


remainder_primitive = Primitive(
    "remainder", _remainder, _rest_rules("floor"), node="RemainderBackward1", promotes=True
)
fmod_primitive = Primitive("fmod", _fmod, _rest_rules("trunc"), node="FmodBackward1", promotes=True)
_remainder_by_number = Primitive(
    "remainder", _by_number(_remainder), {"input": lambda g: g}, node="RemainderBackward0", batch="elementwise"
)
_fmod_by_number = Primitive(
    "fmod", _by_number(_fmod), {"input": lambda g: g}, node="FmodBackward0", batch="elementwise"
)
_remainder_number = fast.with_number(_remainder_by_number, "other")
_fmod_number = fast.with_number(_fmod_by_number, "other")
_APART = (sample(Lit([5.5, -5.5, 0.7]), Lit([2.0, 2.0, -0.3])), sample(Lit([[5.5], [-5.5]]), Lit([2.0, 3.1])))


@op(
    "torch.remainder", "remainder(input, other)", names="Tensor.remainder", inplace=True, category="binary",
    doc="The rest of the division rounded down, with the sign of the divisor: the operator x % y.",
    formula="g to input, -g * floor(input / other) to other",
    conventions="At the jumps the derivative of either side's line: 1 to input. 2 % x has its derivative too, which "
    "PyTorch refuses.",
    examples=("remainder(tensor([7., -7.]), 3)  #> [1., 2.]",), samples=(*_APART, sample(Lit([5.5, -1.2]), 2)),
)  # fmt: skip
def remainder(input: Any, other: Any) -> Any:
    if isinstance(other, (bool, int, float)):
        return _remainder_number(input, other)
    return remainder_primitive(input, other)


@op(
    "torch.fmod", "fmod(input, other)", names="Tensor.fmod", inplace=True, category="binary",
    doc="The rest of the division rounded towards zero, with the sign of the dividend (C's fmod).",
    formula="g to input, -g * trunc(input / other) to other",
    conventions="At the jumps the derivative of either side's line: 1 to input.",
    examples=("fmod(tensor([7., -7.]), 3)  #> [1., -1.]",), samples=(*_APART, sample(Lit([5.5, -1.2]), 2)),
)  # fmt: skip
def fmod(input: Any, other: Any) -> Any:
    return _fmod_number(input, other) if isinstance(other, (bool, int, float)) else fmod_primitive(input, other)

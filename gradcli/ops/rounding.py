"""Rounding and clamping: piecewise constant, or the identity inside of bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, promoted
from gradcli.autograd.results import result_type
from gradcli.ops.common import element, fixed
from gradcli.ops.kinds import unfit
from gradcli.ops.masked import keep, zero
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.unary import unary

_BETWEEN = (sample(Lit([0.3, -1.7, 2.4])), sample(Lit([[0.3], [-1.7]])))
_ZEROS = "The gradient is zeros, not an error."


def _real(name: str, ufunc: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return ``ufunc`` for floats; whole numbers are their own result, bool and complex are refused."""

    def forward(input: Any) -> Any:
        if input.dtype.kind in "bc":
            raise unfit(name, "iuf", input)
        return ufunc(input) if input.dtype.kind == "f" else np.array(input)

    return forward


floor = unary(
    "floor", _real("floor", np.floor), lambda g: zero(g), to_float=False, doc="The largest whole number not above.",
    formula="zeros", example="[1.7, -1.2] -> [1., -2.]", conventions=_ZEROS, samples=_BETWEEN, domain=(0.1, 0.9),
)  # fmt: skip
ceil = unary(
    "ceil", _real("ceil", np.ceil), lambda g: zero(g), to_float=False, doc="The smallest whole number not below.",
    formula="zeros", example="[1.2, -1.7] -> [2., -1.]", conventions=_ZEROS, samples=_BETWEEN, domain=(0.1, 0.9),
)  # fmt: skip
trunc = unary(
    "trunc", _real("trunc", np.trunc), lambda g: zero(g), also="fix", to_float=False, doc="The whole part, towards 0.",
    formula="zeros", example="[1.7, -1.7] -> [1., -1.]", conventions=_ZEROS, samples=_BETWEEN, domain=(0.1, 0.9),
)  # fmt: skip


def _float(name: str, input: Any) -> Any:
    if input.dtype.kind != "f":
        raise unfit(name, "f", input)
    return input


def _frac(input: Any) -> Any:
    return _float("frac", input) - np.trunc(input)


frac = unary(
    "frac", _frac, lambda g: g, to_float=False, doc="The fraction x - trunc(x), with the sign of x.", formula="g",
    example="[1.5, -1.5] -> [0.5000, -0.5000]", conventions="Gradient 1, at whole numbers too.", samples=_BETWEEN,
    domain=(0.1, 0.9),
)  # fmt: skip
_round = Primitive("round", _real("round", np.rint), {"input": lambda g: zero(g)}, batch="elementwise")
_round_decimals = Primitive(
    "round", lambda input, *, decimals: np.round(_float("round", input), decimals), {"input": lambda g: zero(g)},
    node="RoundBackward1", batch="elementwise",
)  # fmt: skip


_round_fast = fast.unary(_round)


@op(
    "torch.round", "round(input, *, decimals=0)", names="Tensor.round torch.special.round", inplace=True,
    category="elementwise unary", doc="The nearest whole number, or the nearest with so many decimals.",
    formula="zeros", conventions="A half goes to the even neighbour. " + _ZEROS,
    examples=("round(tensor([0.5, 1.5, 2.7]))  #> [0., 2., 3.]", "round(tensor([1.234]), decimals=1)  #> [1.2000]"),
    samples=(*_BETWEEN, sample(T(3), decimals=2, smooth=False)),
)  # fmt: skip
def round(input: Any, *, decimals: int = 0) -> Any:
    return _round_fast(input) if decimals == 0 else _round_decimals(input, decimals=decimals)


# -- bounds -----------------------------------------------------------------------------------------------------------
def _clamp(input: Any, min: Any, max: Any) -> Any:
    if input.dtype.kind == "c":
        raise unfit("clamp", "biuf", input, "complex numbers have no order")
    if min is not None:
        input = np.maximum(input, min)
    return input if max is None else np.minimum(input, max)


def _clamp_numbers(input: Any, *, min: Any = None, max: Any = None) -> Any:
    if input.dtype.kind == "f" and not isinstance(min, bool) and not isinstance(max, bool):
        return _clamp(input, min, max)
    return _clamp(*promoted([input, min, max]))


def _inside(input: Any, min: Any, max: Any) -> Any:
    """Return where ``input`` is neither below ``min`` nor above ``max`` (False for nan); None is no bound."""
    if min is None:
        return input <= max
    return input >= min if max is None else (input >= min) & (input <= max)


def _slope_input(g: Any, input: Any, min: Any, max: Any) -> Any:
    return keep(g, _inside(input, min, max))


def _slope_min(g: Any, input: Any, min: Any, max: Any) -> Any:
    return keep(g, input < min if max is None else (input < min) & (min < max))


def _slope_max(g: Any, input: Any, min: Any, max: Any) -> Any:
    return keep(g, input > max if min is None else (input > max) | (max < min))


_by_numbers = Primitive(
    "clamp", _clamp_numbers, {"input": _slope_input}, node="ClampBackward1", batch="elementwise"
)
_clamp_fast = fast.with_number(_by_numbers, None)
_by_tensors = Primitive(
    "clamp", _clamp, {"input": _slope_input, "min": _slope_min, "max": _slope_max}, promotes=True
)
_min_number = Primitive(
    "clamp_min", _clamp_numbers, {"input": lambda g, input, min: _slope_input(g, input, min, None)},
    batch="elementwise",
)
_max_number = Primitive(
    "clamp_max", _clamp_numbers, {"input": lambda g, input, max: _slope_input(g, input, None, max)},
    batch="elementwise",
)
_min_fast, _max_fast = fast.with_number(_min_number, "min"), fast.with_number(_max_number, "max")
_min_tensor = Primitive(
    "clamp_min", lambda input, min: _clamp(input, min, None),
    {"input": lambda g, input, min: _slope_input(g, input, min, None),
     "min": lambda g, input, min: _slope_min(g, input, min, None)},
    node="ClampMinBackward1", promotes=True,
)  # fmt: skip
_max_tensor = Primitive(
    "clamp_max", lambda input, max: _clamp(input, None, max),
    {"input": lambda g, input, max: _slope_input(g, input, None, max),
     "max": lambda g, input, max: _slope_max(g, input, None, max)},
    node="ClampMaxBackward1", promotes=True,
)  # fmt: skip


def _is_number(bound: Any) -> bool:
    return bound is None or isinstance(bound, (bool, int, float))


@op(
    "torch.clamp", "clamp(input, min=None, max=None)", names="Tensor.clamp torch.clip Tensor.clip", inplace=True,
    category="elementwise unary", doc="Each element moved into [min, max]; bounds are numbers or tensors, or left out.",
    formula="g inside and at the bounds, 0 outside; to a tensor bound g where it is the result",
    conventions="At a bound the input gets the gradient; min > max gives max everywhere. nan stays nan, with gradient "
    "0.",
    examples=("clamp(tensor([-1., 0.5, 2.]), 0, 1)  #> [0.0000, 0.5000, 1.0000]",),
    samples=(
        sample(T(3), -0.5, 0.5), sample(T(2, 3), max=0.3), sample(T(), min=-0.3), sample(T(3), T(3), max=3.0),
        sample(T(2, 3), Lit([-0.3, -0.2, -0.1]), Lit([0.2, 0.3, 0.4])), sample(Lit([0.0, 1.0]), 0, 1, smooth=False),
    ),
)  # fmt: skip
def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        raise error(RuntimeError, "bad-argument", "clamp needs a bound: min, max or both")
    if _is_number(min) and _is_number(max):
        return _clamp_fast(input, {"min": min, "max": max})
    return _by_tensors(input, min, max)


@op(
    "torch.clamp_min", "clamp_min(input, min)", names="Tensor.clamp_min", inplace=True, category="elementwise unary",
    doc="Each element, or min where that is larger.", formula="g where input >= min, to a tensor min elsewhere",
    examples=("clamp_min(tensor([-1., 2.]), 0)  #> [0., 2.]",), samples=(sample(T(3), 0.2), sample(T(2, 3), T(3))),
)  # fmt: skip
def clamp_min(input: Any, min: Any) -> Any:
    return _min_fast(input, min) if _is_number(min) else _min_tensor(input, min)


@op(
    "torch.clamp_max", "clamp_max(input, max)", names="Tensor.clamp_max", inplace=True, category="elementwise unary",
    doc="Each element, or max where that is smaller.", formula="g where input <= max, to a tensor max elsewhere",
    examples=("clamp_max(tensor([-1., 2.]), 0)  #> [-1., 0.]",), samples=(sample(T(3), 0.2), sample(T(2, 3), T(3))),
)  # fmt: skip
def clamp_max(input: Any, max: Any) -> Any:
    return _max_fast(input, max) if _is_number(max) else _max_tensor(input, max)


# -- mantissa and exponent --------------------------------------------------------------------------------------------
_Frexp = result_type("frexp", "mantissa exponent")


def _frexp(input: Any) -> tuple[Any, Any]:
    if input.dtype.kind != "f":
        raise error(RuntimeError, "dtype-mismatch", f"frexp takes floats, got {input.dtype.name}")
    mantissa, exponent = np.frexp(input)
    return mantissa, np.asarray(exponent, np.int32)


def _mantissa_rule(g: Any, out: Any) -> Any:
    return g[0] * np.exp2(-fixed(out[1]).astype(element(g[0])))


_frexp_primitive = Primitive(
    "frexp", _frexp, {"input": _mantissa_rule}, multi=True,
    batch=(),
)


@op(
    "torch.frexp", "frexp(input)", names="Tensor.frexp", category="elementwise unary",
    doc="A mantissa of [0.5, 1) and a whole exponent: input = mantissa * 2^exponent.",
    formula="g of the mantissa / 2^exponent", examples=("frexp(tensor([6.])).exponent  #> [3]",),
    samples=(sample(Lit([1.3, -6.2, 0.3])),),
)  # fmt: skip
def frexp(input: Any) -> Any:
    return _Frexp(_frexp_primitive(input))

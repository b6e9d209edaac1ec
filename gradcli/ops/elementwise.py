"""Exponentials, logarithms, and what changes sign or scale of each element."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, element
from gradcli.ops.compare import isfinite
from gradcli.ops.masked import filled, keep, zero
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.unary import unary

LN2 = math.log(2)
LN10 = math.log(10)
_POSITIVE = (0.5, 2.0)


def _negative(input: Any) -> Any:
    if input.dtype.kind == "b":
        raise error(
            RuntimeError, "bool-arithmetic", "a bool tensor has no negative", hint="logical_not() or ~ turns it round"
        )
    return np.negative(input)


def _sign(input: Any) -> Any:
    """Return -1, 0 or 1 (0 for nan, as PyTorch); z / abs(z) where complex."""
    if input.dtype.kind == "c":
        size = np.abs(input)
        return np.divide(input, size, out=np.zeros_like(input), where=size != 0)
    if input.dtype.kind == "b":
        return np.array(input)
    return np.subtract(input > 0, input < 0, dtype=input.dtype)


def _real_sign(input: Any) -> Any:
    if input.dtype.kind == "c":
        raise error(NotImplementedError, "complex-order", "a complex number has no sign", hint="sgn(z) is z / abs(z)")
    return _sign(input)


def _slope_sgn(g: Any, input: Any, out: Any) -> Any:
    """Return (g - s Re(conj(s) g)) / abs(z) for s = z / abs(z): the part of g across the ray; 0 at 0."""
    if element(input).kind != "c":
        return zero(g)
    from gradcli.ops.complex import real

    elsewhere = input != 0
    return keep((g - out * real(H(out) * g)) / filled(abs(input), elsewhere, 1.0), elsewhere)


def _absolute(input: Any) -> Any:
    if input.dtype.kind == "b":
        raise error(NotImplementedError, "bool-arithmetic", "a bool tensor has no absolute value")
    return np.abs(input)


def _angles(name: str, input: Any) -> Any:
    if input.dtype.kind == "c":
        raise error(RuntimeError, "dtype-mismatch", f"{name} takes real numbers, got {input.dtype.name}")
    return input


def _signbit(input: Any) -> Any:
    if input.dtype.kind == "c":
        raise error(NotImplementedError, "complex-order", "a complex number has no sign", hint="signbit(z.real)")
    return np.signbit(input) if input.dtype.kind == "f" else input < 0


def _slope_abs(g: Any, input: Any) -> Any:
    return g * sgn(input)


neg = unary(
    "neg", _negative, lambda g: -g, also="negative", to_float=False,
    doc="Each element with its sign turned round.", formula="-g", example="[1., -2.] -> [-1., 2.]",
)  # fmt: skip
sgn = unary(
    "sgn", _sign, _slope_sgn, to_float=False, holomorphic=False, category="complex",
    doc="The sign of each element, z / abs(z) where complex.",
    formula="zeros; (g - s Re(conj(s) g)) / abs(z) where complex", example="[3., 0., -2.] -> [1., 0., -1.]",
    conventions="0 at 0, with gradient 0.", domain=_POSITIVE,
    samples=(sample(Lit([3 + 4j, 1 - 1j])), sample(Lit([0j]), smooth=False)),
)  # fmt: skip
sign = unary(
    "sign", _real_sign, lambda g: zero(g), to_float=False,
    doc="-1, 0 or 1 by the sign of each element.", formula="zeros", example="[3., 0., -2.] -> [1., 0., -1.]",
    conventions="sign(nan) is 0. The gradient is zeros, not an error.", domain=_POSITIVE,
)  # fmt: skip
abs_ = unary(
    "abs", _absolute, _slope_abs, also="absolute", to_float=False, holomorphic=False, domain=_POSITIVE,
    doc="The absolute value of each element, the modulus where complex.", formula="g * sign(input), 0 at 0",
    example="[-1., 2.] -> [1., 2.]", conventions="The derivative at 0 is 0. Complex: g * z / abs(z).",
    samples=(sample(Lit([-1.5, 0.7])), sample(Lit([3 + 4j, 1 - 1j]))),
)  # fmt: skip
exp = unary(
    "exp", np.exp, lambda g, out: g * H(out),
    doc="The exponential e^x of each element.", formula="g * exp(input)", example="[0., 1.] -> [1.0000, 2.7183]",
)  # fmt: skip
exp2 = unary(
    "exp2", np.exp2, lambda g, out: g * H(out) * LN2, also="torch.special.exp2",
    doc="The power 2^x of each element.", formula="g * 2^input * log(2)", example="[0., 3.] -> [1., 8.]",
)  # fmt: skip
expm1 = unary(
    "expm1", np.expm1, lambda g, out: g * (H(out) + 1), also="torch.special.expm1",
    doc="e^x - 1, exact also for small x.", formula="g * exp(input)", example="[0., 1.] -> [0.0000, 1.7183]",
)  # fmt: skip
log = unary(
    "log", np.log, lambda g, input: g / H(input), domain=_POSITIVE,
    doc="The natural logarithm of each element.", formula="g / input", example="[1., 10.] -> [0.0000, 2.3026]",
    conventions="At 0 the derivative is inf. Below 0 the value is nan, but the derivative stays 1 / input.",
)  # fmt: skip
log2 = unary(
    "log2", np.log2, lambda g, input: g / (H(input) * LN2), domain=_POSITIVE,
    doc="The logarithm to base 2.", formula="g / (input * log(2))", example="[1., 8.] -> [0., 3.]",
)  # fmt: skip
log10 = unary(
    "log10", np.log10, lambda g, input: g / (H(input) * LN10), domain=_POSITIVE,
    doc="The logarithm to base 10.", formula="g / (input * log(10))", example="[1., 100.] -> [0., 2.]",
)  # fmt: skip
log1p = unary(
    "log1p", np.log1p, lambda g, input: g / (H(input) + 1), also="torch.special.log1p", node="Log1PBackward0",
    doc="log(1 + x), exact also for small x.", formula="g / (1 + input)", example="[0., 1.] -> [0.0000, 0.6931]",
    domain=(-0.5, 2.0), conventions="At -1 the derivative is inf.",
)  # fmt: skip
deg2rad = unary(
    "deg2rad", lambda input: _angles("deg2rad", input) * (math.pi / 180), lambda g: g * (math.pi / 180),
    node="Deg2RadBackward0",
    doc="Degrees to radians.", formula="g * pi / 180", example="[0., 180.] -> [0.0000, 3.1416]",
)  # fmt: skip
rad2deg = unary(
    "rad2deg", lambda input: _angles("rad2deg", input) * (180 / math.pi), lambda g: g * (180 / math.pi),
    node="Rad2DegBackward0",
    doc="Radians to degrees.", formula="g * 180 / pi", example="[0., 3.141592653589793] -> [0., 180.]",
)  # fmt: skip
signbit = unary(
    "signbit", _signbit, None, to_float=False,
    inplace=False, doc="Whether each element is negative; true for -0. as well.",
    formula="not differentiable: the result is bool", example="[-1., 0., -0.] -> [True, False, True]",
)  # fmt: skip


@op(
    "torch.positive", "positive(input)", names="Tensor.positive", category="elementwise unary",
    doc="The tensor itself: the operator +x.", formula="g", examples=("positive(tensor([1., -2.]))  #> [1., -2.]",),
    samples=(sample(T(3)), sample(T())),
)  # fmt: skip
def positive(input: Any) -> Any:
    if element(input).kind == "b":
        raise error(RuntimeError, "bool-arithmetic", "the operator + does not apply to bool tensors")
    return input


def _nan_to_num(input: Any, *, nan: Any, posinf: Any, neginf: Any) -> Any:
    if input.dtype.kind not in "fc":
        return np.array(input)
    return np.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


_nan_to_num_primitive = Primitive(
    "nan_to_num", _nan_to_num, {"input": lambda g, input: g * isfinite(input)}, batch="elementwise"
)


@op(
    "torch.nan_to_num", "nan_to_num(input, nan=0.0, posinf=None, neginf=None)", names="Tensor.nan_to_num",
    inplace=True, category="elementwise unary",
    doc="nan and infinities replaced: by 0 and by the largest numbers of the dtype, or as given.",
    formula="g where input is finite, else 0",
    examples=("nan_to_num(tensor([1., nan, inf]), posinf=9.)  #> [1., 0., 9.]",),
    samples=(sample(T(3)), sample(T()), sample(Lit([1.0, math.nan, math.inf]), nan=2.0, smooth=False)),
)  # fmt: skip
def nan_to_num(input: Any, nan: float | None = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    return _nan_to_num_primitive(input, nan=nan, posinf=posinf, neginf=neginf)


def _sigmoid(input: Any) -> Any:
    return 1 / (1 + np.exp(-input))


sigmoid = unary(
    "sigmoid", _sigmoid, lambda g, out: g * H((1 - out) * out),
    also="torch.special.expit torch.nn.functional.sigmoid",
    doc="The logistic function 1 / (1 + e^-x).", formula="g * out * (1 - out)",
    example="[0., 100.] -> [0.5000, 1.0000]",
)  # fmt: skip
tanh = unary(
    "tanh", np.tanh, lambda g, out: g * (1 - H(out * out)), also="torch.nn.functional.tanh",
    doc="The hyperbolic tangent.", formula="g * (1 - tanh(input)^2)", example="[0., 1.] -> [0.0000, 0.7616]",
)  # fmt: skip

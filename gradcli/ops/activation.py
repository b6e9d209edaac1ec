"""Activations made of one smooth function, or of one on each side of zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.blocks import mapped
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.bits import chosen
from gradcli.ops.elementwise import exp, sigmoid, tanh
from gradcli.ops.masked import zero
from gradcli.ops.masks import choose, join, keep, negated, part, still
from gradcli.ops.nn_common import floating, maybe_inplace, operand
from gradcli.ops.row import Lit, T, op, sample

_SHAPES = (sample(T(2, 3)), sample(T()), sample(T(0, 3)), sample(T(2, 1, 2)))
_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
_SQRT_HALF, _DENSITY = math.sqrt(0.5), 1 / math.sqrt(2 * math.pi)
_GELU_C, _GELU_CUBE = math.sqrt(2 / math.pi), 0.044715


def _relu(input: Any) -> Any:
    return np.maximum(input, 0)


def _two_slopes(g: Any, x: Any, *, slope: Any) -> Any:
    return chosen(x > 0, g, g * slope)


def _leaky_relu(input: Any, *, negative_slope: float) -> Any:
    return chosen(input > 0, input, input * negative_slope)


def _elu(input: Any, *, alpha: float, scale: float, input_scale: float) -> Any:
    low = np.expm1(np.minimum(input, 0) * input_scale) * (alpha * scale)
    return chosen(input <= 0, low, input * scale if scale != 1 else input)


def _elu_rule(g: Any, input: Any, alpha: float, scale: float, input_scale: float) -> Any:
    slope = exp(keep(input, input < 0) * input_scale) * (alpha * scale * input_scale)
    return choose(input <= 0, g * slope, g if scale == 1 else g * scale)


def _normal_cdf(x: Any) -> Any:
    from gradcli.ops.special_math import erf

    return (erf(x * _SQRT_HALF) + 1) * 0.5


def _density(x: Any) -> Any:
    return exp(x * x * -0.5) * _DENSITY


def _gelu(input: Any) -> Any:
    return mapped(lambda x: x * _normal_cdf(x), input)


def _gelu_rule(g: Any, input: Any) -> Any:
    return g * (normal_cdf(input) + input * _density(input))


def _gelu_tanh(input: Any) -> Any:
    return mapped(lambda x: x * (np.tanh((x + x * x * x * _GELU_CUBE) * _GELU_C) + 1) * 0.5, input)


def _gelu_tanh_rule(g: Any, input: Any) -> Any:
    square = input * input
    t = tanh((input + input * square * _GELU_CUBE) * _GELU_C)
    inner = (square * (3 * _GELU_CUBE) + 1) * _GELU_C
    return g * ((t + 1) * 0.5 + input * (1 - t * t) * inner * 0.5)


def _silu(input: Any) -> Any:
    return input * sigmoid(input)


def _silu_rule(g: Any, input: Any) -> Any:
    s = sigmoid(input)
    return g * (s * (input * (1 - s) + 1))


def _softplus(input: Any, *, beta: float, threshold: float) -> Any:
    scaled = input * beta
    return chosen(scaled > threshold, input, np.log1p(np.exp(np.minimum(scaled, threshold))) / beta)


def _softplus_rule(g: Any, input: Any, beta: float, threshold: float) -> Any:
    scaled = input * beta
    slope = sigmoid(choose(negated(scaled >= threshold), scaled, still(scaled)))
    return choose(scaled > threshold, g, g * slope)


def _mish(input: Any) -> Any:
    return input * np.tanh(np.logaddexp(input, 0))


def _mish_rule(g: Any, input: Any) -> Any:
    t = tanh(softplus_primitive(input, beta=1.0, threshold=20.0))
    return g * (t + input * sigmoid(input) * (1 - t * t))


def _logsigmoid(input: Any) -> Any:
    return np.minimum(input, 0) - np.log1p(np.exp(-np.abs(input)))


def _glu(input: Any, *, axis: int) -> Any:
    n = input.shape[axis] // 2
    return part(input, axis, 0, n) * sigmoid(part(input, axis, n, 2 * n))


def _glu_rule(g: Any, input: Any, axis: int) -> Any:
    n = input.shape[axis] // 2
    s = sigmoid(part(input, axis, n, 2 * n))
    return join(g * s, g * part(input, axis, 0, n) * (s * (1 - s)), axis)


normal_cdf = Primitive("special_ndtr", _normal_cdf, {"x": lambda g, x: g * _density(x)}, batch="elementwise")
# The slope depends on the result, though its derivative is zero: PyTorch's second derivative is 0, not "no graph".
threshold_backward: Primitive = Primitive(
    "threshold_backward",
    lambda g, result: keep(g, negated(result <= 0)),
    {"g": lambda g, result: threshold_backward(g, result), "result": lambda g: zero(g)},
    batch="elementwise",
)
relu_primitive = Primitive("relu", _relu, {"input": lambda g, out: threshold_backward(g, out)}, batch="elementwise")
two_slopes: Primitive = Primitive(
    "leaky_relu_backward",
    _two_slopes,
    {"g": lambda g, x, slope: two_slopes(g, x, slope=slope), "x": lambda g: zero(g)},
    batch="elementwise",
)
leaky_relu_primitive = Primitive(
    "leaky_relu",
    _leaky_relu,
    {"input": lambda g, input, negative_slope: two_slopes(g, input, slope=negative_slope)},
    batch="elementwise",
)
elu_primitive = Primitive("elu", _elu, {"input": _elu_rule}, batch="elementwise")
celu_primitive = Primitive("celu", _elu, {"input": _elu_rule}, batch="elementwise")
gelu_primitive = Primitive("gelu", _gelu, {"input": _gelu_rule}, batch="elementwise")
gelu_tanh_primitive = Primitive("gelu", _gelu_tanh, {"input": _gelu_tanh_rule}, batch="elementwise")
silu_primitive = Primitive("silu", _silu, {"input": _silu_rule}, batch="elementwise")
softplus_primitive = Primitive("softplus", _softplus, {"input": _softplus_rule}, batch="elementwise")
mish_primitive = Primitive("mish", _mish, {"input": _mish_rule}, batch="elementwise")
logsigmoid_primitive = Primitive(
    "log_sigmoid", _logsigmoid, {"input": lambda g, input: g * sigmoid(-input)}, batch="elementwise"
)
glu_primitive = Primitive("glu", _glu, {"input": _glu_rule}, batch=("axis",))

_relu_fast = fast.unary(relu_primitive)
_leaky_relu_fast = fast.unary(leaky_relu_primitive, {"negative_slope": 0.01})
_elu_fast = fast.unary(elu_primitive, {"alpha": 1.0, "scale": 1.0, "input_scale": 1.0})
_softplus_fast = fast.unary(softplus_primitive, {"beta": 1.0, "threshold": 20.0})
_silu_fast = fast.unary(silu_primitive)
_gelu_fast = fast.unary(gelu_primitive)


@op(
    "torch.nn.functional.relu",
    "relu(input, inplace=False)",
    names="torch.relu Tensor.relu",
    inplace=True,
    category="nn activation",
    doc="The larger of input and 0, elementwise.",
    formula="g where input > 0, else 0",
    conventions="gradient 0 at 0 and 1 at nan; a nan or infinite g is stopped where input <= 0",
    examples=("relu(tensor([-1., 0., 2.]))  #> [0., 0., 2.]",),
    samples=(*_SHAPES, sample(Lit([0.0, -0.0, 1.0]), smooth=False)),
)
def relu(input: Any, inplace: bool = False) -> Any:
    if not inplace:
        return _relu_fast(input)
    return maybe_inplace(_relu_fast, True, input)


@op(
    "torch.nn.functional.leaky_relu",
    "leaky_relu(input, negative_slope=0.01, inplace=False)",
    category="nn activation",
    doc="input where it is positive, else negative_slope * input.",
    formula="g where input > 0, else negative_slope * g",
    conventions="gradient negative_slope at 0",
    examples=("F.leaky_relu(tensor([-1., 0., 2.]), 0.1)  #> [-0.1000, 0.0000, 2.0000]",),
    samples=(*_SHAPES, sample(T(3), 0.2), sample(Lit([0.0, 1.0]), 0.2, smooth=False)),
)
def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    input = floating("leaky_relu", input)
    if negative_slope == 0.01:
        return maybe_inplace(_leaky_relu_fast, inplace, input)
    return maybe_inplace(lambda x: leaky_relu_primitive(x, negative_slope=negative_slope), inplace, input)


@op(
    "torch.nn.functional.elu",
    "elu(input, alpha=1.0, inplace=False)",
    category="nn activation",
    doc="input where it is positive, else alpha * (exp(input) - 1).",
    formula="g where input > 0, else g * alpha * exp(input)",
    conventions="gradient alpha at 0",
    examples=("F.elu(tensor([-1., 0., 2.]))  #> [-0.6321, 0.0000, 2.0000]",),
    samples=(*_SHAPES, sample(T(2, 3), alpha=0.5), sample(Lit([0.0, 800.0, -800.0]), 0.5, smooth=False)),
)
def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    input = floating("elu", input)
    if alpha == 1:
        return maybe_inplace(_elu_fast, inplace, input)
    return maybe_inplace(lambda x: elu_primitive(x, alpha=alpha, scale=1.0, input_scale=1.0), inplace, input)


@op(
    "torch.nn.functional.selu",
    "selu(input, inplace=False)",
    names="torch.selu",
    category="nn activation",
    doc="scale * elu(input, alpha) with the constants that keep mean 0 and variance 1 (Klambauer et al. 2017).",
    formula="g * scale where input > 0, else g * scale * alpha * exp(input)",
    conventions="gradient scale * alpha at 0",
    examples=("selu(tensor([-1., 0., 2.]))  #> [-1.1113, 0.0000, 2.1014]",),
    samples=_SHAPES,
)
def selu(input: Any, inplace: bool = False) -> Any:
    input = floating("selu", input)
    return maybe_inplace(
        lambda x: elu_primitive(x, alpha=_SELU_ALPHA, scale=_SELU_SCALE, input_scale=1.0), inplace, input
    )


@op(
    "torch.nn.functional.celu",
    "celu(input, alpha=1.0, inplace=False)",
    names="torch.celu",
    category="nn activation",
    doc="input where it is positive, else alpha * (exp(input / alpha) - 1).",
    formula="g where input > 0, else g * exp(input / alpha)",
    conventions="gradient 1 at 0",
    examples=("celu(tensor([-1., 0., 2.]), 2.0)  #> [-0.7869, 0.0000, 2.0000]",),
    samples=(*_SHAPES, sample(T(4), alpha=2.0)),
)
def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    if alpha == 0:
        raise error(RuntimeError, "division-by-zero", "celu divides by alpha, which is 0")
    return maybe_inplace(
        lambda x: celu_primitive(x, alpha=alpha, scale=1.0, input_scale=1.0 / alpha), inplace, floating("celu", input)
    )


@op(
    "torch.nn.functional.gelu",
    "gelu(input, approximate='none')",
    category="nn activation",
    doc="input times the normal distribution function at input; approximate='tanh' uses the usual tanh formula "
    "instead.",
    formula="g * (Phi(input) + input * phi(input))",
    examples=("F.gelu(tensor([-1., 0., 2.]))  #> [-0.1587, 0.0000, 1.9545]",),
    samples=(*_SHAPES, sample(T(2, 3), approximate="tanh")),
)
def gelu(input: Any, approximate: str = "none") -> Any:
    if approximate not in ("none", "tanh"):
        raise error(RuntimeError, "bad-choice", f"gelu has no approximation {approximate!r}", hint="'none' or 'tanh'")
    input = floating("gelu", input)
    return _gelu_fast(input) if approximate == "none" else gelu_tanh_primitive(input)


@op(
    "torch.nn.functional.silu",
    "silu(input, inplace=False)",
    category="nn activation",
    doc="input * sigmoid(input), also called swish.",
    formula="g * s * (1 + input * (1 - s)) with s = sigmoid(input)",
    examples=("F.silu(tensor([-1., 0., 2.]))  #> [-0.2689, 0.0000, 1.7616]",),
    samples=_SHAPES,
)
def silu(input: Any, inplace: bool = False) -> Any:
    return maybe_inplace(_silu_fast, inplace, floating("silu", input))


@op(
    "torch.nn.functional.softplus",
    "softplus(input, beta=1.0, threshold=20.0)",
    category="nn activation",
    doc="log(1 + exp(beta * input)) / beta, and input itself where beta * input > threshold.",
    formula="g * sigmoid(beta * input), and g in the linear part",
    conventions="never overflows; the joint at the threshold jumps by exp(-threshold) / beta",
    examples=("F.softplus(tensor([-1., 0., 1000.]))  #> [3.1326e-01, 6.9315e-01, 1.0000e+03]",),
    samples=(*_SHAPES, sample(T(4), beta=2.0), sample(Lit([0.5, 3.0, -1.0]), beta=1, threshold=2)),
)
def softplus(input: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    input = floating("softplus", input)
    if beta == 1 and threshold == 20:
        return _softplus_fast(input)
    return softplus_primitive(input, beta=beta, threshold=threshold)


@op(
    "torch.nn.functional.mish",
    "mish(input, inplace=False)",
    category="nn activation",
    doc="input * tanh(softplus(input)).",
    formula="g * (t + input * sigmoid(input) * (1 - t^2)) with t = tanh(softplus(input))",
    examples=("F.mish(tensor([-1., 0., 2.]))  #> [-0.3034, 0.0000, 1.9440]",),
    samples=_SHAPES,
)
def mish(input: Any, inplace: bool = False) -> Any:
    return maybe_inplace(mish_primitive, inplace, floating("mish", input))


@op(
    "torch.nn.functional.logsigmoid",
    "logsigmoid(input)",
    category="nn activation",
    doc="log(sigmoid(input)), finite for every finite input.",
    formula="g * sigmoid(-input)",
    examples=("F.logsigmoid(tensor([-1000., 0.]))  #> [-1.0000e+03, -6.9315e-01]",),
    samples=_SHAPES,
)
def logsigmoid(input: Any) -> Any:
    return logsigmoid_primitive(floating("logsigmoid", input))


@op(
    "torch.nn.functional.softsign",
    "softsign(input)",
    category="nn activation",
    doc="input / (1 + |input|).",
    formula="g / (1 + |input|)^2",
    conventions="gradient 1 at 0",
    examples=("F.softsign(tensor([-1., 0., 3.]))  #> [-0.5000, 0.0000, 0.7500]",),
    samples=_SHAPES,
)
def softsign(input: Any) -> Any:
    input = operand(input)
    return input / (abs(input) + 1)


@op(
    "torch.nn.functional.tanhshrink",
    "tanhshrink(input)",
    category="nn activation",
    doc="input - tanh(input).",
    formula="g * tanh(input)^2",
    examples=("F.tanhshrink(tensor([-1., 0., 2.]))  #> [-0.2384, 0.0000, 1.0360]",),
    samples=_SHAPES,
)
def tanhshrink(input: Any) -> Any:
    input = operand(input)
    return input - tanh(input)


@op(
    "torch.nn.functional.glu",
    "glu(input, dim=-1)",
    category="nn activation",
    doc="The first half of input along dim times the sigmoid of the second half.",
    formula="g * sigmoid(b) to the first half a, g * a * s * (1 - s) with s = sigmoid(b) to the second",
    examples=("F.glu(tensor([1., 2., 0., 0.]))  #> [0.5000, 1.0000]",),
    samples=(sample(T(2, 4)), sample(T(4)), sample(T(4, 3), dim=0), sample(T(2, 0))),
)
def glu(input: Any, dim: int = -1) -> Any:
    from gradcli.ops.common import axis_of

    input = floating("glu", input)
    if not input.ndim:
        raise error(RuntimeError, "zero-dim", "glu halves a dimension, and a 0-d tensor has none")
    axis = axis_of(dim, input.ndim)
    if input.shape[axis] % 2:
        raise error(RuntimeError, "odd-size", f"glu halves dim {dim}, which has the odd size {input.shape[axis]}")
    return glu_primitive(input, axis=axis)

"""Activations made of straight pieces: the hard ones, the shrinking ones, thresholds and learned slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.activation import two_slopes
from gradcli.ops.bits import chosen, zeroed
from gradcli.ops.common import raw
from gradcli.ops.masked import zero
from gradcli.ops.masks import choose, keep, negated, still
from gradcli.ops.nn_common import floating, generator, maybe_inplace, operand
from gradcli.ops.row import Lit, T, op, sample

_SHAPES = (sample(T(2, 3)), sample(T()), sample(T(0, 3)))
_NO_SECOND = "the derivative of {} is not implemented, as in PyTorch"


def _gated(name: str, gate: Callable[[Any, float, float], Any]) -> Primitive:
    """Return the derivative of straight pieces, an operation of its own: g where ``gate`` lets it through, else 0.

    It depends on where the input lies, though its own derivative there is zero: PyTorch's second derivative is 0, not
    the absence of a graph.
    """
    primitive = Primitive(
        name,
        lambda g, x, *, low, high: keep(g, gate(x, low, high)),
        {"g": lambda g, x, low, high: primitive(g, x, low=low, high=high), "x": lambda g: zero(g)},
        batch="elementwise",
    )
    return primitive


inside = _gated("hardtanh_backward", lambda x, low, high: negated((x <= low) | (x >= high)))
outside = _gated("softshrink_backward", lambda x, low, high: negated((x >= low) & (x <= high)))
above = _gated("threshold_backward", lambda x, low, high: negated(x <= low))


def _hardtanh(input: Any, *, min_val: float, max_val: float) -> Any:
    return np.minimum(np.maximum(input, min_val), max_val)


def _hardtanh_rule(g: Any, input: Any, min_val: float, max_val: float) -> Any:
    return inside(g, input, low=min_val, high=max_val)


def _hardsigmoid(input: Any) -> Any:
    return np.minimum(np.maximum(input + 3, 0), 6) / 6


def _hardsigmoid_backward(g: Any, input: Any) -> Any:
    return zeroed(g / 6, (input > -3) & (input < 3))


def _hardswish(input: Any) -> Any:
    return input * np.minimum(np.maximum(input + 3, 0), 6) / 6


def _hardswish_rule(g: Any, input: Any) -> Any:
    return keep(choose(input < 3, g * (input / 3 + 0.5), g), negated(input <= -3))


def _hardshrink(input: Any, *, lambd: float) -> Any:
    return _outside(input, input, lambd)


def _softshrink(input: Any, *, lambd: float) -> Any:
    return _outside(input - np.sign(input) * input.dtype.type(lambd), input, lambd)


def _outside(values: Any, x: Any, lambd: float) -> Any:
    return zeroed(values, ~((x >= -lambd) & (x <= lambd)))


def _shrink_rule(g: Any, input: Any, lambd: float) -> Any:
    return outside(g, input, low=-lambd, high=lambd)


def _threshold(input: Any, *, threshold: float, value: float) -> Any:
    return np.where(input <= threshold, input.dtype.type(value), input)


def _prelu(input: Any, weight: Any) -> Any:
    return chosen(input > 0, input, weight * input)


def _prelu_input(g: Any, input: Any, weight: Any) -> Any:
    """Return g * slope; at 0 the slope is weight, but as PyTorch has it, it does not depend on it there."""
    return choose(negated(input >= 0), g * weight, choose(input > 0, g, g * still(weight)))


def _prelu_weight(g: Any, input: Any) -> Any:
    return keep(g * input, negated(input >= 0))


def _prelu_tangent(input: Any, weight: Any, along: Any, weight_along: Any) -> Any:
    """Return the tangent; at 0 forward mode takes the slope 1, as PyTorch's does."""
    low: Any = 0 if along is None else along * weight
    if weight_along is not None:
        low = low + weight_along * input
    return choose(input >= 0, low * 0 if along is None else along, low)


def _rrelu(input: Any, *, noise: Any) -> Any:
    return np.where(input <= 0, input * noise, input)


hardtanh_primitive = Primitive("hardtanh", _hardtanh, {"input": _hardtanh_rule}, batch="elementwise")
hardsigmoid_backward = Primitive(
    "hardsigmoid_backward", _hardsigmoid_backward, _NO_SECOND.format("hardsigmoid's gradient"), batch="elementwise"
)
hardsigmoid_primitive = Primitive(
    "hardsigmoid",
    _hardsigmoid,
    {"input": lambda g, input: hardsigmoid_backward(g, input)},
    jvp=lambda values, params, out, tangents: keep(tangents[0] / 6, abs(values[0]) < 3),
    batch="elementwise",
)
hardswish_primitive = Primitive("hardswish", _hardswish, {"input": _hardswish_rule}, batch="elementwise")
hardshrink_primitive = Primitive("hardshrink", _hardshrink, {"input": _shrink_rule}, batch="elementwise")
softshrink_primitive = Primitive("softshrink", _softshrink, {"input": _shrink_rule}, batch="elementwise")
threshold_primitive = Primitive(
    "threshold",
    _threshold,
    {"input": lambda g, input, threshold: above(g, input, low=threshold, high=threshold)},
    batch="elementwise",
)
prelu_primitive = Primitive(
    "prelu_kernel",
    _prelu,
    {"input": _prelu_input, "weight": _prelu_weight},
    node="PreluKernelBackward0",
    jvp=lambda values, params, out, tangents: _prelu_tangent(*values, *tangents),
    batch="elementwise",
)
rrelu_primitive = Primitive(
    "rrelu_with_noise",
    _rrelu,
    {"input": lambda g, input, noise: two_slopes(g, input, slope=noise)},
    node="RreluWithNoiseBackward0",
    batch=(),
)


@op(
    "torch.nn.functional.hardtanh",
    "hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)",
    category="nn activation",
    doc="input cut to min_val..max_val.",
    formula="g where min_val < input < max_val, else 0",
    conventions="gradient 0 at both bounds (clamp has 1) and 1 at nan",
    examples=("F.hardtanh(tensor([-2., 0.5, 2.]))  #> [-1.0000, 0.5000, 1.0000]",),
    samples=(*_SHAPES, sample(T(3), -0.5, 0.5), sample(Lit([-1.0, 1.0]), smooth=False)),
)
def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    if min_val > max_val:
        raise error(ValueError, "bad-bounds", f"hardtanh: min_val {min_val} is above max_val {max_val}")
    return maybe_inplace(lambda x: hardtanh_primitive(x, min_val=min_val, max_val=max_val), inplace, operand(input))


@op(
    "torch.nn.functional.relu6",
    "relu6(input, inplace=False)",
    category="nn activation",
    doc="input cut to 0..6.",
    formula="g where 0 < input < 6, else 0",
    conventions="gradient 0 at 0 and at 6",
    examples=("F.relu6(tensor([-1., 3., 7.]))  #> [0., 3., 6.]",),
    samples=(*_SHAPES, sample(Lit([0.0, 6.0, 7.0]), smooth=False)),
)
def relu6(input: Any, inplace: bool = False) -> Any:
    return maybe_inplace(lambda x: hardtanh_primitive(x, min_val=0, max_val=6), inplace, operand(input))


@op(
    "torch.nn.functional.hardsigmoid",
    "hardsigmoid(input, inplace=False)",
    category="nn activation",
    doc="The straight-line sigmoid: (input + 3) / 6 cut to 0..1.",
    formula="g / 6 where -3 < input < 3, else 0",
    conventions="gradient 0 at -3 and 3; the slope is exactly 1/6, where PyTorch holds a float32 one (relative error "
    "3e-8); no second derivative",
    examples=("F.hardsigmoid(tensor([-4., 0., 4.]))  #> [0.0000, 0.5000, 1.0000]",),
    samples=(sample(T(2, 3), smooth=False), sample(Lit([-3.0, 3.0]), smooth=False)),
)
def hardsigmoid(input: Any, inplace: bool = False) -> Any:
    return maybe_inplace(hardsigmoid_primitive, inplace, floating("hardsigmoid", input))


@op(
    "torch.nn.functional.hardswish",
    "hardswish(input, inplace=False)",
    category="nn activation",
    doc="input * hardsigmoid(input).",
    formula="0 where input <= -3, g * (input / 3 + 1 / 2) below 3, g from 3 on",
    conventions="gradient 0 at -3, 1 at 3",
    examples=("F.hardswish(tensor([-4., 1., 4.]))  #> [-0.0000, 0.6667, 4.0000]",),
    samples=(*_SHAPES, sample(Lit([-3.0, 3.0, 5.0]), smooth=False)),
)
def hardswish(input: Any, inplace: bool = False) -> Any:
    return maybe_inplace(hardswish_primitive, inplace, floating("hardswish", input))


@op(
    "torch.nn.functional.hardshrink",
    "hardshrink(input, lambd=0.5)",
    names="torch.hardshrink Tensor.hardshrink",
    category="nn activation",
    doc="input outside -lambd..lambd, 0 inside.",
    formula="g where |input| > lambd, else 0",
    conventions="gradient 0 at +-lambd",
    examples=("F.hardshrink(tensor([-1., 0.2, 0.5]))  #> [-1., 0., 0.]",),
    samples=(*_SHAPES, sample(Lit([0.5, -0.5, 1.0]), smooth=False)),
)
def hardshrink(input: Any, lambd: float = 0.5) -> Any:
    return hardshrink_primitive(floating("hardshrink", input), lambd=lambd)


@op(
    "torch.nn.functional.softshrink",
    "softshrink(input, lambd=0.5)",
    category="nn activation",
    doc="input moved towards 0 by lambd, and 0 inside -lambd..lambd.",
    formula="g where |input| > lambd, else 0",
    conventions="gradient 0 at +-lambd",
    examples=("F.softshrink(tensor([-1., 0.2, 2.]))  #> [-0.5000, 0.0000, 1.5000]",),
    samples=(*_SHAPES, sample(Lit([0.5, -0.5, 1.0]), smooth=False)),
)
def softshrink(input: Any, lambd: float = 0.5) -> Any:
    if lambd < 0:
        raise error(RuntimeError, "bad-lambda", f"softshrink: lambd must be 0 or more, got {lambd}")
    return softshrink_primitive(floating("softshrink", input), lambd=lambd)


@op(
    "torch.nn.functional.threshold",
    "threshold(input, threshold, value, inplace=False)",
    names="torch.threshold",
    category="nn activation",
    doc="input where it is above threshold, else value.",
    formula="g where input > threshold, else 0",
    conventions="gradient 0 at equality, 1 at nan",
    examples=("F.threshold(tensor([-1., 0.5, 2.]), 0.5, 9.0)  #> [9., 9., 2.]",),
    samples=(sample(T(2, 3), 0.1, -1.0, smooth=False), sample(Lit([0.5, 1.0]), 0.5, 2.0, smooth=False)),
)
def threshold(input: Any, threshold: float, value: float, inplace: bool = False) -> Any:
    return maybe_inplace(lambda x: threshold_primitive(x, threshold=threshold, value=value), inplace, operand(input))


@op(
    "torch.nn.functional.prelu",
    "prelu(input, weight)",
    names="torch.prelu Tensor.prelu",
    category="nn activation",
    doc="input where it is positive, else weight * input; weight has one entry or one a channel (dim 1).",
    formula="g or g * weight to input; the sum of g * input over what is not positive to weight",
    conventions="slope weight at 0",
    examples=("prelu(tensor([-1., 2.]), tensor([0.25]))  #> [-0.2500, 2.0000]",),
    samples=(sample(T(2, 3), T(1)), sample(T(2, 3), T(3)), sample(T(2, 3, 2), T(3)), sample(T(), T())),
)
def prelu(input: Any, weight: Any) -> Any:
    input, weight = floating("prelu", input, weight)
    count = weight.shape[0] if weight.ndim else 1
    if weight.ndim > 1:
        raise error(
            RuntimeError, "shape-mismatch", f"prelu needs a 0-d or 1-d weight, got the shape {tuple(weight.shape)}"
        )
    channels = 1 if input.ndim < 2 else input.shape[1]
    if count != 1 and (input.ndim == 0 or count != channels):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"prelu needs a weight of 1 entry or of one a channel ({channels} in dim 1), got {count}",
        )
    shape = [1] * input.ndim
    if input.ndim > 1:
        shape[1] = count
    if tuple(weight.shape) != tuple(shape):
        weight = weight.reshape(tuple(shape))
    return prelu_primitive(input, weight)


@op(
    "torch.nn.functional.rrelu",
    "rrelu(input, lower=1/8, upper=1/3, training=False, inplace=False)",
    names="torch.rrelu",
    category="nn activation",
    doc="Leaky relu with a random slope of lower..upper for each element; their mean when not training.",
    formula="g where input > 0, else slope * g",
    conventions="the slope counts at 0",
    examples=("rrelu(tensor([-1., 2.]), 0.25, 0.75)  #> [-0.5000, 2.0000]",),
    samples=_SHAPES,
)
def rrelu(input: Any, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False) -> Any:
    input = floating("rrelu", input)
    if lower > upper:
        raise error(RuntimeError, "bad-bounds", f"rrelu: lower {lower} is above upper {upper}")
    noise: Any = (lower + upper) / 2
    if training:
        noise = _slopes(raw(input), lower, upper)
    return maybe_inplace(lambda x: rrelu_primitive(x, noise=noise), inplace, input)


def _slopes(x: Any, lower: float, upper: float) -> Any:
    """Return random slopes where ``x`` is not positive; like PyTorch, numbers are drawn for these elements alone."""
    slopes = np.ones(x.shape, x.dtype)
    low = x <= 0
    slopes[low] = generator().uniform(int(np.count_nonzero(low)), x.dtype, lower, upper)
    return slopes

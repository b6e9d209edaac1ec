"""Losses that compare elementwise: squares, absolute values, their blends, and divergences of probabilities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, element, everything, fixed
from gradcli.ops.elementwise import log, sigmoid
from gradcli.ops.masks import keep
from gradcli.ops.nn_common import (
    constant,
    dtype_of,
    floating,
    matched,
    operand,
    reduce_loss,
    reduced,
    reduction_of,
    share,
)
from gradcli.ops.row import Lit, T, op, sample

_PAIRS = (
    sample(T(2, 3), T(2, 3)),
    sample(T(4), T(4), reduction="sum"),
    sample(T(2, 2), T(2, 2), reduction="none"),
    sample(T(), T()),
)
_FLOOR = -100.0
_LEAST = float(np.float32(1e-12))  # PyTorch holds it in single precision


def _mse(input: Any, target: Any, *, reduction: str) -> Any:
    difference = input - target
    if reduction == "none":
        return difference * difference
    if difference.dtype.kind == "c":
        return reduced(difference * difference, reduction)
    flat = difference.reshape(-1)
    total = np.dot(flat, flat)
    return total if reduction == "sum" else np.true_divide(total, flat.size)


def _mse_rule(g: Any, needs: tuple[bool, bool], input: Any, target: Any, reduction: str) -> Any:
    slope = H(input - target) * (g * (2 * share(reduction, math.prod(input.shape))))
    return slope if needs[0] else None, -slope if needs[1] else None


def _pieces(difference: Any, joint: float) -> tuple[Any, Any]:
    """Return where the quadratic piece is, and the sign of the linear ones."""
    inside = ~(np.abs(difference) >= joint)
    return inside, np.where(inside, 0, np.sign(difference)).astype(element(difference), copy=False)


def _smooth_l1(input: Any, target: Any, *, reduction: str, beta: float) -> Any:
    z = np.abs(input - target)
    return reduced(np.where(z < beta, z * z * (0.5 / beta), z - 0.5 * beta), reduction)


def _smooth_l1_rule(g: Any, needs: tuple[bool, bool], input: Any, target: Any, reduction: str, beta: float) -> Any:
    return _blend(g, needs, input, target, beta, 1.0 / beta, share(reduction, math.prod(input.shape)))


def _huber(input: Any, target: Any, *, reduction: str, delta: float) -> Any:
    z = np.abs(input - target)
    return reduced(np.where(z <= delta, z * z * 0.5, (z - 0.5 * delta) * delta), reduction)


def _huber_rule(g: Any, needs: tuple[bool, bool], input: Any, target: Any, reduction: str, delta: float) -> Any:
    return _blend(g, needs, input, target, delta, 1.0, share(reduction, math.prod(input.shape)))


def _blend(g: Any, needs: tuple[bool, bool], input: Any, target: Any, joint: float, curve: float, factor: float) -> Any:
    """Return the cotangents of a loss with slope curve * d inside the joint and +-curve * joint outside."""
    difference = input - target
    inside, sign = _pieces(fixed(difference), joint)
    slope = (keep(difference * curve, inside) + sign * (curve * joint)) * (g * factor)
    return slope if needs[0] else None, -slope if needs[1] else None


def _bce(input: Any, target: Any, *, weight: Any, reduction: str) -> Any:
    values = (target - 1) * np.maximum(np.log1p(-input), _FLOOR) - target * np.maximum(np.log(input), _FLOOR)
    return reduced(values if weight is None else values * weight, reduction)


def _bce_slope(x: Any, y: Any) -> Any:
    return (x - y) / np.maximum((1 - x) * x, x.dtype.type(_LEAST))


def _bce_curvature(g: Any, x: Any, y: Any) -> Any:
    return g * (x * x - x * y * 2 + y) / ((x + 1e-12) ** 2 * (1 - x + 1e-12) ** 2)


def _bce_rule(g: Any, needs: tuple[bool, bool], input: Any, target: Any, weight: Any, reduction: str) -> Any:
    g = _weighted(g, weight, share(reduction, math.prod(input.shape)))
    to_input = to_target = None
    if needs[0]:
        to_input = g * bce_slope(input, target)
    if needs[1]:
        to_target = g * (log(1 - input) - log(input))
    return to_input, to_target


def _bce_logits(input: Any, target: Any, *, weight: Any, pos_weight: Any, reduction: str) -> Any:
    tail = np.log1p(np.exp(-np.abs(input))) + np.maximum(-input, 0)
    if pos_weight is not None:
        tail = tail * ((pos_weight - 1) * target + 1)
    values = (1 - target) * input + tail
    return reduced(values if weight is None else values * weight, reduction)


def _bce_logits_rule(
    g: Any, needs: tuple[bool, bool], input: Any, target: Any, weight: Any, pos_weight: Any, reduction: str
) -> Any:
    g = _weighted(g, weight, share(reduction, math.prod(input.shape)))
    to_input = to_target = None
    if needs[0]:
        if pos_weight is None:
            to_input = g * (sigmoid(input) - target)
        else:
            positive = target * pos_weight
            to_input = g * ((positive + 1 - target) * sigmoid(input) - positive)
    if needs[1]:
        to_target = g * -input if pos_weight is None else g * (_log_sigmoid(-input) - _log_sigmoid(input) * pos_weight)
    return to_input, to_target


def _log_sigmoid(x: Any) -> Any:
    from gradcli.ops.activation import logsigmoid_primitive

    return logsigmoid_primitive(x)


def _weighted(g: Any, weight: Any, factor: float) -> Any:
    g = g * factor if factor != 1 else g
    return g if weight is None else g * weight


bce_slope = Primitive(
    "binary_cross_entropy_backward",
    _bce_slope,
    {"x": _bce_curvature, "y": lambda g, x: -g / ((x + 1e-12) * (1 - x + 1e-12))},
    batch="elementwise",
)
mse_primitive = Primitive("mse_loss", _mse, _mse_rule, batch="losses.reduced_loss")
smooth_l1_primitive = Primitive("smooth_l1_loss", _smooth_l1, _smooth_l1_rule, node="SmoothL1LossBackward0",
    batch="losses.reduced_loss")
huber_primitive = Primitive("huber_loss", _huber, _huber_rule, batch="losses.reduced_loss")
bce_primitive = Primitive("binary_cross_entropy", _bce, _bce_rule, batch="losses.reduced_loss")
bce_logits_primitive = Primitive("binary_cross_entropy_with_logits", _bce_logits, _bce_logits_rule,
    batch="losses.reduced_loss")


def _pair(name: str, input: Any, target: Any) -> Any:
    """Return input and target of one shape and one floating type."""
    input, target = matched(name, operand(input), operand(target))
    if dtype_of(input) != dtype_of(target):
        from gradcli.autograd.dtypes import from_numpy_dtype, result_type

        dtype = result_type([np.empty((1,) * x.ndim, element(x)) for x in (input, target)])
        input, target = (x if from_numpy_dtype(dtype_of(x)) is dtype else x.to(dtype) for x in (input, target))
    return floating(name, input, target)


def _weighed_loss(values: Any, weight: Any, reduction: str, name: str) -> Any:
    """Return a loss with a weight for each element: its mean divides by the sum of the weights."""
    weight = operand(weight)
    if weight.shape != values.shape:
        raise error(
            ValueError,
            "shape-mismatch",
            f"{name}: weight has shape {tuple(weight.shape)}, the loss {tuple(values.shape)}",
        )
    values = values * weight
    if reduction_of(reduction) == "mean":
        return values.sum() / weight.sum()
    return reduce_loss(values, reduction)


@op(
    "torch.nn.functional.mse_loss",
    "mse_loss(input, target, reduction='mean', weight=None)",
    category="nn loss",
    doc="The square of input - target, averaged, summed (reduction='sum') or elementwise ('none').",
    formula="g * 2 * (input - target) / n to input, its negative to target",
    conventions="warns where the shapes differ, then broadcasts",
    examples=("F.mse_loss(tensor([1., 2.]), tensor([1., 4.]))  #> 2.",),
    samples=_PAIRS,
)
def mse_loss(input: Any, target: Any, reduction: str = "mean", weight: Any = None) -> Any:
    input, target = _pair("mse_loss", input, target)
    reduction_of(reduction)
    if weight is None:
        return mse_primitive(input, target, reduction=reduction)
    return _weighed_loss((input - target) ** 2, weight, reduction, "mse_loss")


@op(
    "torch.nn.functional.l1_loss",
    "l1_loss(input, target, reduction='mean', weight=None)",
    category="nn loss",
    doc="The absolute value of input - target, averaged, summed or elementwise.",
    formula="g * sign(input - target) / n to input, its negative to target",
    conventions="gradient 0 where input == target",
    examples=("F.l1_loss(tensor([1., 2.]), tensor([1., 4.]))  #> 1.",),
    samples=(*_PAIRS, sample(Lit([1.0, 2.0]), Lit([1.0, 3.0]), smooth=False)),
)
def l1_loss(input: Any, target: Any, reduction: str = "mean", weight: Any = None) -> Any:
    input, target = matched("l1_loss", operand(input), operand(target))
    values = abs(input - target)
    return reduce_loss(values, reduction) if weight is None else _weighed_loss(values, weight, reduction, "l1_loss")


@op(
    "torch.nn.functional.smooth_l1_loss",
    "smooth_l1_loss(input, target, reduction='mean', beta=1.0)",
    category="nn loss",
    doc="With d = |input - target|: d^2 / (2 beta) below beta, d - beta / 2 from there on.",
    formula="g * clamp(d / beta, -1, 1) / n to input, its negative to target",
    conventions="beta=0 is l1_loss; at the joint both slopes are equal",
    examples=("F.smooth_l1_loss(tensor([1., 2.]), tensor([1., 4.]))  #> 0.7500",),
    samples=(*_PAIRS, sample(T(4), T(4), "sum", 0.5)),
)
def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    if beta < 0:
        raise error(RuntimeError, "bad-beta", f"smooth_l1_loss: beta must be 0 or more, got {beta}")
    if beta == 0:
        return l1_loss(input, target, reduction)
    input, target = _pair("smooth_l1_loss", input, target)
    return smooth_l1_primitive(input, target, reduction=reduction_of(reduction), beta=beta)


@op(
    "torch.nn.functional.huber_loss",
    "huber_loss(input, target, reduction='mean', delta=1.0, weight=None)",
    category="nn loss",
    doc="With d = |input - target|: d^2 / 2 up to delta, delta * (d - delta / 2) beyond.",
    formula="g * clamp(d, -delta, delta) / n to input, its negative to target",
    conventions="slope delta at the joint",
    examples=("F.huber_loss(tensor([1., 2.]), tensor([1., 4.]))  #> 0.7500",),
    samples=(*_PAIRS, sample(T(4), T(4), delta=0.5)),
)
def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0, weight: Any = None) -> Any:
    if delta <= 0:
        raise error(RuntimeError, "bad-delta", f"huber_loss: delta must be positive, got {delta}")
    input, target = _pair("huber_loss", input, target)
    if weight is None:
        return huber_primitive(input, target, reduction=reduction_of(reduction), delta=delta)
    values = huber_primitive(input, target, reduction="none", delta=delta)
    return reduce_loss(values * operand(weight), reduction)


@op(
    "torch.nn.functional.binary_cross_entropy",
    "binary_cross_entropy(input, target, weight=None, reduction='mean')",
    category="nn loss",
    doc="-(target * log(input) + (1 - target) * log(1 - input)) of probabilities, averaged, summed or elementwise.",
    formula="g * (input - target) / (input * (1 - input)) to input, g * (log(1 - input) - log(input)) to target",
    conventions="logarithms are cut at -100; the gradient divides by at least 1e-12",
    domain=(0.1, 0.9),
    examples=("F.binary_cross_entropy(tensor([0.5, 0.25]), tensor([1., 0.]))  #> 0.4904",),
    samples=_PAIRS,
)
def binary_cross_entropy(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Any:
    input, target = floating("binary_cross_entropy", input, target)
    if tuple(input.shape) != tuple(target.shape):
        raise error(
            ValueError,
            "shape-mismatch",
            f"binary_cross_entropy needs a target of the input's shape {tuple(input.shape)}, got {tuple(target.shape)}",
        )
    x = everything(input)
    if x.size and not np.all((x >= 0) & (x <= 1)):
        bad = x[~((x >= 0) & (x <= 1))].flat[0]
        raise error(
            RuntimeError,
            "not-a-probability",
            f"binary_cross_entropy needs inputs between 0 and 1, one is {bad}",
            hint="binary_cross_entropy_with_logits takes any numbers",
        )
    weight = constant("binary_cross_entropy", "weight", weight, input)
    return bce_primitive(input, target, weight=weight, reduction=reduction_of(reduction))


@op(
    "torch.nn.functional.binary_cross_entropy_with_logits",
    "binary_cross_entropy_with_logits(input, target, weight=None, reduction='mean', pos_weight=None)",
    category="nn loss",
    doc="binary_cross_entropy of sigmoid(input), exact for inputs of any size; pos_weight multiplies the term of "
    "target 1.",
    formula="g * (sigmoid(input) - target) to input, -g * input to target, where there is no pos_weight",
    examples=("F.binary_cross_entropy_with_logits(tensor([0., 1000.]), tensor([1., 0.]))  #> 500.3466",),
    samples=(
        *_PAIRS,
        sample(T(2, 3), T(2, 3), pos_weight=Lit([1, 2, 3])),
        sample(T(2, 3), T(2, 3), weight=Lit([1, 2, 3])),
    ),
)
def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, reduction: str = "mean", pos_weight: Any = None
) -> Any:
    name = "binary_cross_entropy_with_logits"
    input = floating(name, input)
    target = operand(target)
    if tuple(input.shape) != tuple(target.shape):
        raise error(
            ValueError,
            "shape-mismatch",
            f"{name} needs a target of the input's shape {tuple(input.shape)}, got {tuple(target.shape)}",
        )
    weight, pos_weight = constant(name, "weight", weight, input), constant(name, "pos_weight", pos_weight, input)
    input, target = _pair(name, input, target)
    return bce_logits_primitive(input, target, weight=weight, pos_weight=pos_weight, reduction=reduction_of(reduction))

"""Functions of two or three tensors, element by element: the larger and smaller, angles, logarithms, blends."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.arithmetic import PAIRS
from gradcli.ops.common import H, element
from gradcli.ops.elementwise import LN2, exp, exp2
from gradcli.ops.kinds import only, unfit
from gradcli.ops.masked import keep, negated, zero
from gradcli.ops.power import of_number, reciprocal
from gradcli.ops.row import Lit, Sample, T, op, sample
from gradcli.ops.tangents import diagonal

Rules = dict[str, Callable[..., Any]] | str
_APART = (sample(Lit([1.0, -2.0, 0.5]), Lit([0.3, 1.4, -0.6])), sample(Lit([[1.0], [-2.0]]), Lit([0.3, 1.4])))
_STEPS = (sample(Lit([1.0, 0.0, -2.0]), Lit([0.5, 0.5, 0.5]), smooth=False),)
_TIES = (sample(Lit([1.0, 2.0]), Lit([1.0, 0.0]), smooth=False),)


def _binary(
    name: str,
    forward: Callable[..., Any],
    rules: Rules,
    *,
    doc: str,
    formula: str,
    examples: tuple[str, ...],
    samples: tuple[Sample, ...] = PAIRS,
    also: str = "",
    conventions: str = "",
    inplace: bool = False,
    node: str | None = None,
    to_float: bool = False,
    domain: tuple[float, float] = (-2.0, 2.0),
) -> Callable[[Any, Any], Any]:
    """Return the public function ``name`` of two tensors and register its row."""
    checked = only("biuf", name, forward) if isinstance(forward, np.ufunc) else forward
    primitive = Primitive(name, checked, rules, node=node, promotes=True, to_float=to_float)
    if name == "xlogy":  # the sum of both parts, inf - inf = nan included, as in PyTorch
        diagonal(primitive)
    function = fast.binary(primitive, quick=forward if isinstance(forward, np.ufunc) else None)
    function.__name__ = function.__qualname__ = name
    register = op(
        f"torch.{name}", f"{name}(input, other)", names=f"Tensor.{name} {also}", inplace=inplace, category="binary",
        doc=doc, formula=formula, conventions=conventions, examples=examples, samples=samples, domain=domain,
    )  # fmt: skip
    return register(function)


# -- larger and smaller -----------------------------------------------------------------------------------------------
def _share(g: Any, loses: Any, tie: Any) -> Any:
    """Return ``g`` where the value does not lose, half of it on a tie; with a nan neither side loses."""
    kept = keep(g, negated(loses))
    if not isinstance(tie, Tensor) and not np.any(tie):
        return kept
    return keep(kept, negated(tie)) + keep(0.5 * g, tie)


def _halves(loses: Callable[[Any, Any], Any]) -> Rules:
    return {
        "input": lambda g, input, other: _share(g, loses(input, other), input == other),
        "other": lambda g, input, other: _share(g, loses(other, input), input == other),
    }


def _all_or_nothing(wins: Callable[[Any, Any], Any]) -> Rules:
    """Return the rules of fmax and fmin: ``input`` gets all on a tie, and where ``other`` is nan."""

    def chosen(input: Any, other: Any) -> Any:
        return wins(input, other) | (other != other)

    return {
        "input": lambda g, input, other: keep(g, chosen(input, other)),
        "other": lambda g, input, other: keep(g, negated(chosen(input, other))),
    }


maximum = _binary(
    "maximum", np.maximum, _halves(operator.lt), samples=(*_APART, *_TIES),
    doc="The larger of the two, element by element; nan where either is.",
    formula="g to the larger, half to each on a tie",
    conventions="With a nan both sides get the whole gradient.",
    examples=("maximum(tensor([1., 4.]), tensor([3., 2.]))  #> [3., 4.]",),
)  # fmt: skip
minimum = _binary(
    "minimum", np.minimum, _halves(operator.gt), samples=(*_APART, *_TIES),
    doc="The smaller of the two, element by element; nan where either is.",
    formula="g to the smaller, half to each on a tie", conventions="With a nan both sides get the whole gradient.",
    examples=("minimum(tensor([1., 4.]), tensor([3., 2.]))  #> [1., 2.]",),
)  # fmt: skip
fmax = _binary(
    "fmax", np.fmax, _all_or_nothing(operator.ge), samples=(*_APART, *_TIES),
    doc="The larger of the two, element by element; a nan gives way to a number.",
    formula="g to the larger, all of it to input on a tie",
    examples=("fmax(tensor([1., nan]), tensor([3., 2.]))  #> [3., 2.]",),
)  # fmt: skip
fmin = _binary(
    "fmin", np.fmin, _all_or_nothing(operator.le), samples=(*_APART, *_TIES),
    doc="The smaller of the two, element by element; a nan gives way to a number.",
    formula="g to the smaller, all of it to input on a tie",
    examples=("fmin(tensor([1., nan]), tensor([3., 2.]))  #> [1., 2.]",),
)  # fmt: skip


# -- angles and lengths -----------------------------------------------------------------------------------------------
def _inverse_square(input: Any, other: Any) -> Any:
    """Return 1 / (input^2 + other^2), 0 at the origin."""
    square = input * input + other * other
    return keep(reciprocal(square), square != 0)


atan2 = _binary(
    "atan2", np.arctan2,
    {"input": lambda g, input, other: g * other * _inverse_square(input, other),
     "other": lambda g, input, other: -g * input * _inverse_square(input, other)},
    also="torch.arctan2 Tensor.arctan2", to_float=True, inplace=True, domain=(0.5, 2.0),
    doc="The angle of the point (other, input), in [-pi, pi].",
    formula="g * other / (input^2 + other^2) to input, -g * input / (input^2 + other^2) to other",
    conventions="At (0, 0) the gradient is 0.",
    examples=("atan2(tensor([1., -1.]), tensor([0., 0.]))  #> [1.5708, -1.5708]",),
)  # fmt: skip
hypot = _binary(
    "hypot", np.hypot,
    {"input": lambda g, input, out: g * (input / out), "other": lambda g, other, out: g * (other / out)},
    to_float=True, inplace=True, domain=(0.5, 2.0),
    doc="The length sqrt(input^2 + other^2), without overflow.", formula="g * input / out, g * other / out",
    conventions="At (0, 0) the gradient is nan.", examples=("hypot(tensor([3.]), tensor([4.]))  #> [5.]",),
)  # fmt: skip


# -- logarithms -------------------------------------------------------------------------------------------------------
logaddexp = _binary(
    "logaddexp", np.logaddexp,
    {"input": lambda g, input, other: g / (1 + exp(other - input)),
     "other": lambda g, input, other: g / (1 + exp(input - other))},
    doc="log(e^input + e^other), without overflow.", formula="g * e^input / (e^input + e^other), and so to other",
    conventions="Where both are -inf the gradient is nan.", to_float=True,
    examples=("logaddexp(tensor([0., 1.]), tensor([0., 1.]))  #> [0.6931, 1.6931]",),
)  # fmt: skip
logaddexp2 = _binary(
    "logaddexp2", np.logaddexp2,
    {"input": lambda g, input, other: g / (1 + exp2(other - input)),
     "other": lambda g, input, other: g / (1 + exp2(input - other))},
    doc="log2(2^input + 2^other), without overflow.", formula="g * 2^input / (2^input + 2^other), and so to other",
    conventions="Where both are -inf the gradient is nan.", to_float=True,
    examples=("logaddexp2(tensor([0.]), tensor([0.]))  #> [1.]",),
)  # fmt: skip


def _xlogy(input: Any, other: Any) -> Any:
    if input.dtype.kind == "c":
        raise unfit("xlogy", "biuf", input)
    product = input * np.log(np.asarray(other, input.dtype))
    return np.where((input == 0) & ~np.isnan(other), input.dtype.type(0), product)


def _slope_xlogy(g: Any, input: Any, other: Any) -> Any:
    return keep(xlogy(g, other), negated((input == 0) & (other <= 0)))


xlogy: Callable[[Any, Any], Any] = _binary(
    "xlogy", _xlogy, {"input": _slope_xlogy, "other": lambda g, input, other: g * input / other},
    also="torch.special.xlogy", inplace=True, to_float=True, domain=(0.5, 2.0),
    doc="input * log(other), and 0 where input is 0 (unless other is nan).",
    formula="g * log(other) to input, g * input / other to other",
    conventions="At (0, 0) the gradient to other is nan, to input 0.",
    examples=("xlogy(tensor([0., 2.]), tensor([0., 1.]))  #> [0., 0.]",),
)  # fmt: skip


# -- signs and scales -------------------------------------------------------------------------------------------------
def _slope_copysign(g: Any, input: Any, out: Any) -> Any:
    return g * keep(out / input, input != 0)


copysign = _binary(
    "copysign", np.copysign, {"input": _slope_copysign, "other": lambda g: zero(g)}, inplace=True, to_float=True,
    samples=(*_APART, sample(T(3, low=0.5), -2.0)),
    doc="The size of input with the sign of other.", formula="g or -g to input, zeros to other",
    conventions="0 to input where it is 0. The sign of -0. is minus.",
    examples=("copysign(tensor([1., -2.]), tensor([-1., 1.]))  #> [-1., 2.]",),
)  # fmt: skip
heaviside = _binary(
    "heaviside", lambda input, other: np.where(input == 0, other, (input > 0).astype(input.dtype)),
    "the derivative of heaviside is not implemented: a step has none", node="torch::autograd::NotImplemented",
    doc="0 below 0, 1 above, and other at 0.", formula="not differentiable: recorded, and an error in backward",
    inplace=True, samples=_STEPS,
    examples=("heaviside(tensor([-1., 0., 2.]), tensor(0.5))  #> [0.0000, 0.5000, 1.0000]",),
)  # fmt: skip
ldexp = _binary(
    "ldexp", lambda input, other: input * np.exp2(np.asarray(other, input.dtype)),
    {"input": lambda g, other: g * H(of_number(other, 2.0)), "other": lambda g, out: g * H(out) * LN2},
    inplace=True, to_float=True, doc="input * 2^other.", formula="g * 2^other to input, g * out * log(2) to other",
    examples=("ldexp(tensor([3.]), tensor([2]))  #> [12.]",),
)  # fmt: skip
nextafter = _binary(
    "nextafter", np.nextafter,
    {"input": lambda g, input, other: g * (input != other), "other": lambda g: zero(g)},
    inplace=True, samples=(sample(Lit([1.0, 2.0]), Lit([2.0, 1.0]), smooth=False),),
    doc="The next number of the dtype after input on the way to other.", formula="g to input where it moves, else 0",
    examples=("nextafter(tensor([1.]), tensor([2.])) > 1  #> [True]",),
)  # fmt: skip


# -- blends -----------------------------------------------------------------------------------------------------------
def _lerp(input: Any, end: Any, weight: Any) -> Any:
    if input.dtype.kind not in "fc":
        raise unfit("lerp", "f", input)
    span = end - input
    return np.where(np.abs(weight) < 0.5, input + weight * span, end - span * (1 - weight))


def _lerp_number(input: Any, end: Any, *, weight: Any) -> Any:
    return _lerp(input, end, input.dtype.type(weight))


_lerp_primitive = Primitive(
    "lerp", _lerp,
    {"input": lambda g, weight: g * (1 - H(weight)), "end": lambda g, weight: g * H(weight),
     "weight": lambda g, input, end: g * H(end - input)},
    node="LerpBackward1", promotes=True,
)  # fmt: skip
_lerp_by_number = Primitive(
    "lerp", _lerp_number,
    {"input": lambda g, weight: g * (1 - H(weight)), "end": lambda g, weight: g * H(weight)}, promotes=True,
)  # fmt: skip


@op(
    "torch.lerp", "lerp(input, end, weight)", names="Tensor.lerp", inplace=True, category="binary",
    doc="The point at weight on the way from input to end: input + weight * (end - input).",
    formula="g * (1 - weight) to input, g * weight to end, g * (end - input) to weight",
    examples=("lerp(tensor([1., 2.]), tensor([3., 4.]), 0.5)  #> [2., 3.]",),
    samples=(sample(T(3), T(3), 0.3), sample(T(2, 3), T(3), T(3)), sample(T(), T(2), T(2))),
)  # fmt: skip
def lerp(input: Any, end: Any, weight: Any) -> Any:
    if isinstance(weight, (bool, int, float, complex)):
        return _lerp_by_number(input, end, weight=weight)
    return _lerp_primitive(input, end, weight)


def _times(value: Any, dtype: np.dtype[Any]) -> Any:
    return 1 if value == 1 else dtype.type(value)


_addcmul = Primitive(
    "addcmul", lambda input, tensor1, tensor2, *, value: input + _times(value, input.dtype) * tensor1 * tensor2,
    {"input": lambda g: g, "tensor1": lambda g, tensor2, value: g * H(tensor2 * value),
     "tensor2": lambda g, tensor1, value: g * H(tensor1 * value)},
    promotes=True,
)  # fmt: skip
_addcdiv = Primitive(
    "addcdiv", lambda input, tensor1, tensor2, *, value: input + _times(value, input.dtype) * (tensor1 / tensor2),
    {"input": lambda g: g, "tensor1": lambda g, tensor2, value: g * H(value / tensor2),
     "tensor2": lambda g, tensor1, tensor2, value: -g * H(value * tensor1 / (tensor2 * tensor2))},
    promotes=True,
)  # fmt: skip
_THREE = (sample(T(3), T(3), T(3)), sample(T(2, 3), T(3), T(2, 1), value=0.5), sample(T(), T(), T()))


@op(
    "torch.addcmul", "addcmul(input, tensor1, tensor2, *, value=1)", names="Tensor.addcmul", inplace=True,
    category="binary", doc="input + value * tensor1 * tensor2, broadcast.",
    formula="g to input, g * value * tensor2 to tensor1, g * value * tensor1 to tensor2",
    examples=("addcmul(tensor([1.]), tensor([2.]), tensor([3.]))  #> [7.]",), samples=_THREE,
)  # fmt: skip
def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return _addcmul(input, tensor1, tensor2, value=value)


@op(
    "torch.addcdiv", "addcdiv(input, tensor1, tensor2, *, value=1)", names="Tensor.addcdiv", inplace=True,
    category="binary", doc="input + value * tensor1 / tensor2, broadcast.",
    formula="g to input, g * value / tensor2 to tensor1, -g * value * tensor1 / tensor2^2 to tensor2",
    examples=("addcdiv(tensor([1.]), tensor([6.]), tensor([3.]))  #> [3.]",), samples=_THREE, domain=(0.5, 2.0),
)  # fmt: skip
def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    kinds = {element(t).kind for t in (tensor1, tensor2) if hasattr(t, "dtype")}
    if kinds <= set("biu"):
        raise error(RuntimeError, "dtype-mismatch", "addcdiv does not divide integers",
                    hint="convert one of them: tensor1.double()")  # fmt: skip
    return _addcdiv(input, tensor1, tensor2, value=value)



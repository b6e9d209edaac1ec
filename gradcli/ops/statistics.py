"""Variances and standard deviations."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import element, fixed
from gradcli.ops.reduce import mean
from gradcli.ops.reducing import (
    Axes,
    count_of,
    floating,
    masked,
    operand,
    reduced_axes,
    shape_of,
    spread,
)
from gradcli.ops.row import Lit, T, op, sample


# -- spread about the mean --------------------------------------------------------------------------------------------
def _deviations(input: Any, dim: Axes, count: int) -> tuple[Any, Any]:
    """Return the mean (dimensions kept) and the elements' differences from it."""
    total = np.add.reduce(input, axis=dim, keepdims=True)
    centre = np.true_divide(total, element(input).type(count))
    return centre, input - centre


def _squares(deviations: Any) -> Any:
    if deviations.dtype.kind == "c":
        return deviations.real**2 + deviations.imag**2
    return deviations * deviations


def _var(input: Any, *, dim: Axes, keepdim: bool, correction: float, whole: bool) -> Any:
    count = count_of(input.shape, dim)
    _, deviations = _deviations(input, dim, count)
    total = np.add.reduce(_squares(deviations), axis=dim, keepdims=keepdim)  # type: ignore[call-overload]
    return np.true_divide(total, total.dtype.type(max(count - correction, 0)))


def _std(input: Any, *, dim: Axes, keepdim: bool, correction: float, whole: bool) -> Any:
    return np.sqrt(_var(input, dim=dim, keepdim=keepdim, correction=correction, whole=whole))


def _var_mean(input: Any, *, dim: Axes, keepdim: bool, correction: float, whole: bool) -> Any:
    centre, _ = _deviations(input, dim, count_of(input.shape, dim))
    var = _var(input, dim=dim, keepdim=keepdim, correction=correction, whole=whole)
    return var, centre.reshape(np.shape(var))


def _std_mean(input: Any, *, dim: Axes, keepdim: bool, correction: float, whole: bool) -> Any:
    var, centre = _var_mean(input, dim=dim, keepdim=keepdim, correction=correction, whole=whole)
    return np.sqrt(var), centre


def _var_rule(g: Any, input: Any, dim: Axes, correction: float, whole: bool) -> Any:
    """2 g (x - mean) / (n - correction); over everything and with no freedom left nan at the mean, else infinite."""
    shape = shape_of(input)
    freedom = count_of(shape, dim) - correction
    wide = spread(g, shape, dim)
    if whole and freedom <= 0:
        array = fixed(input)
        at_mean = array == _deviations(array, dim, count_of(shape, dim))[0]
        return wide * np.where(at_mean, np.nan, np.inf).astype(element(input))
    scale = 2.0 / freedom if freedom else float("inf")
    return wide * scale * (input - mean(input, dim, keepdim=True))


def _std_rule(g: Any, input: Any, out: Any, dim: Axes, correction: float, whole: bool) -> Any:
    zero = fixed(out) == 0  # masked on both sides, so that the rule is linear in g there too
    return _var_rule(masked(masked(g, zero) / (out * 2), zero), input, dim, correction, whole)


def _mean_share(g: Any, input: Any, dim: Axes) -> Any:
    shape = shape_of(input)
    count = count_of(shape, dim)
    return spread(g / count if count else g, shape, dim)


def _joined(parts: list[Any]) -> tuple[Any]:
    return (parts[0] if len(parts) == 1 else parts[0] + parts[1],)


def _var_mean_rule(g: Any, input: Any, needs: Any, dim: Axes, correction: float, whole: bool) -> Any:
    parts = [] if g[0] is None else [_var_rule(g[0], input, dim, correction, whole)]
    return _joined(parts if g[1] is None else [*parts, _mean_share(g[1], input, dim)])


def _std_mean_rule(g: Any, input: Any, out: Any, needs: Any, dim: Axes, correction: float, whole: bool) -> Any:
    parts = [] if g[0] is None else [_std_rule(g[0], input, out[0], dim, correction, whole)]
    return _joined(parts if g[1] is None else [*parts, _mean_share(g[1], input, dim)])


var_primitive = Primitive("var", _var, {"input": _var_rule}, batch=("dim",))
std_primitive = Primitive("std", _std, {"input": _std_rule}, batch=("dim",))
var_mean_primitive = Primitive("var_mean", _var_mean, _var_mean_rule, multi=True, batch=("dim",))
std_mean_primitive = Primitive("std_mean", _std_mean, _std_mean_rule, multi=True, batch=("dim",))


def _spread_params(name: str, input: Any, dim: Any, unbiased: Any, keepdim: bool, correction: Any) -> dict[str, Any]:
    """Return the parameters of a variance; ``dim`` may be the older ``unbiased`` flag, given first."""
    floating(name, input)
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None and correction is not None:
        raise error(
            TypeError,
            "argument-twice",
            f"{name} takes unbiased= or correction=, not both",
            hint="unbiased=False means correction=0",
        )
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    whole = dim is None or dim == () or not input.ndim
    return {"dim": reduced_axes(dim, input, keepdim), "keepdim": keepdim, "correction": correction, "whole": whole}


_SPREADS = (
    sample(T(4)),
    sample(T(2, 3)),
    sample(T(3, 2), 0, keepdim=True),
    sample(T(2, 3), dim=1, correction=0),
    sample(T(2, 2, 2), dim=(0, -1)),
    sample(T(5), correction=2),
)
_FREEDOM = "divides by n - correction (Bessel's 1 by default); one element gives nan"


@op(
    "torch.var",
    "var(input, dim=None, *, correction=1, keepdim=False)",
    names="Tensor.var",
    numpy_words=True,
    category="reduction",
    doc="The variance over dim, or of all elements.",
    formula="2 g (x - mean) / (n - correction)",
    conventions=_FREEDOM,
    examples=("var(tensor([1., 2., 6.]))  #> 7.", "var(tensor([1., 2., 6.]), correction=0)  #> 4.6667"),
    samples=(*_SPREADS, sample(T(3), False), sample(T(1), smooth=False)),
)
def var(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    """Return the variance, real for complex input too; RuntimeError for integers. ``unbiased`` is the older keyword."""
    input = operand(input)
    return var_primitive(input, **_spread_params("var", input, dim, unbiased, keepdim, correction))


@op(
    "torch.std",
    "std(input, dim=None, *, correction=1, keepdim=False)",
    names="Tensor.std",
    numpy_words=True,
    category="reduction",
    doc="The standard deviation over dim, or of all elements.",
    formula="g (x - mean) / (std (n - correction))",
    conventions=f"{_FREEDOM}; gradient 0 where nothing varies",
    examples=("std(tensor([1., 2., 3.]))  #> 1.", "std(tensor([[1., 2., 3.]]), dim=1, correction=0)  #> [0.8165]"),
    samples=(*_SPREADS, sample(T(3), False), sample(Lit([2.0, 2.0]), smooth=False)),
)
def std(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    """Return the square root of the variance; RuntimeError for integers. ``unbiased`` is the older keyword."""
    input = operand(input)
    return std_primitive(input, **_spread_params("std", input, dim, unbiased, keepdim, correction))


@op(
    "torch.var_mean",
    "var_mean(input, dim=None, *, correction=1, keepdim=False)",
    numpy_words=True,
    category="reduction",
    doc="The variance and the mean, as a tuple (var, mean).",
    formula="the sum of what var and mean send back",
    conventions=_FREEDOM,
    examples=("var_mean(tensor([1., 2., 6.]))  #> (tensor(7.), tensor(3.))",),
    samples=_SPREADS,
)
def var_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None
) -> Any:
    """Return ``(var, mean)``; RuntimeError for integers. ``unbiased`` is the older keyword."""
    input = operand(input)
    return var_mean_primitive(input, **_spread_params("var_mean", input, dim, unbiased, keepdim, correction))


@op(
    "torch.std_mean",
    "std_mean(input, dim=None, *, correction=1, keepdim=False)",
    numpy_words=True,
    category="reduction",
    doc="The standard deviation and the mean, as a tuple (std, mean).",
    formula="the sum of what std and mean send back",
    conventions=f"{_FREEDOM}; gradient 0 of std where nothing varies",
    examples=("std_mean(tensor([1., 2., 3.]))  #> (tensor(1.), tensor(2.))",),
    samples=_SPREADS,
)
def std_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None
) -> Any:
    """Return ``(std, mean)``; RuntimeError for integers. ``unbiased`` is the older keyword."""
    input = operand(input)
    return std_mean_primitive(input, **_spread_params("std_mean", input, dim, unbiased, keepdim, correction))

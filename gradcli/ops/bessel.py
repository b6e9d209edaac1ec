"""Bessel functions, and sinc, which is the spherical one of order 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.ops import special_math
from gradcli.ops.common import H, element
from gradcli.ops.elementwise import sgn
from gradcli.ops.masked import filled
from gradcli.ops.special import special
from gradcli.ops.unary import unary

Unary = Callable[[Any], Any]
_AWAY = (0.5, 3.0)


# -- sinc -------------------------------------------------------------------------------------------------------------
def _slope(input: Any, *, order: int) -> Any:
    """Return the derivative of ``order`` of sin(pi x) / (pi x): pi^order s^(order)(pi x) for s(t) = sin(t) / t."""
    wide = np.asarray(input, np.complex128 if input.dtype.kind == "c" else np.float64)
    return (math.pi**order * _spherical(math.pi * wide, order)).astype(input.dtype)


def _spherical(t: Any, order: int) -> Any:
    """Return s^(order)(t) from t s^(n) = sin(t + n pi/2) - n s^(n-1), by its series where that would cancel."""
    near = np.abs(t) < max(1.5, order)
    far = np.where(near, 1.0, t)
    value = np.sin(far) / far
    for n in range(1, order + 1):
        value = (np.sin(far + 0.5 * math.pi * n) - n * value) / far
    return np.where(near, _series(np.where(near, t, 0.0), order), value)


def _series(t: Any, order: int) -> Any:
    total = np.zeros_like(t)
    for k in range((order + 1) // 2, (order + 1) // 2 + 20 + order):
        total = total + (-1) ** k * t ** (2 * k - order) / (math.factorial(2 * k - order) * (2 * k + 1))
    return total


_slope_primitive: Primitive = Primitive(
    "sinc", _slope, {"input": lambda g, input, order: g * H(_slope_primitive(input, order=order + 1))},
    batch="elementwise",
)


def _sinc(input: Any) -> Any:
    return special_math.sinc(input) if input.dtype.kind == "f" else _slope(input, order=0)


sinc = unary(
    "sinc", _sinc, lambda g, input: g * H(_slope_primitive(input, order=1)), also="torch.special.sinc",
    doc="sin(pi x) / (pi x), 1 at 0.", formula="g * (cos(pi input) - sinc(input)) / input, 0 at 0",
    example="[0., 0.5] -> [1.0000, 0.6366]",
    conventions="Exact derivatives of every order at 0 as well, where PyTorch's second one is nan.",
)  # fmt: skip


# -- modified, first kind ---------------------------------------------------------------------------------------------
def _away(input: Any) -> Any:
    """Return where ``input`` is not 0 (nor so small that I1(x) / x is its limit, 1/2)."""
    return abs(input) > np.finfo(element(input)).eps


def _slope_i1(g: Any, input: Any, out: Any) -> Any:
    away = _away(input)
    return g * filled(i0(input) - out / filled(input, away, 1.0), away, 0.5)


def _slope_i1e(g: Any, input: Any, out: Any) -> Any:
    away = _away(input)
    return g * filled(i0e(input) - out / filled(input, away, 1.0) - sgn(input) * out, away, 0.5)


i0: Unary = special(
    "torch.special.i0", special_math.i0, lambda g, input: g * i1(input), also="i0", node="I0Backward0",
    doc="The modified Bessel function of the first kind of order 0.", formula="g * i1(input)",
    example="[0., 1.] -> [1.0000, 1.2661]", conventions="Infinite at infinity, where PyTorch gives nan.",
)  # fmt: skip
i0e: Unary = special(
    "torch.special.i0e", special_math.i0e, lambda g, input, out: g * (i1e(input) - sgn(input) * out),
    node="SpecialI0EBackward0", doc="e^-|x| * i0(x).", formula="g * (i1e(input) - sign(input) * out)",
    example="[0., 1.] -> [1.0000, 0.4658]", domain=_AWAY,
)  # fmt: skip
i1: Unary = special(
    "torch.special.i1", special_math.i1, _slope_i1, node="SpecialI1Backward0",
    doc="The modified Bessel function of the first kind of order 1.", formula="g * (i0(input) - out / input)",
    example="[0., 1.] -> [0.0000, 0.5652]", conventions="Infinite at infinity, where PyTorch gives nan.",
)  # fmt: skip
i1e: Unary = special(
    "torch.special.i1e", special_math.i1e, _slope_i1e, node="SpecialI1EBackward0", doc="e^-|x| * i1(x).",
    formula="g * (i0e(input) - out * (sign(input) + 1 / input))", example="[0., 1.] -> [0.0000, 0.2079]", domain=_AWAY,
)  # fmt: skip


# -- without a derivative, as in PyTorch ------------------------------------------------------------------------------
def _constant(name: str, forward: Callable[..., Any], doc: str, example: str) -> Unary:
    return special(
        f"torch.special.{name}", forward, None, doc=doc, example=example, domain=_AWAY,
        formula="not differentiable: the result has no graph, as in PyTorch",
    )  # fmt: skip


bessel_j0 = _constant(
    "bessel_j0", special_math.j0, "The Bessel function of the first kind of order 0.", "[0., 1.] -> [1.0000, 0.7652]"
)
bessel_j1 = _constant(
    "bessel_j1", special_math.j1, "The Bessel function of the first kind of order 1.", "[0., 1.] -> [0.0000, 0.4401]"
)
bessel_y0 = _constant(
    "bessel_y0", special_math.y0, "The Bessel function of the second kind of order 0; nan below 0.",
    "[1., 2.] -> [0.0883, 0.5104]",
)  # fmt: skip
bessel_y1 = _constant(
    "bessel_y1", special_math.y1, "The Bessel function of the second kind of order 1; nan below 0.",
    "[1., 2.] -> [-0.7812, -0.1070]",
)  # fmt: skip
spherical_bessel_j0 = _constant(
    "spherical_bessel_j0", special_math.spherical_j0, "sin(x) / x, 1 at 0.", "[0., 1.] -> [1.0000, 0.8415]"
)
modified_bessel_i0 = _constant(
    "modified_bessel_i0", special_math.i0, "As i0, without a derivative.", "[0., 1.] -> [1.0000, 1.2661]"
)
modified_bessel_i1 = _constant(
    "modified_bessel_i1", special_math.i1, "As i1, without a derivative.", "[0., 1.] -> [0.0000, 0.5652]"
)
modified_bessel_k0 = _constant(
    "modified_bessel_k0", special_math.k0, "The modified Bessel function of the second kind of order 0.",
    "[1., 2.] -> [0.4210, 0.1139]",
)  # fmt: skip
modified_bessel_k1 = _constant(
    "modified_bessel_k1", special_math.k1, "The modified Bessel function of the second kind of order 1.",
    "[1., 2.] -> [0.6019, 0.1399]",
)  # fmt: skip
scaled_modified_bessel_k0 = _constant(
    "scaled_modified_bessel_k0", special_math.k0e, "e^x * modified_bessel_k0(x).", "[1., 2.] -> [1.1445, 0.8416]"
)
scaled_modified_bessel_k1 = _constant(
    "scaled_modified_bessel_k1", special_math.k1e, "e^x * modified_bessel_k1(x).", "[1., 2.] -> [1.6362, 1.0335]"
)

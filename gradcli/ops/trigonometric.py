"""Circular and hyperbolic functions and their inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.ops.common import H, element
from gradcli.ops.power import rsqrt, sqrt
from gradcli.ops.unary import unary

Unary = Callable[[Any], Any]
_INSIDE = (-0.8, 0.8)


def _slope_asin(input: Any) -> Any:
    return H(rsqrt(1 - input * input))


def _slope_acosh(input: Any) -> Any:
    """Return 1 / sqrt(x^2 - 1), on the branch that two roots give where complex."""
    if element(input).kind == "c":
        return H(rsqrt(input - 1) * rsqrt(input + 1))
    return rsqrt(input * input - 1)


sin = unary(
    "sin", np.sin, lambda g, input: g * H(cos(input)),
    doc="The sine of each element.", formula="g * cos(input)", example="[0., 1.] -> [0.0000, 0.8415]",
)  # fmt: skip
cos: Unary = unary(
    "cos", np.cos, lambda g, input: -g * H(sin(input)),
    doc="The cosine of each element.", formula="-g * sin(input)", example="[0., 1.] -> [1.0000, 0.5403]",
)  # fmt: skip
tan = unary(
    "tan", np.tan, lambda g, out: g * (1 + H(out * out)), domain=(-1.0, 1.0),
    doc="The tangent of each element.", formula="g * (1 + tan(input)^2)", example="[0., 1.] -> [0.0000, 1.5574]",
)  # fmt: skip
asin = unary(
    "asin", np.arcsin, lambda g, input: g * _slope_asin(input), also="arcsin", domain=_INSIDE,
    doc="The inverse sine, in [-pi/2, pi/2].", formula="g / sqrt(1 - input^2)", example="[0., 1.] -> [0.0000, 1.5708]",
    conventions="At -1 and 1 the derivative is inf; outside value and derivative are nan.",
)  # fmt: skip
acos = unary(
    "acos", np.arccos, lambda g, input: -g * _slope_asin(input), also="arccos", domain=_INSIDE,
    doc="The inverse cosine, in [0, pi].", formula="-g / sqrt(1 - input^2)", example="[1., 0.] -> [0.0000, 1.5708]",
    conventions="At -1 and 1 the derivative is -inf; outside value and derivative are nan.",
)  # fmt: skip
atan = unary(
    "atan", np.arctan, lambda g, input: g / (H(input * input) + 1), also="arctan",
    doc="The inverse tangent, in (-pi/2, pi/2).", formula="g / (1 + input^2)", example="[0., 1.] -> [0.0000, 0.7854]",
)  # fmt: skip
sinh = unary(
    "sinh", np.sinh, lambda g, input: g * H(cosh(input)),
    doc="The hyperbolic sine.", formula="g * cosh(input)", example="[0., 1.] -> [0.0000, 1.1752]",
)  # fmt: skip
cosh: Unary = unary(
    "cosh", np.cosh, lambda g, input: g * H(sinh(input)),
    doc="The hyperbolic cosine.", formula="g * sinh(input)", example="[0., 1.] -> [1.0000, 1.5431]",
)  # fmt: skip
asinh = unary(
    "asinh", np.arcsinh, lambda g, input: g / H(sqrt(input * input + 1)), also="arcsinh",
    doc="The inverse hyperbolic sine.", formula="g / sqrt(input^2 + 1)", example="[0., 1.] -> [0.0000, 0.8814]",
)  # fmt: skip
acosh = unary(
    "acosh", np.arccosh, lambda g, input: g * _slope_acosh(input), also="arccosh", domain=(1.5, 3.0),
    doc="The inverse hyperbolic cosine, for x >= 1.", formula="g / sqrt(input^2 - 1)",
    example="[1., 2.] -> [0.0000, 1.3170]", conventions="At 1 the derivative is inf, between -1 and 1 nan.",
)  # fmt: skip
atanh = unary(
    "atanh", np.arctanh, lambda g, input: g / (1 - H(input * input)), also="arctanh", domain=_INSIDE,
    doc="The inverse hyperbolic tangent, for -1 < x < 1.", formula="g / (1 - input^2)",
    example="[0., 0.5] -> [0.0000, 0.5493]", conventions="At -1 and 1 the derivative is inf.",
)  # fmt: skip

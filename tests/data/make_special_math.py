"""Write special_math.json: PyTorch's float64 values of the special functions, at many points and the extremes.

Needs PyTorch and mpmath. A finite value of PyTorch that is off by more than 2e-15 is replaced by mpmath's, and so
are the few limits that PyTorch misses (I0 and I1 near their overflow, polygamma at infinity and at its poles).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import torch

mpmath.mp.dps = 60
RNG = np.random.default_rng(11)
EXTREMES: list[float] = [
    0.0, -0.0, 1, -1, 2, -2, 3, 0.5, -0.5, 1.5, -1.5, -2.5, 1e-300, -1e-300, 1e-20, 1e-8, -1e-8, 1e-3, -1e-3, 0.1,
    0.9, 0.99, 1.01, 2.01, 2.4, 2.6, 5, 7.3, 9.99, 10, 10.01, 19.9, 20, 20.1, 25.9, 26.5, 27, 50, 100, 171.7,
    300, 709.5, 712, 713, 715, 1e3, 1e5, 1e10, 1e100, 1e306, math.inf, -math.inf, math.nan, -3, -7.3, -5.001, -10.5,
    -26.1, -26.6, -27, -37, -38, -40, -100.3, -700, -710, -1e5, -1e10,
    *RNG.normal(size=25) * 3, *RNG.uniform(-30, 30, 25),
]  # fmt: skip
UNIT = [0.0, 1.0, -1.0, -0.0, 1.1, -1.1, 0.5, math.nan, 1e-300, 1e-100, 1e-20, 1e-8, 1e-3, 0.0999, 0.1, 0.3, 0.49999,
        0.5000001, 0.7, 0.9, 0.999999, 1 - 1e-10, 1 - 2**-53, -(1 - 2**-53), -0.3, *RNG.uniform(-1, 1, 40)]  # fmt: skip
TRUE: dict[str, Callable[[Any], Any]] = {
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "erfcx": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
    "erfinv": mpmath.erfinv,
    "ndtri": lambda p: -mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * p),
    "log_ndtr": lambda x: mpmath.log1p(-mpmath.erfc(x / mpmath.sqrt(2)) / 2) if x > 0 else mpmath.log(mpmath.ncdf(x)),
    "sinc": lambda x: mpmath.sin(mpmath.pi * x) / (mpmath.pi * x),
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))) if x < 1e4 else mpmath.loggamma(x),
    "digamma": mpmath.digamma,
    "i0": lambda x: mpmath.besseli(0, x),
    "i0e": lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)),
    "i1": lambda x: mpmath.besseli(1, x),
    "i1e": lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)),
}


def corrected(x: float, value: float, true: Callable[[Any], Any]) -> float:
    """Return ``value``, or the true one where both are finite and differ, or where PyTorch overflows too early."""
    if not math.isfinite(x) or math.isnan(value) or (math.isinf(value) and abs(x) < 1):
        return value
    try:
        exact = float(true(mpmath.mpf(x)))
    except (ValueError, ZeroDivisionError, ArithmeticError, TypeError, mpmath.mp.NoConvergence):
        return value
    return exact if math.isfinite(exact) and abs(value - exact) > 2e-15 * abs(exact) else value


def unary_case(name: str) -> dict[str, Any]:
    points = np.array(UNIT if name in ("erfinv", "ndtri") else EXTREMES)
    # sin(pi x) keeps PyTorch's rounding of pi x: far out nothing else is left of it.
    values = getattr(torch.special, {"lgamma": "gammaln"}.get(name, name))(torch.tensor(points)).tolist()
    if name != "sinc":
        values = [corrected(x, y, TRUE[name]) for x, y in zip(points.tolist(), values, strict=True)]
    if name in ("i0", "i1"):
        values = [math.copysign(math.inf, x) ** (1 + (name == "i0")) if math.isinf(x) else y
                  for x, y in zip(points.tolist(), values, strict=True)]  # fmt: skip
    return {"name": name, "x": points.tolist(), "y": values}


def polygamma_case(order: int) -> dict[str, Any]:
    points = [float(x) for x in EXTREMES if x != -math.inf]
    values = torch.polygamma(order, torch.tensor(points, dtype=torch.float64)).tolist()
    for index, x in enumerate(points):
        if x == math.inf:
            values[index] = 0.0
        elif x <= 0 and x == math.floor(x):
            values[index] = math.inf if order % 2 else -math.inf
        else:
            values[index] = corrected(x, values[index], lambda x: mpmath.polygamma(order, x))
    return {"name": "polygamma", "order": order, "x": points, "y": values}


def zeta_case(s: float) -> dict[str, Any]:
    points = [x for x in map(float, EXTREMES) if abs(x) <= 100 or (x < 0 and x.is_integer())]
    values = torch.special.zeta(
        torch.tensor(s, dtype=torch.float64), torch.tensor(points, dtype=torch.float64)
    ).tolist()
    values = [corrected(x, y, lambda q: mpmath.zeta(s, q)) for x, y in zip(points, values, strict=True)]
    return {"name": "zeta", "order": s, "x": points, "y": values}


if __name__ == "__main__":
    cases = [unary_case(name) for name in TRUE]
    cases += [polygamma_case(order) for order in (1, 2, 3, 5, 10)]
    cases += [zeta_case(s) for s in (-1.0, 0.5, 1.0, 1.001, 1.5, 2.0, 3.0, 7.0, 20.0, 50.0)]
    target = Path(__file__).with_name("special_math.json")
    target.write_text("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")
    print(len(cases), "cases,", target.stat().st_size, "bytes")

"""Special functions of real arrays with PyTorch's values at poles, infinities and nan, by NumPy alone.

Every function but ``erf`` computes in float64 and gives back the floating dtype it was given (an integer or bool array
gives float64); nothing warns. Relative errors stay near 1e-15, next to a zero of the function absolute ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.ops import special_bessel, special_bessel_more, special_error, special_gamma, special_incomplete

Array = np.ndarray[Any, Any]


def _unary(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def kept(x: Array) -> Array:
        with np.errstate(all="ignore"):
            return _narrowed(function(np.asarray(x, np.float64)), x)

    kept.__name__, kept.__doc__ = function.__name__, function.__doc__
    return kept


def _narrowed(value: Array, *like: Array) -> Array:
    dtype = np.result_type(*like)
    return np.asarray(value, dtype if dtype.kind == "f" else np.float64)


def erf(x: Array) -> Array:
    """Return the error function; single precision is computed as such."""
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        return _narrowed(special_error.erf(x if x.dtype == np.float32 else np.asarray(x, np.float64)), x)


erfc = _unary(special_error.erfc)
erfcx = _unary(special_error.erfcx)
erfinv = _unary(special_error.erfinv)
ndtri = _unary(special_error.ndtri)
log_ndtr = _unary(special_error.log_ndtr)
sinc = _unary(special_error.sinc)
lgamma = _unary(special_gamma.lgamma)
digamma = _unary(special_gamma.digamma)
i0 = _unary(special_bessel.i0)
i0e = _unary(special_bessel.i0e)
i1 = _unary(special_bessel.i1)
i1e = _unary(special_bessel.i1e)
j0 = _unary(special_bessel_more.j0)
j1 = _unary(special_bessel_more.j1)
y0 = _unary(special_bessel_more.y0)
y1 = _unary(special_bessel_more.y1)
k0 = _unary(special_bessel_more.k0)
k1 = _unary(special_bessel_more.k1)
k0e = _unary(special_bessel_more.k0e)
k1e = _unary(special_bessel_more.k1e)
spherical_j0 = _unary(special_bessel_more.spherical_j0)


def polygamma(order: int, x: Array) -> Array:
    """Return the derivative of ``digamma`` of ``order`` >= 0 at ``x``."""
    with np.errstate(all="ignore"):
        return _narrowed(special_gamma.polygamma(order, np.asarray(x, np.float64)), x)


def zeta(s: Array, q: Array) -> Array:
    """Return the Hurwitz zeta function of broadcast ``s`` and ``q``."""
    with np.errstate(all="ignore"):
        return _narrowed(special_gamma.zeta(np.asarray(s, np.float64), np.asarray(q, np.float64)), s, q)


def gammainc(a: Array, x: Array) -> Array:
    """Return the regularised lower incomplete gamma function of broadcast ``a`` and ``x``."""
    return _incomplete(special_incomplete.gammainc, a, x)


def gammaincc(a: Array, x: Array) -> Array:
    """Return the regularised upper incomplete gamma function of broadcast ``a`` and ``x``."""
    return _incomplete(special_incomplete.gammaincc, a, x)


def _incomplete(function: Callable[[Array, Array], Array], a: Array, x: Array) -> Array:
    with np.errstate(all="ignore"):
        return _narrowed(function(np.asarray(a, np.float64), np.asarray(x, np.float64)), a, x)

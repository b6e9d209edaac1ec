"""Zeroing under a constant mask: what rules use where PyTorch selects a gradient instead of multiplying it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor


def _keep(input: Any, *, mask: Any) -> Any:
    return np.where(mask, input, np.zeros((), input.dtype))


_kept = Primitive("where", _keep, {"input": lambda g, mask: keep(g, mask)})


def keep(value: Any, mask: Any) -> Any:
    """Return ``value`` (array or tensor) where the boolean ``mask`` is true, else zero; broadcasts, keeps the dtype.

    A zero stays zero whatever stands above it: no ``0 * inf``. Linear, and its own transpose.
    """
    return _kept(value, mask=mask._array if isinstance(mask, Tensor) else mask)


def zero(g: Any) -> Any:
    """Return the cotangent of a piecewise constant function: zeros of the shape and dtype of ``g``, without a graph."""
    return Tensor(np.zeros_like(g._array)) if isinstance(g, Tensor) else np.zeros_like(g)

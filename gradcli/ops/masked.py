"""What rules say of piecewise functions: a gradient that is selected, that is zero, or that does not exist.

Masks are arrays or tensors (never differentiated), so that rules run on batches and dual numbers as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.bits import zeroed


def _fill(mask: Any, value: Any, *, other: Any) -> Any:
    return zeroed(value, mask) if other == 0 else np.where(mask, value, value.dtype.type(other))


_filled = Primitive("where", _fill, {"value": lambda g, mask: keep(g, mask)}, batch="elementwise")


def keep(value: Any, mask: Any) -> Any:
    """Return ``value`` (array or tensor) where ``mask`` is true, else zero; broadcasts, keeps the dtype.

    A zero stays zero whatever stands above it: no ``0 * inf``. Linear, and its own transpose.
    """
    return _fill(mask, value, other=0) if value.__class__ is np.ndarray else _filled(mask, value, other=0)


def filled(value: Any, mask: Any, other: float) -> Any:
    """Return ``value`` where ``mask`` is true, else the constant ``other``: a divisor that is not 0, a limit, nan."""
    return _filled(mask, value, other=other)


def negated(mask: Any) -> Any:
    """Return the opposite of a mask: an array, a tensor or a Python bool."""
    return not mask if mask is True or mask is False else ~mask


def zero(g: Any) -> Any:
    """Return the cotangent of a piecewise constant function: zeros of the shape and dtype of ``g``, without a graph."""
    return Tensor(np.zeros(tuple(g.shape), g._element)) if isinstance(g, Tensor) else np.zeros_like(g)


def refused(words: str) -> Callable[[Any], Any]:
    """Return the rule of an input without a derivative: RuntimeError with ``words`` when backward needs it."""

    def rule(g: Any) -> Any:
        raise error(RuntimeError, "no-derivative", words)

    return rule

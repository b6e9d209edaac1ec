"""What rules say of piecewise functions: a gradient that is selected, that is zero, or that does not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.masks import keep

__all__ = ["keep", "refused", "zero"]


def zero(g: Any) -> Any:
    """Return the cotangent of a piecewise constant function: zeros of the shape and dtype of ``g``, without a graph."""
    return Tensor(np.zeros_like(g._array)) if isinstance(g, Tensor) else np.zeros_like(g)


def refused(words: str) -> Callable[[Any], Any]:
    """Return the rule of an input without a derivative: RuntimeError with ``words`` when backward needs it."""

    def rule(g: Any) -> Any:
        raise error(RuntimeError, "no-derivative", words)

    return rule

"""``out=``: the result of an operation is written into a tensor that the caller brings. It is never recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode, no_grad
from gradcli.autograd.node import storage_of
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.trees import leaves


def into(out: Any, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Write the result of ``function`` into ``out`` (a tuple of tensors for several results) and return ``out``.

    RuntimeError where an argument or ``out`` requires grad, or where shape or kind do not fit; an empty ``out`` takes
    the shape of the result.
    """
    targets = leaves(out)
    for target in targets:
        if not isinstance(target, Tensor):
            raise error(TypeError, "not-a-tensor", f"out= takes a tensor, got {type(target).__name__}")
    if mode.enabled and any(isinstance(t, Tensor) and t._rg for t in (*leaves(args), *leaves(kwargs), *targets)):
        raise error(
            RuntimeError,
            "out-recorded",
            "out= is not recorded, so neither the arguments nor the tensor may require grad",
            hint="use the returned value instead, or write under torch.no_grad()",
        )
    with no_grad():
        made = function(*args, **kwargs)
    results = leaves(made)
    if len(results) != len(targets):
        message = f"{len(results)} results need as many tensors in out=, got {len(targets)}"
        raise error(RuntimeError, "out-count", message)
    for target, result in zip(targets, results, strict=True):
        _write(target, result)
    return out


def _write(target: Tensor, result: Tensor) -> None:
    """Write ``result`` over the values of ``target``."""
    if target._array.shape != result._array.shape:
        if target._array.size:
            raise error(
                RuntimeError,
                "out-shape",
                f"out= has shape {tuple(target.shape)}, the result has shape {tuple(result.shape)}",
                hint="torch.empty(0) as out= takes any shape",
            )
        target._array = np.empty(result._array.shape, target._array.dtype)
    if result.dtype.category > target.dtype.category:
        raise error(RuntimeError, "out-dtype", f"a result of {result.dtype} does not fit out= of {target.dtype}")
    np.copyto(target._array, result._array, casting="unsafe")
    storage_of(target).wrote()

"""What rows of neural networks share: checks of arguments, reductions of losses, in-place forms."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import element, raw

REDUCTIONS = ("none", "mean", "sum")


def operand(input: Any) -> Any:
    """Return ``input`` where it is a tensor or an ndarray, else the tensor made of it."""
    return input if isinstance(input, (Tensor, np.ndarray)) else as_tensor(input)


def dtype_of(x: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of a tensor or an array."""
    found: np.dtype[Any] = x._element if isinstance(x, Tensor) else x.dtype
    return found


def floating(name: str, *inputs: Any) -> Any:
    """Return the inputs as tensors (one alone unpacked); RuntimeError where one holds integers or bools."""
    found = tuple(None if x is None else operand(x) for x in inputs)
    for x in found:
        if x is not None and dtype_of(x).kind not in "fc":
            raise error(
                RuntimeError,
                "dtype-mismatch",
                f"{name} needs floating numbers, got {dtype_of(x)}",
                hint="write the numbers with a point, 1. instead of 1, or convert with .double()",
            )
    return found[0] if len(found) == 1 else found


def integers(name: str, what: str, input: Any) -> np.ndarray[Any, Any]:
    """Return the int64 array of an index argument; RuntimeError where it does not hold integers."""
    array: np.ndarray[Any, Any] = raw(operand(input))
    if array.dtype.kind not in "iu":
        raise error(
            RuntimeError,
            "dtype-mismatch",
            f"{name} needs integers as {what}, got {array.dtype}",
            hint="whole numbers without a point, or .long()",
        )
    return array.astype(np.int64, copy=False)


def constant(name: str, what: str, value: Any, like: Any) -> Any:
    """Return the array of an argument that PyTorch does not differentiate; RuntimeError where it requires grad."""
    if value is None:
        return None
    value = operand(value)
    if isinstance(value, Tensor) and value._rg:
        raise error(
            RuntimeError,
            "not-differentiable",
            f"{name} is not differentiable with respect to {what}",
            hint=f"pass {what}.detach() if it is meant as a constant",
        )
    return raw(value).astype(element(like), copy=False)


def reduction_of(reduction: str) -> str:
    """Return ``reduction`` if it is none, mean or sum; ValueError otherwise."""
    if reduction not in REDUCTIONS:
        raise error(ValueError, "bad-reduction", f"{reduction!r} is not a reduction", hint="'none', 'mean' or 'sum'")
    return reduction


def reduced(values: Any, reduction: str) -> Any:
    """Return raw ``values`` as they are, their mean or their sum."""
    if reduction == "none":
        return values
    total = np.add.reduce(values, axis=None)
    return total if reduction == "sum" else np.true_divide(total, values.size)


def reduce_loss(values: Any, reduction: str) -> Any:
    """Return a tensor of losses as it is, its mean or its sum, by recorded operations."""
    if reduction_of(reduction) == "none":
        return values
    return values.mean() if reduction == "mean" else values.sum()


def share(reduction: str, count: int) -> float:
    """Return the factor of each element's loss in the result."""
    return 1.0 / count if reduction == "mean" and count else 1.0


def matched(name: str, input: Any, target: Any) -> Any:
    """Return input and target broadcast against each other, with PyTorch's warning where their shapes differ."""
    a, b = tuple(input.shape), tuple(target.shape)
    if a == b:
        return input, target
    shape = broadcast_shape(name, a, b)
    warnings.warn(
        f"{name}: the target has shape {b}, the input {a}; they are broadcast to {shape}, which is rarely meant",
        UserWarning,
        stacklevel=4,
    )
    return (x if tuple(x.shape) == shape else x.expand(shape) for x in (input, target))


def broadcast_shape(name: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that all broadcast to; RuntimeError where there is none."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} cannot broadcast the shapes {' and '.join(map(str, shapes))}",
            hint="sizes must be equal or 1, counted from the last dimension",
        ) from None


def maybe_inplace(function: Callable[..., Any], wanted: bool, input: Any, *args: Any) -> Any:
    """Return ``function(input, *args)``, written over ``input`` where ``inplace=True`` was asked for."""
    if not wanted:
        return function(input, *args)
    from gradcli.autograd.inplace import inplace

    return inplace(function, input, *args)


def tuple_of(name: str, what: str, value: Any, n: int) -> tuple[int, ...]:
    """Return ``n`` integers: one repeated, or a sequence of ``n`` (or of 1); RuntimeError for another length."""
    if isinstance(value, (bool, float)):
        raise error(TypeError, "not-an-integer", f"{name}: {what} must be an integer or {n} of them, got {value!r}")
    if not isinstance(value, (tuple, list)):
        return (int(value),) * n
    found = tuple(int(v) for v in value)
    if len(found) not in (1, n):
        raise error(
            RuntimeError,
            "bad-length",
            f"{name}: {what} must be one integer or {n} of them, got {len(found)}: {list(found)}",
        )
    return found * n if len(found) == 1 else found


def generator() -> Any:
    """Return the process-wide random number generator; inside vmap only where random numbers are allowed."""
    from gradcli.autograd.lifted import check_randomness
    from gradcli.ops.generator import default_generator

    check_randomness()
    return default_generator

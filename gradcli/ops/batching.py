"""Batch rules: how an operation runs on all samples of a vmap at once.

A rule gets the values with the batch along axis 0 where ``flags`` says so, and returns the result with the batch in
front. Most rules only shift dimensions and lengthen shapes by one; they are told by the names of the parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.registry import row_named

Rule = Callable[[Primitive, int, tuple[bool, ...], tuple[Any, ...], dict[str, Any]], Any]
Shift = Callable[[Any, int], Any]


def _rank(value: Any, batched: bool) -> int:
    return int(value.ndim) - batched if isinstance(value, Tensor) else 0


def elementwise(
    primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    """Line up the samples' dimensions from the last, so that broadcasting pairs them as it does for one sample."""
    rank = max(_rank(v, f) for v, f in zip(values, flags, strict=True))
    return primitive(*(_padded(v, rank) if f else v for v, f in zip(values, flags, strict=True)), **params)


def _padded(value: Tensor, rank: int) -> Any:
    missing = rank + 1 - value.ndim
    return value.reshape((value.shape[0], *(1,) * missing, *value.shape[1:])) if missing else value


def _dim(value: Any, size: int) -> Any:
    """Shift a dimension, or several, by the batch axis; they count from the front."""
    if value is None:
        return None
    if isinstance(value, (tuple, list)):
        return tuple(v + 1 if v >= 0 else v for v in value)
    return value + 1 if value >= 0 else value


def _dims(value: Any, size: int) -> Any:
    return (0, *(v + 1 for v in value))


def _shape(value: Any, size: int) -> Any:
    return (size, *value)


_SHIFTS: dict[str, Shift] = {
    "dim": _dim,
    "dim0": _dim,
    "dim1": _dim,
    "dim2": _dim,
    "axis": _dim,
    "axes": _dim,
    "dimension": _dim,
    "dims": _dims,
    "shape": _shape,
    "size": _shape,
    "sizes": _shape,
    "before": _shape,
}


def shifted(*names: str, whole: bool = False) -> Rule:
    """Return the rule of an operation whose parameters ``names`` are dimensions or shapes; all arguments are batched.

    ``whole``: without a dimension it works on a whole sample, so it gets all dimensions of one.
    """

    def rule(
        primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
    ) -> Any:
        values = tuple(v if f else _repeated(v, size) for v, f in zip(values, flags, strict=True))
        changed = {n: _SHIFTS[n](params[n], size) for n in names if n in params}
        return primitive(*values, **{**params, **changed})

    return rule


def _repeated(value: Any, size: int) -> Any:
    return value.unsqueeze(0).expand((size, *value.shape)) if isinstance(value, Tensor) else value


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    row = row_named(f"torch.{name}")
    assert row is not None
    return row.function(*args, **kwargs)


def _dot(
    primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    return (values[0] * values[1]).sum(-1)


def _mv(
    primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    matrix, vector = values
    if flags == (False, True):  # one matrix for all samples: one matrix product
        return _call("matmul", vector, matrix.transpose(0, 1))
    return _call("matmul", matrix, vector.unsqueeze(-1)).squeeze(-1)


def _mm(
    primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    return _call("matmul", *values)


def _bmm(
    primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    return _call("matmul", *values)


_BY_NAME: dict[str, Rule] = {"dot": _dot, "mv": _mv, "mm": _mm, "bmm": _bmm}


def rule_of(primitive: Primitive) -> Rule | None:
    """Return the batch rule of ``primitive``, or None: then it runs sample by sample."""
    if callable(primitive.batch):
        rule: Rule = primitive.batch
        return rule
    if primitive.batch == "elementwise" or _is_elementwise(primitive):
        return elementwise
    if isinstance(primitive.batch, tuple):
        return shifted(*primitive.batch)
    return _BY_NAME.get(primitive.name)


def _is_elementwise(primitive: Primitive) -> bool:
    return isinstance(primitive.forward, np.ufunc) or (primitive.promotes and not primitive.variadic)

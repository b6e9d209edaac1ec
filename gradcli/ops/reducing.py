"""What reductions share: spreading a cotangent over what was reduced, sums and masks for rules, quick recording."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.fast import recorded
from gradcli.autograd.mode import mode
from gradcli.autograd.primitive import FLOATING, Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axes_of, element
from gradcli.ops.masks import keep

_frame = sys._getframe
SMALL = 4096  # up to this many elements a filled array is cheaper than a broadcast one
INT64 = np.dtype(np.int64)
_F64, _F32 = np.dtype(np.float64), np.dtype(np.float32)
Axes = tuple[int, ...]


def operand(input: Any) -> Any:
    """Return ``input`` where it is a tensor or an ndarray, else the tensor made of it."""
    return input if isinstance(input, (Tensor, np.ndarray)) else as_tensor(input)


def plain(input: Any) -> bool:
    """Return whether ``input`` is a tensor of double or single precision and nothing more: the case worth hurrying."""
    return input.__class__ is Tensor and (input._array.dtype is _F64 or input._array.dtype is _F32)


def of(name: str) -> Any:
    """Return the function of an operation of another family, such as ``cat``; its module is imported here."""
    from gradcli.ops.registry import row_named

    row = row_named(f"torch.{name}")
    assert row is not None, name
    return row.function


def shape_of(input: Any) -> Axes:
    """Return the shape of a tensor or an array as a plain tuple."""
    return input._array.shape if input.__class__ is Tensor else tuple(input.shape)


def dtype_of(input: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of a tensor or an array."""
    return element(input)  # type: ignore[no-any-return]


def numpy_dtype(dtype: Any) -> np.dtype[Any] | None:
    """Return the NumPy dtype that a ``dtype=`` argument names, None for None."""
    if dtype is None:
        return None
    from gradcli.autograd.dtypes import as_dtype

    return as_dtype(dtype).numpy


def summing_dtype(input: Any, dtype: Any) -> np.dtype[Any] | None:
    """Return the dtype of a sum or product: the one asked for, int64 for integers, None for the input's own."""
    if dtype is not None:
        return numpy_dtype(dtype)
    return INT64 if dtype_of(input).kind in "biu" else None


def floating(name: str, input: Any, cls: type[Exception] = RuntimeError) -> Any:
    """Return ``input``; ``cls`` is raised for integers and bools, which have no fractions to average."""
    if dtype_of(input).kind in "biu":
        raise error(
            cls,
            "dtype-mismatch",
            f"{name} needs floating or complex numbers, this tensor is {dtype_of(input)}",
            hint="convert it first: x.double(), or pass dtype=torch.float64 where the operation takes it",
        )
    return input


def ordered(name: str, input: Any, cls: type[Exception] = RuntimeError) -> Any:
    """Return ``input``; ``cls`` is raised for complex numbers, which have no order."""
    if dtype_of(input).kind == "c":
        raise error(
            cls,
            "dtype-mismatch",
            f"{name} compares numbers, and complex numbers have no order",
            hint="compare x.abs() or x.real",
        )
    return input


def count_of(shape: Axes, dim: Axes) -> int:
    """Return how many elements of ``shape`` one result over the axes ``dim`` is made of."""
    return math.prod(shape[d] for d in dim)


def filled(name: str, shape: Axes, dim: Axes, cls: type[Exception] = IndexError) -> None:
    """Raise where one of the reduced axes is empty: there is no element to choose."""
    for d in dim:
        if shape[d] == 0:
            raise error(
                cls,
                "empty-reduction",
                f"{name} over dim {d} of shape {tuple(shape)}: no elements, so no result to choose",
                label=f"shape {tuple(shape)}",
                hint="check numel() first, or concatenate a starting value",
            )


def kept_shape(shape: Axes, dim: Axes) -> Axes:
    """Return ``shape`` with size 1 at each of the axes ``dim``."""
    return tuple(1 if i in dim else n for i, n in enumerate(shape))


def kept(array: Any, shape: Axes, dim: Axes) -> Any:
    """Return a reduced array (tensor or raw) with its reduced axes put back with size 1."""
    wanted = kept_shape(shape, dim)
    return array if tuple(array.shape) == wanted else array.reshape(wanted)


# -- the adjoint of a sum ---------------------------------------------------------------------------------------------
def _spread(g: Any, *, dim: Axes, shape: Axes) -> Any:
    if math.prod(shape) > SMALL:
        return np.broadcast_to(kept(g, shape, dim), shape)
    out = np.empty(shape, g.dtype)
    if g.ndim:
        out[...] = kept(g, shape, dim)
    else:
        out.fill(g)
    return out


def _gathered(g: Any, dim: Axes, given: Axes) -> Any:
    return sum_over(g, dim=dim, keepdim=False, shape=tuple(g.shape), dtype=None).reshape(given)


def _spread_forward(g: Any, *, dim: Axes, shape: Axes, given: Axes) -> Any:
    return _spread(g, dim=dim, shape=shape)


spread_primitive = Primitive("expand", _spread_forward, {"g": _gathered}, batch=("dim", "shape", "given"))


def spread(g: Any, shape: Axes, dim: Axes) -> Any:
    """Return ``g``, reduced over the axes ``dim`` of ``shape``, repeated along them; nothing large is copied."""
    if isinstance(g, Tensor):
        return spread_primitive(g, dim=dim, shape=shape, given=tuple(g.shape))
    return _spread(g, dim=dim, shape=shape)


def spread_all(g: Any, shape: Axes) -> Any:
    """Return the 0-d ``g`` repeated over ``shape``."""
    return spread(g, shape, tuple(range(len(shape))))


_total = np.add.reduce


def _sum_all(input: Any, *, shape: Axes, dtype: Any) -> Any:
    return _total(input, None) if dtype is None else _total(input, None, dtype)


def _sum_over(input: Any, *, dim: Axes, keepdim: bool, shape: Axes, dtype: Any) -> Any:
    return np.add.reduce(input, axis=dim, dtype=dtype, keepdims=keepdim)  # type: ignore[call-overload]


def _sum_all_jvp(values: Any, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
    return sum_all(tangents[0], **params)


def _sum_over_jvp(values: Any, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
    return sum_over(tangents[0], **params)


def _sum_over_rule(g: Any, dim: Axes, shape: Axes) -> Any:
    return spread(g, shape, dim)


sum_all = Primitive("sum", _sum_all, {"input": lambda g, shape: spread_all(g, shape)}, jvp=_sum_all_jvp,
    batch="sums.total")
sum_over = Primitive("sum", _sum_over, {"input": _sum_over_rule}, node="SumBackward1", jvp=_sum_over_jvp,
    batch=("dim", "shape"))


# -- masks ------------------------------------------------------------------------------------------------------------
def masked(input: Any, mask: Any) -> Any:
    """Return ``input`` with zeros where the constant ``mask`` is true, in the result and in every derivative."""
    return keep(input, np.logical_not(mask))


def tie_shares(ties: Any, dim: Axes, g: Any) -> Any:
    """Return 1/n where ``ties`` marks n elements of a reduction over ``dim``, else 0: constants in the dtype of ``g``.

    Where nothing is marked (a nan equals nothing) the shares are nan, as in PyTorch.
    """
    count = np.add.reduce(ties, axis=dim, keepdims=True, dtype=np.int64)
    with np.errstate(invalid="ignore"):
        return np.divide(ties, count, dtype=dtype_of(g))


# -- recording --------------------------------------------------------------------------------------------------------
def recorder(primitive: Primitive) -> Callable[[Any, dict[str, Any]], Any]:
    """Return the function of one tensor and its parameters that applies ``primitive``: quick for small tensors."""
    forward = primitive.forward
    cls: Any = None

    def call(input: Any, params: dict[str, Any]) -> Any:
        nonlocal cls
        if input.__class__ is not Tensor:
            return primitive(input, **params)
        out = forward(input._array, **params)
        if out.__class__ is not np.ndarray:
            out = np.asarray(out)
        if not input._rg or not mode.enabled or out.dtype.kind not in FLOATING:
            return Tensor(out)
        if cls is None:
            cls = primitive.node_class((True,), (False,))
        return recorded(cls, input, cls.save((input,), out, params), out, _frame(1))

    return call


def reduced_axes(dim: Any, input: Any, keepdim: Any = False) -> Axes:
    """Return the axes that a ``dim=`` argument names for ``input``: all of them for None and ().

    TypeError for a ``keepdim`` that is no truth value, which is how ``x.sum(0, 1)`` would go wrong in silence.
    """
    if not isinstance(keepdim, (bool, np.bool_)):
        raise error(
            TypeError,
            "keepdim",
            f"keepdim is True or False, got {keepdim!r}",
            hint=f"several dimensions are one argument: ({dim}, {keepdim})",
        )
    return axes_of(dim, input.ndim)

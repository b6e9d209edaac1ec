"""Writing values over a tensor: copy_, fill_, zero_, fill_diagonal_. What is overwritten gets gradient zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.inplace import inplace
from gradcli.autograd.primitive import Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.masked import keep, zero
from gradcli.ops.row import Lit, T, op, sample


def _copied(input: Any, src: Any) -> Any:
    try:
        value = np.broadcast_to(src, input.shape)
    except ValueError:
        raise error(
            RuntimeError, "inplace-shape", f"a value of shape {src.shape} does not fit into a tensor of shape "
            f"{input.shape}",
        ) from None  # fmt: skip
    if value.dtype.kind == "c" and input.dtype.kind != "c":
        value = value.real
    return value.astype(input.dtype)


_copy = Primitive(
    "copy", _copied, {"input": lambda g: zero(g), "src": lambda g: g}, node="torch::autograd::CopyBackwards",
    batch="arrays.copied",
)


def _filled(input: Any, value: Any) -> Any:
    if np.ndim(value):
        raise error(RuntimeError, "not-a-scalar", f"fill takes a number or a 0-d tensor, got shape {np.shape(value)}")
    return np.full(input.shape, value, input.dtype)


_FILL = {"input": lambda g: zero(g), "value": lambda g: g}
_fill = {
    (False, True): Primitive("fill", _filled, _FILL, node="FillBackward0", batch="arrays.filled"),
    (False, False): Primitive("fill", _filled, _FILL, node="FillBackward1", batch="arrays.filled"),
    (True, True): Primitive("fill", _filled, _FILL, node="FillBackward2", batch="arrays.filled"),
    (True, False): Primitive("fill", _filled, _FILL, node="FillBackward3", batch="arrays.filled"),
}
_zero = Primitive("zero", np.zeros_like, {"input": lambda g: zero(g)}, batch=())


@op(
    "Tensor.copy_", "copy_(src, non_blocking=False)", category="in-place",
    doc="Write the values of src over this tensor, broadcast and converted to its dtype; return it.",
    formula="zeros to the tensor, g to src", examples=("tensor([1., 2.]).copy_(tensor(5.))  #> [5., 5.]",),
    samples=(sample(Lit([1, 2]), Lit([3, 4])), sample(Lit([1, 2]), 7),),
)  # fmt: skip
def copy_(input: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    return inplace(_copy, input, as_tensor(src))


@op(
    "torch.fill", "fill(input, value)", names="Tensor.fill", category="in-place",
    doc="A tensor of the shape and dtype of input with one value everywhere.",
    formula="zeros to input, the sum of g to a tensor value", examples=("fill(tensor([1., 2.]), 7)  #> [7., 7.]",),
    samples=(sample(T(3), 2.0), sample(T(2, 2), T())),
)  # fmt: skip
def fill(input: Any, value: Any) -> Any:
    return _fill[False, not isinstance(value, Tensor)](input, value)


@op(
    "Tensor.fill_", "fill_(value)", names="torch.fill_", category="in-place",
    doc="Write one value, a number or a 0-d tensor, over the whole tensor; return it.",
    formula="zeros to the tensor, the sum of g to a tensor value",
    examples=("tensor([1., 2.]).fill_(7)  #> [7., 7.]",), samples=(sample(Lit([1, 2]), 7),),
)  # fmt: skip
def fill_(input: Tensor, value: Any) -> Tensor:
    return inplace(_fill[True, not isinstance(value, Tensor)], input, value)


@op(
    "Tensor.zero_", "zero_()", names="torch.zero_", category="in-place",
    doc="Write zeros over the whole tensor; return it.", formula="zeros",
    examples=("tensor([1., 2.]).zero_()  #> [0., 0.]",), samples=(sample(Lit([1, 2])),),
)  # fmt: skip
def zero_(input: Tensor) -> Tensor:
    return inplace(_zero, input)


# -- the diagonal -----------------------------------------------------------------------------------------------------
def _on_diagonal(shape: tuple[int, ...], wrap: bool) -> np.ndarray[Any, Any]:
    """Return where the main diagonal is; ``wrap`` starts it again below the end of a tall matrix."""
    mask = np.zeros(shape, bool)
    if len(shape) == 2:
        columns = shape[1]
        stop = mask.size if wrap else columns * columns
        mask.reshape(-1)[: stop : columns + 1] = True
        return mask
    index = np.arange(min(shape, default=0))
    mask[(index,) * len(shape)] = True
    return mask


def _diagonal_filled(input: Any, *, value: Any, mask: Any) -> Any:
    return np.where(mask, input.dtype.type(value), input)


_fill_diagonal = Primitive("fill_diagonal", _diagonal_filled, {"input": lambda g, mask: keep(g, ~mask)}, batch=())


@op(
    "Tensor.fill_diagonal_", "fill_diagonal_(fill_value, wrap=False)", category="in-place",
    doc="Write a number over the main diagonal; return the tensor.", formula="g, 0 on the diagonal",
    examples=("zeros(2, 2).fill_diagonal_(3.)  #> [[3., 0.], [0., 3.]]",),
    samples=(sample(Lit([[1, 2], [3, 4]]), 7),),
)  # fmt: skip
def fill_diagonal_(input: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    shape = tuple(input.shape)
    if len(shape) < 2:
        raise error(RuntimeError, "wrong-ndim", f"fill_diagonal_ needs at least 2 dimensions, got shape {shape}")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise error(RuntimeError, "shape-mismatch", f"beyond 2 dimensions all sizes must be equal, got shape {shape}")
    return inplace(_fill_diagonal, input, value=fill_value, mask=_on_diagonal(shape, wrap))

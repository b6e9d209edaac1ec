"""Tensors made of nothing: zeros, ones, ranges, grids of a size, and their ``_like`` and ``new_`` forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.construct import tensor as make_tensor
from gradcli.autograd.construct import to_array
from gradcli.autograd.dtypes import DType, as_dtype, default, from_numpy_dtype, of_number
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.cast import cast
from gradcli.ops.common import raw
from gradcli.ops.row import Lit, op, sample

Shape = tuple[int, ...]
_X = Lit([[1.0, 2.0], [3.0, 4.0]])


def size_of(name: str, size: tuple[Any, ...]) -> Shape:
    """Return the shape meant by ``zeros(2, 3)`` or ``zeros((2, 3))``; TypeError or RuntimeError for what is no size."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    made = []
    for n in size:
        try:
            length = n.__index__()
        except (AttributeError, TypeError):
            raise error(TypeError, "bad-size", f"{name} takes whole numbers as sizes, got {n!r}") from None
        if isinstance(n, bool):
            raise error(TypeError, "bad-size", f"{name} takes whole numbers as sizes, got {n!r}")
        if length < 0:
            raise error(RuntimeError, "negative-size", f"{name}: a size cannot be negative, got {length}")
        made.append(length)
    if math.prod(made) > 2**46:
        raise error(RuntimeError, "too-large", f"{name}: a tensor of shape {tuple(made)} does not fit into memory")
    return tuple(made)


def numpy_dtype(dtype: Any, otherwise: DType | None = None) -> np.dtype[Any]:
    """Return the NumPy dtype meant by ``dtype=``, the default float (or ``otherwise``) where it is None."""
    return (otherwise or default.dtype if dtype is None else as_dtype(dtype)).numpy


def layout_of(tensor: Tensor) -> Any:
    """Return an array of the shape, dtype and strides of ``tensor``; of a batch's sample where it is a batch."""
    return tensor._array if tensor.__class__ is Tensor else np.empty(tuple(tensor.shape), tensor._element)


def finished(array: Any, requires_grad: bool = False) -> Tensor:
    """Return a new leaf on ``array``; RuntimeError where an integer tensor is to require grad."""
    made = Tensor(np.asarray(array))
    return made if requires_grad is False or requires_grad is None else made.requires_grad_(requires_grad)


def beside(source: Tensor, array: Any, requires_grad: bool = False) -> Tensor:
    """Return a new tensor made after ``source``; for each sample of a batch one that can be written in place."""
    made = finished(array, requires_grad)
    if source.__class__ is Tensor:
        return made
    from gradcli.autograd.batched import batch_like

    return batch_like(source, made)


def _sized(
    name: str, fill: Callable[..., Any], fill_like: Callable[..., Any], doc: str, example: str
) -> Callable[..., Tensor]:
    """Register ``name(*size)``, ``name_like(input)`` and ``Tensor.new_name(*size)``; return the first."""

    def create(*size: Any, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Tensor:
        return finished(fill(size_of(name, size), numpy_dtype(dtype)), requires_grad)

    def like(input: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Any:
        if not isinstance(input, (Tensor, list, tuple)):
            return fill_like(input)
        source = as_tensor(input)
        return beside(source, fill_like(layout_of(source), numpy_dtype(dtype, source.dtype)), requires_grad)

    def new(input: Tensor, *size: Any, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Tensor:
        return beside(input, fill(size_of(f"new_{name}", size), numpy_dtype(dtype, input.dtype)), requires_grad)

    for function, word in ((create, name), (like, f"{name}_like"), (new, f"new_{name}")):
        function.__name__ = function.__qualname__ = word
    words = "dtype=None, requires_grad=False"
    made = op(
        f"torch.{name}", f"{name}(*size, {words})", category="creation", doc=f"A new tensor {doc}.",
        conventions="Sizes as numbers or as one tuple.", examples=(f"{name}(2)  #> {example}",),
        samples=(sample(2, 3), sample((2,))) if name != "empty" else (),
    )(create)  # fmt: skip
    op(
        f"torch.{name}_like", f"{name}_like(input, *, {words})", category="creation",
        doc=f"A new tensor of the shape and dtype of input, {doc}.",
        examples=(f"{name}_like(tensor([5., 6.]))  #> {example}",), samples=(sample(_X),) if name != "empty" else (),
    )(like)  # fmt: skip
    op(
        f"Tensor.new_{name}", f"new_{name}(*size, {words})", category="creation",
        doc=f"A new tensor of the dtype of this one, {doc}.", examples=(f"tensor([5.]).new_{name}(2)  #> {example}",),
        samples=(sample(_X, 3),) if name != "empty" else (),
    )(new)  # fmt: skip
    return made


zeros = _sized("zeros", np.zeros, np.zeros_like, "of zeros", "[0., 0.]")
ones = _sized("ones", np.ones, np.ones_like, "of ones", "[1., 1.]")
empty = _sized("empty", np.zeros, np.zeros_like, "whose values say nothing (here: zeros)", "[0., 0.]")


def _filled(name: str, size: Any, fill_value: Any, dtype: Any, own: DType | None = None) -> Any:
    value = raw(fill_value).item() if isinstance(fill_value, Tensor) else fill_value
    kind = numpy_dtype(dtype, own or of_number(value))
    if not isinstance(size, (tuple, list)):
        raise error(TypeError, "bad-size", f"{name} takes the size as a tuple, got {size!r}", hint=f"{name}((3,), 1.)")
    return np.full(size_of(name, (size,)), value, kind)


@op(
    "torch.full", "full(size, fill_value, *, dtype=None, requires_grad=False)", category="creation",
    doc="A new tensor with the same number everywhere.", conventions="The dtype is that of the number.",
    examples=("full((2,), 7.5)  #> [7.5000, 7.5000]", "full((2,), 7)  #> [7, 7]"), samples=(sample((2, 3), 1.5),),
)  # fmt: skip
def full(size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Tensor:
    return finished(_filled("full", size, fill_value, dtype), requires_grad)


@op(
    "torch.full_like", "full_like(input, fill_value, *, dtype=None, requires_grad=False)", category="creation",
    doc="A new tensor of the shape and dtype of input with the same number everywhere.",
    examples=("full_like(tensor([5., 6.]), 7)  #> [7., 7.]",), samples=(sample(_X, 2.5),),
)  # fmt: skip
def full_like(
    input: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None
) -> Tensor:
    source = as_tensor(input)
    value = raw(fill_value).item() if isinstance(fill_value, Tensor) else fill_value
    return beside(source, np.full_like(layout_of(source), value, numpy_dtype(dtype, source.dtype)), requires_grad)


@op(
    "Tensor.new_full", "new_full(size, fill_value, *, dtype=None, requires_grad=False)", category="creation",
    doc="A new tensor of the dtype of this one with the same number everywhere.",
    examples=("tensor([5.]).new_full((2,), 7)  #> [7., 7.]",), samples=(sample(_X, (3,), 2.5),),
)  # fmt: skip
def new_full(
    input: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None
) -> Tensor:
    return beside(input, _filled("new_full", size, fill_value, dtype, input.dtype), requires_grad)


@op(
    "Tensor.new_tensor", "new_tensor(data, *, dtype=None, requires_grad=False)", category="creation",
    doc="A new tensor of data in the dtype of this one.", examples=("tensor([5.]).new_tensor([1, 2])  #> [1., 2.]",),
    samples=(sample(_X, [1, 2]),),
)  # fmt: skip
def new_tensor(
    input: Tensor, data: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None
) -> Tensor:
    return make_tensor(data, dtype=input.dtype if dtype is None else dtype, requires_grad=requires_grad)


# -- from data --------------------------------------------------------------------------------------------------------
op(
    "torch.tensor", "tensor(data, *, dtype=None, device=None, requires_grad=False)", category="creation",
    doc="A new tensor of numbers or nested lists; of a tensor a copy without its graph.",
    conventions="The dtype is bool, int64 or the default float (complex), as the numbers need.",
    examples=("tensor([[1., 2.], [3., 4.]])  #> [[1., 2.], [3., 4.]]",), samples=(sample([1.0, 2.0]), sample([1, 2])),
)(make_tensor)  # fmt: skip


@op(
    "torch.as_tensor", "as_tensor(data, dtype=None)", category="creation",
    doc="A tensor of numbers, nested lists or an array; a tensor is returned as it is, with its graph.",
    formula="g in the dtype of data",
    examples=("as_tensor([1., 2.])  #> [1., 2.]",), samples=(sample(_X),),
)  # fmt: skip
def as_tensor_public(data: Any, dtype: Any = None, device: Any = None) -> Any:
    if isinstance(data, np.ndarray):
        from_numpy_dtype(data.dtype)
    made = data if isinstance(data, Tensor) else Tensor(data if isinstance(data, np.ndarray) else to_array(data))
    if not isinstance(data, (Tensor, np.ndarray)) and dtype is not None:
        return make_tensor(data, dtype=dtype)
    return made if dtype is None else cast(made, as_dtype(dtype))


@op(
    "torch.asarray", "asarray(obj, *, dtype=None, requires_grad=False)", category="creation",
    doc="A tensor of numbers, nested lists, an array or a tensor, which is shared where it can be.",
    formula="g in the dtype of obj", examples=("asarray([1., 2.])  #> [1., 2.]",), samples=(sample([1.0, 2.0]),),
)  # fmt: skip
def asarray(
    obj: Any, *, dtype: Any = None, requires_grad: bool = False, copy: Any = None, device: Any = None
) -> Any:
    made = as_tensor_public(obj, dtype)
    if isinstance(obj, Tensor) and not requires_grad:
        made = made.detach()
    if copy and made is obj:
        made = made.clone()
    return made.requires_grad_() if requires_grad else made


@op(
    "torch.scalar_tensor", "scalar_tensor(s, *, dtype=None)", category="creation", doc="A number as a 0-d tensor.",
    conventions="The default float, also for an integer.", examples=("scalar_tensor(3)  #> 3.",),
    samples=(sample(3), sample(2.5)),
)  # fmt: skip
def scalar_tensor(s: Any, *, dtype: Any = None, requires_grad: bool = False, device: Any = None) -> Tensor:
    return finished(np.array(s, numpy_dtype(dtype)), requires_grad)


@op(
    "torch.from_numpy", "from_numpy(ndarray)", category="creation",
    doc="A tensor on the memory of an ndarray: a write to either shows in both.",
    examples=("from_numpy(tensor([1., 2.]).numpy())  #> [1., 2.]",),
)  # fmt: skip
def from_numpy(ndarray: Any) -> Tensor:
    if not isinstance(ndarray, np.ndarray):
        raise error(TypeError, "not-an-array", f"from_numpy takes an ndarray, got {type(ndarray).__name__}",
                    hint="tensor(...) takes lists and numbers")  # fmt: skip
    made = Tensor(ndarray)
    assert made.dtype is not None
    return made

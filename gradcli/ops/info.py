"""What a tensor tells about itself: sizes, memory layout, kind of numbers; and the promotion of dtypes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gradcli.autograd import dtypes
from gradcli.autograd.dtypes import DType, as_dtype
from gradcli.autograd.primitive import as_tensor
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of, raw
from gradcli.ops.row import Lit, op, sample

_X = Lit([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
_SHOWN = "tensor([[1., 2., 3.], [4., 5., 6.]])"


def _told(name: str, tell: Callable[[Any], Any], doc: str, value: Any, also: str = "") -> Callable[[Any], Any]:
    """Register a function of one tensor that returns a Python value."""

    def function(input: Any) -> Any:
        return tell(as_tensor(input))

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    names = f"Tensor.{function.__name__} {also}"
    example = f"{_SHOWN}.{function.__name__}()  #> {value}"
    register = op(
        name, f"{function.__name__}(input)", names=names, category="dtype/info", doc=doc, examples=(example,),
        samples=(sample(_X),),
    )  # fmt: skip
    return register(function)


numel = _told("torch.numel", lambda t: math.prod(t.shape), "The number of elements.", 6, "Tensor.nelement")
dim = _told("Tensor.dim", lambda t: t.ndim, "The number of dimensions.", 2, "Tensor.ndimension")
element_size = _told("Tensor.element_size", lambda t: t._element.itemsize, "The bytes of one element.", 8)
is_complex = _told("torch.is_complex", lambda t: t.dtype.is_complex, "Whether the dtype is complex.", False)
is_floating_point = _told(
    "torch.is_floating_point", lambda t: t.dtype.is_floating_point, "Whether the dtype is a real float.", True
)
is_signed = _told("Tensor.is_signed", lambda t: t.dtype.is_signed, "Whether the dtype has negative numbers.", True)
is_conj = _told("torch.is_conj", lambda t: False, "Whether a conjugate is pending: never here, it is computed.", False)
is_neg = _told("torch.is_neg", lambda t: False, "Whether a negation is pending: never here, it is computed.", False)
storage_offset = _told(
    "Tensor.storage_offset", lambda t: _offset(t), "How many elements of its memory lie before the first.", 0
)
is_contiguous = _told(
    "Tensor.is_contiguous", lambda t: bool(t._array.flags.c_contiguous), "Whether the elements lie in order.", True
)


def _offset(tensor: Tensor) -> int:
    if tensor._view is None:
        return 0
    here, start = tensor._array, tensor._view.base._array
    return int((here.__array_interface__["data"][0] - start.__array_interface__["data"][0]) // here.itemsize)


@op(
    "Tensor.size", "size(input, dim=None)", category="dtype/info",
    doc="The size of one dimension, or of all as a torch.Size.", examples=(f"{_SHOWN}.size(1)  #> 3",),
    samples=(sample(_X), sample(_X, 1)),
)  # fmt: skip
def size(input: Any, dim: int | None = None) -> Any:
    shape = raw(input).shape
    return Size(shape) if dim is None else shape[axis_of(dim, len(shape))]


@op(
    "Tensor.stride", "stride(input, dim=None)", category="dtype/info",
    doc="How many elements of memory lie between neighbours, in one dimension or in all.",
    examples=(f"{_SHOWN}.stride()  #> (3, 1)",), samples=(sample(_X), sample(_X, 0)),
)  # fmt: skip
def stride(input: Any, dim: int | None = None) -> Any:
    array = raw(input)
    steps = tuple(s // array.itemsize for s in array.strides)
    return steps if dim is None else steps[axis_of(dim, len(steps))]


@op(
    "Tensor.data_ptr", "data_ptr(input)", category="dtype/info", doc="The address of the first element.",
    examples=("tensor([1.]).data_ptr() > 0  #> True",),
)  # fmt: skip
def data_ptr(input: Any) -> int:
    return int(raw(input).__array_interface__["data"][0])


@op(
    "Tensor.is_same_size", "is_same_size(input, other)", category="dtype/info",
    doc="Whether two tensors have the same shape.", examples=(f"{_SHOWN}.is_same_size(tensor([1.]))  #> False",),
    samples=(sample(_X, _X),),
)  # fmt: skip
def is_same_size(input: Any, other: Any) -> bool:
    return bool(raw(input).shape == raw(other).shape)


@op(
    "torch.is_nonzero", "is_nonzero(input)", names="Tensor.is_nonzero", category="dtype/info",
    doc="Whether the only element is not 0.", examples=("is_nonzero(tensor([0.]))  #> False",),
    samples=(sample(Lit([2.0])),),
)  # fmt: skip
def is_nonzero(input: Any) -> bool:
    return bool(as_tensor(input))


@op(
    "torch.is_tensor", "is_tensor(obj)", category="dtype/info", doc="Whether obj is a tensor.",
    examples=("is_tensor([1.])  #> False",), samples=(sample(_X),),
)  # fmt: skip
def is_tensor(obj: Any) -> bool:
    return isinstance(obj, Tensor)


@op(
    "Tensor.cpu", "cpu(input)", category="dtype/info", doc="The tensor itself: all tensors live on the CPU.",
    formula="g", examples=("tensor([1.]).cpu()  #> [1.]",), samples=(sample(_X),),
)  # fmt: skip
def cpu(input: Any) -> Any:
    return input


# -- promotion --------------------------------------------------------------------------------------------------------
@op(
    "torch.result_type", "result_type(tensor1, tensor2)", category="dtype/info",
    doc="The dtype of the sum of two tensors or numbers.",
    examples=("result_type(tensor([1]), 1.5)  #> torch.float64",),
    samples=(sample(_X, 1), sample(Lit([1, 2]), 1.5)),
)  # fmt: skip
def result_type(tensor1: Any, tensor2: Any) -> DType:
    return dtypes.result_type([raw(tensor1), raw(tensor2)])


@op(
    "torch.promote_types", "promote_types(type1, type2)", category="dtype/info",
    doc="The smallest dtype that both are converted to without losing their kind.",
    examples=("promote_types(int64, float32)  #> torch.float32",), samples=(sample(dtypes.int64, dtypes.float32),),
)  # fmt: skip
def promote_types(type1: Any, type2: Any) -> DType:
    return dtypes.promote(as_dtype(type1), as_dtype(type2))


@op(
    "torch.can_cast", "can_cast(from_, to)", category="dtype/info",
    doc="Whether an in-place result of the first dtype fits the second: not from complex to real, float to integer or "
    "number to bool.", examples=("can_cast(float32, int64)  #> False",),
    samples=(sample(dtypes.float32, dtypes.float64), sample(dtypes.float32, dtypes.int64)),
)  # fmt: skip
def can_cast(from_: Any, to: Any) -> bool:
    return as_dtype(from_).category <= as_dtype(to).category


# -- Python values ----------------------------------------------------------------------------------------------------
def _as_row(name: str, method: Callable[..., Any], doc: str, example: str) -> None:
    samples = (sample(Lit(2.0)),)
    op(name, f"{name[7:]}(input)", category="dtype/info", doc=doc, examples=(example,), samples=samples)(method)


_as_row("Tensor.item", Tensor.item, "The only element as a Python number.", "tensor([2.5]).item()  #> 2.5")
_as_row("Tensor.tolist", Tensor.tolist, "Nested lists of Python numbers.", "tensor([[1, 2]]).tolist()  #> [[1, 2]]")
op(
    "Tensor.shape", "shape (a property)", category="dtype/info", doc="The size of each dimension, as a torch.Size.",
    examples=(f"{_SHOWN}.shape  #> torch.Size([2, 3])",),
)(Tensor.shape.fget)  # type: ignore[attr-defined]  # fmt: skip

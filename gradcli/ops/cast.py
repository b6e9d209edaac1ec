"""Changes of dtype, copies, and what a tensor tells about itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import dtypes, fast
from gradcli.autograd.devices import check_device
from gradcli.autograd.dtypes import DType, as_dtype
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.row import T, op, sample


def _cast(input: Any, *, dtype: Any) -> Any:
    if input.dtype.kind == "c" and dtype.kind != "c":
        input = input != 0 if dtype.kind == "b" else input.real
    if input.dtype.kind == "f" and dtype.kind in "iu":
        return _whole(input, dtype)
    return input.astype(dtype)


def _copied(input: Any) -> Any:
    """Return a copy in the memory order of the input; row-major where its elements share or skip cells."""
    flags = input.flags
    plain = flags.c_contiguous or flags.f_contiguous or (0 not in input.strides and _is_dense(input))
    return np.array(input, order="K" if plain else "C")


def _is_dense(input: Any) -> bool:
    """Return whether the elements fill a piece of memory without gaps, in some order of the dimensions."""
    expected = input.itemsize
    for stride, size in sorted((abs(s), n) for s, n in zip(input.strides, input.shape, strict=True) if n > 1):
        if stride != expected:
            return False
        expected *= size
    return True


def _whole(input: Any, dtype: np.dtype[Any]) -> Any:
    """Return floats without their fraction; what does not fit becomes what an x86 conversion makes of it."""
    with np.errstate(invalid="ignore"):
        return input.astype(dtype) if dtype.itemsize >= 4 else input.astype(np.int32).astype(dtype)


cast_primitive = Primitive("cast", _cast, {"input": lambda g: g}, node="ToCopyBackward0", batch="elementwise")
clone_primitive = Primitive("clone", _copied, {"input": lambda g: g}, batch="elementwise")
_cast_fast = fast.with_number(cast_primitive, "dtype")
_clone_fast = fast.unary(clone_primitive)


def cast(input: Any, dtype: DType) -> Any:
    """Return ``input`` in ``dtype``, recorded; the very same tensor where it has that dtype already."""
    if isinstance(input, Tensor):
        return input if input._element == dtype.numpy else _cast_fast(input, dtype.numpy)
    return input if input.dtype == dtype.numpy else _cast(input, dtype=dtype.numpy)


def _wanted(tensor: Any, args: tuple[Any, ...], dtype: Any, other: Any) -> DType | None:
    """Return the dtype that the arguments of ``to`` name, or None for the tensor's own."""
    for value in (*args, other, dtype):
        if isinstance(value, Tensor):
            return value.dtype
        if value is None or isinstance(value, str) or value is True or value is False:
            if isinstance(value, str):
                check_device(value)
            continue
        return as_dtype(value)
    return None


@op(
    "Tensor.to", "to(input, dtype | other | device, copy=False)", category="dtype/info",
    doc="The tensor in another dtype, or in that of another tensor.",
    formula="g in the dtype of input",
    conventions="The same tensor where nothing changes, unless copy. A cast to integers or bool ends the graph; "
    "complex to real keeps the real part.",
    examples=("tensor([1.7, -1.7]).to(int64)  #> [1, -1]",),
    samples=(
        sample(T(3), dtypes.float32, smooth=False), sample(T(2), dtype=dtypes.complex128), sample(T(2), copy=True),
    ),
)  # fmt: skip
def to(input: Any, *args: Any, dtype: Any = None, other: Any = None, device: Any = None, copy: bool = False,
       non_blocking: bool = False) -> Any:  # fmt: skip
    if device is not None:
        check_device(device)
    wanted = _wanted(input, args, dtype, other)
    if wanted is None or wanted is input.dtype:
        return clone_primitive(input) if copy else input
    return cast(input, wanted)


def _to_dtype(word: str, dtype: DType) -> Callable[[Any], Any]:
    def convert(input: Any) -> Any:
        return cast(as_tensor(input), dtype)

    convert.__name__ = convert.__qualname__ = word
    complexes = "tensor([1.+0.j, 2.+0.j])" if dtype.itemsize > 8 else "tensor([1.+0.j, 2.+0.j], dtype=torch.complex64)"
    shown = {"b": "[True, True]", "i": "[1, 2]", "u": "[1, 2]", "f": "[1., 2.]", "c": complexes}
    smooth = dtype.numpy in (np.dtype(np.float64), np.dtype(np.complex128))
    whole = dtype.category < 2
    register = op(
        f"Tensor.{word}", f"{word}(input)", category="dtype/info", doc=f"The tensor as {dtype.name}, as to().",
        formula="not differentiable: the result has no graph" if whole else "g in the dtype of input",
        conventions=f"Always {dtype.name}.",
        examples=(f"tensor([1., 2.]).{word}()  #> {shown[dtype.numpy.kind]}",),
        samples=(sample(T(3), smooth=smooth and not whole),),
    )  # fmt: skip
    return register(convert)


for _word, _dtype in {**dtypes.ALIASES, "bool": dtypes.bool_}.items():
    _to_dtype(_word, _dtype)
_to_dtype("char", dtypes.int8)
_to_dtype("byte", dtypes.uint8)


@op(
    "Tensor.type", "type(input, dtype=None)", category="dtype/info",
    doc="The name of the tensor's type, or the tensor in another dtype.", formula="g in the dtype of input",
    examples=("tensor([1.5]).type(int64)  #> [1]",), samples=(sample(T(3), dtype=dtypes.float64),),
)  # fmt: skip
def type(input: Any, dtype: Any = None) -> Any:
    if dtype is None:
        name = {"float64": "Double", "float32": "Float", "float16": "Half", "int64": "Long", "int32": "Int",
                "int16": "Short", "int8": "Char", "uint8": "Byte", "bool": "Bool", "complex64": "ComplexFloat",
                "complex128": "ComplexDouble"}.get(input.dtype.name, input.dtype.name)  # fmt: skip
        return f"torch.{name}Tensor"
    return cast(input, as_dtype(dtype))


@op(
    "Tensor.type_as", "type_as(input, other)", category="dtype/info", doc="The tensor in the dtype of other.",
    formula="g in the dtype of input", examples=("tensor([1.5]).type_as(tensor(1))  #> [1]",),
    samples=(sample(T(3), T(1)),),
)  # fmt: skip
def type_as(input: Any, other: Any) -> Any:
    return cast(input, other.dtype)


@op(
    "torch.clone", "clone(input)", names="Tensor.clone", category="autograd",
    doc="A copy of the tensor in memory of its own; gradients flow through it.", formula="g",
    examples=("clone(tensor([1., 2.]))  #> [1., 2.]",), samples=(sample(T(2, 3)), sample(T())),
)  # fmt: skip
def clone(input: Any, *, memory_format: Any = None) -> Any:
    return _clone_fast(input)


@op(
    "torch.detach", "detach(input)", category="autograd",
    doc="The same memory without the graph: a constant for all that follows.",
    examples=("detach(tensor([1., 2.]))  #> [1., 2.]",),
)  # fmt: skip
def detach(input: Any) -> Any:
    return as_tensor(input).detach()


@op(
    "Tensor.detach_", "detach_()", names="torch.detach_", category="autograd",
    doc="Cut this very tensor off from the graph: it becomes a leaf that does not require grad; return it.",
    conventions="A view is refused: its base would keep the history.",
    examples=("tensor([1., 2.]).detach_()  #> [1., 2.]",),
)  # fmt: skip
def detach_(input: Tensor) -> Tensor:
    if input._view is not None:
        raise error(
            RuntimeError, "detach-view", "a view cannot be cut off from the graph in place: its base keeps the history",
            hint="detach() returns a tensor that is cut off",
        )  # fmt: skip
    input._fn, input._nr, input._rg = None, 0, False
    return input

"""``torch.Tensor`` as users know it: a type to ask about and the old constructor, which isn't the engine's own.

The engine makes a tensor of an array that it knows to be right, thousands of times a second, and checks nothing. What
carries the public name checks everything: ``Tensor(2, 3)`` takes sizes, ``Tensor([2, 3])`` numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd import dtypes
from gradcli.autograd.construct import to_array
from gradcli.autograd.devices import check_device
from gradcli.autograd.dtypes import DType
from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor as EngineTensor
from gradcli.ops.create import size_of

_SEQUENCES = (list, tuple, range, np.ndarray)


class TensorType(type):
    """The type of ``torch.Tensor`` and of its kin with one dtype: what is called, asked about and printed."""

    _only: DType | None

    def __call__(cls, *data: Any, device: Any = None, **more: Any) -> EngineTensor:
        """Return a new tensor of sizes, or of numbers in the default float; of a tensor an alias of it.

        TypeError for what is neither, RuntimeError for a negative size and for another device than the CPU.
        """
        check_device(device)
        if more:
            raise error(
                TypeError,
                "unknown-argument",
                f"the old constructor {cls.__name__} has no argument {next(iter(more))!r}",
                hint="torch.tensor([1., 2.], requires_grad=True) has dtype and requires_grad",
            )
        if len(data) == 1 and isinstance(data[0], EngineTensor):
            return cls._alias(data[0])
        dtype = cls._only or dtypes.default.dtype
        if len(data) == 1 and isinstance(data[0], _SEQUENCES) and not hasattr(data[0], "numel"):
            return EngineTensor(to_array(data[0], dtype))
        if not all(hasattr(n, "__index__") or hasattr(n, "numel") for n in data) or any(n is True for n in data):
            raise _no_sizes(cls.__name__, data)
        return EngineTensor(np.zeros(size_of(cls.__name__, data or (0,)), dtype.numpy))

    def _alias(cls, tensor: EngineTensor) -> EngineTensor:
        if cls._only is not None and tensor.dtype is not cls._only:
            raise error(
                TypeError,
                "dtype-mismatch",
                f"{cls.__name__} takes a tensor of {cls._only}, got one of {tensor.dtype}",
                hint=f"x.to({cls._only}) converts",
            )
        return tensor.view_as(tensor)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, EngineTensor) and cls._only in (None, value.dtype)

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls or (cls._only is None and issubclass(kind, EngineTensor))

    def __eq__(cls, other: object) -> bool:
        return cls is other or (cls._only is None and other is EngineTensor)

    def __hash__(cls) -> int:
        return hash(EngineTensor if cls._only is None else cls._only.name)

    def __getattr__(cls, name: str) -> Any:
        """Return what all tensors have: ``torch.Tensor.sin`` is the method as a function."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(EngineTensor, name)

    def __dir__(cls) -> list[str]:
        return dir(EngineTensor)

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


def _no_sizes(name: str, data: tuple[Any, ...]) -> Exception:
    got = ", ".join(type(item).__name__ for item in data)
    return error(
        TypeError,
        "bad-size",
        f"{name} takes whole numbers as sizes, or one list of numbers, got {got}",
        hint="tensor(3.5) makes a tensor of one number",
    )


class Tensor(metaclass=TensorType):
    """The type of every tensor, and the old constructor: see ``torch.tensor`` for the one to use."""

    _only = None

    def __init_subclass__(cls) -> None:
        raise error(TypeError, "class-base", "tensors can't be subclassed here", hint="functions of tensors do it all")


def _of_dtype(name: str, dtype: DType) -> TensorType:
    return TensorType(name, (), {"_only": dtype, "__doc__": f"Tensors of {dtype}: the old constructor of one."})


DoubleTensor = _of_dtype("DoubleTensor", dtypes.float64)
FloatTensor = _of_dtype("FloatTensor", dtypes.float32)
HalfTensor = _of_dtype("HalfTensor", dtypes.float16)
LongTensor = _of_dtype("LongTensor", dtypes.int64)
IntTensor = _of_dtype("IntTensor", dtypes.int32)
BoolTensor = _of_dtype("BoolTensor", dtypes.bool_)

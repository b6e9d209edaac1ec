"""Element types under PyTorch's names, the default float type, and PyTorch's type promotion."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error

_BOOL, _INT, _FLOAT, _COMPLEX = range(4)
_CATEGORY = {"b": _BOOL, "i": _INT, "u": _INT, "f": _FLOAT, "c": _COMPLEX}


class DType:
    """An element type such as ``torch.float64``: a name, the NumPy dtype behind it and its category."""

    __slots__ = ("category", "name", "numpy")

    def __init__(self, name: str, numpy: np.dtype[Any]) -> None:
        self.name = name
        self.numpy = numpy
        self.category = _CATEGORY[numpy.kind]

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name

    @property
    def is_floating_point(self) -> bool:
        """True for the real floating types."""
        return self.category == _FLOAT

    @property
    def is_complex(self) -> bool:
        """True for the complex types."""
        return self.category == _COMPLEX

    @property
    def is_signed(self) -> bool:
        """True where negative values exist."""
        return self.numpy.kind not in "bu"

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self.numpy.itemsize)


def _make(name: str) -> DType:
    return DType(name, np.dtype(name))


float64, float32, float16 = _make("float64"), _make("float32"), _make("float16")
int64, int32, int16, int8, uint8 = _make("int64"), _make("int32"), _make("int16"), _make("int8"), _make("uint8")
uint16, uint32, uint64 = _make("uint16"), _make("uint32"), _make("uint64")
complex128, complex64 = _make("complex128"), _make("complex64")
bool_ = _make("bool")

ALL = (
    float64,
    float32,
    float16,
    int64,
    int32,
    int16,
    int8,
    uint8,
    uint16,
    uint32,
    uint64,
    complex128,
    complex64,
    bool_,
)
ALIASES = {
    "double": float64,
    "float": float32,
    "half": float16,
    "long": int64,
    "int": int32,
    "short": int16,
    "cdouble": complex128,
    "cfloat": complex64,
}
_BY_NUMPY = {d.numpy: d for d in ALL}
_PYTHON_TYPES: dict[type, DType] = {bool: bool_, int: int64}
_COMPLEX_OF = {float16: complex64, float32: complex64, float64: complex128}
REAL_OF = {np.dtype(np.complex64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.float64)}


class _Default:
    """The default float type of the process (PyTorch's is process-wide as well)."""

    __slots__ = ("dtype",)

    def __init__(self) -> None:
        self.dtype = float64


default = _Default()


def get_default_dtype() -> DType:
    """Return the dtype that Python floats take when they become tensors."""
    return default.dtype


def set_default_dtype(dtype: DType) -> None:
    """Set the dtype that Python floats take when they become tensors; only floating types are possible (TypeError)."""
    dtype = as_dtype(dtype)
    if dtype.category != _FLOAT:
        raise error(TypeError, "dtype-mismatch", f"the default dtype must be a floating type, got {dtype}")
    default.dtype = dtype


def from_numpy_dtype(dtype: np.dtype[Any]) -> DType:
    """Return the DType of a NumPy dtype; TypeError where tensors have no such type."""
    found = _BY_NUMPY.get(dtype)
    if found is None:
        raise error(
            TypeError,
            "dtype-mismatch",
            f"a tensor cannot hold NumPy's {dtype}",
            hint="numbers only: bool, integer, float16/32/64, complex64/128",
        )
    return found


def as_dtype(dtype: Any) -> DType:
    """Return the DType meant by a DType, a Python type (float, int, bool, complex) or a NumPy dtype."""
    if type(dtype) is DType:
        return dtype
    if dtype is float:
        return default.dtype
    if dtype is complex:
        return _COMPLEX_OF[default.dtype]
    if dtype in (bool, int):
        return _PYTHON_TYPES[dtype]
    try:
        return from_numpy_dtype(np.dtype(dtype))
    except TypeError:
        raise error(
            TypeError, "dtype-mismatch", f"{dtype!r} is not a dtype", hint="for example dtype=torch.float64"
        ) from None


def of_number(value: bool | int | float | complex) -> DType:
    """Return the dtype that a Python number takes as a tensor of its own."""
    if value is True or value is False:
        return bool_
    if isinstance(value, int):
        return int64
    return _COMPLEX_OF[default.dtype] if isinstance(value, complex) else default.dtype


def promote(a: DType, b: DType) -> DType:
    """Return the type both promote to: the higher category wins, within a category the wider (torch.promote_types)."""
    if a is b:
        return a
    if a.category == b.category:
        return _BY_NUMPY[np.promote_types(a.numpy, b.numpy)]
    low, high = (a, b) if a.category < b.category else (b, a)
    if high.category == _COMPLEX and low.category == _FLOAT:
        return promote(high, _COMPLEX_OF[low])
    return high


def _combine(higher: DType | None, lower: DType | None) -> DType | None:
    """Let a lower rank (0-d tensor, Python number) matter only when its category is higher."""
    if higher is None or lower is None:
        return higher or lower
    if higher.category >= lower.category:
        return higher
    if lower.category == _COMPLEX and higher.category == _FLOAT:
        return _COMPLEX_OF[higher]
    return promote(higher, lower)


def result_type(operands: list[Any]) -> DType:
    """Return the dtype of an elementwise result, as ``torch.result_type`` ranks operands.

    ``operands`` are ndarrays (ranked by having dimensions or not) and Python numbers; tensors with dimensions come
    first, then 0-d tensors, then numbers, and a later rank matters only when its category is higher.
    """
    ranks: list[DType | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, (np.ndarray, np.generic)):
            rank, dtype = (0 if operand.ndim else 1), from_numpy_dtype(operand.dtype)
        else:
            rank, dtype = 2, of_number(operand)
        known = ranks[rank]
        ranks[rank] = dtype if known is None else promote(known, dtype)
    result = _combine(_combine(ranks[0], ranks[1]), ranks[2])
    assert result is not None
    return result


class finfo:
    """Limits of a floating type, as ``torch.finfo``: eps, max, min, tiny, bits."""

    def __init__(self, dtype: DType | None = None) -> None:
        info = np.finfo(as_dtype(default.dtype if dtype is None else dtype).numpy)
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.bits = int(info.bits)
        self.resolution = 10.0**-info.precision
        self.dtype = info.dtype.name

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{name}={getattr(self, name):g}' for name in names)}, dtype={self.dtype})"


class iinfo:
    """Limits of an integer type, as ``torch.iinfo``: max, min, bits."""

    def __init__(self, dtype: DType) -> None:
        info = np.iinfo(as_dtype(dtype).numpy)
        self.max, self.min, self.bits = int(info.max), int(info.min), int(info.bits)
        self.dtype = info.dtype.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"

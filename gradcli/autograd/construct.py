"""Tensors from Python data, as ``torch.tensor`` makes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.dtypes import DType, as_dtype, default, from_numpy_dtype, of_number
from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor


def tensor(data: Any, *, dtype: DType | None = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
    """Return a new tensor that copies ``data``: a number, nested lists, an ndarray or a tensor (then detached).

    The dtype is inferred as PyTorch does: bool, int64 or the default float (complex where a number is complex). Raises
    ValueError for ragged lists, TypeError for what is not a number, RuntimeError where ``requires_grad`` meets an
    integer type or ``device`` is not the CPU.
    """
    if device is not None:
        from gradcli.autograd.devices import check_device

        check_device(device)
    array = to_array(data, None if dtype is None else as_dtype(dtype))
    made = Tensor(array)
    if requires_grad is not False and requires_grad is not None:
        made.requires_grad_(requires_grad)
    return made


def Variable(data: Tensor, requires_grad: bool = False) -> Tensor:
    """Return a leaf on the memory of ``data``: what tensors that record were called before PyTorch 0.4.

    TypeError for what is no tensor.
    """
    if not isinstance(data, Tensor):
        raise error(TypeError, "not-a-tensor", f"Variable takes a tensor, got {type(data).__name__}")
    return data.detach().requires_grad_(requires_grad)


def to_array(data: Any, dtype: DType | None = None) -> np.ndarray[Any, Any]:
    """Return a new ndarray of ``data`` in the dtype PyTorch would infer, or in ``dtype``."""
    if isinstance(data, Tensor):
        return np.array(data._array, dtype=None if dtype is None else dtype.numpy)
    if isinstance(data, np.ndarray):
        from_numpy_dtype(data.dtype)
        return np.array(data, dtype=None if dtype is None else dtype.numpy)
    if isinstance(data, (list, tuple, range)):
        data = _plain(data, ())
    elif not isinstance(data, (bool, int, float, complex, np.generic)):
        raise _not_numbers(data)
    try:
        array = np.array(data)
    except ValueError:
        raise _ragged(data) from None
    except OverflowError:
        raise error(
            RuntimeError, "overflow", "an integer is too large for int64", hint="write it as a float: 1e30"
        ) from None
    return _typed(array, data, dtype)


def _typed(array: np.ndarray[Any, Any], data: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    if dtype is not None:
        if array.dtype.kind == "c" and not dtype.is_complex:
            raise error(TypeError, "dtype-mismatch", f"complex numbers do not fit into {dtype}")
        return array.astype(dtype.numpy)
    if array.dtype.kind == "O" or array.dtype.kind in "US":
        raise error(RuntimeError, "overflow", "an integer is too large for int64", hint="write it as a float: 1e30")
    if array.size == 0:
        return array.astype(default.dtype.numpy)
    if isinstance(data, np.generic):
        return array
    kind = array.dtype.kind
    return array if kind == "b" else array.astype(of_number({"i": 1, "u": 1, "f": 1.0, "c": 1j}[kind]).numpy)


def _plain(data: Any, path: tuple[int, ...]) -> Any:
    """Replace tensors inside nested lists by numbers or lists, and refuse what is not a number, naming its place."""
    if isinstance(data, (list, tuple, range)):
        return [_plain(item, (*path, i)) for i, item in enumerate(data)]
    if isinstance(data, Tensor):
        return data._array.tolist()
    if isinstance(data, (np.ndarray, np.generic)):
        return data.tolist()
    if not isinstance(data, (bool, int, float, complex)):
        raise _not_numbers(data, path)
    return data


def _not_numbers(data: Any, path: tuple[int, ...] = ()) -> Exception:
    where = f" at {''.join(f'[{i}]' for i in path)}" if path else ""
    return error(TypeError, "not-a-number", f"a tensor holds numbers, got {type(data).__name__}{where}")


def _ragged(data: Any) -> Exception:
    lengths: Any = [len(row) if isinstance(row, list) else None for row in data]
    for i, length in enumerate(lengths):
        if length != lengths[0]:
            counts = {None: "a number", 1: "1 entry"}
            show = [counts.get(n, f"{n} entries") for n in (lengths[0], length)]
            return error(ValueError, "ragged", f"rows differ in length: row 0 has {show[0]}, row {i} has {show[1]}")
    return error(ValueError, "ragged", "nested lists differ in length or depth")

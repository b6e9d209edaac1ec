"""NumPy's ``.npy``: a magic number, a header with dtype, order and shape, then the elements.

Everything is checked against the size of the file before memory is asked for. Format: NumPy Enhancement Proposal 1.
"""

from __future__ import annotations

import ast
from typing import Any, BinaryIO

import numpy as np

from gradcli.lang.formats.common import (
    Content,
    byte_count,
    checked_dtype,
    incomplete,
    malformed,
    pickled,
    remaining,
)

MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 10_000  # NumPy's own limit; an honest header of plain numbers has about 120 bytes
_MOST_DIMENSIONS = 64


def read(file: BinaryIO, name: str) -> Content:
    """Return the array of an ``.npy`` file, in row-major order whatever order the file has.

    ValueError for a damaged or incomplete file and for a pickle, TypeError for elements that are no numbers.
    """
    dtype, by_columns, shape = _header(file, name)
    native = checked_dtype(dtype, name)
    expected, found = byte_count(shape, dtype.itemsize), remaining(file)
    if found < expected:
        raise incomplete(name, expected, found, f"data of a {shape} array of {native}")
    flat = np.frombuffer(file.read(expected), dtype)
    array = flat.reshape(shape, order="F" if by_columns else "C")
    return np.array(array, native, order="C")


def write(file: BinaryIO, content: Content, name: str) -> None:
    """Write one array."""
    array = np.asarray(content)
    fields = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(file, fields)
    file.write(array.tobytes())


def _header(file: BinaryIO, name: str) -> tuple[np.dtype[Any], bool, tuple[int, ...]]:
    start = file.read(8)
    if not start.startswith(MAGIC[: len(start)]) or not start:
        raise pickled(name) if start[:1] == b"\x80" else malformed(name, "this is not an .npy file")
    if len(start) < 8:
        raise incomplete(name, 10, len(start), "start of the file")
    size_bytes = {1: 2, 2: 4, 3: 4}.get(start[6])
    if size_bytes is None:
        raise malformed(name, f"unknown .npy format version {start[6]}.{start[7]}")
    size_field = file.read(size_bytes)
    length = int.from_bytes(size_field, "little")
    if len(size_field) < size_bytes:
        raise incomplete(name, 8 + size_bytes, 8 + len(size_field), "start of the file")
    if length > _LONGEST_HEADER:
        raise malformed(name, f"its header claims {length:,} bytes; more than {_LONGEST_HEADER:,} is refused as unsafe")
    text = file.read(length)
    if len(text) < length:
        raise incomplete(name, length, len(text), "header")
    return _fields(text.decode("latin-1" if start[6] < 3 else "utf-8", "replace"), name)


def _fields(text: str, name: str) -> tuple[np.dtype[Any], bool, tuple[int, ...]]:
    try:
        fields = ast.literal_eval(text.strip())
        dtype = np.dtype([tuple(f) for f in fields["descr"]] if isinstance(fields["descr"], list) else fields["descr"])
        by_columns, shape = fields["fortran_order"], fields["shape"]
    except (SyntaxError, ValueError, TypeError, KeyError, MemoryError, RecursionError):
        raise malformed(name, "its header is damaged") from None
    if type(by_columns) is not bool or type(shape) is not tuple or any(type(n) is not int or n < 0 for n in shape):
        raise malformed(name, f"its header gives an impossible shape {shape!r}")
    if len(shape) > _MOST_DIMENSIONS:
        raise malformed(name, f"its header gives {len(shape)} dimensions; at most {_MOST_DIMENSIONS} are possible")
    return dtype, by_columns, shape

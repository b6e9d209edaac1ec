"""Hugging Face's ``.safetensors``: a JSON header with dtype, shape and byte range of each tensor, then the bytes.

A reader of our own, since the format is small and everything in it can be checked: the ranges must lie in the file,
fit dtype and shape, and cover the data without holes or overlaps, as the format demands.
"""

from __future__ import annotations

from typing import Any, BinaryIO, cast

import numpy as np

from gradcli.autograd.errors import error
from gradcli.lang.formats.common import Array, Content, byte_count, incomplete, malformed, remaining

_DTYPES = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8",
    "U64": "<u8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8", "BF16": "<u2",
}  # fmt: skip
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items() if name != "BF16"}
_LONGEST_HEADER = 100_000_000  # the limit of the format's own library


def read(file: BinaryIO, name: str) -> Content:
    """Return the arrays by name (bfloat16 becomes float32, exactly); ValueError for a damaged file."""
    size_field = file.read(8)
    size, length = remaining(file), int.from_bytes(size_field, "little")
    if len(size_field) < 8:
        raise incomplete(name, 8, len(size_field), "start of the file")
    if length > _LONGEST_HEADER:
        raise malformed(name, f"its header claims {length:,} bytes; this is no .safetensors file, or not a safe one")
    if length > size:
        raise incomplete(name, length, size, "header")
    entries = _entries(file.read(length), name)
    ranges = sorted((_range(entry, key, name), key) for key, entry in entries.items())
    _check_cover([r for r, _ in ranges], size - length, name)
    data = file.read(size - length)
    arrays = {key: _array(entries[key], data[start:end]) for (start, end), key in ranges}
    return {key: arrays[key] for key in entries}


def write(file: BinaryIO, content: Content, name: str) -> None:
    """Write named arrays; TypeError for an element type that the format doesn't have."""
    import json

    header: dict[str, Any] = {}
    blocks, end = [], 0
    for key, value in cast("dict[str, Array]", content).items():
        array = np.asarray(value)
        array = array.astype(array.dtype.newbyteorder("<"))
        if array.dtype not in _NAMES:
            raise error(TypeError, "file-dtype", f"a .safetensors file can't hold {array.dtype}", hint="save as .npz")
        blocks.append(array.tobytes())
        start, end = end, end + array.nbytes
        header[key] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little") + text + b"".join(blocks))


def _entries(text: bytes, name: str) -> dict[str, Any]:
    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise malformed(name, "a name appears twice in its header")
        return dict(pairs)

    try:
        header = json.loads(text, object_pairs_hook=unique)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise malformed(name, "its header is damaged") from None
    if not isinstance(header, dict):
        raise malformed(name, "its header is damaged")
    header.pop("__metadata__", None)
    return header


def _range(entry: Any, key: str, name: str) -> tuple[int, int]:
    """Return the byte range of an entry after checking it against dtype and shape."""
    fields = entry if isinstance(entry, dict) else {}
    dtype: Any = fields.get("dtype")
    shape: Any = fields.get("shape")
    offsets: Any = fields.get("data_offsets")
    if not isinstance(dtype, str) or not _counts(shape) or not _counts(offsets) or len(offsets) != 2:
        raise malformed(name, f"the entry of {key!r} is damaged")
    if dtype not in _DTYPES:
        raise error(TypeError, "file-dtype", f"{name}: {key!r} has elements of type {dtype}, which a tensor can't hold")
    expected = byte_count(tuple(shape), np.dtype(_DTYPES[dtype]).itemsize)
    if offsets[1] - offsets[0] != expected:
        found = offsets[1] - offsets[0]
        raise malformed(
            name, f"{key!r} needs {expected:,} bytes for {tuple(shape)} of {dtype}, its range has {found:,}"
        )
    return offsets[0], offsets[1]


def _counts(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and n >= 0 for n in value)


def _check_cover(ranges: list[tuple[int, int]], size: int, name: str) -> None:
    at = 0
    for start, end in ranges:
        if start != at:
            raise malformed(name, f"the data has {'a hole' if start > at else 'an overlap'} at byte {min(start, at):,}")
        at = end
    if at > size:
        raise incomplete(name, at, size, "data")
    if at < size:
        raise malformed(name, f"{size - at:,} bytes at its end belong to no tensor")


def _array(entry: dict[str, Any], data: bytes) -> Array:
    flat = np.frombuffer(data, _DTYPES[entry["dtype"]])
    if entry["dtype"] == "BF16":  # the upper half of a float32
        flat = (flat.astype(np.uint32) << 16).view(np.float32)
    return np.array(flat.reshape(entry["shape"]), flat.dtype.newbyteorder("="))

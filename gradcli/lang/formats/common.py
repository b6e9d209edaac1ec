"""What the formats share: the numbers a tensor can hold, and how a damaged file is refused."""

from __future__ import annotations

import math
import os
from typing import Any, BinaryIO

import numpy as np

from gradcli.autograd.errors import error

Array = np.ndarray[Any, Any]
Content = Array | dict[str, Any]
"""What a file holds: an array, or named contents."""

_SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}


def incomplete(name: str, expected: int, found: int, what: str = "file") -> Exception:
    """Return the error of a file that was cut off."""
    return error(
        ValueError,
        "file-incomplete",
        f"{name}: the {what} is incomplete, expected {expected:,} bytes, found {found:,}",
        hint="it was probably cut off while it was written or copied; get it again",
    )


def malformed(name: str, message: str, hint: str | None = None) -> Exception:
    """Return the error of a file that isn't what its name says."""
    return error(ValueError, "file-malformed", f"{name}: {message}", hint=hint)


def pickled(name: str) -> Exception:
    """Return the refusal of a pickle."""
    return error(
        ValueError,
        "file-pickle",
        f"{name} holds Python objects (a pickle), which are never loaded: reading a pickle can run any code",
        hint="save the numbers as .npy, .npz or .safetensors instead",
    )


def checked_dtype(dtype: np.dtype[Any], name: str) -> np.dtype[Any]:
    """Return ``dtype`` in this machine's byte order; TypeError when a tensor can't hold it."""
    if dtype.names is not None:
        fields = ", ".join(f"{field} ({dtype[field]})" for field in dtype.names)
        raise error(
            TypeError,
            "file-dtype",
            f"{name} holds records with the fields {fields}, not plain numbers",
            hint=f"save one field as an array of its own, as np.save(..., a[{dtype.names[0]!r}]) does",
        )
    if dtype.hasobject:
        raise pickled(name)
    if dtype.subdtype is not None or dtype.itemsize not in _SIZES.get(dtype.kind, ()):
        raise error(
            TypeError,
            "file-dtype",
            f"{name} holds elements of type {dtype}, which a tensor can't hold",
            hint="numbers only: bool, integers, float16/32/64, complex64/128",
        )
    return dtype.newbyteorder("=")


def byte_count(shape: tuple[int, ...], itemsize: int) -> int:
    """Return the bytes that an array of ``shape`` takes, exactly however absurd the shape is."""
    return math.prod(shape) * itemsize


def remaining(file: BinaryIO) -> int:
    """Return how many bytes follow the current position."""
    here = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(here)
    return end - here


def read_text(file: BinaryIO, name: str) -> str:
    """Return the file as text; ValueError with the line when it isn't UTF-8."""
    raw = file.read()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        line = raw.count(b"\n", 0, bad.start) + 1
        hint = "save it as UTF-8"
        raise malformed(name, f"byte 0x{raw[bad.start]:02x} in line {line} is not UTF-8 text", hint) from None

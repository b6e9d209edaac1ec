"""Tables of numbers as text, separated by commas, semicolons, tabs or spaces.

Nothing is guessed into a number: a field that isn't one is an error with its line, its column and its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from gradcli.autograd.errors import error
from gradcli.lang.formats.common import Content, malformed, read_text

_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)\Z", re.IGNORECASE | re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+\Z")


def read(file: BinaryIO, name: str) -> Content:
    """Return the table as an array of rows; one row or one column gives a vector, as ``numpy.loadtxt`` does.

    A first line without any number is a header. Blank lines and ``#`` comments are skipped. ValueError otherwise.
    """
    text = read_text(file, name)
    if "\0" in text:
        raise malformed(name, "this is not text: it holds NUL bytes")
    records = list(_records(text))
    if records:
        first, width = records[0][0], len(records[0][1])
        ragged = next((record for record in records if len(record[1]) != width), None)
        if ragged is not None:
            raise _ragged(name, *ragged, width, first)
    rows = records[1:] if records and _is_header(records[0][1]) else records
    if not rows:
        raise malformed(name, "the file holds no numbers")
    table = np.array([[_number(f, name, line, column) for column, f in enumerate(fs, 1)] for line, fs in rows])
    return table.reshape(-1) if 1 in table.shape else table


def write(file: BinaryIO, content: Content, name: str) -> None:
    """Write an array of at most two dimensions with every digit; ValueError for more, TypeError for complex numbers."""
    array = np.asarray(content)
    if array.ndim > 2:
        raise error(ValueError, "file-shape", f"{name}: a .csv table has rows and columns, not {array.ndim} dimensions")
    if array.dtype.kind == "c":
        raise error(TypeError, "file-dtype", "a .csv table has no complex numbers", hint="save as .npy or .json")
    for row in array.reshape(-1, 1) if array.ndim < 2 else array:
        file.write((",".join(str(int(v)) if array.dtype.kind in "biu" else str(v) for v in row) + "\n").encode())


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of the lines that hold something."""
    import csv

    lines = text.splitlines()
    kept = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    delimiter = next((d for d in ";\t," if d in kept[0][1]), None) if kept else None
    for number, line in kept:
        if delimiter is None:
            yield number, [field.strip('"') for field in line.split()]
        else:
            record = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
            yield number, [field.strip() for field in record]


def _is_header(fields: list[str]) -> bool:
    return all(field and not _NUMBER.match(field) and not _DECIMAL_COMMA.match(field) for field in fields)


def _number(field: str, name: str, line: int, column: int) -> float:
    if _NUMBER.match(field):
        return float(field)
    place = f"{name}, line {line}, column {column}"
    if not field:
        raise error(ValueError, "file-field", f"{place}: the field is empty", hint="write nan for a missing number")
    hint = "write a decimal point instead of the comma" if _DECIMAL_COMMA.match(field) else None
    raise error(ValueError, "file-field", f"{place}: {field[:40]!r} is not a number", hint=hint)


def _ragged(name: str, line: int, fields: list[str], width: int, first: int) -> Exception:
    column = min(len(fields), width) + 1
    found = f"found {fields[column - 1][:40]!r}" if len(fields) > width else "the line ends"
    return error(
        ValueError,
        "file-ragged",
        f"{name}, line {line}, column {column}: {found}, where line {first} has {width} field{'s' * (width != 1)}"
        f" and this one {len(fields)}: {','.join(fields)[:60]!r}",
        hint="every line needs the same number of fields",
    )

"""Nested lists of numbers as JSON, named arrays as an object; "nan", "inf" and "-inf" stand for what JSON lacks."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from gradcli.lang.formats.common import Array, Content, malformed, read_text

_NAMED = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def read(file: BinaryIO, name: str) -> Content:
    """Return the array, or arrays by name; ValueError with the place for what is no number or doesn't line up."""
    import json

    try:
        value = json.loads(read_text(file, name))
        return _content(value, name)
    except json.JSONDecodeError as bad:
        raise malformed(name, _told(bad.doc, bad.pos, bad.msg)) from None
    except RecursionError:
        raise malformed(name, "it is nested too deeply") from None


def _told(text: str, place: int, words: str) -> str:
    """Return where ``text`` is no JSON and why; Python 3.13 stops at a superfluous comma, older ones behind it."""
    before = text[:place].rstrip()
    if text[place : place + 1] in ("]", "}") and before.endswith(","):
        place, words = len(before) - 1, "Illegal trailing comma"
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return f"line {line}, column {column}: this is not JSON{_reason(words)}"


def _reason(words: str) -> str:
    """Return what JSON lacks there, in a person's words."""
    if words.startswith("Illegal trailing comma"):
        return ": nothing follows this comma"
    if words.startswith("Expecting property name"):
        return ": a name in double quotes is expected"
    if words.startswith("Expecting"):
        wanted = words.removeprefix("Expecting").strip().removesuffix(" delimiter")
        return f": {'a value' if wanted == 'value' else wanted} is expected"
    return f": {words[:1].lower()}{words[1:]}"


def write(file: BinaryIO, content: Content, name: str) -> None:
    """Write an array, or arrays by name, so that every float reads back exactly."""
    import json

    file.write((json.dumps(plain(content), allow_nan=False) + "\n").encode())


def plain(value: Any) -> Any:
    """Return what strict JSON can hold: complex numbers as {"re", "im"}, not-a-number and infinities as strings."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biu":
        return value.tolist()
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value.tolist() if np.isfinite(value).all() else _marked(value.tolist())
    return _marked(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)


def _marked(value: Any) -> Any:
    if isinstance(value, list):
        return [_marked(inner) for inner in value]
    if isinstance(value, complex):
        return {"re": _marked(value.real), "im": _marked(value.imag)}
    if isinstance(value, float) and value - value != 0:
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value


def _content(value: Any, name: str) -> Content:
    if isinstance(value, dict) and set(value) != {"re", "im"}:
        return {key: _content(inner, f"{name}[{key}]") for key, inner in value.items()}
    shape: list[int] = []
    level = value
    while isinstance(level, list):
        shape.append(len(level))
        level = level[0] if level else 0.0
    flat: list[Any] = []
    _collect(value, tuple(shape), "", flat, name)
    return _array(flat, tuple(shape), name)


def _collect(value: Any, shape: tuple[int, ...], path: str, flat: list[Any], name: str) -> None:
    """Append the numbers below ``value`` to ``flat``; ValueError with the path of the one that doesn't fit."""
    where = f"{name}: element {path}" if path else name
    if not shape:
        flat.append(_number(value, where))
        return
    if not isinstance(value, list) or len(value) != shape[0]:
        found = f"a list of {len(value)}" if isinstance(value, list) else "a single value"
        raise malformed(where, f"found {found} where the others have {shape[0]} elements")
    for index, inner in enumerate(value):
        _collect(inner, shape[1:], f"{path}[{index}]", flat, name)


def _number(value: Any, where: str) -> Any:
    if isinstance(value, dict) and set(value) == {"re", "im"}:
        return complex(_number(value["re"], where), _number(value["im"], where))
    if isinstance(value, str) and value in _NAMED:
        return _NAMED[value]
    if not isinstance(value, int | float):
        found = "a list" if isinstance(value, list) else "null" if value is None else repr(value)[:40]
        raise malformed(where, f"{found} is not a number")
    return value


def _array(flat: list[Any], shape: tuple[int, ...], name: str) -> Array:
    kinds = set(map(type, flat))
    dtype = np.complex128 if complex in kinds else np.float64 if float in kinds or not flat else np.int64
    try:
        return np.array(flat, np.bool_ if kinds == {bool} else dtype).reshape(shape)
    except OverflowError:
        raise malformed(name, "it holds an integer beyond 64 bits", "write it as a float") from None

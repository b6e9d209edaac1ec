"""A written text against a printed one: number by number to the digits that are written, all else as it stands."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd.comparing import worst_element
from gradcli.checks import digits
from gradcli.checks.digits import Token
from gradcli.lang.observed import Observed

_PIECE = re.compile(r"\s*(?:([\[\],])|([^\s\[\],]+))")
_TENSOR = re.compile(r"tensor\((.*)\)\s*", re.DOTALL)


class Literal(NamedTuple):
    """A number or nested lists of them, as written: the texts in a row, the shape, and what follows in ``tensor(...)``.

    ``suffix`` is None for a value without ``tensor(...)`` around it, which says nothing of dtype or graph.
    """

    texts: list[str]
    shape: tuple[int, ...]
    suffix: str | None


def split_remark(text: str) -> tuple[str, str]:
    """Return a written value and the comment behind it, as in ``4.5  # the sum``; a text keeps its ``#``."""
    if text.startswith("#"):
        return "", f"  {text}"
    value = text.partition(" #")[0].rstrip()
    is_value = value != text and (value in ("", "None") or parse_literal(value) is not None)
    return (value, text[len(value) :]) if is_value else (text, "")


def parse_literal(text: str) -> Literal | None:
    """Return the literal that all of ``text`` is, None for anything else (a ragged list, ``...``, words)."""
    whole = _TENSOR.fullmatch(text.strip())
    body, suffix = (whole[1], "") if whole else (text, None)
    if whole:
        end = body.rfind("]") + 1 or len(body.partition(",")[0])
        body, suffix = body[:end], " ".join(body[end:].lstrip(" ,").split())
    read = _read(body)
    return None if read is None else Literal(*read, suffix)


def _read(body: str) -> tuple[list[str], tuple[int, ...]] | None:
    """Return the numbers of nested lists and their shape."""
    texts: list[str] = []
    sizes: dict[int, set[int]] = {}
    open_lists: list[int] = []
    at = 0
    while at < len(body.rstrip()):
        match = _PIECE.match(body, at)
        if match is None:
            return None
        at = match.end()
        sign, word = match[1], match[2]
        if word is not None:
            if not _is_value(word) or (not open_lists and texts):
                return None
            texts.append(word)
        if sign != "]" and sign != "," and open_lists:
            open_lists[-1] += 1
        if sign == "[":
            open_lists.append(0)
        elif sign == "]":
            if not open_lists:
                return None
            size = open_lists.pop()
            sizes.setdefault(len(open_lists), set()).add(size)
    if open_lists or any(len(found) > 1 for found in sizes.values()):
        return None
    shape = tuple(sizes[depth].pop() for depth in sorted(sizes))
    return (texts, shape) if texts and int(np.prod(shape)) == len(texts) else None


def _is_value(word: str) -> bool:
    found = digits.tokens(word)
    return word in ("True", "False") or (len(found) == 1 and found[0].is_number)


class Mismatch(NamedTuple):
    """Why two texts differ: what to say, and the number of the line (from 0) where they first do."""

    notes: list[str]
    line: int = 0


def compare(expected: str, observed: Observed) -> Mismatch | None:
    """Return how a printed text differs from the written one; None where it is what is written."""
    if "#" in expected and compare_texts(expected, observed) is None:
        return None  # what is printed has a `#` itself
    expected = split_remark(expected)[0]
    if not expected.strip():
        return Mismatch(["nothing is written yet"]) if observed.strip() else None
    if isinstance(observed.value, np.ndarray) and observed.value.dtype.kind == "c":
        printed = None if expected.startswith("tensor(") else _TENSOR.fullmatch(str(observed).strip())
        return compare_texts(expected, printed[1] if printed else observed)
    literal = parse_literal(expected)
    if literal is not None and observed.value is not None:
        return _values(literal, observed)
    return compare_texts(expected, observed)


def _values(literal: Literal, observed: Observed) -> Mismatch | None:
    """Compare the very values: they have more digits than their text."""
    got = np.asarray(observed.value)
    if got.shape != literal.shape:
        return Mismatch([f"shapes differ: got {got.shape}, written {literal.shape}"])
    flat = got.reshape(-1).tolist()
    right = np.array([_holds(text, value) for text, value in zip(literal.texts, flat, strict=True)], dtype=bool)
    kinds = _kinds(literal, got)
    if right.all() and kinds is None:
        return _suffixes(literal, observed)
    return Mismatch([kinds] if kinds else _worst(literal, got, right))


def _holds(text: str, value: Any) -> bool:
    if isinstance(value, bool) or text in ("True", "False"):
        return text == str(value)
    return digits.agrees(text, value)


def _kinds(literal: Literal, got: np.ndarray[Any, Any]) -> str | None:
    """``tensor([1, 2])`` are whole numbers and ``tensor([1., 2.])`` are not; a bare ``[1, 2]`` may be either."""
    if literal.suffix is None or "dtype=" in literal.suffix or got.dtype.kind == "b":
        return None
    whole = all(text.lstrip("+-").isdigit() for text in literal.texts)
    if whole == (got.dtype.kind in "iu"):
        return None
    return f"dtypes differ: got {got.dtype}, written {'whole numbers' if whole else 'numbers with a point'}"


def _worst(literal: Literal, got: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> list[str]:
    """Return the words for the element that is furthest from what is written."""
    if any(text in ("True", "False") for text in literal.texts) or got.dtype.kind == "b":
        first = int(np.argmin(right))
        return [f"got {got.reshape(-1)[first]}, written {literal.texts[first]}"]
    values = np.array([digits.written(text).value for text in literal.texts])
    values = np.where(right, got.reshape(-1), values).reshape(got.shape)
    worst = worst_element(got, values, 0.0, 0.0, True)
    if worst is None:
        return []
    text = literal.texts[int(np.ravel_multi_index(worst.index, got.shape)) if got.ndim else 0]
    return ["; ".join(worst.lines()).replace(f"expected {worst.expected!r}", f"written {text}")]


def _suffixes(literal: Literal, observed: Observed) -> Mismatch | None:
    """Compare what follows the numbers: dtype, grad_fn, requires_grad, size."""
    if literal.suffix is None:
        return None
    printed = parse_literal(str(observed))
    got = printed.suffix if printed is not None and printed.suffix is not None else ""
    if got == literal.suffix:
        return None
    return Mismatch([f"got `{got or 'nothing'}` after the numbers, written `{literal.suffix or 'nothing'}`"])


def compare_texts(expected: str, observed: str) -> Mismatch | None:
    """Compare two texts token by token."""
    want, got = digits.tokens(_stripped(expected)), digits.tokens(_stripped(observed))
    line = 0
    for a, b in zip_longest(want, got, fillvalue=Token("", False)):
        if not _same(a, b):
            row = _lines_before(a, b)
            return Mismatch([f"got {_quoted(b.text, row)}, written {_quoted(a.text, row)}"], line + row)
        line += a.text.count("\n")
    return None


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def _same(a: Token, b: Token) -> bool:
    if not (a.is_number and b.is_number):
        return a == b
    return digits.same_kind(a.text, b.text) and digits.agrees(a.text, float(b.text.rstrip("j")))


def _lines_before(a: Token, b: Token) -> int:
    """Return how many line ends two different tokens share before they part."""
    pairs = zip_longest(a.text.split("\n"), b.text.split("\n"))
    return next((k for k, (x, y) in enumerate(pairs) if x != y), 0)


def _quoted(text: str, row: int) -> str:
    """Return line ``row`` of a piece of text, shortened."""
    words = "".join(text.split("\n")[row : row + 1]).strip()
    shown = words if len(words) <= 60 else words[:57] + "..."
    return f"`{shown}`" if shown else "nothing"

"""Numbers in written text: found, and compared to the digits that are written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_NUMBER = re.compile(
    r"(?<![\w.])[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|nan|inf)(?![\w.](?<!j))j?(?!\w)"
)
_SIGN_BEFORE = re.compile(r"[\w.\])]\s*$")
_SPACE = re.compile(r"\s+")
_SLACK, _ROUNDING = 1e-9, 4e-16


def numbers(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each number of ``text`` starts and ends; a sign between two values is an operator, not part of it."""
    for match in _NUMBER.finditer(text):
        start = match.start()
        is_operator = text[start] in "+-" and _SIGN_BEFORE.search(text[max(start - 4, 0) : start])
        yield start + bool(is_operator), match.end()


class Token(NamedTuple):
    """A piece of text; ``is_number`` tells whether it is compared by its digits."""

    text: str
    is_number: bool


def tokens(text: str) -> list[Token]:
    """Cut ``text`` into numbers and what is between them.

    White space counts outside of brackets alone, and only where no number stands beside it: columns may shift.
    """
    found: list[Token] = []
    at = depth = 0
    for start, end in numbers(text):
        depth = _add_words(found, text[at:start], depth)
        found.append(Token(text[start:end], True))
        at = end
    _add_words(found, text[at:], depth, last=True)
    return found


def _add_words(found: list[Token], text: str, depth: int, last: bool = False) -> int:
    """Add what stands between two numbers, its white space made even; return how many brackets are open after it."""
    pieces: list[str] = []
    at = 0
    for match in [*_SPACE.finditer(text), None]:
        end = match.start() if match else len(text)
        word = text[at:end]
        depth += sum(word.count(c) for c in "([{") - sum(word.count(c) for c in ")]}")
        pieces.append(word)
        if match is None:
            break
        at = match.end()
        beside = (match.start() == 0 and bool(found)) or (at == len(text) and not last)
        pieces.append(_even(match[0], depth > 0, beside))
    joined = re.sub(r"(?<=[\[(]) | (?=[\])])", "", "".join(pieces))
    if joined:
        found.append(Token(joined, False))
    return max(depth, 0)


def _even(space: str, inside: bool, beside: bool) -> str:
    if inside:
        return " "
    if "\n" in space:
        return "\n"
    return " " if beside else space


class Written(NamedTuple):
    """A number as it is written: its value, how many decimals it has (None: exact), and the size of the last one."""

    value: float
    decimals: int | None
    unit: float


def written(text: str) -> Written:
    """Return what a number's text says. ``4.50`` means two decimals; ``4`` and ``4.`` mean exactly that."""
    plain = text.rstrip("j")
    value = float(plain)
    mantissa, _, exponent = plain.lower().partition("e")
    fraction = mantissa.partition(".")[2]
    if not math.isfinite(value) or (not fraction and not exponent):
        return Written(value, None, 0.0)
    return Written(value, len(fraction), 10.0 ** (int(exponent or 0) - len(fraction)))


def agrees(text: str, value: float) -> bool:
    """Tell whether ``value``, rounded to the digits of ``text``, is what is written; nan is only ``nan``."""
    expected = written(text)
    if math.isnan(expected.value) or math.isnan(value):
        return math.isnan(expected.value) and math.isnan(value)
    if expected.decimals is None or math.isinf(value):
        return expected.value == value
    # half a unit of the last digit, and what binary fractions add to a decimal tie
    return abs(value - expected.value) <= 0.5 * expected.unit * (1 + _SLACK) + _ROUNDING * abs(value)


def same_kind(a: str, b: str) -> bool:
    """Tell whether two numbers are both whole, or both not; ``4`` is a whole number and ``4.`` is not."""
    return _is_whole(a) == _is_whole(b) and a.endswith("j") == b.endswith("j")


def _is_whole(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def like(text: str, value: float) -> str:
    """Return ``value`` written with as many digits as ``text`` has."""
    if not math.isfinite(value):
        return repr(value)
    mantissa, exponent, _ = text.rstrip("j").lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if exponent:
        return f"{value:.{decimals}e}"
    if decimals:
        return f"{value:.{decimals}f}"
    if float(value).is_integer() and abs(value) < 1e16:
        return f"{value:.0f}" + ("." if "." in mantissa else "")
    return f"{value:.4f}"


def like_text(text: str, printed: str) -> str:
    """Return a printed number with the digits of ``text``, never more than are printed."""
    plain = printed.rstrip("j")
    shown, wanted = written(plain), written(text)
    if shown.decimals is None or wanted.decimals is None or wanted.decimals > shown.decimals:
        return plain
    return like(text, shown.value) if "e" in text.lower() or "e" not in plain.lower() else plain


def replace_numbers(text: str, renew: Callable[[str], str]) -> str:
    """Return ``text`` with each number of it replaced by what ``renew`` makes of it."""
    pieces, at = [], 0
    for start, end in numbers(text):
        pieces += [text[at:start], renew(text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])

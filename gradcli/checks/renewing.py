"""A script with its ``#>`` comments brought up to date: numbers keep their digits, all else keeps its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradcli.checks import digits
from gradcli.checks.matching import compare, parse_literal, split_remark
from gradcli.lang.compiling import Expectation, Unit
from gradcli.lang.observed import Observed


def updated(unit: Unit, observed: Mapping[int, Sequence[Observed]]) -> str:
    """Return the text of a script with new ``#>`` comments: ``observed`` has the texts printed, by their numbers.

    A comment that printed nothing stays as it is. Where the shape of what is printed is still the written one, only the
    numbers that differ change, each to as many digits as were written.
    """
    lines = unit.source.text.split("\n")
    for index in sorted(observed, reverse=True):
        item, texts = unit.expectations[index], observed[index]
        if texts and item.line != item.span.line:
            _renew_block(lines, item, texts)
        elif texts:
            _renew_line(lines, item, texts)
    return "\n".join(lines)


def _renew_block(lines: list[str], item: Expectation, texts: Sequence[Observed]) -> None:
    first, last = item.span.line - 1, item.span.end_line - 1
    indent = lines[first][: item.span.column - 1]
    whole = texts[0] if len(texts) == 1 else Observed("".join(texts))
    lines[first : last + 1] = _comments(renewed(item.text, whole), indent)


def _comments(text: str, indent: str) -> list[str]:
    return [f"{indent}#> {line}".rstrip() for line in text.rstrip("\n").split("\n")]


def _renew_line(lines: list[str], item: Expectation, texts: Sequence[Observed]) -> None:
    """Rewrite a comment behind its code; what doesn't fit on one line goes below it."""
    number = item.span.line - 1
    code = lines[number][: item.span.column - 1]
    value, remark = split_remark(item.text)
    if len(set(texts)) == 1:
        new = renewed(value, texts[0])
        flat = new if "\n" not in new else _flat(new)
        if "\n" not in flat and compare(flat + remark, texts[0]) is None:
            lines[number] = f"{code}{_start(lines[number][len(code) :]) if value else '#> '}{flat}{remark}".rstrip()
            return
    indent = code[: len(code) - len(code.lstrip())]
    kept = "" if remark.lstrip().startswith("#>") else remark  # else it would be one more thing to compare
    lines[number : number + 1] = [code.rstrip() + kept, *_comments("".join(texts), indent)]


def _start(comment: str) -> str:
    """Return ``#>`` with the blanks that stand behind it, at least one."""
    return comment[: len(comment) - len(comment[2:].lstrip(" "))].ljust(3)


def _flat(text: str) -> str:
    """Return a tensor's text on one line; a text with line ends outside of brackets stays as it is."""
    found = digits.tokens(text.rstrip())
    return text if any("\n" in token.text for token in found) else "".join(token.text for token in found)


def renewed(expected: str, observed: Observed) -> str:
    """Return the text to write for ``observed`` where ``expected`` was written."""
    if not expected.strip():
        return _number_alone(observed)
    literal = parse_literal(expected)
    if literal is not None and observed.value is not None and literal.suffix is None:
        return _bare(expected, literal.shape, np.asarray(observed.value), observed)
    if compare(expected, observed) is None:
        return expected
    want, got = digits.tokens(expected.rstrip()), digits.tokens(observed.rstrip())
    if [_form(token) for token in want] != [_form(token) for token in got]:
        return observed.rstrip()
    return _with_numbers(expected, [token.text for token in got if token.is_number], _values_of(observed))


def _number_alone(observed: Observed) -> str:
    """Return what is printed, of a tensor of one number only the number."""
    printed = parse_literal(str(observed))
    return printed.texts[0] if printed is not None and printed.shape == () else observed.rstrip()


def _form(token: digits.Token) -> str | bool:
    return token.text.lstrip("+-").isdigit() if token.is_number else token.text


def _values_of(observed: Observed) -> list[float] | None:
    """Return the exact numbers behind a tensor's text, None where the text is all there is."""
    array = np.asarray(observed.value) if observed.value is not None else None
    return None if array is None or array.dtype.kind not in "fiu" else array.reshape(-1).tolist()


def _with_numbers(text: str, printed: list[str], values: list[float] | None) -> str:
    """Replace the numbers of ``text`` that differ from the printed ones, each with as many digits as it has."""
    exact = values if values is not None and len(values) == len(printed) else None
    numbers = iter(enumerate(printed))

    def renew(old: str) -> str:
        index, shown = next(numbers)
        value = exact[index] if exact else float(shown.rstrip("j"))
        if digits.agrees(old, value):
            return old
        if not np.isfinite(float(old.rstrip("j"))):  # nan has no digits to take after
            return shown
        return (digits.like(old, value) if exact else digits.like_text(old, shown)) + ("j" if old[-1] == "j" else "")

    return digits.replace_numbers(text, renew)


def _bare(expected: str, shape: tuple[int, ...], array: np.ndarray[Any, Any], observed: Observed) -> str:
    """Return a number or nested lists without ``tensor(...)``, as they were written."""
    if array.dtype.kind == "c":
        return observed.rstrip()
    if array.shape == shape and array.dtype.kind in "fiu":
        return _with_numbers(expected, [repr(value) for value in array.reshape(-1).tolist()], _values_of(observed))
    pattern = max((token.text for token in digits.tokens(expected) if token.is_number), key=len, default="0.0000")
    if array.dtype.kind == "b":
        return str(array.tolist())
    return _nested(array.tolist(), pattern)


def _nested(value: Any, pattern: str) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_nested(item, pattern) for item in value)}]"
    return digits.like(pattern, value)

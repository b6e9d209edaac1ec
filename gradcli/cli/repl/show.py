"""The value of an entry as text: a tensor as PyTorch prints it, anything else bounded in width, depth and length."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from gradcli.autograd import Tensor, printing
from gradcli.cli.render.columns import visible, width
from gradcli.cli.terminal import Look, Paint

MAX_LINES = 60
MAX_CHARACTERS = 5_000
_MAX_ITEMS = 300
_MAX_DEPTH = 12
_ITEMS_SHOWN = 20
_LEAST_WIDTH = 24


def shown_result(value: Any, look: Look, prefix: str) -> tuple[str, str | None]:
    """Return the lines that show ``value`` after ``prefix``, and what ``print`` would write, None for what varies.

    Without a prefix nobody looks at it: then the value stands alone, without its shape and without colours.
    """
    text, printed = value_text(value, look, width(prefix))
    if not prefix:
        return f"{text}\n", printed
    paint = Paint(look.color)
    lines = _clipped(text, look).split("\n")
    indent = " " * width(prefix)
    shown = paint("name", prefix) + f"\n{indent}".join(lines)
    facts = facts_of(value)
    if facts:
        fits = width(lines[-1]) + len(indent) + len(facts) + 2 <= look.width
        shown += ("  " if fits else f"\n{indent}") + paint("dim", facts)
    return f"{shown}\n", printed


def value_text(value: Any, look: Look, taken: int = 0) -> tuple[str, str | None]:
    """Return ``value`` as it is shown in the ``look.width - taken`` columns there are, and as ``print`` has it."""
    if isinstance(value, Tensor):
        printed = repr(value)
        room = max(_LEAST_WIDTH, look.width - taken)
        if printing.options.linewidth <= room:
            return printed, printed
        return with_options(lambda: repr(value), linewidth=room), printed
    if isinstance(value, FunctionType):
        return signature_of(value), None
    if not _is_small(value):
        return brief(value), None
    try:
        text, printed = visible(repr(value)), str(value)
    except ValueError:  # whole numbers with thousands of digits refuse to become a text
        return "a number with thousands of digits", None
    return text, None if " at 0x" in printed or len(printed) > MAX_CHARACTERS else printed


def full_text(value: Any) -> str:
    """Return all of a value: every element of a tensor, every item of a list."""
    return with_options(lambda: visible(repr(value)), threshold=float("inf"))


def with_options(make: Callable[[], str], **options: Any) -> str:
    """Return what ``make`` gives while tensors are printed with other options."""
    before = {name: getattr(printing.options, name) for name in options}
    try:
        for name, value in options.items():
            setattr(printing.options, name, value)
        return make()
    finally:
        for name, value in before.items():
            setattr(printing.options, name, value)


def facts_of(value: Any) -> str:
    """Return shape and dtype of a tensor, nothing for other values."""
    return f"{tuple(value.shape)} {value.dtype.name}" if isinstance(value, Tensor) else ""


def signature_of(function: FunctionType) -> str:
    """Return the head of a function of the script's."""
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    rest = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    at = code.co_argcount + code.co_kwonlyargcount
    defaults = function.__defaults__ or ()
    given = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True)) | (
        function.__kwdefaults__ or {}
    )
    words = [*positional]
    if code.co_flags & 0x04:  # *args
        words.append(f"*{code.co_varnames[at]}")
        at += 1
    elif rest:
        words.append("*")
    words += rest
    if code.co_flags & 0x08:  # **kwargs
        words.append(f"**{code.co_varnames[at]}")
    shown = [f"{word}={brief(given[word])}" if word in given else word for word in words]
    return f"{'lambda' if function.__name__ == '<lambda>' else function.__name__}({', '.join(shown)})"


def brief(value: Any, depth: int = 0) -> str:
    """Return a value with the first items of each of its lists, down to some depth."""
    if not isinstance(value, list | tuple | set | dict):
        text = repr(value) if not isinstance(value, FunctionType) else signature_of(value)
        return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}..."
    brackets = {list: ("[", "]"), tuple: ("(", ")")}
    opener, closer = brackets.get(type(value), ("{", "}"))
    if depth >= _MAX_DEPTH:
        return f"{opener}...{closer}"
    count = _ITEMS_SHOWN if depth == 0 else max(2, _ITEMS_SHOWN >> depth)
    if isinstance(value, dict):
        pairs = list(value.items())[:count]
        parts = [f"{key!r}: {brief(item, depth + 1)}" for key, item in pairs]
    else:
        parts = [brief(item, depth + 1) for item in list(value)[:count]]
    if len(value) > count:
        parts.append(f"... {len(value) - count:,} more")
    return f"{opener}{', '.join(parts)}{',' * (opener == '(' and len(value) == 1)}{closer}"


def _is_small(value: Any) -> bool:
    """Tell whether a value can be written out: few items, at a small depth."""
    level, seen = [value], 0
    for _ in range(_MAX_DEPTH + 1):
        groups = [item for item in level if isinstance(item, list | tuple | set | dict)]
        seen += sum(map(len, groups))
        if seen > _MAX_ITEMS:
            return False
        if not groups:
            return True
        level = [item for group in groups for item in (group.values() if isinstance(group, dict) else group)]
    return False


def _clipped(text: str, look: Look) -> str:
    """Return the first and the last lines of what would fill the screen."""
    dots = "⋮" if look.unicode else ":"
    if len(text) > MAX_CHARACTERS * 4:
        left_out = len(text) - MAX_CHARACTERS
        text = f"{text[:MAX_CHARACTERS]}\n{dots} {left_out:,} more characters (:full _ shows all)"
    lines = text.split("\n")
    if len(lines) <= MAX_LINES:
        return text
    ends = MAX_LINES // 2
    middle = f"{dots} {len(lines) - 2 * ends:,} more lines (:full _ shows all)"
    return "\n".join([*lines[:ends], middle, *lines[-ends:]])

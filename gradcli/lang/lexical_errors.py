"""Errors below the grammar: characters, strings, brackets and indentation, in a person's words."""

from __future__ import annotations

from gradcli.lang.diagnostic import GxError, syntax_error
from gradcli.lang.source import Source

_QUOTES = {"\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "`", "\u00b4"}
_MEANT = {
    "\u2212": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u00d7": "*",
    "\u00b7": "*",
    "\u22c5": "*",
    "\u2217": "*",
    "\u00f7": "/",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u00b2": "^2",
    "\u00b3": "^3",
    "\uff08": "(",
    "\uff09": ")",
    "\uff0c": ",",
    "\uff1a": ":",
}


def bad_character(source: Source, start: int, limit: int) -> GxError:
    """Return the error for the text at ``start``, which begins no token."""
    char = source.text[start]
    if char in "\"'":
        return unterminated_string(source, start, limit)
    if char == "\\":
        return syntax_error(
            source,
            start,
            start + 1,
            "stray-backslash",
            "a backslash must be the last character of its line",
            label="something follows it",
            help="remove it, or the blanks and the comment after it",
        )
    if char == "!":
        return syntax_error(
            source, start, start + 1, "unknown-character", "`!` has no meaning alone", help="write `not x`"
        )
    if char == "$" or char == "?":
        help = "a choice is written: a if condition else b" if char == "?" else None
        return syntax_error(source, start, start + 1, "unknown-character", f"`{char}` has no meaning in gx", help=help)
    return _foreign_character(source, start, char)


def _foreign_character(source: Source, start: int, char: str) -> GxError:
    code, end = "unknown-character", start + 1
    shown = f"the character U+{ord(char):04X}"
    if char in _QUOTES:
        return syntax_error(source, start, end, code, f"`{char}` is not a quote that gx knows", help="write \" or '")
    if char in _MEANT:
        return syntax_error(source, start, end, code, f"`{char}` is no operator", help=f"write `{_MEANT[char]}`")
    if not char.isprintable():
        return syntax_error(source, start, end, code, f"{shown} is invisible and has no meaning here", help="delete it")
    return syntax_error(source, start, end, code, f"`{char}` ({shown}) has no meaning in gx")


def unterminated_string(source: Source, start: int, limit: int) -> GxError:
    """Return the error for a string that opens at ``start`` and has no end."""
    if source.text[max(start - 2, 0) : start] == source.text[start] * 2:
        start -= 2  # the first two quotes of three were read as an empty string
    quote = source.text[start : start + 3]
    if quote not in ('"""', "'''"):
        quote = quote[0]
    line_end = source.text.find("\n", start, limit)
    end = start + 3 if len(quote) == 3 else (limit if line_end < 0 else line_end)
    where = "before the end of the file" if len(quote) == 3 else "on its line"
    return syntax_error(
        source,
        start,
        end,
        "unterminated-string",
        f"this string is not closed {where}",
        label="opened here",
        help=f"end it with {quote}",
    )


def unclosed_bracket(source: Source, start: int, bracket: str) -> GxError:
    """Return the error for a bracket that the file never closes."""
    return syntax_error(
        source,
        start,
        start + 1,
        "unclosed-bracket",
        f"`{bracket}` is never closed",
        label="opened here",
    )


def stray_bracket(source: Source, start: int, bracket: str) -> GxError:
    """Return the error for a closing bracket that no bracket opens."""
    return syntax_error(
        source, start, start + 1, "stray-bracket", f"`{bracket}` closes nothing", label="no bracket is open"
    )


def wrong_bracket(source: Source, start: int, bracket: str, opener: str, opened: int) -> GxError:
    """Return the error for a closing bracket of another kind than the one that is open."""
    return syntax_error(
        source,
        start,
        start + 1,
        "wrong-bracket",
        f"`{bracket}` can't close `{opener}`",
        label=f"`{dict(zip('([{', ')]}', strict=True))[opener]}` is expected",
        others=[(opened, opened + 1, "opened here")],
    )


def too_many_brackets(source: Source, start: int, limit: int) -> GxError:
    """Return the error for brackets inside brackets beyond ``limit``."""
    return syntax_error(
        source,
        start,
        start + 1,
        "nested-too-deeply",
        f"nested too deeply: more than {limit} brackets are open here",
        help="give parts of the expression a name",
    )


def mixed_indentation(source: Source, start: int, indent: str, other: str) -> GxError:
    """Return the error for a line whose blanks can't be compared with those of the block around it."""
    line, _ = source.place(start)
    first = source.starts[line - 1]
    message = "tabs and spaces are mixed: this line's indentation can't be compared with the block's"
    return syntax_error(
        source,
        first,
        start,
        "mixed-indentation",
        message,
        label=f"{_blanks(indent)} here, {_blanks(other)} before",
        help="indent the whole file with spaces",
    )


def _blanks(indent: str) -> str:
    counts = [(indent.count("\t"), "tab"), (indent.count(" "), "space")]
    words = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    return " and ".join(words) or "nothing"


def no_such_block(source: Source, start: int, indents: list[str]) -> GxError:
    """Return the error for a line that goes back to an indentation that no open block has."""
    line, _ = source.place(start)
    widths = sorted({len(indent) for indent in indents})
    return syntax_error(
        source,
        source.starts[line - 1],
        start,
        "bad-indentation",
        "this line's indentation matches no block around it",
        label=f"{start - source.starts[line - 1]} here; open blocks have {' and '.join(map(str, widths))}",
    )


def dunder(source: Source, start: int, end: int, name: str) -> GxError:
    """Return the error for a name that begins with two underscores: Python's machinery is not part of gx."""
    return syntax_error(
        source,
        start,
        end,
        "dunder-name",
        f"names that begin with `__` are not part of gx: `{name}`",
        help="`type(x)` tells what something is" if name == "__class__" else None,
    )


def bad_name(source: Source, start: int, end: int) -> GxError:
    """Return the error for letters that make no name, at the first that can't be part of one."""
    name = source.text[start:end]
    sign = next((index for index, char in enumerate(name) if char in _MEANT), None)
    if sign is not None:
        return _foreign_character(source, start + sign, name[sign])
    return syntax_error(source, start, end, "bad-name", f"`{name}` can't be a name", help="letters, digits and `_` can")

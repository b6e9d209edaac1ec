"""The inside of an f-string: text, and expressions in braces with ``=``, a conversion and a format."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradcli.lang.nodes.strings import join, string_value

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token

_OPEN, _CLOSE = "([{", ")]}"


class Place:
    """An extent of the source."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Template:
    """Reads one f-string literal (or one format) of a source, by offsets."""

    def __init__(self, at: Builder, token: Token, raw: bool, quote: str) -> None:
        self.at = at
        self.token = token
        self.raw = raw
        self.quote = quote
        self.text = at.source.text

    def read(self, start: int, end: int) -> list[ast.expr]:
        """Return the values of Python's f-string node for the text from ``start`` to ``end``."""
        parts: list[ast.expr] = []
        position = literal = start
        while position < end:
            char, pair = self.text[position], self.text[position : position + 2]
            if pair in ("{{", "}}"):
                self._literal(parts, literal, position + 1)
                position = literal = position + 2
            elif char == "\\" and not self.raw and pair == "\\N":
                position = max(self.text.find("}", position, end), position) + 1
            elif char == "\\" and not self.raw and pair[1:] not in "{}":
                position += 2
            elif char == "{":
                self._literal(parts, literal, position)
                position = literal = self._field(parts, position, end)
            elif char == "}":
                raise self.at.error(
                    Place(position, position + 1), "f-string-brace", "a `}` alone", help="write `}}` for a brace"
                )
            else:
                position += 1
        self._literal(parts, literal, end)
        return parts

    def _literal(self, parts: list[ast.expr], start: int, end: int) -> None:
        if start >= end:
            return
        where = Place(start, end)
        text = self.text[start:end]
        prefix = "r" if self.raw else ""
        parts.append(self.at.constant(where, string_value(self.at, where, f"{prefix}{self.quote}{text}{self.quote}")))

    def _field(self, parts: list[ast.expr], opened: int, limit: int) -> int:
        """Read ``{expression=!r:format}`` from its brace on; return where the text after it starts."""
        at = self.at
        end = self._end_of_expression(opened, limit)
        stop, shown = end, False
        inner = self.text[opened + 1 : end].rstrip()
        if inner.endswith("=") and inner[-2:-1] not in ("=", "!", "<", ">"):
            stop, shown = opened + len(inner), True
            parts.append(at.constant(Place(opened + 1, end), self.text[opened + 1 : end]))
        if not self.text[opened + 1 : stop].strip():
            raise at.error(Place(opened, end + 1), "f-string-empty", "an expression is missing between the braces")
        value = at.part(opened + 1, stop)
        where = Place(opened, end)
        conversion, end = self._conversion(end)
        spec: ast.expr | None = None
        if self.text[end] == ":":
            spec, end = self._format(end + 1, limit)
        if self.text[end] != "}":
            raise self._unclosed(opened)
        where.end = end + 1
        if shown and conversion is None and spec is None:
            conversion = "r"
        parts.append(self._formatted(where, value, conversion, spec))
        return end + 1

    def _formatted(self, where: Place, value: ast.expr, conversion: str | None, spec: ast.expr | None) -> ast.expr:
        """Return the field; a format goes through the language's guard, which bounds widths."""
        at = self.at
        if spec is not None:
            code = at.constant(where, conversion)
            value, conversion = at.helper(where, "format", value, code, spec), None
        return at(
            ast.FormattedValue, where, value=value, conversion=ord(conversion) if conversion else -1, format_spec=None
        )

    def _end_of_expression(self, opened: int, limit: int) -> int:
        """Return the offset of the ``}``, ``!`` or ``:`` that ends the expression after the brace."""
        position, depth = opened + 1, 0
        while position < limit:
            char = self.text[position]
            if char in "\"'":
                position = self._end_of_string(position, limit, opened)
                continue
            if depth == 0 and (char in ":}" or (char == "!" and self.text[position + 1] != "=")):
                return position
            depth += (char in _OPEN) - (char in _CLOSE)
            position += 1
        raise self._unclosed(opened)

    def _end_of_string(self, start: int, limit: int, opened: int) -> int:
        quote = self.text[start : start + 3]
        quote = quote if quote in ('"""', "'''") else quote[0]
        end = self.text.find(quote, start + len(quote), limit)
        if end < 0:
            raise self._unclosed(opened)
        return end + len(quote)

    def _conversion(self, end: int) -> tuple[str | None, int]:
        if self.text[end] != "!":
            return None, end
        letter = self.text[end + 1]
        if letter not in "rsa" or self.text[end + 2] not in ":}":
            raise self.at.error(Place(end, end + 2), "f-string-conversion", "after `!` comes r, s or a")
        return letter, end + 2

    def _format(self, start: int, limit: int) -> tuple[ast.expr, int]:
        """Read a format up to its ``}``; braces inside hold expressions of their own."""
        depth, end = 0, start
        while end < limit and (depth or self.text[end] != "}"):
            depth += (self.text[end] == "{") - (self.text[end] == "}")
            end += 1
        if end >= limit:
            raise self._unclosed(start - 1)
        return join(self.at, Place(start, end), self.read(start, end)), end

    def _unclosed(self, opened: int) -> Exception:
        return self.at.error(Place(opened, opened + 1), "f-string-brace", "this brace of an f-string is never closed")

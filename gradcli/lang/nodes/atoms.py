"""Names, numbers and constants."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token


class Name(Node):
    """``x``."""

    __slots__ = ()

    def emit(self, at: Builder, name: Token) -> ast.expr:
        return at.name(self, name.text)


class Number(Node):
    """``3``, ``1e-3``, ``2j``, ``0xff``."""

    __slots__ = ()

    def emit(self, at: Builder, number: Token) -> ast.expr:
        try:
            return at.constant(self, number_value(number.text))
        except ValueError as error:
            raise at.error(
                self, "bad-number", f"`{shortened(number.text)}` is not a number", help=_number_help(error)
            ) from None


class NoneConstant(Node):
    """``None``."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.expr:
        return at.constant(self, None)


class TrueConstant(Node):
    """``True``."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.expr:
        return at.constant(self, True)


class FalseConstant(Node):
    """``False``."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.expr:
        return at.constant(self, False)


class EllipsisConstant(Node):
    """``...``, in subscripts."""

    __slots__ = ()

    def emit(self, at: Builder) -> ast.expr:
        return at.constant(self, ...)


class Group(Node):
    """An expression in round brackets: the brackets are gone in Python's tree."""

    __slots__ = ()

    def emit(self, at: Builder, inner: ast.expr) -> ast.expr:
        return at.single(self, inner)


def number_value(text: str) -> int | float | complex:
    """Return the number that ``text`` spells; raises ValueError when it spells none."""
    if "__" in text or text.endswith("_"):
        raise ValueError("underscores")
    plain = text.replace("_", "").lower()
    if plain.startswith(("0x", "0b", "0o")):
        return int(plain, 0)
    if plain.endswith("j"):
        return complex(0.0, float(plain[:-1]))
    if "." in plain or "e" in plain:
        return float(plain)
    if plain.startswith("0") and plain.strip("0"):
        raise ValueError("zeros")
    return int(plain)


def shortened(text: str, limit: int = 40) -> str:
    """Return ``text``, cut in the middle when it is long."""
    return text if len(text) <= limit else f"{text[: limit // 2]}...{text[-limit // 4 :]}"


def _number_help(error: ValueError) -> str | None:
    if str(error) == "zeros":
        return "a whole number doesn't begin with 0"
    if str(error) == "underscores":
        return "one underscore may stand between two digits"
    return "it has too many digits" if "digits" in str(error) else None

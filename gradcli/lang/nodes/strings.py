"""Strings and f-strings. The inside of an f-string's braces is parsed in place, so its errors point there."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, Any

from gradcli.lang.nodes.base import Node

if TYPE_CHECKING:
    from gradcli.lang.builder import Builder
    from gradcli.lang.lexer import Token


class String(Node):
    """One or more string literals side by side."""

    __slots__ = ()

    def emit(self, at: Builder, *tokens: Token) -> ast.expr:
        parts: list[ast.expr] = []
        for token in tokens:
            prefix, quote = split_prefix(token.text)
            if "f" in prefix.lower():
                from gradcli.lang.nodes.fstrings import Template

                inner = (token.start + len(prefix) + len(quote), token.end - len(quote))
                parts += Template(at, token, "r" in prefix.lower(), quote).read(*inner)
            else:
                parts.append(at.constant(token, string_value(at, token, token.text)))
        return join(at, self, parts)


def split_prefix(text: str) -> tuple[str, str]:
    """Return the prefix letters and the opening quote of a string literal."""
    length = min(index for index in (text.find('"'), text.find("'")) if index >= 0)
    quote = text[length : length + 3]
    return text[:length], quote if quote in ('"""', "'''") else quote[0]


def string_value(at: Builder, where: Any, literal: str) -> str:
    """Return what a plain literal spells; raises for an escape that means nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value: str = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        message = "this string holds a backslash escape that means nothing"
        raise at.error(where, "bad-escape", message, help="write `\\\\` for a backslash") from None
    return value


def join(at: Builder, where: Any, parts: list[ast.expr]) -> ast.expr:
    """Return one constant if all parts are constant, else Python's f-string node; neighbouring texts become one."""
    joined: list[ast.expr] = []
    for part in parts:
        if joined and isinstance(part, ast.Constant) and isinstance(joined[-1], ast.Constant):
            joined[-1].value = str(joined[-1].value) + str(part.value)
        else:
            joined.append(part)
    if not joined or (len(joined) == 1 and isinstance(joined[0], ast.Constant)):
        return at.constant(where, joined[0].value if joined else "")  # type: ignore[attr-defined]
    return at(ast.JoinedStr, where, values=joined)

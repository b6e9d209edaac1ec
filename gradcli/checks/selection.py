"""``-k``: an expression of words, ``and``, ``or``, ``not`` and parentheses, matched against the ids of checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

Match = Callable[[str], bool]
_TOKEN = re.compile(r"\s*(?:(?P<sign>[()])|(?P<quote>[\"'])(?P<quoted>.*?)(?P=quote)|(?P<word>[^\s()\"']+))")


class BadExpression(ValueError):
    """An expression that can't be understood; its message says where."""


@lru_cache(maxsize=8)
def matcher(expression: str) -> Match:
    """Return the test for ids that ``expression`` means; BadExpression when it is none.

    A word matches where it is part of the id, whatever its case; one with blanks or parentheses goes in quotes. The
    rules are those of pytest: ``not`` binds tighter than ``and``, ``and`` tighter than ``or``.
    """
    parser = _Parser(expression)
    found = parser.alternatives()
    if parser.token:
        raise BadExpression(f"`{parser.token}` is not expected there")
    return found


class _Parser:
    """Reads tokens one by one; ``token`` is the next, empty at the end."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self.token = ""
        self._is_word = False
        self._next()

    def _next(self) -> str:
        before = self.token
        self.token, self._is_word = self._tokens.pop(0) if self._tokens else ("", False)
        return before

    def _accept(self, *words: str) -> bool:
        if not self._is_word and self.token in words:
            self._next()
            return True
        return False

    def alternatives(self) -> Match:
        parts = [self._together()]
        while self._accept("or"):
            parts.append(self._together())
        return parts[0] if len(parts) == 1 else lambda id: any(part(id) for part in parts)

    def _together(self) -> Match:
        parts = [self._single()]
        while self._accept("and"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else lambda id: all(part(id) for part in parts)

    def _single(self) -> Match:
        if self._accept("not"):
            inner = self._single()
            return lambda id: not inner(id)
        if self._accept("("):
            inner = self.alternatives()
            if not self._accept(")"):
                raise BadExpression("a `)` is missing")
            return inner
        if not self._is_word:
            raise BadExpression(f"a word is missing before `{self.token}`" if self.token else "a word is missing")
        word = self._next().casefold()
        return lambda id: word in id.casefold()


def _tokens(text: str) -> list[tuple[str, bool]]:
    """Return (text, is it a word to look for) for each token."""
    tokens = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise BadExpression(f"the quote that begins at `{text[at:].strip()[:20]}` does not end")
        at = found.end()
        if found["quoted"] is not None:
            tokens.append((found["quoted"], True))
        else:
            token = found["sign"] or found["word"]
            tokens.append((token, token not in ("(", ")", "and", "or", "not")))
    return tokens

"""Where a parse stopped: the token without a place, its neighbours, and what the grammar has there instead."""

from __future__ import annotations

from gradcli.lang.diagnostic import GxError, syntax_error
from gradcli.lang.lexer import Token
from gradcli.lang.source import Source
from gradcli.lang.tables import Tables


class Mistake:
    """The place where the parser stopped: the token it can't use, its neighbours and what the grammar has there."""

    def __init__(self, source: Source, tables: Tables, tokens: list[Token], index: int, states: list[int]) -> None:
        self.source = source
        self.tables = tables
        self.tokens = tokens
        self.index = index
        self.token = tokens[index]
        self.before = tokens[index - 1] if index else None
        self.after = tokens[index + 1] if index + 1 < len(tokens) else None
        self.expected = {kind for kind in tables.rows[states[-1]] if kind >= 0 and accepts(tables, states, kind)}
        self.layout = {tables.ids[name]: name for name in ("_NEWLINE", "_INDENT", "_DEDENT", "$END")}
        self.words = set(tables.words)

    def expects(self, text: str) -> bool:
        """Tell whether the literal ``text`` would fit here."""
        kind = self.tables.words.get(text, self.tables.operators.get(text))
        return kind in self.expected

    def expects_name(self) -> bool:
        """Tell whether a name would fit here."""
        return self.tables.ids["NAME"] in self.expected

    def expects_value(self) -> bool:
        """Tell whether an expression would fit here."""
        return self.tables.ids["NUMBER"] in self.expected

    def is_layout(self, token: Token | None) -> str | None:
        """Return the layout name of a token, or None for a token with a text."""
        return None if token is None else self.layout.get(token.kind)

    def is_value_end(self, token: Token | None) -> bool:
        """Tell whether a token can end an expression."""
        if token is None:
            return False
        kinds = {self.tables.ids[name] for name in ("NAME", "NUMBER", "STRING")}
        return token.kind in kinds or token.text in (")", "]", "}", "True", "False", "None", "...")

    def is_value_start(self, token: Token) -> bool:
        """Tell whether a token can only begin an expression."""
        kinds = {self.tables.ids[name] for name in ("NAME", "NUMBER", "STRING")}
        return token.kind in kinds or token.text in ("True", "False", "None", "lambda")

    def line_tokens(self) -> list[Token]:
        """Return the tokens of the statement before the mistake."""
        first = self.index
        while first and self.is_layout(self.tokens[first - 1]) is None:
            first -= 1
        return self.tokens[first : self.index]

    def error(
        self, code: str, message: str, *, at: Token | None = None, label: str = "", help: str | None = None
    ) -> GxError:
        """Return the error at a token, by default at the mistake; the layout's tokens have no width, so one is lent."""
        token = at or self.token
        end = token.end if token.end > token.start else token.start + 1
        return syntax_error(self.source, token.start, end, code, message, label=label, help=help)


def accepts(tables: Tables, states: list[int], kind: int) -> bool:
    """Tell whether a token of ``kind`` could really follow: a row lists more than fits, since LALR merges states."""
    stack = list(states)
    while True:
        action = tables.rows[stack[-1]].get(kind)
        if action is None or action >= 0:
            return action is not None
        origin, size, *_ = tables.rules[~action]
        del stack[len(stack) - size :]
        stack.append(tables.rows[stack[-1]][origin])
        if kind == tables.ids["$END"] and stack[-1] in tables.ends.values():
            return True


def short(text: str) -> str:
    """Return ``text``, cut when it is long."""
    return text if len(text) <= 20 else f"{text[:17]}..."


def wanted(m: Mistake) -> str:
    """Return what the grammar has here, in words; empty when it is too much to say."""
    words: list[str] = []
    if m.expects_value():
        words.append("a value")
    elif m.expects_name():
        words.append("a name")
    if m.tables.ids["_NEWLINE"] in m.expected:
        words.append("the end of the line")
    if m.expects("+") and not m.expects_value():
        words.append("an operator")
    words += [
        f"`{text}`"
        for text in (":", "=", ",", ")", "]", "}", "in", "import", "(", "else")
        if m.expects(text) and not (m.expects_value() and text in "([{")
    ]
    if not words or len(words) > 5:
        return "a value is expected" if "a value" in words else ""
    head, last = words[:-1], words[-1]
    return f"{', '.join(head)} or {last} is expected" if head else f"{last} is expected"

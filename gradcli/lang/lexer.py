"""Text -> tokens, with the layout (newline, indent, dedent) worked out: one regular expression, one pass."""

from __future__ import annotations

import re
from functools import lru_cache

from gradcli.lang import lexical_errors
from gradcli.lang.diagnostic import GxError
from gradcli.lang.source import Source
from gradcli.lang.tables import Tables

CLOSERS = {"(": ")", "[": "]", "{": "}"}
MAX_BRACKETS = 200


class Token:
    """A word of the source: ``kind`` is a terminal's number, ``start`` and ``end`` are offsets."""

    __slots__ = ("end", "kind", "start", "text")
    depth = 0

    def __init__(self, kind: int, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"Token({self.text!r} at {self.start})"


class Lexed:
    """The tokens of a source, the comments that begin with ``#>``, and the error that stopped the lexer, if one did.

    ``anchor`` is where that error's cause lies: an error of the parser before it is the one to report.
    """

    __slots__ = ("anchor", "error", "expected", "tokens")

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.expected: list[tuple[int, int]] = []
        self.error: GxError | None = None
        self.anchor = 0


@lru_cache(maxsize=2)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Lexer:
    """Splits ``source`` from offset ``start`` to ``end``; ``in_brackets`` reads a part of a line without layout."""

    def __init__(
        self, source: Source, tables: Tables, start: int = 0, end: int | None = None, in_brackets: bool = False
    ) -> None:
        self.source = source
        self.tables = tables
        self.start = start
        self.end = len(source.text) if end is None else end
        self.in_brackets = in_brackets
        self.result = Lexed()
        self.brackets: list[tuple[str, int]] = []
        self.indents = [""]
        self.fresh_line = not in_brackets
        self.line_start = start
        self.soft: list[int] = []

    def run(self) -> Lexed:
        """Return all tokens up to the end or to the first error."""
        try:
            position = self._scan()
            if position < self.end:
                raise lexical_errors.bad_character(self.source, position, self.end)
            self._finish()
        except GxError as error:
            self.result.error = error
        self._soft_words()
        return self.result

    def _scan(self) -> int:
        """Make tokens as long as the text fits; return where it stopped."""
        tables, text, tokens = self.tables, self.source.text, self.result.tokens
        groups, words, operators = tables.groups, tables.words, tables.operators
        blank, name, newline = groups["BLANK"], groups["NAME"], groups["NEWLINE"]
        operator, comment, string = groups["OPERATOR"], groups["COMMENT"], groups["STRING"]
        name_kind, number_kind, string_kind = (tables.ids[kind] for kind in ("NAME", "NUMBER", "STRING"))
        position = self.start
        for match in iter(_compiled(tables.pattern).scanner(text, position, self.end).match, None):  # type: ignore[attr-defined]
            group, start, position = match.lastindex, position, match.end()
            if group == blank:
                continue
            if group == newline:
                self._newline(start, position)
                continue
            if group == comment:
                if text.startswith("#>", start):
                    self.result.expected.append((start, position))
                continue
            if self.fresh_line:
                self._indentation(start)
            word = match.group()
            if group == name:
                kind = words.get(word)
                tokens.append(
                    self._name(word, start, position, name_kind) if kind is None else Token(kind, word, start, position)
                )
            elif group == operator:
                if word in "()[]{}":
                    self._bracket(word, start)
                tokens.append(Token(operators[word], word, start, position))
            else:
                tokens.append(Token(string_kind if group == string else number_kind, word, start, position))
        return position

    def _name(self, word: str, start: int, end: int, kind: int) -> Token:
        """Return the token of a name, normalised as Python does; names of Python's own machinery end here."""
        if not word.isascii():
            import unicodedata

            plain = unicodedata.normalize("NFKC", word)
            if not (word.isidentifier() and plain.isidentifier()):  # x² would become x2
                raise self._stop(lexical_errors.bad_name(self.source, start, end), start)
            word = plain
        if word.startswith("__") and word.strip("_"):
            raise self._stop(lexical_errors.dunder(self.source, start, end, word), start)
        if word in self.tables.soft:
            self.soft.append(len(self.result.tokens))
        return Token(kind, word, start, end)

    def _bracket(self, bracket: str, start: int) -> None:
        if bracket in CLOSERS:
            self.brackets.append((bracket, start))
            if len(self.brackets) > MAX_BRACKETS:
                raise self._stop(lexical_errors.too_many_brackets(self.source, start, MAX_BRACKETS), start)
            return
        if not self.brackets:
            raise self._stop(lexical_errors.stray_bracket(self.source, start, bracket), start)
        opener, opened = self.brackets.pop()
        if CLOSERS[opener] != bracket:
            raise self._stop(lexical_errors.wrong_bracket(self.source, start, bracket, opener, opened), opened)

    def _newline(self, start: int, end: int) -> None:
        if self.brackets or self.in_brackets:
            return
        self.line_start = end
        if not self.fresh_line:
            self.result.tokens.append(Token(self.tables.ids["_NEWLINE"], "\n", start, start))
            self.fresh_line = True

    def _indentation(self, start: int) -> None:
        """Compare the indentation of a line's first token with the blocks that are open."""
        self.fresh_line = False
        indent = self.source.text[self.line_start : start].rpartition("\n")[2].replace("\f", "")
        if indent == self.indents[-1]:
            return
        tokens, ids = self.result.tokens, self.tables.ids
        if indent.startswith(self.indents[-1]):
            self.indents.append(indent)
            tokens.append(Token(ids["_INDENT"], "", start, start))
            return
        last, open_blocks = tokens[-1].end if tokens else start, list(self.indents)
        while self.indents[-1] != indent:
            if not self.indents[-1].startswith(indent):
                raise self._stop(lexical_errors.mixed_indentation(self.source, start, indent, self.indents[-1]), start)
            self.indents.pop()
            tokens.append(Token(ids["_DEDENT"], "", last, last))
            if not indent.startswith(self.indents[-1]):
                continue
            if indent != self.indents[-1]:
                raise self._stop(lexical_errors.no_such_block(self.source, start, open_blocks), start)

    def _finish(self) -> None:
        """Close the last line and every block; an open bracket is an error at the place where it was opened."""
        if self.brackets:
            opener, opened = self.brackets[-1]
            raise self._stop(lexical_errors.unclosed_bracket(self.source, opened, opener), opened)
        tokens, ids = self.result.tokens, self.tables.ids
        last = tokens[-1].end if tokens else self.start
        if self.in_brackets:
            tokens.append(Token(ids["_NEWLINE"], "", self.end, self.end))
        for _ in self.indents[1:]:
            tokens.append(Token(ids["_DEDENT"], "", last, last))
        tokens.append(Token(ids["$END"], "", last, last))

    def _soft_words(self) -> None:
        """Turn ``leaf``, ``input`` and ``check`` into words of the language where what follows fits their form."""
        tokens, ids, soft = self.result.tokens, self.tables.ids, self.tables.soft
        operators = self.tables.operators
        starts = {ids["_NEWLINE"], ids["_INDENT"], ids["_DEDENT"], operators[";"], operators[":"]}
        for index in self.soft:
            kind, followers = soft[tokens[index].text]
            begins = index == 0 or tokens[index - 1].kind in starts
            if begins and index + 1 < len(tokens) and tokens[index + 1].kind in followers:
                tokens[index].kind = kind

    def _stop(self, error: GxError, anchor: int) -> GxError:
        self.result.anchor = anchor
        return error

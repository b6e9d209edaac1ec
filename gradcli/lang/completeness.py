"""Whether a text that is being typed is a whole script already: asked of the parser, not guessed."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from gradcli.lang.diagnostic import GxError
from gradcli.lang.lexer import Lexed, Lexer, Token
from gradcli.lang.parser import Machine, check_size
from gradcli.lang.source import Source
from gradcli.lang.tables import Tables, load_tables

INDENT = "    "
_LEAVES_BLOCK = ("return", "pass", "break", "continue")


class State(Enum):
    """How far a text is."""

    COMPLETE = "complete"
    OPEN = "open"  # complete, but its last line belongs to a block that may go on
    INCOMPLETE = "incomplete"
    WRONG = "wrong"  # nothing that follows can mend it


class Completeness(NamedTuple):
    """How far a text is, and the indentation that its next line would have."""

    state: State
    indent: str


def completeness(text: str) -> Completeness:
    """Return whether ``text`` parses as it is, would with more lines, or never will."""
    source, tables = Source(text, "<typed>"), load_tables()
    try:
        check_size(source)
    except GxError:
        return Completeness(State.WRONG, "")
    lexer = Lexer(source, tables)
    lexed = lexer.run()
    return Completeness(_state(source, tables, lexed), _next_indent(source, tables, lexer, lexed))


def is_whole(text: str) -> bool:
    """Tell whether Enter at the end of ``text`` ends the entry: a block ends with a blank line."""
    state = completeness(text).state
    return state in (State.COMPLETE, State.WRONG) or (state is State.OPEN and not text.rpartition("\n")[2].strip())


def _state(source: Source, tables: Tables, lexed: Lexed) -> State:
    if source.text.rstrip("\n").endswith("\\") and source.text.count("\n", len(source.text.rstrip("\n"))) < 2:
        return State.INCOMPLETE
    failed = _first_misfit(source, tables, lexed)
    if isinstance(failed, GxError):
        return State.WRONG
    if failed is not None:
        at_end = failed.kind in (tables.ids["$END"], tables.ids["_DEDENT"]) and lexed.error is None
        return State.INCOMPLETE if at_end and _is_last(failed, lexed, tables) else State.WRONG
    if lexed.error is not None:
        return State.INCOMPLETE if _is_unclosed(source, lexed.error) else State.WRONG
    return State.OPEN if _ends_in_block(source, tables, lexed) else State.COMPLETE


def _first_misfit(source: Source, tables: Tables, lexed: Lexed) -> Token | GxError | None:
    """Return the first token that the grammar has no place for, or what makes the text impossible."""
    machine = Machine(source, tables, "script")
    try:
        return next((token for token in lexed.tokens if not machine.feed(token)), None)
    except GxError as error:  # nested too deeply
        return error


def _is_last(token: Token, lexed: Lexed, tables: Tables) -> bool:
    """Tell whether nothing but the end of blocks and of the text comes after ``token``."""
    index = lexed.tokens.index(token)
    ends = (tables.ids["$END"], tables.ids["_DEDENT"])
    return all(after.kind in ends for after in lexed.tokens[index:])


def _is_unclosed(source: Source, error: GxError) -> bool:
    """Tell whether the lexer stopped at the end of the text, inside of a bracket or of a text of several lines."""
    diagnostic = error.diagnostic
    if diagnostic.code == "unterminated-string" and diagnostic.primary is not None:
        return source.slice(diagnostic.primary.span)[:3] in ('"""', "'''")
    return diagnostic.code == "unclosed-bracket"


def _ends_in_block(source: Source, tables: Tables, lexed: Lexed) -> bool:
    """Tell whether the last line is indented and no blank line follows."""
    before = lexed.tokens[-2:-1]
    if not before or before[0].kind != tables.ids["_DEDENT"]:
        return False
    return bool(source.text.split("\n")[-2].strip()) if source.text.count("\n") > 1 else False


def _next_indent(source: Source, tables: Tables, lexer: Lexer, lexed: Lexed) -> str:
    """Return the indentation of the line after ``source``: one step in after a header, one out after ``return``."""
    if lexer.brackets:
        opened = source.line(source.place(lexer.brackets[-1][1])[0])
        return opened[: len(opened) - len(opened.lstrip())] + INDENT
    layout = {tables.ids[name] for name in ("_NEWLINE", "_INDENT", "_DEDENT", "$END")}
    words = [token for token in lexed.tokens if token.kind not in layout]
    if not words:
        return ""
    blocks = lexer.indents
    if words[-1].text == ":":
        return blocks[-1] + INDENT
    line = source.place(words[-1].start)[0]
    first = next(token for token in words if source.place(token.start)[0] == line)
    return blocks[-2] if first.text in _LEAVES_BLOCK and len(blocks) > 1 else blocks[-1]

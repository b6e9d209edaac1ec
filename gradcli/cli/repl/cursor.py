"""What stands before the cursor: the word being typed, what it belongs to, and the call it is an argument of."""

from __future__ import annotations

import re
from typing import NamedTuple

from gradcli.cli.repl.lookup import PATH
from gradcli.lang.lexer import CLOSERS
from gradcli.lang.line_scanner import CLEAN, scan_line

_MOST_LINES = 200  # a call that began further up is not looked for
_WORD = re.compile(r"[^\W\d]\w*$")
_OWNER = re.compile(rf"({PATH})\.$")


class Call(NamedTuple):
    """The innermost call around the cursor: its function's path, which argument this is, keywords given so far.

    A path that begins with a dot is a method of the result of an expression.
    """

    function: str
    argument: int
    keyword: str | None
    given: frozenset[str]


class Cursor(NamedTuple):
    """The place of the cursor.

    ``word`` is what is typed of a name; ``owner`` the path before the dot, "" for a name of its own, None for the
    result of an expression; ``text`` what is typed of a string, None outside of one; ``comment`` that this is one.
    """

    word: str
    owner: str | None
    text: str | None
    comment: bool
    call: Call | None


def cursor_at(before: str) -> Cursor:
    """Return what the cursor stands at, from the text before it."""
    lines = before.split("\n")[-_MOST_LINES:]
    words: list[tuple[str, str]] = []
    state = CLEAN
    for line in lines:
        found, state = scan_line(line, state)
        words += [(line[word.start : word.end], word.kind) for word in found]
    kind = words[-1][1] if words and lines[-1] and not lines[-1][-1:].isspace() else ""
    in_text = _open_text(words, bool(state.quote)) if words and words[-1][1] == "string" else None
    call = _innermost_call(words[:-1] if in_text is not None else words)
    if in_text is not None or kind == "comment" or (words and words[-1][1] == "comment" and lines[-1].strip()):
        return Cursor("", "", in_text, in_text is None, call)
    match = _WORD.search(lines[-1])
    word = match[0] if match else ""
    return Cursor(word, _owner(lines[-1][: len(lines[-1]) - len(word)]), None, False, call)


def _open_text(words: list[tuple[str, str]], is_open: bool) -> str | None:
    """Return what is typed of the string that the words end with, None where it is closed."""
    body = words[-1][0].lstrip("rRfFuU")
    if is_open:
        return body.lstrip("\"'")
    closed = len(body) > 1 and body[-1] == body[0] and not body.endswith("\\" + body[0])
    return None if closed else body[1:]


def _owner(before: str) -> str | None:
    """Return the path before a dot: "" without a dot, None for the result of an expression."""
    if not before.endswith("."):
        return ""
    match = _OWNER.search(before)
    if match is None or (before[: match.start()].rstrip()[-1:] in (")", "]", ".") and match.start()):
        return None
    return match[1]


def _innermost_call(words: list[tuple[str, str]]) -> Call | None:
    """Return the call whose brackets are open, nearest to the end; brackets of lists and groups are stepped over."""
    depth, argument, given, keyword = 0, 0, set[str](), None
    for index in range(len(words) - 1, -1, -1):
        text, kind = words[index]
        if kind != "operator":
            continue
        if text in CLOSERS.values():
            depth += 1
        elif text in CLOSERS and depth:
            depth -= 1
        elif text == "(" and index and words[index - 1][1] == "name":
            return Call(_path_before(words, index), argument, keyword, frozenset(given))
        elif text in CLOSERS:
            argument, keyword = 0, None
            given.clear()
        elif text == "," and not depth:
            argument += 1
        elif text == "=" and not depth and index and words[index - 1][1] == "name":
            given.add(words[index - 1][0])
            keyword = words[index - 1][0] if argument == 0 else keyword
    return None


def _path_before(words: list[tuple[str, str]], index: int) -> str:
    """Return the path of names, dots and constant indices that ends before ``index``."""
    path = words[index - 1][0]
    at = index - 2
    while at > 0 and words[at][0] == ".":
        before = words[at - 1]
        if before[1] == "name":
            path, at = f"{before[0]}.{path}", at - 2
        elif before[0] == "]" and at > 3 and words[at - 3][0] == "[" and words[at - 4][1] == "name":
            path, at = f"{words[at - 4][0]}[{words[at - 2][0]}].{path}", at - 5
        else:
            return f".{path.rpartition('.')[2]}"
    return path

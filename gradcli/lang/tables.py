"""The parse tables: loaded from the user's cache, built with Lark when the cache has none that fits."""

from __future__ import annotations

import os
from typing import Any

from gradcli.cache import cached
from gradcli.lang.grammar_file import grammar_text

_BUILDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "table_builder.py")


class Tables:
    """What the lexer and the parser are driven by.

    ``rows[state]`` maps a terminal to an action (a state to shift to, or ``~rule`` to reduce by) and a rule's
    origin to the next state; ``rules`` are the reductions (see ``table_builder``); ``pattern`` is the lexer's
    regular expression with its ``groups``; ``words``, ``soft`` and ``operators`` map texts to terminals.
    """

    __slots__ = (
        "ends",
        "groups",
        "ids",
        "operators",
        "passes",
        "pattern",
        "rows",
        "rules",
        "soft",
        "starts",
        "texts",
        "words",
    )

    rows: list[dict[int, int]]
    rules: list[tuple[Any, ...]]
    starts: dict[str, int]
    ends: dict[str, int]
    pattern: str
    groups: dict[str, int]
    ids: dict[str, int]
    words: dict[str, int]
    soft: dict[str, tuple[int, tuple[int, ...]]]
    operators: dict[str, int]
    texts: dict[int, str]
    passes: dict[tuple[int, int, int], int]  # where a run of rules with one child each ends: filled while parsing

    def __init__(self, parts: dict[str, Any]) -> None:
        self.passes = {}
        for name, part in parts.items():
            setattr(self, name, part)


_loaded: Tables | None = None


def load_tables() -> Tables:
    """Return the tables of the grammar; built once, then read from the cache."""
    global _loaded
    if _loaded is None:
        grammar = grammar_text()
        _loaded = Tables(cached("grammar", cache_key(grammar), lambda: _build(grammar)))
    return _loaded


def cache_key(grammar: str) -> tuple[Any, ...]:
    """Return what the tables depend on: the grammar and the code that makes them (its file, by size and time)."""
    builder = os.stat(_BUILDER)
    return (grammar, builder.st_size, builder.st_mtime_ns)


def _build(grammar: str) -> dict[str, Any]:
    from gradcli.lang.table_builder import build_tables

    return build_tables(grammar)

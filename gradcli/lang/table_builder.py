"""Grammar -> parse tables, with Lark. The only module that imports it, and only when no valid cache is there.

The tables are plain tuples, dicts, numbers and strings, so that ``marshal`` stores them and loads them in a
millisecond: see ``Tables`` for what each part means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lark import Lark
from lark.grammar import Rule, Terminal
from lark.lexer import Lexer, PatternStr, TerminalDef, Token

STARTS = ("script", "lone_expression")
LAYOUT = ("_NEWLINE", "_INDENT", "_DEDENT")
PASS, LIST, NODE, ONE_OR_NODE = range(4)


class _NoLexer(Lexer):
    """Stands in for Lark's lexer, which is not needed: the terminals are only read off the grammar."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        return iter(())


def build_tables(grammar: str) -> dict[str, Any]:
    """Return the parse tables of ``grammar``; raises Lark's ``GrammarError`` when it is not LALR(1)."""
    lark = Lark(grammar, parser="lalr", lexer=_NoLexer, start=list(STARTS), maybe_placeholders=True)
    terminals = sorted(lark.terminals, key=lambda terminal: terminal.name)
    ignored = {str(name) for name in lark.ignore_tokens}
    ids = {terminal.name: index for index, terminal in enumerate(terminals)}
    for name in (*LAYOUT, "$END"):
        ids.setdefault(name, len(ids))
    tables = _parse_tables(lark, ids)
    return tables | _lexer_tables(terminals, ids, ignored, tables["rows"])


def _parse_tables(lark: Lark, ids: dict[str, int]) -> dict[str, Any]:
    """Number the states and write each action as one integer: a shift as its state, a reduction as ~rule."""
    table: Any = lark.parser.parser._parse_table
    order: dict[Any, int] = {}
    for state in [*table.start_states.values(), *table.states]:
        order.setdefault(state, len(order))
    rule_ids = {rule: index for index, rule in enumerate(lark.rules)}
    origins = {name: -1 - index for index, name in enumerate(sorted({rule.origin.name for rule in lark.rules}))}
    keys = ids | origins
    rows = [
        {
            keys[name]: _action(action, argument, order, rule_ids)
            for name, (action, argument) in row.items()
            if name in keys
        }
        for row in (table.states[state] for state in order)
    ]
    clear = _transparent(lark.rules)
    return {
        "rows": rows,
        "rules": [_rule_plan(rule, origins, clear) for rule in lark.rules],
        "starts": {name: order[state] for name, state in table.start_states.items()},
        "ends": {name: order[state] for name, state in table.end_states.items()},
    }


def _action(action: Any, argument: Any, order: dict[Any, int], rule_ids: dict[Rule, int]) -> int:
    return ~rule_ids[argument] if action.name == "Reduce" else order[argument]


def _transparent(rules: list[Rule]) -> set[str]:
    """Return the ``_rules`` that always stand for exactly one child: no list has to be made to be spliced in."""
    clear = {rule.origin.name for rule in rules if rule.origin.name.startswith("_")}
    while True:
        spoilt = {rule.origin.name for rule in rules if rule.origin.name in clear and not _is_one_child(rule, clear)}
        if not spoilt:
            return clear
        clear -= spoilt


def _is_one_child(rule: Rule, clear: set[str]) -> bool:
    symbol = rule.expansion[0]
    if len(rule.expansion) != 1 or any(rule.options.empty_indices):
        return False
    if isinstance(symbol, Terminal):
        return rule.options.keep_all_tokens or not symbol.filter_out
    return not symbol.name.startswith("_") or symbol.name in clear


def _rule_plan(rule: Rule, origins: dict[str, int], clear: set[str]) -> tuple[Any, ...]:
    """Return (origin, symbols popped, kind, node name, steps, nones at the end) for a reduction by ``rule``.

    A step is (symbol index, whether its list is spliced in, how many Nones come before): Lark's own reading of
    ``?rule``, ``_rule``, filtered tokens and ``[optional]`` parts.
    """
    options, expansion = rule.options, rule.expansion
    gaps = [len(run) for run in "".join("1" if empty else "0" for empty in options.empty_indices).split("0")]
    if not options.empty_indices:
        gaps = [0] * (len(expansion) + 1)
    steps, nones = [], 0
    for index, symbol in enumerate(expansion):
        nones += gaps[index]
        if options.keep_all_tokens or not (isinstance(symbol, Terminal) and symbol.filter_out):
            splice = not symbol.is_term and symbol.name.startswith("_") and symbol.name not in clear
            steps.append((index, splice, nones))
            nones = 0
    name = str(rule.alias or rule.origin.name)
    plan = (origins[rule.origin.name], len(expansion), _kind(rule, steps, clear), name, tuple(steps), nones + gaps[-1])
    return plan


def _kind(rule: Rule, steps: list[tuple[int, bool, int]], clear: set[str]) -> int:
    if rule.alias:
        return NODE
    if rule.origin.name in clear:
        return PASS
    if rule.origin.name.startswith("_"):
        return LIST
    if not rule.options.expand1:
        return NODE
    return PASS if len(rule.expansion) == 1 and not steps[0][1] else ONE_OR_NODE


def _lexer_tables(
    terminals: list[TerminalDef], ids: dict[str, int], ignored: set[str], rows: list[dict[int, int]]
) -> dict[str, Any]:
    """Return the one regular expression of the lexer and the words and operators with their terminals."""
    literal = [terminal for terminal in terminals if isinstance(terminal.pattern, PatternStr)]
    words = {terminal.pattern.value: ids[terminal.name] for terminal in literal if terminal.pattern.value.isalpha()}
    soft = {word for word, terminal in words.items() if _name_of(ids, terminal).startswith("_")}
    operators = {
        terminal.pattern.value: ids[terminal.name] for terminal in literal if not terminal.pattern.value.isalpha()
    }
    longest_first = sorted(operators, key=lambda text: (-len(text), text))
    groups = {terminal.name: terminal.pattern.value for terminal in terminals if terminal not in literal}
    named = ["BLANK", "STRING", "NAME", "NUMBER", *sorted(ignored - {"BLANK"})]
    parts = [*(groups[name] for name in named), "|".join(map(re.escape, longest_first)), r"\n"]
    return {
        "pattern": "|".join(f"({part})" for part in parts),
        "groups": {name: index + 1 for index, name in enumerate([*named, "OPERATOR", "NEWLINE"])},
        "ids": ids,
        "words": {word: terminal for word, terminal in words.items() if word not in soft},
        "soft": {word: (words[word], _followers(words[word], rows)) for word in sorted(soft)},
        "operators": operators,
        "texts": {terminal: text for text, terminal in [*words.items(), *operators.items()]},
    }


def _name_of(ids: dict[str, int], terminal: int) -> str:
    return next(name for name, number in ids.items() if number == terminal)


def _followers(terminal: int, rows: Iterable[dict[int, int]]) -> tuple[int, ...]:
    """Return the terminals that may come after ``terminal``: what makes a soft word a word of the language."""
    all_rows = list(rows)
    after = {row[terminal] for row in all_rows if row.get(terminal, -1) >= 0}
    return tuple(sorted({key for state in after for key in all_rows[state] if key >= 0}))

"""Tokens -> nodes: a table-driven LALR(1) parser that builds our nodes at each reduction, without a tree between."""

from __future__ import annotations

from typing import Any

from gradcli.lang.diagnostic import GxError, syntax_error
from gradcli.lang.lexer import Lexed, Lexer, Token
from gradcli.lang.nodes import NODE_CLASSES
from gradcli.lang.nodes.base import Node
from gradcli.lang.source import Source
from gradcli.lang.tables import Tables, load_tables

MAX_DEPTH = 250
MAX_LINE = 1_000_000
MAX_TEXT = 10_000_000
PASS, LIST, NODE, ONE_OR_NODE = range(4)


class Parsed:
    """A parsed text: its root node and the spans of its ``#>`` comments."""

    __slots__ = ("expected", "root")

    def __init__(self, root: Node, expected: list[tuple[int, int]]) -> None:
        self.root = root
        self.expected = expected


def parse(source: Source, rule: str = "script") -> Parsed:
    """Parse the whole of ``source`` as ``rule``; raises GxError (kind ``syntax``) at the first mistake."""
    check_size(source)
    in_brackets = rule != "script"
    return _parse(source, rule, 0, len(source.text), in_brackets)


def parse_part(source: Source, start: int, end: int) -> Node:
    """Parse the characters ``start`` to ``end`` as one expression (the inside of an f-string's braces)."""
    return _parse(source, "lone_expression", start, end, True).root


def _parse(source: Source, rule: str, start: int, end: int, in_brackets: bool) -> Parsed:
    tables = load_tables()
    lexed = Lexer(source, tables, start, end, in_brackets).run()
    return Parsed(_run(source, tables, rule, lexed), lexed.expected)


def _run(source: Source, tables: Tables, rule: str, lexed: Lexed) -> Node:
    """Drive the tables over the tokens; an error of the lexer counts once the tokens before it have been read."""
    machine = Machine(source, tables, rule)
    for index, token in enumerate(lexed.tokens):
        if not machine.feed(token):
            if lexed.error is not None and token.start >= lexed.anchor:
                raise lexed.error
            from gradcli.lang.syntax_errors import unexpected

            raise unexpected(source, tables, lexed.tokens, index, machine.states)
        if machine.result is not None:
            return machine.result
    assert lexed.error is not None
    raise lexed.error


class Machine:
    """The stacks of a parse."""

    def __init__(self, source: Source, tables: Tables, rule: str) -> None:
        self.source = source
        self.rows = tables.rows
        self.rules = tables.rules
        self.passes = tables.passes
        self.end_state = tables.ends[rule]
        self.end_kind = tables.ids["$END"]
        self.states = [tables.starts[rule]]
        self.values: list[Any] = []
        self.extents: list[tuple[int, int]] = []
        self.result: Node | None = None

    def feed(self, token: Token) -> bool:
        """Take one token; return False when the grammar has no place for it."""
        rows, rules, states, values, extents = self.rows, self.rules, self.states, self.values, self.extents
        kind = token.kind
        while True:
            action = rows[states[-1]].get(kind)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                values.append(token)
                extents.append((token.start, token.end))
                return True
            plan = rules[~action]
            if plan[2] == PASS:
                key = (states[-2], states[-1], kind)
                top = self.passes.get(key)
                states[-1] = self._pass(key) if top is None else top
                continue
            self._reduce(plan, token)
            if kind == self.end_kind and states[-1] == self.end_state:
                self.result = values[-1]
                return True

    def _pass(self, key: tuple[int, int, int]) -> int:
        """Return the state that a run of rules with one child each leads to: an operand goes through a dozen."""
        below, top, kind = key
        while True:
            action = self.rows[top].get(kind, 0)
            if action >= 0 or self.rules[~action][2] != PASS:
                self.passes[key] = top
                return top
            top = self.rows[below][self.rules[~action][0]]

    def _reduce(self, plan: tuple[Any, ...], token: Token) -> None:
        """Replace the symbols of a rule by its value: a node, a list to be spliced, or its only child."""
        origin, size, shape, name, steps, nones = plan
        states, values, extents = self.states, self.values, self.extents
        if size:
            popped = values[-size:]
            start, end = extents[-size][0], extents[-1][1]
            del states[-size:], values[-size:], extents[-size:]
        else:
            popped, start, end = [], token.start, token.start
        children: list[Any] = []
        for index, splice, gap in steps:
            if gap:
                children += [None] * gap
            if not splice:
                children.append(popped[index])
            elif children:
                children += popped[index]
            else:  # the list of a left recursion is taken over as it is, so that long ones cost linear time
                children = popped[index]
        if nones:
            children += [None] * nones
        value: Any = children
        if shape != LIST:
            value = self._node(name, children, start, end) if shape == NODE or len(children) != 1 else children[0]
        states.append(self.rows[states[-1]][origin])
        values.append(value)
        extents.append((start, end))

    def _node(self, name: str, children: list[Any], start: int, end: int) -> Node:
        node = NODE_CLASSES[name](children, start, end)
        if node.depth > MAX_DEPTH:
            raise _too_deep(self.source, node)
        return node


def _too_deep(source: Source, node: Node) -> GxError:
    return syntax_error(
        source,
        node.start,
        node.end,
        "nested-too-deeply",
        "this expression is nested too deeply",
        help="give parts of it a name",
    )


def check_size(source: Source) -> None:
    """Refuse what no person writes, before the parser spends minutes on it; raises GxError."""
    text = source.text
    if "\0" in text:
        at = text.index("\0")
        raise syntax_error(source, at, at + 1, "nul-byte", "the text holds a NUL byte; this is not a script")
    if len(text) <= MAX_LINE:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            start = source.starts[number - 1]
            message = f"line {number} is {len(line):,} characters long; a line may have {MAX_LINE:,}"
            raise syntax_error(source, start, start + 1, "line-too-long", message, help="read data with load(...)")
    if len(text) > MAX_TEXT:
        message = f"the script has {len(text):,} characters; it may have {MAX_TEXT:,}"
        raise syntax_error(source, 0, 1, "script-too-long", message, help="read data with load(...)")

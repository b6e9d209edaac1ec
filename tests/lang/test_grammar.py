"""Every rule of the grammar that makes a node has its class, and every class its rule."""

from __future__ import annotations

import lark
import pytest

from gradcli.lang.grammar_file import grammar_text
from gradcli.lang.nodes import NODE_CLASSES
from gradcli.lang.table_builder import NODE, ONE_OR_NODE
from gradcli.lang.tables import load_tables


def test_rules_and_node_classes_are_the_same() -> None:
    made = {plan[3] for plan in load_tables().rules if plan[2] in (NODE, ONE_OR_NODE)}
    # the two rules whose every alternative with one child is that child, or has a name of its own
    inlined = {name for name in made if name not in NODE_CLASSES}
    assert inlined <= {"expressions", "expression", "inversion", "primary", "atom", "signed"}, inlined
    assert set(NODE_CLASSES) <= made, set(NODE_CLASSES) - made


def test_inlined_rules_never_make_a_node() -> None:
    for origin, size, kind, name, steps, nones in load_tables().rules:
        if kind == ONE_OR_NODE and name not in NODE_CLASSES:
            assert len(steps) == 1 and nones == 0, (origin, size, name)


def test_every_class_says_what_it_stands_for() -> None:
    assert not [name for name, node in NODE_CLASSES.items() if not node.__doc__]


def test_the_grammar_has_no_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lark settles a conflict between shifting and reducing by itself, and says so only when it is asked."""
    said: list[str] = []
    monkeypatch.setattr(lark.logger, "debug", lambda text, *more: said.append(text))
    lark.Lark(grammar_text(), parser="lalr", start=["script", "lone_expression"], maybe_placeholders=True, debug=True)
    assert not [text for text in said if "onflict" in text]


def test_words_of_gx_stay_free_as_names() -> None:
    assert set(load_tables().soft) == {"leaf", "input", "check"}

"""Gx parses as Python does, where both have the syntax."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradcli.lang.builder import Builder
from gradcli.lang.diagnostic import GxError
from gradcli.lang.nodes import operators
from gradcli.lang.parser import parse
from gradcli.lang.source import Source

SAME = [
    "x = a + b - c * d / e // f\n",
    "x = -a + +b\n",
    "x = a if b else c if d else e\n",
    "x = not a and b or c\n",
    "x = a < b <= c != d is not e not in f\n",
    "x = (1, 2), [], {}, (), (a,), [b,], {'a': 1, **c,}\n",
    "x, *y = f(a, *b, c=1, **d)[1:2, ::3, ..., None].T\n",
    "x = [i for i in a if b for j in c]\n",
    "x = {i: j for i, j in a.items()}\n",
    "f(i for i in a)\n",
    "x = lambda a, b=1, *c, d, e=2, **g: a\n",
    "def f(a, *, b):\n    '''doc'''\n    nonlocal_ = 1\n    return a, b\n",
    "for i, (j, k) in a, b:\n    continue\nelse:\n    pass\n",
    "while True:\n    break\n",
    "if a: b = 1; c = 2;\nelif d: pass\nelse:\n  pass\n",
    "x = 'a' \"b\" '''c\nd''' r'\\n' '\\n\\x41\\u00e9'\n",
    "x = 0x1f + 0b11 + 0o17 + 1_000 + 1e-3 + 1. + .5 + 2j + 1.5e+3j\n",
    "x[0], y[1:] = 1, None\n",
    "x = f'{a}{b!r}{{}}{c}'\n",
    "x = (1 +  # one\n     2)\ny = [1,\n\n  # three\n  2,\n]\nz = 1 + \\\n  2\n",
    "with a as b, c:\n\tpass\n",
    "@a.b(c)\ndef f():\n    pass\n",
    "del a, b[0]\n",
]


def python_of(text: str) -> str:
    """Return the tree of a gx text without what gx adds: positions, and the helper around expression statements."""
    source = Source(text)
    tree = Builder(source).emit(parse(source).root)
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Expr) and isinstance(value, ast.Call) and getattr(value.func, "id", "") == ".keep":
            statement.value = value.args[0]
    return ast.dump(tree)


@pytest.fixture
def without_guards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "GUARDED", {})


@pytest.mark.usefixtures("without_guards")
@pytest.mark.parametrize("text", SAME)
def test_trees_are_pythons(text: str) -> None:
    assert python_of(text) == ast.dump(ast.parse(text))


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b1", "3", "2.5", "1e-3", "'t'", "None", "[a, 1]", "(b1,)"]),
    lambda inner: st.one_of(
        st.tuples(
            inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "@", "**", "&", "|", "<", "==", "and", "or"]), inner
        ),
        st.tuples(st.just("-"), inner),
        st.tuples(st.just("not "), inner),
        st.tuples(st.just("("), inner, st.just(")")),
        st.tuples(st.just("f("), inner, st.just(", k="), inner, st.just(")")),
        st.tuples(st.just("("), inner, st.just(" if "), inner, st.just(" else "), inner, st.just(")")),
        st.tuples(st.just("x["), inner, st.just(":]")),
    ).map(lambda parts: " ".join(parts)),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS)
def test_any_expression_is_pythons(text: str) -> None:
    whole = f"x = {text}\n"
    try:
        expected: Any = ast.dump(ast.parse(whole))
    except SyntaxError:
        expected = None
    guarded, operators.GUARDED = operators.GUARDED, {}
    try:
        found = python_of(whole)
    except GxError:
        found = None  # type: ignore[assignment]
    finally:
        operators.GUARDED = guarded
    assert found == expected


def test_caret_is_power_with_powers_rank() -> None:
    assert python_of("x = -a ^ b ^ -c * 2\n") == python_of("x = -(a ** (b ** (-c))) * 2\n")


def test_words_of_gx_are_names_everywhere_else() -> None:
    source = Source("leaf = 1\ninput = leaf + 1\ncheck = input\ncheck(leaf)\nleaf leaf = 2\ninput input = 3\n")
    assert len(parse(source).root.children) == 6


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
@pytest.mark.parametrize("text", SAME)
def test_line_ends_make_no_difference(text: str, ending: str) -> None:
    assert python_of(text.replace("\n", ending)) == python_of(text)


def test_byte_order_mark_blank_lines_and_missing_last_newline() -> None:
    assert python_of("\ufeffx = 1") == python_of("\n\n  # c\n\nx = 1\n   \n# d")


def test_names_are_normalised_as_python_does() -> None:
    assert python_of("x = ﬁne + 𝛼 + θ\n") == ast.dump(ast.parse("x = ﬁne + 𝛼 + θ\n"))


def test_comments_never_change_the_layout() -> None:
    text = (
        "for k in a:   # header\n# zero\n        # deeper\n\n    y = k   # body\n"
        "\n    # more\n    y = 1\n# after\nz = 2\n"
    )
    assert python_of(text) == ast.dump(ast.parse(text))


def test_expectations_are_kept_with_their_line() -> None:
    from gradcli.lang.compiling import read_unit

    unit = read_unit(Source("x = 3\nx + 1  #> 4\nprint(x)\nprint(2)\n\n#> 3\n#>  2\n"))
    assert [(item.line, item.text) for item in unit.expectations] == [(2, "4"), (4, "3\n 2")]

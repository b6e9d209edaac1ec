"""``-k``: expressions over ids, compared with Python's own and, or, not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradcli.checks.selection import BadExpression, matcher

IDS = ["net.gx::loss falls", "net.gx::gradient of w", "slow/big.gx::loss falls", "net.gx"]


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("loss", [0, 2]),
        ("LOSS", [0, 2]),
        ("net and not loss", [1, 3]),
        ("gradient or slow", [1, 2]),
        ("not (gradient or slow)", [0, 3]),
        ("not not slow", [2]),
        ("loss and net or gradient", [0, 1]),
        ("loss and (net or gradient)", [0]),
        ("'of w'", [1]),
        ('"loss falls" and slow', [2]),
        ("net.gx::g", [1]),
        ("big.gx", [2]),
        ("'and'", []),
        ("nothing", []),
    ],
)
def test_what_an_expression_chooses(expression: str, chosen: list[int]) -> None:
    match = matcher(expression)
    assert [index for index, id in enumerate(IDS) if match(id)] == chosen


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("a and", "a word is missing"),
        ("and a", "before `and`"),
        ("a b", "`b` is not expected"),
        ("(a", "a `)` is missing"),
        ("a)", "`)` is not expected"),
        ("not", "a word is missing"),
        ("'open", "does not end"),
        ("()", "before `)`"),
    ],
)
def test_what_is_no_expression(expression: str, words: str) -> None:
    with pytest.raises(BadExpression, match=words.replace("(", r"\(").replace(")", r"\)")):
        matcher(expression)


EXPRESSIONS = st.recursive(
    st.sampled_from(["aa", "bb", "cc"]),
    lambda inner: st.one_of(
        inner.map(lambda e: f"not {e}"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map(lambda e: f"({e})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.sets(st.sampled_from(["aa", "bb", "cc"])))
def test_expressions_mean_what_they_mean_in_python(expression: str, parts: set[str]) -> None:
    expected = eval(expression, {}, {name: name in parts for name in ("aa", "bb", "cc")})
    assert matcher(expression)(" ".join(sorted(parts))) == expected

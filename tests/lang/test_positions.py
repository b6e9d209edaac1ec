"""Each Python node carries the place of the gx text it came from."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradcli.lang.compiling import read_unit
from gradcli.lang.source import Source, Span

SNIPPETS = [
    "x = 1\n",
    "y = a + b * c ^ 2\n",
    "leaf w = [[1, 2], [3, 4]]\ninput v = (1, 2)\n",
    "for i in range(3):\n    x[i] *= 2\nelse:\n    pass\n",
    "while a < b <= c and not d:\n    break\n",
    "def f(a, b=1, *c, d=2, **e):\n    return lambda x, *y: x + a if y else {**e, 'k': [*c]}\n",
    "with no_grad(), enable_grad() as g:\n    del x[0], y\n",
    "assert f(x) == 3, 'text'\n",
    "print(f'{x=} {y!r:>{w}} {{}}', *a, k=1, **b)\n",
    "check 'title':\n    assert all(q for q in z if q)\n",
    "x.grad = None\nx.data += 1\nx[1:, ..., None] @= y\n",
    "import torch.nn as m, math\nfrom torch import (sin as s, cos,)\n",
    "@no_grad()\ndef g():\n    global q\n    q = 1j\n",
    "a, (b, *c) = d = e = -1 if x else ~y\n",
    "if a:\n    pass\nelif b:\n    pass\nelse:\n    continue_ = 1\n",
    "z = " + " + ".join(["a"] * 300) + "\n",
]


def placed(tree: ast.AST) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if "lineno" in node._attributes]


@pytest.mark.parametrize("text", SNIPPETS)
def test_no_node_is_left_on_the_first_line(text: str) -> None:
    """A newline in front makes line 1 wrong for all of them."""
    for node in placed(read_unit(Source("\n" + text)).tree):
        assert node.lineno > 1 and node.end_lineno is not None and node.end_lineno >= node.lineno, ast.dump(node)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", SNIPPETS)
def test_positions_lie_inside_the_source(text: str) -> None:
    source = Source(text)
    for node in placed(read_unit(source).tree):
        line = source.line(node.end_lineno)  # type: ignore[attr-defined]
        assert 0 <= node.end_col_offset <= len(line.encode()), ast.dump(node)  # type: ignore[attr-defined]


def test_names_are_where_they_stand() -> None:
    source = Source("é = ä + (ö * wert) ; x = é\n")
    for node in ast.walk(read_unit(source).tree):
        if isinstance(node, ast.Name) and not node.id.startswith("."):
            span = source.span_of_bytes(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            assert source.slice(span) == node.id


@given(st.text(alphabet="aé∂𝛼\n \t", max_size=40), st.data())
def test_offsets_and_positions_are_each_others_inverse(text: str, data: st.DataObject) -> None:
    source = Source(text)
    if not source.text:
        return
    offset = data.draw(st.integers(0, len(source.text) - 1))
    line, column = source.place(offset)
    assert source.offset(line, column + 1) == offset
    byte_line, byte_column = source.byte_place(offset)
    assert source.span_of_bytes(byte_line, byte_column, byte_line, byte_column) == Span(
        line, column + 1, line, column + 1
    )


def test_carriage_returns_do_not_move_lines() -> None:
    for ending in ("\n", "\r\n", "\r"):
        assert Source(f"a{ending}b{ending}c").span(4, 5) == Span(3, 1, 3, 2)

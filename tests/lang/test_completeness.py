"""Whether typed text is whole, where the next line begins, and how lines become entries."""

from __future__ import annotations

import pytest

from gradcli.lang.completeness import State, completeness
from gradcli.lang.line_scanner import CLEAN, LineState, scan_line
from gradcli.lang.pieces import Piece, Splitter, is_command, pieces


@pytest.mark.parametrize(
    ("text", "state", "indent"),
    [
        ("", State.COMPLETE, ""),
        ("x = 1", State.COMPLETE, ""),
        ("# only this", State.COMPLETE, ""),
        ("x = [1,", State.INCOMPLETE, "    "),
        ("x = f(\n    [1, 2],", State.INCOMPLETE, "    "),
        ("for i in range(3):", State.INCOMPLETE, "    "),
        ("for i in range(3):  # why", State.INCOMPLETE, "    "),
        ("for i in range(3):\n    for j in i:", State.INCOMPLETE, "        "),
        ("for i in range(3):\n    print(i)", State.OPEN, "    "),
        ("for i in range(3):\n    print(i)\n", State.OPEN, "    "),
        ("for i in range(3):\n    print(i)\n\n", State.COMPLETE, "    "),
        ("for i in range(3):\n    print(i)\nx", State.COMPLETE, ""),
        ("def f():\n    if x:\n        return 1", State.OPEN, "    "),
        ("def f():\n    return 1", State.OPEN, ""),
        ("if a: b", State.COMPLETE, ""),
        ("if a:\n    b\nelse:", State.INCOMPLETE, "    "),
        ("@no_grad()", State.INCOMPLETE, ""),
        ('check "small":', State.INCOMPLETE, "    "),
        ('text = """one', State.INCOMPLETE, ""),
        ("x = 1 \\", State.INCOMPLETE, ""),
        ("x = 1 \\\n", State.INCOMPLETE, ""),
        ("x = ", State.WRONG, ""),
        ("x = 1 +", State.WRONG, ""),
        ("f(a b", State.WRONG, "    "),
        ("x = [1, 2\ny = 3", State.WRONG, "    "),
        ("'abc", State.WRONG, ""),
        ("a = $", State.WRONG, ""),
        ("  x = 1", State.WRONG, "  "),
    ],
)
def test_the_parser_decides(text: str, state: State, indent: str) -> None:
    assert completeness(text) == (state, indent)


def shown(line: str, state: LineState = CLEAN) -> list[tuple[str, str]]:
    return [(line[word.start : word.end], word.kind) for word in scan_line(line, state)[0]]


def test_words_of_a_line_have_kinds() -> None:
    assert shown("def f(x): return 'a' + 1.5e-3  #> 2") == [
        ("def", "keyword"),
        ("f", "name"),
        ("(", "operator"),
        ("x", "name"),
        (")", "operator"),
        (":", "operator"),
        ("return", "keyword"),
        ("'a'", "string"),
        ("+", "operator"),
        ("1.5e-3", "number"),
        ("#> 2", "comment"),
    ]


def test_what_is_open_goes_on_in_the_next_line() -> None:
    first = scan_line('f(["""one "" two')[1]
    assert first == LineState('"""', 2, False)
    words, after = scan_line('three """, 2])', first)
    assert [word.kind for word in words] == ["string", "operator", "number", "operator", "operator"]
    assert after == CLEAN
    assert scan_line("x = 1 + \\")[1].joined
    assert scan_line("x = 'never closed + 1")[1] == CLEAN
    assert scan_line(r'"""a \""" b', CLEAN)[1].quote == '"""'
    assert scan_line('x = ""')[1] == CLEAN


LINES = '''\
# first
x = 1
for i in range(3):
    print(i)

    x = x + 1
# inside
    y = 2
else:
    z = 3
w = [1,
:no command

2]
if x: y = 1
else: y = 2
t = """
:vars
"""
:vars
@no_grad()
def f():
    return 1
f() \\
 + 2
sum?
  wrong
q = (1'''


def test_lines_become_entries_as_in_a_file() -> None:
    splitter = Splitter()
    found = [(line, piece.text) for line in LINES.split("\n") for piece in splitter.feed(line)]
    assert found == [
        ("x = 1", "# first\nx = 1"),
        ("w = [1,", "for i in range(3):\n    print(i)\n\n    x = x + 1\n# inside\n    y = 2\nelse:\n    z = 3"),
        ("2]", "w = [1,\n:no command\n\n2]"),
        ('t = """', "if x: y = 1\nelse: y = 2"),
        ('"""', 't = """\n:vars\n"""'),
        (":vars", ":vars"),
        ("f() \\", "@no_grad()\ndef f():\n    return 1"),
        (" + 2", "f() \\\n + 2"),
        ("sum?", "sum?"),
        ("  wrong", "  wrong"),
    ]
    assert [piece.text for piece in splitter.finish()] == ["q = (1"]
    assert list(splitter.finish()) == []


def test_a_text_is_one_entry_unless_commands_stand_in_it() -> None:
    assert pieces("x = 1\n\ny = 2") == [Piece("x = 1\n\ny = 2", False)]
    assert pieces(" \n") == []
    assert pieces("x = 1\ny = 2\n:vars\nz = 3\n?sum") == [
        Piece("x = 1\ny = 2", False),
        Piece(":vars", True),
        Piece("z = 3", False),
        Piece("?sum", True),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (":vars", True),
        (": vars", True),
        ("?sum", True),
        ("x.sum?", True),
        (":]", False),
        ("x = 1", False),
        ("?", True),
    ],
)
def test_commands_are_recognised(line: str, expected: bool) -> None:
    assert is_command(line) is expected

"""Syntax errors: where they point and in whose words."""

from __future__ import annotations

import re

import pytest

from gradcli.lang.compiling import compile_unit, read_unit
from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.source import Source


def syntax_failure(text: str) -> Diagnostic:
    with pytest.raises(GxError) as caught:
        compile_unit(read_unit(Source(text, "t.gx")))
    return caught.value.diagnostic


# text, code, line, column, a part of what is said
CASES = [
    ("x = 1\ny = f(x,\nz = 3\nw = 4\n", "unclosed-bracket", 2, 6, "`(` is never closed"),
    ("x = 1\ny = x +\n", "incomplete", 2, 7, "ends after `+`"),
    ("print('abc)\n", "unterminated-string", 1, 7, "not closed"),
    ('x = """abc\n', "unterminated-string", 1, 5, "not closed"),
    ("y = (1 + 2))\n", "stray-bracket", 1, 12, "`)` closes nothing"),
    ("for k in range(3)\n    y = k\n", "missing-colon", 1, 18, "must end with `:`"),
    ("x ==\n", "incomplete", 1, 3, "ends after `==`"),
    ("y = [1, 2)\n", "wrong-bracket", 1, 10, "can't close `[`"),
    ("1 = x\n", "not-a-target", 1, 1, "can't be assigned"),
    ("f(x) = 3\n", "not-a-target", 1, 1, "can't be assigned"),
    ("y = (1 +", "unclosed-bracket", 1, 5, "never closed"),
    ("for = 3\n", "reserved-word", 1, 1, "can't be a name"),
    ("def in(x):\n    pass\n", "reserved-word", 1, 5, "can't be a name"),
    ("x.for\n", "reserved-word", 1, 3, "can't be a name"),
    ("if x = 3:\n    pass\n", "assignment-in-expression", 1, 6, "`=` assigns"),
    ("x = = 3\n", "doubled-sign", 1, 5, "no operator"),
    ("x = 3 4\n", "missing-operator", 1, 7, "between `3` and `4`"),
    ("x = 2y\n", "missing-operator", 1, 6, "neither a number nor a name"),
    ("print x\n", "print-brackets", 1, 7, "go into brackets"),
    ("  x = 1\n", "unexpected-indent", 1, 3, "no block begins"),
    ("x = 1\n    y = 2\n", "unexpected-indent", 2, 5, "no block begins"),
    ("if a:\nx = 1\n", "missing-block", 2, 1, "must be indented"),
    ("if a:\n    x = 1\n  y = 2\n", "bad-indentation", 3, 1, "matches no block"),
    ("if a:\n\tx = 1\n        y = 2\n", "mixed-indentation", 3, 1, "tabs and spaces"),
    ("try:\n    x = 1\n", "no-such-statement", 1, 1, "gx has no `try`"),
    ("class A:\n    pass\n", "class-base", 1, 8, "a class names what it builds on"),
    ("raise x\n", "no-such-statement", 1, 1, "gx has no `raise`"),
    ("x++\n", "no-such-operator", 1, 2, "no `++`"),
    ("x = a && b\n", "no-such-operator", 1, 8, "`&&` is no operator"),
    ("x = a || b\n", "no-such-operator", 1, 8, "`||` is no operator"),
    ("x = [1;5]\n", "unexpected", 1, 7, "separates statements"),
    ("x = a ? b\n", "unknown-character", 1, 7, "`?`"),
    ("x = “a”\n", "unknown-character", 1, 5, "not a quote"),
    ("x = a × b\n", "unknown-character", 1, 7, "no operator"),
    ("x = 1\u00a0+ 2\n", "unknown-character", 1, 6, "U+00A0"),
    ("x = !a\n", "unknown-character", 1, 5, "`!`"),
    ("x = 1 \\ 2\n", "stray-backslash", 1, 7, "backslash"),
    ("f(a=1, 2)\n", "argument-order", 1, 8, "without a name"),
    ("f(a=1, a=2)\n", "repeated-argument", 1, 8, "given twice"),
    ("f(x for x in y, 1)\n", "bare-generator", 1, 3, "own brackets"),
    ("def f(a=1, b):\n    pass\n", "parameter-order", 1, 12, "no default"),
    ("def f(a, a):\n    pass\n", "repeated-parameter", 1, 10, "two parameters"),
    ("def f(*):\n    pass\n", "parameter-order", 1, 7, "missing"),
    ("y = x if a\n", "incomplete", 1, 11, "too early"),
    ("import\n", "incomplete", 1, 1, "ends after `import`"),
    ("x = b'abc'\n", "string-prefix", 1, 5, "can't begin with `b`"),
    ("x = {1, 2}\n", "missing-colon", 1, 7, "value of this key"),
    ("else:\n    pass\n", "stray-else", 1, 1, "no `if`"),
    ("a = 1 +* 2\n", "missing-value", 1, 8, "after `+`"),
    ("leaf x\n", "incomplete", 1, 7, "too early"),
    ("check 'a'\n    pass\n", "missing-colon", 1, 10, "`check` line"),
    ("check f'{a}':\n    pass\n", "check-title", 1, 7, "f-string"),
    ("x = 007\n", "bad-number", 1, 5, "not a number"),
    ("x = 1__0\n", "bad-number", 1, 5, "not a number"),
    ("x = '\\x4'\n", "bad-escape", 1, 5, "escape"),
    ("x = f'{a'\n", "f-string-brace", 1, 7, "never closed"),
    ("x = f'a}'\n", "f-string-brace", 1, 8, "alone"),
    ("x = f'{}'\n", "f-string-empty", 1, 7, "missing"),
    ("x = f'{a!z}'\n", "f-string-conversion", 1, 9, "r, s or a"),
    ("x = f'{a + }'\n", "incomplete", 1, 10, "ends after `+`"),
    ("break\n", "outside-loop", 1, 1, "outside a loop"),
    ("return 1\n", "outside-function", 1, 1, "outside a function"),
    ("def f(x):\n    global x\n", "late-declaration", 2, 5, "can't be global"),
    ("nonlocal x\n", "no-nonlocal", 1, 1, "belongs into a function"),
    ("x = *a\n", "stray-star", 1, 5, "only inside"),
    ("*a\n", "stray-star", 1, 1, "only inside"),
    ("x = (*a) * b\n", "stray-star", 1, 5, "only inside"),
    ("x = f'{*a}'\n", "stray-star", 1, 8, "only inside"),
    ("*a, *b = c\n", "stray-star", 1, 1, "only one"),
    ("x.__class__\n", "dunder-name", 1, 3, "`__`"),
    ("f(a b)\n", "missing-operator", 1, 5, "between `a` and `b`"),
    ("x = 5 if\n", "incomplete", 1, 7, "ends after `if`"),
    ("x += y += 1\n", "unexpected", 1, 8, "no place"),
    ("a + b += 1\n", "not-a-target", 1, 1, "can't be changed"),
    ("del f(x)\n", "not-a-target", 1, 1, "can't be deleted"),
    ("while x:\n", "missing-block", 1, 9, "must be indented"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "words"), CASES, ids=[repr(case[0][:30]) for case in CASES])
def test_place_and_words(text: str, code: str, line: int, column: int, words: str) -> None:
    found = syntax_failure(text)
    assert found.primary is not None
    assert (found.code, found.kind) == (code, "syntax")
    assert (found.primary.span.line, found.primary.span.column) == (line, column)
    assert words in found.message


@pytest.mark.parametrize("text", [case[0] for case in CASES])
def test_no_terminal_names(text: str) -> None:
    found = syntax_failure(text)
    said = " ".join([found.message, found.help or "", *found.notes, *(label.text for label in found.labels)])
    assert not re.search(
        r"\$END|_NEWLINE|_INDENT|_DEDENT|__ANON|\b(?:LPAR|RPAR|NAME|NUMBER|STRING|COLON|COMMA)\b", said
    ), said


@pytest.mark.parametrize("text", [case[0] for case in CASES])
@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_the_same_place_with_other_line_ends(text: str, ending: str) -> None:
    first, second = syntax_failure(text).primary, syntax_failure(text.replace("\n", ending)).primary
    assert first is not None and second is not None and first.span == second.span


def test_an_error_before_an_open_bracket_comes_first() -> None:
    assert syntax_failure("x = = 1\ny = (2\n").code == "doubled-sign"


def test_a_wrong_bracket_shows_where_the_other_was_opened() -> None:
    found = syntax_failure("y = [1, 2)\n")
    assert [(label.span.column, label.text) for label in found.labels if not label.primary] == [(5, "opened here")]


@pytest.mark.parametrize("end", [1, 3, 10, 30, 60])
def test_any_cut_of_a_script_has_a_clear_error_or_none(end: int) -> None:
    text = "def f(x, y=1):\n    return [x + y, {'a': (x, y)}]\nprint(f(1)[0] if f else 'none')\n"
    try:
        read_unit(Source(text[:end]))
    except GxError as error:
        assert error.diagnostic.kind == "syntax"

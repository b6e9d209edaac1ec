"""Whole renderings of diagnostics, at fixed width and without colour."""

from __future__ import annotations

import pytest

from gradcli.cli.render.columns import visible, width
from gradcli.cli.render.diagnostic import render
from gradcli.cli.terminal import PLAIN, Color, Look, wants_color
from gradcli.lang.diagnostic import Diagnostic, Label, StackEntry
from gradcli.lang.source import Source, Span

NET = Source("w = ones(2, 3)\nx = ones(4, 5)\ny = tanh(w @ x)\n", "net.gx")


def label(source: Source, piece: str, text: str, primary: bool = True) -> Label:
    start = source.text.index(piece)
    return Label(source.span(start, start + len(piece)), text, primary, source)


def shown(source: Source, piece: str, look: Look = PLAIN, words: str = "here") -> list[str]:
    """Return the line of the script and the line of carets of an error at ``piece``."""
    rows = render(Diagnostic("runtime", "code", "message", [label(source, piece, words)]), look).split("\n")
    return rows[3:5]


def test_the_form_of_an_error() -> None:
    diagnostic = Diagnostic(
        "runtime",
        "shape-mismatch",
        "matmul needs equal inner sizes, got (2, 3) @ (4, 5)",
        [label(NET, "w @ x", "3 (columns of w) is not 4 (rows of x)")],
        ["w is (2, 3), from line 1; x is (4, 5), from line 2"],
        "x.T would be (5, 4); did you mean w @ x[:3]?",
    )
    assert render(diagnostic, PLAIN) == (
        "error[shape-mismatch]: matmul needs equal inner sizes, got (2, 3) @ (4, 5)\n"
        "  --> net.gx:3:10\n"
        "   |\n"
        " 3 | y = tanh(w @ x)\n"
        "   |          ^^^^^ 3 (columns of w) is not 4 (rows of x)\n"
        "   |\n"
        "   = w is (2, 3), from line 1; x is (4, 5), from line 2\n"
        "   = help: x.T would be (5, 4); did you mean w @ x[:3]?\n"
    )


def test_further_labels_stand_at_their_own_lines() -> None:
    other = Source("k = 1\n", "other.gx")
    labels = [
        label(NET, "w @ x", "here"),
        label(NET, "ones(2, 3)", "w was made here", primary=False),
        label(NET, "tanh", "and this", primary=False),
        label(other, "k", "elsewhere", primary=False),
    ]
    assert render(Diagnostic("runtime", "code", "message", labels), PLAIN) == (
        "error[code]: message\n"
        "  --> net.gx:3:10\n"
        "   |\n"
        " 1 | w = ones(2, 3)\n"
        "   |     ---------- w was made here\n"
        "...\n"
        " 3 | y = tanh(w @ x)\n"
        "   |          ^^^^^ here\n"
        "   |     ---- and this\n"
        "   |\n"
        "  ::: other.gx:1:1\n"
        "   |\n"
        " 1 | k = 1\n"
        "   | - elsewhere\n"
        "   |\n"
    )


def test_an_error_without_a_place_has_its_words_alone() -> None:
    diagnostic = Diagnostic("usage", "unknown-name", "no such name", help="it has x")
    assert render(diagnostic, PLAIN) == "error[unknown-name]: no such name\n   = help: it has x\n"


def test_a_deep_call_stack_is_shortened() -> None:
    call = StackEntry("f", label(NET, "tanh(w @ x)", "").span, NET)
    rows = render(Diagnostic("runtime", "code", "message", [label(NET, "w @ x", "")], stack=[call] * 1000), PLAIN)
    assert rows.count("in f, called at net.gx:3:5: tanh(w @ x)") == 6
    assert "… and 994 calls between these" in rows


@pytest.mark.parametrize(
    ("line", "piece"),
    [
        ("\ty = a @ b", "a @ b"),
        ("θ = '漢字' + bad", "bad"),
        ("é = bad", "bad"),
        ("e\u0301 = bad", "bad"),
        ("a\tb\tbad", "bad"),
    ],
)
def test_the_caret_stands_under_its_text_whatever_comes_before(line: str, piece: str) -> None:
    text, carets = shown(Source(line, "a.gx"), piece)
    at = text.index(piece)
    assert width(text[:at]) == carets.index("^")
    assert carets.count("^") == len(piece)
    assert "\t" not in text


@pytest.mark.parametrize("before", [0, 10, 100, 5000, 3_000_000])
def test_a_long_line_is_clipped_around_the_caret(before: int) -> None:
    look = Look(color=False, unicode=True, width=60)
    text, carets = shown(Source("x" * before + " BAD " + "y" * 5000, "a.gx"), "BAD", look)
    assert width(text) <= 60
    at = carets.index("^")
    assert text[at : at + 3] == "BAD"
    assert text.endswith("…")


def test_a_span_of_several_lines_is_marked_to_the_end_of_its_first() -> None:
    source = Source("y = sum(\n  x,\n)\n", "a.gx")
    rows = render(Diagnostic("runtime", "code", "m", [Label(Span(1, 5, 3, 2), "too long", True, source)]), PLAIN)
    assert "\n   |     ^^^^ too long (to line 3)\n" in rows


def test_the_end_of_a_file_has_one_caret() -> None:
    source = Source("y = (", "a.gx")
    rows = render(Diagnostic("syntax", "code", "m", [Label(Span(1, 6, 1, 6), "", True, source)]), PLAIN)
    assert "\n   |      ^\n" in rows


def test_without_unicode_only_ascii_frames_are_drawn() -> None:
    look = Look(color=False, unicode=False, width=40)
    text, carets = shown(Source("x" * 500 + " BAD " + "y" * 500, "a.gx"), "BAD", look)
    assert text.isascii()
    assert text[carets.index("^") :].startswith("BAD")


def test_control_characters_can_t_reach_the_terminal() -> None:
    source = Source("y = '\x1b[31m\u202e' + bad", "a\x1b.gx")
    rows = render(Diagnostic("runtime", "code", "mess\x1bage", [label(source, "bad", "l\x07")]), PLAIN)
    assert not set(rows) & {"\x1b", "\x07", "\u202e"}
    assert visible("plain θ") == "plain θ"


def test_colour_changes_no_text() -> None:
    import re

    diagnostic = Diagnostic("runtime", "code", "message", [label(NET, "w @ x", "here")], ["fact"], "help")
    colored = render(diagnostic, Look(color=True, unicode=True, width=100))
    assert "\x1b[1;31m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == render(diagnostic, PLAIN)


class Terminal:
    def __init__(self, tty: bool) -> None:
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty


@pytest.mark.parametrize(
    ("tty", "environment", "when", "expected"),
    [
        (False, {}, Color.AUTO, False),
        (True, {"TERM": "xterm"}, Color.AUTO, True),
        (True, {"NO_COLOR": "1"}, Color.AUTO, False),
        (True, {"NO_COLOR": ""}, Color.AUTO, True),
        (True, {"TERM": "dumb"}, Color.AUTO, False),
        (False, {"FORCE_COLOR": "1"}, Color.AUTO, True),
        (False, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, Color.AUTO, False),
        (True, {"NO_COLOR": "1"}, Color.ALWAYS, True),
        (True, {}, Color.NEVER, False),
    ],
)
def test_when_there_is_colour(tty: bool, environment: dict[str, str], when: Color, expected: bool) -> None:
    assert wants_color(Terminal(tty), when, environment) is expected  # type: ignore[arg-type]

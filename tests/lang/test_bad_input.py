"""Texts that no one should write: each has its clear answer."""

from __future__ import annotations

import pytest

from gradcli.lang.compiling import compile_unit, read_unit
from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.source import Source


def failed(text: str) -> Diagnostic:
    with pytest.raises(GxError) as caught:
        compile_unit(read_unit(Source(text)))
    return caught.value.diagnostic


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "x = 1\ny = " + "(" * 10_000 + "1" + ")" * 10_000,
        "x = " + "[" * 3000 + "]" * 3000,
        "x = " + "f(" * 3000 + "1" + ")" * 3000,
        "x = " + "-" * 5000 + "1",
        "x = " + "not " * 5000 + "1",
        "x = " + "a if b else " * 2000 + "c",
        "x = " + "2 ** " * 3000 + "2",
        "x = " + "lambda: " * 2000 + "1",
        "x = a" + ".T" * 5000,
        "x = a" + "[0]" * 5000,
        "".join(" " * depth + "if a:\n" for depth in range(500)) + " " * 500 + "pass\n",
        "if a:\n    pass\n" + "elif b:\n    pass\n" * 3000,
    ],
    ids=lambda text: text[:12],
)
def test_deep_nesting_is_an_error_of_the_language(text: str) -> None:
    found = failed(text)
    assert found.code == "nested-too-deeply" and found.primary is not None


def test_nesting_that_people_write_is_fine() -> None:
    compile_unit(read_unit(Source("x = " + "(" * 150 + "1" + ")" * 150)))
    compile_unit(read_unit(Source("x = " + "f(" * 100 + "1" + ")" * 100)))
    compile_unit(read_unit(Source("".join(" " * depth + "if a:\n" for depth in range(80)) + " " * 80 + "pass\n")))


@pytest.mark.parametrize("operator", ["+", "*", "-", "/", "&", "|", " and ", " or ", "<", "@"])
def test_long_chains_compile(operator: str) -> None:
    compile_unit(read_unit(Source("x = " + operator.join(["z"] * 20_000))))


def test_a_line_of_ten_megabytes() -> None:
    found = failed("x = 1\ny = '" + "a" * 10_000_000 + "'\n")
    assert found.code == "line-too-long" and found.primary is not None and found.primary.span.line == 2


def test_a_nul_byte() -> None:
    found = failed("x = 1\ny = \0\n")
    assert found.code == "nul-byte" and found.primary is not None and found.primary.span[:2] == (2, 5)


def test_empty_texts_are_scripts() -> None:
    for text in ("", "\n", "   ", "# nothing", "\ufeff", "\r\n\r\n"):
        compile_unit(read_unit(Source(text)))


def test_an_unterminated_string_does_not_take_long() -> None:
    assert failed("x = '" + "\\'a" * 100_000 + "\n").code == "unterminated-string"
    assert failed('x = """' + "a" * 500_000 + "\n").code == "unterminated-string"


def test_surrogates_are_reported_not_crashed_on() -> None:
    assert failed("x = \udce9\n").code == "unknown-character"

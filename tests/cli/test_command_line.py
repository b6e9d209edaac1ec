"""The two parsers of a command line are built from one function and agree."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradcli.cli import main as entry
from gradcli.cli import typer_app
from gradcli.cli.direct import parse
from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.parameters import Argument, Option, parameters_of
from gradcli.cli.run import Format, run

PARAMETERS = parameters_of(run)
FLAGS = [flag for p in PARAMETERS if isinstance(p.spelling, Option) for flag in p.spelling.flags]


def by_typer(words: list[str]) -> dict[str, Any] | None:
    """Return what Typer passes to the command, or None when it refuses the command line."""
    seen: list[dict[str, Any]] = []

    @functools.wraps(run)
    def record(**values: Any) -> int:
        seen.append(values)
        return 0

    record.__kwdefaults__ = run.__kwdefaults__
    app = typer_app.build({"run": record, "other": record})
    try:
        app(["run", *words], standalone_mode=False)
    except typer_app.UsageError:
        return None
    return seen[0] if seen else None


WORDS = st.one_of(
    st.sampled_from([*FLAGS, "-", "a.gx", "x=1", "--of=y", "--format=json", "--precision=3", "json", "3", "-1", "2.5"]),
    st.sampled_from(
        ["--", "--o", "-ex", "--tree=1", "--format=xml", "--timeout=-1", "", "--of=", "-q", "--set=x=1=2", "-qe"]
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=6))
def test_what_is_parsed_directly_is_what_typer_gives(words: list[str]) -> None:
    direct = parse(PARAMETERS, words)
    if direct is not None:
        assert direct == by_typer(words)


@pytest.mark.parametrize(
    "words",
    [
        ["y.gx", "--of", "y", "--wrt", "x", "--seed", "v", "--tree"],
        ["-e", "sum(x^2)", "--set", "x=[1,2,3]", "--wrt", "x"],
        ["a.gx", "b.gx", "--format", "json", "--timeout", "2.5", "--manual-seed", "7", "--quiet"],
        ["-", "--seed", "-1", "--precision=2", "--color", "never"],
    ],
)
def test_a_plain_command_line_needs_no_typer(words: list[str]) -> None:
    direct = parse(PARAMETERS, words)
    assert direct is not None
    assert direct == by_typer(words)


@pytest.mark.parametrize(
    "words", [["--help"], ["--of"], ["--nope"], ["--format", "xml"], ["--precision", "-1"], ["-ex"]]
)
def test_what_is_not_plain_is_left_to_typer(words: list[str]) -> None:
    assert parse(PARAMETERS, words) is None


def test_every_parameter_has_help_and_its_own_flags() -> None:
    assert len(FLAGS) == len(set(FLAGS))
    for parameter in PARAMETERS:
        assert isinstance(parameter.spelling, Argument | Option)
        assert parameter.spelling.help.endswith((".", "4].", "repeatable."))


def test_defaults_and_types() -> None:
    values = parse(PARAMETERS, [])
    assert values is not None
    assert values["format"] is Format.TEXT
    assert values["of"] == ()
    assert values["tree"] is False
    assert values["timeout"] is None


def test_a_mistake_is_said_in_the_form_of_every_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["run", "--nope"]) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error[usage]: no such option")  # the words after it are the installed Typer's
    assert "--nope" in shown.err
    assert shown.err.endswith("\n   = help: see `gradcli run --help`\n")


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["rum"]) == ExitCode.USAGE
    assert "rum" in capsys.readouterr().err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["run", "--help"]) == ExitCode.OK
    helped = capsys.readouterr().out
    assert all(flag in helped for flag in FLAGS)
    assert entry.main(["--version"]) == ExitCode.OK
    assert capsys.readouterr().out.startswith("gradcli 0.")


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([]) == ExitCode.USAGE
    assert "run" in "".join(capsys.readouterr())


def test_exit_statuses_are_the_documented_ones() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "OK": 0,
        "CHECK_FAILED": 1,
        "USAGE": 2,
        "SCRIPT_FAILED": 3,
        "INTERNAL": 4,
        "NOTHING_COLLECTED": 5,
        "INTERRUPTED": 130,
        "CLOSED_PIPE": 141,
    }

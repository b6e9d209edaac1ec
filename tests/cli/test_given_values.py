"""What a command line gives to a script and gets shown: values of any kind, files of several arrays, odd numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gradcli.cli.main import main

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run ``gradcli run`` in a folder with one.npz (an array), two.npz (two) and m.gx."""
    np.savez(tmp_path / "one.npz", v=np.array([1.0, 2.0]))
    np.savez(tmp_path / "two.npz", v=np.zeros(2), w=np.zeros(2))
    (tmp_path / "m.gx").write_text("leaf a = [1., 2.]\ninput k = 3\nt = k * (a * a).sum()\nu = a.exp()\n")
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        status = main(["run", *words])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ('"abc"', "\"abc\" = 'abc'\n"),
        ("3", "3 = 3\n"),
        ("[1, 2]", "[1, 2] = [1, 2]\n"),
        ("True", "True = True\n"),
        ("(ones(1), 2)", "(ones(1), 2) = (tensor([1.]), 2)\n"),
        ('{"a": ones(1)}', "{\"a\": ones(1)} = {'a': tensor([1.])}\n"),
        ("torch.float32", "torch.float32 = torch.float32\n"),
        ("None", ""),
        ("x = 3", ""),
        ("ones(1)", "ones(1) = tensor([1.])\n"),
    ],
)
def test_an_expression_shows_its_value_whatever_it_is(run: Call, expression: str, shown: str) -> None:
    assert run("-e", expression) == (0, shown, "")


def test_what_is_no_number_is_in_the_json_as_it_is_printed(run: Call) -> None:
    report = json.loads(run("-e", '"abc"', "--format", "json")[1])
    assert report["outputs"] == [] and report["stdout"] == "\"abc\" = 'abc'\n"
    report = json.loads(run("-e", "3", "--format", "json")[1])
    assert report["outputs"][0]["value"] == 3 and report["stdout"] == ""


def test_a_function_of_the_session_is_printed_as_a_function(run: Call) -> None:
    for name in ("print", "load", "save"):
        assert run("-e", f"print({name})")[1].startswith(f"<function {name} at 0x")


def test_a_file_of_one_array_is_that_array(run: Call) -> None:
    status, out, _ = run("-e", "x * 2", "--set", "x=@one.npz", "--seed", "@one.npz")
    assert status == 0 and "tensor([2., 4.])" in out
    assert "tensor([2.7183, 7.3891]" in run("m.gx", "--of", "u", "--set", "a=@one.npz", "--seed", "@one.npz")[1]


@pytest.mark.parametrize("words", [("-e", "x * 2", "--set", "x=@two.npz"), ("m.gx", "--set", "a=@two.npz"),
                                   ("m.gx", "--of", "u", "--seed", "@two.npz")])  # fmt: skip
def test_a_file_of_several_arrays_says_which_there_are(run: Call, words: tuple[str, ...]) -> None:
    status, _, err = run(*words)
    assert status in (2, 3) and "several arrays: v, w" in err and "load('FILE')['v']" in err


@pytest.mark.parametrize("value", ['"abc"', "None", "print", "{}", "[[1], [2, 3]]", "sin", '{"a": 1}'])
def test_a_value_that_no_leaf_can_have_is_the_command_lines_mistake(run: Call, value: str) -> None:
    status, _, err = run("-e", "x * 2", "--set", f"x={value}")
    assert status == 2 and err.startswith("error[") and "--set x" in err


@pytest.mark.parametrize("words", [("--timeout", "nan"), ("--manual-seed", "9" * 30), ("--seed", "1", "--seed", "2"),
                                   ("--seed", "x=1", "--seed", "x=2")])  # fmt: skip
def test_odd_numbers_of_options_are_usage_errors(run: Call, words: tuple[str, ...]) -> None:
    status, _, err = run("-e", "x * 2", "--set", "x=1.", *words)
    assert status == 2 and err.startswith("error[")


@pytest.mark.parametrize("seconds", ["inf", "1e300", "1e9", "0"])
def test_a_limit_beyond_any_clock_is_none(run: Call, seconds: str) -> None:
    assert run("-e", "3", "--timeout", seconds)[:2] == (0, "3 = 3\n")


def test_outputs_by_commas_as_leaves_are(run: Call) -> None:
    assert (
        run("m.gx", "--of", "t,u", "--seed", "u=[1, 1]")[1]
        == run("m.gx", "--of", "t", "--of", "u", "--seed", "u=[1, 1]")[1]
    )

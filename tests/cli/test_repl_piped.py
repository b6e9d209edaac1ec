"""A session whose lines come from a pipe: plain text, the first error ends it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradcli.cli.parameters import parameters_of
from gradcli.cli.repl.starting import ReplOptions
from gradcli.cli.repl_command import repl
from tests.cli.repl_helpers import ROOT, Done, piped

Capture = pytest.CaptureFixture[str]


def test_values_are_shown_without_prompts_or_escapes(capsys: Capture) -> None:
    text = "leaf x = [1.0, 2.0]\ny = (x * x).sum()\ny\ny.backward()\nx.grad\nprint('é', x.grad)\n"
    shown = "tensor(5., grad_fn=<SumBackward0>)\ntensor([2., 4.])\né tensor([2., 4.])\n"
    assert piped(text, capsys) == Done(0, shown, "")


@pytest.mark.parametrize(
    ("text", "status", "out", "err"),
    [
        ("print(1)\nx = undefined_name\nprint(2)\n", 2, "1\n", "error[unknown-name]"),
        ("print(1)\n[1, 2][5]\nprint(2)\n", 3, "1\n", "error["),
        ("print(1)\nx = = 1\nprint(2)\n", 2, "1\n", "error[doubled-sign]"),
        ("assert 1 > 2\nprint(2)\n", 1, "", "error[assertion-failed]"),
        ('check "t":\n    assert 1 > 2\nprint(2)\n', 1, "", "error[assertion-failed]"),
        ("print(1)\n:nonsense\nprint(2)\n", 2, "1\n", "there is no command :nonsense"),
        ("print(1)\nexit(7)\nprint(2)\n", 7, "1\n", ""),
        ("print(1)\n:quit 5\nprint(2)\n", 5, "1\n", ""),
        ("exit\nprint(2)\n", 0, "", ""),
        ("", 0, "", ""),
        ("\n\n# nothing\n", 0, "", ""),
        ("x = (1\n", 2, "", "never closed"),
        (b"print(1)\nx = '\xff'\n", 2, "1\n", "not UTF-8"),
        (b"\xef\xbb\xbfprint(1)\r\nprint(2)\r\n", 0, "1\n2\n", ""),
    ],
)
def test_the_first_error_ends_it_with_its_status(
    capsys: Capture, text: str | bytes, status: int, out: str, err: str
) -> None:
    done = piped(text, capsys)
    assert (done.status, done.out) == (status, out)
    assert err in done.err
    assert bool(done.err) == bool(err)


def test_an_error_names_the_entry_and_the_column(capsys: Capture) -> None:
    done = piped("w = ones(2, 3)\nx = ones(4)\ny = w @ x\n", capsys)
    assert done.err.split("\n")[1] == "  --> In [3]:1:5"
    assert "w is (2, 3), from In [1]; x is (4,), from In [2]" in done.err


def test_an_error_of_backward_points_at_the_entry_where_the_expression_was_typed(capsys: Capture) -> None:
    done = piped("leaf x = [1.0, 2.0]\ny = exp(x)\nz = y * 1\ny += 1\ny.sum().backward()\n", capsys)
    assert "  --> In [2]:1:5" in done.err
    assert "  ::: In [4]:1:1" in done.err
    assert done.status == 3


def test_the_entry_that_cut_the_graph_is_shown(capsys: Capture) -> None:
    done = piped("leaf x = [1.0, 2.0]\nz = x.detach() * 2\nz.sum().backward()\n", capsys)
    assert "::: In [2]:1:5" in done.err
    assert "detach() leaves the graph" in done.err


BLOCK = "x = torch.tensor(2.0, requires_grad=True); y = 0 * x\nfor k in range(4):\n    y = y + x ** k\n"


@pytest.mark.parametrize(("gap", "value"), [("", 15.0), ("\n    y = y + 1\n", 19.0)])
def test_blocks_go_on_over_blank_lines_until_the_margin(capsys: Capture, gap: str, value: float) -> None:
    done = piped(f"{BLOCK}{gap}y.backward()\ny.item()\nx.grad.item()\n", capsys)
    assert done == Done(0, f"{value}\n17.0\n", "")


def test_results_have_names(capsys: Capture) -> None:
    text = "1 + 1\n_ * 10\n_ + __\nOut[2] + 1\n_ = 5\n7\n_\nlen(Out)\n"
    assert piped(text, capsys).out == "2\n20\n22\n21\n7\n5\n6\n"


def test_a_semicolon_keeps_a_value_back_and_the_last_expression_counts(capsys: Capture) -> None:
    assert piped("3;\n4; 5\n6; x = 1\nNone\n", capsys).out == "5\n"


def test_commands_work_without_a_terminal(capsys: Capture) -> None:
    text = "leaf x = [1.0, 2.0]\n:grad (x ** 3).sum()\n:type x\nx?\n"
    assert piped(text, capsys).out == (
        "d/dx = tensor([ 3., 12.])\n"
        "tensor (2,) float64, leaf that requires grad\n"
        "x: tensor (2,) float64, leaf that requires grad\n"
        "from In [1]:1\n  leaf x = [1.0, 2.0]\n"
    )


def test_files_and_texts_of_the_command_line_come_first(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "start.gx").write_text("def twice(a):\n    return a * 2\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "s.gx").write_text('n = load("n.csv")\nm = twice(n)\n')
    (tmp_path / "sub" / "n.csv").write_text("1,2\n3,4\n")
    words = ["--startup", "start.gx", "sub/s.gx", "-e", "k = m + 1", "-e", "k"]
    done = piped("m[0]\nload('sub/n.csv')[0]\n", capsys, *words)
    assert done == Done(0, "tensor([[3., 5.],\n        [7., 9.]])\ntensor([2., 4.])\ntensor([1., 2.])\n", "")


def test_what_fails_first_ends_it_where_nobody_sits(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "bad.gx").write_text("x = 1\ny = x + missing\n")
    done = piped("print(1)\n", capsys, str(tmp_path / "bad.gx"))
    assert (done.status, done.out) == (2, "")
    assert f"{tmp_path / 'bad.gx'}:2:9" in done.err
    assert piped("print(1)\n", capsys, str(tmp_path / "none.gx")).status == 2
    assert piped("print(1)\n", capsys, "-e", "1 / 0").status == 3


def test_options_set_what_entries_compute_with(capsys: Capture) -> None:
    done = piped("tensor(1 / 3)\nrand(1)\n", capsys, "--dtype", "float32", "--precision", "6", "--manual-seed", "0")
    assert done.out == "tensor(0.333333)\ntensor([0.496257])\n"


def test_the_options_are_the_parameters() -> None:
    assert [parameter.name for parameter in parameters_of(repl)] == list(ReplOptions._fields)


def process(*words: str, input: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    values = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "gradcli", *words]
    return subprocess.run(command, input=input.encode(), capture_output=True, env=values, check=False)


def test_redirected_output_holds_no_escape_unless_it_is_forced() -> None:
    text = "leaf x = [1.5, -2.0]\nx\n:vars\n:why x\n"
    plain = process("repl", input=text, FORCE_COLOR="")
    assert b"\x1b" not in plain.stdout + plain.stderr
    assert b"\x1b[" in process("repl", input=text, FORCE_COLOR="1").stdout
    assert b"\x1b" not in process("repl", input=text, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert b"\x1b[" in process("repl", "--color", "always", input=text, NO_COLOR="1").stdout


def test_trees_are_ascii_where_the_terminal_is() -> None:
    text = "leaf x = [1.0, 2.0]\ny = (x * x).sum()\n:tree y\n:hess y\n"
    shown = process("repl", input=text, PYTHONIOENCODING="ascii").stdout
    assert shown.isascii()
    assert b"`- MulBackward0" in shown
    assert b"d^2y/dx^2 = tensor([[2., 0.]," in shown


def test_a_dash_runs_a_script_from_standard_input() -> None:
    done = process("-", input="print(1)\nexit(7)\n")
    assert (done.returncode, done.stdout) == (7, b"1\n")


def test_entries_are_answered_as_they_come() -> None:
    values = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(
        [sys.executable, "-m", "gradcli", "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=values, text=True
    )
    assert child.stdin is not None and child.stdout is not None
    for number in range(3):
        child.stdin.write(f"{number} + 1\n")
        child.stdin.flush()
        assert child.stdout.readline() == f"{number + 1}\n"
    child.stdin.close()
    assert child.wait(10) == 0


@pytest.mark.parametrize("sample", sorted((ROOT / "samples").glob("*.gx")), ids=lambda path: path.stem)
def test_samples_print_the_same_line_by_line(capsys: Capture, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gradcli.cli.main import main

    assert main(["run", str(sample)]) == 0
    whole = capsys.readouterr().out
    monkeypatch.chdir(sample.parent)
    text = sample.read_text()
    done = piped(text, capsys)
    assert (done.status, done.err) == (0, "")
    for line in whole.splitlines():
        assert line in done.out.splitlines()

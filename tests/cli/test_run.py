"""``gradcli run``: what a person or a program gets for each of its options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pexpect
import pytest

from gradcli.cli.main import main
from gradcli.cli.outcome import RunOptions
from gradcli.cli.parameters import parameters_of
from gradcli.cli.run import run

ROOT = Path(__file__).resolve().parents[2]
LOOP = """\
input v = [0.1, 1.0, 0.0001]
leaf x = [-1.0154, 1.0822, -0.4681]
y = x * 2
while y.data.norm() < 1000:
    y = y * 2
"""


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        def refuse(name: str) -> Any:
            raise AssertionError(f"{name} is no JSON")

        return json.loads(self.out, parse_constant=refuse)


Gradcli = Callable[..., Done]


@pytest.fixture
def gradcli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Gradcli:
    """Run a command line in a folder of its own that holds y.gx and v.npy."""
    (tmp_path / "y.gx").write_text(LOOP)
    np.save(tmp_path / "v.npy", np.array([0.1, 1.0, 0.0001]))
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Done:
        status = main(["run", *words])
        shown = capsys.readouterr()
        return Done(status, shown.out, shown.err)

    return call


def process(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "gradcli", *words], capture_output=True, text=True, env=environment, **options
    )


# -- what was asked for ------------------------------------------------------------------------------------------------
def test_a_script_prints_what_it_prints(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "p.gx").write_text("leaf x = [1.0, 2.0]\ny = (x * x).sum()\nprint(y)\ny.backward()\nprint(x.grad)\n")
    assert gradcli("p.gx") == Done(0, "tensor(5., grad_fn=<SumBackward0>)\ntensor([2., 4.])\n", "")
    assert gradcli("p.gx", "--quiet") == Done(0, "", "")


def test_an_expression_shows_its_value_and_gradient(gradcli: Gradcli) -> None:
    expected = "sum(x^2) = tensor(14., grad_fn=<SumBackward0>)\nd/dx = tensor([2., 4., 6.])\n"
    assert gradcli("-e", "sum(x^2)", "--set", "x=[1,2,3]", "--wrt", "x") == Done(0, expected, "")
    assert gradcli("-e", "sum(x^2)", "--set", "x=[1,2,3]") == Done(0, expected, "")
    assert gradcli("-e", "2 + 3").out == "2 + 3 = 5\n"
    assert gradcli("-e", "x * 2", "--set", "x=[1.0]").out.startswith("x * 2 = tensor([2.]")
    assert gradcli("-e", "print(1)").out == "1\n"


@pytest.mark.parametrize("seed", ["v", "[0.1, 1, 0.0001]", "@v.npy", "y=v", "y = @v.npy", "v * 1"])
def test_every_spelling_of_a_seed_gives_the_same_gradient(gradcli: Gradcli, seed: str) -> None:
    done = gradcli("y.gx", "--of", "y", "--wrt", "x", "--seed", seed)
    assert done.status == 0, done.err
    assert done.out.splitlines()[1] == "vᵀ dy/dx = tensor([1.0240e+02, 1.0240e+03, 1.0240e-01])"


def test_the_tree_of_an_output(gradcli: Gradcli) -> None:
    tree = gradcli("y.gx", "--of", "y", "--wrt", "x", "--seed", "v", "--tree").out.split("\n", 2)[2]
    assert tree == (
        "MulBackward0 (3,)               y * 2  line 5\n"
        "└─ ⋮ 8 more like it\n"
        "   └─ MulBackward0 (3,)         x * 2  line 3\n"
        "      └─ AccumulateGrad x (3,)\n"
    )
    assert gradcli("y.gx", "--tree").out.endswith(tree)


def test_replacing_a_leaf_and_an_input(gradcli: Gradcli) -> None:
    done = gradcli("y.gx", "--of", "y", "--seed", "v", "--set", "x=[1, 2, 3]", "--set", "v = [1.0, 0, 0]")
    assert "vᵀ dy/dx = tensor([512.,   0.,   0.])" in done.out
    file = gradcli("y.gx", "--of", "y", "--seed", "v", "--set", "x=@v.npy")
    assert file.status == 0


def test_an_unknown_name_to_replace_lists_the_known_ones(gradcli: Gradcli) -> None:
    done = gradcli("y.gx", "--set", "q=1")
    assert (done.status, done.out) == (2, "")
    assert "no leaf or input `q`" in done.err
    assert "x" in done.err.split("help:")[1] and "v" in done.err.split("help:")[1]


def test_several_outputs_and_leaves(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "two.gx").write_text("leaf a = 2.0\nleaf b = 3.0\ny = a * b\nz = a + y\n")
    done = gradcli("two.gx", "--of", "y", "--of", "z", "--wrt", "a,b", "--format", "json").json
    assert [o["name"] for o in done["outputs"]] == ["y", "z"]
    assert {k: v["value"] for k, v in done["outputs"][1]["gradients"].items()} == {"a": 4.0, "b": 2.0}
    default = gradcli("two.gx", "--wrt", "b", "--format", "json").json["outputs"]
    assert [(o["name"], list(o["gradients"])) for o in default] == [("z", ["b"])]
    shared = gradcli("two.gx", "--of", "y", "--of", "z", "--seed", "1.0")
    assert shared.status == 2 and "a seed must name its own" in shared.err
    own = gradcli("two.gx", "--of", "y", "--of", "z", "--seed", "y=2.0", "--format", "json").json["outputs"]
    assert [o["gradients"]["b"]["value"] for o in own] == [4.0, 2.0]


def test_grad_stays_untouched(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "g.gx").write_text("leaf x = [1.0]\ny = x * 3\nprint(x.grad)\n")
    import gradcli as package

    result = package.run(str(tmp_path / "g.gx"), of="y")
    assert result["y"].gradients["x"].tolist() == [3.0]
    assert gradcli("g.gx", "--of", "y").out.startswith("None\n")


def test_precision_dtype_and_random_seed(gradcli: Gradcli) -> None:
    assert gradcli("-e", "tensor([1/3])", "--precision", "2").out == "tensor([1/3]) = tensor([0.33])\n"
    assert gradcli("-e", "tensor([1/3])").out == "tensor([1/3]) = tensor([0.3333])\n"
    single = gradcli("-e", "sum(x)", "--set", "x=[1,2]", "--dtype", "float32", "--format", "json").json["outputs"][0]
    assert (single["dtype"], single["gradients"]["x"]["dtype"]) == ("float32", "float32")
    first = gradcli("-e", "rand(3)", "--manual-seed", "3").out
    assert first == gradcli("-e", "rand(3)", "--manual-seed", "3").out
    assert first != gradcli("-e", "rand(3)", "--manual-seed", "4").out


def test_out_holds_the_arrays(gradcli: Gradcli, tmp_path: Path) -> None:
    assert gradcli("y.gx", "--of", "y", "--seed", "v", "--out", "r.npz").status == 0
    with np.load(tmp_path / "r.npz") as arrays:
        assert sorted(arrays) == ["dy_dx", "y"]
        assert np.allclose(arrays["dy_dx"], [102.4, 1024, 0.1024])
    assert gradcli("-e", "sum(x)", "--set", "x=[1.0]", "--out", "e.npz").status == 0
    with np.load(tmp_path / "e.npz") as arrays:
        assert sorted(arrays) == ["doutput_dx", "output"]
    assert gradcli("y.gx", "--out", "r.txt").status == 2
    refused = gradcli("y.gx", "--of", "y", "--seed", "v", "--out", "none/r.npz")
    assert refused.status == 3 and "none/r.npz" in refused.err


# -- JSON --------------------------------------------------------------------------------------------------------------
def test_the_json_of_a_run(gradcli: Gradcli) -> None:
    done = gradcli("y.gx", "--of", "y", "--wrt", "x", "--seed", "v", "--tree", "--format", "json")
    assert done.out.count("\n") == 1
    report = done.json
    assert list(report) == ["schema", "script", "ok", "stdout", "outputs", "error"]
    assert (report["schema"], report["script"], report["ok"], report["error"]) == ("gradcli.run/1", "y.gx", True, None)
    output = report["outputs"][0]
    assert list(output) == ["name", "shape", "dtype", "value", "seed", "gradients", "graph"]
    assert (output["name"], output["shape"], output["dtype"]) == ("y", [3], "float64")
    assert output["seed"] == [0.1, 1.0, 0.0001]
    assert output["gradients"]["x"]["value"] == pytest.approx([102.4, 1024, 0.1024], rel=1e-15)
    nodes = output["graph"]["nodes"]
    assert output["graph"]["root"] == 0
    assert nodes[0] == {
        "id": 0, "name": "MulBackward0", "op": "mul", "shape": [3], "line": 5, "column": 9, "end_line": 5,
        "end_column": 14, "source": "y * 2", "leaf": None, "inputs": [1, None], "saved_bytes": nodes[0]["saved_bytes"],
    }  # fmt: skip
    assert (nodes[-1]["name"], nodes[-1]["leaf"], nodes[-1]["inputs"]) == ("AccumulateGrad", "x", [])
    assert [node["id"] for node in nodes] == list(range(len(nodes)))


def test_the_graph_comes_only_when_asked_for(gradcli: Gradcli) -> None:
    assert "graph" not in gradcli("y.gx", "--of", "y", "--seed", "v", "--format", "json").json["outputs"][0]


def test_json_keeps_what_was_printed_and_numbers_that_are_none(gradcli: Gradcli) -> None:
    text = "print('a')\nx = tensor([nan, inf, -inf, -0.0, 1e-320, 0.1])\nx"
    report = gradcli("-e", text, "--format", "json").json
    assert report["stdout"] == "a\n"
    assert report["outputs"][0]["value"] == ["nan", "inf", "-inf", -0.0, 1e-320, 0.1]
    assert gradcli("-e", "tensor(1 - 2j)", "--format", "json").json["outputs"][0]["value"] == {"re": 1.0, "im": -2.0}
    assert gradcli("-e", "zeros(0, 3)", "--format", "json").json["outputs"][0] | {"name": ""} == {
        "name": "", "shape": [0, 3], "dtype": "float64", "value": [], "seed": None, "gradients": {},
    }  # fmt: skip


def test_the_seed_of_one_element_is_one(gradcli: Gradcli) -> None:
    outputs = gradcli("-e", "sum(x^2)", "--set", "x=[1,2,3]", "--format", "json").json["outputs"]
    assert (outputs[0]["seed"], outputs[0]["gradients"]["x"]["value"]) == (1.0, [2.0, 4.0, 6.0])


@pytest.mark.parametrize(
    ("text", "status", "kind"),
    [
        ("x = = 1", 2, "syntax"),
        ("print(1)\ny = ones(2, 3) @ ones(4, 5)", 3, "runtime"),
        ("undefined_name", 2, "syntax"),
    ],
)
def test_a_failure_is_one_json_object_too(gradcli: Gradcli, text: str, status: int, kind: str) -> None:
    done = gradcli("-e", text, "--format", "json")
    assert done.status == status
    error = done.json["error"]
    assert not done.json["ok"]
    assert list(error) == ["kind", "code", "message", "hint", "line", "column", "end_line", "end_column", "notes"]
    assert error["kind"] == kind
    assert error["line"] == text.count("\n") + 1
    assert done.json["stdout"] == ("1\n" if kind == "runtime" else "")


def test_a_command_line_that_is_wrong_is_json_too(gradcli: Gradcli) -> None:
    for words in (
        ["--nope", "--format", "json"],
        ["--format=json"],
        ["y.gx", "--max-memory", "lots", "--format", "json"],
    ):
        done = gradcli(*words)
        assert done.status == 2
        assert (done.json["ok"], done.json["error"]["kind"]) == (False, "usage")


def test_several_scripts_are_several_runs(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "bad.gx").write_text("1 +\n")
    (tmp_path / "p.gx").write_text("print('p')\n")
    done = gradcli("p.gx", "bad.gx", "y.gx", "--format", "json")
    assert done.status == 2
    assert (done.json["schema"], done.json["ok"]) == ("gradcli.runs/1", False)
    assert [(r["script"], r["ok"]) for r in done.json["runs"]] == [("p.gx", True), ("bad.gx", False), ("y.gx", True)]
    text = gradcli("p.gx", "y.gx")
    assert text.out == "==> p.gx <==\np\n==> y.gx <==\n"


# -- what goes wrong ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "nothing to run"),
        (["-e", "1", "y.gx"], 2, "not both"),
        (["none.gx"], 2, "there is no file none.gx"),
        (["."], 2, ". is a folder"),
        (["y.gx", "--of", "nope"], 2, "the script has no tensor 'nope'"),
        (["y.gx", "--of", "y"], 2, "y has shape (3,); only an output of one element needs no seed"),
        (["y.gx", "--of", "y", "--seed", "[1.0]"], 2, "the seed of y must have its shape (3,), got (1,)"),
        (["y.gx", "--of", "y", "--seed", "nope"], 2, "nope"),
        (["y.gx", "--of", "y", "--seed", "@none.npy"], 2, "there is no file none.npy"),
        (["y.gx", "--of", "y", "--seed", "z=v"], 2, "the seed is for z, which is no output here"),
        (["y.gx", "--of", "y", "--seed", "v", "--wrt", "v"], 2, "v does not require grad"),
        (["y.gx", "--of", "v", "--seed", "v"], 3, "v does not require grad"),
        (["y.gx", "--set", "x"], 2, "is not NAME=EXPR"),
        (["-e", "tensor(1.0)", "--wrt", "x"], 3, "nothing in the script requires grad"),
        (["y.gx", "--max-memory", "x"], 2, "is not a size"),
    ],
)
def test_a_request_that_can_t_be_met(gradcli: Gradcli, words: list[str], status: int, said: str) -> None:
    done = gradcli(*words)
    assert (done.status, said in done.err) == (status, True), done.err
    assert done.out == ""


def test_a_leaf_that_the_output_does_not_reach(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "u.gx").write_text("leaf x = 1.0\nleaf w = 2.0\ny = x * 2\n")
    done = gradcli("u.gx", "--of", "y", "--wrt", "w")
    assert done.status == 3
    assert "y was not computed from w" in done.err and "y reaches x" in done.err


def test_an_empty_script_is_fine_and_no_text_is_not(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "empty.gx").write_text("")
    (tmp_path / "latin.gx").write_bytes(b"x = 1\n# \xe4\n")
    assert gradcli("empty.gx") == Done(0, "", "")
    done = gradcli("latin.gx")
    assert done.status == 2 and "byte 0xe4 in line 2" in done.err


def test_a_failed_check_gives_status_one_and_the_script_goes_on(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "c.gx").write_text('check "small":\n    assert 1 > 2\nprint("on")\n')
    done = gradcli("c.gx")
    assert (done.status, done.out) == (1, "on\n")
    assert done.err.startswith("error[")
    report = gradcli("c.gx", "--format", "json")
    assert (report.status, report.json["ok"], report.json["error"]["kind"]) == (1, False, "check")


def test_files_beside_the_script_only(gradcli: Gradcli, tmp_path: Path) -> None:
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir(), data.mkdir()
    np.save(data / "d.npy", np.ones(2))
    (home / "l.gx").write_text('print(load("../data/d.npy"))\n')
    done = gradcli("home/l.gx")
    assert done.status == 3 and "--allow-read" in done.err
    assert gradcli("home/l.gx", "--allow-read", "data").out == "tensor([1., 1.])\n"


def test_a_fault_of_our_own_says_so(gradcli: Gradcli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("inner")

    monkeypatch.setattr("gradcli.cli.execute.run_plan", broken)
    done = gradcli("y.gx")
    assert done.status == 4
    assert done.err.startswith("error[internal]: gradcli itself failed: ZeroDivisionError: inner")
    assert "report" in done.err and "--traceback" in done.err and "Traceback" not in done.err
    assert "Traceback" in gradcli("y.gx", "--traceback").err
    assert gradcli("y.gx", "--format", "json").json["error"]["kind"] == "internal"


# -- limits ------------------------------------------------------------------------------------------------------------
def test_a_script_that_runs_too_long_is_stopped_where_it_is(gradcli: Gradcli, tmp_path: Path) -> None:
    (tmp_path / "t.gx").write_text("i = 0\nwhile True:\n    i = i + 1\n")
    done = gradcli("t.gx", "--timeout", "0.2")
    assert done.status == 3
    assert "error[timeout]" in done.err and "t.gx:" in done.err
    assert gradcli("y.gx", "--timeout", "60").status == 0


def test_one_long_operation_is_stopped_too(tmp_path: Path) -> None:
    # NumPy multiplies matrices of integers without BLAS: half a minute in which no signal is noticed
    (tmp_path / "l.gx").write_text("x = ones(3000, 3000, dtype=torch.int64)\nprint(1)\ny = x @ x\n")
    done = process("run", "l.gx", "--timeout", "1", "--format", "json", cwd=tmp_path)
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"], report["stdout"]) == (3, False, "1\n")
    assert (report["error"]["code"], report["error"]["line"]) == ("timeout", 3)
    assert "it was in this line" in done.stderr


def test_a_script_that_takes_too_much_memory_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "m.gx").write_text("x = ones(10)\ny = ones(40000, 40000)\n")
    done = process("run", "m.gx", "--max-memory", "500M", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "m.gx:2:5" in done.stderr and "memory" in done.stderr


# -- the process -------------------------------------------------------------------------------------------------------
def test_standard_input(tmp_path: Path) -> None:
    assert process("run", "-", input="print(1)\n", cwd=tmp_path).stdout == "1\n"
    failing = process("run", "-", input="print(1)\nx = tensor([1]) @ 3\nprint(2)\n", cwd=tmp_path)
    assert (failing.returncode, failing.stdout) == (3, "1\n")
    assert "<stdin>:2:5" in failing.stderr
    assert process("run", "-", input="", cwd=tmp_path).returncode == 0


def test_interrupting_a_script_gives_130_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "t.gx").write_text("print('go')\nwhile True:\n    pass\n")
    child = pexpect.spawn(sys.executable, ["-m", "gradcli", "run", "t.gx"], cwd=str(tmp_path), encoding="utf-8",
                          env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=20)  # fmt: skip
    child.expect("go")
    child.kill(signal.SIGINT)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "p.gx").write_text("for i in range(100000):\n    print(i)\n")
    command = f"{sys.executable} -m gradcli run p.gx | head -1"
    done = subprocess.run(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True,
    )  # fmt: skip
    assert done.stdout == "0\n141\n"
    assert done.stderr == ""


def test_a_full_disk_keeps_the_old_results(tmp_path: Path) -> None:
    np.savez(tmp_path / "r.npz", old=np.ones(2))
    command = f"{sys.executable} -m gradcli run -e 'sum(x^2)' --set x='ones(5000)' --out r.npz"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    words = ["bash", "-c", f"trap '' XFSZ; ulimit -f 8; {command}"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 3, done.stderr
    assert "r.npz can't be written" in done.stderr
    with np.load(tmp_path / "r.npz") as arrays:
        assert list(arrays) == ["old"]
    assert os.listdir(tmp_path) == ["r.npz"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is always full")
def test_standard_output_on_a_full_disk_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.gx").write_text("for i in range(3):\n    print(i)\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "gradcli", "run", "p.gx"], stdout=full, stderr=subprocess.PIPE,
                              text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    assert (done.returncode, done.stderr) == (
        3,
        "error[output]: the output can't be written: no space left on device\n",
    )


def test_closed_streams_are_no_fault(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for streams in (">&-", "2>&-", ">&- 2>&-", "<&-"):
        command = f"{sys.executable} -m gradcli run -e 'print(1); 1 + x' --set x=2.0 {streams}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert (done.returncode, done.stderr) == (0, ""), streams


def test_all_output_arrives_when_the_process_ends_at_once(tmp_path: Path) -> None:
    (tmp_path / "p.gx").write_text("for i in range(20000):\n    print(i)\n1 / 0\n")
    done = process("run", "p.gx", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.split() == [str(i) for i in range(20000)]
    assert "p.gx:3:1" in done.stderr


def test_colour_only_on_a_terminal(tmp_path: Path) -> None:
    for words in (["-e", "1 +"], ["-e", "sum(x)", "--set", "x=[1.0]", "--tree"]):
        plain = process("run", *words, cwd=tmp_path)
        assert "\x1b" not in plain.stdout + plain.stderr
        forced = process("run", *words, "--color", "always", cwd=tmp_path)
        assert "\x1b[" in forced.stdout + forced.stderr
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    words = ["-m", "gradcli", "run", "-e", "1 +"]
    on_terminal = pexpect.run(f"{sys.executable} {' '.join(words[:4])} '1 +'", env=environment, cwd=str(tmp_path))
    assert b"\x1b[1;31m" in on_terminal
    quiet = pexpect.run(
        f"{sys.executable} {' '.join(words[:4])} '1 +'", env={**environment, "NO_COLOR": "1"}, cwd=str(tmp_path)
    )
    assert b"\x1b" not in quiet


def test_output_that_the_terminal_can_t_encode_is_escaped(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = ["run", "-e", "θ = x * 2; print('θ')", "--set", "x=1.0", "--tree"]
    done = subprocess.run([sys.executable, "-m", "gradcli", *words], capture_output=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii() and b"MulBackward0" in done.stdout


def test_the_options_are_the_parameters() -> None:
    assert list(RunOptions._fields) == [parameter.name for parameter in parameters_of(run)]

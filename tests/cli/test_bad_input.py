"""What nobody should give to ``gradcli run``, through the real command: a clear answer and an exit status each."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pexpect
import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
GRADCLI = [sys.executable, "-m", "gradcli"]
LEAVES = b"leaf a = [1.0, 2.0]\nleaf b = [3.0, 4.0]\ny = a * 2\nz = (a * a).detach()\n"
RECURSION = b"def f(n):\n    return f(n + 1)\nprint('before')\nf(0)\n"


class Case(NamedTuple):
    """A script's bytes with the options it is run with, and what must come out."""

    content: bytes
    options: tuple[str, ...]
    status: int
    said: tuple[str, ...]  # pieces of what standard error says
    out: str = ""


CASES = {
    "empty": Case(b"", (), 0, ()),
    "only_a_comment": Case(b"# nothing\n", (), 0, ()),
    "binary": Case(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", (), 2, ("is not UTF-8 text: byte 0x89 in line 1",)),
    "latin_1": Case(b"x = 1\nprint('gr\xfc\xdfe')\n", (), 2, ("byte 0xfc in line 2", "save it as UTF-8")),
    "utf_16": Case("x = 1\n".encode("utf-16"), (), 2, ("is not UTF-8 text: byte 0xff in line 1",)),
    "nul": Case(b"x = 1\ny = 2\x00\n", (), 2, ("error[nul-byte]", "nul.gx:2:6")),
    "control_character": Case(b"x = 1\x1b[31m\n", (), 2, ("U+001B", "invisible", "control_character.gx:1:6")),
    "long_line": Case(b"x = '" + b"a" * 10_000_000 + b"'\n", (), 2, ("error[line-too-long]", "long_line.gx:1:")),
    "brackets": Case(b"x = " + b"(" * 10_000 + b")" * 10_000, (), 2, ("error[nested-too-deeply]", "brackets.gx:1:205")),
    "open_brackets": Case(b"[" * 10_000, (), 2, ("error[nested-too-deeply]",)),
    "tabs_mixed": Case(b"if True:\n        x = 1\n\ty = 2\n", (), 2, ("error[mixed-indentation]", "tabs_mixed.gx:3:1")),
    "tabs_alone": Case(b"if True:\n\tx = 1\n\tprint(x)\n", (), 0, (), "1\n"),
    "lone_cr": Case(b"x = 2\rprint(x)\r", (), 0, (), "2\n"),
    "cr_lf": Case(b"for k in range(2):\r\n    print(k)\r\nc = = 3\r\n", (), 2, ("cr_lf.gx:3:5",)),
    "cr_lf_runs": Case(b"for k in range(2):\r\n    print(k)\r\n", (), 0, (), "0\n1\n"),
    "byte_order_mark": Case(b"\xef\xbb\xbfprint(1)\n", (), 0, (), "1\n"),
    "no_last_newline": Case(b"print(1)", (), 0, (), "1\n"),
    "open_string": Case(b"x = 1\ny = 'abc\nz = 2\n", (), 2, ("error[unterminated-string]", "open_string.gx:2:5")),
    "open_text": Case(b'x = """abc\nz = 2\n', (), 2, ("error[unterminated-string]", "open_text.gx:1:5")),
    "recursion": Case(RECURSION, (), 3, ("error[endless-recursion]", "recursion.gx:2:12", "in f, called"), "before\n"),
    "seed_shape": Case(
        LEAVES, ("--of", "y", "--seed", "[1.0, 2.0, 3.0]"), 2, ("the seed of y must have its shape (2,), got (3,)",)
    ),
    "seed_missing": Case(LEAVES, ("--of", "y"), 2, ("y has shape (2,)", "pass --seed")),
    "unreached_leaf": Case(
        LEAVES, ("--of", "y", "--wrt", "b", "--seed", "ones(2)"), 3, ("y was not computed from b", "y reaches a")
    ),
    "without_graph": Case(
        LEAVES, ("--of", "z", "--seed", "ones(2)"), 3, ("z does not require grad", "4:5", "detach() leaves the graph")
    ),
    "unknown_option": Case(b"", ("--sed", "v"), 2, ("error[usage]", "--sed", "gradcli run --help")),
    "option_of_another_kind": Case(b"", ("--timeout", "soon"), 2, ("error[usage]", "--timeout")),
    "unknown_choice": Case(b"", ("--dtype", "int"), 2, ("error[usage]", "--dtype", "float32")),
    "overtime": Case(
        b"i = 0\nwhile True:\n    i = i + 1\n",
        ("--timeout", "0.1"),
        3,
        ("error[timeout]", "0.1 seconds", "overtime.gx:"),
    ),
}
NUMBERS = b"x = tensor([nan, inf, -inf, 1.5])\ne = zeros(0, 3)\ns = tensor(2.5)\n"


class Done(NamedTuple):
    """How a process ended."""

    status: int
    out: str
    err: str


def process(*words: str, folder: Path, **options: Any) -> Done:
    done = subprocess.run([*GRADCLI, *words], capture_output=True, cwd=folder, env=ENVIRONMENT, timeout=60, **options)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """Run all cases, a few at a time."""
    folder = tmp_path_factory.mktemp("bad")
    for name, case in CASES.items():
        (folder / f"{name}.gx").write_bytes(case.content)

    def run(name: str) -> Done:
        return process("run", f"{name}.gx", *CASES[name].options, folder=folder)

    with ThreadPoolExecutor(3) as pool:
        return dict(zip(CASES, pool.map(run, CASES), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_each_has_its_answer(name: str, results: dict[str, Done]) -> None:
    case, done = CASES[name], results[name]
    assert (done.status, done.out) == (case.status, case.out), done.err
    for piece in case.said:
        assert piece in done.err
    if case.status == 0:
        assert done.err == ""
    else:
        assert done.err.startswith("error[") and "Traceback" not in done.err
        assert max(map(len, done.err.splitlines())) < 200, "a long line is cut to what a terminal shows"


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.gx").mkdir()
    (tmp_path / "secret.gx").write_text("print(1)")
    (tmp_path / "loop.gx").symlink_to("loop.gx")
    for name, said in [
        ("folder.gx", "folder.gx is a folder, not a script"),
        ("missing.gx", "there is no file missing.gx"),
        ("loop.gx", "loop.gx can't be read"),
        ("x" * 300 + ".gx", "can't be read"),
    ]:
        done = process("run", name, folder=tmp_path)
        assert (done.status, done.out) == (2, ""), name
        assert said in done.err and "Traceback" not in done.err


def test_standard_input_that_is_no_text(tmp_path: Path) -> None:
    done = process("run", "-", folder=tmp_path, input=b"\xff\xfe\x00")
    assert done.status == 2 and "<stdin> is not UTF-8 text" in done.err


def test_control_c_in_an_endless_loop(tmp_path: Path) -> None:
    (tmp_path / "loop.gx").write_text("x = ones(3)\nprint('running')\nwhile True:\n    x = x * 1.0\n")
    child = pexpect.spawn(GRADCLI[0], [*GRADCLI[1:], "run", "loop.gx"], cwd=str(tmp_path), encoding="utf-8",
                          env=ENVIRONMENT, timeout=20)  # fmt: skip
    child.expect("running")
    time.sleep(0.1)
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before and "KeyboardInterrupt" not in child.before


def test_control_c_with_json_asked_for(tmp_path: Path) -> None:
    (tmp_path / "loop.gx").write_text("while True:\n    pass\n")
    started = subprocess.Popen([*GRADCLI, "run", "loop.gx", "--format", "json"], cwd=tmp_path, env=ENVIRONMENT,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    time.sleep(0.8)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=20)
    assert started.returncode == 130 and b"Traceback" not in err


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    (tmp_path / "talk.gx").write_text("for k in range(200000):\n    print(k)\n")
    started = subprocess.Popen([*GRADCLI, "run", "talk.gx"], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)  # fmt: skip
    assert started.stdout is not None and started.stderr is not None
    assert started.stdout.readline() == b"0\n"
    started.stdout.close()
    assert (started.wait(timeout=20), started.stderr.read()) == (141, b"")


def small_disk(folder: Path) -> list[str] | None:
    """Return the words before a command that put a disk of 64 kB below ``folder``, or None where nobody may."""
    if shutil.which("unshare") is None:
        return None
    words = ["unshare", "-Urm", "sh", "-c", f'mount -t tmpfs -o size=64k none "{folder}" && cd "{folder}" && exec "$@"']
    probe = subprocess.run([*words, "sh", "true"], capture_output=True)
    return [*words, "sh"] if probe.returncode == 0 else None


def test_a_full_disk_leaves_the_old_results(tmp_path: Path) -> None:
    before = small_disk(tmp_path)
    if before is None:
        pytest.skip("needs the right to mount")
    script = (
        f"{sys.executable} -c \"import numpy; numpy.savez('r.npz', old=numpy.ones(2))\" && "
        f"{sys.executable} -m gradcli run -e 'sum(x^2)' --set 'x=ones(9000)' --out r.npz; echo status $?; ls -A; "
        f"{sys.executable} -c \"import numpy; print(list(numpy.load('r.npz')))\""
    )
    environment = {**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([*before, "sh", "-c", script], capture_output=True, text=True, env=environment)
    shown = done.stdout.splitlines()
    assert shown[-3:] == ["status 3", "r.npz", "['old']"], (done.stdout, done.stderr)
    assert "r.npz can't be written: no space left on device" in done.stderr


def test_save_on_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.ones(2))
    (tmp_path / "s.gx").write_text('save("w.npy", ones(5000))\n')
    command = f"trap '' XFSZ; ulimit -f 8; {sys.executable} -m gradcli run s.gx"
    environment = {**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 3 and "s.gx:1:1" in done.stderr and "w.npy can't be written" in done.stderr
    assert np.load(tmp_path / "w.npy").tolist() == [1.0, 1.0]
    assert sorted(os.listdir(tmp_path)) == ["s.gx", "w.npy"]


def strict(text: str) -> Any:
    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_numbers_that_json_lacks_and_tensors_without_a_dimension_or_an_element(tmp_path: Path) -> None:
    (tmp_path / "n.gx").write_bytes(NUMBERS)
    done = process("run", "n.gx", "--of", "x", "--of", "e", "--of", "s", "--format", "json", folder=tmp_path)
    refused = strict(done.out)["error"]
    assert (done.status, refused["code"]) == (3, "no-graph")
    for name, shape, value in [("x", [4], ["nan", "inf", "-inf", 1.5]), ("e", [0, 3], []), ("s", [], 2.5)]:
        done = process("run", "-e", NUMBERS.decode() + name, "--format", "json", folder=tmp_path)
        output = strict(done.out)["outputs"][0]
        assert (done.status, output["shape"], output["value"]) == (0, shape, value)
    text = process("run", "-e", NUMBERS.decode() + "print(x, e, s)", folder=tmp_path)
    assert text.out == "tensor([   nan,    inf,   -inf, 1.5000]) tensor([], size=(0, 3)) tensor(2.5000)\n"


def test_gradients_of_an_empty_and_of_a_0d_leaf(tmp_path: Path) -> None:
    for value, shape, gradient in [("zeros(0, 3)", [0, 3], []), ("2.0", [], 4.0)]:
        done = process("run", "-e", "sum(x^2)", "--set", f"x={value}", "--format", "json", folder=tmp_path)
        found = strict(done.out)["outputs"][0]["gradients"]["x"]
        assert (done.status, found["shape"], found["value"]) == (0, shape, gradient)
    nothing = process("run", "-e", "max(x)", "--set", "x=zeros(0)", folder=tmp_path)
    assert nothing.status == 3 and "error[empty-reduction]" in nothing.err and "<expr>:1:1" in nothing.err

"""``gradcli check`` as a person or a pipeline runs it."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradcli.cli import typer_app
from gradcli.cli.check import check
from gradcli.cli.checking import CheckOptions
from gradcli.cli.direct import parse
from gradcli.cli.main import main
from gradcli.cli.parameters import parameters_of
from tests.cli.test_run import Done

ROOT = Path(__file__).resolve().parents[2]
GOOD = 'check "holds":\n    assert 1 + 1 == 2\nprint(2)  #> 2\n'
BAD = 'print("why")\ncheck "holds not":\n    assert 1 + 1 == 3\n'
BROKEN = "assert 1 == 1\nones(2) @ ones(3)\n"
SYNTAX = "x = = 1\n"
Gradcli = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, with one passing script, that remembers nothing."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "good.gx").write_text(GOOD)
    monkeypatch.chdir(tmp_path / "scripts")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "scripts"


@pytest.fixture
def gradcli(folder: Path, capsys: pytest.CaptureFixture[str]) -> Gradcli:
    def call(*words: str) -> Done:
        status = main(["check", *words])
        shown = capsys.readouterr()
        return Done(status, shown.out, shown.err)

    return call


def process(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gradcli", "check", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, **more)  # type: ignore[call-overload,no-any-return]


# -- exit statuses: each by a process of its own ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("scripts", "words", "status", "out", "err"),
    [
        ({}, [], 0, "2 passed in ", ""),
        ({"bad.gx": BAD}, [], 1, "2 passed, 1 failed in ", ""),
        ({"bad.gx": BAD, "z.gx": GOOD}, ["-x"], 1, "1 failed in ", ""),
        ({"bad.gx": BAD}, ["-j", "2"], 1, "2 passed, 1 failed in ", ""),
        ({"broken.gx": BROKEN}, [], 3, "3 passed, 1 error in ", ""),
        ({"broken.gx": BROKEN, "bad.gx": BAD}, [], 3, "1 failed, 1 error in ", ""),
        ({"syntax.gx": SYNTAX}, [], 2, "2 passed, 1 error in ", ""),
        ({"syntax.gx": SYNTAX, "broken.gx": BROKEN, "bad.gx": BAD}, ["-j2"], 2, "1 failed, 2 error in ", ""),
        ({}, ["none.gx"], 2, "", "error[usage]: there is no file or folder none.gx\n"),
        ({}, ["good.gx::none"], 2, "", "good.gx has no check 'none'; it has holds, print(2) #>\n"),
        ({"syntax.gx": SYNTAX}, ["syntax.gx::a"], 2, "", "error[doubled-sign]"),
        ({}, ["-k", "and"], 2, "", "-k 'and' is no expression"),
        ({}, ["--maxfail", "0"], 2, "", "maxfail"),
        ({}, ["--format", "xml"], 2, "", "--format 'xml' is not a format"),
        ({}, ["--against", "torch"], 2, "", "without it nothing is compared"),
        ({}, ["--grad", "--against", "tinygrad"], 2, "", "'tinygrad' is no engine"),
        ({}, ["--manual-seed", "99999999999999999999"], 2, "", "does not fit into 64 bits"),
        ({}, ["-k", "nothing"], 5, "2 deselected in ", "error[nothing-checked]: none of 2 checks was chosen"),
        ({"empty.gx": "print(1)\n"}, ["empty.gx"], 5, "no checks in ", "no check found in 1 script below empty.gx"),
        ({"never.gx": "if 1 == 2:\n    check 'c':\n        pass\n"}, ["never.gx"], 5, "1 skipped in ", "never came"),
    ],
)
def test_exit_statuses(
    folder: Path, scripts: dict[str, str], words: list[str], status: int, out: str, err: str
) -> None:
    for name, text in scripts.items():
        (folder / name).write_text(text)
    done = process(*words)
    assert done.returncode == status
    assert out in done.stdout and err in done.stderr
    assert bool(done.stdout) == bool(out) and bool(done.stderr) == bool(err)


def test_an_empty_folder_is_no_success(tmp_path: Path) -> None:
    done = process(str(tmp_path))
    assert (done.returncode, done.stdout[:10]) == (5, "no checks ")


def test_a_fault_of_our_own_has_a_status_of_its_own(gradcli: Gradcli, monkeypatch: pytest.MonkeyPatch) -> None:
    from gradcli.checks import runner

    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(runner, "items_of", fail)
    done = gradcli()
    assert done.status == 4 and "error[internal]: gradcli itself failed: ZeroDivisionError: inside" in done.out
    assert "Traceback" in gradcli("--traceback").out


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux")
@pytest.mark.parametrize("words", [[], ["-j", "2"]])
def test_an_interruption_ends_everything(folder: Path, words: list[str]) -> None:
    for name in ("h1.gx", "h2.gx"):
        (folder / name).write_text("assert 1 == 1\nwhile True:\n    pass\n")
    command = [sys.executable, "-m", "gradcli", "check", *words, "--junitxml", "r.xml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert running.stdout is not None
    assert running.stdout.readline() == "good.gx ..\n"
    time.sleep(0.3)
    workers = children(running.pid)
    assert len(workers) == (2 if words else 0)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert out.startswith("interrupted\n2 passed in ") and err == ""
    assert not (folder / "r.xml").exists() and not list(folder.glob("*.part"))
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_a_closed_pipe_ends_quietly(folder: Path) -> None:
    for number in range(50):
        (folder / f"s{number}.gx").write_text(BAD)
    words = f"{sys.executable} -m gradcli check 2>err | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", words], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.stdout == "good.gx ..\n141\n" and (folder / "err").read_text() == ""


# -- choosing ---------------------------------------------------------------------------------------------------------
def test_one_line_a_check(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD)
    lines = gradcli("-v").out.splitlines()
    assert lines[:3] == ["bad.gx::holds not FAILED", "good.gx::holds PASSED", "good.gx::print(2) #> PASSED"]


def test_collect_only_runs_nothing(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD)
    done = gradcli("--collect-only")
    assert done.out == "bad.gx::holds not\ngood.gx::holds\ngood.gx::print(2) #>\n\n3 checks in 2 files\n"
    assert done.status == 0 and done.err == ""
    done = gradcli("--collect-only", "-k", "not good", "--format", "json")
    assert [item["id"] for item in done.json["checks"]] == ["bad.gx::holds not"]
    assert gradcli("--collect-only", "-k", "none").status == 5
    (folder / "syntax.gx").write_text(SYNTAX)
    done = gradcli("--collect-only")
    assert done.status == 2 and "3 checks" in done.out and "doubled-sign" in done.err
    assert gradcli("--collect-only", "--format", "tap").status == 2


def test_single_checks_are_named_by_id(gradcli: Gradcli) -> None:
    done = gradcli("-v", "good.gx::holds")
    assert (done.status, done.out.splitlines()[0]) == (0, "good.gx::holds PASSED")
    assert "1 passed, 1 deselected in " in done.out
    assert "2 passed in " in gradcli("good.gx::holds", "good.gx::print(2) #>").out
    assert "2 passed in " in gradcli("good.gx::holds", "good.gx").out


def test_what_failed_last_time_runs_again(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD + GOOD)
    assert "3 passed, 1 failed in " not in gradcli("--lf", "good.gx").out
    gradcli()
    done = gradcli("--lf")
    assert done.status == 1 and "1 failed, 2 deselected in " in done.out
    (folder / "bad.gx").write_text(BAD.replace("3", "2") + GOOD)
    assert "1 passed, 2 deselected in " in gradcli("--lf").out
    assert "5 passed in " in gradcli("--lf").out


def test_maxfail_stops(gradcli: Gradcli, folder: Path) -> None:
    for name in "abcd":
        (folder / f"{name}.gx").write_text(BAD)
    for words in (["--maxfail", "2"], ["--maxfail", "2", "-j", "2"]):
        done = gradcli(*words)
        assert done.out.startswith("a.gx F\nb.gx F\n\nFAILED") and "stopped after 2 failures\n2 failed in " in done.out


def test_patterns_leave_scripts_out(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD)
    assert gradcli("--exclude", "b*.gx").status == 0
    (folder / ".gradcliignore").write_text("/bad.gx\n")
    assert gradcli().status == 0
    assert gradcli("bad.gx").status == 1


# -- reports ----------------------------------------------------------------------------------------------------------
def test_the_text_of_a_failure(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD)
    done = gradcli("bad.gx")
    head, _, tail = done.out.rpartition("\n\n")
    assert head == (
        "bad.gx F\n"
        "\n"
        "FAILED bad.gx::holds not\n"
        "error[assertion-failed]: `1 + 1 == 3` does not hold\n"
        "  --> bad.gx:3:12\n"
        "   |\n"
        " 3 |     assert 1 + 1 == 3\n"
        "   |            ^^^^^^^^^^ this is not so\n"
        "   |\n"
        "   = 1 + 1 is 2\n"
        "printed:\n"
        "  why"
    )
    assert tail.startswith("1 failed in ") and done.err == ""


def test_several_reports_at_once(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD)
    words = ["--junitxml", "r.xml", "--sarif", "r.sarif", "--format", "json=r.json", "--format", "tap=r.tap"]
    done = gradcli(*words, "--format", "text", "--format", "github")
    assert done.out.startswith("bad.gx F\n") and "\n::error file=bad.gx,line=3," in done.out
    assert ET.parse("r.xml").getroot()[0].attrib["failures"] == "1"
    assert json.loads((folder / "r.sarif").read_text())["version"] == "2.1.0"
    assert json.loads((folder / "r.json").read_text())["summary"]["failed"] == 1
    assert (folder / "r.tap").read_text().startswith("TAP version 14\nnot ok 1 - bad.gx::holds not\n")
    assert sorted(path.name for path in folder.iterdir()) == [
        "bad.gx",
        "good.gx",
        "r.json",
        "r.sarif",
        "r.tap",
        "r.xml",
    ]


def test_json_is_alone_on_standard_output(gradcli: Gradcli, folder: Path) -> None:
    (folder / "bad.gx").write_text(BAD)
    done = gradcli("--format", "json")
    assert (done.json["schema"], done.json["ok"], done.status, done.err) == ("gradcli.check/1", False, 1, "")
    assert done.json["files"][0]["stdout"] == "why\n"
    done = gradcli("none.gx", "--format", "json")
    assert (done.json["ok"], done.json["error"]["kind"], done.json["files"], done.status) == (False, "usage", [], 2)
    assert gradcli("--format=json").json["ok"] is False


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--junitxml", "none/r.xml"], "there is no folder"),
        (["--sarif", "."], "is a folder"),
        (["--junitxml", "r", "--sarif", "r"], "the same file"),
        (["--format", "tap", "--format", "text"], "tap and text can't share standard output"),
        (["--format", "text", "--format", "text"], "can't share"),
        (["--format", "json="], "is not a format"),
    ],
)
def test_reports_that_can_not_be(gradcli: Gradcli, folder: Path, words: list[str], message: str) -> None:
    (folder / "slow.gx").write_text("while True:\n    pass\nassert 1 == 1\n")  # nothing may run before it is refused
    done = gradcli(*words)
    assert done.status == 2 and message in done.err and done.out == ""


def test_a_report_that_can_not_be_written_in_the_end(
    gradcli: Gradcli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    (folder / "r.xml").write_text("old")
    monkeypatch.setattr(os, "replace", full)
    done = gradcli("--junitxml", "r.xml")
    assert done.status == 3 and "2 passed in " in done.out
    assert done.err == "error[output]: the report r.xml can't be written: no space left on device\n"
    assert (folder / "r.xml").read_text() == "old" and not list(folder.glob("*.part"))


def test_the_order_does_not_depend_on_jobs(gradcli: Gradcli, folder: Path) -> None:
    (folder / "a_slow.gx").write_text("x = 0\nfor i in range(2000000):\n    x = x + 1\nassert x == 1\n")
    for name, text in (("bad.gx", BAD), ("broken.gx", BROKEN), ("syntax.gx", SYNTAX)):
        (folder / name).write_text(text)
    outputs = [gradcli("-v", "-j", jobs).out.rpartition(" in ")[0] for jobs in ("1", "2", "3", "0")]
    assert len(set(outputs)) == 1 and outputs[0].startswith("a_slow.gx::assert x == 1 FAILED\nbad.gx")


def test_durations_show_the_slowest_first(gradcli: Gradcli, folder: Path) -> None:
    (folder / "slow.gx").write_text('check "slow":\n    for i in range(1000000):\n        pass\n')
    lines = gradcli("--durations", "2").out.partition("slowest:\n")[2].splitlines()
    assert [line.split("s ", 1)[1] for line in lines[:2]] == ["slow.gx", "slow.gx::slow"] and not lines[2]
    assert len(gradcli("--durations", "0").out.partition("slowest:\n")[2].splitlines()) == 6


def test_the_seed_is_told(gradcli: Gradcli, folder: Path) -> None:
    (folder / "r.gx").write_text("check 'random':\n    assert rand(1) > 1\n")
    assert "random numbers of r.gx: --manual-seed 5 gives them again\n" in gradcli("--manual-seed", "5").out
    assert gradcli("r.gx", "--format", "json", "--manual-seed", "5").json["files"][0]["manual_seed"] == 5


def test_a_time_limit_a_file(gradcli: Gradcli, folder: Path) -> None:
    (folder / "endless.gx").write_text("while True:\n    pass\nassert 1 == 1\n")
    done = gradcli("--timeout", "2")  # a busy machine takes its time to start
    assert done.status == 3 and "endless.gx sE\ngood.gx ..\n" in done.out
    assert "error[timeout]: the script ran longer than 2 seconds and was stopped\n  --> endless.gx:" in done.out


def test_update_rewrites(gradcli: Gradcli, folder: Path) -> None:
    (folder / "good.gx").write_text(GOOD.replace("#> 2", "#> 3"))
    assert gradcli().status == 1
    done = gradcli("--update")
    assert (done.status, (folder / "good.gx").read_text()) == (0, GOOD) and "2 passed, 1 updated in " in done.out


# -- terminals --------------------------------------------------------------------------------------------------------
def test_colour_is_for_terminals(gradcli: Gradcli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    (folder / "bad.gx").write_text(BAD)
    assert "\x1b" not in gradcli().out
    assert "\x1b[1;31mF\x1b[0m" in gradcli("--color", "always").out


def test_a_bar_on_a_terminal_goes_away_again(folder: Path) -> None:
    for name in ("h1.gx", "h2.gx"):
        (folder / name).write_text("x = 0\nfor i in range(30000000):\n    x = x + 1\nassert x == 30000000\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    child = pexpect.spawn(sys.executable, ["-m", "gradcli", "check", "-j", "2"], env=environment, timeout=60)
    child.expect("1/3")
    child.expect(r"4 passed in")
    child.expect(pexpect.EOF)


def test_watching_checks_again_what_changes(folder: Path) -> None:
    (folder / "other.gx").write_text(GOOD)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    child = pexpect.spawn(sys.executable, ["-m", "gradcli", "check", "--watch"], env=environment, timeout=20)
    child.expect("4 passed in")
    time.sleep(0.5)
    (folder / "good.gx").write_text(GOOD.replace("#> 2", "#> 3"))
    child.expect("changed: good.gx")
    child.expect("1 passed, 1 failed in")
    (folder / "new.gx").write_text(GOOD)
    child.expect("changed: new.gx")
    child.expect("2 passed in")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


# -- the house --------------------------------------------------------------------------------------------------------
def test_the_options_are_the_parameters() -> None:
    assert [parameter.name for parameter in parameters_of(check)] == list(CheckOptions._fields)


FLAGS = [flag for p in parameters_of(check) for flag in getattr(p.spelling, "flags", ())]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*FLAGS, "a.gx", "dir", "-", "2", "0", "-1", "x", "-j2", "--maxfail=2", "-k=a"]), max_size=5
    )
)
def test_both_parsers_agree(words: list[str]) -> None:
    direct = parse(parameters_of(check), words)
    if direct is not None:
        seen: list[dict[str, object]] = []

        @functools.wraps(check)
        def record(**values: object) -> int:
            seen.append(values)
            return 0

        record.__kwdefaults__ = check.__kwdefaults__
        typer_app.build({"check": record, "other": record})(["check", *words], standalone_mode=False)
        assert seen == [direct]


def test_help_names_every_option(gradcli: Gradcli) -> None:
    done = process("--help")
    assert done.returncode == 0
    for parameter in parameters_of(check):
        for flag in getattr(parameter.spelling, "flags", ()):
            assert flag in done.stdout


def test_workers_do_the_work_so_the_parent_needs_no_numpy(folder: Path) -> None:
    code = "import sys; from gradcli.cli.main import main; main(['check', '-j', '2']); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.stdout.splitlines()[-1] == "False"

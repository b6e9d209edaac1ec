"""``gradcli check`` as a process among others: streams, locales, signals, and files with odd names."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = "assert 1 == 1\nwhile True:\n    pass\n"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of a pipeline: output is buffered, and nothing is remembered."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}


def start(folder: Path, environment: dict[str, str], *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gradcli", "check", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment)


def run(folder: Path, environment: dict[str, str], *words: str) -> tuple[int, bytes, bytes]:
    process = start(folder, environment, *words)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_a_refused_command_line_is_told_as_json_too(tmp_path: Path, environment: dict[str, str]) -> None:
    status, out, err = run(tmp_path, environment, "--format", "json", "nowhere")
    assert status == 2 and json.loads(out)["error"]["message"] in err.decode()


def test_what_was_done_before_an_interruption_is_reported(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "a.gx").write_text("assert 1 == 2\n")
    (tmp_path / "b.gx").write_text(ENDLESS)
    process = start(tmp_path, environment, "--format", "json")
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["stopped"] == "interrupted" and [file["path"] for file in found["files"]] == ["a.gx"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux")
@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(tmp_path: Path, environment: dict[str, str], kind: signal.Signals) -> None:
    for name in ("a.gx", "b.gx"):
        (tmp_path / name).write_text(ENDLESS)
    process = start(tmp_path, environment, "-j", "2")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(100):
        time.sleep(0.1)
        workers = [int(child) for child in children.read_text().split()]
        if len(workers) == 2 and all(b"checks.workers" in Path(f"/proc/{w}/cmdline").read_bytes() for w in workers):
            break
    time.sleep(1.0)
    process.send_signal(kind)
    process.communicate(timeout=20)
    for _ in range(100):
        left = [w for w in workers if _runs(w)]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"still there: {left}")


def _runs(process: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("format", ["json", "junit", "tap", "sarif", "github"])
def test_documents_are_utf8_in_any_locale(tmp_path: Path, environment: dict[str, str], format: str) -> None:
    (tmp_path / "ü.gx").write_text('check "größe":\n    assert "é" == "梯度"\n', encoding="utf-8")
    environment["PYTHONIOENCODING"] = "ascii"
    status, out, _ = run(tmp_path, environment, "--format", format)
    text = out.decode("utf-8")
    assert status == 1 and "梯度" in text and "\\x" not in text
    if format in ("json", "sarif"):
        json.loads(text)
    elif format == "junit":
        ET.fromstring(text)


def test_a_name_with_line_ends_stays_on_one_line(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "two\nlines\t.gx").write_text("assert 1 == 1\n")
    _, out, _ = run(tmp_path, environment)
    assert out.decode().split("\n")[0] == "two␊lines␉.gx ."
    _, out, _ = run(tmp_path, environment, "--collect-only")
    assert out.decode().split("\n")[0] == "two␊lines␉.gx::assert 1 == 1"


def test_a_file_name_that_is_no_utf8_leaves_strict_json(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / os.fsdecode(b"by\xfftes.gx")).write_text('check "\\ud800":\n    assert 1 == 2\n')
    for words in (["--format", "json"], ["--format", "sarif"], ["--collect-only", "--format", "json"]):
        _, out, _ = run(tmp_path, environment, *words)
        json.dumps(json.loads(out), ensure_ascii=False).encode()  # no half of a pair is left


def test_a_report_can_go_to_a_stream(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "a.gx").write_text("assert 1 == 1\n")
    status, out, err = run(tmp_path, environment, "--format", "json=/dev/stderr")
    assert status == 0 and json.loads(err)["ok"] and out.startswith(b"a.gx .\n")


@pytest.mark.parametrize("seconds", ["inf", "1e300"])
@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
def test_a_limit_that_is_none_to_speak_of(
    tmp_path: Path, environment: dict[str, str], seconds: str, jobs: list[str]
) -> None:
    for name in ("a.gx", "b.gx"):
        (tmp_path / name).write_text("assert 1 == 1\n")
    status, out, err = run(tmp_path, environment, "--timeout", seconds, *jobs)
    assert (status, err) == (0, b"") and out.startswith(b"a.gx .\nb.gx .\n2 passed")

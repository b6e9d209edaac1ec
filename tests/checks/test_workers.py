"""Files in processes of their own: order, crashes, time limits, and nothing left behind."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gradcli.checks import workers
from gradcli.checks.choosing import until
from gradcli.checks.results import CheckSettings
from gradcli.checks.workers import Task, run_tasks
from tests.checks.helpers import outcomes, result_of

GOOD = "check 'good':\n    print(rand(1))\n    assert 1 == 1\n"


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Task]:
    def write(name: str, text: str, timeout: float | None = None) -> Task:
        (tmp_path / name).write_text(text)
        return Task(str(tmp_path / name), CheckSettings(timeout=timeout))

    return write


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The process ids of workers; at the end none of them may be alive."""
    pids: list[int] = []
    start = workers._Worker._start

    def remember(worker: workers._Worker) -> object:
        process = start(worker)
        pids.append(process.pid)
        return process

    monkeypatch.setattr(workers._Worker, "_start", remember)
    yield pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_results_come_in_the_order_of_tasks(script: Callable[..., Task], started: list[int]) -> None:
    slow = "x = 0\nfor i in range(3000000):\n    x = x + 1\nassert x == 3000000\n"
    tasks = [script("0.gx", slow), *(script(f"{n}.gx", GOOD) for n in range(1, 6))]
    together = list(run_tasks(tasks, 2))
    alone = list(run_tasks(tasks, 1))
    assert [r.file for r in together] == [task.file for task in tasks]
    assert [(outcomes(r), r.stdout) for r in together] == [(outcomes(r), r.stdout) for r in alone]
    assert len(started) == 2


def test_a_worker_that_dies_is_an_error_of_its_file_alone(script: Callable[..., Task], started: list[int]) -> None:
    endless = "assert 1 == 1\nwhile True:\n    pass\n"
    tasks = [script("a.gx", endless, 100), script("b.gx", GOOD, 100), script("c.gx", GOOD, 100)]

    def kill_the_first() -> None:
        while not started:
            time.sleep(0.01)
        time.sleep(1)
        os.kill(started[0], signal.SIGSEGV)

    threading.Thread(target=kill_the_first).start()
    results = list(run_tasks(tasks, 1))
    assert [[c.outcome for c in r.checks] for r in results] == [["error"], ["passed"], ["passed"]]
    error = results[0].checks[0].diagnostic
    assert error is not None and (error.kind, error.code) == ("runtime", "crashed")
    assert "ended by SIGSEGV" in error.message
    assert len(started) == 2


def test_one_long_operation_is_stopped_too(script: Callable[..., Task], started: list[int]) -> None:
    long = "check 'done':\n    assert 1 == 1\nx = eye(4000) + 1\ny = torch.linalg.svd(x)\nassert 1 == 1\n"
    tasks = [script("a.gx", long, 2), script("b.gx", GOOD, 100)]
    first, second = run_tasks(tasks, 1)
    last = first.checks[-1]
    assert last.kind == "file" and last.diagnostic is not None and last.diagnostic.code == "timeout"
    assert last.line == 4 and first.checks[0].outcome == "passed"
    assert outcomes(second) == {"good": "passed"}


def test_a_worker_that_answers_nothing_is_killed(
    script: Callable[..., Task], started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_SLACK", 0.2)

    def stop() -> None:
        while not started:
            time.sleep(0.01)
        os.kill(started[0], signal.SIGSTOP)

    threading.Thread(target=stop).start()
    (result,) = run_tasks([script("a.gx", GOOD, 1)], 1)
    (check,) = result.checks
    assert check.diagnostic is not None and check.diagnostic.code == "timeout"


def test_whoever_wants_no_more_leaves_no_worker_behind(script: Callable[..., Task], started: list[int]) -> None:
    endless = "assert 1 == 1\nwhile True:\n    pass\n"
    results = run_tasks([script("a.gx", GOOD), script("b.gx", endless), script("c.gx", endless)], 2)
    assert outcomes(next(results)) == {"good": "passed"}
    results.close()  # type: ignore[attr-defined]
    time.sleep(0.2)


def test_workers_share_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in workers._THREADS:
        monkeypatch.delenv(name, raising=False)
    seen: list[dict[str, str]] = []

    class Popen:
        def __init__(self, words: list[str], env: dict[str, str], **more: object) -> None:
            seen.append(env)

    monkeypatch.setattr(workers.subprocess, "Popen", Popen)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    workers._Worker(4)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    workers._Worker(16)
    assert [env["OMP_NUM_THREADS"] for env in seen] == ["2", "7"]
    assert seen[1]["OPENBLAS_NUM_THREADS"] == "1"


@pytest.mark.parametrize(
    ("limit", "seen"),
    [(None, ["..F", "EF.", "."]), (1, ["..F"]), (2, ["..F", "E"]), (3, ["..F", "EF"]), (4, ["..F", "EF.", "."])],
)
def test_a_limit_ends_with_its_last_failure(limit: int | None, seen: list[str]) -> None:
    names = {".": "passed", "F": "failed", "E": "error"}
    results = (result_of(*(names[mark] for mark in marks)) for marks in ("..F", "EF.", "."))
    kept = list(until(results, limit))
    marks = {outcome: mark for mark, outcome in names.items()}
    assert ["".join(marks[check.outcome] for check in result.checks) for result in kept] == seen

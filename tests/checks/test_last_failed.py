"""What failed last time: remembered by folder, and chosen again."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradcli.checks import last_failed
from gradcli.checks.choosing import only_failed
from gradcli.checks.results import CheckResult, CheckSettings, FileResult
from gradcli.checks.workers import Task
from tests.checks.helpers import failure, result_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name in ("s.gx", "t.gx"):
        (tmp_path / name).write_text("check 'c0':\n    pass\ncheck 'c1':\n    pass\ncheck 'c2':\n    pass\n")
    return tmp_path


def test_failures_are_remembered_until_they_pass(folder: Path) -> None:
    assert last_failed.load() == []
    last_failed.store([result_of("passed", "failed", "failed"), result_of("failed", file="t.gx")])
    assert last_failed.load() == ["s.gx::c1", "s.gx::c2", "t.gx::c0"]
    last_failed.store([result_of("passed", "passed", "skipped")])
    assert last_failed.load() == ["s.gx::c2", "t.gx::c0"]
    (folder / "t.gx").unlink()
    last_failed.store([result_of("passed", "passed", "passed")])
    assert last_failed.load() == []


def test_an_error_of_a_file_is_over_when_the_file_ran_again() -> None:
    error = CheckResult("s.gx", "s.gx", "", "file", "error", 1, 0.0, failure())
    last_failed.store([FileResult("s.gx", [error])])
    assert last_failed.load() == ["s.gx"]
    last_failed.store([result_of("passed")])
    assert last_failed.load() == []


def test_another_folder_has_failures_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last_failed.store([result_of("failed")])
    (folder / "other").mkdir()
    monkeypatch.chdir(folder / "other")
    assert last_failed.load() == []


def test_a_cache_that_can_not_be_used_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))
    last_failed.store([result_of("failed")])
    assert last_failed.load() == []


@pytest.mark.parametrize("content", ["", "{", "{}", '[1, "s.gx::c0", null]', "\xff"])
def test_a_damaged_memory_is_read_as_far_as_it_goes(content: str) -> None:
    last_failed.store([result_of("failed")])
    Path(last_failed._path()).write_text(content, encoding="latin-1")
    assert last_failed.load() == (["s.gx::c0"] if "s.gx" in content else [])


def tasks(only: frozenset[str] | None = None, **settings: bool) -> list[Task]:
    return [Task("s.gx", CheckSettings(only=only, **settings)), Task("t.gx", CheckSettings(**settings))]  # type: ignore[arg-type]


def test_the_failed_checks_are_chosen() -> None:
    (task,) = only_failed(tasks(), ["s.gx::c1", "s.gx::c2"])
    assert (task.file, task.settings.only) == ("s.gx", {"s.gx::c1", "s.gx::c2"})
    (task,) = only_failed(tasks(frozenset({"s.gx::c1"})), ["s.gx::c1", "s.gx::c2"])
    assert task.settings.only == {"s.gx::c1"}


def test_all_are_chosen_when_none_failed_or_the_file_did() -> None:
    assert only_failed(tasks(), []) == tasks()
    assert only_failed(tasks(), ["other.gx::c"]) == tasks()
    assert only_failed(tasks(), ["t.gx", "t.gx::c0"]) == [tasks()[1]]


def test_a_check_that_only_the_run_knows_needs_all_of_the_file() -> None:
    (task,) = only_failed(tasks(), ["s.gx::assert n < 2", "s.gx::c0"])
    assert task == tasks()[0]
    (task,) = only_failed(tasks(grad=True), ["s.gx::y by x"])
    assert task.settings.only == {"s.gx::y by x"}

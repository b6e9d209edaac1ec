"""Noticing changes of files."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from gradcli.checks.watch import changed, stamps, wait_for_change


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("a.gx", "data.csv", "sub/b.gx"):
        (tmp_path / name).write_text("1")
    return tmp_path


def look() -> dict[str, tuple[int, int]]:
    return stamps(["a.gx", "sub/b.gx", "gone/c.gx"])


def test_files_beside_the_scripts_are_seen() -> None:
    assert set(look()) == {"a.gx", "data.csv", os.path.join("sub", "b.gx")}


def test_what_is_new_gone_or_different_has_changed(folder: Path) -> None:
    before = look()
    assert changed(before, look()) == set()
    (folder / "a.gx").write_text("longer")
    (folder / "data.csv").unlink()
    (folder / "sub" / "new.npy").write_text("")
    assert changed(before, look()) == {"a.gx", "data.csv", os.path.join("sub", "new.npy")}


def test_waiting_ends_with_the_change_and_takes_all_that_comes_together(folder: Path) -> None:
    before = look()

    def write() -> None:
        time.sleep(0.1)
        (folder / "a.gx").write_text("first")
        time.sleep(0.02)
        (folder / "sub" / "b.gx").write_text("second")

    threading.Thread(target=write).start()
    assert wait_for_change(look, before, pause=0.1) == {"a.gx", os.path.join("sub", "b.gx")}

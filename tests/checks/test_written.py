"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from gradcli.checks.written import check_writable, write_whole


def test_a_new_file_has_the_text_and_the_usual_permissions(tmp_path: Path) -> None:
    write_whole(str(tmp_path / "r.xml"), "grün\r\n\udc80")
    assert (tmp_path / "r.xml").read_bytes() == "grün\r\n".encode() + b"\\udc80"
    (tmp_path / "usual").write_text("")
    assert (tmp_path / "r.xml").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_old_file_keeps_permissions_and_links(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(str(tmp_path / "link"), "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o640


def test_what_fails_half_way_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.xml").write_text("old")

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(str(tmp_path / "r.xml"), "new")
    assert (tmp_path / "r.xml").read_text() == "old" and os.listdir(tmp_path) == ["r.xml"]


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(str(pipe), "text")
    reader.join()
    assert read == ["text"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_a_killed_process_left_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / f"r.xml.{os.getpid()}.part").write_text("half")
    write_whole(str(tmp_path / "r.xml"), "new")
    assert (tmp_path / "r.xml").read_text() == "new" and os.listdir(tmp_path) == ["r.xml"]


def test_what_can_not_be_written_is_known_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old.xml").write_text("old")
    check_writable(str(tmp_path / "old.xml"))
    check_writable(str(tmp_path / "new.xml"))
    check_writable("/dev/null")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        check_writable(str(tmp_path))
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        check_writable(str(tmp_path / "none" / "r.xml"))
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(tmp_path))
    for name in ("old.xml", "new.xml"):  # it is replaced by another file, for which the folder must be writable
        with pytest.raises(PermissionError, match="is not writable"):
            check_writable(str(tmp_path / name))

"""Which scripts a path means, and what is left out: compared with git, whose patterns they are."""

from __future__ import annotations

import builtins
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradcli.checks.collect import BadPath, collect, parse_target
from gradcli.checks.ignoring import Ignored, parse_pattern
from gradcli.checks.results import CheckSettings
from gradcli.checks.runner import run_file

FILES = ["b.gx", "a.gx", "sub/z.gx", "sub/deep/y.gx", "sub.gx", "a/x.gx", "notes.txt", ".hidden.gx"]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("assert 1 == 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_gives_its_scripts_in_the_order_of_names(tree: Path) -> None:
    assert collect(["."]) == [".hidden.gx", "a/x.gx", "a.gx", "b.gx", "sub/deep/y.gx", "sub/z.gx", "sub.gx"]


def test_paths_count_in_their_order_and_each_script_once(tree: Path) -> None:
    assert collect(["sub", "b.gx", "./b.gx", "sub/z.gx", str(tree / "a.gx")]) == [
        "sub/deep/y.gx",
        "sub/z.gx",
        "b.gx",
        "a.gx",
    ]


def test_a_link_to_a_script_is_the_same_script(tree: Path) -> None:
    (tree / "link.gx").symlink_to(tree / "a.gx")
    assert collect(["a.gx", "link.gx"]) == ["a.gx"]


def test_a_loop_of_links_ends(tree: Path) -> None:
    (tree / "sub" / "up").symlink_to(tree)
    assert "sub/z.gx" in collect(["sub"]) and len(collect(["sub"])) == 2


def test_environments_hidden_folders_and_builds_are_left_out(tree: Path) -> None:
    for name in (".cache", "node_modules", "build", "env"):
        (tree / name).mkdir()
        (tree / name / "no.gx").write_text("assert 1 == 1\n")
    (tree / "env" / "pyvenv.cfg").write_text("")
    assert not [file for file in collect(["."]) if "no.gx" in file]
    assert collect([".cache/no.gx", "build"]) == [".cache/no.gx", "build/no.gx"]


def test_ignore_files_and_exclude(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("# comment\n/a.gx\ndeep/\n")
    (tree / "sub" / ".gradcliignore").write_text("z.gx\n")
    assert collect(["."]) == [".hidden.gx", "a/x.gx", "b.gx", "sub.gx"]
    assert collect(["."], exclude=("s*.gx", "a/")) == [".hidden.gx", "b.gx"]
    assert collect(["sub"], exclude=()) == []
    assert collect(["sub/z.gx", "a.gx"]) == ["sub/z.gx", "a.gx"]


def test_ignore_files_of_other_repositories_mean_nothing(tree: Path) -> None:
    (tree / ".gitignore").write_text("*.gx\n")
    (tree / "sub" / ".git").mkdir()
    assert collect(["sub"]) == ["sub/deep/y.gx", "sub/z.gx"]


@pytest.mark.parametrize(
    ("word", "words"),
    [("none.gx", "no file or folder none.gx"), ("none.gx::t", "no file"), ("sub::t", "sub is a folder")],
)
def test_paths_that_there_is_nothing_for(tree: Path, word: str, words: str) -> None:
    with pytest.raises(BadPath, match=words):
        parse_target(word)


def test_a_title_follows_two_colons(tree: Path) -> None:
    assert parse_target("a.gx::it::is") == ("a.gx", "it::is")
    assert parse_target("a.gx") == ("a.gx", None)
    (tree / "odd::name.gx").write_text("")
    assert parse_target("odd::name.gx") == ("odd::name.gx", None)


def test_what_can_not_be_read_is_an_error_of_its_own_and_the_others_are_found(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed folder, a closed ignore file, and links that lead nowhere or to themselves."""
    (tree / "a" / ".gitignore").write_text("*.gx\n")
    (tree / "loop.gx").symlink_to("loop.gx")
    (tree / "nowhere.gx").symlink_to("nothing")
    (tree / "to_folder.gx").symlink_to("a")
    scandir, access, opened = os.scandir, os.access, builtins.open

    def scan(path: str) -> Any:
        if os.path.basename(path) == "sub":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def open_file(path: Any, *words: Any, **more: Any) -> Any:
        if str(path).endswith(".gitignore"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *words, **more)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith(".gitignore") and access(path, mode))
    monkeypatch.setattr(builtins, "open", open_file)
    found = collect(["."])
    assert found == [
        ".hidden.gx", "a/.gitignore", "a/x.gx", "a.gx", "b.gx", "loop.gx", "nowhere.gx", "sub", "sub.gx"
    ]  # fmt: skip
    said = {file: check.diagnostic.message for file in found for check in run_file(file, CheckSettings()).bad
            if check.diagnostic is not None}  # fmt: skip
    assert said == {
        "a/.gitignore": "a/.gitignore can't be read: permission denied",
        "loop.gx": "loop.gx can't be read: too many levels of symbolic links",
        "nowhere.gx": "there is no file nowhere.gx",
        "sub": "sub can't be read: permission denied",
    }


PATHS = ["a.gx", "ab.gx", "d/a.gx", "d/ab.gx", "d/e/a.gx", "e/a.gx", "x y.gx", "[a].gx", "d/#a.gx", "!a.gx", "d*.gx"]
LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["*.gx", "a.gx", "/a.gx", "d/", "!d/a.gx", "**/a.gx", "d/**", "d/**/a.gx", "?.gx", "[ab].gx", "[!a].gx"]
        ),
        st.sampled_from(["\\#a.gx", "\\!a.gx", "d/*", "!*.gx", "e", "x y.gx", "a.gx  ", "# no", "", "[a-c]*.gx"]),
        st.lists(st.sampled_from(["a", "d", "e", "*", "?", "/", "**", ".gx", "!"]), min_size=1, max_size=6)
        .map("".join)
        .filter(lambda line: not re.search(r"[^/]\*\*|\*\*[^/]", line)),  # git compares stray pointers there
    ),
    max_size=5,
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for name in PATHS:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("assert 1 == 1\n")
    return root


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES)
def test_patterns_leave_out_what_git_leaves_out(repository: Path, lines: list[str]) -> None:
    (repository / ".gitignore").write_text("".join(f"{line}\n" for line in lines))
    told = subprocess.run(
        ["git", "-C", str(repository), "ls-files", "-o", "-z", "--exclude-per-directory=.gitignore", "*.gx"],
        capture_output=True,
        check=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
    )
    kept = {name for name in told.stdout.decode().split("\0") if name}
    found = {os.path.relpath(file, repository) for file in collect([str(repository)])}
    assert found == kept


def test_a_pattern_that_means_nothing() -> None:
    assert [parse_pattern(line) for line in ("", "#x", "   ", "/")] == [None] * 4
    assert not Ignored([])("a.gx", False)

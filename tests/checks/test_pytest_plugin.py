"""pytest collects scripts: the same ids, failures drawn as diagnostics, and nothing loaded where there is no script."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """\
leaf x = [1.0, 2.0]
y = (x ^ 2).sum()
print("hello")
y  #> 5.0
check "right":
    assert y == 5
check "wrong":
    assert y == 6
assert y > 3
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin in ``folder``."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "PYTEST_ADDOPTS": ""}
    installed = "gradcli" in entry_points(group="pytest11").names
    plugin = [] if installed else ["-p", "gradcli.cli.pytest_entry"]
    command = [sys.executable, "-m", "pytest", *plugin, "--rootdir", str(folder), *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.gx").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def test_the_ids_are_those_of_gradcli_check(folder: Path) -> None:
    expected = ["sub/a.gx::y #>", "sub/a.gx::right", "sub/a.gx::wrong", "sub/a.gx::assert y > 3"]
    assert run(folder, "--collect-only", "-q").stdout.split("\n\n")[0].splitlines() == expected
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gradcli", "check", "--collect-only"]
    own = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert [line for line in own.stdout.splitlines() if "::" in line] == expected


def test_a_failure_is_drawn_as_a_diagnostic(folder: Path) -> None:
    done = run(folder)
    assert done.returncode == 1
    assert "error[assertion-failed]: `y == 6` does not hold\n  --> sub/a.gx:8:12\n" in done.stdout
    assert "y is tensor(5., grad_fn=<SumBackward0>)" in done.stdout and "hello" in done.stdout
    assert "1 failed, 3 passed" in done.stdout
    assert "runtest" not in done.stdout


def test_checks_are_chosen_and_runs_cut_short(folder: Path) -> None:
    assert "1 passed, 3 deselected" in run(folder, "-k", "right").stdout
    assert "1 failed" in run(folder, "sub/a.gx::wrong").stdout
    assert "1 failed, 2 passed" in run(folder, "-x").stdout
    assert "1 failed in" in run(folder, "--lf").stdout


def test_only_what_is_chosen_runs(folder: Path) -> None:
    (folder / "b.gx").write_text("check 'a':\n    assert 1 == 1\ncheck 'b':\n    exit(3)\n", encoding="utf-8")
    assert "1 passed" in run(folder, "b.gx::a").stdout


def test_a_report_for_other_tools(folder: Path) -> None:
    run(folder, "--junitxml", "report.xml")
    suite = ElementTree.parse(folder / "report.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    assert [case.get("name") for case in suite] == ["y #>", "right", "wrong", "assert y > 3"]
    assert all(float(case.get("time") or -1) >= 0 for case in suite)


def test_a_script_that_can_not_be_read_is_an_error_of_the_collection(folder: Path) -> None:
    (folder / "broken.gx").write_text("x = (1 +\n", encoding="utf-8")
    done = run(folder)
    assert done.returncode == 2 and "error[unclosed-bracket]: `(` is never closed" in done.stdout


def test_a_script_that_dies_fails_where_it_did_and_skips_the_rest(folder: Path) -> None:
    text = (
        "check 'one':\n    assert 1 == 1\n1 / 0\ncheck 'two':\n    assert 1 == 1\ncheck 'three':\n    assert 1 == 1\n"
    )
    (folder / "dies.gx").write_text(text, encoding="utf-8")
    done = run(folder, "dies.gx", "-v")
    assert "dies.gx::one PASSED" in done.stdout
    assert "dies.gx::two FAILED" in done.stdout and "error[division-by-zero]" in done.stdout
    assert "dies.gx::three SKIPPED" in done.stdout
    (folder / "dies.gx").write_text("check 'one':\n    assert 1 == 1\n1 / 0\n", encoding="utf-8")
    assert "1 failed" in run(folder, "dies.gx").stdout


def test_ignore_files_count_unless_a_file_is_named(folder: Path) -> None:
    (folder / "mistakes").mkdir()
    (folder / "mistakes" / "m.gx").write_text("assert 1 == 2\n", encoding="utf-8")
    (folder / ".gradcliignore").write_text("mistakes/\n", encoding="utf-8")
    assert "m.gx" not in run(folder, "--collect-only", "-q").stdout
    assert "1 failed" in run(folder, "mistakes/m.gx").stdout


def test_the_wrong_scripts_of_this_repository_are_not_collected() -> None:
    found = run(ROOT, "--collect-only", "-q", "-p", "no:cacheprovider", "tests/cases", "tests/checks").stdout
    assert "tests/cases/arithmetic.gx::" in found
    assert "mistakes/" not in found.replace("test_mistakes", "") and "gradients_wrong/" not in found


def test_nothing_is_loaded_where_there_is_no_script(tmp_path: Path) -> None:
    text = (
        "import sys\n\ndef test_modules():\n"
        "    loaded = [m for m in sys.modules if m.startswith(('gradcli.lang', 'gradcli.ops', 'gradcli.autograd'))]\n"
        "    assert not loaded and not {'numpy', 'lark', 'rich', 'typer'} & set(sys.modules)\n"
    )
    (tmp_path / "test_it.py").write_text(text, encoding="utf-8")
    done = run(tmp_path, "-q", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout


def test_the_package_tells_pytest_about_the_plugin() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\ngradcli = "gradcli.cli.pytest_entry"' in text

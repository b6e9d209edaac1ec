"""The grammar is found, and the command runs, from a wheel, from an editable install and from a plain checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from gradcli.lang.grammar_file import grammar_path
from gradcli.version import __version__

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ["run", "-e", "sum(x^2)", "--set", "x=[1,2,3]", "--wrt", "x"]


def clean_environment(cache: Path) -> dict[str, str]:
    """Return an environment in which nothing of this checkout or of the user's cache is found."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "XDG_CACHE_HOME": str(cache)}


def copy_of_the_checkout(place: Path) -> Path:
    """Return a copy of what the repository holds, so that builds leave nothing behind here."""
    wanted = ["gradcli", "grammar", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"]
    for name in wanted:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)
    return place


def gradient(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [*words, *COMMAND],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=clean_environment(tmp_path / "cache"),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "tensor([2., 4., 6.])" in done.stdout


def installed(tmp_path: Path, *pip_words: str) -> Path:
    """Return the Python of a new environment into which pip installed the package."""
    place = tmp_path / "venv"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pip_words]
    done = subprocess.run(pip, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    return python


def test_from_a_plain_checkout(tmp_path: Path) -> None:
    place = tmp_path / "checkout"
    place.mkdir()
    copy_of_the_checkout(place)
    code = f"import sys; sys.path.insert(0, {str(place)!r}); from gradcli.cli.main import main; sys.exit(main())"
    gradient([sys.executable, "-c", code], tmp_path)


@pytest.mark.slow
def test_from_a_wheel(tmp_path: Path) -> None:
    place = tmp_path / "checkout"
    place.mkdir()
    python = installed(tmp_path, str(copy_of_the_checkout(place)))
    shutil.rmtree(place)
    gradient([str(python.with_name("gradcli"))], tmp_path)
    gradient([str(python), "-m", "gradcli"], tmp_path)
    inside = subprocess.run(
        [python, "-c", "from gradcli.lang.grammar_file import grammar_path; print(grammar_path())"],
        capture_output=True, text=True, cwd=tmp_path, env=clean_environment(tmp_path / "cache"), check=True,
    ).stdout  # fmt: skip
    package = Path(inside.strip()).parent.parent
    assert Path(inside.strip()).relative_to(package.parent).parts == ("gradcli", "_grammar", "gx.lark")
    stubs = {str(path.relative_to(ROOT / "gradcli")) for path in (ROOT / "gradcli").rglob("*.pyi")}
    assert {"__init__.pyi", "_typing.pyi", "nn/functional.pyi"} <= stubs
    assert all((package / name).is_file() for name in {"py.typed", *stubs})


@pytest.mark.slow
def test_from_an_editable_install(tmp_path: Path) -> None:
    place = tmp_path / "checkout"
    place.mkdir()
    python = installed(tmp_path, "--editable", str(copy_of_the_checkout(place)))
    gradient([str(python.with_name("gradcli"))], tmp_path)


def test_the_grammar_of_this_checkout_is_the_top_level_one() -> None:
    assert Path(grammar_path()) in {ROOT / "grammar" / "gx.lark", ROOT / "gradcli" / "_grammar" / "gx.lark"}


def test_the_version_is_written_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "gradcli/version.py"
    assert __version__.count(".") == 2

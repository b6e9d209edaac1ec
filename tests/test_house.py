"""The house rules: which way imports run, who may import what, and how large things may grow."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "gradcli"
FILES = sorted(PACKAGE.rglob("*.py"))
LAYERS = ["autograd", "ops", "lang", "checks", "cli"]
THIRD_PARTY = {
    "autograd": {"numpy"},
    "ops": {"numpy"},
    "lang": {"numpy", "lark", "ast"},
    "checks": {"numpy", "pytest"},
    "cli": {"numpy", "typer", "rich", "prompt_toolkit"},
}
GUARDED = set().union(*THIRD_PARTY.values())


def layer_of(path: Path) -> str | None:
    first = path.relative_to(PACKAGE).parts[0]
    return first if first in LAYERS else None


def imported_modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module" and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant):
                yield str(text.value)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    own = layer_of(path)
    if own is None:
        return
    allowed = LAYERS[: LAYERS.index(own) + 1]
    for module in imported_modules(parsed(path)):
        parts = module.split(".")
        if parts[0] == "gradcli" and len(parts) > 1 and parts[1] in LAYERS:
            assert parts[1] in allowed, f"{own} imports {module}, which is above it"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_third_party_packages_stay_in_their_folder(path: Path) -> None:
    allowed = THIRD_PARTY.get(layer_of(path) or "", set())
    for module in imported_modules(parsed(path)):
        top = module.split(".")[0]
        known = top in sys.stdlib_module_names or top == "gradcli"
        assert top in allowed or (known and top not in GUARDED), f"{module} has no place here"


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_file_and_no_function_grows_large() -> None:
    large = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        large += [f"{path.name}: {lines} lines"] if lines > 400 else []
        large += [f"{path.name}: {name}: {n} lines" for name, n in functions(ast.parse(text)) if n > 60]
    assert not large


def test_the_median_file_and_function_are_small() -> None:
    lines = [path.read_text(encoding="utf-8").count("\n") for path in FILES]
    lengths = [length for path in FILES for _, length in functions(parsed(path))]
    assert statistics.median(lines) <= 150
    assert statistics.median(lengths) <= 8
    assert sum(length > 40 for length in lengths) <= len(lengths) // 50


def test_nothing_is_left_for_later() -> None:
    marks = re.compile("TO" + r"DO|FIX" + r"ME|X" + "XX")
    places = [PACKAGE, ROOT / "tests", ROOT / "benchmarks", ROOT / "grammar", ROOT / "samples"]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for place in places
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.suffix in {".py", ".gx", ".lark", ".md"}
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if marks.search(line)
    ]
    assert not found


def has_row(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Return whether the node is an operation, which says what it does in its row."""
    keywords = [k.arg for d in node.decorator_list if isinstance(d, ast.Call) for k in d.keywords]
    return "doc" in keywords


def test_every_public_function_says_what_it_does() -> None:
    silent = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in FILES
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        if not node.name.startswith("_") and not ast.get_docstring(node) and not has_row(node)
    ]
    assert not silent


def test_the_library_never_prints() -> None:
    talkers = [
        str(path.relative_to(PACKAGE))
        for path in FILES
        if layer_of(path) != "cli" and path.name != "__main__.py"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    ]
    assert not talkers


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nsys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stderr.split())


def test_a_plain_command_line_loads_neither_typer_nor_rich_nor_lark() -> None:
    words = ["run", "-e", "sum(x^2)", "--set", "x=[1,2,3]", "--wrt", "x"]
    loaded = loaded_by(f"from gradcli.cli.main import main\nassert main({words!r}) == 0")
    assert "numpy" in loaded
    assert not {"typer", "click", "rich", "lark", "pydantic", "prompt_toolkit"} & loaded


def test_importing_the_package_loads_no_command_line() -> None:
    assert not {"typer", "rich", "lark", "gradcli.cli"} & loaded_by("import gradcli")

"""The type stubs are what the rows say, name for name, and a type checker finds real mistakes with them."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gradcli
from gradcli.autograd import Tensor
from gradcli.autograd.results import Result
from gradcli.ops.namespaces import namespace
from gradcli.ops.registry import method_names, rows
from gradcli.ops.row import Row
from tests.ops.drawing import Draw, sample_id

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "data" / "typed_api.py"
NAMESPACES = {
    "__init__.pyi": "torch",
    "nn/functional.pyi": "torch.nn.functional",
    "linalg.pyi": "torch.linalg",
    "special.pyi": "torch.special",
    "fft.pyi": "torch.fft",
    "signal/windows.pyi": "torch.signal.windows",
}


def script() -> ModuleType:
    """Return the script that makes the stubs."""
    spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "scripts" / "make_stubs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = script()


def test_the_stubs_are_what_the_script_makes() -> None:
    stale = [str(path.relative_to(ROOT)) for path, text in MAKER.stubs().items() if path.read_text("utf-8") != text]
    assert not stale, "run python scripts/make_stubs.py"


def defined(body: list[ast.stmt]) -> set[str]:
    """Return the names that a stub, or a class of it, gives to its users."""
    names: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            names.add(ast.unparse(target))
        elif isinstance(node, ast.ImportFrom):
            names |= {a.name for a in node.names if a.asname == a.name}
    return names


@pytest.mark.parametrize("file", NAMESPACES)
def test_a_stub_has_the_names_of_its_namespace(file: str) -> None:
    names = defined(ast.parse((ROOT / "gradcli" / file).read_text(encoding="utf-8")).body)
    own = {"run", "__version__"} if file == "__init__.pyi" else set()
    assert names == set(dir(namespace(NAMESPACES[file]))) | own
    module = importlib.import_module(NAMESPACES[file].replace("torch", "gradcli", 1))
    assert [name for name in sorted(names) if not hasattr(module, name)] == []


def test_tensors_have_the_methods_of_their_stub() -> None:
    tree = ast.parse((ROOT / "gradcli" / "_typing.pyi").read_text(encoding="utf-8"))
    (methods,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Methods"]
    names = defined(methods.body)
    one = gradcli.tensor([[1j]])  # real tensors refuse .imag
    assert [name for name in sorted(names) if not hasattr(one, name)] == []
    assert set(method_names()) - names <= set(vars(Tensor))
    assert {name for name in names if name.startswith("__")} <= set(vars(Tensor))


def kind(value: Any) -> str:
    """Return the type of a result as stubs write it."""
    if isinstance(value, Tensor):
        return "Tensor"
    if isinstance(value, Result):
        return str(MAKER.fields_class(" ".join(value.__match_args__)))
    if isinstance(value, tuple) and type(value) is tuple:
        return f"tuple[{', '.join(kind(item) for item in value)}]"
    return {"DType": "_DType", "Generator": "_Generator", "NoneType": "None", "Size": "Size"}.get(
        type(value).__name__, f"_{type(value).__name__}"
    )


def fits(got: str, declared: str) -> bool:
    """Tell whether a value of type ``got`` is what a stub declares."""
    inside = re.fullmatch(r"tuple\[(.*)\]", got)
    if declared == "Any" or got == declared:
        return True
    if not inside or not declared.startswith("tuple["):
        return got in declared.split(" | ")
    items, wanted = inside[1].split(", "), declared[6:-1].split(", ")
    wanted = wanted[:1] * len(items) if wanted[-1] == "..." else wanted
    return len(items) == len(wanted) and all(fits(a, b) for a, b in zip(items, wanted, strict=True))


@pytest.mark.parametrize("row", [r for r in rows() if r.samples], ids=sample_id)
def test_results_are_of_the_declared_type(row: Row) -> None:
    declared = [made for _, made in MAKER.signatures(row)]
    if row.name in ("Tensor.item", "Tensor.tolist"):
        return  # the class Tensor has these itself
    for number in range(len(row.samples)):
        draw = Draw(row, number)
        got = kind(draw.call(draw.tensors(requires_grad=False)))
        assert any(fits(got, one) for one in declared), f"a result is {got}, the stub says {declared}"


@pytest.mark.slow
def test_a_type_checker_flags_the_wrong_lines_and_no_others() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(SAMPLE)],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    found = re.findall(rf"^{re.escape(str(SAMPLE.relative_to(ROOT)))}:(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.M)
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    wanted = [(str(n), m[1]) for n, line in enumerate(lines, 1) if (m := re.search(r"# wrong: ([\w-]+)$", line))]
    assert found == wanted, done.stdout + done.stderr

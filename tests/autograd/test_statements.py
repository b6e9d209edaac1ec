"""PyTorch's observable autograd semantics, statement by statement: each snippet prints what PyTorch printed.

Numbers are compared with a tolerance (other libraries' last digits), errors by their class: our messages are our own.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import io
import json
import re
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradcli

DATA = json.loads((Path(__file__).parent.parent / "data" / "statements.json").read_text(encoding="utf-8"))
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)")
PENDING = ""
LATER: set[str] = set()


def leaf(*values: float) -> Any:
    return gradcli.tensor(list(values), dtype=gradcli.float64, requires_grad=True)


def err(function: Any, *args: Any) -> None:
    try:
        result = function(*args)
    except BaseException as exception:  # the class is what the statement is about, whatever it is
        print(f"{type(exception).__name__}: {exception}".split("\n")[0])
    else:
        print("NO ERROR ->", result)


def short(value: Any) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x…", str(value))


def torch_import(name: str, *args: Any) -> Any:
    """Import ``torch.x.y`` from gradcli."""
    if name.split(".")[0] != "torch":
        return builtins.__import__(name, *args)
    module = importlib.import_module(name.replace("torch", "gradcli", 1))
    fromlist = args[2] if len(args) > 2 else ()
    for part in fromlist or ():
        if not hasattr(module, part):
            importlib.import_module(f"{module.__name__}.{part}")
    return module if fromlist else gradcli


def run(code: str) -> str:
    """Return what the snippet prints, with ``torch`` bound to gradcli."""
    printed = io.StringIO()
    names: dict[str, Any] = {
        "torch": gradcli,
        "np": np,
        "warnings": warnings,
        "threading": threading,
        "leaf": leaf,
        "err": err,
        "short": short,
        "__builtins__": {**vars(builtins), "__import__": torch_import},
        "__name__": "snippet",
    }
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(code, "<snippet>", "exec"), names)
    return printed.getvalue()


@pytest.fixture(autouse=True)
def single_precision() -> Iterator[None]:
    gradcli.set_default_dtype(gradcli.float32)
    gradcli.set_grad_enabled(True)
    yield
    gradcli.set_default_dtype(gradcli.float64)
    gradcli.set_grad_enabled(True)


# Where PyTorch is plainly wrong, the right value stands in place of what it printed.
RIGHT = {"S099": ("det singular [[0.0, 0.0], [0.0, 0.0]]", "det singular [[1.0, -1.0], [-1.0, 1.0]]")}


def without_types(line: str) -> str:
    """Return the names and defaults of a printed signature: how types are written is not part of the statement."""
    return str(re.findall(r"(\w+): [^=]+? = ([-+.\w]+)", line)) if line.startswith("(func") else line


def normal(text: str) -> list[str]:
    """Return the lines with addresses and error texts taken out."""
    text = re.sub(r"0x[0-9a-f]+|0x…", "0x", text)
    text = re.sub(r"torch\._C\._(\w+)", r"\1", text).replace("torch.autograd.gradcheck.", "")
    lines = []
    for line in text.strip().split("\n"):
        error = re.match(r"(.*?\b(\w+Error)\b)(:.*)?$", line)
        lines.append(error[1] if error else without_types(line.rstrip()))
    return lines


def same(got: str, want: str) -> bool:
    """Return whether two lines agree but for the last digits of numbers."""
    if NUMBER.sub("#", got) != NUMBER.sub("#", want):
        return False
    pairs = zip(NUMBER.findall(got), NUMBER.findall(want), strict=True)
    return all(abs(float(a) - float(b)) <= 1e-9 + 1e-6 * abs(float(b)) for a, b in pairs)


def check(statement: dict[str, Any]) -> None:
    printed = statement["printed"].replace(*RIGHT.get(statement["id"], ("", "")))
    got, want = normal(run(statement["code"])), normal(printed)
    assert len(got) == len(want), f"printed\n{chr(10).join(got)}\nexpected\n{chr(10).join(want)}"
    for mine, theirs in zip(got, want, strict=True):
        assert same(mine, theirs), f"printed  {mine}\nexpected {theirs}"


def holds_now(statement: dict[str, Any]) -> bool:
    return statement["section"][0] not in PENDING and statement["id"] not in LATER


@pytest.mark.parametrize("statement", [s for s in DATA if holds_now(s)], ids=lambda s: s["id"])
def test_a_statement_holds(statement: dict[str, Any]) -> None:
    check(statement)

"""Fifty things that went wrong for real people, replayed on gradcli: what PyTorch printed, or the right value where it
was wrong. The scripts are data (``tests/data/cases``): they run with ``torch`` bound to gradcli."""

from __future__ import annotations

import importlib
import json
import math
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradcli
from gradcli.autograd import Tensor

FOLDER = Path(__file__).parent.parent / "data" / "cases"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
MODULES = ("nn", "nn.functional", "linalg", "autograd", "autograd.functional", "func", "utils", "utils.checkpoint")

# Where PyTorch is wrong, or its result is an accident of the order of writes: what is right instead.
RIGHT: dict[str, dict[str, Any]] = {
    "l01_det_of_singular": {"rank1": "rank1_right", "rank2": "rank2_right"},
    "i12_overlapping_update": {
        "torch_1x2": {"ok": [[0.0, 1.0]]},  # the out-of-place value, which PyTorch refuses to compute
        "torch_2x3": {"ok": "right_2x3"},
        "shift": {"ok": "right_shift"},
    },
}
# Only the written value that survives has a gradient, so the place written twice gives the first writer nothing.
SURVIVOR = {"i02_write_repeated_index": ("overwrite", "scatter")}
LOOSE = {"u01_float32_check_fails": 1e-4}  # float32 differences of functions whose last bit is another library's


class Torch(types.ModuleType):
    """gradcli under the name that the scripts import."""

    def __getattr__(self, name: str) -> Any:
        return (lambda count: None) if name == "set_num_threads" else getattr(gradcli, name)


def plain(value: Any) -> Any:
    """Return a value as the recording writes it: strict JSON."""
    if isinstance(value, Tensor):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "data": plain(value.detach().tolist())}
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "data": plain(value.tolist())}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, complex):
        return {"re": plain(value.real), "im": plain(value.imag)}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def outcome(function: Callable[[], Any]) -> Any:
    """Return what a call gives, or the class of its error."""
    try:
        return {"ok": function()}
    except BaseException as exception:  # whatever it is, its class is what is compared
        return {"error": type(exception).__name__, "message": str(exception)}


def with_warnings(function: Callable[[], Any]) -> Any:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        value = function()
    return {"value": value, "warnings": [str(w.message) for w in found]}


def gradient(y: Any, *xs: Any, **more: Any) -> Any:
    found = gradcli.autograd.grad(y, xs, **more)
    return found[0] if len(found) == 1 else found


@pytest.fixture
def scope(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names a script finds, with ``torch`` importable for the time of the test."""
    torch = Torch("torch")
    monkeypatch.setitem(sys.modules, "torch", torch)
    for name in MODULES:
        monkeypatch.setitem(sys.modules, f"torch.{name}", importlib.import_module(f"gradcli.{name}"))
    monkeypatch.chdir(FOLDER)
    gradcli.manual_seed(0)
    return {"torch": torch, "_f": plain, "np": np,
            "json": json, "math": math, "re": re, "sys": sys, "warnings": warnings,
            "nan": math.nan, "inf": math.inf, "err": outcome, "warned": with_warnings, "grad": gradient}  # fmt: skip


def differences(got: Any, want: Any, rtol: float, path: str = "") -> Iterator[str]:
    """Yield where two recordings differ; errors agree in their class, messages and warnings are our own words."""
    if isinstance(want, dict) and isinstance(got, dict):
        if "error" in want and "error" in got:
            if got["error"].lstrip("_") != want["error"].lstrip("_"):
                yield f"{path}: {got['error']} and {want['error']}"
            return
        for key in want.keys() - {"message", "warnings"}:
            yield from differences(got.get(key, "missing"), want[key], rtol, f"{path}.{key}")
    elif isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        for k, (a, b) in enumerate(zip(got, want, strict=True)):
            yield from differences(a, b, rtol, f"{path}[{k}]")
    elif isinstance(want, float) and isinstance(got, (int, float)):
        if not abs(got - want) <= rtol * max(1.0, abs(want)):
            yield f"{path}: {got} and {want}"
    elif got != want:
        yield f"{path}: {got} and {want}"


def expected(name: str) -> dict[str, Any]:
    """Return what a case should give, with the right values in place of PyTorch's wrong ones."""
    recorded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for key, right in RIGHT.get(name, {}).items():
        recorded[key] = _right(right, recorded)
    for key in SURVIVOR.get(name, ()):
        recorded[key][2]["data"] = recorded["exact_winner_grad_v"]
    return recorded


def _right(right: Any, recorded: dict[str, Any]) -> Any:
    if isinstance(right, str):
        return recorded[right]
    if isinstance(right, dict):
        return {key: _right(value, recorded) for key, value in right.items()}
    return right


def data_of(value: Any) -> Any:
    """Return the numbers of a recorded tensor, for a right value that is given as numbers alone."""
    return value["data"] if isinstance(value, dict) and "data" in value else value


@pytest.mark.parametrize("name", NAMES)
def test_a_case_has_the_right_outcome(name: str, scope: dict[str, Any]) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    text = re.sub(r"^from _gx import .*$", "", text, flags=re.MULTILINE)
    emitted: dict[str, Any] = {}
    scope["emit"] = emitted.update
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(text, name, "exec"), scope)
    got, want = plain(emitted), expected(name)
    for key in RIGHT.get(name, {}):
        got[key], want[key] = (_inner(v) for v in (got[key], want[key]))
    assert not list(differences(got, want, LOOSE.get(name, 1e-8)))


def _inner(value: Any) -> Any:
    """Return the numbers inside ``{"ok": tensor}`` or of a tensor."""
    if isinstance(value, dict) and "ok" in value:
        return _inner(value["ok"])
    return data_of(value)

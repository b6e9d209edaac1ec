"""Random graphs with views, in-place writes, detached values and no_grad: values, gradients, errors and versions are
PyTorch's. Live where PyTorch is installed, from 500 stored programs where not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradcli
from tests.autograd.programs import Writer, run

STORED = Path(__file__).parent.parent / "data" / "random_graphs.json"
COMPARED = ("failed", "values", "versions", "recorded", "gradients")


def programs() -> list[dict[str, Any]]:
    return list(json.loads(STORED.read_text(encoding="utf-8")))


def program_of(seed: int) -> list[str]:
    """Return the program that belongs to a seed."""
    source = random.Random(seed)
    return Writer(source.randrange).write(source.randrange(2, 31))


def differences(got: Any, want: Any, path: str = "") -> Iterator[str]:
    """Yield where two outcomes differ; numbers agree to 1e-9, nan is nan."""
    if isinstance(want, dict) and isinstance(got, dict):
        if got.keys() != want.keys():
            yield f"{path}: names {sorted(got)} and {sorted(want)}"
        for key in want.keys() & got.keys():
            yield from differences(got[key], want[key], f"{path}.{key}")
    elif isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        for k, (a, b) in enumerate(zip(got, want, strict=True)):
            yield from differences(a, b, f"{path}[{k}]")
    elif isinstance(want, float) and isinstance(got, float):
        if not (got == want or (got != got and want != want) or abs(got - want) <= 1e-9 * max(1.0, abs(want))):
            yield f"{path}: {got} and {want}"
    elif got != want:
        yield f"{path}: {got} and {want}"


@pytest.mark.parametrize("case", programs(), ids=lambda case: str(case["seed"]))
def test_a_stored_program_gives_what_pytorch_gave(case: dict[str, Any]) -> None:
    lines = program_of(case["seed"])
    got = run(gradcli, lines)
    found = [d for part in COMPARED for d in differences(got[part], case["outcome"][part], part)]
    assert not found, "\n".join([*lines, *found])


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**48))
def test_a_random_program_gives_what_pytorch_gives(seed: int) -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        lines = program_of(seed)
        want, got = run(torch, lines), run(gradcli, lines)
    finally:
        torch.set_default_dtype(before)
    found = [d for part in COMPARED for d in differences(got[part], want[part], part)]
    assert not found, "\n".join([*lines, *found])

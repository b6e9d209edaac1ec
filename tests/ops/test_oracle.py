"""PyTorch's recorded results: value, VJP and second-order result of each case of an operation that has a row."""

from __future__ import annotations

from typing import Any

import pytest

from gradcli.ops.registry import find
from tests.ops.oracle import cases, check, check_forward


def known(case: dict[str, Any]) -> bool:
    return bool(case["tier"] == 1 or case["op"] == "program" or find(case["op"]) is not None)


@pytest.mark.parametrize("case", [c for c in cases() if known(c)], ids=lambda case: case["id"])
def test_a_case_gives_what_pytorch_gives(case: dict[str, Any]) -> None:
    assert check(case) == []


@pytest.mark.parametrize("case", [c for c in cases() if known(c) and c.get("jvp")], ids=lambda case: case["id"])
def test_forward_mode_gives_what_pytorch_gives(case: dict[str, Any]) -> None:
    assert check_forward(case) == []

"""Ties: the index that is returned, and so the element that gets the gradient, is the one PyTorch returns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradcli.autograd import Tensor, grad
from gradcli.ops.namespaces import namespace
from gradcli.ops.nth import REPLAYED

torch = namespace("torch")

CASES = json.loads((Path(__file__).parent.parent / "data" / "selection.json").read_text(encoding="utf-8"))


def lane(case: dict[str, Any]) -> Tensor:
    return Tensor(np.array([float(v) for v in case["values"]]))


@pytest.mark.parametrize("case", CASES, ids=[str(n) for n in range(len(CASES))])
def test_the_returned_indices_are_those_of_pytorch(case: dict[str, Any]) -> None:
    x, k = lane(case), case["k"]
    assert torch.topk(x, k).indices.tolist() == case["largest"]
    assert torch.topk(x, k, largest=False).indices.tolist() == case["smallest"]
    assert torch.median(x, 0).indices.item() == case["median"]
    assert torch.nanmedian(x, 0).indices.item() == case["nanmedian"]
    assert torch.kthvalue(x, k).indices.item() == case["kthvalue"]
    if "mode" in case:
        assert torch.mode(x).indices.item() == case["mode"]


@pytest.mark.parametrize("case", CASES[:20], ids=[str(n) for n in range(20)])
def test_lanes_are_independent_of_each_other(case: dict[str, Any]) -> None:
    x = lane(case)
    both = Tensor(np.stack([x._array, x._array[::-1]], axis=1))
    assert torch.topk(both, case["k"], 0).indices._array[:, 0].tolist() == case["largest"]
    assert torch.kthvalue(both, case["k"], 0).indices.tolist()[0] == case["kthvalue"]


def test_long_lanes_with_ties_take_the_first_of_equal_elements() -> None:
    x = Tensor(np.zeros(REPLAYED + 1))
    assert torch.topk(x, 3).indices.tolist() == [0, 1, 2]


def test_sorting_is_stable_in_both_directions() -> None:
    x = Tensor(np.array([1.0, 2.0, 1.0, 2.0, np.nan]))
    assert torch.argsort(x).tolist() == [0, 2, 1, 3, 4]
    assert torch.argsort(x, descending=True).tolist() == [4, 1, 3, 0, 2]


def test_the_gradient_goes_to_the_returned_index() -> None:
    x = Tensor(np.array([3.0, 1.0, 3.0])).requires_grad_()
    for values, indices in (torch.topk(x, 1), torch.sort(x, descending=True)):
        (g,) = grad(values[0], x)
        assert np.flatnonzero(g._array).tolist() == [indices.tolist()[0]]

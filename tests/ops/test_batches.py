"""vmap against a loop over samples, on PyTorch's recorded cases: values, gradients, second order, tangents, Jacobians;
and which operations still run sample by sample.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from gradcli.autograd import Tensor, func
from tests.ops.batches import Case, Loops, at_once, differentiable, one_by_one, rows_one_by_one

# Refused inside vmap: results whose size depends on the values, numbers needed as numbers, random numbers (all as in
# PyTorch), and recorded writes to views.
REFUSED = {
    "x[x > 0]": "size depends on the values",
    "torch.unique_consecutive(x)": "size depends on the values",
    "torch.linspace(a, b, 3)": "has no single answer",
    "torch.normal(m, s)": "random numbers",
    "torch.poisson(x)": "random numbers",
    "z = x.clone()\nz[1].copy_(y)\nz": "cannot be recorded",
}
# What runs sample by sample, as told in gradcli.ops.batching.
LOOPING = {
    "torch.block_diag": {"block_diag"},
    "torch.histc": {"histc"},
    "torch.histogram": {"histogram"},
    "torch.nn.functional.embedding_bag": {"embedding_bag"},
    "torch.nn.functional.ctc_loss": {"_ctc_loss", "_ctc_loss_backward"},
    "torch.nn.functional.pdist": {"pdist", "_pdist_backward"},
    "torch.nn.functional.multi_margin_loss": {"multi_margin_loss", "multi_margin_loss_backward"},
    "torch.nn.functional.multilabel_margin_loss": {"multilabel_margin_loss", "multilabel_margin_loss_backward"},
    "torch.as_strided": {"as_strided_backward"},
    "torch.scatter_reduce": {"ScatterReduceBackward0", "a whole function"},
    "torch.nn.functional.grid_sample": {"GridSampler2DBackward0", "a whole function"},
    "torch.linalg.det": {"LinalgDetBackward0", "a whole function"},  # of a singular matrix
}
KINDS = ("__call__", "gradients", "second", "tangents")
CASES = list(differentiable())


def close(got: Any, want: Any) -> bool:
    return got.shape == want.shape and bool(np.allclose(got, want, rtol=1e-9, atol=1e-10, equal_nan=True))


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield Loops(monkeypatch)


@pytest.mark.parametrize("recorded", CASES, ids=lambda recorded: recorded["id"])
def test_a_batch_gives_what_its_samples_give(recorded: dict[str, Any], loops: Loops) -> None:
    case, refused = Case(recorded), REFUSED.get(recorded["expr"])
    for kind in KINDS:
        function = getattr(case, kind)
        want = one_by_one(function, case.arrays)
        if want is None or recorded["op"] == "torch.autograd.Function":  # a custom rule says itself what it allows
            continue
        loops.found.clear()
        try:
            got = at_once(function, case.arrays)
        except RuntimeError as exception:
            assert refused is not None and refused in str(exception), f"{kind}: {exception}"
            continue
        assert len(got) == len(want), kind
        assert all(map(close, got, want)), kind
        assert loops.found <= LOOPING.get(recorded["op"], set()), kind


@pytest.mark.parametrize("recorded", CASES, ids=lambda recorded: recorded["id"])
def test_a_jacobian_has_the_rows_of_single_products(recorded: dict[str, Any], loops: Loops) -> None:
    case = Case(recorded)
    try:
        want = rows_one_by_one(case)
    except Exception:  # no derivative, or no result with one
        pytest.skip("nothing to differentiate")
    if want is None:
        pytest.skip("jacrev takes real tensors")
    loops.found.clear()
    numbers = tuple(range(len(case.arrays)))
    got = func.jacrev(lambda *xs: case.floats(*xs)[0], numbers)(*map(Tensor, case.arrays))
    assert all(close(g._array, w) for g, w in zip(got, want, strict=True))
    assert loops.found <= LOOPING.get(recorded["op"], set())


def test_the_list_of_what_runs_sample_by_sample_is_that_of_the_documentation() -> None:
    from gradcli.ops import batching

    names = {name.rpartition(".")[2] for name in LOOPING} - {"det"}
    assert [name for name in sorted(names) if f"``{name}``" not in (batching.__doc__ or "")] == []

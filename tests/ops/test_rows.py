"""What every operation row must hold, generated from the rows: documentation, recorded == raw, first and second
derivatives
against differences, dtypes, in-place forms."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradcli.autograd import Tensor, grad, no_grad
from gradcli.ops.registry import rows
from gradcli.ops.row import NAMES, ROWS, Lit, Row, T
from tests.ops.drawing import Draw, outputs, sample_id, samples_of

ALL = list(rows())
SMOOTH = [(r, k) for r, k in samples_of(ALL) if r.differentiable and r.samples[k].smooth]
YARDSTICK = Path(__file__).parent.parent / "data" / "ops.tsv"


def yardstick(tier: str) -> list[str]:
    with YARDSTICK.open(encoding="utf-8", newline="") as file:
        return [row["name"] for row in csv.DictReader(file, delimiter="\t") if row["tier"] == tier]


@pytest.mark.parametrize("name", yardstick("1"))
def test_every_operation_of_the_first_tier_has_a_row_or_is_a_method(name: str) -> None:
    from gradcli.ops.namespaces import namespace

    if name.startswith("Tensor."):
        assert hasattr(Tensor, name[7:]) or hasattr(Tensor(np.zeros(2)), name[7:])
    else:
        parent, _, last = name.rpartition(".")
        assert getattr(namespace(parent), last) is not None


@pytest.mark.parametrize("row", ALL, ids=sample_id)
def test_a_row_is_complete(row: Row) -> None:
    assert row.doc.strip().endswith("."), "the doc is a sentence"
    assert row.formula.strip(), "say the rule, or 'not differentiable'"
    assert row.examples, "an example is missing"
    assert row.samples or not row.differentiable, "sample inputs are missing"
    assert "(" in row.signature
    for name in row.names:
        assert NAMES[name] is row or ROWS.get(name) is not None, f"{name} is claimed by two rows"


def total(result: Any, weights: list[np.ndarray[Any, Any]]) -> Tensor:
    """Return a scalar that weighs every differentiable output."""
    parts = [o for o in outputs(result) if o.requires_grad]
    made: Any = 0.0
    for part, weight in zip(parts, weights, strict=False):
        value = part.abs().pow(2) if part.dtype.is_complex else part
        made = made + (value * Tensor(weight.reshape(part.shape))).sum()
    return made


def weights_for(draw: Draw) -> list[np.ndarray[Any, Any]]:
    result = draw.call(draw.tensors())
    return [draw.random.uniform(0.5, 1.5, o.shape) for o in outputs(result) if o.requires_grad]


def directional(draw: Draw, function: Any, directions: list[Any], h: float) -> float:
    """Return the fourth-order central difference of ``function(tensors)`` along ``directions``."""

    def at(t: float) -> float:
        tensors = draw.tensors()
        for tensor, d in zip(tensors, directions, strict=True):
            if d is not None:
                tensor._array = tensor._array + t * d
        return float(function(tensors).item())

    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def directions_for(draw: Draw) -> list[Any]:
    return [_direction(draw, a) for a in draw.arrays]


def _direction(draw: Draw, array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.kind not in "fc":
        return None
    real = draw.random.standard_normal(array.shape)
    return real if array.dtype.kind == "f" else real + 1j * draw.random.standard_normal(array.shape)


def slope(scalar: Tensor, tensors: list[Tensor], directions: list[Any], graph: bool = False) -> Any:
    """Return <gradient of scalar, directions>."""
    wanted = [(t, d) for t, d in zip(tensors, directions, strict=True) if d is not None]
    found = grad(scalar, [t for t, _ in wanted], create_graph=graph, allow_unused=True)
    parts = [(g * Tensor(np.conj(d))).sum().real for g, (_, d) in zip(found, wanted, strict=True) if g is not None]
    made: Any = Tensor(np.array(0.0))
    for part in parts:
        made = made + part
    return made


@pytest.mark.parametrize(("row", "number"), samples_of(ALL), ids=sample_id)
def test_recording_does_not_change_the_value(row: Row, number: int) -> None:
    if row.category == "random":
        pytest.skip("two draws differ")
    draw = Draw(row, number)
    recorded = outputs(draw.call(draw.tensors()))
    tensors = draw.tensors()
    with no_grad():
        plain = outputs(draw.call(tensors))
    assert len(recorded) == len(plain)
    for a, b in zip(recorded, plain, strict=True):
        np.testing.assert_array_equal(a.detach().numpy(), b.detach().numpy())
        assert not b.requires_grad or any(b is t for t in tensors)


@pytest.mark.parametrize(("row", "number"), SMOOTH, ids=sample_id)
def test_first_derivative_is_that_of_differences(row: Row, number: int) -> None:
    draw = Draw(row, number)
    weights = weights_for(draw)
    assert weights or not any(a.dtype.kind == "f" for a in draw.arrays), "no output requires grad"
    if not weights:
        return
    directions = directions_for(draw)
    tensors = draw.tensors()
    got = slope(total(draw.call(tensors), weights), tensors, directions).item()
    want = directional(draw, lambda ts: total(draw.call(ts), weights), directions, 1e-3)
    assert got == pytest.approx(want, rel=2e-7, abs=2e-8)


@pytest.mark.parametrize(("row", "number"), SMOOTH, ids=sample_id)
def test_second_derivative_is_that_of_differences(row: Row, number: int) -> None:
    if "no second derivative" in row.conventions:
        pytest.skip(row.conventions)
    draw = Draw(row, number)
    weights = weights_for(draw)
    if not weights:
        return
    first, second = directions_for(draw), directions_for(draw)

    def inner(ts: list[Tensor]) -> Any:
        return slope(total(draw.call(ts), weights), ts, first, graph=True)

    tensors = draw.tensors()
    value = inner(tensors)
    got = slope(value, tensors, second).item() if value.requires_grad else 0.0
    want = directional(draw, inner, second, 1e-3)
    assert got == pytest.approx(want, rel=2e-6, abs=2e-7)


@pytest.mark.parametrize(("row", "number"), SMOOTH, ids=sample_id)
def test_single_precision_stays_single(row: Row, number: int) -> None:
    draw = Draw(row, number)
    if "float64" not in {str(a.dtype) for a in draw.arrays} or "dtype" in row.samples[number].kwargs:
        return
    if row.conventions.startswith("Always "):
        pytest.skip(row.conventions)
    tensors = draw.tensors("float32")
    made = [o for o in outputs(draw.call(tensors)) if o.requires_grad]
    assert all(o.dtype.name in ("float32", "complex64") for o in made)
    if made:
        found = grad(
            [o.sum().real if o.dtype.is_complex else o.sum() for o in made],
            [t for t in tensors if t.requires_grad],
            allow_unused=True,
        )
        assert all(g is None or g.dtype.name in ("float32", "complex64", "complex128") for g in found)


@pytest.mark.parametrize("row", [r for r in ALL if r.inplace and r.samples], ids=sample_id)
def test_the_in_place_form_gives_the_same_value_and_gradient(row: Row) -> None:
    method = next(n for n in row.names if n.startswith("Tensor."))[7:] + "_"
    for number in range(len(row.samples)):
        draw = Draw(row, number)
        if not isinstance(draw.sample.args[0], (T, Lit)) or draw.arrays[0].dtype.kind != "f":
            continue
        tensors = draw.tensors()
        result = draw.call(tensors)
        if not isinstance(result, Tensor) or result.shape != tensors[0].shape or result.dtype != tensors[0].dtype:
            continue
        again = draw.tensors()
        written = again[0] * 1

        def write(*args: Any, **kwargs: Any) -> Any:
            return getattr(args[0], method)(*args[1:], **kwargs)

        made = draw.call([written, *again[1:]], write)
        assert made is written
        np.testing.assert_array_equal(made.detach().numpy(), result.detach().numpy())
        if result.requires_grad and row.differentiable:
            seed = Tensor(draw.random.standard_normal(result.shape))
            want = grad(result, tensors[0], seed, allow_unused=True)[0]
            got = grad(made, again[0], seed, allow_unused=True)[0]
            assert (want is None) == (got is None)
            if want is not None and got is not None:
                np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-12, atol=1e-14)

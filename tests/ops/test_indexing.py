"""Indexing against NumPy's own, and the sums of repeated places against a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradcli as torch
from gradcli.ops.adding import add_at

SHAPE = (2, 3, 4)


def entries(size: int) -> Any:
    slices = st.tuples(st.none() | st.integers(-6, 6), st.none() | st.integers(-6, 6), st.integers(1, 3))
    return st.one_of(
        st.integers(-size, size - 1), slices.map(lambda t: slice(*t)), st.just(slice(None)),
        st.lists(st.integers(-size, size - 1), min_size=2, max_size=2),
        st.lists(st.booleans(), min_size=size, max_size=size).filter(lambda m: sum(m) == 2))


@st.composite
def indices(draw: Any) -> Any:
    count = draw(st.integers(0, 3))
    parts = [draw(entries(SHAPE[k])) for k in range(count)]
    for _ in range(draw(st.integers(0, 2))):
        parts.insert(draw(st.integers(0, len(parts))), None)
    if draw(st.booleans()):
        parts.append(Ellipsis)
    return tuple(parts)


def by_steps(array: Any, index: Any) -> Any:
    """Return what PyTorch means: ints, slices and None first, then lists and masks on the result."""
    basic = tuple(slice(None) if isinstance(e, list) else e for e in index)
    rest = tuple(np.asarray(e) if isinstance(e, list) else slice(None) for e in index
                 if e is not Ellipsis and not isinstance(e, int))
    return array[basic][rest] if any(isinstance(e, list) for e in index) else array[basic]


@settings(max_examples=300, deadline=None)
@given(indices())
def test_indexing_reads_what_numpy_reads_and_adds_up_what_is_read_twice(index: Any) -> None:
    x = torch.tensor(np.arange(24.0).reshape(SHAPE), requires_grad=True)
    got, want = x[index], by_steps(x.detach().numpy(), index)
    assert tuple(got.shape) == want.shape
    np.testing.assert_array_equal(got.detach().numpy(), want)
    weight = np.arange(1.0, 1.0 + want.size).reshape(want.shape)
    (g,) = torch.autograd.grad(got, x, torch.tensor(weight), create_graph=True)
    cells = by_steps(np.arange(24).reshape(SHAPE), index)
    np.testing.assert_allclose(g.detach().numpy().reshape(-1), np.bincount(cells.reshape(-1), weight.reshape(-1), 24))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-3, 2), max_size=7), st.integers(0, 2))
def test_repeated_rows_add_up_along_any_dimension(rows: list[int], dim: int) -> None:
    shape = [2, 2, 2]
    shape[dim] = 3
    out, key = np.ones(shape), (*(slice(None),) * dim, np.array(rows, np.int64))
    values = np.arange(float(out[key].size)).reshape(out[key].shape)
    want = out.copy()
    np.add.at(want, key, values)
    add_at(out, key, values)
    np.testing.assert_allclose(out, want)


@pytest.mark.parametrize(("index", "cls", "words"), [
    (3, IndexError, "index 3 is out of range for dimension 0 of size 2"),
    ((0, -4), IndexError, "index -4 is out of range for dimension 1 of size 3"),
    ((slice(None), [0, 3]), IndexError, "index 3 is out of range for dimension 1 of size 3"),
    ((0, [5]), IndexError, "index 5 is out of range for dimension 1 of size 3"),
    ((0, 0, 0, 0), IndexError, "4 indices for a tensor of 3 dimensions"),
    (slice(None, None, -1), ValueError, "step"), ((0, slice(2, 0, -1)), ValueError, "step"),
    (1.5, IndexError, "1.5 cannot be an index"), ("a", TypeError, "'a' cannot be an index"),
    ([True], IndexError, "mask of shape"), ([0.5], IndexError, "float64 cannot be an index"),
    (([0, 1], [0, 1, 2]), IndexError, "do not broadcast"), (slice("a"), TypeError, "bounds of a slice")])
def test_wrong_indices_are_named(index: Any, cls: Any, words: str) -> None:
    x = torch.tensor(np.zeros(SHAPE))
    with pytest.raises(cls, match=words):
        x[index]


def test_a_0d_tensor_has_nothing_to_index() -> None:
    with pytest.raises(IndexError, match="0-d"):
        torch.tensor(1.0)[0]
    assert torch.tensor(1.0)[None].tolist() == [1.0] and torch.tensor(1.0)[...].item() == 1.0


@pytest.mark.parametrize(("reduce", "value", "to_x", "to_src"), [
    ("sum", [5.0, 3.0], [0.0, 0.0], [1.0, 1.0, 10.0]), ("prod", [0.0, 3.0], [0.0, 0.0], [5.0, 0.0, 10.0]),
    ("mean", [2.5, 3.0], [0.0, 0.0], [0.5, 0.5, 10.0]), ("amax", [5.0, 3.0], [0.0, 0.0], [0.0, 1.0, 10.0]),
    ("amin", [0.0, 3.0], [0.0, 0.0], [1.0, 0.0, 10.0])])
def test_scatter_reduce_leaves_the_old_value_out_where_asked(reduce: str, value: Any, to_x: Any, to_src: Any) -> None:
    x = torch.tensor([5.0, 3.0], requires_grad=True)  # ties with what is sent, but does not count
    src = torch.tensor([0.0, 5.0, 3.0], requires_grad=True)
    y = x.scatter_reduce(0, torch.tensor([0, 0, 1]), src, reduce, include_self=False)
    assert y.tolist() == value
    y.backward(torch.tensor([1.0, 10.0]))
    assert x.grad.tolist() == to_x and src.grad.tolist() == to_src


def test_a_source_larger_than_its_index_gets_zeros_for_the_rest() -> None:
    for name in ("scatter", "scatter_add"):
        src = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
        y = getattr(torch.zeros(2, 3), name)(1, torch.tensor([[0, 2], [1, 1]]), src)
        y.sum().backward()
        assert src.grad.tolist() == [[1.0, 1.0, 0.0], [1.0 - (name == "scatter"), 1.0, 0.0]]

"""In-place operations: refusals, versions, old values, and random writes against a recomputation without views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradcli as torch

SHAPE = (3, 4)
CELLS = torch.tensor(np.arange(12).reshape(SHAPE))


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


# -- random programs --------------------------------------------------------------------------------------------------
_SLICES = st.tuples(st.integers(-3, 2), st.integers(-2, 4) | st.none(), st.integers(1, 2)).map(lambda t: slice(*t))
_INDICES = st.one_of(
    st.integers(-3, 2), _SLICES, st.just(Ellipsis), st.none(), st.tuples(_SLICES, _SLICES), st.tuples(st.just(Ellipsis),
        _SLICES),
    st.tuples(st.integers(0, 2), st.none(), _SLICES), st.lists(st.integers(-3, 2), min_size=1, max_size=4),
    st.tuples(_SLICES, st.lists(st.integers(-4, 3), min_size=1, max_size=3)),
    st.lists(st.booleans(), min_size=3, max_size=3))
_TURNS = st.sampled_from(["T", "unsqueeze", "flatten", "none", "none"])
_CHANGES = st.sampled_from(["mul", "add", "square", "exp", "number", "scale"])


def turned(tensor: Any, turn: str) -> Any:
    if turn == "T":
        return tensor.T if tensor.ndim == 2 else tensor
    if turn == "unsqueeze":
        return tensor.unsqueeze(-1)
    return tensor.view(-1) if turn == "flatten" and tensor._array.flags.c_contiguous else tensor


def changed(old: Any, change: str, w: Any) -> Any:
    """Return what a change makes of the old values, without writing."""
    values: dict[str, Callable[[], Any]] = {
        "mul": lambda: old * w, "add": lambda: old + w * w, "square": lambda: old * old, "exp": lambda: (old / 4).exp(),
        "number": lambda: old * 0 + 1.5, "scale": lambda: w.expand(old.shape) * 1}
    return values[change]()


def write(target: Any, index: Any, change: str, w: Any) -> None:
    """Make a change in place, by the way Python has for it."""
    if change == "mul":
        target[index] *= w
    elif change == "add":
        target[index] += w * w
    elif change == "number":
        target[index] = 1.5
    elif change == "scale":
        target[index] = w
    elif change == "square":
        old = target[index].clone()
        target[index] = old * old
    else:
        target[index] = (target[index] / 4).exp()


def rewritten(base: Any, cells: Any, change: str, w: Any) -> Any:
    """Return the base after a change at ``cells``, computed from gathered elements alone."""
    flat = base.reshape(-1)
    places = cells.reshape(-1)
    new = changed(flat.take(places), change, w)
    return flat.put(places, new).reshape(SHAPE)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(_TURNS, _INDICES, _CHANGES), min_size=1, max_size=4), st.booleans())
def test_random_writes_give_what_a_recomputation_gives(program: list[Any], second: bool) -> None:
    def leaves() -> tuple[Any, Any]:
        start = torch.tensor(np.linspace(-1.0, 1.2, 12).reshape(SHAPE), requires_grad=True)
        return start, torch.tensor([0.7], requires_grad=True)[0]

    (x, w), (y, u) = leaves(), leaves()
    b, expected = x * 1, y * 1
    watched = b[1:]
    for turn, index, change in program:
        try:
            cells = turned(CELLS, turn)[index]
        except IndexError:
            continue
        write(turned(b, turn), index, change, w)
        expected = rewritten(expected, cells, change, u)
    np.testing.assert_allclose(b.detach().numpy(), expected.detach().numpy(), rtol=1e-12)
    np.testing.assert_array_equal(watched.detach().numpy(), b.detach().numpy()[1:])
    got = gradients(b, watched, x, second)
    want = gradients(expected, expected[1:], y, second)
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


def gradients(base: Any, part: Any, x: Any, second: bool) -> Any:
    weight = torch.tensor(np.linspace(0.5, 1.5, 12).reshape(SHAPE))
    total = (base * base * weight).sum() + (part * part * part).sum()
    (g,) = torch.autograd.grad(total, x, create_graph=second)
    if second:
        (g,) = torch.autograd.grad((g * weight).sum() + (x * x).sum(), x)
    return g.numpy()


# -- single rules -----------------------------------------------------------------------------------------------------
def test_the_survivor_of_repeated_writes_gets_the_gradient() -> None:
    x, v = leaf(7.0, 8.0, 9.0), leaf(0.5, 0.25, -1.0)
    b = x * 1
    b[[1, 1, 0]] = v
    (b * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert b.tolist() == [-1.0, 0.25, 9.0]
    assert x.grad.tolist() == [0.0, 0.0, 100.0] and v.grad.tolist() == [0.0, 10.0, 1.0]


def test_a_composite_in_place_operation_keeps_every_old_value() -> None:
    from gradcli.autograd.inplace import inplace

    x = leaf(1.0, 2.0)
    y = x * 1
    inplace(lambda t: (t.reshape(2, 1) * t.reshape(1, 2)).sum(0) + t * t, y)
    y.sum().backward()  # (a + b)^2 + a^2 + b^2
    assert y.tolist() == [4.0, 10.0] and x.grad.tolist() == [8.0, 10.0]


def test_operands_that_overlap_are_read_before_they_are_written() -> None:
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    a.sub_(a[:, :1])
    assert a.tolist() == [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]
    s = torch.tensor([1.0, 2.0, 3.0, 4.0])
    s[1:] = s[:-1]
    assert s.tolist() == [1.0, 1.0, 2.0, 3.0]
    s[torch.tensor([3, 2, 1, 0])] = s
    assert s.tolist() == [3.0, 2.0, 1.0, 1.0]


def test_a_constant_written_over_a_recorded_tensor_ends_its_history() -> None:
    x = leaf(1.0, 2.0)
    for change in (lambda y: y.gt_(1.5), lambda y: y.zero_(), lambda y: y.fill_(3.0), lambda y: y.__setitem__(...,
        3.0)):
        y = x * 1
        change(y)
        (g,) = torch.autograd.grad((y * x).sum(), x)
        assert g.tolist() == y.tolist()


def test_writing_a_recorded_value_into_a_constant_begins_a_history() -> None:
    w, b = leaf(2.0), torch.zeros(3)
    b[1] = w[0] * 3
    b[[0, 0]] = w * w
    (b * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert b.tolist() == [4.0, 6.0, 0.0] and w.grad.tolist() == [34.0]


def test_integer_tensors_take_the_value_without_a_history() -> None:
    i = torch.zeros(2, dtype=torch.int64)
    i[0] = leaf(3.9)[0]
    assert i.tolist() == [3, 0] and not i.requires_grad


def test_an_expanded_tensor_is_refused_but_its_rows_are_not() -> None:
    x = leaf(1.0, 2.0)
    e = (x * 1).expand(3, 2)
    with pytest.raises(RuntimeError, match="expanded"):
        e.add_(1)
    with pytest.raises(RuntimeError, match="expanded"):
        e[:, 0] = 5.0
    e[0] = torch.tensor([5.0, 6.0])
    assert e.tolist() == [[5.0, 6.0]] * 3
    e[1].mul_(2)
    assert e.tolist() == [[10.0, 12.0]] * 3
    with pytest.raises(RuntimeError, match="expanded"):
        x.detach().unfold(0, 1, 1).expand(2, 2).zero_()


@pytest.mark.parametrize("write", [
    lambda x: x.add_(1), lambda x: x.__setitem__(0, 1.0), lambda x: x.__setitem__([0], 1.0), lambda x: x[:1].mul_(2),
    lambda x: x.view(-1).zero_(), lambda x: x.__setitem__(x > 0, 0.0)])
def test_a_leaf_that_requires_grad_is_written_under_no_grad_only(write: Any) -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="leaf"):
        write(x)
    assert x.tolist() == [1.0, 2.0] and x._version == 0
    with torch.no_grad():
        write(x)
    assert x._version == 1 and x.is_leaf


@pytest.mark.parametrize(("write", "words"), [
    (lambda x: x.__setitem__(slice(0, 2), torch.ones(3)), "shape"), (lambda x: x.__setitem__([0, 1], torch.ones(3)),
        "shape"),
    (lambda x: x.__setitem__(5, 1.0), "dimension 0 of size 3"), (lambda x: x.__setitem__([5], 1.0), "dimension 0 of "
        "size 3"),
    (lambda x: x.__setitem__(0, 1j), "complex"), (lambda x: x.__setitem__([0], 1j), "complex"),
    (lambda x: x.__setitem__(slice(None, None, -1), 1.0), "step")])
def test_writes_that_do_not_fit_are_refused_and_change_nothing(write: Any, words: str) -> None:
    for x in (torch.zeros(3), leaf(0.0, 0.0, 0.0) * 1):
        with pytest.raises((RuntimeError, IndexError, ValueError), match=words):
            write(x)
        assert x.tolist() == [0.0, 0.0, 0.0] and x._version == 0


def test_values_with_leading_ones_fit() -> None:
    x = torch.zeros(2, 2)
    x[0] = torch.ones(1, 1, 2)
    x[[1]] = torch.full((1, 1, 1, 2), 2.0)
    assert x.tolist() == [[1.0, 1.0], [2.0, 2.0]]


def test_indices_changed_after_use_are_noticed() -> None:
    x, i = leaf(1.0, 2.0), torch.tensor([0, 1])
    y = x[i]
    i[0] = 1
    with pytest.raises(RuntimeError, match="in-place"):
        y.sum().backward()

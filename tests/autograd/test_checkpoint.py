"""Checkpoints: the same gradients, values thrown away and computed again, and what a repetition may not do."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import gradcli as torch
from gradcli.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential, set_checkpoint_early_stop

grad = torch.autograd.grad
BOTH = pytest.mark.parametrize("reentrant", [False, True])


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


class Counted:
    """A function that counts its runs."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, x: Any, times: float = 2.0) -> Any:
        self.runs += 1
        return (x * times).exp().sin()


@BOTH
def test_gradients_are_the_plain_ones_and_the_function_runs_twice(reentrant: bool) -> None:
    x, f = leaf(0.1, 0.2), Counted()
    (expected,) = grad(f(x).sum(), x)
    y = checkpoint(f, x, use_reentrant=reentrant)
    assert f.runs == 2
    y.sum().backward()
    assert f.runs == 3
    assert x.grad.tolist() == expected.tolist()
    with pytest.raises(RuntimeError, match="freed"):
        y.sum().backward()


def test_the_graph_is_the_plain_one_or_a_single_node() -> None:
    x, f = leaf(0.1, 0.2), Counted()
    assert checkpoint(f, x, use_reentrant=False).grad_fn.name() == "SinBackward0"
    y = checkpoint(f, x, use_reentrant=True)
    assert y.grad_fn.name() == "CheckpointFunctionBackward"
    for ask in (lambda: grad(y.sum(), x), lambda: y.sum().backward(inputs=[x])):
        with pytest.raises(RuntimeError, match="use_reentrant"):
            ask()


def test_without_reentry_keywords_grad_and_second_derivatives_work() -> None:
    x, f = leaf(0.1, 0.2), Counted()
    expected = grad(grad(f(x, times=3.0).sum(), x, create_graph=True)[0].sum(), x)[0]
    y = checkpoint(f, x, use_reentrant=False, times=3.0)
    (g,) = grad(y.sum(), x, create_graph=True)
    assert grad(g.sum(), x)[0].tolist() == pytest.approx(expected.tolist(), rel=1e-14)


def test_each_pass_over_a_kept_graph_runs_the_function_once() -> None:
    x, f = leaf(0.1, 0.2), Counted()
    y = checkpoint(f, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert f.runs == 3


def test_nothing_is_kept_in_between() -> None:
    import gc
    import weakref

    made: list[Any] = []

    def f(x: Any) -> Any:
        middle = x.exp()
        made.append(weakref.ref(middle._array))
        return middle.sin()

    gc.disable()
    try:
        y = checkpoint(f, leaf(1.0), use_reentrant=False)
        assert made[0]() is None
        y.backward()
        assert made[1]() is None
    finally:
        gc.enable()


@BOTH
def test_closures_several_outputs_and_constants(reentrant: bool) -> None:
    w, x = leaf(3.0, 4.0), leaf(0.1, 0.2)

    def f(x: Any, n: int) -> Any:
        return (x * w).tanh(), x * n

    a, b = checkpoint(f, x, 5, use_reentrant=reentrant)
    (a + b).sum().backward()
    t = (x.detach() * w.detach()).tanh()
    assert w.grad.tolist() == pytest.approx((x.detach() * (1 - t * t)).tolist())
    assert x.grad.tolist() == pytest.approx((w.detach() * (1 - t * t) + 5).tolist())


def test_nested_checkpoints_and_a_parameter_that_only_the_function_knows() -> None:
    w, x, f = leaf(0.5), leaf(0.1, 0.2), Counted()

    def outer(x: Any) -> Any:
        return checkpoint(f, checkpoint(f, x * w, use_reentrant=False), use_reentrant=False) * x

    (expected,) = grad((f(f(x * w)) * x).sum(), x)
    (found,) = grad(checkpoint(outer, x, use_reentrant=False).sum(), x)
    assert found.tolist() == pytest.approx(expected.tolist(), rel=1e-14)
    checkpoint(outer, torch.ones(2), use_reentrant=False).sum().backward()
    assert w.grad is not None


@BOTH
def test_random_numbers_are_drawn_again_as_they_were(reentrant: bool) -> None:
    torch.manual_seed(7)
    x = torch.ones(20, requires_grad=True)
    y = checkpoint(lambda x: x * torch.rand(20), x, use_reentrant=reentrant)
    after = torch.rand(1)
    y.sum().backward()
    assert x.grad.tolist() == y.tolist()
    follows = torch.rand(1)
    torch.manual_seed(7)
    torch.rand(20)
    assert [after.item(), follows.item()] == [torch.rand(1).item(), torch.rand(1).item()]


def test_a_repetition_that_differs_is_refused() -> None:
    runs = 0

    def unsteady(x: Any) -> Any:
        nonlocal runs
        runs += 1
        return x.exp() if runs % 2 else torch.cat([x, x]).exp()

    x = leaf(1.0, 2.0)
    with pytest.raises(CheckpointError, match="saved value 0"):
        checkpoint(unsteady, x, use_reentrant=False).sum().backward()
    runs = 0

    def shrinking(x: Any) -> Any:
        nonlocal runs
        runs += 1
        return x.exp() if runs == 1 else x + 1

    with pytest.raises(CheckpointError, match="at first"):
        checkpoint(shrinking, x, use_reentrant=False).sum().backward()


def test_an_argument_overwritten_in_between_is_refused() -> None:
    x = leaf(1.0) * 1
    y = checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False)
    x.add_(1)
    with pytest.raises(RuntimeError, match="overwritten"):
        y.backward()


@pytest.mark.parametrize(("early", "runs"), [(True, ["a", "b", "a"]), (False, ["a", "b", "a", "b"])])
def test_a_repetition_stops_when_it_has_everything(early: bool, runs: list[str]) -> None:
    log: list[str] = []

    def f(x: Any) -> Any:
        x = x.exp()
        log.append("a")
        with contextlib.suppress(Exception):
            x = x.sin()
            log.append("b")
        return x + 1

    with set_checkpoint_early_stop(early):
        y = checkpoint(f, leaf(1.0), use_reentrant=False)
    y.backward()
    assert log == runs


def test_contexts_surround_the_first_run_and_the_repetition() -> None:
    log: list[str] = []

    @contextlib.contextmanager
    def named(name: str) -> Iterator[None]:
        log.append(name)
        yield

    f = Counted()
    contexts = lambda: (named("first"), named("again"))  # noqa: E731
    checkpoint(f, leaf(1.0), use_reentrant=False, context_fn=contexts).backward()
    assert log == ["first", "again"]
    with pytest.raises(ValueError, match="use_reentrant"):
        checkpoint(f, leaf(1.0), use_reentrant=True, context_fn=contexts)
    with pytest.raises(ValueError, match="times"):
        checkpoint(f, leaf(1.0), use_reentrant=True, times=3.0)


def test_a_choice_left_open_and_constants_alone_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="without use_reentrant"):
        checkpoint(Counted(), leaf(1.0))
    with pytest.warns(UserWarning, match="requires grad"):
        assert not checkpoint(Counted(), torch.ones(1), use_reentrant=True).requires_grad
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not checkpoint(Counted(), torch.ones(1), use_reentrant=False).requires_grad


@BOTH
@pytest.mark.parametrize("segments", [1, 2, 3, 4])
def test_a_sequence_in_segments(reentrant: bool, segments: int) -> None:
    steps = [torch.exp, torch.sin, lambda x: x * 2, torch.tanh]
    x = leaf(0.1, 0.7)
    checkpoint_sequential(steps, segments, x, use_reentrant=reentrant).sum().backward()
    (expected,) = grad((x.exp().sin() * 2).tanh().sum(), x)
    assert x.grad.tolist() == pytest.approx(expected.tolist(), rel=1e-14)


def test_checkpoints_inside_transformations() -> None:
    f = lambda x: checkpoint(lambda x: checkpoint(torch.exp, x, use_reentrant=False) * x, x, use_reentrant=False)  # noqa: E731
    x = torch.tensor([0.1, 0.7])
    expected = (x.exp() * (1 + x)).tolist()
    assert torch.func.vmap(torch.func.grad(f))(x).tolist() == pytest.approx(expected)
    assert torch.func.jacrev(f)(x).diagonal().tolist() == pytest.approx(expected)
    assert torch.func.jvp(f, (x,), (torch.ones(2),))[1].tolist() == pytest.approx(expected)

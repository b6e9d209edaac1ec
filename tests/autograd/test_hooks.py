"""Hooks on tensors, nodes and leaves: when they run, in which order, what they may change."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import gradcli as torch
from gradcli.autograd import Pass, detail_of
from gradcli.autograd.backward import pass_class


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def test_hooks_on_a_sum_of_paths_run_once_with_the_total() -> None:
    x = leaf(1.0, 2.0)
    y, log = x * 1, []
    y.register_hook(lambda g: log.append(g.tolist()))
    (y * 3 + y * 4).sum().backward()
    assert log == [[7.0, 7.0]]


def test_a_removed_hook_is_silent_and_a_handle_is_a_context() -> None:
    x, log = leaf(1.0), []
    handle = x.register_hook(lambda g: log.append("first"))
    with x.register_hook(lambda g: log.append("second")):
        (x * 2).backward()
    handle.remove()
    handle.remove()
    (x * 2).backward()
    assert log == ["first", "second"]


def test_a_replaced_gradient_is_what_flows_on_and_what_is_kept() -> None:
    x = leaf(1.0)
    y = x * 1
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: g + 1)
    x.register_hook(lambda g: g * 2)
    y.sum().backward()
    assert (y.grad.item(), x.grad.item()) == (11.0, 22.0)


def test_leaves_with_hooks_are_reached_as_soon_as_their_gradient_is_complete() -> None:
    x, w, v = leaf(1.0), leaf(1.0), leaf(1.0)
    log: list[str] = []
    x.register_post_accumulate_grad_hook(lambda p: log.append("x"))
    w.register_hook(lambda g: log.append("w"))
    a = x * 2
    b = w * 3
    c = b * w
    d = a + c * v
    for name, t in (("a", a), ("b", b), ("c", c), ("d", d)):
        t.grad_fn.register_hook(lambda gi, go, name=name: log.append(name))
    d.backward()
    assert log == ["d", "c", "b", "w", "a", "x"]
    assert (x.grad.item(), w.grad.item(), v.grad.item()) == (2.0, 6.0, 3.0)


def test_a_leaf_that_gets_nothing_on_one_of_its_paths_is_still_reached() -> None:
    x, log = leaf(2.0), []
    x.register_post_accumulate_grad_hook(lambda p: log.append(p.grad.item()))

    class Half(torch.autograd.Function):
        """The first input alone has a gradient."""

        forward = staticmethod(lambda ctx, a, b: a * b)
        backward = staticmethod(lambda ctx, g: (g, None))

    (Half.apply(x * 1, x * 1) + x).backward()
    assert log == [2.0]


def test_passes_are_plain_again_when_no_leaf_has_hooks() -> None:
    gc.collect()
    x = leaf(1.0)
    x.register_hook(lambda g: None)
    assert pass_class() is not Pass
    del x
    gc.collect()
    assert pass_class() is Pass


def test_hooks_on_an_accumulator_run_after_it_has_accumulated() -> None:
    x, log = leaf(1.0), []
    node = (x * 2).grad_fn.next_functions[0][0]
    node.register_hook(lambda gi, go: log.append((gi, go[0].item(), x.grad.item())))
    (x * 2).backward()
    assert log == [((), 2.0, 2.0)]


def test_a_node_hook_sees_and_replaces_the_gradients_of_the_inputs() -> None:
    x = leaf(1.0)
    y = x * 2
    y.grad_fn.register_prehook(lambda outs: (outs[0] * 3,))
    y.grad_fn.register_hook(lambda ins, outs: (ins[0] + outs[0], None))
    y.backward()
    assert x.grad.item() == 9.0


@pytest.mark.parametrize(
    ("hook", "cls"), [(lambda g: g[:1], RuntimeError), (lambda g: 3.0, TypeError), (lambda g: 1 / 0, ZeroDivisionError)]
)
def test_hooks_that_return_something_else_are_refused(hook: Any, cls: type[Exception]) -> None:
    for make in (lambda x: x * 1, lambda x: x):
        x = leaf(1.0, 2.0)
        y = make(x)
        y.register_hook(hook)
        with pytest.raises(cls):
            (y * 2).sum().backward()


def test_grad_mode_inside_hooks_follows_the_pass() -> None:
    x, seen = leaf(1.0, 2.0), []
    x.register_hook(lambda g: seen.append((torch.is_grad_enabled(), g.requires_grad)))
    (x**2).sum().backward()
    torch.autograd.grad((x**2).sum(), x, create_graph=True)
    assert seen == [(False, False), (True, True)]


def test_hooks_before_and_after_a_write_see_the_old_and_the_new_value() -> None:
    x, log = leaf(1.0), []
    y = x * 1
    y.register_hook(lambda g: log.append(("before", g.item())))
    y.mul_(10)
    y.register_hook(lambda g: log.append(("after", g.item())))
    (y * 7).sum().backward()
    assert log == [("after", 7.0), ("before", 70.0)]


def test_an_error_of_the_users_own_in_a_hook_is_passed_on_as_it_is() -> None:
    x = leaf(1.0)
    x.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError) as found:
        (x * 2).backward()
    assert detail_of(found.value) is None

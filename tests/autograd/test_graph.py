"""Gradient edges, hooks over several tensors, saved-tensor hooks, writes to saved tensors, inference mode."""

from __future__ import annotations

from typing import Any

import pytest

import gradcli as torch
from gradcli.autograd import detail_of

graph = torch.autograd.graph
grad = torch.autograd.grad


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


# -- edges ------------------------------------------------------------------------------------------------------------
def test_an_edge_stands_for_its_tensor_as_input_and_as_output() -> None:
    x = leaf(1.0, 2.0)
    y = x**2
    edge = graph.get_gradient_edge(y)
    assert (edge.node, edge.output_nr, isinstance(edge.node, graph.Node)) == (y.grad_fn, 0, True)
    assert grad((y * 3).sum(), edge)[0].tolist() == [3.0, 3.0]
    assert grad(edge, x, torch.ones(2))[0].tolist() == [2.0, 4.0]
    assert grad((x * 3).sum(), graph.get_gradient_edge(x))[0].tolist() == [3.0, 3.0]
    torch.autograd.backward(graph.get_gradient_edge((x * x).sum()), inputs=[graph.get_gradient_edge(x)])
    assert x.grad.tolist() == [2.0, 4.0]
    with pytest.raises(RuntimeError):
        graph.get_gradient_edge(torch.ones(1))
    with pytest.raises(RuntimeError, match="seed"):
        grad(graph.get_gradient_edge(x * 2), x)


# -- hooks over several tensors ---------------------------------------------------------------------------------------
def test_a_hook_over_all_waits_for_what_the_pass_computes() -> None:
    a, b, c = leaf(1.0), leaf(2.0), leaf(3.0)
    log: list[Any] = []
    handle = graph.register_multi_grad_hook([a, b, c], lambda gs: log.append([g and g.item() for g in gs]))
    (a * b).backward()
    (a * b * c).backward()
    (a * b).backward(inputs=[a])
    assert log == [[2.0, 1.0, None], [6.0, 3.0, 2.0], [2.0, None, None]]
    handle.remove()
    (a * b).backward()
    assert len(log) == 3


def test_a_hook_over_any_runs_once_a_pass() -> None:
    a, b = leaf(1.0), leaf(2.0)
    log: list[float] = []
    with graph.register_multi_grad_hook([a, b], lambda g: log.append(g.item()), mode="any"):
        (a * b).backward()
        (a * b).backward()
    (a * b).backward()
    assert log == [2.0, 2.0]


def test_a_hook_over_inner_tensors_and_leaves() -> None:
    a = leaf(1.0)
    inner, log = a * 2, []
    graph.register_multi_grad_hook([inner, a], lambda gs: log.append([g.item() for g in gs]))
    (inner * 3).backward()
    assert log == [[3.0, 6.0]]
    with pytest.raises(ValueError, match="mode"):
        graph.register_multi_grad_hook([a], print, mode="some")
    with pytest.raises(RuntimeError):
        graph.register_multi_grad_hook([torch.ones(1)], print)


# -- saved-tensor hooks -----------------------------------------------------------------------------------------------
def packed(function: Any, pack: Any, unpack: Any) -> list[float]:
    x = leaf(1.0, 2.0)
    with graph.saved_tensors_hooks(pack, unpack):
        y = function(x)
    y.backward()
    return x.grad.tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * x).sum(),
        lambda x: (x.exp() / x).sum(),
        lambda x: torch.cat([x, x * 2]).prod(),
        lambda x: (x * 1).mul_(3).exp_().sum(),
        lambda x: (x * 1).unbind()[0].tanh(),
        lambda x: x.sort()[0].cumprod(0).sum(),
        lambda x: torch.stack([x, x]).softmax(1).norm(),
    ],
)
def test_packing_and_unpacking_change_no_gradient(function: Any) -> None:
    plain = leaf(1.0, 2.0)
    function(plain).backward()
    for pack, unpack in ((lambda t: t, lambda t: t), (lambda t: t.numpy(force=True).copy(), torch.tensor)):
        assert packed(function, pack, unpack) == pytest.approx(plain.grad.tolist(), rel=1e-14)


def test_each_saved_value_is_packed_once_and_unpacked_once_a_pass() -> None:
    log: list[str] = []
    pair = (lambda t: (log.append("pack"), t)[1], lambda t: (log.append("unpack"), t)[1])
    packed(lambda x: (x / x).sum(), *pair)
    assert log == ["pack", "pack", "unpack", "unpack"]


def test_the_innermost_hooks_count_and_what_they_give_is_used() -> None:
    assert packed(lambda x: (x * x).sum(), lambda t: t, lambda t: t * 3) == [6.0, 12.0]
    log: list[str] = []
    x = leaf(2.0)
    with graph.saved_tensors_hooks(lambda t: (log.append("outer"), t)[1], lambda t: t):
        with graph.saved_tensors_hooks(lambda t: (log.append("inner"), t)[1], lambda t: t):
            y = x.exp()
        y.exp()
    x.exp()
    assert log == ["inner", "outer"]


def test_unpacked_values_are_differentiated_further() -> None:
    x = leaf(2.0)
    with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = (x * 1) ** 3 + x.exp()
    (g,) = grad(y, x, create_graph=True)
    assert grad(g, x)[0].item() == pytest.approx(12.0 + 2.718281828459045**2)


def test_custom_functions_save_through_the_hooks() -> None:
    class Square(torch.autograd.Function):
        """x^2, saving input and output."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            out = x * x
            ctx.save_for_backward(x, out)
            return out

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, out = ctx.saved_tensors
            return 2 * g * out / x

    log: list[str] = []
    found = packed(lambda x: Square.apply(x).sum(), lambda t: (log.append("pack"), t)[1], lambda t: t)
    assert (found, log.count("pack")) == ([2.0, 4.0], 2)


@pytest.mark.parametrize(
    ("pack", "unpack", "cls"),
    [
        (lambda t: t, lambda t: None, TypeError),
        (lambda t: t.detach().mul_(2), lambda t: t, RuntimeError),
        (lambda t: 1 / 0, lambda t: t, ZeroDivisionError),
    ],
)
def test_hooks_that_break_the_rules_are_refused(pack: Any, unpack: Any, cls: type[Exception]) -> None:
    with pytest.raises(cls):
        packed(lambda x: (x * x).sum(), pack, unpack)
    assert (leaf(1.0).exp().grad_fn.saved).__class__ is tuple


def test_hooks_can_be_disabled() -> None:
    with graph.disable_saved_tensors_hooks("none here"), pytest.raises(RuntimeError, match="none here"):
        graph.saved_tensors_hooks(lambda t: t, lambda t: t).__enter__()
    pair = graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    with pair, pytest.raises(RuntimeError, match="no"), graph.disable_saved_tensors_hooks("no"):
        pass
    with graph.save_on_cpu():
        y = leaf(1.0, 2.0).exp().sum()
    y.backward()


# -- writes to saved tensors ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("part", [slice(None), slice(0, 1)])
def test_allowed_writes_leave_the_gradients_of_the_old_values(part: slice) -> None:
    x = leaf(0.0, 1.0)
    with graph.allow_mutation_on_saved_tensors():
        a = x * 1
        y = a.exp()
        z = (a.sin() * y).sum()
        a[part].add_(100)
        y[part].mul_(3)
        with pytest.raises(RuntimeError, match="inside itself"), graph.allow_mutation_on_saved_tensors():
            pass
    a.add_(1)
    z.backward()
    v = x.detach()
    assert x.grad.tolist() == pytest.approx((v.exp() * (v.sin() + v.cos())).tolist())
    y = (a := x * 1).sin()
    a.add_(1)
    with pytest.raises(RuntimeError, match="overwritten"):
        y.sum().backward()


def test_the_error_of_a_write_shows_where_the_value_was_saved_and_where_it_was_overwritten() -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    z = y.sum()
    y.add_(1)
    y[0] = 5.0
    with pytest.raises(RuntimeError, match="found version 2") as found:
        z.backward()
    detail = detail_of(found.value)
    assert detail is not None
    (saver, _), (writer, words) = detail.nodes
    assert saver is z.grad_fn.next_functions[0][0]
    assert words == "this overwrote it"
    positions = list(writer.code.co_positions())
    assert positions[writer.lasti // 2][0] == saver_line(saver) + 3


def saver_line(node: Any) -> int:
    return int(list(node.code.co_positions())[node.lasti // 2][0])


def test_increment_version_counts_a_write_nobody_saw() -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    graph.increment_version(y)
    graph.increment_version([y, y])
    assert y._version == 3
    with pytest.raises(RuntimeError, match="overwritten"):
        y.sum().backward()


# -- inference mode ---------------------------------------------------------------------------------------------------
def test_inference_tensors_are_read_anywhere_and_recorded_nowhere() -> None:
    x = leaf(1.0, 2.0)
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled()
        made, view = torch.ones(2), torch.ones(4).view(2, 2)[0]
        result = x * 2
        with torch.inference_mode(False):
            assert (x * 2).requires_grad
        made.add_(1)
        seen = x[:1]
    assert [t.is_inference() for t in (made, view, result, x, seen, made * 2, made.clone())] == [
        True, True, True, False, False, False, False
    ]  # fmt: skip
    assert (x + made).requires_grad
    for refused in (
        lambda: x * made,
        lambda: made.requires_grad_(),
        lambda: made.add_(1),
        lambda: made.__setitem__(0, 1.0),
        lambda: view.mul_(2),
        lambda: made._version,
    ):
        with pytest.raises(RuntimeError, match="inference_mode"):
            refused()
    (x * made.clone()).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert torch.Tensor.__init__.__name__ == "__init__"


def test_inference_mode_decorates_and_restores() -> None:
    @torch.inference_mode()
    def double(x: Any) -> Any:
        return x * 2

    @torch.inference_mode
    def triple(x: Any) -> Any:
        return x * 3

    x = leaf(1.0)
    assert double(x).is_inference()
    assert triple(x).is_inference()
    with pytest.raises(ValueError), torch.inference_mode():
        raise ValueError
    assert (x * 2).requires_grad
    assert not torch.is_inference_mode_enabled()


# -- transformations --------------------------------------------------------------------------------------------------
def test_hooks_leave_the_tensors_of_transformations_alone() -> None:
    x = torch.tensor([0.3, 0.7])
    cube = lambda x: (x**3).sum()  # noqa: E731
    with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        assert torch.func.hessian(cube)(x).diagonal().tolist() == pytest.approx([1.8, 4.2])
        assert torch.func.vmap(torch.func.grad(lambda x: x**3))(x).tolist() == pytest.approx([0.27, 1.47])

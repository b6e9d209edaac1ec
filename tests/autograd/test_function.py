"""Custom functions: what their rules are given, what they may return, and how they are differentiated further."""

from __future__ import annotations

from typing import Any

import pytest

import gradcli as torch
from gradcli.autograd import Function
from gradcli.autograd.function import once_differentiable

Tensor = torch.Tensor


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


class Cube(Function):
    """x^3 by hand."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: float = 1.0) -> Tensor:
        ctx.save_for_backward(x)
        ctx.scale = scale
        ctx.recorded = torch.is_grad_enabled()
        return x**3 * scale

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * g * x**2 * ctx.scale, None


class Product(Function):
    """a b in the style of a separate setup_context, with every rule there is."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, b: Tensor, times: int = 1) -> Tensor:
        return a * b * times

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Tensor) -> None:
        a, b, ctx.times = inputs
        ctx.save_for_backward(a, b)
        ctx.save_for_forward(a, b)

    @staticmethod
    def vjp(ctx: Any, g: Tensor) -> Any:
        a, b = ctx.saved_tensors
        return g * b * ctx.times, g * a * ctx.times, None

    @staticmethod
    def jvp(ctx: Any, ta: Tensor, tb: Tensor, _: None) -> Tensor:
        a, b = ctx.saved_tensors
        return ctx.times * (ta * b + a * tb)


def made(name: str, forward: Any, backward: Any = None, **more: Any) -> Any:
    """Return a function class of these rules."""
    members = {
        key: staticmethod(rule) for key, rule in {**more, "forward": forward, "backward": backward}.items() if rule
    }
    return type(name, (Function,), members)


def test_the_node_is_named_after_the_class_and_shows_the_context() -> None:
    x = leaf(1.0, 2.0)
    y = Cube.apply(x, 2.0)
    assert (y.grad_fn.name(), y.grad_fn.scale, y.grad_fn.recorded) == ("CubeBackward", 2.0, False)
    assert y.grad_fn.saved_tensors[0] is x
    assert y.grad_fn.needs_input_grad == (True, False)
    assert [node.name() for node, _ in y.grad_fn.next_functions] == ["AccumulateGrad"]
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 24.0]


def test_the_rule_can_be_differentiated_again() -> None:
    x = leaf(2.0)
    (g,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    (h,) = torch.autograd.grad(g, x, create_graph=True)
    (third,) = torch.autograd.grad(h, x)
    assert (g.item(), h.item(), third.item()) == (12.0, 12.0, 6.0)
    assert torch.autograd.gradcheck(Cube.apply, leaf(0.3, -1.2))
    assert torch.autograd.gradgradcheck(Cube.apply, leaf(0.3, -1.2))


def test_arguments_by_keyword_and_defaults_count_as_arguments() -> None:
    a, b = leaf(2.0), leaf(3.0)
    y = Product.apply(a, b, times=5)
    y.backward()
    assert (y.item(), a.grad.item(), b.grad.item()) == (30.0, 15.0, 10.0)
    assert Cube.apply(leaf(1.0), scale=4.0).item() == 4.0
    with pytest.raises(TypeError):
        Product.apply(a)


def test_forward_mode_goes_through_jvp() -> None:
    ad = torch.autograd.forward_ad
    with ad.dual_level():
        a, b = ad.make_dual(torch.tensor([2.0]), torch.tensor([1.0])), torch.tensor([3.0])
        assert ad.unpack_dual(Product.apply(a, b, 2)).tangent.tolist() == [6.0]
        with pytest.raises(NotImplementedError):
            Cube.apply(a)
        for broken in (lambda ctx, t: None, lambda ctx, t: torch.ones(5), lambda ctx, t: (t, t)):
            with pytest.raises(RuntimeError):
                made("Broken", lambda ctx, x: x * 1, jvp=broken).apply(a)


def test_reverse_over_forward_and_batches_go_through_a_custom_rule() -> None:
    square = lambda x: Product.apply(x, x)  # noqa: E731
    assert torch.func.hessian(square)(torch.tensor(3.0)).item() == 2.0
    assert torch.func.jvp(torch.func.grad(square), (torch.tensor(3.0),), (torch.tensor(1.0),))[1].item() == 2.0
    assert torch.func.vmap(square)(torch.tensor([1.0, 2.0])).tolist() == [1.0, 4.0]
    assert torch.func.vmap(torch.func.grad(square))(torch.tensor([1.0, 2.0])).tolist() == [2.0, 4.0]


def test_a_vmap_rule_of_its_own_gets_the_whole_batch_and_keeps_its_gradient() -> None:
    seen = []

    class Doubled(Function):
        """2 x, with its own vmap rule."""

        forward = staticmethod(lambda x: x * 2)
        setup_context = staticmethod(lambda ctx, inputs, output: None)
        backward = staticmethod(lambda ctx, g: g * 2)

        @staticmethod
        def vmap(info: Any, in_dims: Any, x: Tensor) -> Any:
            seen.append((info.batch_size, in_dims, tuple(x.shape)))
            return Doubled.apply(x), 0

    x = leaf(1.0, 2.0, 3.0)
    y = torch.func.vmap(Doubled.apply)(x)
    y.sum().backward()
    assert (seen, y.tolist(), x.grad.tolist()) == ([(3, (0,), (3,))], [2.0, 4.0, 6.0], [2.0, 2.0, 2.0])
    with pytest.raises(RuntimeError, match="vmap"):
        torch.func.vmap(Cube.apply)(x)


@pytest.mark.parametrize(("materialize", "second"), [(True, [0.0]), (False, None)], ids=["zeros", "none"])
def test_an_output_without_a_cotangent_gives_zeros_or_none(materialize: bool, second: Any) -> None:
    seen = []

    def forward(ctx: Any, x: Tensor) -> Any:
        ctx.set_materialize_grads(materialize)
        return x * 1, x * 2, 7

    def backward(ctx: Any, *grads: Any) -> Any:
        seen.extend(None if g is None else g.tolist() for g in grads)
        return grads[0]

    first, _, number = made("Several", forward, backward).apply(leaf(1.0))
    first.backward()
    assert number == 7
    assert seen == [[1.0], second, None]


def test_outputs_marked_non_differentiable_and_integers_are_constants() -> None:
    def forward(ctx: Any, x: Tensor) -> Any:
        double = x * 2
        ctx.mark_non_differentiable(double)
        return x * 1, double, x.argmax()

    y, double, index = made("Marked", forward, lambda ctx, g, h, k: g).apply(leaf(1.0, 2.0))
    assert (y.requires_grad, double.requires_grad, index.requires_grad) == (True, False, False)


def test_an_input_changed_in_place_takes_the_node_as_its_history() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        return x.add_(1)

    dirty = made("Dirty", forward, lambda ctx, g: g * 3)
    x = leaf(1.0, 2.0)
    base = x * 1
    y = dirty.apply(base)
    assert y is base
    assert (y.grad_fn.name(), y._version) == ("DirtyBackward", 2)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    base = x * 1
    part = dirty.apply(base[:1])
    assert [type(t.grad_fn).__name__ for t in (base, part)] == ["CopySlices", "AsStridedBackward0"]
    with pytest.raises(RuntimeError, match="leaf"):
        dirty.apply(leaf(1.0))
    with pytest.raises(RuntimeError, match="return"):
        made("Kept", lambda ctx, x: (ctx.mark_dirty(x), x.add_(1))[1] * 2, lambda ctx, g: g).apply(x * 1)


def test_an_input_returned_as_it_is_becomes_a_view_with_the_rule() -> None:
    same = made("Same", lambda ctx, x: x, lambda ctx, g: g * 5)
    x = leaf(1.0)
    y = same.apply(x)
    assert y is not x
    assert x.grad_fn is None
    y.backward()
    assert x.grad.tolist() == [5.0]
    for function in (same, made("Part", lambda ctx, x: x[:1], lambda ctx, g: g)):
        with pytest.raises(RuntimeError, match="custom function"):
            function.apply(x * 1).add_(1)


def test_a_saved_result_keeps_no_cycle_and_notices_a_write() -> None:
    import gc
    import weakref

    def forward(ctx: Any, x: Tensor) -> Tensor:
        out = x.exp()
        ctx.save_for_backward(out)
        return out

    exp = made("Exp", forward, lambda ctx, g: g * ctx.saved_tensors[0])
    x = leaf(0.0)
    y = exp.apply(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert torch.autograd.grad(g, x)[0].tolist() == [1.0]
    gc.disable()
    try:
        node = weakref.ref(y.grad_fn)
        del y, g
        assert node() is None
    finally:
        gc.enable()
    y = exp.apply(x)
    y.add_(1)
    with pytest.raises(RuntimeError, match="overwritten"):
        y.backward()


def test_saved_tensors_are_freed_by_a_pass_and_attributes_stay() -> None:
    y = Cube.apply(leaf(2.0))
    y.backward()
    assert y.grad_fn.scale == 1.0
    with pytest.raises(RuntimeError, match="freed"):
        y.backward()
    with pytest.raises(RuntimeError, match="freed"):
        _ = y.grad_fn.saved_tensors
    plain = made("Plain", lambda ctx, x: x * 1, lambda ctx, g: g).apply(leaf(1.0))
    plain.backward()
    plain.backward()


WRONG = {
    "one too few": (RuntimeError, lambda ctx, a, b: a * b, lambda ctx, g: g),
    "not for a number": (RuntimeError, lambda ctx, a, b: a * b, lambda ctx, g: (g, g, g)),
    "a float": (RuntimeError, lambda ctx, a, b: a * b, lambda ctx, g: (3.0, g)),
    "a list": (RuntimeError, lambda ctx, a, b: a * b, lambda ctx, g: [g, g]),
    "another shape": (RuntimeError, lambda ctx, a, b: a * b, lambda ctx, g: (torch.ones(5), g)),
    "no rule": (NotImplementedError, lambda ctx, a, b: a * b, None),
    "an error of its own": (ZeroDivisionError, lambda ctx, a, b: a * b, lambda ctx, g: 1 / 0),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_rules_are_refused(case: str) -> None:
    cls, forward, backward = WRONG[case]
    y = made("Wrong", forward, backward).apply(leaf(1.0, 2.0), leaf(1.0, 2.0))
    with pytest.raises(cls):
        y.sum().backward()


def test_what_else_is_refused() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="argument 1"):
        made("Number", lambda ctx, a, n: a * n, lambda ctx, g: (g, g)).apply(x, 2).backward()
    with pytest.raises(TypeError):
        made("Saves", lambda ctx, a: ctx.save_for_backward(3), lambda ctx, g: g).apply(x)
    with pytest.raises(RuntimeError, match="apply"):
        Cube()(x)
    with pytest.raises(RuntimeError, match="both"):
        made("Both", lambda ctx, a: a * 1, lambda ctx, g: g, vjp=lambda ctx, g: g).apply(x).backward()
    with pytest.raises(NotImplementedError):
        type("Nothing", (Function,), {}).apply(x)


def test_none_more_and_larger_gradients_are_fine() -> None:
    x = leaf(1.0, 2.0)
    made("Nones", lambda ctx, a: a * 1, lambda ctx, g: (g, None, None)).apply(x).sum().backward()
    made("Larger", lambda ctx, a: a * 1, lambda ctx, g: torch.ones(3, 2)).apply(x).sum().backward()
    made("Integers", lambda ctx, a: a * 1, lambda ctx, g: torch.ones(2, dtype=torch.int64)).apply(x).sum().backward()
    made("Nothing", lambda ctx, a: a * 1, lambda ctx, g: None).apply(x).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_once_differentiable_refuses_a_second_derivative_alone() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**2

    once = made("Once", forward, once_differentiable(lambda ctx, g: g * 2 * ctx.saved_tensors[0]))
    x = leaf(3.0)
    once.apply(x).backward()
    assert x.grad.item() == 6.0
    (g,) = torch.autograd.grad((once.apply(x) * x).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        g.sum().backward()


def test_nothing_is_recorded_for_constants_or_under_no_grad() -> None:
    assert not Cube.apply(torch.ones(1)).requires_grad
    with torch.no_grad():
        assert not Cube.apply(leaf(1.0)).requires_grad
    assert not made("Inside", lambda ctx, d: d["x"] * 2).apply({"x": leaf(1.0)}).requires_grad

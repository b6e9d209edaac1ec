"""Small things that tutorials print, assert or do by accident."""

import pytest

import gradcli as torch
from gradcli.autograd import forward_ad


def test_unpack_dual_gives_the_very_tangent():
    primal, tangent = torch.randn(3, 3), torch.ones(3, 3)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(primal, tangent)
        assert forward_ad.unpack_dual(dual).tangent is tangent
        assert forward_ad.unpack_dual(forward_ad.make_dual(primal, tangent.T)).tangent is not tangent
        assert forward_ad.unpack_dual(dual * 2).tangent is not tangent
    assert forward_ad.unpack_dual(dual).tangent is None
    assert tangent.tolist() == torch.ones(3, 3).tolist()


def test_a_tangent_on_a_graph_keeps_its_graph():
    tangent = torch.ones(3, requires_grad=True)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(3), tangent)
        moved = forward_ad.unpack_dual(dual * 3).tangent
    moved.sum().backward()
    assert tangent.grad.tolist() == [3.0, 3.0, 3.0]


def test_limits_print_as_in_pytorch():
    assert repr(torch.finfo(torch.float64)) == (
        "finfo(resolution=1e-15, min=-1.79769e+308, max=1.79769e+308, eps=2.22045e-16, smallest_normal=2.22507e-308, "
        "tiny=2.22507e-308, dtype=float64)"
    )
    assert repr(torch.finfo(torch.float16)).startswith("finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562")
    assert repr(torch.iinfo(torch.int32)) == "iinfo(min=-2.14748e+09, max=2.14748e+09, dtype=int32)"


@pytest.mark.parametrize("name", ["saved_tensors", "needs_input_grad"])
def test_what_the_engine_needs_of_a_context_cannot_be_lost(name):
    class Rule(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.own = 3
            setattr(ctx, name, 3)
            return x * 2

    with pytest.raises(AttributeError, match=f"ctx.{name} can't be set"):
        Rule.apply(torch.ones(1, requires_grad=True))

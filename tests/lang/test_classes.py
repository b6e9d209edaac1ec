"""Classes in scripts: custom rules by ``torch.autograd.Function``, and what a class may not do."""

from __future__ import annotations

import pytest

from tests.lang.helpers import failure, run

RULE = """class Scaled(torch.autograd.Function):
    "A product with a number."
    calls = 0
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return scale * x**2
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        Scaled.calls += 1
        return g * 2 * ctx.scale * x, None
"""


def test_a_rule_of_the_script_is_recorded_and_used() -> None:
    session = run(RULE + "leaf x = [1., 2.]\ny = Scaled.apply(x, 3.0)\ny.sum().backward()\ncount = Scaled.calls\n")
    assert session.namespace["y"].grad_fn.name() == "ScaledBackward"
    assert session.namespace["x"].grad.tolist() == [6.0, 12.0]
    assert session.namespace["count"] == 1


def test_once_differentiable_is_a_decorator_scripts_know() -> None:
    script = "from torch.autograd.function import once_differentiable\n" + RULE.replace(
        "    @staticmethod\n    def backward", "    @staticmethod\n    @once_differentiable\n    def backward"
    )
    session = run(script + "leaf x = [1., 2.]\nScaled.apply(x, 3.0).sum().backward()\n")
    assert session.namespace["x"].grad.tolist() == [6.0, 12.0]


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("class A(int):\n    pass\n", "class-base"),
        ("class A(torch):\n    pass\n", "class-base"),
        ("class A(torch.Tensor):\n    pass\n", "class-base"),
        ("class A(torch.autograd.Function):\n    for i in range(3):\n        pass\n", "class-body"),
        ("class A(torch.autograd.Function):\n    x = 1\nA.gi_frame = 1\n", "unknown-attribute"),
        ("class A(torch.autograd.Function):\n    format = 1\ny = 'x'.format(1)\n", "unknown-attribute"),
        ("class A(torch.autograd.Function):\n    x = 1\ntorch.Tensor.x = 1\n", "read-only"),
        ("class A(torch.autograd.Function):\n    x = 1\ny = x\n", "unknown-name"),
        (RULE + "leaf x = [1.]\ny = Scaled.apply(x, 2.0)._state\n", "unknown-attribute"),
    ],
)
def test_what_a_class_may_not_be(script: str, code: str) -> None:
    assert failure(script).code == code


def test_an_error_in_a_rule_points_into_the_rule() -> None:
    script = RULE.replace("return g * 2 * ctx.scale * x, None", "return g + ones(5), None")
    found = failure(script + "leaf x = [1., 2.]\nScaled.apply(x, 3.0).sum().backward()\n")
    assert found.primary is not None
    assert found.primary.span.line == 13

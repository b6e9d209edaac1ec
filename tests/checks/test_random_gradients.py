"""Random scripts of right operations, at scales from 1e-8 to 1e8: no check of their gradients raises an alarm."""

from __future__ import annotations

import random

import pytest

from .test_gradients import checked, failures

UNARY = [
    "sin({})", "cos({})", "tanh({})", "exp({})", "log({}.abs()+1)", "sqrt({}.abs()+1e-3)", "({}^2)", "({}^3)",
    "sigmoid({})", "F.softplus({})", "{}.abs()", "relu({})", "{}.cumsum(0)", "{}.sort().values",
    "F.softmax({},dim=0)", "F.gelu({})", "({}-{}.mean())", "({}/({}.norm()+1))", "F.elu({})", "atan({})",
    "asinh({})", "expm1({})", "log1p({}.abs())", "torch.erf({})", "{}.flip(0)", "torch.roll({},1)", "F.silu({})",
    "({}*1e3)", "({}*1e-6)", "({}+1e3)", "floor({})", "round({})", "{}.clamp(-1.0,1.0)", "1/({}^2+1)",
    "F.leaky_relu({})", "torch.sinc({})", "({}.std()*{})", "({}-{}.max())",
]  # fmt: skip
BINARY = [
    "({}+{})", "({}*{})", "({}-{})", "({}/({}.abs()+1))", "torch.maximum({},{})", "torch.atan2({},{}+2)",
    "torch.hypot({},{}+0.1)",
]  # fmt: skip
REDUCING = [
    "{}.sum()", "{}.mean()", "{}.prod()", "{}.var()", "{}.max()", "logsumexp({},0)", "{}.norm()", "{}.median()",
    "({}^2).mean()",
]  # fmt: skip

pytestmark = pytest.mark.slow


def random_script(seed: int) -> str:
    """Return a script of up to six operations on two leaves, of which some elements are zero."""
    chance = random.Random(seed)
    scale = 10 ** chance.uniform(-8, 8) if chance.random() < 0.4 else 1.0
    lines, names = [], ["x", "z"]
    for name in names:
        values = [0.0 if chance.random() < 0.1 else round(chance.gauss(0, 1), 3) * scale for _ in range(3)]
        lines.append(f"leaf {name} = {values}")
    for number in range(chance.randint(1, 6)):
        text = chance.choice(UNARY).replace("{}", chance.choice(names[-3:]))
        if chance.random() < 0.3:
            text = chance.choice(BINARY).format(*chance.choices(names[-3:], k=3))
        names.append(f"v{number}")
        lines.append(f"v{number} = {text}")
    return "\n".join([*lines, "out = " + chance.choice(REDUCING).replace("{}", names[-1])]) + "\n"


@pytest.mark.parametrize("seed", range(60))
def test_right_operations_raise_no_alarm(seed: int) -> None:
    text = random_script(seed)
    assert not failures(checked(text)[0]), text


@pytest.mark.parametrize("factor", [0.5, 1.00001, -1.0])
@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_a_wrong_rule_among_them_is_found_wherever_it_has_an_effect(seed: int, factor: float) -> None:
    lines = random_script(seed).rstrip().split("\n")[:-1]
    last = lines[-1].split(" = ")[0]
    rule = "    @staticmethod\n    def forward(ctx, x):\n        return x.clone()\n"
    rule += f"    @staticmethod\n    def backward(ctx, g):\n        return {factor} * g\n"
    text = "\n".join(
        [
            "class Wrong(torch.autograd.Function):",
            rule,
            *lines,
            f"w = Wrong.apply({last})",
            "total = (w * arange(1.0, 4.0) ^ 3).sum()",
        ]
    )
    results, _, session = checked(text + "\n")
    session.evaluate("total.backward()")
    gradients = [leaf.grad.numpy() for leaf in session.leaves.values() if leaf.grad is not None]
    has_effect = any((gradient != 0).any() for gradient in gradients)
    found = any(title.startswith("gradient of w ") for title in failures(results))
    assert found == has_effect, text

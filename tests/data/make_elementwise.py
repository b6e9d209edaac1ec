"""Write elementwise.json: what PyTorch answers to expressions over dtypes, special values, creation and random numbers.

Needs PyTorch. Each case is an expression with PyTorch's dtype, shape and values, or the class of its error; kinks
also record the gradients of the sum to x and y.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import torch

torch.set_default_dtype(torch.float64)
DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool", "complex128", "complex64")
PROMOTING = (
    "x + y", "x * y", "x / y", "x // y", "x % y", "x ** y", "x == y", "x < y", "torch.maximum(x, y)",
    "torch.atan2(x, y)",
    "torch.xlogy(x, y)", "torch.copysign(x, y)", "torch.fmod(x, y)", "torch.div(x, y, rounding_mode='trunc')",
    "torch.float_power(x, y)", "torch.ldexp(x, y)", "x & y", "torch.clamp(x, y)", "torch.result_type(x, y)",
)  # fmt: skip
NUMBERS = ("2", "2.5", "True", "2j", "300", "-1")
WITH_NUMBER = (
    "x + y", "y - x", "x * y", "x / y", "y / x", "x // y", "x % y", "x ** y", "y ** x", "x == y", "torch.clamp(x, y)",
    "torch.copysign(x, y)", "torch.rsub(x, y)", "torch.float_power(x, y)",
)  # fmt: skip
X = "[0.,0.,0.,-0.,1.,1.,-1.,2.,inf,-inf,nan,1.,-2.5,2.,3.,0.]"
Y = "[0.,1.,-1.,0.,0.,1.,-1.,-3.,inf,1.,1.,nan,2.,.5,inf,nan]"
KINKS = (
    "x * y", "x / y", "x % y", "torch.fmod(x, y)", "x ** y", "torch.maximum(x, y)", "torch.minimum(x, y)",
    "torch.fmax(x, y)", "torch.fmin(x, y)", "torch.atan2(x, y)", "torch.hypot(x, y)", "torch.logaddexp(x, y)",
    "torch.xlogy(x, y)", "torch.special.xlog1py(x, y)", "torch.copysign(x, y)", "torch.clamp(x, y)",
    "torch.clamp(x, max=y)", "torch.clamp(x, y, y)", "torch.lerp(x, y, 0.3)", "torch.addcdiv(x, x, y)", "x ** 0",
    "x ** 1",
    "x ** 2", "x ** 3", "x ** -1", "x ** 0.5", "x ** -0.5", "2 ** x", "0 ** x", "(-2.0) ** x", "2 / x", "x.clamp(0, 1)",
    "x.clamp(1, 0)", "x.sqrt()", "x.rsqrt()", "x.log()", "x.log1p()", "x.asin()", "x.acosh()", "x.atanh()", "x.sign()",
    "x.abs() + 0", "x.floor()", "x.round()", "x.frac()", "x.sigmoid()", "x.tanh()", "x.nan_to_num()", "x.logit()",
    "x.logit(0.1)", "x.erf()", "x.erfinv()", "x.lgamma()", "x.sinc()", "torch.special.entr(x)", "torch.special.ndtr(x)",
)  # fmt: skip
CREATION = (
    "torch.zeros(2, 3)", "torch.zeros((2,), dtype=torch.int32)", "torch.ones([2])", "torch.zeros(())",
    "torch.zeros(-1)",
    "torch.zeros(1.5)", "torch.zeros(2, dtype=torch.int64, requires_grad=True)", "torch.full((2,), 7)",
    "torch.full((2,), True)", "torch.full((2,), 2j)", "torch.full(2, 1.0)", "torch.arange(5)", "torch.arange(5.0)",
    "torch.arange(1, 5, 2)", "torch.arange(5, 0, -2)", "torch.arange(0, 1, 0.1)", "torch.arange(5, 0)",
    "torch.arange(0, 5, 0)", "torch.arange(end=4)", "torch.linspace(-3, 7, 11)", "torch.linspace(0, 1, 1)",
    "torch.linspace(0, 10, 5, dtype=torch.int64)", "torch.linspace(0, 1, 7, dtype=torch.float32)",
    "torch.linspace(0, 1, -1)", "torch.logspace(0, 3, 4, base=2)", "torch.eye(2, 3)", "torch.eye(-1)",
    "torch.tril_indices(3, 4, 1)", "torch.triu_indices(3, 2, -1)", "torch.hann_window(5)",
    "torch.hamming_window(5, False, 0.5, 0.4)", "torch.kaiser_window(5, False, 8.0)", "torch.bartlett_window(1)",
    "torch.signal.windows.nuttall(6, sym=False)", "torch.signal.windows.exponential(5, tau=2.0)",
    "torch.scalar_tensor(3)", "torch.as_tensor(3, dtype=torch.float32)", "torch.asarray([1, 2])",
    "torch.zeros_like(torch.zeros(2, 3).t()).stride()", "torch.combinations(torch.tensor([1, 2, 3]), 2)",
    "torch.combinations(torch.tensor([1.0, 2.0]), 3)",
    "torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))",
    "torch.block_diag(torch.tensor(1.0), torch.tensor([1, 2]), torch.ones(2, 1))",
    "torch.tensor([nan, 1e30, 300.0, -1.5]).to(torch.int8)", "torch.tensor([nan, 300.7, -1.5]).int()",
    "torch.tensor([1 + 2j]).real", "torch.tensor([1.0]).imag", "torch.view_as_complex(torch.ones(3))",
    "torch.tensor([1, 2]) // 0", "torch.tensor([1, 2]) % 0", "torch.tensor([2, 3]) ** -1",
    "torch.tensor([2, 1, -1]) ** torch.tensor([-1, -2, -3])", "torch.tensor([1, -1]) << torch.tensor([64, 3])",
    "~torch.tensor([1.0])", "-torch.tensor([True])", "torch.tensor([True]) - torch.tensor([True])",
    "torch.add(torch.tensor([1]), torch.tensor([1]), alpha=1.5)",
    "torch.isclose(torch.tensor([1.0]), torch.tensor([1]))",
    "torch.ones(3) + torch.ones(2)", "torch.addcmul(torch.ones(3), torch.ones(2), torch.ones(2))",
    "torch.clamp(torch.ones(1))",
)  # fmt: skip
RANDOM = (
    "torch.rand(3)", "torch.rand(2, 3, dtype=torch.float32)", "torch.randn(20)",
    "torch.randn(2, 2, dtype=torch.complex128)",
    "torch.randint(-3, 4, (2, 3))", "torch.randint(5, (3,), dtype=torch.float32)", "torch.randint(5, 5, (2,))",
    "torch.randperm(6)", "torch.rand_like(torch.zeros(4, 3).t())", "torch.randn_like(torch.zeros(5, 4).t())",
    "torch.randint_like(torch.zeros(3), 2, 5)", "torch.normal(torch.arange(3.0), 2.0)",
    "torch.normal(torch.arange(3.0), torch.arange(1.0, 4.0))", "torch.normal(1.0, torch.arange(3.0))",
    "torch.normal(1.0, 2.0, (3,))", "torch.normal(torch.arange(3.0), -1.0)", "torch.bernoulli(torch.full((6,), 0.3))",
    "torch.bernoulli(torch.tensor([1.5]))", "torch.poisson(torch.full((4,), 3.0))",
    "torch.multinomial(torch.tensor([0.2, 0.3, 0.5]), 2)", "torch.zeros(5, 4).t().normal_(1, 2)",
    "torch.zeros(3).uniform_(2, 3)", "torch.zeros(4, 3).t().bernoulli_(torch.full((3, 4), 0.4))",
    "torch.zeros(3).exponential_(2)", "torch.zeros(3).cauchy_()", "torch.zeros(3).random_(2, 9)",
    "torch.zeros(3, dtype=torch.uint8).random_()", "torch.rand(2, generator=torch.Generator().manual_seed(7))",
    "torch.randn(2, dtype=torch.int64)",
)  # fmt: skip


def names() -> dict[str, Any]:
    return {"torch": torch, "inf": math.inf, "nan": math.nan}


def told(value: Any) -> Any:
    """Return a result as JSON: [dtype, shape, repr of the nested lists], or the repr of what is no tensor."""
    if isinstance(value, torch.Tensor):
        plain = value.detach()
        return [str(plain.dtype).removeprefix("torch."), list(plain.shape), repr(plain.tolist())]
    return repr(value)


def answer(expression: str, **scope: Any) -> Any:
    try:
        return told(eval(expression, {**names(), **scope}))
    except Exception as exception:  # the class of whatever is raised is the answer
        return {"error": type(exception).__name__}


def operand(dtype: str, shape: tuple[int, ...]) -> torch.Tensor:
    return torch.full(shape, 3, dtype=getattr(torch, dtype))


def kind(expression: str, x: Any, y: Any) -> str | None:
    """Return the dtype of a result; None for an error."""
    try:
        value = eval(expression, {"torch": torch, "x": x, "y": y})
    except Exception:  # any refusal counts
        return None
    return str(value if isinstance(value, torch.dtype) else value.dtype).removeprefix("torch.")


def promotions() -> dict[str, Any]:
    tensors: dict[str, Any] = {}
    for expression in PROMOTING:
        for a in DTYPES:
            row = [[kind(expression, operand(a, (2,)), operand(b, shape)) for b in DTYPES] for shape in ((2,), ())]
            tensors.setdefault(expression, {})[a] = row
    numbers: dict[str, Any] = {}
    for expression in WITH_NUMBER:
        for a in DTYPES:
            row = [[kind(expression, operand(a, shape), eval(y)) for y in NUMBERS] for shape in ((2,), ())]
            numbers.setdefault(expression, {})[a] = row
    return {"dtypes": DTYPES, "numbers": NUMBERS, "of_tensors": tensors, "of_numbers": numbers}


def kink(expression: str) -> dict[str, Any]:
    x, y = (eval(f"torch.tensor({v}, requires_grad=True)", names()) for v in (X, Y))
    value = eval(expression, {"torch": torch, "x": x, "y": y})
    grads = torch.autograd.grad(value.sum(), (x, y), allow_unused=True)
    parts = [repr(value.tolist()), *(None if g is None else repr(g.tolist()) for g in grads)]
    return {"expr": expression, "value": parts[0], "x": parts[1], "y": parts[2]}


def seeded(expression: str) -> Any:
    torch.manual_seed(42)
    return answer(expression)


if __name__ == "__main__":
    made = {
        "promotions": promotions(),
        "kinks": {"x": X, "y": Y, "cases": [kink(e) for e in KINKS]},
        "creation": {e: answer(e) for e in CREATION},
        "random": {e: seeded(e) for e in RANDOM},
    }
    target = Path(__file__).with_name("elementwise.json")
    target.write_text(json.dumps(made, separators=(",", ":")).replace('"expr"', '\n"expr"') + "\n")
    print(target.stat().st_size, "bytes")

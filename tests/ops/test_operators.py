"""The operator methods of tensors: which operands they take, what they leave to others, and what they record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradcli.autograd import Tensor, grad
from gradcli.ops.namespaces import torch_namespace

torch = torch_namespace()


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def tree(fn: Any) -> str:
    """Return the names of a graph as ``Mul(Reciprocal(x), .)``: x for a leaf, a point for a constant."""
    if fn is None:
        return "."
    name = fn.name().replace("torch::autograd::", "").replace("Backward", "")
    inner = ", ".join(tree(n) for n, _ in fn.next_functions)
    return "x" if name == "AccumulateGrad" else f"{name}({inner})"


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("x + 2", "Add0(x, .)"), ("2 + x", "Add0(x, .)"), ("x - 2", "Sub0(x, .)"), ("2 - x", "Rsub1(x)"),
        ("x * 2", "Mul0(x, .)"), ("x / 2", "Div0(x, .)"), ("2 / x", "Mul0(Reciprocal0(x), .)"), ("x ** 2", "Pow0(x)"),
        ("x ** y", "Pow1(x, x)"), ("2 ** x", "Pow2(x)"), ("x // 2", "NotImplemented(x, .)"), ("x % 2", "Remainder0(x)"),
        ("x % y", "Remainder1(x, x)"), ("-x", "Neg0(x)"), ("abs(x)", "Abs0(x)"), ("+x", "x"), ("x.clamp(0, 1)",
        "Clamp1(x)"),
        ("x.clamp(min=y)", "Clamp0(x, x, .)"), ("x.square()", "Pow0(x)"), ("x.float().double()", "ToCopy0(ToCopy0(x))"),
        ("torch.div(x, y, rounding_mode='floor')", "Div2(x, x)"), ("torch.complex(x, y).real",
        "Select0(ViewAsReal0(Complex0(x, x)))"),
        ("x.log1p()", "Log1P0(x)"), ("torch.special.i0e(x)", "SpecialI0E0(x)"), ("torch.rsub(x, y)", "Rsub0(x, x)"),
    ],
)  # fmt: skip
def test_operators_record_the_nodes_of_pytorch(expression: str, wanted: str) -> None:
    made = eval(expression, {"x": leaf(1.0, 2.0), "y": leaf(3.0, 4.0), "torch": torch})
    assert tree(made.grad_fn if made.grad_fn is not None else (made * 1).grad_fn.next_functions[0][0]) == wanted


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "**", "==", "<", "<=", ">", ">=", "!="])
def test_lists_arrays_and_numpy_numbers_are_operands(sign: str) -> None:
    x, values = torch.tensor([1.5, 2.0]), np.array([1.5, 2.0])
    for other in ([2.0, 3.0], np.array([2.0, 3.0]), np.float64(2.0), 2, 2.0, True):
        for expression in (f"x {sign} other", f"other {sign} x"):
            made = eval(expression, {"x": x, "other": other})
            want = eval(expression, {"x": values, "other": np.asarray(other)})
            assert isinstance(made, Tensor), expression
            np.testing.assert_array_equal(made.numpy(), want)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "**", "<", "&"])
def test_alien_operands_are_type_errors_or_left_to_their_class(sign: str) -> None:
    class Alien:
        """Answers every operator from the right."""

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(name)

        def answer(self, other: Any) -> str:
            return "mine"

        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __gt__ = __rand__ = answer

    x = torch.tensor([1, 2])
    assert eval(f"x {sign} other", {"x": x, "other": Alien()}) == "mine"
    for other in ("text", None, {}):
        with pytest.raises(TypeError):
            eval(f"x {sign} other", {"x": x, "other": other})


def test_equality_with_what_is_no_tensor_is_identity() -> None:
    x = torch.tensor([1.0])
    assert (x == None) is False and (x != "a") is True  # noqa: E711
    assert x in {x} and hash(x) == hash(x)


@pytest.mark.parametrize("sign", ["+=", "-=", "*=", "/=", "**=", "//=", "%="])
def test_augmented_assignment_writes_over_the_tensor(sign: str) -> None:
    x = torch.tensor([3.0, 5.0])
    names = {"y": x, "other": 2.0}
    exec(f"y {sign} other", names)
    assert names["y"] is x
    np.testing.assert_array_equal(x.numpy(), eval(f"a {sign[:-1]} 2.0", {"a": np.array([3.0, 5.0])}))


@pytest.mark.parametrize(("statement", "dtype"), [("x += 1.5", "int64"), ("x /= 2", "int64"), ("x += 1j", "float64")])
def test_augmented_assignment_keeps_the_dtype(statement: str, dtype: str) -> None:
    with pytest.raises(RuntimeError, match="does not fit"):
        exec(statement, {"x": torch.ones(2, dtype=getattr(torch, dtype))})


def test_shapes_that_do_not_fit_are_named() -> None:
    for left, right in ((torch.ones(3), torch.ones(2)), (torch.ones(3, dtype=torch.int64), torch.ones(2))):
        with pytest.raises(RuntimeError, match=r"\(3,\) and \(2,\)"):
            left + right
    with pytest.raises(RuntimeError, match="broadcast"):
        torch.lerp(torch.ones(3), torch.ones(3), torch.ones(2))


def test_floor_division_is_recorded_and_refused_in_backward() -> None:
    with pytest.raises(RuntimeError, match="not implemented"):
        (leaf(7.0) // 2).sum().backward()


def test_second_derivatives_of_complex_parts_and_angles() -> None:
    z = torch.tensor([3 + 4j], requires_grad=True)
    (g,) = grad(z.abs().sum(), z, create_graph=True)
    np.testing.assert_allclose(g.detach().numpy(), [0.6 + 0.8j])
    (h,) = grad(g.real.sum(), z)
    np.testing.assert_allclose(h.numpy(), [16 / 125 - 12j / 125])  # d(x / |z|) = y^2 / |z|^3 dx - x y / |z|^3 dy


def test_views_of_complex_parts_share_memory() -> None:
    z = torch.zeros(2, dtype=torch.complex128)
    z.real[0] = 5.0
    z.imag = torch.tensor([1.0, 2.0])
    np.testing.assert_array_equal(z.numpy(), [5 + 1j, 2j])


def test_sinc_has_every_derivative_at_zero() -> None:
    x = torch.tensor([0.0], requires_grad=True)
    value, found = torch.sinc(x), []
    for _ in range(4):
        (value,) = grad(value.sum(), x, create_graph=True)
        found.append(value.item())
    np.testing.assert_allclose(found, [0.0, -(np.pi**2) / 3, 0.0, np.pi**4 / 5], atol=1e-12)

"""Linear and bilinear layers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H
from gradcli.ops.nn_common import floating, operand
from gradcli.ops.row import T, op, sample


@op(
    "torch.nn.functional.linear",
    "linear(input, weight, bias=None)",
    category="nn layer: linear",
    doc="input @ weight.T + bias for a weight of shape (out, in); leading dimensions of input are a batch.",
    formula="g @ weight to input, g.T @ input to weight, the sum of g over the batch to bias",
    examples=("F.linear(tensor([[1., 2.]]), tensor([[1., 1.], [0., 3.]]), tensor([0.5, 0.]))  #> [[3.5000, 6.0000]]",),
    samples=(
        sample(T(2, 3), T(4, 3)),
        sample(T(2, 3), T(2, 3), T(2)),
        sample(T(3), T(4, 3), T(4)),
        sample(T(2, 2, 3), T(4, 3), T(4)),
        sample(T(2, 3), T(3)),
        sample(T(0, 3), T(2, 3), T(2)),
    ),
)
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    from gradcli.ops.addmatmul import addmm

    input, weight = operand(input), operand(weight)
    _check_linear(input, weight, bias)
    turned = weight.t()
    if bias is None:
        return input @ turned
    if input.ndim == 2:
        return addmm(bias, input, turned)
    lead = tuple(input.shape[:-1])
    flat = addmm(bias, input.reshape((math.prod(lead), input.shape[-1])), turned)
    return flat.reshape((*lead, weight.shape[0]))


def _check_linear(input: Any, weight: Any, bias: Any) -> None:
    if not input.ndim or weight.ndim not in (1, 2):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"linear needs an input (*, in) and a weight (out, in), got shapes {tuple(input.shape)} "
            f"and {tuple(weight.shape)}",
        )
    if input.shape[-1] != weight.shape[-1]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"linear: the last dim of the input, {input.shape[-1]}, is not the weight's {weight.shape[-1]} "
            f"(shapes {tuple(input.shape)} and {tuple(weight.shape)})",
            hint="weight is (out, in)",
        )
    if bias is not None and weight.ndim == 1:
        raise error(RuntimeError, "shape-mismatch", "linear: a bias goes with a weight of two dims (out, in)")
    if bias is not None and tuple(bias.shape) not in ((weight.shape[0],), (1,), ()):
        raise error(
            RuntimeError, "shape-mismatch", f"linear: bias needs shape ({weight.shape[0]},), got {tuple(bias.shape)}"
        )


def _contract(a: Any, b: Any, c: Any, *, letters: tuple[str, str, str, str]) -> Any:
    """Return the sum of products of three arrays over the letters that the last entry of ``letters`` lacks."""
    return np.einsum(f"{letters[0]},{letters[1]},{letters[2]}->{letters[3]}", a, b, c, optimize=True)


def _contract_a(g: Any, b: Any, c: Any, letters: tuple[str, str, str, str]) -> Any:
    return contract(g, H(b), H(c), letters=(letters[3], letters[1], letters[2], letters[0]))


def _contract_b(g: Any, a: Any, c: Any, letters: tuple[str, str, str, str]) -> Any:
    return contract(H(a), g, H(c), letters=(letters[0], letters[3], letters[2], letters[1]))


def _contract_c(g: Any, a: Any, b: Any, letters: tuple[str, str, str, str]) -> Any:
    return contract(H(a), H(b), g, letters=(letters[0], letters[1], letters[3], letters[2]))


contract = Primitive(
    "_trilinear", _contract, {"a": _contract_a, "b": _contract_b, "c": _contract_c}, node="TrilinearBackward0",
    batch="products.contract",
)


@op(
    "torch.nn.functional.bilinear",
    "bilinear(input1, input2, weight, bias=None)",
    names="torch.bilinear",
    category="nn layer: linear",
    doc="input1 @ weight[o] @ input2 for each output o, plus bias; weight is (out, in1, in2).",
    formula="each factor's cotangent is the sum of products of g and the other two",
    examples=("bilinear(tensor([[1., 2.]]), tensor([[3., 1.]]), tensor([[[1., 0.], [0., 1.]]]))  #> [[5.]]",),
    samples=(
        sample(T(2, 2), T(2, 3), T(2, 2, 3)),
        sample(T(2, 2), T(2, 3), T(2, 2, 3), T(2)),
        sample(T(2), T(3), T(1, 2, 3)),
    ),
)
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    input1, input2, weight = floating("bilinear", input1, input2, weight)
    lead = tuple(input1.shape[:-1])
    if weight.ndim != 3 or not input1.ndim or not input2.ndim or lead != tuple(input2.shape[:-1]):
        raise error(
            RuntimeError,
            "shape-mismatch",
            "bilinear needs inputs of the same leading shape and a weight (out, in1, in2), got "
            f"{tuple(input1.shape)}, {tuple(input2.shape)} and {tuple(weight.shape)}",
        )
    if (input1.shape[-1], input2.shape[-1]) != tuple(weight.shape[1:]):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"bilinear: the last dims {input1.shape[-1]} and {input2.shape[-1]} are not the weight's "
            f"{tuple(weight.shape[1:])}",
        )
    if len(lead) != 1:
        input1, input2 = (x.reshape((math.prod(lead), x.shape[-1])) for x in (input1, input2))
    out = contract(input1, input2, weight, letters=("ni", "nj", "oij", "no"))
    if len(lead) != 1:
        out = out.reshape((*lead, weight.shape[0]))
    return out if bias is None else out + operand(bias)

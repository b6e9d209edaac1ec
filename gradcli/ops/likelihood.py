"""Losses that are negative log-likelihoods or divergences of distributions."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import everything, raw
from gradcli.ops.elementwise import exp, log, sigmoid
from gradcli.ops.nn_common import constant, floating, operand, reduce_loss, reduced, reduction_of, share
from gradcli.ops.row import Lit, T, op, sample


@op(
    "torch.nn.functional.kl_div",
    "kl_div(input, target, reduction='mean', log_target=False)",
    category="nn loss",
    doc="target * (log(target) - input) for log-probabilities input; log_target=True takes log-probabilities as "
    "target too.",
    formula="-g * target / n to input, g * (log(target) + 1 - input) / n to target",
    conventions="'mean' averages over every element (with a warning); 'batchmean' divides the sum by the batch and "
    "is the divergence",
    domain=(0.1, 0.9),
    examples=("F.kl_div(tensor([-1., -2.]), tensor([0.5, 0.5]), reduction='sum')  #> 0.8069",),
    samples=(
        sample(T(3), T(3), reduction="sum"),
        sample(T(2, 2), T(2, 2), reduction="none", log_target=True),
        sample(T(2, 3), T(2, 3), "batchmean"),
    ),
)
def kl_div(input: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> Any:
    from gradcli.ops.special import xlogy

    input, target = operand(input), operand(target)
    values = exp(target) * (target - input) if log_target else xlogy(target, target) - target * input
    if reduction == "batchmean":
        return values.sum() / input.shape[0] if input.ndim else values.sum()
    if reduction == "mean":
        warnings.warn(
            "kl_div: reduction='mean' divides by the number of elements; 'batchmean' gives the KL divergence",
            UserWarning,
            stacklevel=3,
        )
    return reduce_loss(values, reduction)


@op(
    "torch.nn.functional.poisson_nll_loss",
    "poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-08, reduction='mean')",
    category="nn loss",
    doc="exp(input) - target * input for log-rates input (log_input=False: rates); full=True adds Stirling's term "
    "where target > 1.",
    formula="g * (exp(input) - target) to input",
    domain=(0.5, 2.0),
    examples=("F.poisson_nll_loss(tensor([0., 1.]), tensor([1., 2.]))  #> 0.8591",),
    samples=(
        sample(T(3), T(3)),
        sample(T(3), T(3), log_input=False),
        sample(T(3), Lit([0.5, 2.0, 3.0]), full=True, reduction="sum"),
    ),
)
def poisson_nll_loss(
    input: Any, target: Any, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"
) -> Any:
    input, target = operand(input), operand(target)
    reduction_of(reduction)
    loss = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        stirling = target * log(target) - target + log(target * (2 * math.pi)) * 0.5
        loss = loss + stirling.masked_fill(Tensor(raw(target) <= 1), 0)
    return reduce_loss(loss, reduction)


@op(
    "torch.nn.functional.gaussian_nll_loss",
    "gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction='mean')",
    category="nn loss",
    doc="(log(var) + (input - target)^2 / var) / 2 with var at least eps; full=True adds log(2 pi) / 2.",
    formula="g * (input - target) / var to input, g * (1 - (input - target)^2 / var) / (2 var) to var",
    domain=(0.5, 2.0),
    conventions="where var is below eps its value is eps, but the gradient still reaches var, as in PyTorch",
    examples=("F.gaussian_nll_loss(tensor([1., 2.]), tensor([1., 4.]), tensor([1., 1.]))  #> 1.",),
    samples=(sample(T(2, 3), T(2, 3), T(2, 3)), sample(T(2, 3), T(2, 3), T(2, 1), full=True, reduction="sum")),
)
def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    input, target = operand(input), operand(target)
    var = input.new_full(input.shape, var) if isinstance(var, float) else operand(var)
    shape, given = tuple(input.shape), tuple(var.shape)
    if given == shape[:-1] and given != shape:
        var = var.unsqueeze(-1)
    elif given != shape and not (given[:-1] == shape[:-1] and given[-1:] == (1,)):
        raise error(
            ValueError,
            "shape-mismatch",
            f"gaussian_nll_loss: var of shape {given} does not fit an input of shape {shape}",
        )
    if np.any(everything(var) < 0):
        raise error(ValueError, "negative-variance", "gaussian_nll_loss: var has a negative entry")
    reduction_of(reduction)
    var = _raised(var.clone(), eps)
    loss = (log(var) + (input - target) ** 2 / var) * 0.5
    return reduce_loss(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


def _raised(var: Tensor, eps: float) -> Tensor:
    """Return ``var`` with values below ``eps`` set to it, the history unchanged."""
    array = everything(var)
    np.maximum(array, eps, out=array)
    return var


@op(
    "torch.nn.functional.soft_margin_loss",
    "soft_margin_loss(input, target, reduction='mean')",
    category="nn loss",
    doc="log(1 + exp(-target * input)) for targets 1 and -1.",
    formula="-g * target * sigmoid(-target * input) / n",
    conventions="finite for large -target * input, where PyTorch overflows",
    examples=("F.soft_margin_loss(tensor([0., 0.]), tensor([1., -1.]))  #> 0.6931",),
    samples=(sample(T(4), Lit([1, -1, 1, -1])), sample(T(2), Lit([1, -1]), reduction="none")),
)
def soft_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    input = floating("soft_margin_loss", input)
    target = constant("soft_margin_loss", "target", target, input)
    return soft_margin_primitive(input, target=target, reduction=reduction_of(reduction))


def _soft_margin(input: Any, *, target: Any, reduction: str) -> Any:
    return reduced(np.logaddexp(0, -target * input), reduction)


def _soft_margin_rule(g: Any, input: Any, target: Any, reduction: str) -> Any:
    factor = share(reduction, math.prod(np.broadcast_shapes(input.shape, target.shape)))
    return (g * factor) * (sigmoid(input * -target) * -target)


soft_margin_primitive = Primitive("soft_margin_loss", _soft_margin, {"input": _soft_margin_rule},
    batch="losses.reduced_loss")

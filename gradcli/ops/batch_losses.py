"""Batch rules of losses: each sample's loss is reduced by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.batching import Flags, Params, Values, call, elementwise


def _reduced(values: Any, reduction: str) -> Any:
    if reduction == "none" or values.ndim == 1:
        return values
    total = values.sum(tuple(range(1, values.ndim)))
    return total if reduction == "sum" else total / math.prod(values.shape[1:])


def reduced_loss(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Compute the loss of every element, then reduce within each sample."""
    made = elementwise(primitive, size, flags, values, {**params, "reduction": "none"})
    empty = params["reduction"] == "mean" and math.prod(made.shape[1:]) == 0
    return made.sum(tuple(range(1, made.ndim))) * math.nan if empty else _reduced(made, params["reduction"])


def _constant(array: Any) -> Any:
    """Return an array that is the same for all samples, with a batch of one."""
    return Tensor(np.asarray(array)[None])


def likelihood(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Pick the entries of the labels, which are the same for all samples, and reduce."""
    input, labels = values[0], params["labels"]
    axis = labels.axis + 1
    index = _constant(labels.index).expand((size, *labels.index.shape))
    picked = call("gather", input, axis, index) * _constant(labels.weights)
    each = call("where", _constant(labels.known), picked, 0.0)
    if labels.reduction == "none":
        return each.squeeze(axis)
    total = each.sum(tuple(range(1, each.ndim)))
    return total * math.nan if labels.empty else total


def likelihood_backward(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Put each sample's cotangent at the entries of the labels."""
    g, labels = values[0], params["labels"]
    axis = labels.axis + 1
    each = g.unsqueeze(axis) if labels.reduction == "none" else g.reshape((size, *(1,) * len(labels.shape)))
    sent = call("where", _constant(labels.known), each * _constant(labels.weights), 0.0)
    shape = (size, *labels.index.shape)
    zeros = Tensor(np.zeros((size, *labels.shape), g._element))
    return call("scatter", zeros, axis, _constant(labels.index).expand(shape), sent.expand(shape))

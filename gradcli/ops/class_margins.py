"""Losses with a margin between classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.classification import check_classes, class_weight
from gradcli.ops.nn_common import floating, integers, reduction_of
from gradcli.ops.row import Lit, T, op, sample


def _margin_terms(input: Any, target: Any, margin: float) -> tuple[Any, Any]:
    """Return margin - input[target] + input and where it counts (off the target class, above 0)."""
    z = margin - np.take_along_axis(input, target[:, None], 1) + input
    counted = z > 0
    np.put_along_axis(counted, target[:, None], False, 1)
    return z, counted


def _multi_margin(input: Any, *, target: Any, p: int, margin: float, weight: Any, reduction: str) -> Any:
    z, counted = _margin_terms(np.atleast_2d(input), target, margin)
    values = np.where(counted, z if p == 1 else z * z, input.dtype.type(0))
    if weight is not None:
        values = values * weight[target][:, None]
    each = np.add.reduce(values, axis=1) / z.shape[1]
    return _reduced_rows(each, input, reduction)


def _multi_margin_backward(
    g: Any, input: Any, *, target: Any, p: int, margin: float, weight: Any, reduction: str
) -> Any:
    z, counted = _margin_terms(np.atleast_2d(input), target, margin)
    slope = np.where(counted, 1 if p == 1 else 2 * z, 0).astype(input.dtype)
    if weight is not None:
        slope = slope * weight[target][:, None]
    np.put_along_axis(slope, target[:, None], -np.add.reduce(slope, axis=1, keepdims=True), 1)
    return (slope / z.shape[1] * _rows_cotangent(g, z, reduction)).reshape(input.shape)


def _reduced_rows(each: Any, input: Any, reduction: str) -> Any:
    if reduction == "none":
        return each.reshape(input.shape[:-1])
    return np.add.reduce(each) / (each.size if reduction == "mean" else 1)


def _rows_cotangent(g: Any, rows: Any, reduction: str) -> Any:
    if reduction == "none":
        return np.reshape(g, (-1, 1))
    return g / rows.shape[0] if reduction == "mean" else g


multi_margin_backward = Primitive(
    "multi_margin_loss_backward",
    _multi_margin_backward,
    "the derivative of multi_margin_loss's gradient is not implemented, as in PyTorch",
)
multi_margin_primitive = Primitive(
    "multi_margin_loss",
    _multi_margin,
    {
        "input": lambda g, input, target, p, margin, weight, reduction: multi_margin_backward(
            g, input, target=target, p=p, margin=margin, weight=weight, reduction=reduction
        )
    },
)


@op(
    "torch.nn.functional.multi_margin_loss",
    "multi_margin_loss(input, target, p=1, margin=1.0, weight=None, *, reduction='mean')",
    category="nn loss",
    doc="The mean over the other classes of max(0, margin - input[target] + input)^p, p 1 or 2.",
    formula="g * p * (margin term)^(p - 1) / C to each class that violates the margin, minus their sum to the target",
    conventions="no second derivative",
    examples=("F.multi_margin_loss(tensor([[1., 2., 0.]]), tensor([0]))  #> 0.6667",),
    samples=(sample(T(2, 3), Lit([2, 0]), smooth=False), sample(T(2, 3), Lit([2, 0]), p=2, margin=0.5, smooth=False)),
)
def multi_margin_loss(
    input: Any,
    target: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    size_average: None = None,
    reduce: None = None,
    reduction: str = "mean",
) -> Any:
    name = "multi_margin_loss"
    input = floating(name, input)
    labels = integers(name, "target", target).reshape(-1)
    if p not in (1, 2):
        raise error(ValueError, "bad-power", f"{name}: p must be 1 or 2, got {p}")
    if input.ndim not in (1, 2) or labels.shape[0] != (input.shape[0] if input.ndim == 2 else 1):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs an input (N, C) and N targets, got {tuple(input.shape)} and {labels.shape}",
        )
    check_classes(labels, input.shape[-1])
    weight = class_weight(name, weight, input, input.shape[-1])
    return multi_margin_primitive(
        input, target=labels, p=p, margin=margin, weight=weight, reduction=reduction_of(reduction)
    )


def _multilabel_terms(input: Any, target: Any) -> tuple[Any, Any, Any]:
    """Return the input rows, where each row's list of target classes goes on, and which classes are targets."""
    rows, labels = np.atleast_2d(input), np.atleast_2d(target)
    listed = np.logical_and.accumulate(labels >= 0, axis=1)
    is_target = np.zeros(rows.shape, bool)
    n = np.nonzero(listed)[0]
    is_target[n, labels[listed]] = True
    return rows, listed, is_target


def _multilabel_violations(input: Any, target: Any) -> tuple[Any, Any, Any]:
    """Return for each row, listed target and class: 1 - input[target] + input[class], and where it counts."""
    rows, listed, is_target = _multilabel_terms(input, target)
    labels = np.where(listed, np.atleast_2d(target), 0)
    z = 1 - np.take_along_axis(rows, labels, 1)[:, :, None] + rows[:, None, :]
    counted = (z > 0) & listed[:, :, None] & ~is_target[:, None, :]
    return z, counted, labels


def _multilabel_margin(input: Any, *, target: Any, reduction: str) -> Any:
    z, counted, _ = _multilabel_violations(input, target)
    each = np.add.reduce(np.where(counted, z, 0), axis=(1, 2)) / z.shape[2]
    return _reduced_rows(each.astype(input.dtype), input, reduction)


def _multilabel_backward(g: Any, input: Any, *, target: Any, reduction: str) -> Any:
    z, counted, labels = _multilabel_violations(input, target)
    slope = np.add.reduce(counted, axis=1).astype(input.dtype)
    np.subtract.at(slope, (np.arange(len(labels))[:, None], labels), np.add.reduce(counted, axis=2))
    return (slope / z.shape[2] * _rows_cotangent(g, slope, reduction)).reshape(input.shape)


multilabel_backward = Primitive(
    "multilabel_margin_loss_backward",
    _multilabel_backward,
    "the derivative of multilabel_margin_loss's gradient is not implemented, as in PyTorch",
)
multilabel_primitive = Primitive(
    "multilabel_margin_loss",
    _multilabel_margin,
    {"input": lambda g, input, target, reduction: multilabel_backward(g, input, target=target, reduction=reduction)},
)


@op(
    "torch.nn.functional.multilabel_margin_loss",
    "multilabel_margin_loss(input, target, *, reduction='mean')",
    category="nn loss",
    doc="The sum over target and other classes of max(0, 1 - input[target] + input[other]) / C; a row of target "
    "lists classes up to the first -1.",
    formula="g / C for each violated pair: plus to the other class, minus to the target",
    conventions="no second derivative",
    examples=("F.multilabel_margin_loss(tensor([[1., 2., 0.]]), tensor([[0, -1, 1]]))  #> 0.6667",),
    samples=(sample(T(2, 3), Lit([[0, 1, -1], [2, -1, -1]]), smooth=False),),
)
def multilabel_margin_loss(
    input: Any, target: Any, size_average: None = None, reduce: None = None, reduction: str = "mean"
) -> Any:
    name = "multilabel_margin_loss"
    input = floating(name, input)
    labels = integers(name, "target", target)
    if labels.shape != tuple(input.shape) or input.ndim not in (1, 2):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs input and target of one shape (N, C) or (C), got {tuple(input.shape)} and {labels.shape}",
        )
    check_classes(np.maximum(labels, 0), input.shape[-1])
    return multilabel_primitive(input, target=labels, reduction=reduction_of(reduction))

"""Losses of class labels: negative log-likelihood and cross entropy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import everything, is_batch, raw
from gradcli.ops.masks import tied
from gradcli.ops.nn_common import constant, dtype_of, floating, integers, operand, reduce_loss, reduction_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.softmax import log_softmax_primitive


class Labels:
    """Where the class entries of an input lie, and how much each counts: the constants of one loss."""

    __slots__ = ("axis", "empty", "index", "known", "reduction", "shape", "weights")

    def __init__(
        self, shape: tuple[int, ...], target: Any, weight: Any, ignore_index: int, reduction: str, dtype: Any
    ) -> None:
        self.shape = shape
        self.axis = 1 if len(shape) > 1 else 0
        self.reduction = reduction
        known = target != ignore_index
        labels = np.where(known, target, 0)
        check_classes(labels, shape[self.axis])
        self.index = np.expand_dims(labels, self.axis)
        counts = known.astype(dtype) if weight is None else np.where(known, weight[labels], 0).astype(dtype)
        self.empty = False
        if reduction == "mean":
            weight_sum = np.add.reduce(counts, axis=None)
            self.empty = bool(weight_sum == 0)
            counts = counts / (1 if self.empty else weight_sum)
        self.known = np.expand_dims(known, self.axis)
        self.weights = np.expand_dims(-counts, self.axis)


def check_classes(labels: Any, classes: int) -> None:
    """Raise IndexError where a label is no class of 0 to ``classes`` - 1."""
    if labels.size and (labels.min() < 0 or labels.max() >= classes):
        bad = labels[(labels < 0) | (labels >= classes)].flat[0]
        raise error(
            IndexError,
            "class-out-of-range",
            f"target {bad} is no class: the input has {classes} classes, 0 to {classes - 1}",
        )


def _nll(input: Any, *, labels: Labels) -> Any:
    picked = np.take_along_axis(input, labels.index, labels.axis)
    values = np.where(labels.known, picked * labels.weights, input.dtype.type(0))
    if labels.reduction == "none":
        return np.squeeze(values, labels.axis)
    total = np.add.reduce(values, axis=None)
    return total * np.nan if labels.empty else total


def _nll_backward(g: Any, *, labels: Labels) -> Any:
    out = np.zeros(labels.shape, g.dtype)
    each = np.expand_dims(g, labels.axis) if labels.reduction == "none" else g
    np.put_along_axis(out, labels.index, np.where(labels.known, labels.weights * each, g.dtype.type(0)), labels.axis)
    return out


nll_primitive = Primitive(
    "nll_loss", _nll, {"input": lambda g, input, labels: tied(nll_backward(g, labels=labels), input)},
    batch="losses.likelihood",
)
nll2d_primitive = Primitive(
    "nll_loss2d",
    _nll,
    {"input": lambda g, input, labels: tied(nll_backward(g, labels=labels), input)},
    node="NllLoss2DBackward0",
    batch="losses.likelihood",
)
nll_backward: Primitive = Primitive(
    "nll_loss_backward", _nll_backward, {"g": lambda g, labels: nll_primitive(g, labels=labels)},
    batch="losses.likelihood_backward",
)


def _check_target(name: str, shape: tuple[int, ...], target: Any) -> None:
    if not shape:
        raise error(ValueError, "zero-dim", f"{name} needs an input of 1 or more dimensions")
    wanted = shape[:1] + shape[2:] if len(shape) > 1 else ()
    if tuple(target.shape) == wanted or (len(shape) == 1 and tuple(target.shape) == (1,)):
        return
    raise error(
        ValueError,
        "shape-mismatch",
        f"{name}: an input of shape {shape} needs class indices of shape {wanted}, got {tuple(target.shape)}",
        hint="dim 1 of the input runs over the classes",
    )


def class_weight(name: str, weight: Any, input: Any, classes: int) -> Any:
    """Return the array of a weight for each class, or None; RuntimeError for another shape."""
    weight = constant(name, "weight", weight, input)
    if weight is not None and weight.shape != (classes,):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: weight needs one entry a class, shape ({classes},), got {weight.shape}",
        )
    return weight


def _own_targets(name: str, input: Any, target: Any, weight: Any, ignore_index: int, reduction: str) -> Any:
    """Return the loss where each sample of a vmap has targets of its own: in steps of other operations."""
    axis = 1 if input.ndim > 1 else 0
    _check_target(name, tuple(input.shape), target)
    target = target.reshape(()) if input.ndim == 1 else target
    known = target != ignore_index
    labels = target.masked_fill(~known, 0).long()
    check_classes(everything(labels), input.shape[axis])
    picked = input.gather(axis, labels.unsqueeze(axis)).squeeze(axis)
    weight = class_weight(name, weight, input, input.shape[axis])
    counts = known.to(input.dtype)
    if weight is not None:
        counts = counts * Tensor(weight).index_select(0, labels.reshape(-1)).reshape(tuple(labels.shape))
    values = (-picked * counts).masked_fill(~known, 0)
    return values.sum() / counts.sum() if reduction == "mean" else reduce_loss(values, reduction)


def _nll_of(name: str, input: Any, target: Any, weight: Any, ignore_index: int, reduction: str) -> Any:
    reduction_of(reduction)
    shape = tuple(input.shape)
    if is_batch(target):
        return _own_targets(name, input, target, weight, ignore_index, reduction)
    target = integers(name, "target", target)
    _check_target(name, shape, target)
    if len(shape) == 1:
        target = target.reshape(())
    weight = class_weight(name, weight, input, shape[1 if len(shape) > 1 else 0])
    if len(shape) < 3:
        return nll_primitive(input, labels=Labels(shape, target, weight, ignore_index, reduction, dtype_of(input)))
    flat = input if len(shape) == 4 else input.reshape((shape[0], shape[1], 1, math.prod(shape[2:])))
    squared = target if len(shape) == 4 else target.reshape(shape[0], 1, math.prod(shape[2:]))
    labels = Labels(tuple(flat.shape), squared, weight, ignore_index, reduction, dtype_of(input))
    out = nll2d_primitive(flat, labels=labels)
    return out if reduction != "none" or len(shape) == 4 else out.reshape(target.shape)


@op(
    "torch.nn.functional.nll_loss",
    "nll_loss(input, target, weight=None, *, ignore_index=-100, reduction='mean')",
    category="nn loss",
    doc="Minus the log-probability of the target class, averaged over the batch, summed or for each sample; input is "
    "(N, C) or (N, C, d1, ...).",
    formula="-g * weight[target] / n at the target class, 0 elsewhere",
    conventions="the mean divides by the sum of the weights of the "
    "targets; targets equal to ignore_index count nothing, and the mean of none is nan",
    examples=("F.nll_loss(tensor([[-1., -2.], [-3., -0.5]]), tensor([0, 1]))  #> 0.7500",),
    samples=(
        sample(T(2, 3), Lit([2, 0])),
        sample(T(2, 3), Lit([2, 0]), reduction="sum"),
        sample(T(3), Lit(1)),
        sample(T(2, 3, 2), Lit([[0, 2], [1, 0]]), ignore_index=0, reduction="none"),
        sample(T(3, 2), Lit([0, 1, 1]), weight=Lit([1, 3])),
    ),
)
def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: None = None,
    ignore_index: int = -100,
    reduce: None = None,
    reduction: str = "mean",
) -> Any:
    return _nll_of("nll_loss", floating("nll_loss", input), target, weight, ignore_index, reduction)


@op(
    "torch.nn.functional.cross_entropy",
    "cross_entropy(input, target, weight=None, *, ignore_index=-100, reduction='mean', label_smoothing=0.0)",
    category="nn loss",
    doc="nll_loss of log_softmax(input, 1): target holds class indices, or probabilities of the input's shape.",
    formula="g * (softmax(input) - onehot(target)) / n",
    conventions="the weighted mean divides by the sum of the weights; exact for logits of any size",
    examples=("F.cross_entropy(tensor([[0., 1000.]]), tensor([0]))  #> 1000.",),
    samples=(
        sample(T(2, 3), Lit([2, 0])),
        sample(T(3, 3), Lit([2, 1, 0]), ignore_index=1),
        sample(T(2, 3), Lit([2, 0]), label_smoothing=0.1),
        sample(T(2, 3), Lit([2, 0]), weight=Lit([1, 2, 3]), label_smoothing=0.2, reduction="sum"),
        sample(T(2, 3), T(2, 3)),
        sample(T(2, 3), T(2, 3), label_smoothing=0.1, reduction="none"),
        sample(T(3), Lit(1)),
        sample(T(2, 3, 2), Lit([[0, 2], [1, 0]])),
    ),
)
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: None = None,
    ignore_index: int = -100,
    reduce: None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    input, target = floating("cross_entropy", input), operand(target)
    reduction_of(reduction)
    if not 0 <= label_smoothing <= 1:
        raise error(
            RuntimeError,
            "bad-smoothing",
            f"cross_entropy: label_smoothing must lie between 0 and 1, got {label_smoothing}",
        )
    if not input.ndim:
        raise error(RuntimeError, "zero-dim", "cross_entropy needs one number a class, got a 0-d input")
    axis = 1 if input.ndim > 1 else 0
    logs = log_softmax_primitive(input, dim=axis)
    if dtype_of(target).kind == "f" and tuple(target.shape) == tuple(input.shape):
        return _soft_targets(logs, target, weight, reduction, label_smoothing, axis)
    if dtype_of(target).kind == "f":
        raise error(
            RuntimeError,
            "dtype-mismatch",
            f"cross_entropy: a floating target means probabilities and needs the input's shape "
            f"{tuple(input.shape)}, got {tuple(target.shape)}",
            hint="class indices are integers: target.long()",
        )
    loss = _nll_of("cross_entropy", logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return loss
    smooth = _smooth_part(logs, target, weight, ignore_index, reduction, axis)
    return loss * (1 - label_smoothing) + smooth * (label_smoothing / input.shape[axis])


def _soft_targets(logs: Any, target: Any, weight: Any, reduction: str, smoothing: float, axis: int) -> Any:
    """Return the loss against probabilities; its mean is over the samples."""
    classes = logs.shape[axis]
    if smoothing:
        target = target * (1 - smoothing) + smoothing / classes
    values = logs * target
    weight = class_weight("cross_entropy", weight, logs, classes)
    if weight is not None:
        values = values * Tensor(_along(weight, logs.ndim, axis))
    if reduction == "none":
        return -values.sum(axis)
    if reduction == "sum":
        return -values.sum()
    return -values.sum() / (math.prod(logs.shape) / classes)


def _smooth_part(logs: Any, target: Any, weight: Any, ignore_index: int, reduction: str, axis: int) -> Any:
    """Return the loss against the uniform distribution, times the number of classes."""
    weight = class_weight("cross_entropy", weight, logs, logs.shape[axis])
    values = logs if weight is None else logs * Tensor(_along(weight, logs.ndim, axis))
    labels = target.reshape(()) if logs.ndim == 1 else target
    ignored = labels == ignore_index
    smooth = (-values.sum(axis)).masked_fill(ignored, 0.0)
    if reduction != "mean":
        return reduce_loss(smooth, reduction)
    if is_batch(target) and weight is None:
        return smooth.sum() / (~ignored).to(logs.dtype).sum()
    labels, ignored = raw(labels), raw(ignored)
    counts = ~ignored if weight is None else np.where(ignored, 0, weight[np.where(ignored, 0, labels)])
    return smooth.sum() / dtype_of(logs).type(np.add.reduce(counts, axis=None)).item()


def _along(weight: Any, ndim: int, axis: int) -> Any:
    return weight.reshape([-1 if i == axis else 1 for i in range(ndim)])

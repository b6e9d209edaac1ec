"""Losses with a margin between pairs of samples: rankings, embeddings, triplets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.nn_common import broadcast_shape, constant, dtype_of, floating, operand, reduce_loss
from gradcli.ops.row import Lit, T, op, sample

_SIGNS = Lit([1, -1, 1])


def _hinge(values: Any) -> Any:
    """Return the larger of ``values`` and 0, as clamp_min does (gradient 1 at 0)."""
    return values.clamp_min(0)


def _where(mask: Any, values: Any) -> Any:
    """Return ``values`` where the constant ``mask`` holds, else 0."""
    return values.where(Tensor(np.asarray(mask)), Tensor(np.zeros((), dtype_of(values))))


@op(
    "torch.nn.functional.margin_ranking_loss",
    "margin_ranking_loss(input1, input2, target, margin=0, reduction='mean')",
    category="nn loss",
    doc="max(0, -target * (input1 - input2) + margin) for targets 1 and -1.",
    formula="-g * target / n to input1 where the term is positive, its negative to input2",
    examples=("F.margin_ranking_loss(tensor([1.]), tensor([2.]), tensor([1.]))  #> 1.",),
    samples=(sample(T(3), T(3), _SIGNS, margin=4.0), sample(T(3), T(3), _SIGNS, margin=5.0, reduction="none")),
)
def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: float = 0, reduction: str = "mean") -> Any:
    input1, input2, target = operand(input1), operand(input2), operand(target)
    if not input1.ndim == input2.ndim == target.ndim:
        raise error(
            RuntimeError,
            "shape-mismatch",
            "margin_ranking_loss needs inputs and target of one number of dimensions, got shapes "
            f"{tuple(input1.shape)}, {tuple(input2.shape)} and {tuple(target.shape)}",
        )
    return reduce_loss(_hinge(-target * (input1 - input2) + margin), reduction)


@op(
    "torch.nn.functional.hinge_embedding_loss",
    "hinge_embedding_loss(input, target, margin=1.0, reduction='mean')",
    category="nn loss",
    doc="input where target is 1, max(0, margin - input) where it is -1.",
    formula="g / n where target is 1, -g / n where target is -1 and input < margin",
    examples=("F.hinge_embedding_loss(tensor([0.5, 0.25]), tensor([1., -1.]))  #> 0.6250",),
    samples=(sample(T(3), _SIGNS, margin=4.0), sample(T(3), _SIGNS, reduction="sum", margin=5.0)),
)
def hinge_embedding_loss(input: Any, target: Any, margin: float = 1.0, reduction: str = "mean") -> Any:
    input = floating("hinge_embedding_loss", input)
    signs = raw(operand(target))
    values = _where(signs != 1, _hinge(margin - input)) + _where(signs != -1, input)
    return reduce_loss(values, reduction)


@op(
    "torch.nn.functional.cosine_embedding_loss",
    "cosine_embedding_loss(input1, input2, target, margin=0, reduction='mean')",
    category="nn loss",
    doc="1 - cos(input1, input2) where target is 1, max(0, cos - margin) where it is -1.",
    formula="that of the cosine of each pair",
    conventions="1e-12 is added to the squared lengths under the root",
    examples=("F.cosine_embedding_loss(tensor([[1., 0.]]), tensor([[1., 1.]]), tensor([1.]))  #> 0.2929",),
    samples=(
        sample(T(3, 2), T(3, 2), _SIGNS, margin=-2.0),
        sample(T(2), T(2), Lit(1)),
        sample(T(3, 2), T(3, 2), Lit([1, 1, 1]), reduction="sum"),
    ),
)
def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: float = 0, reduction: str = "mean") -> Any:
    name = "cosine_embedding_loss"
    input1, input2 = floating(name, input1, input2)
    signs = raw(operand(target))
    if signs.ndim not in (0, 1) or input1.ndim != signs.ndim + 1 or input2.ndim != signs.ndim + 1:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs a 1-d target with (N, D) inputs or a 0-d target with (D) inputs, got "
            f"{signs.shape}, {tuple(input1.shape)} and {tuple(input2.shape)}",
        )
    last = signs.ndim
    lengths = [(x * x).sum(last) + 1e-12 for x in (input1, input2)]
    cosine = (input1 * input2).sum(last) / (lengths[0] * lengths[1]).sqrt()
    values = _where(signs == 1, 1 - cosine) + _where(signs == -1, _hinge(cosine - margin))
    return reduce_loss(values, reduction)


def _distance(a: Any, b: Any, p: float, eps: float) -> Any:
    from gradcli.ops.distance import pairwise_distance

    return pairwise_distance(a, b, p, eps)


def _triplet(near: Any, far: Any, across: Any, margin: float, reduction: str) -> Any:
    if across is not None:
        far = far.minimum(across)
    return reduce_loss(_hinge(near + margin - far), reduction)


@op(
    "torch.nn.functional.triplet_margin_loss",
    "triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, reduction='mean')",
    category="nn loss",
    doc="max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm distance over the last dim; "
    "swap=True takes the nearer "
    "of anchor and positive to the negative.",
    formula="that of the two distances, where the term is positive",
    examples=("F.triplet_margin_loss(tensor([[0., 0.]]), tensor([[3., 4.]]), tensor([[0., 1.]]))  #> 5.0000",),
    samples=(
        sample(T(2, 3), T(2, 3), T(2, 3), margin=9.0),
        sample(T(2, 3), T(2, 3), T(2, 3), margin=9.0, swap=True, reduction="sum"),
        sample(T(3), T(3), T(3), margin=9.0),
    ),
)
def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    anchor, positive, negative = floating("triplet_margin_loss", anchor, positive, negative)
    if margin <= 0:
        raise error(ValueError, "bad-margin", f"triplet_margin_loss: margin must be positive, got {margin}")
    broadcast_shape("triplet_margin_loss", *(tuple(x.shape) for x in (anchor, positive, negative)))
    across = _distance(positive, negative, p, eps) if swap else None
    return _triplet(_distance(anchor, positive, p, eps), _distance(anchor, negative, p, eps), across, margin, reduction)


@op(
    "torch.nn.functional.triplet_margin_with_distance_loss",
    "triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, "
    "swap=False, reduction='mean')",
    category="nn loss",
    doc="triplet_margin_loss with a distance of the caller's own; without one, pairwise_distance.",
    formula="that of the two distances, where the term is positive",
    examples=(
        "F.triplet_margin_with_distance_loss(tensor([[0., 0.]]), tensor([[3., 4.]]), tensor([[0., 1.]]))  #> 5.0000",
    ),
    samples=(sample(T(2, 3), T(2, 3), T(2, 3), margin=9.0),),
)
def triplet_margin_with_distance_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Callable[[Any, Any], Any] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    from gradcli.ops.distance import pairwise_distance

    anchor, positive, negative = floating("triplet_margin_with_distance_loss", anchor, positive, negative)
    if margin <= 0:
        raise error(
            ValueError, "bad-margin", f"triplet_margin_with_distance_loss: margin must be positive, got {margin}"
        )
    distance = distance_function or pairwise_distance
    across = distance(positive, negative) if swap else None
    return _triplet(distance(anchor, positive), distance(anchor, negative), across, margin, reduction)


@op(
    "torch.nn.functional.multilabel_soft_margin_loss",
    "multilabel_soft_margin_loss(input, target, weight=None, reduction='mean')",
    category="nn loss",
    doc="The mean over the classes of -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input)).",
    formula="g * weight * (sigmoid(input) - target) / (n C)",
    examples=("F.multilabel_soft_margin_loss(tensor([[0., 0.]]), tensor([[1., 0.]]))  #> 0.6931",),
    samples=(
        sample(T(2, 3), Lit([[1, 0, 1], [0, 1, 0]])),
        sample(T(2, 2), Lit([[1, 0], [0, 1]]), weight=Lit([1, 2]), reduction="none"),
    ),
)
def multilabel_soft_margin_loss(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Any:
    from gradcli.ops.activation import logsigmoid

    name = "multilabel_soft_margin_loss"
    input = floating(name, input)
    target = operand(target)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    weight = constant(name, "weight", weight, input)
    if weight is not None:
        loss = loss * Tensor(np.asarray(weight))
    last = input.ndim - 1
    return reduce_loss(loss.sum(last) / input.shape[last], reduction)

"""Scaled dot-product attention (Vaswani et al. 2017)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.nn_common import broadcast_shape, dtype_of, floating, operand
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.softmax import safe_softmax_primitive


def _check(query: Any, key: Any, value: Any) -> None:
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise error(
            RuntimeError,
            "shape-mismatch",
            "scaled_dot_product_attention needs query (..., L, E), key (..., S, E) and value (..., S, V)",
        )
    if query.shape[-1] != key.shape[-1] or key.shape[-2] != value.shape[-2]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"scaled_dot_product_attention: query {tuple(query.shape)}, key {tuple(key.shape)} and value "
            f"{tuple(value.shape)} do not fit: key needs the query's last size and value the key's number of rows",
        )


def _additive(attn_mask: Any, is_causal: bool, rows: int, columns: int, like: Any) -> Any:
    """Return what is added to the scores: -inf where a bool mask is false."""
    if is_causal and attn_mask is not None:
        raise error(RuntimeError, "bad-choice", "scaled_dot_product_attention takes attn_mask or is_causal, not both")
    if is_causal:
        allowed = np.tril(np.ones((rows, columns), bool))
    elif attn_mask is None:
        return None
    else:
        attn_mask = operand(attn_mask)
        if dtype_of(attn_mask).kind != "b":
            return attn_mask
        allowed = raw(attn_mask)
    dtype = dtype_of(like)
    return Tensor(np.where(allowed, dtype.type(0), dtype.type(-np.inf)))


@op(
    "torch.nn.functional.scaled_dot_product_attention",
    "scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, "
    "enable_gqa=False)",
    category="nn layer: attention",
    doc="softmax(query @ key.T * scale + mask) @ value over the last two dims; scale is 1 / sqrt(E) by default.",
    formula="those of the two products and the softmax",
    conventions="a bool mask keeps where it is true; a row with nothing kept gives 0; second derivatives exist "
    "for every shape",
    examples=(
        "F.scaled_dot_product_attention(tensor([[1., 0.]]), tensor([[1., 0.], [1., 0.]]), tensor([[2.], [4.]]))  #> "
        "[[3.]]",
    ),
    samples=(
        sample(T(1, 3, 2), T(1, 4, 2), T(1, 4, 2)),
        sample(T(1, 2, 2), T(1, 3, 2), T(1, 3, 2), attn_mask=T(2, 3), scale=0.5),
        sample(T(1, 2, 2), T(1, 3, 2), T(1, 3, 2), attn_mask=Lit([[True, False, True], [False, True, True]])),
        sample(T(1, 1, 3, 2), T(1, 1, 3, 2), T(1, 1, 3, 2), is_causal=True),
        sample(T(2, 3), T(2, 3), T(2, 2)),
    ),
)
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    query, key, value = floating("scaled_dot_product_attention", query, key, value)
    _check(query, key, value)
    if enable_gqa:
        repeats = query.shape[-3] // key.shape[-3]
        key, value = (x.repeat_interleave(repeats, -3) for x in (key, value))
    broadcast_shape(
        "scaled_dot_product_attention", tuple(query.shape[:-2]), tuple(key.shape[:-2]), tuple(value.shape[:-2])
    )
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    root = math.sqrt(abs(scale))
    scores = (query * math.copysign(root, scale)) @ (key.transpose(-2, -1) * root)
    added = _additive(attn_mask, is_causal, query.shape[-2], key.shape[-2], query)
    if added is not None:
        scores = scores + added
    weights = safe_softmax_primitive(scores, dim=scores.ndim - 1)
    if dropout_p > 0:
        from gradcli.ops.dropout import dropout

        weights = dropout(weights, dropout_p)
    return weights @ value

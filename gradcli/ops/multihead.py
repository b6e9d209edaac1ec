"""Attention of several heads with its projections."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.linear import linear
from gradcli.ops.nn_common import dtype_of, floating, operand
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.softmax import softmax

_NAME = "multi_head_attention_forward"


def _projected(query: Any, key: Any, value: Any, weight: Any, bias: Any, separate: tuple[Any, Any, Any]) -> list[Any]:
    """Return the projections of query, key and value, by a common weight (3 E, E) or by separate ones."""
    size = query.shape[-1]
    weights = separate if weight is None else weight.split(size)
    biases = (None, None, None) if bias is None else bias.split(size)
    return [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)]


def _heads(x: Any, batch: int, heads: int) -> Any:
    """Return (L, N, E) as (N * heads, L, E / heads)."""
    return x.reshape((x.shape[0], batch * heads, x.shape[2] // heads)).transpose(0, 1)


def _as_added(mask: Any, dtype: Any) -> Any:
    """Return a mask to be added to the scores: -inf where a bool mask is true."""
    mask = operand(mask)
    if dtype_of(mask).kind != "b":
        return mask
    return Tensor(np.where(raw(mask), dtype.type(-np.inf), dtype.type(0)))


def _widened(mask: Any) -> Any:
    """Return a mask with one more column, which is always kept."""
    from gradcli.ops.padding import pad

    return None if mask is None else pad(mask, (0, 1))


def _mask_of(attn_mask: Any, padding: Any, batch: int, heads: int, sources: int, dtype: Any) -> Any:
    """Return the sum of both masks in a shape that broadcasts with (N * heads, L, S)."""
    mask = None if attn_mask is None else _as_added(attn_mask, dtype)
    if padding is None:
        return mask
    added = (
        _as_added(padding, dtype)
        .reshape((batch, 1, 1, sources))
        .expand((batch, heads, 1, sources))
        .reshape((batch * heads, 1, sources))
    )
    return added if mask is None else mask + added


def _check(query: Any, key: Any, value: Any, embed_dim: int, heads: int) -> None:
    if query.ndim not in (2, 3) or key.ndim != query.ndim or value.ndim != query.ndim:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{_NAME} needs query, key and value (L, N, E) or (L, E), got shapes {tuple(query.shape)}, "
            f"{tuple(key.shape)} and {tuple(value.shape)}",
        )
    if query.shape[-1] != embed_dim or embed_dim % heads:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{_NAME}: the last size {query.shape[-1]} must be embed_dim_to_check={embed_dim}, a multiple of the "
            f"{heads} heads",
        )


@op(
    "torch.nn.functional.multi_head_attention_forward",
    "multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, "
    "bias_k, bias_v, add_zero_attn, "
    "dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, "
    "attn_mask=None, "
    "use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, "
    "static_v=None, "
    "average_attn_weights=True, is_causal=False)",
    category="nn layer: attention",
    doc="Attention of num_heads heads: projections of (L, N, E) inputs, softmax(q k.T / sqrt(E / heads)) v, and the "
    "output projection; returns "
    "the result and the weights (averaged over the heads, or None).",
    formula="those of the projections, products and softmax",
    conventions="a bool mask leaves out where it is true, unlike scaled_dot_product_attention's",
    examples=(
        "F.multi_head_attention_forward(ones(1, 1, 2), ones(1, 1, 2), ones(1, 1, 2), 2, 1, ones(6, 2), zeros(6), "
        "None, None, False, 0.0, "
        "eye(2), zeros(2))[0]  #> [[[2., 2.]]]",
    ),
    samples=(
        sample(T(2, 1, 2), T(3, 1, 2), T(3, 1, 2), 2, 1, T(6, 2), T(6), None, None, False, 0.0, T(2, 2), T(2)),
        sample(
            T(2, 4),
            T(2, 4),
            T(2, 4),
            4,
            2,
            T(12, 4),
            T(12),
            T(1, 1, 4),
            T(1, 1, 4),
            True,
            0.0,
            T(4, 4),
            T(4),
            attn_mask=Lit([[False, True], [False, False]]),
            need_weights=False,
        ),
    ),
)
def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> Any:
    query, key, value = floating(_NAME, query, key, value)
    _check(query, key, value, embed_dim_to_check, num_heads)
    single = query.ndim == 2
    if single:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else operand(key_padding_mask).unsqueeze(0)
    targets, batch, size = query.shape
    if is_causal and attn_mask is None:
        raise error(RuntimeError, "bad-choice", f"{_NAME}: is_causal=True needs the causal attn_mask too")
    separate = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = _projected(
        query, key, value, None if use_separate_proj_weight else in_proj_weight, in_proj_bias, separate
    )
    if bias_k is not None and bias_v is not None:
        k, v = (_append_rows(x, b.repeat(1, batch, 1)) for x, b in ((k, bias_k), (v, bias_v)))
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
    q = _heads(q, batch, num_heads)
    k = _heads(k, batch, num_heads) if static_k is None else operand(static_k)
    v = _heads(v, batch, num_heads) if static_v is None else operand(static_v)
    if add_zero_attn:
        k, v = (_append_columns(x) for x in (k, v))
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
    mask = _mask_of(attn_mask, key_padding_mask, batch, num_heads, k.shape[1], dtype_of(q))
    out, weights = _attend(q, k, v, mask, dropout_p if training else 0.0)
    out = out.transpose(0, 1).reshape((targets * batch, size))
    out = linear(out, out_proj_weight, out_proj_bias)
    out = out.reshape((targets, batch, out.shape[1]))
    shown = _shown(weights, batch, num_heads, average_attn_weights) if need_weights else None
    if single:
        out, shown = out.squeeze(1), None if shown is None else shown.squeeze(0)
    return out, shown


def _append_rows(x: Any, rows: Any) -> Any:
    from gradcli.ops.joining import cat

    return cat([x, rows], 0)


def _append_columns(x: Any) -> Any:
    from gradcli.ops.joining import cat

    return cat([x, Tensor(np.zeros((x.shape[0], 1, x.shape[2]), dtype_of(x)))], 1)


def _attend(q: Any, k: Any, v: Any, mask: Any, dropout_p: float) -> tuple[Any, Any]:
    """Return the attended values and the weights, after dropout as PyTorch returns them."""
    scores = (q * math.sqrt(1 / q.shape[-1])) @ k.transpose(-2, -1)
    weights = softmax(scores if mask is None else scores + mask, -1)
    if dropout_p > 0:
        from gradcli.ops.dropout import dropout

        weights = dropout(weights, dropout_p)
    return weights @ v, weights


def _shown(weights: Any, batch: int, heads: int, average: bool) -> Any:
    weights = weights.reshape((batch, heads, weights.shape[1], weights.shape[2]))
    return weights.mean(1) if average else weights

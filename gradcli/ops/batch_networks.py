"""Batch rules of network layers: the batch of vmap is folded into the layer's own samples, channels or groups."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.batching import Flags, Params, Values, batch_all


def folded(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Take the samples of all samples as the samples of one call."""
    flat = [_merged(v) for v in batch_all(size, flags, values)]
    return _apart(primitive(*flat, **params), size)


def _merged(value: Any) -> Any:
    return value.reshape((value.shape[0] * value.shape[1], *value.shape[2:])) if isinstance(value, Tensor) else value


def _apart(value: Any, size: int) -> Any:
    return value.reshape((size, value.shape[0] // max(size, 1), *value.shape[1:]))


def columns(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Take windows apart or put them together, of samples with or without a batch of their own."""
    own = 3 if primitive.name == "im2col" else 2
    if values[0].ndim - 1 == own:
        return primitive(values[0], **params)
    return folded(primitive, size, flags, values, params)


def _as_channels(value: Any) -> Any:
    """Return (B, N, C, ...) as (N, B * C, ...)."""
    value = value.movedim(0, 1)
    return value.reshape((value.shape[0], value.shape[1] * value.shape[2], *value.shape[3:]))


def _from_channels(value: Any, size: int) -> Any:
    return value.reshape((value.shape[0], size, value.shape[1] // size, *value.shape[2:])).movedim(1, 0)


def _by_groups(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params, weight: int) -> Any:
    """Run all samples as groups of channels of one call; ``weight`` is the place of the kernel, 2 for the result."""
    geometry = params["geometry"]
    parts = [
        _merged(v) if k == weight else _as_channels(v) for k, v in enumerate(batch_all(size, flags, values))
    ]
    out = primitive(*parts, geometry=geometry._replace(groups=geometry.groups * size))
    return _apart(out, size) if weight == 2 else _from_channels(out, size)


def correlate(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Correlate each sample's input with its kernel: one call on more samples, more outputs, or more groups."""
    if flags == (True, False):
        return _apart(primitive(_merged(values[0]), values[1], **params), size)
    if flags == (False, True) and params["geometry"].groups == 1:
        return _from_channels(primitive(values[0], _merged(values[1]), **params), size)
    return _by_groups(primitive, size, flags, values, params, 1)


def spread(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Spread each sample's outputs by its kernel."""
    if flags == (True, False):
        return _apart(primitive(_merged(values[0]), values[1], **params), size)
    return _by_groups(primitive, size, flags, values, params, 1)


def kernel(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Return each sample's gradient of the kernel."""
    if params["geometry"].groups == 1 and flags == (False, True):
        return _apart(primitive(values[0], _as_channels(values[1]), **params), size)
    return _by_groups(primitive, size, flags, values, params, 2)


def _with_bias(out: Any, bias: Any, batched: bool) -> Any:
    """Add a bias for each channel, dimension 2 of the result."""
    if bias is None:
        return out
    lead = (bias.shape[0], 1) if batched else (1, 1)
    return out + bias.reshape((*lead, bias.shape[-1], *(1,) * (out.ndim - 3)))


def convolution(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Convolve each sample's input with its kernel, and add its bias."""
    from gradcli.ops import conv

    out: Any
    if flags[:2] == (False, False):
        out = conv.correlate(*values[:2], **params).unsqueeze(0)
    else:
        out = correlate(conv.correlate, size, flags[:2], values[:2], params)
    return _with_bias(out, values[2], flags[2])


def transposed(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Apply each sample's transposed convolution, and add its bias."""
    from gradcli.ops import conv

    out: Any
    if flags[:2] == (False, False):
        out = conv.spread(*values[:2], **params).unsqueeze(0)
    else:
        out = spread(conv.spread, size, flags[:2], values[:2], params)
    return _with_bias(out, values[2], flags[2])


def normalized(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Apply each sample's weight and bias to an input whose statistics are known."""
    input, weight, bias = values
    found = params["found"]
    lead = (size,) if flags[0] else (1,)
    out = input if flags[0] else input.unsqueeze(0)
    shape = tuple(out.shape)
    out = ((out.reshape((*lead, *found.view)) - Tensor(found.mean)) * Tensor(found.rstd)).reshape(shape)
    rank = len(shape) - 1
    if weight is not None:
        out = out * _beside(weight, flags[1], found.along, rank)
    return out if bias is None else out + _beside(bias, flags[2], found.along, rank)


def _beside(value: Any, batched: bool, along: tuple[int, ...], rank: int) -> Any:
    lead = (value.shape[0],) if batched else (1,)
    return value.reshape((*lead, *(1,) * (rank - len(along)), *along))


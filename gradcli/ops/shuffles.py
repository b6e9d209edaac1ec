"""Pixels moved into channels and back, and channels shuffled between groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.nn_common import operand
from gradcli.ops.row import T, op, sample


def _shuffle(input: Any, *, r: int) -> Any:
    *lead, c, h, w = input.shape
    parts = input.reshape(*lead, c // (r * r), r, r, h, w)
    n = len(lead)
    turned = parts.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return np.ascontiguousarray(turned).reshape(*lead, c // (r * r), h * r, w * r)


def _unshuffle(input: Any, *, r: int) -> Any:
    *lead, c, h, w = input.shape
    parts = input.reshape(*lead, c, h // r, r, w // r, r)
    n = len(lead)
    turned = parts.transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return np.ascontiguousarray(turned).reshape(*lead, c * r * r, h // r, w // r)


def _channels(input: Any, *, groups: int) -> Any:
    n, c, *rest = input.shape
    return np.ascontiguousarray(input.reshape(n, groups, c // groups, *rest).swapaxes(1, 2)).reshape(input.shape)


shuffle_primitive = Primitive("pixel_shuffle", _shuffle, {"input": lambda g, r: unshuffle_primitive(g, r=r)}, batch=())
unshuffle_primitive: Primitive = Primitive(
    "pixel_unshuffle", _unshuffle, {"input": lambda g, r: shuffle_primitive(g, r=r)},
    batch=(),
)
channels_primitive: Primitive = Primitive(
    "channel_shuffle",
    _channels,
    {"input": lambda g, input, groups: channels_primitive(g, groups=input.shape[1] // groups)},
    batch="networks.folded",
)


def _image(name: str, input: Any, r: int) -> Any:
    input = operand(input)
    if input.ndim < 3 or r < 1:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs images (..., C, H, W) and a positive factor, got shape {tuple(input.shape)} and {r}",
        )
    return input


@op(
    "torch.nn.functional.pixel_shuffle",
    "pixel_shuffle(input, upscale_factor)",
    names="torch.pixel_shuffle",
    category="nn layer: upsample",
    doc="Channels moved into pixels: (..., C r^2, H, W) becomes (..., C, H r, W r).",
    formula="pixel_unshuffle(g)",
    examples=("pixel_shuffle(tensor([[[1.]], [[2.]], [[3.]], [[4.]]]), 2)  #> [[[1., 2.], [3., 4.]]]",),
    samples=(sample(T(1, 4, 2, 2), 2), sample(T(8, 1, 2), 2)),
)
def pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    input = _image("pixel_shuffle", input, upscale_factor)
    if input.shape[-3] % (upscale_factor * upscale_factor):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"pixel_shuffle: {input.shape[-3]} channels are not a multiple of {upscale_factor}^2",
        )
    return shuffle_primitive(input, r=upscale_factor)


@op(
    "torch.nn.functional.pixel_unshuffle",
    "pixel_unshuffle(input, downscale_factor)",
    names="torch.pixel_unshuffle",
    category="nn layer: upsample",
    doc="Pixels moved into channels: (..., C, H r, W r) becomes (..., C r^2, H, W).",
    formula="pixel_shuffle(g)",
    examples=("pixel_unshuffle(tensor([[[1., 2.], [3., 4.]]]), 2)  #> [[[1.]], [[2.]], [[3.]], [[4.]]]",),
    samples=(sample(T(1, 1, 4, 2), 2), sample(T(1, 1, 2, 4), 2)),
)
def pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    input = _image("pixel_unshuffle", input, downscale_factor)
    if input.shape[-1] % downscale_factor or input.shape[-2] % downscale_factor:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"pixel_unshuffle: the size {tuple(input.shape[-2:])} is not a multiple of {downscale_factor}",
        )
    return unshuffle_primitive(input, r=downscale_factor)


@op(
    "torch.nn.functional.channel_shuffle",
    "channel_shuffle(input, groups)",
    names="torch.channel_shuffle",
    category="nn layer: upsample",
    doc="Channels (dim 1) taken in turn from each of groups groups.",
    formula="the opposite shuffle of g",
    examples=("channel_shuffle(tensor([[[1.], [2.], [3.], [4.]]]), 2)  #> [[[1.], [3.], [2.], [4.]]]",),
    samples=(sample(T(1, 4, 1, 1), 2), sample(T(2, 6, 2), 3)),
)
def channel_shuffle(input: Any, groups: int) -> Any:
    input = operand(input)
    if input.ndim < 3 or groups < 1 or input.shape[1] % groups:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"channel_shuffle needs an input (N, C, ...) of 3 or more dims whose channels are a multiple of groups, "
            "got "
            f"shape {tuple(input.shape)} and {groups}",
        )
    return channels_primitive(input, groups=groups)

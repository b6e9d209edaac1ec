"""Patches as columns and back: unfold (im2col) and fold (col2im)."""

from __future__ import annotations

import math
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops import correlation
from gradcli.ops.correlation import Geometry
from gradcli.ops.nn_common import floating, tuple_of
from gradcli.ops.row import T, op, sample


def _unfold(input: Any, *, geometry: Geometry) -> Any:
    if input.ndim == 3:
        return correlation.columns_of(input[None], geometry)[0]
    return correlation.columns_of(input, geometry)


def _fold(input: Any, *, geometry: Geometry) -> Any:
    if input.ndim == 2:
        return correlation.fold_columns(input[None], geometry)[0]
    return correlation.fold_columns(input, geometry)


unfold_primitive = Primitive(
    "im2col", _unfold, {"input": lambda g, geometry: fold_primitive(g, geometry=geometry)}, node="Im2ColBackward0",
    batch="networks.columns",
)
fold_primitive: Primitive = Primitive(
    "col2im", _fold, {"input": lambda g, geometry: unfold_primitive(g, geometry=geometry)}, node="Col2ImBackward0",
    batch="networks.columns",
)


def _geometry(name: str, size: tuple[int, ...], kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Geometry:
    words = (("kernel_size", kernel_size), ("stride", stride), ("padding", padding), ("dilation", dilation))
    kernel, step, pads, spacing = (tuple_of(name, word, value, 2) for word, value in words)
    if min(*kernel, *step, *spacing) < 1 or min(pads) < 0:
        raise error(
            RuntimeError,
            "not-positive",
            f"{name}: kernel_size, stride and dilation must be positive and padding not negative",
        )
    geometry = Geometry(size, kernel, step, pads, spacing)
    if min(geometry.out) < 1:
        raise error(
            RuntimeError,
            "kernel-too-large",
            f"{name}: the kernel {list(kernel)} does not fit into the size {list(size)} with padding {list(pads)}",
        )
    return geometry


@op(
    "torch.nn.functional.unfold",
    "unfold(input, kernel_size, dilation=1, padding=0, stride=1)",
    category="nn layer: conv",
    doc="The patches of images (N, C, H, W) as columns (N, C * KH * KW, patches).",
    formula="fold(g): each element gets the sum over its patches",
    examples=("F.unfold(tensor([[[[1., 2.], [3., 4.]]]]), (1, 2))  #> [[[1., 3.], [2., 4.]]]",),
    samples=(sample(T(1, 2, 3, 3), 2), sample(T(1, 1, 3, 2), (2, 1), padding=1, stride=2), sample(T(2, 4, 3), 2)),
)
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    input = floating("unfold", input)
    if input.ndim not in (3, 4):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"unfold needs images (N, C, H, W) or (C, H, W), got shape {tuple(input.shape)}",
        )
    geometry = _geometry("unfold", tuple(input.shape[-2:]), kernel_size, dilation, padding, stride)
    return unfold_primitive(input, geometry=geometry)


@op(
    "torch.nn.functional.fold",
    "fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)",
    category="nn layer: conv",
    doc="Columns (N, C * KH * KW, patches) back into images of output_size; overlapping patches add up.",
    formula="unfold(g)",
    examples=("F.fold(tensor([[[1., 3.], [2., 4.]]]), (2, 2), (1, 2))  #> [[[[1., 2.], [3., 4.]]]]",),
    samples=(
        sample(T(1, 4, 6), (3, 4), (2, 2), padding=1, stride=2),
        sample(T(1, 4, 4), (3, 3), 2),
        sample(T(4, 4), (3, 3), 2),
    ),
)
def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    input = floating("fold", input)
    if input.ndim not in (2, 3):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"fold needs columns (N, C * KH * KW, patches), got shape {tuple(input.shape)}",
        )
    geometry = _geometry(
        "fold", tuple_of("fold", "output_size", output_size, 2), kernel_size, dilation, padding, stride
    )
    rows, patches = math.prod(geometry.kernel), math.prod(geometry.out)
    if input.shape[-2] % rows or input.shape[-1] != patches:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"fold: columns of shape {tuple(input.shape)} are not a multiple of {rows} kernel elements by "
            f"{patches} patches",
        )
    return fold_primitive(input, geometry=geometry)

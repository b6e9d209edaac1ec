"""Normalisation by the mean square alone: over the last dims, or over neighbouring channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.ops.nn_common import dtype_of, floating
from gradcli.ops.norm import last_dims, shaped
from gradcli.ops.row import T, op, sample


@op(
    "torch.nn.functional.rms_norm",
    "rms_norm(input, normalized_shape, weight=None, eps=None)",
    names="torch.rms_norm",
    category="nn layer: norm",
    doc="input divided by the root of its mean square over the last dims normalized_shape, times weight.",
    formula="(w * g - x * mean(w * g * x)) / rms, x the normalised input",
    conventions="eps=None is the epsilon of the dtype",
    examples=("rms_norm(tensor([[3., 4.]]), (2,))  #> [[0.8485, 1.1314]]",),
    samples=(sample(T(2, 3), (3,)), sample(T(2, 3), (3,), T(3), eps=0.01)),
)
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    input = floating("rms_norm", input)
    last = last_dims("rms_norm", input, normalized_shape)
    weight = shaped("rms_norm", "weight", weight, last, input)
    least = float(np.finfo(dtype_of(input)).eps) if eps is None else eps
    dims = tuple(range(input.ndim - len(last), input.ndim))
    out = input * ((input**2).mean(dims, keepdim=True) + least).rsqrt()
    return out if weight is None else out * weight


@op(
    "torch.nn.functional.local_response_norm",
    "local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0)",
    category="nn layer: norm",
    doc="input divided by (k + alpha * the mean square over size neighbouring channels) ** beta (Krizhevsky et al. "
    "2012).",
    formula="that of the quotient",
    examples=("F.local_response_norm(tensor([[[1.], [2.]]]), 2, alpha=1.0)  #> [[[0.7378], [0.7816]]]",),
    samples=(sample(T(1, 4, 2), 3, alpha=0.5), sample(T(1, 4, 2, 2), 2, alpha=0.5)),
)
def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    from gradcli.ops.average_pooling import avg_pool2d, avg_pool3d
    from gradcli.ops.padding import pad

    input = floating("local_response_norm", input)
    if input.ndim < 3:
        raise error(
            ValueError,
            "shape-mismatch",
            f"local_response_norm needs an input (N, C, ...) of 3 or more dims, got shape {tuple(input.shape)}",
        )
    shape, around = tuple(input.shape), [size // 2, (size - 1) // 2]
    square = input * input
    if input.ndim == 3:
        mean = avg_pool2d(pad(square.unsqueeze(1), [0, 0, *around]), (size, 1), stride=1).squeeze(1)
    else:
        cube = square.reshape((shape[0], 1, shape[1], shape[2], -1))
        mean = avg_pool3d(pad(cube, [0, 0, 0, 0, *around]), (size, 1, 1), stride=1).squeeze(1).reshape(shape)
    return input / (mean * alpha + k) ** beta

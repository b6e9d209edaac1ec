"""Dropout: elements or whole channels set to zero at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import element
from gradcli.ops.nn_common import floating, generator, maybe_inplace
from gradcli.ops.row import T, op, sample

_ALPHA = 1.7580993408473766  # selu's limit at minus infinity


def _noise(name: str, input: Any, p: float, by_channel: bool) -> Any:
    """Return ones that stay with probability 1 - p and zeros, for each element or each channel."""
    shape = tuple(input.shape)
    if by_channel and len(shape) < 2:
        raise error(
            RuntimeError, "shape-mismatch", f"{name} drops channels and needs 2 or more dimensions, got shape {shape}"
        )
    shape = (*shape[:2], *(1,) * (len(shape) - 2)) if by_channel else shape
    return generator().bernoulli_fill(1 - p, shape, element(input))


def _checked(name: str, input: Any, p: float) -> Any:
    if not 0 <= p <= 1:
        raise error(ValueError, "not-a-probability", f"{name}: p must lie between 0 and 1, got {p}")
    return floating(name, input)


def _drop(name: str, input: Any, p: float, training: bool, inplace: bool, by_channel: bool = False) -> Any:
    """Return the input times noise / (1 - p); as it is outside of training."""
    input = _checked(name, input, p)
    if not training or p == 0 or 0 in input.shape:
        return input
    if p == 1:
        noise = np.zeros((), element(input))
    else:
        noise = _noise(name, input, p, by_channel)
        noise /= noise.dtype.type(1 - p)
    return maybe_inplace(lambda x: x * Tensor(noise), inplace, input)


def _alpha_drop(name: str, input: Any, p: float, training: bool, inplace: bool, by_channel: bool = False) -> Any:
    """Return the input with elements set to selu's lower limit, scaled and shifted to keep mean and variance."""
    input = _checked(name, input, p)
    if not training or p == 0 or 0 in input.shape:
        return input
    if p == 1:
        return maybe_inplace(lambda x: x * Tensor(np.zeros((), element(input))), inplace, input)
    noise = _noise(name, input, p, by_channel)
    a = 1 / np.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
    shift = (noise - 1) * noise.dtype.type(_ALPHA * a) + noise.dtype.type(_ALPHA * a * p)
    noise = noise * noise.dtype.type(a)
    return maybe_inplace(lambda x: x * Tensor(noise) + Tensor(shift), inplace, input)


_FIXED = (
    sample(T(2, 3), 0.5, training=False),
    sample(T(4), p=0.0),
    sample(T(3), p=1.0),
    sample(T(2, 3), 0.5, True, smooth=False),
)
_CHANNELS = (
    sample(T(1, 2, 2, 2), 0.5, training=False),
    sample(T(1, 2, 2, 2), 1.0),
    sample(T(2, 2, 2, 2), 0.5, smooth=False),
)
_RULE = "g times the same noise"
_NOTE = (
    "the numbers are those of PyTorch's generator for the same seed; "
    "outside of training, and for p = 0, the input itself is returned"
)


@op(
    "torch.nn.functional.dropout",
    "dropout(input, p=0.5, training=True, inplace=False)",
    names="torch.dropout",
    category="random",
    doc="Each element set to 0 with probability p, the others divided by 1 - p.",
    formula=_RULE,
    conventions=_NOTE,
    examples=("F.dropout(tensor([1., 2.]), 0.5, training=False)  #> [1., 2.]",),
    samples=_FIXED,
)
def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    return _drop("dropout", input, p, training, inplace)


@op(
    "torch.nn.functional.dropout1d",
    "dropout1d(input, p=0.5, training=True, inplace=False)",
    category="random",
    doc="Each channel of (N, C, L) or (C, L) set to 0 with probability p, the others divided by 1 - p.",
    formula=_RULE,
    conventions=_NOTE,
    examples=("F.dropout1d(ones(1, 2, 2), 0.5, training=False)  #> [[[1., 1.], [1., 1.]]]",),
    samples=(sample(T(1, 2, 2), 1.0), sample(T(2, 2), training=False)),
)
def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    return _unbatched("dropout1d", 2, input, p, training, inplace)


@op(
    "torch.nn.functional.dropout2d",
    "dropout2d(input, p=0.5, training=True, inplace=False)",
    names="torch.feature_dropout",
    category="random",
    doc="Each channel of (N, C, H, W) set to 0 with probability p, the others divided by 1 - p.",
    formula=_RULE,
    conventions=_NOTE,
    examples=("F.dropout2d(ones(1, 1, 1, 2), 0.5, training=False)  #> [[[[1., 1.]]]]",),
    samples=_CHANNELS,
)
def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    return _drop("dropout2d", input, p, training, inplace, by_channel=True)


@op(
    "torch.nn.functional.dropout3d",
    "dropout3d(input, p=0.5, training=True, inplace=False)",
    category="random",
    doc="Each channel of (N, C, D, H, W) or (C, D, H, W) set to 0 with probability p, the others divided by 1 - p.",
    formula=_RULE,
    conventions=_NOTE,
    examples=("F.dropout3d(ones(1, 1, 1, 1, 2), 0.5, training=False)  #> [[[[[1., 1.]]]]]",),
    samples=(sample(T(1, 1, 1, 2, 2), 1.0),),
)
def dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    return _unbatched("dropout3d", 4, input, p, training, inplace)


def _unbatched(name: str, n: int, input: Any, p: float, training: bool, inplace: bool) -> Any:
    """Drop channels of an input that may lack its batch dim (then it has ``n`` dims)."""
    input = _checked(name, input, p)
    if input.ndim == n and not inplace:
        return _drop(name, input.unsqueeze(0), p, training, False, by_channel=True).squeeze(0)
    return _drop(name, input, p, training, inplace, by_channel=True)


@op(
    "torch.nn.functional.alpha_dropout",
    "alpha_dropout(input, p=0.5, training=False, inplace=False)",
    names="torch.alpha_dropout",
    category="random",
    doc="Dropout for selu: elements are set to its lower limit, then all are scaled and shifted to keep mean and "
    "variance (Klambauer et al. 2017).",
    formula="g times the scaled noise",
    conventions=_NOTE,
    examples=("F.alpha_dropout(tensor([1., 2.]), 0.5)  #> [1., 2.]",),
    samples=_FIXED,
)
def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    return _alpha_drop("alpha_dropout", input, p, training, inplace)


@op(
    "torch.nn.functional.feature_alpha_dropout",
    "feature_alpha_dropout(input, p=0.5, training=False, inplace=False)",
    names="torch.feature_alpha_dropout",
    category="random",
    doc="alpha_dropout of whole channels.",
    formula="g times the scaled noise",
    conventions=_NOTE,
    examples=("F.feature_alpha_dropout(ones(1, 1, 2), 0.5)  #> [[[1., 1.]]]",),
    samples=(sample(T(1, 2, 2), 0.5, training=False), sample(T(2, 2, 2), 0.5, True, smooth=False)),
)
def feature_alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    return _alpha_drop("feature_alpha_dropout", input, p, training, inplace, by_channel=True)

"""Average pooling and power-mean pooling."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.correlation import offsets
from gradcli.ops.masks import tied
from gradcli.ops.nn_common import floating, tuple_of
from gradcli.ops.pooling import Window, window_of
from gradcli.ops.row import T, op, sample


def _averaged(input: Any, *, window: Window, divisor: Any) -> Any:
    x = window.held(input, 0)
    lead = input.shape[: input.ndim - len(window.size)]
    out = np.zeros((*lead, *window.out), input.dtype)
    for _, where in offsets(window.geometry()):
        out += x[(..., *where)]
    out /= divisor.astype(input.dtype)
    return out


def _averaged_back(g: Any, *, window: Window, divisor: Any) -> Any:
    lead = g.shape[: g.ndim - len(window.size)]
    spans = [max(e, n + p) for e, n, p in zip(window.ends(), window.size, window.padding, strict=True)]
    full: Any = np.zeros((*lead, *spans), g.dtype)
    part = g / divisor.astype(g.dtype)
    for _, where in offsets(window.geometry()):
        full[(..., *where)] += part
    inner = tuple(slice(p, p + n) for p, n in zip(window.padding, window.size, strict=True))
    return full[(..., *inner)]


def _averaging(n: int) -> Primitive:
    return Primitive(
        f"avg_pool{n}d",
        _averaged,
        {"input": lambda g, input, window, divisor: tied(averaged_back(g, window=window, divisor=divisor), input)},
        node=f"AvgPool{n}DBackward0",
        batch=(),
    )


_AVERAGE = {2: _averaging(2), 3: _averaging(3)}
averaged_back = Primitive(
    "avg_pool_backward",
    _averaged_back,
    {"g": lambda g, window, divisor: _AVERAGE[2](g, window=window, divisor=divisor)},
    batch=(),
)


def _divisor(window: Window, count_include_pad: bool, override: int | None) -> Any:
    """Return by what each window's sum is divided."""
    if override is not None:
        if override == 0:
            raise error(RuntimeError, "division-by-zero", "divisor_override must not be 0")
        return np.array(float(override))
    total: Any = np.ones((1,) * len(window.size))
    for i, (n, k, s, p, o) in enumerate(
        zip(window.size, window.kernel, window.stride, window.padding, window.out, strict=True)
    ):
        start = np.arange(o) * s - p
        end = np.minimum(start + k, n + p)
        counts = end - start if count_include_pad else np.minimum(end, n) - np.maximum(start, 0)
        total = total * counts.reshape(*(-1 if i == j else 1 for j in range(len(window.size))))
    return total


def _average(
    name: str,
    n: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    override: int | None = None,
) -> Any:
    input = floating(name, input)
    window = window_of(name, n, input, kernel_size, stride, padding, 1, ceil_mode)
    if n > 1:
        return _AVERAGE[n](input, window=window, divisor=_divisor(window, count_include_pad, override))
    flat = Window(*(a + b for a, b in zip(((1,), (1,), (1,), (0,), (1,), (1,)), window, strict=True)))
    return _AVERAGE[2](input.unsqueeze(-2), window=flat, divisor=_divisor(flat, count_include_pad, override)).squeeze(
        -2
    )


_RULE = "g / count to each element of the window"
_PADS = (
    "padding counts as zeros that are averaged in (count_include_pad=False leaves them out); "
    "what hangs over in ceil_mode never counts"
)


@op(
    "torch.nn.functional.avg_pool1d",
    "avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
    names="torch.avg_pool1d",
    category="nn layer: pool",
    doc="The mean of each window along the last dim.",
    formula=_RULE,
    conventions=_PADS,
    examples=("F.avg_pool1d(tensor([[1., 3., 5., 7.]]), 2)  #> [[2., 6.]]",),
    samples=(
        sample(T(1, 2, 4), 2),
        sample(T(1, 1, 4), 2, stride=1, padding=1, count_include_pad=False),
        sample(T(2, 5), 2, ceil_mode=True),
    ),
)
def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    return _average("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


@op(
    "torch.nn.functional.avg_pool2d",
    "avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None)",
    category="nn layer: pool",
    doc="The mean of each window over the last two dims.",
    formula=_RULE,
    conventions=_PADS,
    examples=("F.avg_pool2d(tensor([[[1., 3.], [5., 7.]]]), 2)  #> [[[4.]]]",),
    samples=(
        sample(T(1, 1, 4, 4), 2),
        sample(T(1, 2, 2), (2, 1), divisor_override=3),
        sample(T(1, 1, 5, 5), 3, 2, 1, ceil_mode=True),
    ),
)
def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    return _average(
        "avg_pool2d", 2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@op(
    "torch.nn.functional.avg_pool3d",
    "avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None)",
    category="nn layer: pool",
    doc="The mean of each window over the last three dims.",
    formula=_RULE,
    conventions=_PADS,
    examples=("F.avg_pool3d(ones(1, 2, 2, 2), 2)  #> [[[[1.]]]]",),
    samples=(sample(T(1, 1, 2, 2, 4), 2), sample(T(1, 2, 3, 2), 2, 1)),
)
def avg_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    return _average(
        "avg_pool3d", 3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def _lp(name: str, n: int, input: Any, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool) -> Any:
    input = floating(name, input)
    kernel = tuple_of(name, "kernel_size", kernel_size, n)
    mean = _average(name, n, input**norm_type, kernel, stride, 0, ceil_mode, True)
    from gradcli.ops.activation import relu

    return (mean.sign() * relu(abs(mean)) * math.prod(kernel)) ** (1.0 / norm_type)


_LP_DOC = "The p-norm of each window, p = norm_type: (sum of input ** p) ** (1 / p)."
_LP_RULE = "g * (input / out) ** (p - 1)"
_LP_NOTE = "infinite or nan where a window's sum is 0; negative sums keep their sign inside the root, as in PyTorch"


@op(
    "torch.nn.functional.lp_pool1d",
    "lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False)",
    category="nn layer: pool",
    doc=_LP_DOC,
    formula=_LP_RULE,
    conventions=_LP_NOTE,
    examples=("F.lp_pool1d(tensor([[3., 4.]]), 2, 2)  #> [[5.]]",),
    domain=(0.5, 2.0),
    samples=(sample(T(1, 1, 4), 3.0, 2), sample(T(1, 2, 5), 2, 3, stride=1)),
)
def lp_pool1d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    return _lp("lp_pool1d", 1, input, norm_type, kernel_size, stride, ceil_mode)


@op(
    "torch.nn.functional.lp_pool2d",
    "lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False)",
    category="nn layer: pool",
    doc=_LP_DOC,
    formula=_LP_RULE,
    conventions=_LP_NOTE,
    examples=("F.lp_pool2d(tensor([[[3., 4.]]]), 2, (1, 2))  #> [[[5.]]]",),
    domain=(0.5, 2.0),
    samples=(sample(T(1, 1, 4, 4), 2, 2),),
)
def lp_pool2d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    return _lp("lp_pool2d", 2, input, norm_type, kernel_size, stride, ceil_mode)


@op(
    "torch.nn.functional.lp_pool3d",
    "lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False)",
    category="nn layer: pool",
    doc=_LP_DOC,
    formula=_LP_RULE,
    conventions=_LP_NOTE,
    examples=("F.lp_pool3d(tensor([[[[3., 4.]]]]), 2, (1, 1, 2))  #> [[[[5.]]]]",),
    domain=(0.5, 2.0),
    samples=(sample(T(1, 1, 2, 2, 2), 2, 2),),
)
def lp_pool3d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    return _lp("lp_pool3d", 3, input, norm_type, kernel_size, stride, ceil_mode)

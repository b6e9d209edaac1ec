"""Convolutions and transposed convolutions in one, two and three dimensions."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops import correlation
from gradcli.ops.common import H
from gradcli.ops.correlation import Geometry
from gradcli.ops.nn_common import dtype_of, floating, tuple_of
from gradcli.ops.row import T, op, sample


def _correlate(x: Any, w: Any, *, geometry: Geometry) -> Any:
    return correlation.correlate(x, w, geometry)


def _spread(y: Any, w: Any, *, geometry: Geometry) -> Any:
    return correlation.spread(y, w, geometry)


def _kernel(x: Any, y: Any, *, geometry: Geometry) -> Any:
    return correlation.kernel_gradient(x, y, geometry)


correlate = Primitive(
    "convolution_backward",
    _correlate,
    {
        "x": lambda g, w, geometry: spread(g, H(w), geometry=geometry),
        "w": lambda g, x, geometry: kernel(H(x), g, geometry=geometry),
    },
    batch="networks.correlate",
)
spread: Primitive = Primitive(
    "convolution_backward",
    _spread,
    {
        "y": lambda g, w, geometry: correlate(g, H(w), geometry=geometry),
        "w": lambda g, y, geometry: kernel(g, H(y), geometry=geometry),
    },
    batch="networks.spread",
)
kernel: Primitive = Primitive(
    "convolution_backward",
    _kernel,
    {
        "x": lambda g, y, geometry: spread(H(y), g, geometry=geometry),
        "y": lambda g, x, geometry: correlate(H(x), g, geometry=geometry),
    },
    batch="networks.kernel",
)


def _with_bias(y: Any, bias: Any) -> Any:
    if bias is not None:
        y += bias.reshape(-1, *(1,) * (y.ndim - 2))
    return y


def _conv(input: Any, weight: Any, bias: Any, *, geometry: Geometry) -> Any:
    return _with_bias(correlation.correlate(input, weight, geometry), bias)


def _conv_transpose(input: Any, weight: Any, bias: Any, *, geometry: Geometry) -> Any:
    return _with_bias(correlation.spread(input, weight, geometry), bias)


def _bias_rule(g: Any) -> Any:
    return g.sum((0, *range(2, g.ndim)))


conv_primitive = Primitive(
    "convolution",
    _conv,
    {
        "input": lambda g, weight, geometry: spread(g, H(weight), geometry=geometry),
        "weight": lambda g, input, geometry: kernel(H(input), g, geometry=geometry),
        "bias": _bias_rule,
    },
    batch="networks.convolution",
)
transposed_primitive = Primitive(
    "convolution",
    _conv_transpose,
    {
        "input": lambda g, weight, geometry: correlate(g, H(weight), geometry=geometry),
        "weight": lambda g, input, geometry: kernel(g, H(input), geometry=geometry),
        "bias": _bias_rule,
    },
    batch="networks.transposed",
)


class _Call:
    """One call with its arguments checked: the batched input, weight and bias, and stride and dilation of each dim."""

    def __init__(
        self, name: str, n: int, input: Any, weight: Any, bias: Any, stride: Any, dilation: Any, groups: int
    ) -> None:
        self.name, self.groups = name, groups
        self.input, self.weight, self.bias = floating(name, input, weight, bias)
        self.check_ranks(n)
        self.single = self.input.ndim == n + 1
        if self.single:
            self.input = self.input.unsqueeze(0)
        self.stride, self.dilation = tuple_of(name, "stride", stride, n), tuple_of(name, "dilation", dilation, n)
        if min(self.stride) < 1 or min(self.dilation) < 1 or groups < 1:
            raise error(
                RuntimeError,
                "not-positive",
                f"{name}: stride, dilation and groups must be positive, got {list(self.stride)}, "
                f"{list(self.dilation)} and {groups}",
            )
        self.kernel = tuple(self.weight.shape[2:])

    def check_ranks(self, n: int) -> None:
        """Raise RuntimeError where input or weight have another number of dimensions, or another dtype."""
        if self.weight.ndim != n + 2 or self.input.ndim not in (n + 1, n + 2):
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"{self.name} needs an input of {n + 2} dimensions (or {n + 1} without a batch) and a weight of "
                f"{n + 2}, got shapes {tuple(self.input.shape)} and {tuple(self.weight.shape)}",
            )
        dtypes = [dtype_of(x) for x in (self.input, self.weight, self.bias) if x is not None]
        if any(d != dtypes[0] for d in dtypes):
            raise error(
                RuntimeError,
                "dtype-mismatch",
                f"{self.name} needs one dtype, got {', '.join(map(str, dtypes))}",
                hint="convert one of them with .to()",
            )

    def check_channels(self, channels: int, outs: int) -> None:
        """Raise RuntimeError where channels, groups and bias do not fit each other."""
        found = self.input.shape[1]
        if found != channels:
            raise error(
                RuntimeError,
                "channels",
                f"{self.name}: with groups={self.groups} a weight of shape {tuple(self.weight.shape)} needs an input "
                "of "
                f"{channels} channels, but the input of shape {tuple(self.input.shape)} has {found}",
                label=f"{found} channels where {channels} are needed",
            )
        if self.weight.shape[0] % self.groups:
            raise error(
                RuntimeError,
                "channels",
                f"{self.name}: dim 0 of the weight, {self.weight.shape[0]}, is not a multiple of groups={self.groups}",
            )
        if self.bias is not None and tuple(self.bias.shape) != (outs,):
            raise error(
                RuntimeError,
                "shape-mismatch",
                f"{self.name}: bias needs one entry an output channel, shape ({outs},), got {tuple(self.bias.shape)}",
            )

    def finish(self, out: Any) -> Any:
        """Return the result, without the batch dim where the input had none."""
        return out.squeeze(0) if self.single else out


def _same_padding(call: _Call, padding: str) -> tuple[int, ...]:
    """Return the padding that a word means; 'same' may pad the input by one more at the end first."""
    if padding == "valid":
        return (0,) * len(call.kernel)
    if padding != "same":
        raise error(RuntimeError, "bad-choice", f"{call.name}: padding is a number, 'valid' or 'same', not {padding!r}")
    if any(s != 1 for s in call.stride):
        raise error(RuntimeError, "bad-choice", f"{call.name}: padding='same' needs stride 1, got {list(call.stride)}")
    totals = [d * (k - 1) for d, k in zip(call.dilation, call.kernel, strict=True)]
    if any(t % 2 for t in totals):
        from gradcli.ops.padding import pad

        call.input = pad(call.input, [x for t in reversed(totals) for x in (0, t % 2)])
    return tuple(t // 2 for t in totals)


def _convolve(
    name: str, n: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    call = _Call(name, n, input, weight, bias, stride, dilation, groups)
    call.check_channels(call.weight.shape[1] * groups, call.weight.shape[0])
    pads = _same_padding(call, padding) if isinstance(padding, str) else tuple_of(name, "padding", padding, n)
    if min(pads) < 0:
        raise error(RuntimeError, "negative-padding", f"{name}: padding must not be negative, got {list(pads)}")
    geometry = Geometry(tuple(call.input.shape[2:]), call.kernel, call.stride, pads, call.dilation, groups)
    held = [s + 2 * p for s, p in zip(geometry.size, pads, strict=True)]
    reach = [d * (k - 1) + 1 for d, k in zip(call.dilation, call.kernel, strict=True)]
    if any(h < r for h, r in zip(held, reach, strict=True)):
        raise error(
            RuntimeError,
            "kernel-too-large",
            f"{name}: the kernel reaches over {_by(reach)}, more than the padded input of {_by(held)}",
            hint="a smaller kernel or dilation, or more padding",
        )
    return call.finish(conv_primitive(call.input, call.weight, call.bias, geometry=geometry))


def _by(sizes: list[int]) -> str:
    return " x ".join(map(str, sizes))


def _transpose(
    name: str,
    n: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
) -> Any:
    call = _Call(name, n, input, weight, bias, stride, dilation, groups)
    call.check_channels(call.weight.shape[0], call.weight.shape[1] * groups)
    pads, extra = tuple_of(name, "padding", padding, n), tuple_of(name, "output_padding", output_padding, n)
    if any(e >= max(s, d) or e < 0 for e, s, d in zip(extra, call.stride, call.dilation, strict=True)):
        raise error(
            RuntimeError,
            "output-padding",
            f"{name}: output_padding {list(extra)} must be smaller than stride or dilation",
        )
    parts = zip(call.input.shape[2:], call.kernel, call.stride, pads, call.dilation, extra, strict=True)
    size = tuple((i - 1) * s - 2 * p + d * (k - 1) + e + 1 for i, k, s, p, d, e in parts)
    if min(size) < 1:
        raise error(
            RuntimeError, "empty-result", f"{name}: the result would have the size {list(size)}", hint="less padding"
        )
    geometry = Geometry(size, call.kernel, call.stride, pads, call.dilation, groups)
    return call.finish(transposed_primitive(call.input, call.weight, call.bias, geometry=geometry))


_FORMULA = (
    "the transposed convolution of g with weight to input, the correlation of input with g to weight, "
    "the sum of g to bias"
)
_ADJOINT = "the convolution of g with weight to input, the correlation of g with input to weight, the sum of g to bias"
_CONVENTION = (
    "a cross-correlation: the kernel is not turned round; padding also 'valid' and 'same'; "
    "an input without a batch dim is accepted"
)


@op(
    "torch.nn.functional.conv1d",
    "conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    names="torch.conv1d",
    category="nn layer: conv",
    doc="Correlation of input (N, C, L) with kernels weight (O, C / groups, K).",
    formula=_FORMULA,
    conventions=_CONVENTION,
    examples=("conv1d(tensor([[[1., 2., 4.]]]), tensor([[[1., -1.]]]))  #> [[[-1., -2.]]]",),
    samples=(
        sample(T(2, 1, 5), T(2, 1, 3), T(2), stride=2, padding=1),
        sample(T(1, 1, 6), T(1, 1, 3), padding="same", dilation=2),
        sample(T(1, 2, 4), T(2, 1, 2), groups=2),
        sample(T(2, 4), T(1, 2, 2), T(1)),
        sample(T(1, 1, 4), T(1, 1, 2), padding="same"),
    ),
)
def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    return _convolve("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@op(
    "torch.nn.functional.conv2d",
    "conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    names="torch.conv2d",
    category="nn layer: conv",
    doc="Correlation of input (N, C, H, W) with kernels weight (O, C / groups, KH, KW).",
    formula=_FORMULA,
    conventions=_CONVENTION,
    examples=("conv2d(tensor([[[[1., 2.], [3., 4.]]]]), tensor([[[[1., 1.]]]]))  #> [[[[3.], [7.]]]]",),
    samples=(
        sample(T(1, 2, 3, 3), T(4, 1, 2, 2), T(4), groups=2),
        sample(T(2, 1, 4, 4), T(2, 1, 3, 3), stride=2, padding=1),
        sample(T(1, 2, 3, 3), T(3, 2, 1, 1)),
        sample(T(1, 1, 5, 4), T(1, 1, 2, 2), dilation=(2, 1)),
    ),
)
def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    return _convolve("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@op(
    "torch.nn.functional.conv3d",
    "conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    names="torch.conv3d",
    category="nn layer: conv",
    doc="Correlation of input (N, C, D, H, W) with kernels weight (O, C / groups, KD, KH, KW).",
    formula=_FORMULA,
    conventions=_CONVENTION,
    examples=("conv3d(ones(1, 1, 2, 2, 2), ones(1, 1, 2, 2, 1))  #> [[[[[4., 4.]]]]]",),
    samples=(
        sample(T(1, 1, 3, 3, 3), T(1, 1, 2, 2, 2), stride=2, padding=1),
        sample(T(1, 2, 2, 2, 2), T(2, 2, 2, 1, 1), T(2)),
    ),
)
def conv3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    return _convolve("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


@op(
    "torch.nn.functional.conv_transpose1d",
    "conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
    names="torch.conv_transpose1d",
    category="nn layer: conv",
    doc="The adjoint of conv1d: input (N, C, L) with weight (C, O / groups, K).",
    formula=_ADJOINT,
    examples=("conv_transpose1d(tensor([[[1., 2.]]]), tensor([[[1., 10.]]]))  #> [[[ 1., 12., 20.]]]",),
    samples=(
        sample(T(1, 2, 3), T(2, 2, 3)),
        sample(T(1, 2, 3), T(2, 1, 3), T(1), stride=2, padding=1, output_padding=1),
    ),
)
def conv_transpose1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    return _transpose("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@op(
    "torch.nn.functional.conv_transpose2d",
    "conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
    names="torch.conv_transpose2d",
    category="nn layer: conv",
    doc="The adjoint of conv2d: input (N, C, H, W) with weight (C, O / groups, KH, KW).",
    formula=_ADJOINT,
    examples=("conv_transpose2d(tensor([[[[1., 2.]]]]), tensor([[[[1., 10.]]]]))  #> [[[[ 1., 12., 20.]]]]",),
    samples=(
        sample(T(1, 2, 2, 2), T(2, 1, 2, 2), T(1)),
        sample(T(1, 2, 2, 2), T(2, 1, 3, 3), stride=2, padding=1, groups=2),
    ),
)
def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    return _transpose("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@op(
    "torch.nn.functional.conv_transpose3d",
    "conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
    names="torch.conv_transpose3d",
    category="nn layer: conv",
    doc="The adjoint of conv3d: input (N, C, D, H, W) with weight (C, O / groups, KD, KH, KW).",
    formula=_ADJOINT,
    examples=("conv_transpose3d(ones(1, 1, 1, 1, 2), ones(1, 1, 1, 1, 2))  #> [[[[[1., 2., 1.]]]]]",),
    samples=(sample(T(1, 1, 2, 2, 2), T(1, 1, 2, 2, 2)),),
)
def conv_transpose3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    return _transpose("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation)

"""Max pooling in one, two and three dimensions, its adaptive form, and unpooling."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.correlation import Geometry, offsets
from gradcli.ops.masks import tied
from gradcli.ops.nn_common import dtype_of, integers, operand, tuple_of
from gradcli.ops.planes import drop, pick
from gradcli.ops.row import Lit, T, op, sample


class Window(NamedTuple):
    """The windows of a pooling: for each dim input size, kernel, stride, padding, dilation and number of results."""

    size: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    out: tuple[int, ...]

    def ends(self) -> tuple[int, ...]:
        """Return how far the last window of each dim reaches, counted from the start of the padding."""
        parts = zip(self.out, self.stride, self.kernel, self.dilation, strict=True)
        return tuple((o - 1) * s + d * (k - 1) + 1 for o, s, k, d in parts)

    def held(self, x: Any, fill: Any) -> Any:
        """Return ``x`` with ``fill`` around it, as far as the windows reach."""
        lead = x.ndim - len(self.size)
        spans = [max(e, n + p) for e, n, p in zip(self.ends(), self.size, self.padding, strict=True)]
        if spans == list(self.size) and not any(self.padding):
            return x
        out: Any = np.full((*x.shape[:lead], *spans), fill, x.dtype)
        out[(..., *(slice(p, p + n) for p, n in zip(self.padding, self.size, strict=True)))] = x
        return out

    def geometry(self) -> Geometry:
        """Return the same windows over an input that reaches as far as they do."""
        return Geometry(self.ends(), self.kernel, self.stride, (0,) * len(self.size), self.dilation)


def window_of(
    name: str, n: int, input: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Window:
    """Return the windows of one call; RuntimeError for sizes that make no sense."""
    if input.ndim not in (n + 1, n + 2):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs an input of {n + 1} or {n + 2} dimensions, got shape {tuple(input.shape)}",
        )
    kernel = tuple_of(name, "kernel_size", kernel_size, n)
    step = (
        kernel
        if stride is None or (isinstance(stride, (tuple, list)) and not stride)
        else tuple_of(name, "stride", stride, n)
    )
    pads, spacing = tuple_of(name, "padding", padding, n), tuple_of(name, "dilation", dilation, n)
    if min(*kernel, *step, *spacing) < 1:
        raise error(RuntimeError, "not-positive", f"{name}: kernel_size, stride and dilation must be positive")
    if any(p < 0 or 2 * p > k for p, k in zip(pads, kernel, strict=True)):
        raise error(
            RuntimeError,
            "bad-padding",
            f"{name}: padding must lie between 0 and half of the kernel {list(kernel)}, got {list(pads)}",
        )
    size = tuple(input.shape[-n:])
    out = tuple(_count(*args, ceil_mode) for args in zip(size, kernel, step, pads, spacing, strict=True))
    if min(out) < 1:
        raise error(
            RuntimeError,
            "kernel-too-large",
            f"{name}: no window of {list(kernel)} fits into the size {list(size)} with padding {list(pads)}",
        )
    return Window(size, kernel, step, pads, spacing, out)


def _count(n: int, k: int, s: int, p: int, d: int, ceil_mode: bool) -> int:
    """Return the number of windows; with ceil_mode a last one may hang over if it starts in the input or before it."""
    room = n + 2 * p - d * (k - 1) - 1
    count = (room + (s - 1 if ceil_mode else 0)) // s + 1
    return count - 1 if ceil_mode and (count - 1) * s >= n + p else count


def _first_places(window: Window) -> Any:
    """Return the flat place of the first element of each window that lies in the input."""
    first: Any = np.zeros((1,) * len(window.size), np.int64)
    for i, (n, s, p, d, o) in enumerate(
        zip(window.size, window.stride, window.padding, window.dilation, window.out, strict=True)
    ):
        start = np.arange(o) * s - p
        start = np.where(start < 0, start + d * (-(start // d)), start)
        first = first * n + start.reshape(*(-1 if i == j else 1 for j in range(len(window.size))))
    return first


def _max_pool(input: Any, *, window: Window, places: bool) -> Any:
    """Return the maxima and, where ``places`` are wanted, the flat place of the first of each."""
    low = -np.inf if input.dtype.kind == "f" else np.iinfo(input.dtype).min
    x = window.held(input, low)
    lead = input.shape[: input.ndim - len(window.size)]
    best = np.full((*lead, *window.out), low, input.dtype)
    steps = [(where, _flat(window, at)) for at, where in offsets(window.geometry())]
    if not places:
        for where, _ in steps:
            np.maximum(best, x[(..., *where)], out=best)
        return best, np.empty((0,), np.int64)
    which = np.zeros(best.shape, np.uint8 if len(steps) < 256 else np.int32)
    for k, (where, _) in enumerate(steps):
        values = x[(..., *where)]
        better = values > best
        if input.dtype.kind == "f":
            better |= values != values
        np.maximum(which, np.multiply(better, k, dtype=which.dtype), out=which)  # k grows, so the later one wins
        np.maximum(best, values, out=best)
    found = np.array([flat for _, flat in steps])[which]
    found += _corners(window)
    np.copyto(found, np.broadcast_to(_first_places(window), found.shape), where=best == low)
    return best, found


def _corners(window: Window) -> Any:
    """Return the flat place where each window starts, also outside of the input."""
    corner: Any = np.zeros((1,) * len(window.size), np.int64)
    for i, (n, s, p, o) in enumerate(zip(window.size, window.stride, window.padding, window.out, strict=True)):
        corner = corner * n + (np.arange(o) * s - p).reshape(*(-1 if i == j else 1 for j in range(len(window.size))))
    return corner


def _flat(window: Window, at: tuple[int, ...]) -> int:
    place = 0
    for n, a, d in zip(window.size, at, window.dilation, strict=True):
        place = place * n + a * d
    return place


def _max_rule(g: Any, needs: tuple[bool], input: Any, out: Any, window: Window) -> Any:
    if g[0] is None:
        return (None,)
    return (tied(drop(g[0], out[1], window.size), input),)


def _max_primitive(n: int) -> Primitive:
    return Primitive(
        f"max_pool{n}d_with_indices", _max_pool, _max_rule, multi=True, node=f"MaxPool{n}DWithIndicesBackward0",
        batch=(),
    )


_MAX = {2: _max_primitive(2), 3: _max_primitive(3)}


def _max(
    name: str,
    n: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: bool,
) -> Any:
    input = operand(input)
    if dtype_of(input).kind in "bc":
        raise error(RuntimeError, "dtype-mismatch", f"{name} needs ordered numbers, got {dtype_of(input)}")
    window = window_of(name, n, input, kernel_size, stride, padding, dilation, ceil_mode)
    # the places serve the derivative: a plain tensor that nobody differentiates can do without
    wanted = return_indices or type(input) is not Tensor or (input._rg and mode.enabled)
    if n == 1:
        ones = (1,), (1,), (1,), (0,), (1,), (1,)
        flat = Window(*(a + b for a, b in zip(ones, window, strict=True)))
        values, places = _MAX[2](input.unsqueeze(-2), window=flat, places=wanted)
        return (values.squeeze(-2), places.squeeze(-2)) if return_indices else values.squeeze(-2)
    values, places = _MAX[n](input, window=window, places=wanted)
    return (values, places) if return_indices else values


_RULE = "g to the place of each window's maximum"
_TIES = "ties go to the first in row-major order; a nan wins; padding counts as -inf"


@op(
    "torch.nn.functional.max_pool1d",
    "max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    names="torch.max_pool1d",
    category="nn layer: pool",
    doc="The maximum of each window along the last dim of (N, C, L) or (C, L).",
    formula=_RULE,
    conventions=_TIES,
    examples=("max_pool1d(tensor([[1., 3., 2., 0.]]), 2)  #> [[3., 2.]]",),
    samples=(sample(T(1, 2, 5), 2), sample(T(2, 5), 3, 1, 1)),
)
def max_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max("max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@op(
    "torch.nn.functional.max_pool2d",
    "max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    names="torch.max_pool2d",
    category="nn layer: pool",
    doc="The maximum of each window over the last two dims of (N, C, H, W) or (C, H, W).",
    formula=_RULE,
    conventions=_TIES,
    examples=("max_pool2d(tensor([[[1., 3.], [2., 0.]]]), 2)  #> [[[3.]]]",),
    samples=(
        sample(T(1, 1, 4, 4), 2),
        sample(T(1, 2, 4, 4), 3, stride=2, padding=1),
        sample(T(1, 3, 2), (2, 1), ceil_mode=True),
        sample(T(1, 1, 4, 2), 2, return_indices=True),
        sample(Lit([[[[1.0, 1.0], [1.0, 1.0]]]]), 2, smooth=False),
    ),
)
def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@op(
    "torch.nn.functional.max_pool3d",
    "max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    names="torch.max_pool3d",
    category="nn layer: pool",
    doc="The maximum of each window over the last three dims of (N, C, D, H, W) or (C, D, H, W).",
    formula=_RULE,
    conventions=_TIES,
    examples=("max_pool3d(tensor([[[[1., 3.], [2., 0.]]]]), (1, 2, 2))  #> [[[[3.]]]]",),
    samples=(sample(T(1, 1, 2, 2, 4), 2),),
)
def max_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _max("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def _unpool(input: Any, places: Any, *, size: tuple[int, ...]) -> Any:
    """Return zeros of ``size`` with the values put at ``places``; the last of equal places wins."""
    lead = input.shape[: input.ndim - len(size)]
    out = np.zeros((*lead, math.prod(size)), input.dtype)
    np.put_along_axis(out, places.reshape(*lead, -1), input.reshape(*lead, -1), len(lead))
    return out.reshape(*lead, *size)


def _unpool_primitive(n: int) -> Primitive:
    rule = {"input": lambda g, places, size: pick(g, places, len(size))}
    return Primitive(f"max_unpool{n}d", _unpool, rule, node=f"MaxUnpool{n}DBackward0", batch=())


_UNPOOL = {2: _unpool_primitive(2), 3: _unpool_primitive(3)}


def _unpooled(
    name: str, n: int, input: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Any:
    input, places = operand(input), integers(name, "indices", indices)
    if places.shape != tuple(input.shape) or input.ndim not in (n + 1, n + 2):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs input and indices of one shape with {n + 1} or {n + 2} dims, got "
            f"{tuple(input.shape)} and {places.shape}",
        )
    size = _unpooled_size(name, n, tuple(input.shape[-n:]), kernel_size, stride, padding, output_size)
    if places.size and (places.min() < 0 or places.max() >= math.prod(size)):
        raise error(
            RuntimeError,
            "index-out-of-range",
            f"{name}: indices reach {places.max()}, a result of size {list(size)} has {math.prod(size)} places",
        )
    if n == 1:
        return _UNPOOL[2](input.unsqueeze(-2), places[..., None, :], size=(1, *size)).squeeze(-2)
    return _UNPOOL[n](input, places, size=size)


def _unpooled_size(
    name: str, n: int, size: tuple[int, ...], kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> tuple[int, ...]:
    kernel = tuple_of(name, "kernel_size", kernel_size, n)
    step = kernel if stride is None else tuple_of(name, "stride", stride, n)
    pads = tuple_of(name, "padding", padding, n)
    usual = tuple((m - 1) * s - 2 * p + k for m, s, p, k in zip(size, step, pads, kernel, strict=True))
    if output_size is None:
        return usual
    wanted = tuple(int(v) for v in output_size)[-n:]
    if any(not u - s < w < u + s for u, s, w in zip(usual, step, wanted, strict=True)):
        raise error(
            ValueError, "bad-size", f"{name}: output_size {list(wanted)} is not within a stride of {list(usual)}"
        )
    return wanted


_UNPOOL_DOC = (
    "Zeros with each value put back where its maximum was; indices are those of max_pool{}d(return_indices=True)."
)
_UNPOOL_RULE = "g at the places of the indices"


@op(
    "torch.nn.functional.max_unpool1d",
    "max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None)",
    category="nn layer: pool",
    doc=_UNPOOL_DOC.format(1),
    formula=_UNPOOL_RULE,
    examples=("F.max_unpool1d(tensor([[3., 2.]]), tensor([[1, 2]]), 2)  #> [[0., 3., 2., 0.]]",),
    samples=(sample(T(1, 2, 2), Lit([[[0, 3], [1, 2]]]), 2),),
)
def max_unpool1d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    return _unpooled("max_unpool1d", 1, input, indices, kernel_size, stride, padding, output_size)


@op(
    "torch.nn.functional.max_unpool2d",
    "max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None)",
    category="nn layer: pool",
    doc=_UNPOOL_DOC.format(2),
    formula=_UNPOOL_RULE,
    examples=("F.max_unpool2d(tensor([[[3.]]]), tensor([[[1]]]), 2)  #> [[[0., 3.], [0., 0.]]]",),
    samples=(sample(T(1, 1, 2, 2), Lit([[[[0, 2], [8, 10]]]]), 2),),
)
def max_unpool2d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    return _unpooled("max_unpool2d", 2, input, indices, kernel_size, stride, padding, output_size)


@op(
    "torch.nn.functional.max_unpool3d",
    "max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None)",
    category="nn layer: pool",
    doc=_UNPOOL_DOC.format(3),
    formula=_UNPOOL_RULE,
    examples=("F.max_unpool3d(tensor([[[[3.]]]]), tensor([[[[1]]]]), (1, 1, 2))  #> [[[[0., 3.]]]]",),
    samples=(sample(T(1, 1, 1, 1, 2), Lit([[[[[0, 3]]]]]), (1, 1, 2)),),
)
def max_unpool3d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    return _unpooled("max_unpool3d", 3, input, indices, kernel_size, stride, padding, output_size)

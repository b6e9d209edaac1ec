"""Padding: with a constant, or with the input's own values mirrored, repeated or wrapped round."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.masks import tied
from gradcli.ops.nn_common import operand
from gradcli.ops.planes import drop_all, pick_all
from gradcli.ops.row import T, op, sample

Pairs = tuple[tuple[int, int], ...]


def _constant(input: Any, *, widths: Pairs, value: Any) -> Any:
    shape = tuple(n + a + b for n, (a, b) in zip(input.shape, widths, strict=True))
    out = np.full(shape, value, input.dtype)
    source, target = [], []
    for n, (a, b) in zip(input.shape, widths, strict=True):
        source.append(slice(max(0, -a), n - max(0, -b)))
        target.append(slice(max(0, a), n + a + b - max(0, b)))
    out[tuple(target)] = input[tuple(source)]
    return out


def _turned(widths: Pairs) -> Pairs:
    return tuple((-a, -b) for a, b in widths)


constant_pad: Primitive = Primitive(
    "constant_pad_nd",
    _constant,
    {"input": lambda g, widths: constant_pad(g, widths=_turned(widths), value=0)},
    node="ConstantPadNdBackward0",
    batch=("widths:pairs",),
)


def _copied(input: Any, *, places: Any, n: int) -> Any:
    from gradcli.ops import planes

    return planes._pick_all(input, places=places, n=n)


def _copied_rule(g: Any, input: Any, places: Any, n: int) -> Any:
    return tied(drop_all(g, places, tuple(input.shape[input.ndim - n :])), input)


def _named(node: str) -> Primitive:
    return Primitive(node, _copied, {"input": _copied_rule}, node=node, batch=())


_COPIES = {("reflect", n): _named(f"ReflectionPad{n}DBackward0") for n in (1, 2, 3)}
_COPIES |= {("replicate", n): _named(f"ReplicationPad{n}DBackward0") for n in (1, 2, 3)}


def _line(mode: str, n: int, before: int, after: int) -> Any:
    """Return for each place of a padded dim the place in the input that it copies."""
    at = np.arange(-before, n + after)
    if mode == "replicate":
        return np.clip(at, 0, n - 1)
    if mode == "circular":  # of what is left after cropping
        start, left = max(0, -before), n - max(0, -before) - max(0, -after)
        return start + np.arange(-max(0, before), left + max(0, after)) % max(1, left)
    at = np.abs(at)
    return np.where(at >= n, 2 * (n - 1) - at, at)


def _check_copies(mode: str, size: tuple[int, ...], pairs: Pairs) -> None:
    for n, (a, b) in zip(size, pairs, strict=True):
        limit = n - 1 if mode == "reflect" else n
        if mode != "replicate" and max(a, b) > limit:
            raise error(
                RuntimeError,
                "padding-too-wide",
                f"pad: {mode} can add at most {limit} on a side of a dimension of size {n}, got {a} and {b}",
            )
        if n + a + b < 1 or (n == 0 and max(a, b) > 0):
            raise error(
                RuntimeError, "empty-result", f"pad: a dimension of size {n} with widths {a} and {b} would be empty"
            )


def _copy_pad(input: Any, pairs: Pairs, mode: str) -> Any:
    """Return the input padded with its own values; pairs run over the last dims, first to last."""
    n = len(pairs)
    if input.ndim not in (n + 1, n + 2) or n > 3:
        raise error(
            NotImplementedError,
            "bad-padding",
            f"pad: mode {mode!r} pads the last 1 to 3 dims of an input that has one or two more; got "
            f"{n} pairs for shape {tuple(input.shape)}",
        )
    size = tuple(input.shape[-n:])
    _check_copies(mode, size, pairs)
    places: Any = np.zeros((1,) * n, np.int64)
    for i, (length, (a, b)) in enumerate(zip(size, pairs, strict=True)):
        line = _line(mode, length, a, b)
        places = places * length + line.reshape(*(-1 if i == j else 1 for j in range(n)))
    if mode == "circular":
        return pick_all(input, places, n)
    return _COPIES[mode, n](input, places=places, n=n)


@op(
    "torch.nn.functional.pad",
    "pad(input, pad, mode='constant', value=None)",
    category="nn layer: pad",
    doc="The input with elements added (or, for negative widths, cut off) at the ends of its last dims: pad = (left, "
    "right, top, bottom, ...).",
    formula="g without the added elements; what was copied gets the sum over its copies",
    conventions="pairs run from the last dim backwards; modes constant (any dims), reflect, replicate and circular "
    "(the last 1 to 3 dims)",
    examples=(
        "F.pad(tensor([1., 2.]), (1, 2))  #> [0., 1., 2., 0., 0.]",
        "F.pad(tensor([[1., 2., 3.]]), (2, 1), mode='reflect')  #> [[3., 2., 1., 2., 3., 2.]]",
    ),
    samples=(
        sample(T(2, 2), (1, 0, 0, 2), value=1.5),
        sample(T(2, 3), (-1, 1)),
        sample(T(1, 3), (2, 1), mode="reflect"),
        sample(T(1, 3), (2, 1), mode="replicate"),
        sample(T(1, 1, 3, 2), (1, 1, 2, 0), mode="circular"),
        sample(T(3), (0, 0)),
        sample(T(1, 1, 3, 3), (1, 1, 1, 2), mode="reflect"),
        sample(T(1, 2, 2, 2, 2), (1, 0, 1, 0, 0, 1), mode="replicate"),
    ),
)
def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    input = operand(input)
    widths = [int(w) for w in pad]
    if len(widths) % 2 or len(widths) > 2 * input.ndim:
        raise error(
            RuntimeError,
            "bad-padding",
            f"pad needs pairs of widths for at most {input.ndim} dims, got {len(widths)} numbers",
        )
    pairs = tuple((widths[i], widths[i + 1]) for i in range(len(widths) - 2, -1, -2))
    if mode == "constant":
        full = ((0, 0),) * (input.ndim - len(pairs)) + pairs
        for n, (a, b) in zip(input.shape, full, strict=True):
            if n + a + b < 0:
                raise error(
                    RuntimeError, "empty-result", f"pad: widths {a} and {b} take more than the size {n} of a dimension"
                )
        return constant_pad(input, widths=full, value=0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise error(
            NotImplementedError,
            "bad-choice",
            f"pad has no mode {mode!r}",
            hint="constant, reflect, replicate or circular",
        )
    if value is not None and value != 0:
        raise error(ValueError, "bad-padding", f"pad: value= belongs to mode 'constant', not to {mode!r}")
    return _copy_pad(input, pairs, mode) if pairs else input.clone()


@op(
    "torch.constant_pad_nd",
    "constant_pad_nd(input, pad, value=0)",
    category="nn layer: pad",
    doc="F.pad with mode 'constant'.",
    formula="g without the added elements",
    examples=("constant_pad_nd(tensor([1., 2.]), (1, 1), 9.0)  #> [9., 1., 2., 9.]",),
    samples=(sample(T(2, 3), (1, 0), 2.0),),
)
def constant_pad_nd(input: Any, pad: Any, value: Any = 0) -> Any:
    return _pad(input, pad, "constant", value)


_pad = pad

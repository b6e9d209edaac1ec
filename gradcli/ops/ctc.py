"""Connectionist temporal classification: how probable it is that labels are read from frames (Graves et al. 2006)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.nn_common import dtype_of, floating, integers, operand, reduce_loss, reduction_of
from gradcli.ops.row import Lit, T, op, sample

Array = np.ndarray[Any, Any]


class Alignment:
    """The labels of one sample with blanks between them, and the recursions over its frames (in logarithms)."""

    def __init__(self, labels: Array, blank: int) -> None:
        self.path = np.full(2 * len(labels) + 1, blank, np.int64)
        self.path[1::2] = labels
        skip = np.zeros(len(self.path), bool)
        skip[2:] = (self.path[2:] != blank) & (self.path[2:] != self.path[:-2])
        self.skip = skip

    def forward(self, logs: Array) -> Array:
        """Return alpha: for each frame and place, the log-probability of all ways to get there."""
        frames, places = logs.shape[0], len(self.path)
        emitted = logs[:, self.path]
        alpha = np.full((frames, places), -np.inf)
        alpha[0, :2] = emitted[0, :2]
        for t in range(1, frames):
            alpha[t] = self._step(alpha[t - 1], self.skip) + emitted[t]
        return alpha

    def backward(self, logs: Array) -> Array:
        """Return beta: for each frame and place, the log-probability of all ways from there to the end."""
        turned = Alignment.__new__(Alignment)
        turned.path = self.path[::-1]
        turned.skip = np.zeros(len(self.path), bool)
        turned.skip[2:] = self.skip[::-1][:-2]
        return turned.forward(logs[::-1])[::-1, ::-1]

    @staticmethod
    def _step(before: Array, skip: Array) -> Array:
        """Return log of staying, moving by one place, or jumping over a blank."""
        moved, jumped = np.full_like(before, -np.inf), np.full_like(before, -np.inf)
        moved[1:] = before[:-1]
        jumped[2:] = before[:-2]
        jumped[~skip] = -np.inf
        return np.logaddexp(np.logaddexp(before, moved), jumped)

    def loss(self, alpha: Array) -> float:
        """Return minus the log-probability of the labels."""
        last = alpha[-1, -2:]
        return float(-np.logaddexp.reduce(last))


class Targets:
    """The constants of one call: label sequences, frames of each sample, blank, and whether infinite losses count 0."""

    __slots__ = ("blank", "frames", "labels", "zero_infinity")

    def __init__(self, labels: list[Array], frames: list[int], blank: int, zero_infinity: bool) -> None:
        self.labels, self.frames, self.blank, self.zero_infinity = labels, frames, blank, zero_infinity


def _ctc(log_probs: Any, *, targets: Targets) -> Any:
    losses = np.empty(len(targets.frames))
    for n, (labels, frames) in enumerate(zip(targets.labels, targets.frames, strict=True)):
        if frames == 0:
            losses[n] = 0.0 if not len(labels) else np.inf
            continue
        alignment = Alignment(labels, targets.blank)
        losses[n] = alignment.loss(alignment.forward(log_probs[:frames, n].astype(np.float64)))
    if targets.zero_infinity:
        losses[np.isinf(losses)] = 0
    return losses.astype(log_probs.dtype)


def _ctc_backward(g: Any, log_probs: Any, *, targets: Targets) -> Any:
    out = np.zeros_like(log_probs)
    for n, (labels, frames) in enumerate(zip(targets.labels, targets.frames, strict=True)):
        if frames:
            out[:frames, n] = _sample_gradient(log_probs[:frames, n].astype(np.float64), labels, targets) * g[n]
    return out


def _sample_gradient(logs: Array, labels: Array, targets: Targets) -> Array:
    """Return exp(log_probs) minus the share of each class in all alignments."""
    alignment = Alignment(labels, targets.blank)
    alpha = alignment.forward(logs)
    loss = alignment.loss(alpha)
    if np.isinf(loss) and targets.zero_infinity:
        return np.zeros_like(logs)
    joint = alpha + alignment.backward(logs)
    share = np.full_like(logs, -np.inf)
    for place, label in enumerate(alignment.path):
        share[:, label] = np.logaddexp(share[:, label], joint[:, place])
    return np.exp(logs) - np.exp(share + loss - logs)


ctc_backward = Primitive(
    "_ctc_loss_backward", _ctc_backward, "the derivative of ctc_loss's gradient is not implemented, as in PyTorch"
)
ctc_primitive = Primitive(
    "_ctc_loss",
    _ctc,
    {"log_probs": lambda g, log_probs, targets: ctc_backward(g, log_probs, targets=targets)},
    node="CtcLossBackward0",
)


def _lengths(name: str, value: Any, batch: int) -> list[int]:
    found = [
        int(v)
        for v in integers("ctc_loss", name, list(value) if isinstance(value, (tuple, list)) else value).reshape(-1)
    ]
    if len(found) != batch:
        raise error(
            RuntimeError, "shape-mismatch", f"ctc_loss: {name} needs one entry a sample ({batch}), got {len(found)}"
        )
    return found


def _sequences(targets: Array, lengths: list[int]) -> list[Array]:
    """Return the labels of each sample from padded rows or from one concatenated list."""
    if targets.ndim == 2:
        if max(lengths, default=0) > targets.shape[1]:
            raise error(
                RuntimeError,
                "bad-length",
                f"ctc_loss: a target length of {max(lengths)} exceeds the {targets.shape[1]} labels given",
            )
        return [row[:n] for row, n in zip(targets, lengths, strict=True)]
    if sum(lengths) != len(targets):
        raise error(
            RuntimeError,
            "bad-length",
            f"ctc_loss: target_lengths add up to {sum(lengths)}, but there are {len(targets)} labels",
        )
    ends = np.cumsum([0, *lengths])
    return [targets[a:b] for a, b in pairwise(ends)]


@op(
    "torch.nn.functional.ctc_loss",
    "ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', zero_infinity=False)",
    category="nn loss",
    doc="Minus the log-probability of label sequences under all alignments to frames; log_probs is (T, N, C) or (T, "
    "C).",
    formula="g * (exp(log_probs) - the share of each class in the alignments)",
    conventions="the gradient assumes that log_probs came from log_softmax; the mean divides each loss by its target "
    "length; no second derivative",
    examples=("F.ctc_loss(log_softmax(zeros(2, 1, 2), -1), tensor([[1]]), (2,), (1,))  #> 0.2877",),
    samples=(sample(T(4, 1, 3), Lit([[1, 2]]), (4,), (2,), smooth=False),),
)
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    log_probs = floating("ctc_loss", log_probs)
    reduction_of(reduction)
    single = log_probs.ndim == 2
    batched = log_probs.unsqueeze(1) if single else log_probs
    frames_max, batch, classes = batched.shape
    if not 0 <= blank < classes:
        raise error(RuntimeError, "class-out-of-range", f"ctc_loss: blank {blank} is no class of 0 to {classes - 1}")
    frames, lengths = _lengths("input_lengths", input_lengths, batch), _lengths("target_lengths", target_lengths, batch)
    if max(frames, default=0) > frames_max:
        raise error(
            RuntimeError,
            "bad-length",
            f"ctc_loss: an input length of {max(frames)} exceeds the {frames_max} frames given",
        )
    labels = integers("ctc_loss", "targets", targets)
    sequences = _sequences(labels.reshape(1, -1) if single and labels.ndim == 1 else labels, lengths)
    loss = ctc_primitive(batched, targets=Targets(sequences, frames, blank, zero_infinity))
    if reduction == "mean":
        loss = loss / Tensor(np.maximum(lengths, 1).astype(dtype_of(operand(loss))))
    return loss.squeeze(0) if single and reduction == "none" else reduce_loss(loss, reduction)

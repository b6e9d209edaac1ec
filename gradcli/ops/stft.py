"""The short-time Fourier transform and its inverse: frames of a signal, windowed and transformed one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.fft import fft, ifft, irfft, rfft
from gradcli.ops.matrix import LEADING, as_operand, constant_like, is_complex, mT, shape_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.spectra import resize


def _added(input: Any, *, step: int) -> Any:
    frames, size = input.shape[-2:]
    out = np.zeros((*input.shape[:-2], size + step * (frames - 1)), input.dtype)
    for k in range(frames):
        out[..., k * step : k * step + size] += input[..., k, :]
    return out


def _frames(input: Any, *, size: int, step: int) -> Any:
    count = (input.shape[-1] - size) // step + 1
    places = np.arange(count)[:, None] * step + np.arange(size)
    return input[..., places]


def _frames_rule(g: Any, input: Any, step: int) -> Any:
    made = add_frames(g, step=step)
    return resize(made, shape_of(input))


# Overlap-add is the adjoint of cutting a signal into frames.
add_frames: Primitive = Primitive(
    "unfold_backward",
    _added,
    {"input": lambda g, input, step: cut_frames(g, size=shape_of(input)[-1], step=step)},
    batch=LEADING,
)
cut_frames: Primitive = Primitive("unfold", _frames, {"input": _frames_rule}, batch=LEADING)


def _window(name: str, like: Any, window: Any, win_length: int | None, n_fft: int) -> Any:
    """Return the window of n_fft values, centred and filled up with zeros; None where it is all ones."""
    length = n_fft if win_length is None else int(win_length)
    if not 0 < length <= n_fft:
        raise error(RuntimeError, "bad-argument", f"{name} needs 0 < win_length <= n_fft = {n_fft}, got {length}")
    if window is None:
        if length == n_fft:
            return None
        kind = np.float32 if like._element.itemsize == (8 if is_complex(like) else 4) else np.float64
        window = Tensor(np.ones(length, kind))
    if as_operand(name, window).ndim != 1 or shape_of(window)[0] != length:
        raise error(
            RuntimeError, "shape-mismatch", f"{name} needs a window of {length} values, got shape {shape_of(window)}"
        )
    if length == n_fft:
        return window
    left = (n_fft - length) // 2
    return resize(resize(window.flip(0), (length + left,)).flip(0), (n_fft,))


def _checked_step(name: str, n_fft: int, hop_length: int | None) -> int:
    step = n_fft // 4 if hop_length is None else int(hop_length)
    if step <= 0:
        raise error(RuntimeError, "bad-argument", f"{name} needs hop_length above 0, got {step}")
    return step


@op(
    "torch.stft",
    "stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect', "
    "normalized=False, onesided=None, return_complex=None)",
    names="Tensor.stft",
    category="fft",
    doc="The Fourier transforms of overlapping frames of a signal: frequencies by frames.",
    formula="the inverse transform of g, frames added where they overlap",
    conventions="return_complex must be given for real signals",
    examples=(
        "stft(tensor([1., 2., 3., 4.]), 2, 2, center=False, return_complex=True).real  #> [[3., 7.], [-1., -1.]]",
    ),
    samples=(
        sample(T(8), 4, 2, window=T(4, low=0.5, high=1.5), return_complex=True),
        sample(T(2, 9), 4, center=False, return_complex=True),
        sample(T(8), 4, win_length=2, normalized=True, onesided=False, return_complex=True),
    ),
)
def stft(
    input: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Any:
    """Return (..., frequencies, frames) of (..., n), at most one batch dimension; RuntimeError where sizes do not
    fit.
    """
    complex_input = is_complex(as_operand("stft", input)) or (window is not None and is_complex(window))
    if return_complex is None and not complex_input:
        raise error(RuntimeError, "missing-argument", "stft of a real signal needs return_complex=True (or False)")
    if input.ndim not in (1, 2):
        raise error(
            RuntimeError, "wrong-ndim", f"stft needs a signal or a batch of signals, got shape {shape_of(input)}"
        )
    step = _checked_step("stft", n_fft, hop_length)
    signal = input if input.ndim == 2 else input.unsqueeze(0)
    if center:
        signal = _padded(signal, n_fft // 2, pad_mode)
    if not 0 < n_fft <= shape_of(signal)[-1]:
        raise error(RuntimeError, "bad-argument", f"stft needs 0 < n_fft <= {shape_of(signal)[-1]}, got {n_fft}")
    weights = _window("stft", input, window, win_length, n_fft)
    frames = cut_frames(signal, size=int(n_fft), step=step)
    frames = frames if weights is None else frames * weights
    half = not complex_input if onesided is None else onesided
    made = mT((rfft if half else fft)(frames, norm="ortho" if normalized else None))
    made = made if input.ndim == 2 else made.squeeze(0)
    return made if return_complex or return_complex is None else _as_pairs(made)


def _as_pairs(x: Any) -> Any:
    from gradcli.ops.complex import view_as_real

    return view_as_real(x)


def _padded(signal: Any, width: int, mode: str) -> Any:
    """Return (b, n) with ``width`` values before and after."""
    from gradcli.ops.registry import find

    row = find("torch.nn.functional.pad")
    assert row is not None
    return row.function(signal.unsqueeze(0), (width, width), mode=mode).squeeze(0)


@op(
    "torch.istft",
    "istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, "
    "length=None, return_complex=False)",
    names="Tensor.istft",
    category="fft",
    doc="The signal of which input is the short-time transform: frames added where they overlap, divided by the sum "
    "of squared windows.",
    formula="the transform of the frames of g over the sum of squared windows",
    conventions="RuntimeError where the windows leave a gap",
    examples=("istft(stft(tensor([1., 2., 3., 4.]), 2, 1, return_complex=True), 2, 1)  #> [1., 2., 3., 4.]",),
    samples=(
        sample(Lit([[1.0, 0.5, 2.0], [0.5, 1.0, -1.0], [2.0, 0.25, 1.0]], "complex128"), 4, 2),
        sample(Lit([[1.0, 0.5, 2.0], [0.5, 1.0, -1.0]], "complex128"), 2, 1, length=3, normalized=True),
    ),
)
def istft(
    input: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Any:
    """Return (..., n) of (..., frequencies, frames), at most one batch dimension; RuntimeError where sizes do not
    fit.
    """
    if not is_complex(as_operand("istft", input)):
        raise error(RuntimeError, "dtype-mismatch", "istft needs the complex result of stft with return_complex=True")
    half = not return_complex if onesided is None else onesided
    if half and return_complex:
        raise error(
            RuntimeError, "bad-mode", "istft: half of the frequencies, onesided=True, are those of a real signal"
        )
    frequencies = n_fft // 2 + 1 if half else n_fft
    if input.ndim not in (2, 3) or shape_of(input)[-2] != frequencies:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"istft needs {frequencies} frequencies by frames, got shape {shape_of(input)}",
        )
    step = _checked_step("istft", n_fft, hop_length)
    weights = _window("istft", input, window, win_length, n_fft)
    norm = "ortho" if normalized else None
    spectrum = mT(input)
    # a real signal is read from the first half of its frequencies, even where all are given
    frames = ifft(spectrum, norm=norm) if return_complex else irfft(spectrum, n_fft, norm=norm)
    total = add_frames(frames if weights is None else frames * weights, step=step)
    cover = _cover(weights, frames, n_fft, step)
    start = n_fft // 2 if center else 0
    size = shape_of(total)[-1]
    end = start + length if length is not None else size - start
    total, cover = total[..., start:end], cover[start:end]
    if float(abs(cover.detach()).amin()) < 1e-11:
        raise error(
            RuntimeError,
            "window-gap",
            "istft: the windows leave a gap: the sum of their squares is 0 somewhere",
            hint="a smaller hop_length, or a window without zeros at its ends",
        )
    made = total / cover
    return made if length is None else resize(made, (*shape_of(made)[:-1], length))


def _cover(weights: Any, frames: Any, n_fft: int, step: int) -> Any:
    """Return the sum of the squared windows of all frames at each place."""
    count = shape_of(frames)[-2]
    if weights is None:
        kind = np.float32 if frames._element.itemsize == (8 if is_complex(frames) else 4) else np.float64
        weights = constant_like(frames, np.ones(n_fft, kind))
    return add_frames((weights * weights).expand(count, n_fft), step=step)

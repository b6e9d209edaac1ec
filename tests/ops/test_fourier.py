"""Fourier transforms: NumPy's values for each name and normalization, inverses, refusals, the short-time transform."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradcli as torch
from gradcli.autograd import Tensor, grad

RANDOM = np.random.default_rng(5)
REAL = RANDOM.standard_normal((3, 4, 5))
COMPLEX = REAL + 1j * RANDOM.standard_normal((3, 4, 5))


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_transforms_of_one_dimension_are_those_of_numpy(name: str, norm: Any) -> None:
    x = REAL if name in ("rfft", "ihfft") else COMPLEX
    for n, dim in ((None, -1), (3, 0), (7, 1)):
        want = getattr(np.fft, name)(x, n, dim, norm)
        np.testing.assert_allclose(getattr(torch.fft, name)(Tensor(x), n, dim, norm)._array, want, atol=1e-13)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
def test_transforms_of_several_dimensions_are_those_of_numpy(name: str) -> None:
    x = REAL if name == "rfft" else COMPLEX
    for s, dim in ((None, None), ((2, 6), None), ((4, 3), (0, 2)), (None, (2, 0))):
        axes = dim if s is None or dim is not None else (-2, -1)
        want = getattr(np.fft, name + "n")(x, s, axes)
        np.testing.assert_allclose(getattr(torch.fft, name + "n")(Tensor(x), s, dim)._array, want, atol=1e-13)
    want = getattr(np.fft, name + "2")(x)
    np.testing.assert_allclose(getattr(torch.fft, name + "2")(Tensor(x))._array, want, atol=1e-13)


def test_hermitian_transforms_undo_each_other() -> None:
    half = torch.fft.ihfftn(Tensor(REAL))
    np.testing.assert_allclose(torch.fft.hfftn(half, s=REAL.shape)._array, REAL, atol=1e-13)


def test_precision_and_whole_numbers() -> None:
    assert torch.fft.rfft(Tensor(REAL.astype(np.float32))).dtype is torch.complex64
    assert torch.fft.irfft(torch.fft.rfft(Tensor(REAL.astype(np.float32)))).dtype is torch.float32
    assert torch.fft.fft(torch.tensor([1, 2, 3])).dtype is torch.complex128


def test_refusals_of_transforms() -> None:
    x = Tensor(COMPLEX)
    for call, kind in (
        (lambda: torch.fft.rfft(x), RuntimeError),
        (lambda: torch.fft.fft(x, 0), RuntimeError),
        (lambda: torch.fft.fft(x, norm="half"), RuntimeError),
        (lambda: torch.fft.fftn(x, dim=(0, 0)), RuntimeError),
        (lambda: torch.fft.fft(x, dim=3), IndexError),
        (lambda: torch.fft.fft(torch.tensor(1.0)), IndexError),
        (lambda: torch.fft.irfft(torch.ones(1)), RuntimeError),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert caught.value.detail.code


def test_the_short_time_transform_undoes_itself_and_is_differentiable() -> None:
    signal = Tensor(RANDOM.standard_normal((2, 20))).requires_grad_()
    window = Tensor(np.array([0.5, 1.0, 1.0, 0.75])).requires_grad_()
    spectrum = torch.stft(signal, 4, 2, window=window, return_complex=True)
    again = torch.istft(spectrum, 4, 2, window=window, length=20)
    np.testing.assert_allclose(again._array, signal._array, atol=1e-13)
    weights = RANDOM.standard_normal((2, 20))
    to_signal, to_window = grad(again, [signal, window], Tensor(weights))
    np.testing.assert_allclose(to_signal._array, weights, atol=1e-12)  # the round trip is the identity
    np.testing.assert_allclose(to_window._array, 0, atol=1e-12)  # whatever the window is


def test_a_window_with_gaps_is_refused() -> None:
    spectrum = torch.stft(torch.ones(12), 4, 4, center=False, return_complex=True)
    with pytest.raises(RuntimeError, match="gap"):
        torch.istft(spectrum, 4, 4, window=torch.tensor([0.0, 1.0, 1.0, 0.0]), center=False)
    with pytest.raises(RuntimeError, match="return_complex"):
        torch.stft(torch.ones(12), 4)

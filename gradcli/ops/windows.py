"""Window functions: ``torch.hann_window`` and its like, and ``torch.signal.windows``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops import special_math
from gradcli.ops.create import finished, numpy_dtype
from gradcli.ops.row import op, sample

Array = np.ndarray[Any, Any]
_WORDS = "dtype=None, requires_grad=False"
_HANN, _HAMMING = (0.5, 0.5), (0.54, 0.46)
_BLACKMAN = (0.42, 0.5, 0.08)
_NUTTALL = (0.3635819, 0.4891775, 0.1365995, 0.0106411)


def _whole(name: str, count: Any) -> int:
    if not isinstance(count, int) or count < 0:
        raise error(RuntimeError, "bad-argument", f"{name} takes a length that is not negative, got {count!r}")
    return count


def _phases(count: int, symmetric: bool) -> Array:
    """Return ``count`` numbers from 0 to 1 (or to just before 1, for a window that is to be repeated)."""
    return np.arange(count) / max(count - 1 if symmetric else count, 1)


def _cosines(phase: Array, a: Iterable[float]) -> Array:
    """Return the sum of ``(-1)^k a_k cos(2 pi k phase)``."""
    total: Array = np.zeros_like(phase)
    for k, weight in enumerate(a):
        total = total + (-1) ** k * weight * np.cos(2 * math.pi * k * phase)
    return total


def _triangle(phase: Array) -> Array:
    return np.asarray(1 - np.abs(2 * phase - 1))


def _kaiser(phase: Array, beta: float) -> Array:
    inside = np.sqrt(np.maximum(1 - (2 * phase - 1) ** 2, 0))
    return special_math.i0(beta * inside) / special_math.i0(np.array(beta, np.float64))


def _made(values: Array, count: int, dtype: Any, requires_grad: bool) -> Tensor:
    kind = numpy_dtype(dtype)
    if kind.kind != "f":
        raise error(RuntimeError, "dtype-mismatch", f"a window needs a floating dtype, got {kind.name}")
    return finished((np.ones(count) if count == 1 else values).astype(kind), requires_grad)


# -- torch.NAME_window ------------------------------------------------------------------------------------------------
def _window(name: str, shape: Callable[..., Array], doc: str, example: str, extra: str = "") -> None:
    words = [w.split("=") for w in extra.split()]
    defaults = {word: float(value) for word, value in words}

    def window(
        window_length: int, periodic: bool = True, *given: float, dtype: Any = None, requires_grad: bool = False,
        device: Any = None, **named: float,
    ) -> Tensor:  # fmt: skip
        values = {**defaults, **dict(zip(defaults, given, strict=False)), **named}
        if unknown := set(values) - set(defaults):
            raise error(TypeError, "unknown-argument", f"{name} has no argument {sorted(unknown)[0]!r}")
        count = _whole(name, window_length)
        return _made(shape(_phases(count, not periodic), **values), count, dtype, requires_grad)

    window.__name__ = window.__qualname__ = name
    shown = "".join(f"{w}, " for w in extra.split())
    op(
        f"torch.{name}", f"{name}(window_length, periodic=True, {shown}*, {_WORDS})", category="creation",
        doc=f"{doc} A periodic window is one shorter than the symmetric one of the next length.",
        examples=(f"{name}(4)  #> {example}",), samples=(sample(5), sample(4, False), sample(1), sample(0)),
    )(window)  # fmt: skip


_window("hann_window", lambda p: _cosines(p, _HANN), "The Hann window.", "[0.0000, 0.5000, 1.0000, 0.5000]")
_window(
    "hamming_window", lambda p, alpha, beta: _cosines(p, (alpha, beta)), "The Hamming window.",
    "[0.0800, 0.5400, 1.0000, 0.5400]", "alpha=0.54 beta=0.46",
)  # fmt: skip
_window(
    "blackman_window", lambda p: _cosines(p, _BLACKMAN), "The Blackman window.", "[0.0000, 0.3400, 1.0000, 0.3400]"
)
_window("bartlett_window", _triangle, "The Bartlett (triangular) window.", "[0.0000, 0.5000, 1.0000, 0.5000]")
_window("kaiser_window", _kaiser, "The Kaiser window.", "[5.2773e-05, 2.1567e-01, 1.0000e+00, 2.1567e-01]", "beta=12.0")


# -- torch.signal.windows ---------------------------------------------------------------------------------------------
def _signal(name: str, shape: Callable[..., Array], doc: str, example: str, extra: str = "", call: str = "3") -> None:
    """Register a symmetric window; ``shape`` takes the indices, their phases in [0, 1] and the words of ``extra``."""
    pairs = [w.partition("=") for w in extra.split()]
    defaults = {word: None if value in ("", "None") else float(value) for word, _, value in pairs}

    def window(
        M: int, *, sym: bool = True, dtype: Any = None, requires_grad: bool = False, device: Any = None, **named: Any
    ) -> Tensor:
        if unknown := set(named) - set(defaults):
            raise error(TypeError, "unknown-argument", f"{name} has no argument {sorted(unknown)[0]!r}")
        count = _whole(name, M)
        longer = count if sym else count + 1
        values = shape(np.arange(count, dtype=np.float64), longer, **{**defaults, **named})
        return _made(values, count, dtype, requires_grad)

    window.__name__ = window.__qualname__ = name
    shown = "".join(f"{w}, " for w in extra.split())
    op(
        f"torch.signal.windows.{name}", f"{name}(M, *, {shown}sym=True, {_WORDS})", category="creation",
        doc=f"{doc} sym=False leaves the last number of the next longer one out.",
        examples=(f"signal.windows.{name}({call})  #> {example}",),
        samples=(sample(5), sample(4, sym=False), sample(1)) if "a" not in defaults else (sample(5, a=[0.5, 0.5]),),
    )(window)  # fmt: skip


def _by_phase(shape: Callable[..., Array]) -> Callable[..., Array]:
    return lambda n, count, **words: shape(n / max(count - 1, 1), **words)


def _gaussian(n: Array, count: int, std: float) -> Array:
    if not std > 0:
        raise error(ValueError, "bad-argument", f"gaussian needs std > 0, got {std}")
    return np.exp(-(((n - (count - 1) / 2) / (std * math.sqrt(2))) ** 2))


def _exponential(n: Array, count: int, center: float | None, tau: float) -> Array:
    if not tau > 0:
        raise error(ValueError, "bad-argument", f"exponential needs tau > 0, got {tau}")
    return np.exp(-np.abs(n - ((count - 1) / 2 if center is None else center)) / tau)


def _cosine(n: Array, count: int) -> Array:
    return np.sin((n + 0.5) * (math.pi / count))


_HALVES = "[0.0000, 1.0000, 0.0000]"
_signal("hann", _by_phase(lambda p: _cosines(p, _HANN)), "The Hann window.", "[0., 1., 0.]")
_signal("hamming", _by_phase(lambda p: _cosines(p, _HAMMING)), "The Hamming window.", "[0.0800, 1.0000, 0.0800]")
_signal("bartlett", _by_phase(_triangle), "The Bartlett (triangular) window.", "[0., 1., 0.]")
_signal("blackman", _by_phase(lambda p: _cosines(p, _BLACKMAN)), "The Blackman window.", _HALVES)
_signal(
    "nuttall", _by_phase(lambda p: _cosines(p, _NUTTALL)), "The minimum 4-term Blackman-Harris window, by Nuttall.",
    "[3.6280e-04, 1.0000e+00, 3.6280e-04]",
)  # fmt: skip
_signal(
    "kaiser", _by_phase(lambda p, beta: _kaiser(p, beta)), "The Kaiser window.", "[5.2773e-05, 1.0000, 5.2773e-05]",
    "beta=12.0",
)  # fmt: skip
_signal("cosine", _cosine, "Half a wave of the sine.", "[0.5000, 1.0000, 0.5000]")
_signal("gaussian", _gaussian, "The bell curve of the given standard deviation.", "[0.6065, 1.0000, 0.6065]", "std=1.0")
_signal(
    "exponential", _exponential, "e^(-|n - center| / tau), by default around the middle.", "[0.3679, 1.0000, 0.3679]",
    "center=None tau=1.0",
)  # fmt: skip
_signal(
    "general_hamming", _by_phase(lambda p, alpha: _cosines(p, (alpha, 1 - alpha))), "alpha - (1 - alpha) cos(2 pi n).",
    "[0.0800, 1.0000, 0.0800]", "alpha=0.54",
)  # fmt: skip
_signal(
    "general_cosine", _by_phase(lambda p, a: _cosines(p, a)), "The sum of (-1)^k a_k cos(2 pi k n).", _HALVES, "a",
    call="3, a=[0.5, 0.5]",
)  # fmt: skip

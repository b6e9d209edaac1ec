# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""``torch.signal.windows``."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int

from gradcli._typing import DTypeLike, TensorLike
from gradcli.autograd.tensor import Tensor

def bartlett(
    M: _int,
    *,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Bartlett (triangular) window."""

def blackman(
    M: _int,
    *,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Blackman window."""

def cosine(
    M: _int,
    *,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Half a wave of the sine."""

def exponential(
    M: _int,
    *,
    center: TensorLike | None = None,
    tau: _float = 1.0,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """e^(-|n - center| / tau), by default around the middle."""

def gaussian(
    M: _int,
    *,
    std: _float = 1.0,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The bell curve of the given standard deviation."""

def general_cosine(
    M: _int,
    *,
    a: TensorLike,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The sum of (-1)^k a_k cos(2 pi k n)."""

def general_hamming(
    M: _int,
    *,
    alpha: _float = 0.54,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """alpha - (1 - alpha) cos(2 pi n)."""

def hamming(
    M: _int,
    *,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Hamming window."""

def hann(
    M: _int,
    *,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Hann window."""

def kaiser(
    M: _int,
    *,
    beta: _float = 12.0,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Kaiser window."""

def nuttall(
    M: _int,
    *,
    sym: _bool = True,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The minimum 4-term Blackman-Harris window, by Nuttall."""

"""What rules of several families use, on raw arrays and on tensors alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted, NeedsLoop
from gradcli.autograd.tensor import Tensor

_ndarray = np.ndarray


def H(x: Any) -> Any:
    """Return the complex conjugate; a real value is returned as it is, at no cost.

    PyTorch's gradient of a real loss with respect to z is dL/dx + i dL/dy, so the rule of a holomorphic f multiplies by
    conj(f'(z)).
    """
    kind = x.__class__
    if kind is _ndarray:
        return x if x.dtype.kind != "c" else np.conj(x)
    if kind is float or kind is int:
        return x
    if isinstance(x, Tensor):
        return x if x._element.kind != "c" else x.conj()
    return x.conjugate() if isinstance(x, (complex, np.complexfloating)) else x


def is_tensor(x: Any) -> bool:
    """Return whether ``x`` is a tensor (and not a raw array or a number)."""
    return isinstance(x, Tensor)


def element(x: Any) -> Any:
    """Return the NumPy dtype of a tensor or array; unlike ``raw(x).dtype`` it is known of a batch too."""
    return x._element if isinstance(x, Tensor) else x.dtype


def raw(x: Any) -> Any:
    """Return the array behind a tensor, or ``x`` itself: for what a rule reads as a constant (masks, indices)."""
    return x._array if isinstance(x, Tensor) else x


def is_batch(x: Any) -> bool:
    """Return whether ``x`` holds the samples of a vmap, so that there is no one array behind it."""
    if not isinstance(x, Lifted):
        return False
    try:
        return x._array is None
    except NeedsLoop:
        return True


def fixed(x: Any) -> Any:
    """Return what a rule reads as a constant: the array behind a tensor, or a batch as a tensor without a graph.

    What is done with it (comparisons, operators, ``keep``) must run on both.
    """
    if not isinstance(x, Tensor):
        return x
    if not is_batch(x):
        return x._array
    from gradcli.autograd.batched import constant_of

    return constant_of(x)


def everything(x: Any) -> Any:
    """Return the array of a tensor, with all samples of a batch: for checks that hold for each element."""
    while isinstance(x, Lifted):
        x = x._value
    return x._array if isinstance(x, Tensor) else x


def axis_of(dim: int, ndim: int) -> int:
    """Return ``dim`` counted from the front; IndexError where the tensor has no such dimension (a 0-d tensor has dim
    0).
    """
    if dim.__class__ is int and 0 <= dim < ndim:
        return dim
    n = max(ndim, 1)
    if not hasattr(dim, "__index__"):
        raise error(TypeError, "dim-not-an-integer", f"a dim is an integer, got {dim!r}")
    dim = dim.__index__()
    if not -n <= dim < n:
        raise error(
            IndexError,
            "dim-out-of-range",
            f"dim {dim} is out of range for a tensor of {ndim} dimensions",
            hint=f"dims go from {-n} to {n - 1}",
        )
    return dim % n


def axes_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes named by ``dim``: None or () for all, an int, or a sequence without repeats."""
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    if isinstance(dim, (tuple, list)):
        axes = tuple(axis_of(d, ndim) for d in dim)
        if len(set(axes)) != len(axes):
            raise error(RuntimeError, "dim-twice", f"dim {tuple(dim)} names one dimension twice")
        return axes if ndim else ()
    axis = axis_of(dim, ndim)
    return (axis,) if ndim else ()

"""Norms of matrices and condition numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import as_dtype
from gradcli.autograd.errors import error
from gradcli.ops.common import axis_of, element, everything
from gradcli.ops.linalg import inv_ex
from gradcli.ops.matrix import as_operand, check_matrix, check_square, shape_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.svd import svdvals

_LINEAR = "linear algebra"
_A = [[2.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, 0.25, 2.5]]
_TWO = [[[2.0, 1.0], [0.5, 3.0]], [[1.0, -0.5], [1.0, 2.0]]]
_WIDE = [[1.0, 2.0, -0.25], [0.5, -1.0, 1.5]]


def _vector_norm(*args: Any, **kwargs: Any) -> Any:
    from gradcli.ops.norms import vector_norm

    return vector_norm(*args, **kwargs)


@op(
    "torch.linalg.norm",
    "linalg.norm(A, ord=None, dim=None, keepdim=False, *, dtype=None)",
    category=_LINEAR,
    doc="A vector norm over all entries (ord=None), over one dim, or of a vector; a matrix norm for two dims or a "
    "matrix with ord.",
    formula="as of linalg.vector_norm and linalg.matrix_norm",
    conventions="the gradient of the 2-norm at zero is 0",
    examples=("linalg.norm(tensor([3., 4.]))  #> 5.", "linalg.norm(tensor([[3., 0.], [0., 4.]]), 'nuc')  #> 7."),
    samples=(
        sample(T(2, 3)),
        sample(T(3), 1),
        sample(Lit(_WIDE), "nuc"),
        sample(Lit(_WIDE), 2),
        sample(T(2, 3), 3, dim=1),
        sample(Lit(_TWO), "fro", dim=(1, 2), keepdim=True),
        sample(T(2, 3), dim=(0, 1)),
    ),
    numpy_words=True,
)
def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the norm over ``dim``; RuntimeError for a dtype that is not floating, or ord without dim above 2
    dimensions.
    """
    as_operand("linalg.norm", A)
    dims = (dim,) if isinstance(dim, int) else None if dim is None else tuple(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise error(
            RuntimeError,
            "bad-dim",
            f"linalg.norm takes one dim or two, got {dims}",
            hint="linalg.vector_norm takes any",
        )
    if dims is None and ord is not None and A.ndim > 2:
        raise error(
            RuntimeError,
            "wrong-ndim",
            f"linalg.norm with ord needs dim for a tensor of {A.ndim} dimensions",
            hint="dim=1 for vector norms, dim=(-2, -1) for matrix norms",
        )
    if dims is None and ord is not None and A.ndim == 2:
        dims = (-2, -1)
    if ord is None or dims is None or len(dims) == 1:
        if isinstance(ord, str):
            raise error(RuntimeError, "bad-mode", f"linalg.norm: {ord!r} is a norm of matrices, this is a vector")
        return _vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    return matrix_norm(A, ord, dims, keepdim, dtype=dtype)


@op(
    "torch.linalg.matrix_norm",
    "linalg.matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None)",
    category=_LINEAR,
    doc="A norm of matrices: 'fro' (Frobenius), 'nuc' (sum of singular values), 2 and -2 (largest, smallest singular "
    "value), "
    "1 and -1 (largest, smallest column sum of absolute values), inf and -inf (of rows).",
    formula="as of the singular values, or of the sums",
    conventions="equal largest values share the gradient",
    examples=(
        "linalg.matrix_norm(tensor([[3., 0.], [0., 4.]]))  #> 5.",
        "linalg.matrix_norm(tensor([[1., -2.], [3., 4.]]), 1)  #> 6.",
    ),
    samples=(
        sample(T(2, 3)),
        sample(Lit(_WIDE), 1),
        sample(Lit(_WIDE), -1),
        sample(Lit(_WIDE), math.inf),
        sample(Lit(_WIDE), 2),
        sample(Lit(_WIDE), -2),
        sample(Lit(_WIDE), "nuc"),
        sample(Lit(_TWO), 1, (0, 2)),
        sample(Lit(_TWO), "nuc", (0, 1), True),
    ),
    numpy_words=True,
)
def matrix_norm(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the norms over a pair of dims; RuntimeError unless floating, for equal dims or an unknown ord."""
    check_matrix("linalg.matrix_norm", A)
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise error(RuntimeError, "bad-dim", f"linalg.matrix_norm needs a pair of dims, got {dim!r}")
    first, second = (axis_of(d, A.ndim) for d in dim)
    if first == second:
        raise error(RuntimeError, "dim-twice", f"linalg.matrix_norm got dim {dim[0]} twice")
    if dtype is not None:
        _check_widening(A, dtype)
        A = A.to(dtype)
    if ord == "fro":
        return _vector_norm(A, 2, (first, second), keepdim)
    if ord in (1, -1, math.inf, -math.inf):
        if abs(ord) != 1:
            first, second = second, first
        sums = _vector_norm(A, 1, first, True)
        extreme = sums.amax(second, keepdim=True) if ord > 0 else sums.amin(second, keepdim=True)
        return extreme if keepdim else _dropped(extreme, first, second)
    if ord not in ("nuc", 2, -2):
        raise error(
            RuntimeError,
            "bad-mode",
            f"linalg.matrix_norm has no order {ord!r}",
            hint="orders: 'fro', 'nuc', 2, -2, 1, -1, inf, -inf",
        )
    return _spectral(A, ord, first, second, keepdim)


def _check_widening(A: Any, dtype: Any) -> None:
    """Raise RuntimeError where computing in ``dtype`` would lose digits or imaginary parts of ``A``."""
    if not np.can_cast(element(A), as_dtype(dtype).numpy, "safe"):
        raise error(
            RuntimeError,
            "dtype-mismatch",
            f"linalg.matrix_norm of {element(A)} cannot be computed in {as_dtype(dtype)}",
        )


def _dropped(x: Any, first: int, second: int) -> Any:
    return x.reshape(tuple(n for i, n in enumerate(shape_of(x)) if i not in (first, second)))


def _spectral(A: Any, ord: Any, first: int, second: int, keepdim: bool) -> Any:
    """Return a norm defined by singular values."""
    rest = [i for i in range(A.ndim) if i not in (first, second)]
    values = svdvals(A.permute(*rest, first, second))
    made = values.sum(-1) if ord == "nuc" else values.amax(-1) if ord == 2 else values.amin(-1)
    return made.reshape(tuple(1 if i in (first, second) else n for i, n in enumerate(shape_of(A)))) if keepdim else made


@op(
    "torch.linalg.cond",
    "linalg.cond(A, p=None)",
    category=_LINEAR,
    doc="The condition number: largest over smallest singular value (p=None or 2, the inverse for -2), or norm(A, p) * "
    "norm(inv(A), p).",
    formula="as of its parts",
    conventions="inf for a singular matrix; p='fro' and 'nuc' differentiate too (PyTorch's backward fails)",
    examples=("linalg.cond(tensor([[4., 0.], [0., 2.]]))  #> 2.",),
    samples=(
        sample(Lit(_A)),
        sample(Lit(_WIDE)),
        sample(Lit(_A), -2),
        sample(Lit(_A), 1),
        sample(Lit(_TWO), "fro"),
        sample(Lit(_A), "nuc"),
    ),
)
def cond(A: Any, p: Any = None) -> Any:
    """Return (...) of (..., m, n), square unless p is 2 or -2; RuntimeError otherwise."""
    if p in (None, 2, -2):
        check_matrix("linalg.cond", A)
        values = svdvals(A)
        if not shape_of(values)[-1]:
            return values.sum(-1)
        largest, smallest = values[..., 0], values[..., -1]
        return smallest / largest if p == -2 else largest / smallest
    check_square("linalg.cond", A)
    found = inv_ex(A)
    inverse_norm = matrix_norm(found.inverse, p)
    bad = found.info != 0
    product = matrix_norm(A, p) * (inverse_norm.masked_fill(bad, math.inf) if everything(bad).any() else inverse_norm)
    return product.nan_to_num(math.inf, math.inf, -math.inf)

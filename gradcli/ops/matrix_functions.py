"""Powers and the exponential of matrices, matrices of powers, and tensors seen as matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of, element, everything
from gradcli.ops.linalg import inv, inverse, solve
from gradcli.ops.matrix import LEADING, as_operand, check_float, check_square, column, concatenated, mH, shape_of
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"
_A = [[2.0, 1.0, 0.5], [0.5, 3.0, -1.0], [1.0, 0.25, 2.5]]
_TWO = [[[2.0, 1.0], [0.5, 3.0]], [[1.0, -0.5], [1.0, 2.0]]]


# -- powers and the exponential ---------------------------------------------------------------------------------------
def _identity(input: Any) -> Any:
    return np.array(np.broadcast_to(np.eye(input.shape[-1], dtype=input.dtype), input.shape))


_zeroth_power = Primitive("matrix_power", _identity, {"input": lambda g: g * 0}, node="CopyBackwards", batch=LEADING)


@op(
    "torch.linalg.matrix_power",
    "linalg.matrix_power(A, n)",
    names="torch.matrix_power Tensor.matrix_power",
    category=_LINEAR,
    doc="The n-th power of a square matrix; a negative n is a power of the inverse.",
    formula="as of the products",
    conventions="n=0 gives the identity, with gradient 0",
    examples=("linalg.matrix_power(tensor([[1., 1.], [0., 1.]]), 3)  #> [[1., 3.], [0., 1.]]",),
    samples=(sample(Lit(_A), 3), sample(Lit(_A), 0), sample(Lit(_A), 1), sample(Lit(_TWO), -2), sample(T(2, 2), 5)),
)
def matrix_power(A: Any, n: int) -> Any:
    """Return (..., k, k); RuntimeError unless square, TypeError unless n is an integer, LinAlgError if n < 0 and
    singular.
    """
    as_operand("linalg.matrix_power", A)
    if A.ndim < 2 or shape_of(A)[-1] != shape_of(A)[-2]:
        raise error(RuntimeError, "not-square", f"linalg.matrix_power needs square matrices, got shape {shape_of(A)}")
    if not isinstance(n, int):
        raise error(
            TypeError,
            "bad-argument",
            f"linalg.matrix_power takes an integer n, got {n!r}",
            hint="linalg.eigh gives functions of symmetric matrices",
        )
    if n == 0:
        return _zeroth_power(A)
    if n < 0:
        check_square("linalg.matrix_power", A)
        return matrix_power(inverse(A), -n)
    if n == 1:
        return A.clone()
    if n == 3:
        return (A @ A) @ A
    result, square = None, None
    while n:
        square = A if square is None else square @ square
        if n % 2:
            result = square if result is None else result @ square
        n //= 2
    return result


_PADE = (
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
)
_THETA = 5.371920351148152  # below this norm the approximant of degree 13 is exact to rounding (Higham 2005)


def expm(A: Any) -> Any:
    """Return the exponential of an array (..., n, n): scaling, Pade approximant of degree 13, squaring (Higham
    2005).
    """
    n = A.shape[-1]
    flat = A.reshape(math.prod(A.shape[:-2]), n, n)
    out = np.full_like(flat, np.nan)
    sizes = abs(flat).sum(axis=-2).max(axis=-1) if n else np.zeros(len(flat))
    finite = np.isfinite(sizes)
    halvings = np.zeros(len(flat), int)
    large = finite & (sizes > _THETA)
    halvings[large] = np.ceil(np.log2(sizes[large] / _THETA)).astype(int)
    for s in np.unique(halvings[finite]):
        chosen = finite & (halvings == s)
        made = _pade(flat[chosen] / flat.dtype.type(2.0**s))
        for _ in range(s):
            made = made @ made
        out[chosen] = made
    return out.reshape(A.shape)


def _pade(A: Any) -> Any:
    c = [A.dtype.type(x) for x in _PADE]
    eye = np.eye(A.shape[-1], dtype=A.dtype)
    A2 = A @ A
    A4 = A2 @ A2
    A6 = A2 @ A4
    odd = A @ (A6 @ (c[13] * A6 + c[11] * A4 + c[9] * A2) + c[7] * A6 + c[5] * A4 + c[3] * A2 + c[1] * eye)
    even = A6 @ (c[12] * A6 + c[10] * A4 + c[8] * A2) + c[6] * A6 + c[4] * A4 + c[2] * A2 + c[0] * eye
    return np.linalg.solve(even - odd, even + odd)


def _exponential(A: Any) -> Any:
    return expm(A)


def _exponential_rule(g: Any, A: Any) -> Any:
    """Return the derivative of exp at A^H along g: the corner of exp([[A^H, g], [0, A^H]]), g scaled to a norm of 1."""
    n = shape_of(A)[-1]
    size = float(abs(everything(g)).max()) if everything(g).size else 0.0
    scale = size if math.isfinite(size) and size > 0 else 1.0
    turned = mH(A)
    block = concatenated([concatenated([turned, g / scale], -1), concatenated([turned * 0, turned], -1)], -2)
    return exponential_primitive(block)[..., :n, n:] * scale


exponential_primitive = Primitive("linalg_matrix_exp", _exponential, {"A": _exponential_rule}, batch=LEADING)


@op(
    "torch.linalg.matrix_exp",
    "linalg.matrix_exp(A)",
    names="torch.matrix_exp Tensor.matrix_exp",
    category=_LINEAR,
    doc="The exponential of a square matrix, I + A + A^2/2 + ...",
    formula="the derivative of exp at A^H along g",
    examples=("linalg.matrix_exp(tensor([[0., 1.], [0., 0.]]))  #> [[1.0000, 1.0000], [0.0000, 1.0000]]",),
    samples=(
        sample(T(3, 3)),
        sample(T(2, 2, 2)),
        sample(T(1, 1)),
        sample(Lit([[4.0, 9.0], [-2.0, 3.0]])),
        sample(T(0, 0)),
    ),
)
def matrix_exp(A: Any) -> Any:
    """Return (..., n, n); RuntimeError unless square and floating or complex."""
    check_square("linalg.matrix_exp", A)
    return exponential_primitive(A)


# -- from vectors, by index -------------------------------------------------------------------------------------------
@op(
    "torch.linalg.vander",
    "linalg.vander(x, *, N=None)",
    category=_LINEAR,
    doc="Rows of powers 1, x, x^2, ... of each entry of a vector, N of them (as many as entries by default).",
    formula="as of cumprod",
    examples=("linalg.vander(tensor([2., 3.]), N=3)  #> [[1., 2., 4.], [1., 3., 9.]]",),
    samples=(sample(T(3)), sample(T(2, 2), N=4), sample(T(3), N=2)),
)
def linalg_vander(x: Any, *, N: int | None = None) -> Any:
    """Return (..., n, N) of (..., n); RuntimeError for a 0-d tensor or N below 2."""
    as_operand("linalg.vander", x)
    if not x.ndim:
        raise error(RuntimeError, "wrong-ndim", "linalg.vander needs a vector, or a batch of them; got a 0-d tensor")
    count = shape_of(x)[-1] if N is None else int(N)
    if count <= 1:
        raise error(RuntimeError, "bad-argument", f"linalg.vander needs N above 1, got {count}")
    kind = np.dtype(np.int64) if element(x).kind in "biu" else element(x)
    powers = column(x).expand(*shape_of(x), count - 1).cumprod(-1)
    return concatenated([Tensor(np.ones((*shape_of(x), 1), kind)), powers], -1)


@op(
    "torch.vander",
    "vander(x, N=None, increasing=False)",
    category=_LINEAR,
    doc="Rows of powers of each entry of a vector, falling unless increasing=True.",
    formula="as of cumprod",
    conventions="differentiable, also where PyTorch's backward fails",
    examples=("vander(tensor([2., 3.]), 3)  #> [[4., 2., 1.], [9., 3., 1.]]",),
    samples=(sample(T(3)), sample(T(3), 2, increasing=True)),
)
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Return (n, N) of (n,); RuntimeError unless a vector, or for a negative N."""
    if as_operand("vander", x).ndim != 1:
        raise error(RuntimeError, "wrong-ndim", f"vander needs a vector, got shape {shape_of(x)}")
    count = shape_of(x)[0] if N is None else int(N)
    if count < 0:
        raise error(RuntimeError, "bad-argument", f"vander needs N of at least 0, got {N}")
    if count > 1:
        made = linalg_vander(x, N=count)
    else:
        kind = np.dtype(np.int64) if element(x).kind in "biu" else element(x)
        made = Tensor(np.ones((shape_of(x)[0], count), kind))
    return made if increasing else made.flip(-1)


@op(
    "torch.linalg.tensorinv",
    "linalg.tensorinv(A, ind=2)",
    category=_LINEAR,
    doc="The inverse of a tensor seen as a matrix from its last dimensions to its first ind.",
    formula="as of linalg.inv",
    examples=("linalg.tensorinv(tensor([[2., 0.], [0., 4.]]), ind=1)  #> [[0.5, 0.], [0., 0.25]]",),
    samples=(
        sample(
            Lit(
                [
                    [[1.0, 0.0], [0.5, 1.0]],
                    [[2.0, 0.5], [0.0, 1.0]],
                    [[0.0, 1.5], [1.0, 0.25]],
                    [[1.0, -1.0], [0.5, 0.5]],
                ]
            ),
            ind=1,
        ),
    ),
)
def tensorinv(A: Any, ind: int = 2) -> Any:
    """Return A.shape[ind:] + A.shape[:ind]; RuntimeError unless both parts have as many entries, LinAlgError if
    singular.
    """
    check_float("linalg.tensorinv", as_operand("linalg.tensorinv", A))
    if ind <= 0:
        raise error(RuntimeError, "bad-argument", f"linalg.tensorinv needs ind above 0, got {ind}")
    first, second = shape_of(A)[:ind], shape_of(A)[ind:]
    rows, columns = math.prod(first), math.prod(second)
    if rows != columns:
        raise error(
            RuntimeError,
            "not-square",
            f"linalg.tensorinv needs as many entries before ind as after, got {rows} and {columns} "
            f"(shape {shape_of(A)}, ind={ind})",
        )
    return inv(A.reshape(rows, columns)).reshape(second + first)


@op(
    "torch.linalg.tensorsolve",
    "linalg.tensorsolve(A, B, dims=None)",
    category=_LINEAR,
    doc="The X with tensordot(A, X, X.ndim) = B; dims of A are moved to its end first.",
    formula="as of linalg.solve",
    examples=("linalg.tensorsolve(tensor([[2., 0.], [0., 4.]]), tensor([2., 4.]))  #> [1., 1.]",),
    samples=(
        sample(
            Lit(
                [
                    [[1.0, 0.0], [0.5, 1.0]],
                    [[2.0, 0.5], [0.0, 1.0]],
                    [[0.0, 1.5], [1.0, 0.25]],
                    [[1.0, -1.0], [0.5, 0.5]],
                ]
            ),
            T(4),
        ),
    ),
)
def tensorsolve(A: Any, B: Any, dims: Any = None) -> Any:
    """Return A.shape[B.ndim:]; RuntimeError unless both parts of A have as many entries, LinAlgError if singular."""
    as_operand("linalg.tensorsolve", A)
    as_operand("linalg.tensorsolve", B)
    if dims is not None:
        moved = [axis_of(d, A.ndim) for d in ((dims,) if isinstance(dims, int) else dims)]
        A = A.permute(*(i for i in range(A.ndim) if i not in moved), *moved)
    shape = shape_of(A)[B.ndim :]
    rows, columns = math.prod(shape_of(A)[: B.ndim]), math.prod(shape)
    if rows != columns or rows != math.prod(shape_of(B)):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"linalg.tensorsolve needs an A with as many entries in the dimensions of B as in the "
            f"rest, got shapes {shape_of(A)} and {shape_of(B)}",
        )
    return solve(A.reshape(rows, columns), B.reshape(rows)).reshape(shape)


@op(
    "torch.linalg.diagonal",
    "linalg.diagonal(A, *, offset=0, dim1=-2, dim2=-1)",
    category=_LINEAR,
    doc="The diagonals of the last two dimensions, as the last dimension of the result.",
    formula="g on the diagonal, 0 elsewhere",
    examples=("linalg.diagonal(tensor([[1., 2.], [3., 4.]]))  #> [1., 4.]",),
    samples=(sample(T(2, 3)), sample(T(2, 2, 3), offset=1)),
)
def linalg_diagonal(A: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Return a view (..., k); IndexError for a dimension that is not there."""
    return as_operand("linalg.diagonal", A).diagonal(offset, dim1, dim2)

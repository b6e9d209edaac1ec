# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""``torch.linalg``."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence

from gradcli._typing import (
    PLU,
    QR,
    Dims,
    DTypeLike,
    EigenvaluesEigenvectors,
    InverseInfo,
    LDPivots,
    LInfo,
    LUPivots,
    LUPivotsInfo,
    ResultInfo,
    SignLogabsdet,
    SolutionResidualsRankSingularValues,
    TensorLike,
    USVh,
)
from gradcli.autograd.errors import LinAlgError as LinAlgError
from gradcli.autograd.tensor import Tensor

def cholesky(A: TensorLike, *, upper: _bool = False, out: Tensor | None = None) -> Tensor:
    """The lower triangular L with A = L L^H (or the upper U with A = U^H U) of a positive definite matrix."""

def cholesky_ex(A: TensorLike, *, upper: _bool = False, check_errors: _bool = False) -> LInfo:
    """The Cholesky factor and, for each matrix, 0 or the order of the leading minor that is not positive."""

def cond(A: TensorLike, p: _float | _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The condition number: largest over smallest singular value (p=None or 2, the inverse for -2), or norm(A, ..."""

def cross(input: TensorLike, other: TensorLike, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The vector product along a dimension of size 3."""

def det(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The determinant of a square matrix, or of each of a batch."""

def diagonal(A: TensorLike, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1, out: Tensor | None = None) -> Tensor:
    """The diagonals of the last two dimensions, as the last dimension of the result."""

def eig(A: TensorLike) -> EigenvaluesEigenvectors:
    """Complex eigenvalues and eigenvectors (columns of length 1) of a square matrix, in LAPACK's order."""

def eigh(A: TensorLike, UPLO: _str = 'L') -> EigenvaluesEigenvectors:
    """Eigenvalues, rising, and orthonormal eigenvectors (columns) of a symmetric or Hermitian matrix."""

def eigvals(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Complex eigenvalues of a square matrix, in LAPACK's order."""

def eigvalsh(A: TensorLike, UPLO: _str = 'L', *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues, rising, of a symmetric or Hermitian matrix."""

def householder_product(A: TensorLike, tau: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The first columns of the product of reflections whose vectors are the columns of A below the diagonal."""

def inv(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix, or of each of a batch."""

def inv_ex(A: TensorLike, *, check_errors: _bool = False) -> InverseInfo:
    """The inverse and, for each matrix, 0 or the place (from 1) of the zero pivot that stopped it."""

def ldl_factor(A: TensorLike, *, hermitian: _bool = False) -> LDPivots:
    """The factors L and D of a symmetric (or Hermitian) matrix in one lower triangle, with the exchanges."""

def ldl_solve(
    LD: TensorLike,
    pivots: TensorLike,
    B: TensorLike,
    *,
    hermitian: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The solution X of A X = B from the factors of linalg.ldl_factor."""

def lstsq(
    A: TensorLike,
    B: TensorLike,
    rcond: _float | Tensor | None = None,
    *,
    driver: _str | None = None,
) -> SolutionResidualsRankSingularValues:
    """The X of least |A X - B|, and of least |X| where there are several."""

def lu(A: TensorLike, *, pivot: _bool = True) -> PLU:
    """P, L, U with A = P L U: a permutation, a lower triangle with ones on its diagonal, an upper triangle."""

def lu_factor(A: TensorLike, *, pivot: _bool = True) -> LUPivots:
    """The factors L (below the diagonal) and U of A = P L U in one matrix, with the row exchanges."""

def lu_factor_ex(A: TensorLike, *, pivot: _bool = True, check_errors: _bool = False) -> LUPivotsInfo:
    """linalg.lu_factor with, for each matrix, 0 or the place (from 1) of the first zero pivot."""

def lu_solve(
    LU: TensorLike,
    pivots: TensorLike,
    B: TensorLike,
    *,
    left: _bool = True,
    adjoint: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The solution of A X = B (X A = B with left=False, A^H X = B with adjoint=True) from the factors of A."""

def matmul(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The operator @: vector times vector, matrix times vector, matrix times matrix, or batches of these."""

def matrix_exp(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The exponential of a square matrix, I + A + A^2/2 + ..."""

def matrix_norm(
    A: TensorLike,
    ord: _float | _str = 'fro',
    dim: Dims = (-2, -1),
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """A norm of matrices: 'fro' (Frobenius), 'nuc' (sum of singular values), 2 and -2 (largest, smallest ..."""

def matrix_power(A: TensorLike, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The n-th power of a square matrix."""

def matrix_rank(
    A: TensorLike,
    tol: _float | Tensor | None = None,
    hermitian: _bool = False,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The number of singular values above max(atol, rtol * largest)."""

def multi_dot(tensors: Sequence[TensorLike], *, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices in the order of fewest multiplications."""

def norm(
    A: TensorLike,
    ord: _float | _str | None = None,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """A vector norm over all entries (ord=None), over one dim, or of a vector."""

def pinv(
    A: TensorLike,
    rcond: _float | Tensor | None = None,
    hermitian: _bool = False,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The pseudoinverse (Moore-Penrose) of a matrix of any shape and rank."""

def qr(A: TensorLike, mode: _str | _bool = 'reduced') -> QR:
    """Q with orthonormal columns and upper triangular R with A = Q R."""

def slogdet(A: TensorLike) -> SignLogabsdet:
    """The sign and the logarithm of the absolute value of the determinant, which do not overflow."""

def solve(A: TensorLike, B: TensorLike, *, left: _bool = True, out: Tensor | None = None) -> Tensor:
    """The solution X of A X = B, or of X A = B with left=False."""

def solve_ex(A: TensorLike, B: TensorLike, *, left: _bool = True, check_errors: _bool = False) -> ResultInfo:
    """The solution of A X = B and, for each matrix, 0 or the place (from 1) of the zero pivot that stopped it."""

def solve_triangular(
    A: TensorLike,
    B: TensorLike,
    *,
    upper: _bool,
    left: _bool = True,
    unitriangular: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The solution X of A X = B, or of X A = B with left=False, where A is triangular."""

def svd(A: TensorLike, full_matrices: _bool = True) -> USVh:
    """U, S, Vh with A = U diag(S) Vh: singular vectors (columns of U, rows of Vh) and falling singular values."""

def svdvals(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The singular values of a matrix, falling."""

def tensorinv(A: TensorLike, ind: _int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a tensor seen as a matrix from its last dimensions to its first ind."""

def tensorsolve(
    A: TensorLike,
    B: TensorLike,
    dims: Sequence[_int] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The X with tensordot(A, X, X.ndim) = B."""

def vander(x: TensorLike, *, N: _int | None = None, out: Tensor | None = None) -> Tensor:
    """Rows of powers 1, x, x^2, ..."""

def vecdot(x: TensorLike, y: TensorLike, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The sum of conj(x) * y along a dimension."""

def vector_norm(
    x: TensorLike,
    ord: _float | _str = 2,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of order ord of all elements, or over dim: (sum |x|^ord)^(1/ord), largest size for inf, count for 0."""

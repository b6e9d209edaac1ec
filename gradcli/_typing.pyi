# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""Types of arguments and results, and the methods of tensors; for type checkers alone."""

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from gradcli.autograd.dtypes import DType as _DType
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor
from gradcli.ops.generator import Generator as _Generator

TensorLike: TypeAlias = Tensor | _complex | np.ndarray[Any, Any] | np.generic | list[Any] | tuple[Any, ...]
Dims: TypeAlias = _int | Sequence[_int]
DTypeLike: TypeAlias = _DType | type[Any] | np.dtype[Any]
Index: TypeAlias = (
    _int | slice | EllipsisType | Tensor | np.ndarray[Any, Any] | list[Any] | tuple[Any, ...] | None
)

class ATau(NamedTuple):
    """The fields a, tau."""

    a: Tensor
    tau: Tensor

class EigenvaluesEigenvectors(NamedTuple):
    """The fields eigenvalues, eigenvectors."""

    eigenvalues: Tensor
    eigenvectors: Tensor

class HistBinEdges(NamedTuple):
    """The fields hist, bin_edges."""

    hist: Tensor
    bin_edges: Tensor

class InverseInfo(NamedTuple):
    """The fields inverse, info."""

    inverse: Tensor
    info: Tensor

class LDPivots(NamedTuple):
    """The fields LD, pivots."""

    LD: Tensor
    pivots: Tensor

class LInfo(NamedTuple):
    """The fields L, info."""

    L: Tensor
    info: Tensor

class LUPivots(NamedTuple):
    """The fields LU, pivots."""

    LU: Tensor
    pivots: Tensor

class LUPivotsInfo(NamedTuple):
    """The fields LU, pivots, info."""

    LU: Tensor
    pivots: Tensor
    info: Tensor

class MantissaExponent(NamedTuple):
    """The fields mantissa, exponent."""

    mantissa: Tensor
    exponent: Tensor

class MinMax(NamedTuple):
    """The fields min, max."""

    min: Tensor
    max: Tensor

class PLU(NamedTuple):
    """The fields P, L, U."""

    P: Tensor
    L: Tensor
    U: Tensor

class QR(NamedTuple):
    """The fields Q, R."""

    Q: Tensor
    R: Tensor

class ResultInfo(NamedTuple):
    """The fields result, info."""

    result: Tensor
    info: Tensor

class SignLogabsdet(NamedTuple):
    """The fields sign, logabsdet."""

    sign: Tensor
    logabsdet: Tensor

class SolutionClonedCoefficient(NamedTuple):
    """The fields solution, cloned_coefficient."""

    solution: Tensor
    cloned_coefficient: Tensor

class SolutionResidualsRankSingularValues(NamedTuple):
    """The fields solution, residuals, rank, singular_values."""

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor

class USV(NamedTuple):
    """The fields U, S, V."""

    U: Tensor
    S: Tensor
    V: Tensor

class USVh(NamedTuple):
    """The fields U, S, Vh."""

    U: Tensor
    S: Tensor
    Vh: Tensor

class ValuesIndices(NamedTuple):
    """The fields values, indices."""

    values: Tensor
    indices: Tensor

class Methods:
    """The methods, operators and properties that the operations give to tensors."""

    @property
    def H(self) -> Tensor:
        """The conjugate transpose of a matrix."""
    @property
    def T(self) -> Tensor:
        """A view with all dimensions in reverse order: the transpose of a matrix."""
    def abs(self) -> Tensor:
        """The absolute value of each element, the modulus where complex."""
    def abs_(self) -> Tensor:
        """The absolute value of each element, the modulus where complex."""
    def absolute(self) -> Tensor:
        """The absolute value of each element, the modulus where complex."""
    def absolute_(self) -> Tensor:
        """The absolute value of each element, the modulus where complex."""
    def acos(self) -> Tensor:
        """The inverse cosine, in [0, pi]."""
    def acos_(self) -> Tensor:
        """The inverse cosine, in [0, pi]."""
    def acosh(self) -> Tensor:
        """The inverse hyperbolic cosine, for x >= 1."""
    def acosh_(self) -> Tensor:
        """The inverse hyperbolic cosine, for x >= 1."""
    def add(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The sum input + alpha * other, broadcast."""
    def add_(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The sum input + alpha * other, broadcast."""
    def addbmm(self, batch1: TensorLike, batch2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * the sum of the products of all pairs of matrices of two batches."""
    def addbmm_(self, batch1: TensorLike, batch2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * the sum of the products of all pairs of matrices of two batches."""
    def addcdiv(self, tensor1: TensorLike, tensor2: TensorLike, *, value: TensorLike = 1) -> Tensor:
        """input + value * tensor1 / tensor2, broadcast."""
    def addcdiv_(self, tensor1: TensorLike, tensor2: TensorLike, *, value: TensorLike = 1) -> Tensor:
        """input + value * tensor1 / tensor2, broadcast."""
    def addcmul(self, tensor1: TensorLike, tensor2: TensorLike, *, value: TensorLike = 1) -> Tensor:
        """input + value * tensor1 * tensor2, broadcast."""
    def addcmul_(self, tensor1: TensorLike, tensor2: TensorLike, *, value: TensorLike = 1) -> Tensor:
        """input + value * tensor1 * tensor2, broadcast."""
    def addmm(self, mat1: TensorLike, mat2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * (mat1 @ mat2)."""
    def addmm_(self, mat1: TensorLike, mat2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * (mat1 @ mat2)."""
    def addmv(self, mat: TensorLike, vec: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * (mat @ vec)."""
    def addmv_(self, mat: TensorLike, vec: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * (mat @ vec)."""
    def addr(self, vec1: TensorLike, vec2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * outer(vec1, vec2)."""
    def addr_(self, vec1: TensorLike, vec2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * outer(vec1, vec2)."""
    def adjoint(self) -> Tensor:
        """The conjugate transpose of the last two dimensions."""
    def all(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """Whether every element is nonzero, over all elements or over dim."""
    def allclose(
        self,
        other: TensorLike,
        rtol: _float = 1e-05,
        atol: _float = 1e-08,
        equal_nan: _bool = False,
    ) -> _bool:
        """Whether all elements are close, as isclose: a Python bool."""
    def amax(self, dim: Dims = (), keepdim: _bool = False, *, axis: Dims | None = ..., keepdims: _bool = ...) -> Tensor:
        """The largest element over the dimensions dim, over all of them by default."""
    def amin(self, dim: Dims = (), keepdim: _bool = False, *, axis: Dims | None = ..., keepdims: _bool = ...) -> Tensor:
        """The smallest element over the dimensions dim, over all of them by default."""
    def aminmax(
        self,
        *,
        dim: Dims | None = None,
        keepdim: _bool = False,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> MinMax:
        """The smallest and the largest element, of everything or along dim, as (min, max)."""
    def angle(self) -> Tensor:
        """The angle of each complex number, in (-pi, pi]."""
    def any(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """Whether some element is nonzero, over all elements or over dim."""
    def arccos(self) -> Tensor:
        """The inverse cosine, in [0, pi]."""
    def arccos_(self) -> Tensor:
        """The inverse cosine, in [0, pi]."""
    def arccosh(self) -> Tensor:
        """The inverse hyperbolic cosine, for x >= 1."""
    def arccosh_(self) -> Tensor:
        """The inverse hyperbolic cosine, for x >= 1."""
    def arcsin(self) -> Tensor:
        """The inverse sine, in [-pi/2, pi/2]."""
    def arcsin_(self) -> Tensor:
        """The inverse sine, in [-pi/2, pi/2]."""
    def arcsinh(self) -> Tensor:
        """The inverse hyperbolic sine."""
    def arcsinh_(self) -> Tensor:
        """The inverse hyperbolic sine."""
    def arctan(self) -> Tensor:
        """The inverse tangent, in (-pi/2, pi/2)."""
    def arctan_(self) -> Tensor:
        """The inverse tangent, in (-pi/2, pi/2)."""
    def arctan2(self, other: TensorLike) -> Tensor:
        """The angle of the point (other, input), in [-pi, pi]."""
    def arctan2_(self, other: TensorLike) -> Tensor:
        """The angle of the point (other, input), in [-pi, pi]."""
    def arctanh(self) -> Tensor:
        """The inverse hyperbolic tangent, for -1 < x < 1."""
    def arctanh_(self) -> Tensor:
        """The inverse hyperbolic tangent, for -1 < x < 1."""
    def argmax(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The index of the largest element: in the flattened tensor, or along dim."""
    def argmin(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The index of the smallest element: in the flattened tensor, or along dim."""
    def argsort(self, dim: _int = -1, descending: _bool = False, *, stable: _bool = False, axis: _int = ...) -> Tensor:
        """The indices that put the elements in order along dim."""
    def argwhere(self) -> Tensor:
        """The indices of the elements that are not zero, a row for each."""
    def as_strided(self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """A view of the memory below input with the given sizes and strides (in elements), from storage_offset on."""
    def as_strided_(self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """A view of the memory below input with the given sizes and strides (in elements), from storage_offset on."""
    def as_strided_scatter(
        self,
        src: TensorLike,
        size: Sequence[_int],
        stride: Sequence[_int],
        storage_offset: _int | None = None,
    ) -> Tensor:
        """A copy of input with src in place of as_strided(input, size, stride, storage_offset)."""
    def asin(self) -> Tensor:
        """The inverse sine, in [-pi/2, pi/2]."""
    def asin_(self) -> Tensor:
        """The inverse sine, in [-pi/2, pi/2]."""
    def asinh(self) -> Tensor:
        """The inverse hyperbolic sine."""
    def asinh_(self) -> Tensor:
        """The inverse hyperbolic sine."""
    def atan(self) -> Tensor:
        """The inverse tangent, in (-pi/2, pi/2)."""
    def atan_(self) -> Tensor:
        """The inverse tangent, in (-pi/2, pi/2)."""
    def atan2(self, other: TensorLike) -> Tensor:
        """The angle of the point (other, input), in [-pi, pi]."""
    def atan2_(self, other: TensorLike) -> Tensor:
        """The angle of the point (other, input), in [-pi, pi]."""
    def atanh(self) -> Tensor:
        """The inverse hyperbolic tangent, for -1 < x < 1."""
    def atanh_(self) -> Tensor:
        """The inverse hyperbolic tangent, for -1 < x < 1."""
    def baddbmm(self, batch1: TensorLike, batch2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * (batch1 @ batch2), matrix by matrix of two batches."""
    def baddbmm_(self, batch1: TensorLike, batch2: TensorLike, *, beta: _complex = 1, alpha: _complex = 1) -> Tensor:
        """beta * input + alpha * (batch1 @ batch2), matrix by matrix of two batches."""
    def bernoulli(self, p: _float | None = None, *, generator: _Generator | None = None) -> Tensor:
        """1 with the probability that input gives, else 0."""
    def bernoulli_(self, p: _float | Tensor = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """Write 1 with probability p, else 0, over the tensor."""
    def bincount(self, weights: TensorLike | None = None, minlength: _int = 0) -> Tensor:
        """How often each of 0, 1, 2, ..."""
    def bitwise_and(self, other: TensorLike) -> Tensor:
        """The bits set in both: the operator x & y."""
    def bitwise_and_(self, other: TensorLike) -> Tensor:
        """The bits set in both: the operator x & y."""
    def bitwise_left_shift(self, other: TensorLike) -> Tensor:
        """The bits moved up: the operator x << y."""
    def bitwise_left_shift_(self, other: TensorLike) -> Tensor:
        """The bits moved up: the operator x << y."""
    def bitwise_not(self) -> Tensor:
        """All bits turned round."""
    def bitwise_not_(self) -> Tensor:
        """All bits turned round."""
    def bitwise_or(self, other: TensorLike) -> Tensor:
        """The bits set in either: the operator x | y."""
    def bitwise_or_(self, other: TensorLike) -> Tensor:
        """The bits set in either: the operator x | y."""
    def bitwise_right_shift(self, other: TensorLike) -> Tensor:
        """The bits moved down: the operator x >> y."""
    def bitwise_right_shift_(self, other: TensorLike) -> Tensor:
        """The bits moved down: the operator x >> y."""
    def bitwise_xor(self, other: TensorLike) -> Tensor:
        """The bits set in just one: the operator of tensors x ^ y in Python."""
    def bitwise_xor_(self, other: TensorLike) -> Tensor:
        """The bits set in just one: the operator of tensors x ^ y in Python."""
    def bmm(self, mat2: TensorLike) -> Tensor:
        """The products of two batches of matrices, (b, n, k) and (b, k, m), without broadcasting."""
    def bool(self) -> Tensor:
        """The tensor as bool, as to()."""
    def broadcast_to(self, *size: Dims, shape: Sequence[_int] | None = None) -> Tensor:
        """expand under NumPy's name."""
    def byte(self) -> Tensor:
        """The tensor as uint8, as to()."""
    def cauchy_(self, median: _float = 0.0, sigma: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Write Cauchy numbers over the tensor."""
    def cdouble(self) -> Tensor:
        """The tensor as complex128, as to()."""
    def ceil(self) -> Tensor:
        """The smallest whole number not below."""
    def ceil_(self) -> Tensor:
        """The smallest whole number not below."""
    def cfloat(self) -> Tensor:
        """The tensor as complex64, as to()."""
    def char(self) -> Tensor:
        """The tensor as int8, as to()."""
    def cholesky(self, upper: _bool = False) -> Tensor:
        """The older spelling of linalg.cholesky."""
    def cholesky_inverse(self, upper: _bool = False) -> Tensor:
        """The inverse of L L^H (of L^H L with upper=True) for a Cholesky factor L."""
    def cholesky_solve(self, L: TensorLike, upper: _bool = False) -> Tensor:
        """The solution of L L^H X = B (L^H L X = B with upper=True) for a Cholesky factor L."""
    def chunk(self, chunks: _int, dim: _int = 0, *, axis: _int = ...) -> tuple[Tensor, ...]:
        """At most the given number of parts of equal size along a dimension (the last may be smaller), as a tuple."""
    def clamp(self, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
        """Each element moved into [min, max]."""
    def clamp_(self, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
        """Each element moved into [min, max]."""
    def clamp_max(self, max: TensorLike) -> Tensor:
        """Each element, or max where that is smaller."""
    def clamp_max_(self, max: TensorLike) -> Tensor:
        """Each element, or max where that is smaller."""
    def clamp_min(self, min: TensorLike) -> Tensor:
        """Each element, or min where that is larger."""
    def clamp_min_(self, min: TensorLike) -> Tensor:
        """Each element, or min where that is larger."""
    def clip(self, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
        """Each element moved into [min, max]."""
    def clip_(self, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
        """Each element moved into [min, max]."""
    def clone(self, *, memory_format: Any = None) -> Tensor:
        """A copy of the tensor in memory of its own."""
    def combinations(self, r: _int = 2, with_replacement: _bool = False) -> Tensor:
        """All ways to choose r elements of a vector, a row each."""
    def conj(self) -> Tensor:
        """The complex conjugate."""
    def conj_physical(self) -> Tensor:
        """The complex conjugate in memory of its own."""
    def conj_physical_(self) -> Tensor:
        """The complex conjugate in memory of its own."""
    def contiguous(self) -> Tensor:
        """The tensor itself where its memory is in row-major order, else a copy that is."""
    def copy_(self, src: TensorLike, non_blocking: _bool = False) -> Tensor:
        """Write the values of src over this tensor, broadcast and converted to its dtype."""
    def copysign(self, other: TensorLike) -> Tensor:
        """The size of input with the sign of other."""
    def copysign_(self, other: TensorLike) -> Tensor:
        """The size of input with the sign of other."""
    def corrcoef(self) -> Tensor:
        """The correlation matrix of variables (rows) over observations (columns): the covariance over the ..."""
    def cos(self) -> Tensor:
        """The cosine of each element."""
    def cos_(self) -> Tensor:
        """The cosine of each element."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine."""
    def cosh_(self) -> Tensor:
        """The hyperbolic cosine."""
    def count_nonzero(self, dim: Dims | None = None, *, axis: Dims | None = ...) -> Tensor:
        """The number of nonzero elements, of all of them or over dim."""
    def cov(
        self,
        *,
        correction: _int = 1,
        fweights: TensorLike | None = None,
        aweights: TensorLike | None = None,
    ) -> Tensor:
        """The covariance matrix of variables (rows) over observations (columns)."""
    def cpu(self) -> Tensor:
        """The tensor itself: all tensors live on the CPU."""
    def cross(self, other: TensorLike, dim: _int | None = None) -> Tensor:
        """The vector product along a dimension of size 3, by default the first that has this size in both."""
    def cummax(self, dim: _int) -> ValuesIndices:
        """The running maximum along dim, as (values, indices)."""
    def cummin(self, dim: _int) -> ValuesIndices:
        """The running minimum along dim, as (values, indices)."""
    def cumprod(self, dim: _int, *, dtype: DTypeLike | None = None) -> Tensor:
        """The running product along dim."""
    def cumprod_(self, dim: _int, *, dtype: DTypeLike | None = None) -> Tensor:
        """The running product along dim."""
    def cumsum(self, dim: _int, *, dtype: DTypeLike | None = None) -> Tensor:
        """The running sum along dim."""
    def cumsum_(self, dim: _int, *, dtype: DTypeLike | None = None) -> Tensor:
        """The running sum along dim."""
    def data_ptr(self) -> _int:
        """The address of the first element."""
    def deg2rad(self) -> Tensor:
        """Degrees to radians."""
    def deg2rad_(self) -> Tensor:
        """Degrees to radians."""
    def det(self) -> Tensor:
        """The determinant of a square matrix, or of each of a batch."""
    def detach_(self) -> Tensor:
        """Cut this very tensor off from the graph: it becomes a leaf that does not require grad."""
    def diag(self, diagonal: _int = 0) -> Tensor:
        """Of a vector the matrix with it on a diagonal, of a matrix a copy of its diagonal."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Square matrices with the last dimension of input on a diagonal and 0 elsewhere."""
    def diagflat(self, offset: _int = 0) -> Tensor:
        """A matrix with all elements of input on a diagonal."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A view of the diagonal of two dimensions, as a new last dimension."""
    def diagonal_scatter(self, src: TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A copy of input with src in place of a diagonal."""
    def diff(
        self,
        n: _int = 1,
        dim: _int = -1,
        prepend: TensorLike | None = None,
        append: TensorLike | None = None,
        *,
        axis: _int = ...,
    ) -> Tensor:
        """The differences of neighbours along dim, taken n times."""
    def digamma(self) -> Tensor:
        """The derivative of lgamma."""
    def digamma_(self) -> Tensor:
        """The derivative of lgamma."""
    def dim(self) -> _int:
        """The number of dimensions."""
    def dist(self, other: TensorLike, p: _float = 2) -> Tensor:
        """The p-norm of input - other, broadcast."""
    def div(self, other: TensorLike, *, rounding_mode: _str | None = None) -> Tensor:
        """The quotient input / other, broadcast."""
    def div_(self, other: TensorLike, *, rounding_mode: _str | None = None) -> Tensor:
        """The quotient input / other, broadcast."""
    def divide(self, other: TensorLike, *, rounding_mode: _str | None = None) -> Tensor:
        """The quotient input / other, broadcast."""
    def divide_(self, other: TensorLike, *, rounding_mode: _str | None = None) -> Tensor:
        """The quotient input / other, broadcast."""
    def dot(self, tensor: TensorLike) -> Tensor:
        """The sum of the products of two vectors of one length."""
    def double(self) -> Tensor:
        """The tensor as float64, as to()."""
    def dsplit(self, indices_or_sections: Dims | Tensor) -> tuple[Tensor, ...]:
        """Parts along the third dimension."""
    def element_size(self) -> _int:
        """The bytes of one element."""
    def eq(self, other: TensorLike) -> Tensor:
        """Whether input equals other, element by element: the operator ==."""
    def eq_(self, other: TensorLike) -> Tensor:
        """Whether input equals other, element by element: the operator ==."""
    def equal(self, other: TensorLike) -> _bool:
        """Whether two tensors have the same shape and the same elements: a Python bool."""
    def erf(self) -> Tensor:
        """The error function."""
    def erf_(self) -> Tensor:
        """The error function."""
    def erfc(self) -> Tensor:
        """1 - erf(x), exact also for large x."""
    def erfc_(self) -> Tensor:
        """1 - erf(x), exact also for large x."""
    def erfinv(self) -> Tensor:
        """The inverse of the error function, for -1 < x < 1."""
    def erfinv_(self) -> Tensor:
        """The inverse of the error function, for -1 < x < 1."""
    def exp(self) -> Tensor:
        """The exponential e^x of each element."""
    def exp_(self) -> Tensor:
        """The exponential e^x of each element."""
    def exp2(self) -> Tensor:
        """The power 2^x of each element."""
    def exp2_(self) -> Tensor:
        """The power 2^x of each element."""
    def expand(self, *sizes: Dims, size: Dims | None = None) -> Tensor:
        """A view in a larger shape in which dimensions of size 1, and new ones in front, are repeated without a ..."""
    def expand_as(self, other: TensorLike) -> Tensor:
        """expand to the shape of other."""
    def expm1(self) -> Tensor:
        """e^x - 1, exact also for small x."""
    def expm1_(self) -> Tensor:
        """e^x - 1, exact also for small x."""
    def exponential_(self, lambd: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Write exponentially distributed numbers of the given rate over the tensor."""
    def fill(self, value: TensorLike) -> Tensor:
        """A tensor of the shape and dtype of input with one value everywhere."""
    def fill_(self, value: TensorLike) -> Tensor:
        """Write one value, a number or a 0-d tensor, over the whole tensor."""
    def fill_diagonal_(self, fill_value: _complex, wrap: _bool = False) -> Tensor:
        """Write a number over the main diagonal."""
    def fix(self) -> Tensor:
        """The whole part, towards 0."""
    def fix_(self) -> Tensor:
        """The whole part, towards 0."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """The dimensions start_dim to end_dim merged into one."""
    def flip(self, *order: Dims, dims: Dims | None = None) -> Tensor:
        """The elements in reverse order along the given dimensions."""
    def fliplr(self) -> Tensor:
        """The columns in reverse order."""
    def flipud(self) -> Tensor:
        """The rows in reverse order."""
    def float(self) -> Tensor:
        """The tensor as float32, as to()."""
    def float_power(self, exponent: TensorLike) -> Tensor:
        """The power input ** exponent, computed in float64 (complex128)."""
    def float_power_(self, exponent: TensorLike) -> Tensor:
        """The power input ** exponent, computed in float64 (complex128)."""
    def floor(self) -> Tensor:
        """The largest whole number not above."""
    def floor_(self) -> Tensor:
        """The largest whole number not above."""
    def floor_divide(self, other: TensorLike) -> Tensor:
        """The quotient input / other rounded down: the operator x // y."""
    def floor_divide_(self, other: TensorLike) -> Tensor:
        """The quotient input / other rounded down: the operator x // y."""
    def fmax(self, other: TensorLike) -> Tensor:
        """The larger of the two, element by element."""
    def fmin(self, other: TensorLike) -> Tensor:
        """The smaller of the two, element by element."""
    def fmod(self, other: TensorLike) -> Tensor:
        """The rest of the division rounded towards zero, with the sign of the dividend (C's fmod)."""
    def fmod_(self, other: TensorLike) -> Tensor:
        """The rest of the division rounded towards zero, with the sign of the dividend (C's fmod)."""
    def frac(self) -> Tensor:
        """The fraction x - trunc(x), with the sign of x."""
    def frac_(self) -> Tensor:
        """The fraction x - trunc(x), with the sign of x."""
    def frexp(self) -> MantissaExponent:
        """A mantissa of [0.5, 1) and a whole exponent: input = mantissa * 2^exponent."""
    def gather(self, dim: _int, index: TensorLike, *, sparse_grad: _bool = False) -> Tensor:
        """One element for each entry of index: out[i][j] = input[index[i][j]][j] for dim 0, ..."""
    def gcd(self, other: TensorLike) -> Tensor:
        """The greatest common divisor, never negative."""
    def gcd_(self, other: TensorLike) -> Tensor:
        """The greatest common divisor, never negative."""
    def ge(self, other: TensorLike) -> Tensor:
        """Whether input is at least other, element by element: the operator >=."""
    def ge_(self, other: TensorLike) -> Tensor:
        """Whether input is at least other, element by element: the operator >=."""
    def geometric_(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Write the number of tries up to the first success over the tensor."""
    def geqrf(self) -> ATau:
        """The reflections of a QR factorization: R on and above the diagonal, the vectors below it, and their ..."""
    def ger(self, vec2: TensorLike) -> Tensor:
        """All products of an entry of one vector (n,) and one of another (m,): shape (n, m)."""
    def greater(self, other: TensorLike) -> Tensor:
        """Whether input is greater than other, element by element: the operator >."""
    def greater_(self, other: TensorLike) -> Tensor:
        """Whether input is greater than other, element by element: the operator >."""
    def greater_equal(self, other: TensorLike) -> Tensor:
        """Whether input is at least other, element by element: the operator >=."""
    def greater_equal_(self, other: TensorLike) -> Tensor:
        """Whether input is at least other, element by element: the operator >=."""
    def gt(self, other: TensorLike) -> Tensor:
        """Whether input is greater than other, element by element: the operator >."""
    def gt_(self, other: TensorLike) -> Tensor:
        """Whether input is greater than other, element by element: the operator >."""
    def half(self) -> Tensor:
        """The tensor as float16, as to()."""
    def hardshrink(self, lambd: _float = 0.5) -> Tensor:
        """input outside -lambd..lambd, 0 inside."""
    def heaviside(self, other: TensorLike) -> Tensor:
        """0 below 0, 1 above, and other at 0."""
    def heaviside_(self, other: TensorLike) -> Tensor:
        """0 below 0, 1 above, and other at 0."""
    def histc(self, bins: _int = 100, min: _float = 0, max: _float = 0) -> Tensor:
        """How many elements fall in each of bins equal parts of min..max (the range of the data where both are 0)."""
    def histogram(
        self,
        bins: _int | TensorLike,
        *,
        range: tuple[_float, _float] | None = None,
        weight: TensorLike | None = None,
        density: _bool = False,
    ) -> HistBinEdges:
        """The counts (or sums of weight) of the elements in each bin, and the edges of the bins."""
    def hsplit(self, indices_or_sections: Dims | Tensor) -> tuple[Tensor, ...]:
        """Parts along the second dimension (the first of a vector), in equal numbers or cut before indices."""
    def hypot(self, other: TensorLike) -> Tensor:
        """The length sqrt(input^2 + other^2), without overflow."""
    def hypot_(self, other: TensorLike) -> Tensor:
        """The length sqrt(input^2 + other^2), without overflow."""
    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind of order 0."""
    def i0_(self) -> Tensor:
        """The modified Bessel function of the first kind of order 0."""
    def igamma(self, other: TensorLike) -> Tensor:
        """The regularised lower incomplete gamma function P(input, other)."""
    def igammac(self, other: TensorLike) -> Tensor:
        """The regularised upper incomplete gamma function Q(input, other) = 1 - P(input, other)."""
    @property
    def imag(self) -> Tensor:
        """The imaginary part: a view."""
    @imag.setter
    def imag(self, value: TensorLike) -> None: ...
    def index_add(self, dim: _int, index: TensorLike, source: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """input with alpha * source added along a dimension at the places a vector of indices names."""
    def index_add_(self, dim: _int, index: TensorLike, source: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """input with alpha * source added along a dimension at the places a vector of indices names."""
    def index_copy(self, dim: _int, index: TensorLike, source: TensorLike) -> Tensor:
        """input with the entries of source written along a dimension at the places a vector of indices names."""
    def index_copy_(self, dim: _int, index: TensorLike, source: TensorLike) -> Tensor:
        """input with the entries of source written along a dimension at the places a vector of indices names."""
    def index_fill(self, dim: _int, index: TensorLike, value: TensorLike) -> Tensor:
        """input with a value (a number or a 0-d tensor) at the entries of a dimension that a vector of indices ..."""
    def index_fill_(self, dim: _int, index: TensorLike, value: TensorLike) -> Tensor:
        """input with a value (a number or a 0-d tensor) at the entries of a dimension that a vector of indices ..."""
    def index_put(self, indices: Sequence[Tensor | None], values: TensorLike, accumulate: _bool = False) -> Tensor:
        """input with values at the places that a tuple of index tensors names, as x[indices] = values."""
    def index_put_(self, indices: Sequence[Tensor | None], values: TensorLike, accumulate: _bool = False) -> Tensor:
        """input with values at the places that a tuple of index tensors names, as x[indices] = values."""
    def index_reduce(
        self,
        dim: _int,
        index: TensorLike,
        source: TensorLike,
        reduce: _str,
        *,
        include_self: _bool = True,
    ) -> Tensor:
        """input combined along a dimension with the entries of source sent to the places a vector of indices ..."""
    def index_reduce_(
        self,
        dim: _int,
        index: TensorLike,
        source: TensorLike,
        reduce: _str,
        *,
        include_self: _bool = True,
    ) -> Tensor:
        """input combined along a dimension with the entries of source sent to the places a vector of indices ..."""
    def index_select(self, dim: _int, index: TensorLike) -> Tensor:
        """The entries of a dimension that a vector of indices names, in its order."""
    def inner(self, other: TensorLike) -> Tensor:
        """The products of input and other summed over the last dimension of both."""
    def int(self) -> Tensor:
        """The tensor as int32, as to()."""
    def inverse(self) -> Tensor:
        """The inverse of a square matrix, or of each of a batch."""
    def is_complex(self) -> _bool:
        """Whether the dtype is complex."""
    def is_conj(self) -> _bool:
        """Whether a conjugate is pending: never here, it is computed."""
    def is_contiguous(self) -> _bool:
        """Whether the elements lie in order."""
    def is_floating_point(self) -> _bool:
        """Whether the dtype is a real float."""
    def is_neg(self) -> _bool:
        """Whether a negation is pending: never here, it is computed."""
    def is_nonzero(self) -> _bool:
        """Whether the only element is not 0."""
    def is_same_size(self, other: TensorLike) -> _bool:
        """Whether two tensors have the same shape."""
    def is_signed(self) -> _bool:
        """Whether the dtype has negative numbers."""
    def isclose(
        self,
        other: TensorLike,
        rtol: _float = 1e-05,
        atol: _float = 1e-08,
        equal_nan: _bool = False,
    ) -> Tensor:
        """Whether |input - other| <= atol + rtol * |other|, element by element."""
    def isfinite(self) -> Tensor:
        """Whether each element is a number: neither nan nor infinite."""
    def isinf(self) -> Tensor:
        """Whether each element is inf or -inf."""
    def isnan(self) -> Tensor:
        """Whether each element is nan."""
    def isneginf(self) -> Tensor:
        """Whether each element is -inf."""
    def isposinf(self) -> Tensor:
        """Whether each element is inf."""
    def isreal(self) -> Tensor:
        """Whether each element has no imaginary part."""
    def istft(
        self,
        n_fft: _int,
        hop_length: _int | None = None,
        win_length: _int | None = None,
        window: TensorLike | None = None,
        center: _bool = True,
        normalized: _bool = False,
        onesided: _bool | None = None,
        length: _int | None = None,
        return_complex: _bool = False,
    ) -> Tensor:
        """The signal of which input is the short-time transform: frames added where they overlap, divided by the ..."""
    def kron(self, other: TensorLike) -> Tensor:
        """The Kronecker product: input with each entry replaced by that entry times other."""
    def kthvalue(
        self,
        k: _int,
        dim: _int = -1,
        keepdim: _bool = False,
        *,
        axis: _int = ...,
        keepdims: _bool = ...,
    ) -> ValuesIndices:
        """The k-th smallest element along dim, counted from 1, as (values, indices)."""
    def lcm(self, other: TensorLike) -> Tensor:
        """The least common multiple."""
    def lcm_(self, other: TensorLike) -> Tensor:
        """The least common multiple."""
    def ldexp(self, other: TensorLike) -> Tensor:
        """input * 2^other."""
    def ldexp_(self, other: TensorLike) -> Tensor:
        """input * 2^other."""
    def le(self, other: TensorLike) -> Tensor:
        """Whether input is at most other, element by element: the operator <=."""
    def le_(self, other: TensorLike) -> Tensor:
        """Whether input is at most other, element by element: the operator <=."""
    def lerp(self, end: TensorLike, weight: TensorLike) -> Tensor:
        """The point at weight on the way from input to end: input + weight * (end - input)."""
    def lerp_(self, end: TensorLike, weight: TensorLike) -> Tensor:
        """The point at weight on the way from input to end: input + weight * (end - input)."""
    def less(self, other: TensorLike) -> Tensor:
        """Whether input is less than other, element by element: the operator <."""
    def less_(self, other: TensorLike) -> Tensor:
        """Whether input is less than other, element by element: the operator <."""
    def less_equal(self, other: TensorLike) -> Tensor:
        """Whether input is at most other, element by element: the operator <=."""
    def less_equal_(self, other: TensorLike) -> Tensor:
        """Whether input is at most other, element by element: the operator <=."""
    def lgamma(self) -> Tensor:
        """The logarithm of |Gamma(x)|."""
    def lgamma_(self) -> Tensor:
        """The logarithm of |Gamma(x)|."""
    def log(self) -> Tensor:
        """The natural logarithm of each element."""
    def log_(self) -> Tensor:
        """The natural logarithm of each element."""
    def log10(self) -> Tensor:
        """The logarithm to base 10."""
    def log10_(self) -> Tensor:
        """The logarithm to base 10."""
    def log1p(self) -> Tensor:
        """log(1 + x), exact also for small x."""
    def log1p_(self) -> Tensor:
        """log(1 + x), exact also for small x."""
    def log2(self) -> Tensor:
        """The logarithm to base 2."""
    def log2_(self) -> Tensor:
        """The logarithm to base 2."""
    def log_normal_(self, mean: _float = 1.0, std: _float = 2.0, *, generator: _Generator | None = None) -> Tensor:
        """Write exponentials of normal numbers over the tensor."""
    def log_softmax(
        self,
        dim: _int | None = None,
        dtype: DTypeLike | None = None,
        *,
        axis: _int | None = ...,
    ) -> Tensor:
        """The logarithm of softmax, exact for large inputs."""
    def logaddexp(self, other: TensorLike) -> Tensor:
        """log(e^input + e^other), without overflow."""
    def logaddexp2(self, other: TensorLike) -> Tensor:
        """log2(2^input + 2^other), without overflow."""
    def logcumsumexp(self, dim: _int) -> Tensor:
        """The logarithm of the running sum of exponentials along dim, without overflow."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant."""
    def logical_and(self, other: TensorLike) -> Tensor:
        """Whether both are true, element by element."""
    def logical_and_(self, other: TensorLike) -> Tensor:
        """Whether both are true, element by element."""
    def logical_not(self) -> Tensor:
        """Whether each element is false (0)."""
    def logical_not_(self) -> Tensor:
        """Whether each element is false (0)."""
    def logical_or(self, other: TensorLike) -> Tensor:
        """Whether either is true, element by element."""
    def logical_or_(self, other: TensorLike) -> Tensor:
        """Whether either is true, element by element."""
    def logical_xor(self, other: TensorLike) -> Tensor:
        """Whether just one is true, element by element."""
    def logical_xor_(self, other: TensorLike) -> Tensor:
        """Whether just one is true, element by element."""
    def logit(self, eps: _float | None = None) -> Tensor:
        """log(x / (1 - x)), the inverse of sigmoid."""
    def logit_(self, eps: _float | None = None) -> Tensor:
        """log(x / (1 - x)), the inverse of sigmoid."""
    def logsumexp(self, dim: Dims, keepdim: _bool = False, *, keepdims: _bool = ...) -> Tensor:
        """log(sum(exp(input))) over dim, without overflow."""
    def long(self) -> Tensor:
        """The tensor as int64, as to()."""
    def lt(self, other: TensorLike) -> Tensor:
        """Whether input is less than other, element by element: the operator <."""
    def lt_(self, other: TensorLike) -> Tensor:
        """Whether input is less than other, element by element: the operator <."""
    def lu_solve(self, LU_data: TensorLike, LU_pivots: TensorLike) -> Tensor:
        """The older spelling of linalg.lu_solve, with the right-hand side first."""
    @property
    def mH(self) -> Tensor:
        """The conjugate transpose of the last two dimensions."""
    @property
    def mT(self) -> Tensor:
        """A view with the last two dimensions exchanged."""
    def masked_fill(self, mask: TensorLike, value: TensorLike) -> Tensor:
        """input with value where the mask holds."""
    def masked_fill_(self, mask: TensorLike, value: TensorLike) -> Tensor:
        """input with value where the mask holds."""
    def masked_scatter(self, mask: TensorLike, source: TensorLike) -> Tensor:
        """input with the elements of source, in order, where the mask holds."""
    def masked_scatter_(self, mask: TensorLike, source: TensorLike) -> Tensor:
        """input with the elements of source, in order, where the mask holds."""
    def masked_select(self, mask: TensorLike) -> Tensor:
        """The elements where the mask holds, in row-major order, in one dimension."""
    def matmul(self, other: TensorLike) -> Tensor:
        """The operator @: vector times vector, matrix times vector, matrix times matrix, or batches of these."""
    def matrix_exp(self) -> Tensor:
        """The exponential of a square matrix, I + A + A^2/2 + ..."""
    def matrix_power(self, n: _int) -> Tensor:
        """The n-th power of a square matrix."""
    @overload
    def max(self) -> Tensor:
        """The largest element."""
    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> ValuesIndices:
        """The largest element."""
    @overload
    def max(self, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
        """The largest element."""
    @overload
    def max(self, other: TensorLike) -> Tensor:
        """The largest element."""
    def maximum(self, other: TensorLike) -> Tensor:
        """The larger of the two, element by element."""
    def mean(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The mean of all elements, or over the dimensions dim."""
    @overload
    def median(self) -> Tensor:
        """The lower median of all elements."""
    @overload
    def median(self, dim: _int, keepdim: _bool = False) -> ValuesIndices:
        """The lower median of all elements."""
    @overload
    def median(self, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
        """The lower median of all elements."""
    @overload
    def min(self) -> Tensor:
        """The smallest element."""
    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> ValuesIndices:
        """The smallest element."""
    @overload
    def min(self, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
        """The smallest element."""
    @overload
    def min(self, other: TensorLike) -> Tensor:
        """The smallest element."""
    def minimum(self, other: TensorLike) -> Tensor:
        """The smaller of the two, element by element."""
    def mm(self, mat2: TensorLike) -> Tensor:
        """The product of two matrices, (n, k) and (k, m)."""
    def mode(self, dim: _int = -1, keepdim: _bool = False, *, axis: _int = ..., keepdims: _bool = ...) -> ValuesIndices:
        """The most frequent value along dim, as (values, indices)."""
    def moveaxis(self, source: Dims, destination: Dims) -> Tensor:
        """A view with the dimensions source moved to the places destination, the others in order."""
    def movedim(self, source: Dims, destination: Dims) -> Tensor:
        """A view with the dimensions source moved to the places destination, the others in order."""
    def msort(self) -> Tensor:
        """The elements in order along the first dimension."""
    def mul(self, other: TensorLike) -> Tensor:
        """The product input * other, broadcast."""
    def mul_(self, other: TensorLike) -> Tensor:
        """The product input * other, broadcast."""
    def multinomial(
        self,
        num_samples: _int,
        replacement: _bool = False,
        *,
        generator: _Generator | None = None,
    ) -> Tensor:
        """Numbers of categories, drawn with the weights that input (one row or several) gives."""
    def multiply(self, other: TensorLike) -> Tensor:
        """The product input * other, broadcast."""
    def multiply_(self, other: TensorLike) -> Tensor:
        """The product input * other, broadcast."""
    def mv(self, vec: TensorLike) -> Tensor:
        """The product of a matrix (n, k) and a vector (k,)."""
    def mvlgamma(self, p: _int) -> Tensor:
        """The logarithm of the multivariate gamma function of dimension p."""
    def mvlgamma_(self, p: _int) -> Tensor:
        """The logarithm of the multivariate gamma function of dimension p."""
    def nan_to_num(
        self,
        nan: _float | None = 0.0,
        posinf: _float | None = None,
        neginf: _float | None = None,
    ) -> Tensor:
        """nan and infinities replaced: by 0 and by the largest numbers of the dtype, or as given."""
    def nan_to_num_(
        self,
        nan: _float | None = 0.0,
        posinf: _float | None = None,
        neginf: _float | None = None,
    ) -> Tensor:
        """nan and infinities replaced: by 0 and by the largest numbers of the dtype, or as given."""
    def nanmean(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The mean over dim, or of everything, of what is not nan."""
    @overload
    def nanmedian(self) -> Tensor:
        """The lower median of what is not nan."""
    @overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> ValuesIndices:
        """The lower median of what is not nan."""
    @overload
    def nanmedian(self, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
        """The lower median of what is not nan."""
    def nanquantile(
        self,
        q: TensorLike,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        interpolation: _str = 'linear',
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The quantiles of what is not nan, as quantile."""
    def nansum(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The sum over dim, or of everything, with nan counted as 0."""
    def narrow(self, dim: _int, start: _int, length: _int) -> Tensor:
        """length entries of a dimension from start on, as a view."""
    def ndimension(self) -> _int:
        """The number of dimensions."""
    def ne(self, other: TensorLike) -> Tensor:
        """Whether input differs from other, element by element: the operator !=."""
    def ne_(self, other: TensorLike) -> Tensor:
        """Whether input differs from other, element by element: the operator !=."""
    def neg(self) -> Tensor:
        """Each element with its sign turned round."""
    def neg_(self) -> Tensor:
        """Each element with its sign turned round."""
    def negative(self) -> Tensor:
        """Each element with its sign turned round."""
    def negative_(self) -> Tensor:
        """Each element with its sign turned round."""
    def nelement(self) -> _int:
        """The number of elements."""
    def new_empty(
        self,
        *size: Dims,
        dtype: DTypeLike | None = None,
        requires_grad: _bool = False,
        device: _str | None = None,
    ) -> Tensor:
        """A new tensor of the dtype of this one, whose values say nothing (here: zeros)."""
    def new_full(
        self,
        size: Dims,
        fill_value: _complex,
        *,
        dtype: DTypeLike | None = None,
        requires_grad: _bool = False,
        device: _str | None = None,
    ) -> Tensor:
        """A new tensor of the dtype of this one with the same number everywhere."""
    def new_ones(
        self,
        *size: Dims,
        dtype: DTypeLike | None = None,
        requires_grad: _bool = False,
        device: _str | None = None,
    ) -> Tensor:
        """A new tensor of the dtype of this one, of ones."""
    def new_tensor(
        self,
        data: TensorLike,
        *,
        dtype: DTypeLike | None = None,
        requires_grad: _bool = False,
        device: _str | None = None,
    ) -> Tensor:
        """A new tensor of data in the dtype of this one."""
    def new_zeros(
        self,
        *size: Dims,
        dtype: DTypeLike | None = None,
        requires_grad: _bool = False,
        device: _str | None = None,
    ) -> Tensor:
        """A new tensor of the dtype of this one, of zeros."""
    def nextafter(self, other: TensorLike) -> Tensor:
        """The next number of the dtype after input on the way to other."""
    def nextafter_(self, other: TensorLike) -> Tensor:
        """The next number of the dtype after input on the way to other."""
    @overload
    def nonzero(self, *, as_tuple: Literal[False] = False) -> Tensor:
        """The indices of the elements that are not zero: a row for each, or with as_tuple one tensor a dimension."""
    @overload
    def nonzero(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
        """The indices of the elements that are not zero: a row for each, or with as_tuple one tensor a dimension."""
    def norm(
        self,
        p: _float | _str = 'fro',
        dim: Dims | None = None,
        keepdim: _bool = False,
        dtype: DTypeLike | None = None,
        *,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The vector norm of order p over dim, or of all elements."""
    def normal_(self, mean: _float = 0.0, std: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Write normal numbers over the tensor."""
    def not_equal(self, other: TensorLike) -> Tensor:
        """Whether input differs from other, element by element: the operator !=."""
    def not_equal_(self, other: TensorLike) -> Tensor:
        """Whether input differs from other, element by element: the operator !=."""
    def numel(self) -> _int:
        """The number of elements."""
    def orgqr(self, tau: TensorLike) -> Tensor:
        """The first columns of the product of reflections whose vectors are the columns of A below the diagonal."""
    def ormqr(self, tau: TensorLike, other: TensorLike, left: _bool = True, transpose: _bool = False) -> Tensor:
        """The product Q other (other Q with left=False."""
    def outer(self, vec2: TensorLike) -> Tensor:
        """All products of an entry of one vector (n,) and one of another (m,): shape (n, m)."""
    def permute(self, *order: Dims, dims: Sequence[_int] | None = None) -> Tensor:
        """A view with its dimensions in the order dims."""
    def pinverse(
        self,
        rcond: _float | Tensor | None = None,
        hermitian: _bool = False,
        *,
        atol: _float | Tensor | None = None,
        rtol: _float | Tensor | None = None,
    ) -> Tensor:
        """The pseudoinverse (Moore-Penrose) of a matrix of any shape and rank."""
    def polygamma(self, n: _int) -> Tensor:
        """The n-th derivative of digamma."""
    def polygamma_(self, n: _int) -> Tensor:
        """The n-th derivative of digamma."""
    def positive(self) -> Tensor:
        """The tensor itself: the operator +x."""
    def pow(self, exponent: TensorLike) -> Tensor:
        """The power input ** exponent, broadcast: x ^ y in a script."""
    def pow_(self, exponent: TensorLike) -> Tensor:
        """The power input ** exponent, broadcast: x ^ y in a script."""
    def prelu(self, weight: TensorLike) -> Tensor:
        """input where it is positive, else weight * input."""
    def prod(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The product of all elements, or along dim."""
    def put(self, index: TensorLike, source: TensorLike, accumulate: _bool = False) -> Tensor:
        """input with the elements of source at the places of the flattened tensor that the indices name."""
    def put_(self, index: TensorLike, source: TensorLike, accumulate: _bool = False) -> Tensor:
        """input with the elements of source at the places of the flattened tensor that the indices name."""
    def qr(self, mode: _str | _bool = 'reduced') -> QR:
        """Q with orthonormal columns and upper triangular R with A = Q R."""
    def quantile(
        self,
        q: TensorLike,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        interpolation: _str = 'linear',
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The quantiles q (from 0 to 1) of all elements, or along dim."""
    def rad2deg(self) -> Tensor:
        """Radians to degrees."""
    def rad2deg_(self) -> Tensor:
        """Radians to degrees."""
    @overload
    def random_(self, to: _int | None = None, /, *, generator: _Generator | None = None) -> Tensor:
        """Write whole numbers over the tensor: from `from` up to `to - 1`, or up to the largest of the dtype."""
    @overload
    def random_(self, from_: _int, to: _int | None, /, *, generator: _Generator | None = None) -> Tensor:
        """Write whole numbers over the tensor: from `from` up to `to - 1`, or up to the largest of the dtype."""
    def ravel(self) -> Tensor:
        """All elements in one dimension, in row-major order."""
    @property
    def real(self) -> Tensor:
        """The real part: a view."""
    @real.setter
    def real(self, value: TensorLike) -> None: ...
    def reciprocal(self) -> Tensor:
        """One over each element."""
    def reciprocal_(self) -> Tensor:
        """One over each element."""
    def relu(self, inplace: _bool = False) -> Tensor:
        """The larger of input and 0, elementwise."""
    def relu_(self, inplace: _bool = False) -> Tensor:
        """The larger of input and 0, elementwise."""
    def remainder(self, other: TensorLike) -> Tensor:
        """The rest of the division rounded down, with the sign of the divisor: the operator x % y."""
    def remainder_(self, other: TensorLike) -> Tensor:
        """The rest of the division rounded down, with the sign of the divisor: the operator x % y."""
    def renorm(self, p: _float, dim: _int, maxnorm: _float) -> Tensor:
        """The slices along dim whose p-norm exceeds maxnorm scaled down to it, the others as they are."""
    def renorm_(self, p: _float, dim: _int, maxnorm: _float) -> Tensor:
        """The slices along dim whose p-norm exceeds maxnorm scaled down to it, the others as they are."""
    def repeat(self, *counts: Dims, repeats: Sequence[_int] | None = None) -> Tensor:
        """The whole tensor repeated along each dimension (numpy.tile's meaning)."""
    def repeat_interleave(
        self,
        repeats: _int | TensorLike,
        dim: _int | None = None,
        *,
        output_size: _int | None = None,
    ) -> Tensor:
        """Each element repeated along a dimension (numpy.repeat's meaning), as often as repeats says: one ..."""
    def reshape(self, *sizes: Dims, shape: Sequence[_int] | None = None) -> Tensor:
        """The elements in row-major order in another shape."""
    def reshape_as(self, other: TensorLike) -> Tensor:
        """reshape to the shape of other."""
    def resolve_conj(self) -> Tensor:
        """The tensor itself: conjugates are computed at once here, never pending."""
    def resolve_neg(self) -> Tensor:
        """The tensor itself: conjugates are computed at once here, never pending."""
    def roll(self, shifts: Dims, dims: Dims | None = None) -> Tensor:
        """The elements shifted along the dimensions, those pushed out coming in at the other end."""
    def rot90(self, k: _int = 1, dims: Sequence[_int] = (0, 1)) -> Tensor:
        """The plane of two dimensions turned by k quarter turns, from the first towards the second."""
    def round(self, *, decimals: _int = 0) -> Tensor:
        """The nearest whole number, or the nearest with so many decimals."""
    def round_(self, *, decimals: _int = 0) -> Tensor:
        """The nearest whole number, or the nearest with so many decimals."""
    def rsqrt(self) -> Tensor:
        """One over the square root of each element."""
    def rsqrt_(self) -> Tensor:
        """One over the square root of each element."""
    def rsub(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The difference other - alpha * input, broadcast: what the operator does when the tensor stands on the ..."""
    def scatter(
        self,
        dim: _int,
        index: TensorLike,
        src: TensorLike | None = None,
        *,
        value: TensorLike | None = None,
        reduce: _str | None = None,
    ) -> Tensor:
        """input with src (or one value) written where index says: out[index[i][j]][j] = src[i][j] for dim 0."""
    def scatter_(
        self,
        dim: _int,
        index: TensorLike,
        src: TensorLike | None = None,
        *,
        value: TensorLike | None = None,
        reduce: _str | None = None,
    ) -> Tensor:
        """input with src (or one value) written where index says: out[index[i][j]][j] = src[i][j] for dim 0."""
    def scatter_add(self, dim: _int, index: TensorLike, src: TensorLike) -> Tensor:
        """input with src added where index says: out[index[i][j]][j] += src[i][j] for dim 0."""
    def scatter_add_(self, dim: _int, index: TensorLike, src: TensorLike) -> Tensor:
        """input with src added where index says: out[index[i][j]][j] += src[i][j] for dim 0."""
    def scatter_reduce(
        self,
        dim: _int,
        index: TensorLike,
        src: TensorLike,
        reduce: _str,
        *,
        include_self: _bool = True,
    ) -> Tensor:
        """input combined with the elements of src sent to each place by index: reduce is 'sum', 'prod', 'mean', ..."""
    def scatter_reduce_(
        self,
        dim: _int,
        index: TensorLike,
        src: TensorLike,
        reduce: _str,
        *,
        include_self: _bool = True,
    ) -> Tensor:
        """input combined with the elements of src sent to each place by index: reduce is 'sum', 'prod', 'mean', ..."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """The part at one index of a dimension, as a view without that dimension."""
    def select_scatter(self, src: TensorLike, dim: _int, index: _int) -> Tensor:
        """A copy of input with src in place of select(input, dim, index)."""
    def sgn(self) -> Tensor:
        """The sign of each element, z / abs(z) where complex."""
    def sgn_(self) -> Tensor:
        """The sign of each element, z / abs(z) where complex."""
    def short(self) -> Tensor:
        """The tensor as int16, as to()."""
    def sigmoid(self) -> Tensor:
        """The logistic function 1 / (1 + e^-x)."""
    def sigmoid_(self) -> Tensor:
        """The logistic function 1 / (1 + e^-x)."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 by the sign of each element."""
    def sign_(self) -> Tensor:
        """-1, 0 or 1 by the sign of each element."""
    def signbit(self) -> Tensor:
        """Whether each element is negative."""
    def sin(self) -> Tensor:
        """The sine of each element."""
    def sin_(self) -> Tensor:
        """The sine of each element."""
    def sinc(self) -> Tensor:
        """sin(pi x) / (pi x), 1 at 0."""
    def sinc_(self) -> Tensor:
        """sin(pi x) / (pi x), 1 at 0."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine."""
    def sinh_(self) -> Tensor:
        """The hyperbolic sine."""
    @overload
    def size(self, dim: None = None) -> Size:
        """The size of one dimension, or of all as a torch.Size."""
    @overload
    def size(self, dim: _int) -> _int:
        """The size of one dimension, or of all as a torch.Size."""
    def slice_scatter(
        self,
        src: TensorLike,
        dim: _int = 0,
        start: _int | None = None,
        end: _int | None = None,
        step: _int = 1,
    ) -> Tensor:
        """A copy of input with src in place of a slice of dimension dim."""
    def slogdet(self) -> SignLogabsdet:
        """The sign and the logarithm of the absolute value of the determinant, which do not overflow."""
    def softmax(self, dim: _int | None = None, dtype: DTypeLike | None = None, *, axis: _int | None = ...) -> Tensor:
        """exp(input) divided by its sum along dim."""
    def sort(
        self,
        dim: _int = -1,
        descending: _bool = False,
        *,
        stable: _bool = False,
        axis: _int = ...,
    ) -> ValuesIndices:
        """The elements in order along dim, as (values, indices)."""
    def split(self, split_size_or_sections: Dims, dim: _int = 0, *, axis: _int = ...) -> tuple[Tensor, ...]:
        """Consecutive parts along a dimension as a tuple: of one size (the last may be smaller), or of the sizes ..."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Consecutive parts of the given sizes along a dimension, as a tuple."""
    def sqrt(self) -> Tensor:
        """The square root of each element."""
    def sqrt_(self) -> Tensor:
        """The square root of each element."""
    def square(self) -> Tensor:
        """The square of each element."""
    def square_(self) -> Tensor:
        """The square of each element."""
    def squeeze(self, dim: Dims | None = None, *, axis: Dims | None = ...) -> Tensor:
        """A view without the dimensions of size 1: all of them, or those among dim."""
    def squeeze_(self, dim: Dims | None = None, *, axis: Dims | None = ...) -> Tensor:
        """A view without the dimensions of size 1: all of them, or those among dim."""
    def std(
        self,
        dim: Dims | None = None,
        unbiased: _bool | None = None,
        keepdim: _bool = False,
        *,
        correction: _int | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The standard deviation over dim, or of all elements."""
    def stft(
        self,
        n_fft: _int,
        hop_length: _int | None = None,
        win_length: _int | None = None,
        window: TensorLike | None = None,
        center: _bool = True,
        pad_mode: _str = 'reflect',
        normalized: _bool = False,
        onesided: _bool | None = None,
        return_complex: _bool | None = None,
    ) -> Tensor:
        """The Fourier transforms of overlapping frames of a signal: frequencies by frames."""
    def storage_offset(self) -> _int:
        """How many elements of its memory lie before the first."""
    @overload
    def stride(self, dim: None = None) -> tuple[_int, ...]:
        """How many elements of memory lie between neighbours, in one dimension or in all."""
    @overload
    def stride(self, dim: _int) -> _int:
        """How many elements of memory lie between neighbours, in one dimension or in all."""
    def sub(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The difference input - alpha * other, broadcast."""
    def sub_(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The difference input - alpha * other, broadcast."""
    def subtract(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The difference input - alpha * other, broadcast."""
    def subtract_(self, other: TensorLike, *, alpha: _complex = 1) -> Tensor:
        """The difference input - alpha * other, broadcast."""
    def sum(
        self,
        dim: Dims | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The sum over all elements, or over the dimensions dim."""
    def sum_to_size(self, *size: Dims) -> Tensor:
        """The sum over the dimensions that broadcasting from size would have added or stretched."""
    def svd(self, some: _bool = True, compute_uv: _bool = True) -> USV:
        """The older spelling of linalg.svd: U, S, V with input = U diag(S) V^H."""
    def swapaxes(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions exchanged."""
    def swapaxes_(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions exchanged."""
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions exchanged."""
    def swapdims_(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions exchanged."""
    def t(self) -> Tensor:
        """The transpose of a matrix, as a view."""
    def t_(self) -> Tensor:
        """The transpose of a matrix, as a view."""
    def take(self, index: TensorLike) -> Tensor:
        """The elements of the flattened tensor that the indices name, in the shape of index."""
    def take_along_dim(self, indices: TensorLike, dim: _int | None = None) -> Tensor:
        """gather, with input and indices broadcast against each other except along dim."""
    def tan(self) -> Tensor:
        """The tangent of each element."""
    def tan_(self) -> Tensor:
        """The tangent of each element."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent."""
    def tanh_(self) -> Tensor:
        """The hyperbolic tangent."""
    def tensor_split(
        self,
        indices_or_sections: Dims | Tensor | None = None,
        dim: _int = 0,
        *,
        indices: Sequence[_int] | Tensor | None = None,
        sections: _int | None = None,
        axis: _int = ...,
    ) -> tuple[Tensor, ...]:
        """Parts along a dimension as a tuple: as equal as possible, or cut before the given indices (as ..."""
    def tile(self, *counts: Dims, dims: Dims | None = None) -> Tensor:
        """repeat, in which missing leading numbers count as 1."""
    @overload
    def to(self, dtype: DTypeLike, non_blocking: _bool = False, copy: _bool = False) -> Tensor:
        """The tensor in another dtype, or in that of another tensor."""
    @overload
    def to(self, other: Tensor, non_blocking: _bool = False, copy: _bool = False) -> Tensor:
        """The tensor in another dtype, or in that of another tensor."""
    @overload
    def to(
        self,
        device: _str | None = None,
        dtype: DTypeLike | None = None,
        non_blocking: _bool = False,
        copy: _bool = False,
    ) -> Tensor:
        """The tensor in another dtype, or in that of another tensor."""
    def topk(
        self,
        k: _int,
        dim: _int = -1,
        largest: _bool = True,
        sorted: _bool = True,
        *,
        axis: _int = ...,
    ) -> ValuesIndices:
        """The k largest (or smallest) elements along dim, as (values, indices)."""
    def trace(self) -> Tensor:
        """The sum of the main diagonal of a matrix of any shape."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions exchanged."""
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions exchanged."""
    def triangular_solve(
        self,
        A: TensorLike,
        upper: _bool = True,
        transpose: _bool = False,
        unitriangular: _bool = False,
    ) -> SolutionClonedCoefficient:
        """The solution X of A X = input (of A^T X = input with transpose=True) for triangular A, with a copy of A."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The lower triangle of the last two dimensions, the rest 0."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """The lower triangle of the last two dimensions, the rest 0."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The upper triangle of the last two dimensions, the rest 0."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """The upper triangle of the last two dimensions, the rest 0."""
    def true_divide(self, other: TensorLike, *, rounding_mode: _str | None = None) -> Tensor:
        """The quotient input / other, broadcast."""
    def true_divide_(self, other: TensorLike, *, rounding_mode: _str | None = None) -> Tensor:
        """The quotient input / other, broadcast."""
    def trunc(self) -> Tensor:
        """The whole part, towards 0."""
    def trunc_(self) -> Tensor:
        """The whole part, towards 0."""
    @overload
    def type(self, dtype: None = None) -> _str:
        """The name of the tensor's type, or the tensor in another dtype."""
    @overload
    def type(self, dtype: DTypeLike | _str) -> Tensor:
        """The name of the tensor's type, or the tensor in another dtype."""
    def type_as(self, other: TensorLike) -> Tensor:
        """The tensor in the dtype of other."""
    def unbind(self, dim: _int = 0, *, axis: _int = ...) -> tuple[Tensor, ...]:
        """The parts along a dimension as a tuple, each without that dimension."""
    def unflatten(self, dim: _int, sizes: Dims) -> Tensor:
        """The dimension dim split into several of the given sizes, one of which may be -1."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """All windows of the given size along a dimension, step apart, as a view with the window as new last ..."""
    def uniform_(self, from_: _float = 0.0, to: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Write uniform numbers of [from, to) over the tensor."""
    @overload
    def unique(
        self,
        sorted: _bool = True,
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        dim: _int | None = None,
    ) -> Tensor:
        """The distinct elements in order, or the distinct slices along dim."""
    @overload
    def unique(
        self,
        sorted: _bool = True,
        return_inverse: _bool = False,
        return_counts: _bool = False,
        dim: _int | None = None,
    ) -> Any:
        """The distinct elements in order, or the distinct slices along dim."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        dim: _int | None = None,
    ) -> Tensor:
        """The elements (slices along dim) that differ from the one before."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: _bool = False,
        return_counts: _bool = False,
        dim: _int | None = None,
    ) -> Any:
        """The elements (slices along dim) that differ from the one before."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """A view with a new dimension of size 1 at dim."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """A view with a new dimension of size 1 at dim."""
    def var(
        self,
        dim: Dims | None = None,
        unbiased: _bool | None = None,
        keepdim: _bool = False,
        *,
        correction: _int | None = None,
        axis: Dims | None = ...,
        keepdims: _bool = ...,
    ) -> Tensor:
        """The variance over dim, or of all elements."""
    def vdot(self, other: TensorLike) -> Tensor:
        """The sum of conj(input) * other over two vectors of one length."""
    def view(self, *sizes: Dims, dtype: DTypeLike | None = None) -> Tensor:
        """The same memory in another shape."""
    def view_as(self, other: TensorLike) -> Tensor:
        """A view in the shape of other."""
    def view_as_complex(self) -> Tensor:
        """A complex view of real pairs: the last dimension, of size 2, holds real and imaginary part."""
    def view_as_real(self) -> Tensor:
        """A real view of complex numbers, with a last dimension of 2: real and imaginary part."""
    def vsplit(self, indices_or_sections: Dims | Tensor) -> tuple[Tensor, ...]:
        """Parts along the first dimension of at least 2."""
    def where(self, condition: TensorLike, other: TensorLike) -> Tensor:
        """The elements of this tensor where the mask condition holds, else those of other."""
    def xlogy(self, other: TensorLike) -> Tensor:
        """input * log(other), and 0 where input is 0 (unless other is nan)."""
    def xlogy_(self, other: TensorLike) -> Tensor:
        """input * log(other), and 0 where input is 0 (unless other is nan)."""
    def zero_(self) -> Tensor:
        """Write zeros over the whole tensor."""
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __eq__(self, other: TensorLike) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: TensorLike) -> Tensor: ...  # type: ignore[override]
    def __lt__(self, other: TensorLike) -> Tensor: ...
    def __le__(self, other: TensorLike) -> Tensor: ...
    def __gt__(self, other: TensorLike) -> Tensor: ...
    def __ge__(self, other: TensorLike) -> Tensor: ...
    def __add__(self, other: TensorLike) -> Tensor: ...
    def __radd__(self, other: TensorLike) -> Tensor: ...
    def __iadd__(self, other: TensorLike) -> Tensor: ...
    def __sub__(self, other: TensorLike) -> Tensor: ...
    def __rsub__(self, other: TensorLike) -> Tensor: ...
    def __isub__(self, other: TensorLike) -> Tensor: ...
    def __mul__(self, other: TensorLike) -> Tensor: ...
    def __rmul__(self, other: TensorLike) -> Tensor: ...
    def __imul__(self, other: TensorLike) -> Tensor: ...
    def __truediv__(self, other: TensorLike) -> Tensor: ...
    def __rtruediv__(self, other: TensorLike) -> Tensor: ...
    def __itruediv__(self, other: TensorLike) -> Tensor: ...
    def __floordiv__(self, other: TensorLike) -> Tensor: ...
    def __rfloordiv__(self, other: TensorLike) -> Tensor: ...
    def __ifloordiv__(self, other: TensorLike) -> Tensor: ...
    def __mod__(self, other: TensorLike) -> Tensor: ...
    def __rmod__(self, other: TensorLike) -> Tensor: ...
    def __imod__(self, other: TensorLike) -> Tensor: ...
    def __pow__(self, other: TensorLike) -> Tensor: ...
    def __rpow__(self, other: TensorLike) -> Tensor: ...
    def __ipow__(self, other: TensorLike) -> Tensor: ...
    def __matmul__(self, other: TensorLike) -> Tensor: ...
    def __rmatmul__(self, other: TensorLike) -> Tensor: ...
    def __imatmul__(self, other: TensorLike) -> Tensor: ...
    def __and__(self, other: TensorLike) -> Tensor: ...
    def __rand__(self, other: TensorLike) -> Tensor: ...
    def __iand__(self, other: TensorLike) -> Tensor: ...
    def __or__(self, other: TensorLike) -> Tensor: ...
    def __ror__(self, other: TensorLike) -> Tensor: ...
    def __ior__(self, other: TensorLike) -> Tensor: ...
    def __xor__(self, other: TensorLike) -> Tensor: ...
    def __rxor__(self, other: TensorLike) -> Tensor: ...
    def __ixor__(self, other: TensorLike) -> Tensor: ...
    def __lshift__(self, other: TensorLike) -> Tensor: ...
    def __rlshift__(self, other: TensorLike) -> Tensor: ...
    def __ilshift__(self, other: TensorLike) -> Tensor: ...
    def __rshift__(self, other: TensorLike) -> Tensor: ...
    def __rrshift__(self, other: TensorLike) -> Tensor: ...
    def __irshift__(self, other: TensorLike) -> Tensor: ...
    def __getitem__(self, index: Index) -> Tensor: ...
    def __setitem__(self, index: Index, value: TensorLike) -> None: ...

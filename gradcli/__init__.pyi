# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""PyTorch's names on NumPy: tensors, operations, gradients."""

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from gradcli import accelerator as accelerator
from gradcli import autograd as autograd
from gradcli import backends as backends
from gradcli import cuda as cuda
from gradcli import fft as fft
from gradcli import func as func
from gradcli import linalg as linalg
from gradcli import nn as nn
from gradcli import optim as optim
from gradcli import signal as signal
from gradcli import special as special
from gradcli import testing as testing
from gradcli import utils as utils
from gradcli._typing import (
    PLU,
    QR,
    USV,
    ATau,
    Dims,
    DTypeLike,
    HistBinEdges,
    MantissaExponent,
    MinMax,
    SignLogabsdet,
    SolutionClonedCoefficient,
    TensorLike,
    ValuesIndices,
)
from gradcli.autograd.anomaly import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from gradcli.autograd.anomaly import is_anomaly_enabled as is_anomaly_enabled
from gradcli.autograd.devices import device as device
from gradcli.autograd.devices import get_default_device as get_default_device
from gradcli.autograd.devices import set_default_device as set_default_device
from gradcli.autograd.dtypes import DType as _DType
from gradcli.autograd.dtypes import finfo as finfo
from gradcli.autograd.dtypes import get_default_dtype as get_default_dtype
from gradcli.autograd.dtypes import iinfo as iinfo
from gradcli.autograd.dtypes import set_default_dtype as set_default_dtype
from gradcli.autograd.mode import enable_grad as enable_grad
from gradcli.autograd.mode import inference_mode as inference_mode
from gradcli.autograd.mode import is_grad_enabled as is_grad_enabled
from gradcli.autograd.mode import is_inference_mode_enabled as is_inference_mode_enabled
from gradcli.autograd.mode import no_grad as no_grad
from gradcli.autograd.mode import set_grad_enabled as set_grad_enabled
from gradcli.autograd.printing import set_printoptions as set_printoptions
from gradcli.autograd.size import Size as Size
from gradcli.autograd.tensor import Tensor as Tensor
from gradcli.autograd.vmap import vmap as vmap
from gradcli.lang.embed import run as run
from gradcli.ops.generator import Generator as _Generator
from gradcli.ops.tensor_type import BoolTensor as BoolTensor
from gradcli.ops.tensor_type import DoubleTensor as DoubleTensor
from gradcli.ops.tensor_type import FloatTensor as FloatTensor
from gradcli.ops.tensor_type import HalfTensor as HalfTensor
from gradcli.ops.tensor_type import IntTensor as IntTensor
from gradcli.ops.tensor_type import LongTensor as LongTensor
from gradcli.version import __version__ as __version__

dtype = _DType
bool: _DType
cdouble: _DType
cfloat: _DType
complex128: _DType
complex64: _DType
double: _DType
e: _float
float: _DType
float16: _DType
float32: _DType
float64: _DType
half: _DType
inf: _float
int: _DType
int16: _DType
int32: _DType
int64: _DType
int8: _DType
long: _DType
nan: _float
pi: _float
short: _DType
strided: _str
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType

def Generator(device: _str = 'cpu') -> _Generator:
    """A stream of random numbers of its own, for generator=."""

def abs(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element, the modulus where complex."""

def absolute(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element, the modulus where complex."""

def acos(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse cosine, in [0, pi]."""

def acosh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic cosine, for x >= 1."""

def adaptive_avg_pool1d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of output_size regions that cover the input."""

def adaptive_max_pool1d(input: TensorLike, output_size: _int | Sequence[_int | None]) -> tuple[Tensor, Tensor]:
    """F.adaptive_max_pool1d with return_indices=True."""

def add(input: TensorLike, other: TensorLike, *, alpha: _complex = 1, out: Tensor | None = None) -> Tensor:
    """The sum input + alpha * other, broadcast."""

def addbmm(
    input: TensorLike,
    batch1: TensorLike,
    batch2: TensorLike,
    *,
    beta: _complex = 1,
    alpha: _complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """beta * input + alpha * the sum of the products of all pairs of matrices of two batches."""

def addcdiv(
    input: TensorLike,
    tensor1: TensorLike,
    tensor2: TensorLike,
    *,
    value: TensorLike = 1,
    out: Tensor | None = None,
) -> Tensor:
    """input + value * tensor1 / tensor2, broadcast."""

def addcmul(
    input: TensorLike,
    tensor1: TensorLike,
    tensor2: TensorLike,
    *,
    value: TensorLike = 1,
    out: Tensor | None = None,
) -> Tensor:
    """input + value * tensor1 * tensor2, broadcast."""

def addmm(
    input: TensorLike,
    mat1: TensorLike,
    mat2: TensorLike,
    *,
    beta: _complex = 1,
    alpha: _complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""

def addmv(
    input: TensorLike,
    mat: TensorLike,
    vec: TensorLike,
    *,
    beta: _complex = 1,
    alpha: _complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """beta * input + alpha * (mat @ vec)."""

def addr(
    input: TensorLike,
    vec1: TensorLike,
    vec2: TensorLike,
    *,
    beta: _complex = 1,
    alpha: _complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """beta * input + alpha * outer(vec1, vec2)."""

def adjoint(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The conjugate transpose of the last two dimensions."""

def all(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """Whether every element is nonzero, over all elements or over dim."""

def allclose(
    input: TensorLike,
    other: TensorLike,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
) -> _bool:
    """Whether all elements are close, as isclose: a Python bool."""

def alpha_dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = False,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout for selu: elements are set to its lower limit, then all are scaled and shifted to keep mean and ..."""

def amax(
    input: TensorLike,
    dim: Dims = (),
    keepdim: _bool = False,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The largest element over the dimensions dim, over all of them by default."""

def amin(
    input: TensorLike,
    dim: Dims = (),
    keepdim: _bool = False,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest element over the dimensions dim, over all of them by default."""

def aminmax(
    input: TensorLike,
    *,
    dim: Dims | None = None,
    keepdim: _bool = False,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
) -> MinMax:
    """The smallest and the largest element, of everything or along dim, as (min, max)."""

def angle(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The angle of each complex number, in (-pi, pi]."""

def any(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """Whether some element is nonzero, over all elements or over dim."""

@overload
def arange(
    end: _float,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
) -> Tensor:
    """The numbers from start up to, but without, end."""
@overload
def arange(
    start: _float,
    end: _float,
    step: _float = 1,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
) -> Tensor:
    """The numbers from start up to, but without, end."""

def arccos(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse cosine, in [0, pi]."""

def arccosh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic cosine, for x >= 1."""

def arcsin(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse sine, in [-pi/2, pi/2]."""

def arcsinh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic sine."""

def arctan(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse tangent, in (-pi/2, pi/2)."""

def arctan2(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, input), in [-pi, pi]."""

def arctanh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic tangent, for -1 < x < 1."""

def argmax(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the largest element: in the flattened tensor, or along dim."""

def argmin(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the smallest element: in the flattened tensor, or along dim."""

def argsort(
    input: TensorLike,
    dim: _int = -1,
    descending: _bool = False,
    *,
    stable: _bool = False,
    axis: _int = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The indices that put the elements in order along dim."""

def argwhere(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The indices of the elements that are not zero, a row for each."""

def as_strided(
    input: TensorLike,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A view of the memory below input with the given sizes and strides (in elements), from storage_offset on."""

def as_strided_scatter(
    input: TensorLike,
    src: TensorLike,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of input with src in place of as_strided(input, size, stride, storage_offset)."""

def as_tensor(
    data: TensorLike,
    dtype: DTypeLike | None = None,
    device: _str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of numbers, nested lists or an array."""

def asarray(
    obj: TensorLike,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    copy: _bool | None = None,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of numbers, nested lists, an array or a tensor, which is shared where it can be."""

def asin(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse sine, in [-pi/2, pi/2]."""

def asinh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic sine."""

def atan(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse tangent, in (-pi/2, pi/2)."""

def atan2(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, input), in [-pi, pi]."""

def atanh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic tangent, for -1 < x < 1."""

@overload
def atleast_1d(tensor: TensorLike, /) -> Tensor:
    """A 0-d tensor as one of one element, others as they are."""
@overload
def atleast_1d(*tensors: TensorLike) -> Any:
    """A 0-d tensor as one of one element, others as they are."""

@overload
def atleast_2d(tensor: TensorLike, /) -> Tensor:
    """The tensor with at least 2 dimensions: a vector becomes a row."""
@overload
def atleast_2d(*tensors: TensorLike) -> Any:
    """The tensor with at least 2 dimensions: a vector becomes a row."""

@overload
def atleast_3d(tensor: TensorLike, /) -> Tensor:
    """The tensor with at least 3 dimensions."""
@overload
def atleast_3d(*tensors: TensorLike) -> Any:
    """The tensor with at least 3 dimensions."""

def avg_pool1d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window along the last dim."""

def baddbmm(
    input: TensorLike,
    batch1: TensorLike,
    batch2: TensorLike,
    *,
    beta: _complex = 1,
    alpha: _complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix of two batches."""

def bartlett_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Bartlett (triangular) window."""

def batch_norm(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike,
    running_mean: TensorLike,
    running_var: TensorLike,
    training: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """F.batch_norm with its arguments in the order of torch.batch_norm."""

def bernoulli(
    input: TensorLike,
    p: _float | None = None,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """1 with the probability that input gives, else 0."""

def bilinear(
    input1: TensorLike,
    input2: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input1 @ weight[o] @ input2 for each output o, plus bias."""

def bincount(
    input: TensorLike,
    weights: TensorLike | None = None,
    minlength: _int = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How often each of 0, 1, 2, ..."""

def bitwise_and(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The bits set in both: the operator x & y."""

def bitwise_left_shift(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The bits moved up: the operator x << y."""

def bitwise_not(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """All bits turned round."""

def bitwise_or(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The bits set in either: the operator x | y."""

def bitwise_right_shift(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The bits moved down: the operator x >> y."""

def bitwise_xor(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The bits set in just one: the operator of tensors x ^ y in Python."""

def blackman_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Blackman window."""

def block_diag(*tensors: TensorLike, out: Tensor | None = None) -> Tensor:
    """A matrix with the given matrices along its diagonal and zeros elsewhere."""

def bmm(input: TensorLike, mat2: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices, (b, n, k) and (b, k, m), without broadcasting."""

def broadcast_shapes(*shapes: Sequence[_int]) -> Size:
    """The shape to which the shapes broadcast."""

def broadcast_tensors(*tensors: TensorLike) -> tuple[Tensor, ...]:
    """Views of the tensors in their common shape, as a tuple."""

def broadcast_to(
    input: TensorLike,
    *size: Dims,
    shape: Sequence[_int] | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """expand under NumPy's name."""

def bucketize(
    input: TensorLike,
    boundaries: TensorLike,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the bucket that each value falls in, between sorted 1-d boundaries."""

def can_cast(from_: DTypeLike, to: DTypeLike) -> _bool:
    """Whether an in-place result of the first dtype fits the second: not from complex to real, float to integer ..."""

def cartesian_prod(*tensors: TensorLike, out: Tensor | None = None) -> Tensor:
    """All ways to take one element of each vector, a row each."""

def cat(tensors: Sequence[TensorLike], dim: _int = 0, *, axis: _int = ..., out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along an existing dimension."""

def cdist(
    x1: TensorLike,
    x2: TensorLike,
    p: _float = 2.0,
    compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm distance of every row of x1 to every row of x2."""

def ceil(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The smallest whole number not below."""

def celu(input: TensorLike, alpha: _float = 1.0, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input where it is positive, else alpha * (exp(input / alpha) - 1)."""

def chain_matmul(*matrices: TensorLike, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices in the order of fewest multiplications."""

def channel_shuffle(input: TensorLike, groups: _int, *, out: Tensor | None = None) -> Tensor:
    """Channels (dim 1) taken in turn from each of groups groups."""

def cholesky(input: TensorLike, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The older spelling of linalg.cholesky."""

def cholesky_inverse(L: TensorLike, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of L L^H (of L^H L with upper=True) for a Cholesky factor L."""

def cholesky_solve(B: TensorLike, L: TensorLike, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The solution of L L^H X = B (L^H L X = B with upper=True) for a Cholesky factor L."""

def chunk(input: TensorLike, chunks: _int, dim: _int = 0, *, axis: _int = ...) -> tuple[Tensor, ...]:
    """At most the given number of parts of equal size along a dimension (the last may be smaller), as a tuple."""

def clamp(
    input: TensorLike,
    min: TensorLike | None = None,
    max: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element moved into [min, max]."""

def clamp_max(input: TensorLike, max: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Each element, or max where that is smaller."""

def clamp_min(input: TensorLike, min: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Each element, or min where that is larger."""

def clip(
    input: TensorLike,
    min: TensorLike | None = None,
    max: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element moved into [min, max]."""

def clone(input: TensorLike, *, memory_format: Any = None, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor in memory of its own."""

def column_stack(tensors: Sequence[TensorLike], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side, vectors as columns."""

def combinations(
    input: TensorLike,
    r: _int = 2,
    with_replacement: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """All ways to choose r elements of a vector, a row each."""

def complex(real: TensorLike, imag: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The complex numbers real + i imag, broadcast."""

def concat(tensors: Sequence[TensorLike], dim: _int = 0, *, axis: _int = ..., out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along an existing dimension."""

def concatenate(tensors: Sequence[TensorLike], dim: _int = 0, *, axis: _int = ..., out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along an existing dimension."""

def conj(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate."""

def conj_physical(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate in memory of its own."""

def constant_pad_nd(
    input: TensorLike,
    pad: Sequence[_int],
    value: TensorLike = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """F.pad with mode 'constant'."""

def conv1d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Dims = 1,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    groups: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Correlation of input (N, C, L) with kernels weight (O, C / groups, K)."""

def conv2d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Dims = 1,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    groups: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Correlation of input (N, C, H, W) with kernels weight (O, C / groups, KH, KW)."""

def conv3d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Dims = 1,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    groups: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Correlation of input (N, C, D, H, W) with kernels weight (O, C / groups, KD, KH, KW)."""

def conv_transpose1d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Dims = 1,
    padding: Dims | _str = 0,
    output_padding: Dims = 0,
    groups: _int = 1,
    dilation: Dims = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The adjoint of conv1d: input (N, C, L) with weight (C, O / groups, K)."""

def conv_transpose2d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Dims = 1,
    padding: Dims | _str = 0,
    output_padding: Dims = 0,
    groups: _int = 1,
    dilation: Dims = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The adjoint of conv2d: input (N, C, H, W) with weight (C, O / groups, KH, KW)."""

def conv_transpose3d(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Dims = 1,
    padding: Dims | _str = 0,
    output_padding: Dims = 0,
    groups: _int = 1,
    dilation: Dims = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The adjoint of conv3d: input (N, C, D, H, W) with weight (C, O / groups, KD, KH, KW)."""

def copysign(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The size of input with the sign of other."""

def corrcoef(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The correlation matrix of variables (rows) over observations (columns): the covariance over the standard ..."""

def cos(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The cosine of each element."""

def cosh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine."""

def cosine_similarity(
    x1: TensorLike,
    x2: TensorLike,
    dim: _int = 1,
    eps: _float = 1e-08,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The cosine of the angle between x1 and x2 along dim."""

def count_nonzero(
    input: TensorLike,
    dim: Dims | None = None,
    *,
    axis: Dims | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The number of nonzero elements, of all of them or over dim."""

def cov(
    input: TensorLike,
    *,
    correction: _int = 1,
    fweights: TensorLike | None = None,
    aweights: TensorLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The covariance matrix of variables (rows) over observations (columns)."""

def cross(input: TensorLike, other: TensorLike, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The vector product along a dimension of size 3, by default the first that has this size in both."""

def cummax(input: TensorLike, dim: _int) -> ValuesIndices:
    """The running maximum along dim, as (values, indices)."""

def cummin(input: TensorLike, dim: _int) -> ValuesIndices:
    """The running minimum along dim, as (values, indices)."""

def cumprod(input: TensorLike, dim: _int, *, dtype: DTypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """The running product along dim."""

def cumsum(input: TensorLike, dim: _int, *, dtype: DTypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """The running sum along dim."""

def cumulative_trapezoid(
    y: TensorLike,
    x: TensorLike | None = None,
    *,
    dx: _float | None = None,
    dim: _int = -1,
    out: Tensor | None = None,
) -> Tensor:
    """The running integral of the samples y along dim by the trapezoidal rule, one less than there are samples."""

def deg2rad(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Degrees to radians."""

def det(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The determinant of a square matrix, or of each of a batch."""

def detach(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The same memory without the graph: a constant for all that follows."""

def detach_(input: Tensor) -> Tensor:
    """Cut this very tensor off from the graph: it becomes a leaf that does not require grad."""

def diag(input: TensorLike, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Of a vector the matrix with it on a diagonal, of a matrix a copy of its diagonal."""

def diag_embed(
    input: TensorLike,
    offset: _int = 0,
    dim1: _int = -2,
    dim2: _int = -1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Square matrices with the last dimension of input on a diagonal and 0 elsewhere."""

def diagflat(input: TensorLike, offset: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """A matrix with all elements of input on a diagonal."""

def diagonal(
    input: TensorLike,
    offset: _int = 0,
    dim1: _int = 0,
    dim2: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A view of the diagonal of two dimensions, as a new last dimension."""

def diagonal_scatter(
    input: TensorLike,
    src: TensorLike,
    offset: _int = 0,
    dim1: _int = 0,
    dim2: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of input with src in place of a diagonal."""

def diff(
    input: TensorLike,
    n: _int = 1,
    dim: _int = -1,
    prepend: TensorLike | None = None,
    append: TensorLike | None = None,
    *,
    axis: _int = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along dim, taken n times."""

def digamma(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma."""

def dist(input: TensorLike, other: TensorLike, p: _float = 2, *, out: Tensor | None = None) -> Tensor:
    """The p-norm of input - other, broadcast."""

def div(
    input: TensorLike,
    other: TensorLike,
    *,
    rounding_mode: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient input / other, broadcast."""

def divide(
    input: TensorLike,
    other: TensorLike,
    *,
    rounding_mode: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient input / other, broadcast."""

def dot(input: TensorLike, tensor: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors of one length."""

def dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = True,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element set to 0 with probability p, the others divided by 1 - p."""

def dsplit(input: TensorLike, indices_or_sections: Dims | Tensor) -> tuple[Tensor, ...]:
    """Parts along the third dimension."""

def dstack(tensors: Sequence[TensorLike], *, out: Tensor | None = None) -> Tensor:
    """The tensors behind each other, along the third dimension."""

def einsum(equation: _str, *operands: TensorLike | Sequence[TensorLike]) -> Tensor:
    """Sums of products, written with a label for each dimension: 'ij,jk->ik' is the matrix product."""

def embedding(
    weight: TensorLike,
    indices: TensorLike,
    padding_idx: _int = -1,
    scale_grad_by_freq: _bool = False,
    sparse: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """F.embedding with the table first."""

def empty(
    *size: Dims,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor whose values say nothing (here: zeros)."""

def empty_like(
    input: TensorLike,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, whose values say nothing (here: zeros)."""

def eq(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input equals other, element by element: the operator ==."""

def equal(input: TensorLike, other: TensorLike) -> _bool:
    """Whether two tensors have the same shape and the same elements: a Python bool."""

def erf(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The error function."""

def erfc(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(x), exact also for large x."""

def erfinv(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the error function, for -1 < x < 1."""

def exp(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The exponential e^x of each element."""

def exp2(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The power 2^x of each element."""

def expm1(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """e^x - 1, exact also for small x."""

def eye(
    n: _int,
    m: _int | None = None,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A matrix of n rows and m columns (n by default) with ones on the diagonal, zeros elsewhere."""

def feature_alpha_dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = False,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """alpha_dropout of whole channels."""

def feature_dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = True,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each channel of (N, C, H, W) set to 0 with probability p, the others divided by 1 - p."""

def fill(input: TensorLike, value: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """A tensor of the shape and dtype of input with one value everywhere."""

def fill_(input: Tensor, value: TensorLike) -> Tensor:
    """Write one value, a number or a 0-d tensor, over the whole tensor."""

def fix(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The whole part, towards 0."""

def flatten(input: TensorLike, start_dim: _int = 0, end_dim: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """The dimensions start_dim to end_dim merged into one."""

def flip(input: TensorLike, *order: Dims, dims: Dims | None = None, out: Tensor | None = None) -> Tensor:
    """The elements in reverse order along the given dimensions."""

def fliplr(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The columns in reverse order."""

def flipud(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The rows in reverse order."""

def float_power(input: TensorLike, exponent: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The power input ** exponent, computed in float64 (complex128)."""

def floor(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The largest whole number not above."""

def floor_divide(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The quotient input / other rounded down: the operator x // y."""

def fmax(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The larger of the two, element by element."""

def fmin(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The smaller of the two, element by element."""

def fmod(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend (C's fmod)."""

def frac(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The fraction x - trunc(x), with the sign of x."""

def frexp(input: TensorLike) -> MantissaExponent:
    """A mantissa of [0.5, 1) and a whole exponent: input = mantissa * 2^exponent."""

def from_numpy(ndarray: np.ndarray[Any, Any], *, out: Tensor | None = None) -> Tensor:
    """A tensor on the memory of an ndarray: a write to either shows in both."""

def full(
    size: Dims,
    fill_value: _complex,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor with the same number everywhere."""

def full_like(
    input: TensorLike,
    fill_value: _complex,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input with the same number everywhere."""

def gather(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    *,
    sparse_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """One element for each entry of index: out[i][j] = input[index[i][j]][j] for dim 0, input[i][index[i][j]] ..."""

def gcd(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor, never negative."""

def ge(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at least other, element by element: the operator >=."""

def geqrf(input: TensorLike) -> ATau:
    """The reflections of a QR factorization: R on and above the diagonal, the vectors below it, and their ..."""

def ger(input: TensorLike, vec2: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """All products of an entry of one vector (n,) and one of another (m,): shape (n, m)."""

def get_rng_state(*, out: Tensor | None = None) -> Tensor:
    """The state of the default generator as bytes, in PyTorch's layout."""

def gradient(
    input: TensorLike,
    *,
    spacing: _float | Sequence[TensorLike] | Tensor = 1,
    dim: Dims | None = None,
    edge_order: _int = 1,
) -> tuple[Tensor, ...]:
    """Numerical derivatives of samples along each dimension (or those of dim): central differences inside, one- ..."""

def greater(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is greater than other, element by element: the operator >."""

def greater_equal(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at least other, element by element: the operator >=."""

def group_norm(
    input: TensorLike,
    num_groups: _int,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: _float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each of num_groups groups of channels of each sample minus its mean, divided by its deviation."""

def gt(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is greater than other, element by element: the operator >."""

def hamming_window(
    window_length: _int,
    periodic: _bool = True,
    alpha: _float = 0.54,
    beta: _float = 0.46,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Hamming window."""

def hann_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Hann window."""

def hardshrink(input: TensorLike, lambd: _float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """input outside -lambd..lambd, 0 inside."""

def heaviside(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """0 below 0, 1 above, and other at 0."""

def histc(
    input: TensorLike,
    bins: _int = 100,
    min: _float = 0,
    max: _float = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How many elements fall in each of bins equal parts of min..max (the range of the data where both are 0)."""

def histogram(
    input: TensorLike,
    bins: _int | TensorLike,
    *,
    range: tuple[_float, _float] | None = None,
    weight: TensorLike | None = None,
    density: _bool = False,
) -> HistBinEdges:
    """The counts (or sums of weight) of the elements in each bin, and the edges of the bins."""

def hsplit(input: TensorLike, indices_or_sections: Dims | Tensor) -> tuple[Tensor, ...]:
    """Parts along the second dimension (the first of a vector), in equal numbers or cut before indices."""

def hstack(tensors: Sequence[TensorLike], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side: along the second dimension, vectors along the first."""

def hypot(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The length sqrt(input^2 + other^2), without overflow."""

def i0(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0."""

def igamma(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The regularised lower incomplete gamma function P(input, other)."""

def igammac(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The regularised upper incomplete gamma function Q(input, other) = 1 - P(input, other)."""

def imag(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The imaginary part: a view."""

def index_add(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    source: TensorLike,
    *,
    alpha: _complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """input with alpha * source added along a dimension at the places a vector of indices names."""

def index_copy(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    source: TensorLike,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input with the entries of source written along a dimension at the places a vector of indices names."""

def index_fill(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    value: TensorLike,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input with a value (a number or a 0-d tensor) at the entries of a dimension that a vector of indices names."""

def index_put(
    input: TensorLike,
    indices: Sequence[Tensor | None],
    values: TensorLike,
    accumulate: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input with values at the places that a tuple of index tensors names, as x[indices] = values."""

def index_reduce(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    source: TensorLike,
    reduce: _str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """input combined along a dimension with the entries of source sent to the places a vector of indices names: ..."""

def index_select(input: TensorLike, dim: _int, index: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The entries of a dimension that a vector of indices names, in its order."""

def initial_seed() -> _int:
    """The seed of the default generator."""

def inner(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The products of input and other summed over the last dimension of both."""

def instance_norm(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike,
    running_mean: TensorLike,
    running_var: TensorLike,
    use_input_stats: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """F.instance_norm with its arguments in the order of torch.instance_norm."""

def inverse(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix, or of each of a batch."""

def is_complex(input: TensorLike) -> _bool:
    """Whether the dtype is complex."""

def is_conj(input: TensorLike) -> _bool:
    """Whether a conjugate is pending: never here, it is computed."""

def is_floating_point(input: TensorLike) -> _bool:
    """Whether the dtype is a real float."""

def is_neg(input: TensorLike) -> _bool:
    """Whether a negation is pending: never here, it is computed."""

def is_nonzero(input: TensorLike) -> _bool:
    """Whether the only element is not 0."""

def is_tensor(obj: object) -> _bool:
    """Whether obj is a tensor."""

def isclose(
    input: TensorLike,
    other: TensorLike,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether |input - other| <= atol + rtol * |other|, element by element."""

def isfinite(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is a number: neither nan nor infinite."""

def isin(
    elements: TensorLike,
    test_elements: TensorLike,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each element is one of test_elements (or is not, with invert)."""

def isinf(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is inf or -inf."""

def isnan(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is nan."""

def isneginf(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is -inf."""

def isposinf(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is inf."""

def isreal(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element has no imaginary part."""

def istft(
    input: TensorLike,
    n_fft: _int,
    hop_length: _int | None = None,
    win_length: _int | None = None,
    window: TensorLike | None = None,
    center: _bool = True,
    normalized: _bool = False,
    onesided: _bool | None = None,
    length: _int | None = None,
    return_complex: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The signal of which input is the short-time transform: frames added where they overlap, divided by the sum ..."""

def kaiser_window(
    window_length: _int,
    periodic: _bool = True,
    beta: _float = 12.0,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Kaiser window."""

def kron(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: input with each entry replaced by that entry times other."""

def kthvalue(
    input: TensorLike,
    k: _int,
    dim: _int = -1,
    keepdim: _bool = False,
    *,
    axis: _int = ...,
    keepdims: _bool = ...,
) -> ValuesIndices:
    """The k-th smallest element along dim, counted from 1, as (values, indices)."""

def layer_norm(
    input: TensorLike,
    normalized_shape: Dims,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    eps: _float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input minus its mean over the last dims normalized_shape, divided by the deviation there, times weight ..."""

def lcm(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple."""

def ldexp(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input * 2^other."""

def le(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at most other, element by element: the operator <=."""

def lerp(input: TensorLike, end: TensorLike, weight: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The point at weight on the way from input to end: input + weight * (end - input)."""

def less(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is less than other, element by element: the operator <."""

def less_equal(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at most other, element by element: the operator <=."""

def lgamma(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of |Gamma(x)|."""

def linspace(
    start: _complex,
    end: _complex,
    steps: _int,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """So many numbers from start to end, both included, evenly spaced."""

def log(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of each element."""

def log10(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10."""

def log1p(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """log(1 + x), exact also for small x."""

def log2(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2."""

def log_softmax(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    axis: _int | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of softmax, exact for large inputs."""

def logaddexp(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """log(e^input + e^other), without overflow."""

def logaddexp2(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """log2(2^input + 2^other), without overflow."""

def logcumsumexp(input: TensorLike, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the running sum of exponentials along dim, without overflow."""

def logdet(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the determinant."""

def logical_and(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether both are true, element by element."""

def logical_not(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is false (0)."""

def logical_or(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether either is true, element by element."""

def logical_xor(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether just one is true, element by element."""

def logit(input: TensorLike, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(x / (1 - x)), the inverse of sigmoid."""

def logspace(
    start: _complex,
    end: _complex,
    steps: _int,
    base: _float = 10.0,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """base to the power of evenly spaced exponents from start to end."""

def logsumexp(
    input: TensorLike,
    dim: Dims,
    keepdim: _bool = False,
    *,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """log(sum(exp(input))) over dim, without overflow."""

def lt(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input is less than other, element by element: the operator <."""

def lu_solve(b: TensorLike, LU_data: TensorLike, LU_pivots: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The older spelling of linalg.lu_solve, with the right-hand side first."""

def lu_unpack(
    LU_data: TensorLike,
    LU_pivots: TensorLike,
    unpack_data: _bool = True,
    unpack_pivots: _bool = True,
) -> PLU:
    """P, L, U from the results of linalg.lu_factor."""

def manual_seed(seed: _int) -> _Generator:
    """Start the stream of random numbers that belongs to seed."""

def masked_fill(input: TensorLike, mask: TensorLike, value: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input with value where the mask holds."""

def masked_scatter(input: TensorLike, mask: TensorLike, source: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input with the elements of source, in order, where the mask holds."""

def masked_select(input: TensorLike, mask: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The elements where the mask holds, in row-major order, in one dimension."""

def matmul(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The operator @: vector times vector, matrix times vector, matrix times matrix, or batches of these."""

def matrix_exp(A: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The exponential of a square matrix, I + A + A^2/2 + ..."""

def matrix_power(A: TensorLike, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The n-th power of a square matrix."""

@overload
def max(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The largest element."""
@overload
def max(input: TensorLike, dim: _int, keepdim: _bool = False, *, out: Any = None) -> ValuesIndices:
    """The largest element."""
@overload
def max(input: TensorLike, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
    """The largest element."""
@overload
def max(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The largest element."""

@overload
def max_pool1d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    ceil_mode: _bool = False,
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The maximum of each window along the last dim of (N, C, L) or (C, L)."""
@overload
def max_pool1d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]:
    """The maximum of each window along the last dim of (N, C, L) or (C, L)."""

@overload
def max_pool2d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    ceil_mode: _bool = False,
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The maximum of each window over the last two dims of (N, C, H, W) or (C, H, W)."""
@overload
def max_pool2d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]:
    """The maximum of each window over the last two dims of (N, C, H, W) or (C, H, W)."""

@overload
def max_pool3d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    ceil_mode: _bool = False,
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The maximum of each window over the last three dims of (N, C, D, H, W) or (C, D, H, W)."""
@overload
def max_pool3d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    dilation: Dims = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]:
    """The maximum of each window over the last three dims of (N, C, D, H, W) or (C, D, H, W)."""

def maximum(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The larger of the two, element by element."""

def mean(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of all elements, or over the dimensions dim."""

@overload
def median(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The lower median of all elements."""
@overload
def median(input: TensorLike, dim: _int, keepdim: _bool = False, *, out: Any = None) -> ValuesIndices:
    """The lower median of all elements."""
@overload
def median(input: TensorLike, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
    """The lower median of all elements."""

def meshgrid(*tensors: TensorLike, indexing: _str | None = None) -> tuple[Tensor, ...]:
    """Coordinate grids of vectors, as a tuple of views: grid k repeats vector k along all other dimensions."""

@overload
def min(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The smallest element."""
@overload
def min(input: TensorLike, dim: _int, keepdim: _bool = False, *, out: Any = None) -> ValuesIndices:
    """The smallest element."""
@overload
def min(input: TensorLike, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
    """The smallest element."""
@overload
def min(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The smallest element."""

def minimum(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The smaller of the two, element by element."""

def mm(input: TensorLike, mat2: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices, (n, k) and (k, m)."""

def mode(
    input: TensorLike,
    dim: _int = -1,
    keepdim: _bool = False,
    *,
    axis: _int = ...,
    keepdims: _bool = ...,
) -> ValuesIndices:
    """The most frequent value along dim, as (values, indices)."""

def moveaxis(input: TensorLike, source: Dims, destination: Dims, *, out: Tensor | None = None) -> Tensor:
    """A view with the dimensions source moved to the places destination, the others in order."""

def movedim(input: TensorLike, source: Dims, destination: Dims, *, out: Tensor | None = None) -> Tensor:
    """A view with the dimensions source moved to the places destination, the others in order."""

def msort(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The elements in order along the first dimension."""

def mul(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The product input * other, broadcast."""

def multinomial(
    input: TensorLike,
    num_samples: _int,
    replacement: _bool = False,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Numbers of categories, drawn with the weights that input (one row or several) gives."""

def multiply(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The product input * other, broadcast."""

def mv(input: TensorLike, vec: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix (n, k) and a vector (k,)."""

def mvlgamma(input: TensorLike, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension p."""

def nan_to_num(
    input: TensorLike,
    nan: _float | None = 0.0,
    posinf: _float | None = None,
    neginf: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """nan and infinities replaced: by 0 and by the largest numbers of the dtype, or as given."""

def nanmean(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The mean over dim, or of everything, of what is not nan."""

@overload
def nanmedian(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The lower median of what is not nan."""
@overload
def nanmedian(input: TensorLike, dim: _int, keepdim: _bool = False, *, out: Any = None) -> ValuesIndices:
    """The lower median of what is not nan."""
@overload
def nanmedian(input: TensorLike, *, axis: _int, keepdims: _bool = False) -> ValuesIndices:
    """The lower median of what is not nan."""

def nanquantile(
    input: TensorLike,
    q: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    interpolation: _str = 'linear',
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The quantiles of what is not nan, as quantile."""

def nansum(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over dim, or of everything, with nan counted as 0."""

def narrow(input: TensorLike, dim: _int, start: _int, length: _int, *, out: Tensor | None = None) -> Tensor:
    """length entries of a dimension from start on, as a view."""

def ne(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input differs from other, element by element: the operator !=."""

def neg(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Each element with its sign turned round."""

def negative(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Each element with its sign turned round."""

def nextafter(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The next number of the dtype after input on the way to other."""

@overload
def nonzero(input: TensorLike, *, as_tuple: Literal[False] = False) -> Tensor:
    """The indices of the elements that are not zero: a row for each, or with as_tuple one tensor a dimension."""
@overload
def nonzero(input: TensorLike, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero: a row for each, or with as_tuple one tensor a dimension."""

def norm(
    input: TensorLike,
    p: _float | _str = 'fro',
    dim: Dims | None = None,
    keepdim: _bool = False,
    dtype: DTypeLike | None = None,
    *,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The vector norm of order p over dim, or of all elements."""

def normal(
    mean: TensorLike,
    std: TensorLike = 1.0,
    size: Dims | None = None,
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Normal numbers with the given means and standard deviations, tensors or numbers."""

def not_equal(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether input differs from other, element by element: the operator !=."""

def numel(input: TensorLike) -> _int:
    """The number of elements."""

def ones(
    *size: Dims,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of ones."""

def ones_like(
    input: TensorLike,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, of ones."""

def orgqr(A: TensorLike, tau: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The first columns of the product of reflections whose vectors are the columns of A below the diagonal."""

def ormqr(
    input: TensorLike,
    tau: TensorLike,
    other: TensorLike,
    left: _bool = True,
    transpose: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The product Q other (other Q with left=False."""

def outer(input: TensorLike, vec2: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """All products of an entry of one vector (n,) and one of another (m,): shape (n, m)."""

def pairwise_distance(
    x1: TensorLike,
    x2: TensorLike,
    p: _float = 2.0,
    eps: _float = 1e-06,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dim."""

def pdist(input: TensorLike, p: _float = 2.0, *, out: Tensor | None = None) -> Tensor:
    """The p-norm distance of each pair of rows of a matrix, in the order (0, 1), (0, 2), ..."""

def permute(input: TensorLike, *order: Dims, dims: Sequence[_int] | None = None, out: Tensor | None = None) -> Tensor:
    """A view with its dimensions in the order dims."""

def pinverse(
    A: TensorLike,
    rcond: _float | Tensor | None = None,
    hermitian: _bool = False,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The pseudoinverse (Moore-Penrose) of a matrix of any shape and rank."""

def pixel_shuffle(input: TensorLike, upscale_factor: _int, *, out: Tensor | None = None) -> Tensor:
    """Channels moved into pixels: (..., C r^2, H, W) becomes (..., C, H r, W r)."""

def pixel_unshuffle(input: TensorLike, downscale_factor: _int, *, out: Tensor | None = None) -> Tensor:
    """Pixels moved into channels: (..., C, H r, W r) becomes (..., C r^2, H, W)."""

def poisson(input: TensorLike, generator: _Generator | None = None, *, out: Tensor | None = None) -> Tensor:
    """Counts with the means that input gives."""

def polar(abs: TensorLike, angle: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The complex numbers abs * e^(i angle)."""

def polygamma(n: _int, input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma."""

def positive(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself: the operator +x."""

def pow(input: TensorLike, exponent: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The power input ** exponent, broadcast: x ^ y in a script."""

def prelu(input: TensorLike, weight: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input where it is positive, else weight * input."""

def prod(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The product of all elements, or along dim."""

def promote_types(type1: DTypeLike, type2: DTypeLike) -> _DType:
    """The smallest dtype that both are converted to without losing their kind."""

def put(
    input: TensorLike,
    index: TensorLike,
    source: TensorLike,
    accumulate: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input with the elements of source at the places of the flattened tensor that the indices name."""

def qr(A: TensorLike, mode: _str | _bool = 'reduced') -> QR:
    """Q with orthonormal columns and upper triangular R with A = Q R."""

def quantile(
    input: TensorLike,
    q: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    interpolation: _str = 'linear',
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The quantiles q (from 0 to 1) of all elements, or along dim."""

def rad2deg(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Radians to degrees."""

def rand(
    *size: Dims,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of uniform numbers of [0, 1)."""

def rand_like(
    input: TensorLike,
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, of uniform numbers of [0, 1)."""

@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
) -> Tensor:
    """A new tensor of whole numbers from low up to, but without, high."""
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
) -> Tensor:
    """A new tensor of whole numbers from low up to, but without, high."""

@overload
def randint_like(
    input: TensorLike,
    high: _int,
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, of whole numbers from low up to, but without, high."""
@overload
def randint_like(
    input: TensorLike,
    low: _int,
    high: _int,
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, of whole numbers from low up to, but without, high."""

def randn(
    *size: Dims,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of standard normal numbers."""

def randn_like(
    input: TensorLike,
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, of standard normal numbers."""

def randperm(
    n: _int,
    *,
    generator: _Generator | None = None,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The numbers 0 .."""

def ravel(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """All elements in one dimension, in row-major order."""

def real(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The real part: a view."""

def reciprocal(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """One over each element."""

def relu(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The larger of input and 0, elementwise."""

def remainder(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor: the operator x % y."""

def renorm(input: TensorLike, p: _float, dim: _int, maxnorm: _float, *, out: Tensor | None = None) -> Tensor:
    """The slices along dim whose p-norm exceeds maxnorm scaled down to it, the others as they are."""

def repeat_interleave(
    input: TensorLike,
    repeats: _int | TensorLike,
    dim: _int | None = None,
    *,
    output_size: _int | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Each element repeated along a dimension (numpy.repeat's meaning), as often as repeats says: one number, or ..."""

def reshape(input: TensorLike, *sizes: Dims, shape: Sequence[_int] | None = None, out: Tensor | None = None) -> Tensor:
    """The elements in row-major order in another shape."""

def resolve_conj(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself: conjugates are computed at once here, never pending."""

def resolve_neg(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself: conjugates are computed at once here, never pending."""

def result_type(tensor1: TensorLike, tensor2: TensorLike) -> _DType:
    """The dtype of the sum of two tensors or numbers."""

def rms_norm(
    input: TensorLike,
    normalized_shape: Dims,
    weight: TensorLike | None = None,
    eps: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input divided by the root of its mean square over the last dims normalized_shape, times weight."""

def roll(input: TensorLike, shifts: Dims, dims: Dims | None = None, *, out: Tensor | None = None) -> Tensor:
    """The elements shifted along the dimensions, those pushed out coming in at the other end."""

def rot90(input: TensorLike, k: _int = 1, dims: Sequence[_int] = (0, 1), *, out: Tensor | None = None) -> Tensor:
    """The plane of two dimensions turned by k quarter turns, from the first towards the second."""

def round(input: TensorLike, *, decimals: _int = 0, out: Tensor | None = None) -> Tensor:
    """The nearest whole number, or the nearest with so many decimals."""

def row_stack(tensors: Sequence[TensorLike], *, out: Tensor | None = None) -> Tensor:
    """The tensors on top of each other, vectors as rows."""

def rrelu(
    input: TensorLike,
    lower: _float = 0.125,
    upper: _float = 0.3333333333333333,
    training: _bool = False,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Leaky relu with a random slope of lower..upper for each element."""

def rsqrt(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """One over the square root of each element."""

def rsub(input: TensorLike, other: TensorLike, *, alpha: _complex = 1, out: Tensor | None = None) -> Tensor:
    """The difference other - alpha * input, broadcast: what the operator does when the tensor stands on the right."""

def scalar_tensor(
    s: Sequence[_int],
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A number as a 0-d tensor."""

def scatter(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    src: TensorLike | None = None,
    *,
    value: TensorLike | None = None,
    reduce: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """input with src (or one value) written where index says: out[index[i][j]][j] = src[i][j] for dim 0."""

def scatter_add(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    src: TensorLike,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input with src added where index says: out[index[i][j]][j] += src[i][j] for dim 0."""

def scatter_reduce(
    input: TensorLike,
    dim: _int,
    index: TensorLike,
    src: TensorLike,
    reduce: _str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """input combined with the elements of src sent to each place by index: reduce is 'sum', 'prod', 'mean', ..."""

def searchsorted(
    sorted_sequence: TensorLike,
    input: TensorLike,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: _str | None = None,
    sorter: TensorLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Where each value would be inserted to keep the sequence (its last dimension) sorted."""

def seed() -> _int:
    """Start a stream that nobody can foresee."""

def select(input: TensorLike, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """The part at one index of a dimension, as a view without that dimension."""

def select_scatter(input: TensorLike, src: TensorLike, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of input with src in place of select(input, dim, index)."""

def selu(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """scale * elu(input, alpha) with the constants that keep mean 0 and variance 1 (Klambauer et al."""

def set_rng_state(new_state: Tensor) -> None:
    """Go back to a state of get_rng_state()."""

def sgn(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The sign of each element, z / abs(z) where complex."""

def sigmoid(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logistic function 1 / (1 + e^-x)."""

def sign(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 by the sign of each element."""

def signbit(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is negative."""

def sin(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The sine of each element."""

def sinc(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """sin(pi x) / (pi x), 1 at 0."""

def sinh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine."""

def slice_scatter(
    input: TensorLike,
    src: TensorLike,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of input with src in place of a slice of dimension dim."""

def slogdet(A: TensorLike) -> SignLogabsdet:
    """The sign and the logarithm of the absolute value of the determinant, which do not overflow."""

def softmax(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    axis: _int | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """exp(input) divided by its sum along dim."""

def sort(
    input: TensorLike,
    dim: _int = -1,
    descending: _bool = False,
    *,
    stable: _bool = False,
    axis: _int = ...,
) -> ValuesIndices:
    """The elements in order along dim, as (values, indices)."""

def split(tensor: TensorLike, split_size_or_sections: Dims, dim: _int = 0, *, axis: _int = ...) -> tuple[Tensor, ...]:
    """Consecutive parts along a dimension as a tuple: of one size (the last may be smaller), or of the sizes of ..."""

def split_with_sizes(input: TensorLike, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Consecutive parts of the given sizes along a dimension, as a tuple."""

def sqrt(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The square root of each element."""

def square(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The square of each element."""

def squeeze(
    input: TensorLike,
    dim: Dims | None = None,
    *,
    axis: Dims | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """A view without the dimensions of size 1: all of them, or those among dim."""

def stack(tensors: Sequence[TensorLike], dim: _int = 0, *, axis: _int = ..., out: Tensor | None = None) -> Tensor:
    """Tensors of one shape, joined along a new dimension."""

def std(
    input: TensorLike,
    dim: Dims | None = None,
    unbiased: _bool | None = None,
    keepdim: _bool = False,
    *,
    correction: _int | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation over dim, or of all elements."""

def std_mean(
    input: TensorLike,
    dim: Dims | None = None,
    unbiased: _bool | None = None,
    keepdim: _bool = False,
    *,
    correction: _int | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, as a tuple (std, mean)."""

def stft(
    input: TensorLike,
    n_fft: _int,
    hop_length: _int | None = None,
    win_length: _int | None = None,
    window: TensorLike | None = None,
    center: _bool = True,
    pad_mode: _str = 'reflect',
    normalized: _bool = False,
    onesided: _bool | None = None,
    return_complex: _bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transforms of overlapping frames of a signal: frequencies by frames."""

def sub(input: TensorLike, other: TensorLike, *, alpha: _complex = 1, out: Tensor | None = None) -> Tensor:
    """The difference input - alpha * other, broadcast."""

def subtract(input: TensorLike, other: TensorLike, *, alpha: _complex = 1, out: Tensor | None = None) -> Tensor:
    """The difference input - alpha * other, broadcast."""

def sum(
    input: TensorLike,
    dim: Dims | None = None,
    keepdim: _bool = False,
    *,
    dtype: DTypeLike | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over all elements, or over the dimensions dim."""

def svd(input: TensorLike, some: _bool = True, compute_uv: _bool = True) -> USV:
    """The older spelling of linalg.svd: U, S, V with input = U diag(S) V^H."""

def swapaxes(input: TensorLike, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with two dimensions exchanged."""

def swapdims(input: TensorLike, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with two dimensions exchanged."""

def t(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The transpose of a matrix, as a view."""

def take(input: TensorLike, index: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The elements of the flattened tensor that the indices name, in the shape of index."""

def take_along_dim(
    input: TensorLike,
    indices: TensorLike,
    dim: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """gather, with input and indices broadcast against each other except along dim."""

def tan(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The tangent of each element."""

def tanh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent."""

def tensor(
    data: TensorLike,
    *,
    dtype: _DType | None = None,
    device: _str | None = None,
    requires_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of numbers or nested lists."""

def tensor_split(
    input: TensorLike,
    indices_or_sections: Dims | Tensor | None = None,
    dim: _int = 0,
    *,
    indices: Sequence[_int] | Tensor | None = None,
    sections: _int | None = None,
    axis: _int = ...,
) -> tuple[Tensor, ...]:
    """Parts along a dimension as a tuple: as equal as possible, or cut before the given indices (as ..."""

def tensordot(
    a: TensorLike,
    b: TensorLike,
    dims: _int | Sequence[Sequence[_int]] | Tensor = 2,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The products of a and b summed over pairs of dimensions: the last n of a with the first n of b where dims ..."""

def threshold(
    input: TensorLike,
    threshold: _float,
    value: _float,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input where it is above threshold, else value."""

def tile(input: TensorLike, *counts: Dims, dims: Dims | None = None, out: Tensor | None = None) -> Tensor:
    """repeat, in which missing leading numbers count as 1."""

def topk(
    input: TensorLike,
    k: _int,
    dim: _int = -1,
    largest: _bool = True,
    sorted: _bool = True,
    *,
    axis: _int = ...,
) -> ValuesIndices:
    """The k largest (or smallest) elements along dim, as (values, indices)."""

def trace(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The sum of the main diagonal of a matrix of any shape."""

def transpose(input: TensorLike, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with two dimensions exchanged."""

def trapezoid(
    y: TensorLike,
    x: TensorLike | None = None,
    *,
    dx: _float | None = None,
    dim: _int = -1,
    out: Tensor | None = None,
) -> Tensor:
    """The integral of the samples y along dim by the trapezoidal rule, at points x or at distance dx."""

def trapz(
    y: TensorLike,
    x: TensorLike | None = None,
    *,
    dx: _float | None = None,
    dim: _int = -1,
    out: Tensor | None = None,
) -> Tensor:
    """The integral of the samples y along dim by the trapezoidal rule, at points x or at distance dx."""

def triangular_solve(
    input: TensorLike,
    A: TensorLike,
    upper: _bool = True,
    transpose: _bool = False,
    unitriangular: _bool = False,
) -> SolutionClonedCoefficient:
    """The solution X of A X = input (of A^T X = input with transpose=True) for triangular A, with a copy of A."""

def tril(input: TensorLike, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangle of the last two dimensions, the rest 0."""

def tril_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: DTypeLike | None = None,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The row and column numbers of the lower triangle of a row by col matrix: two rows of integers."""

def triu(input: TensorLike, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangle of the last two dimensions, the rest 0."""

def triu_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: DTypeLike | None = None,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The row and column numbers of the upper triangle of a row by col matrix: two rows of integers."""

def true_divide(
    input: TensorLike,
    other: TensorLike,
    *,
    rounding_mode: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient input / other, broadcast."""

def trunc(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The whole part, towards 0."""

def unbind(input: TensorLike, dim: _int = 0, *, axis: _int = ...) -> tuple[Tensor, ...]:
    """The parts along a dimension as a tuple, each without that dimension."""

def unflatten(input: TensorLike, dim: _int, sizes: Dims, *, out: Tensor | None = None) -> Tensor:
    """The dimension dim split into several of the given sizes, one of which may be -1."""

@overload
def unique(
    input: TensorLike,
    sorted: _bool = True,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: _int | None = None,
) -> Tensor:
    """The distinct elements in order, or the distinct slices along dim."""
@overload
def unique(
    input: TensorLike,
    sorted: _bool = True,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> Any:
    """The distinct elements in order, or the distinct slices along dim."""

@overload
def unique_consecutive(
    input: TensorLike,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: _int | None = None,
) -> Tensor:
    """The elements (slices along dim) that differ from the one before."""
@overload
def unique_consecutive(
    input: TensorLike,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> Any:
    """The elements (slices along dim) that differ from the one before."""

def unravel_index(indices: TensorLike, shape: Sequence[_int]) -> tuple[Tensor, ...]:
    """The coordinates of places in the flattened tensor of a shape: a tensor for each dimension."""

def unsqueeze(input: TensorLike, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with a new dimension of size 1 at dim."""

def vander(x: TensorLike, N: _int | None = None, increasing: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Rows of powers of each entry of a vector, falling unless increasing=True."""

def var(
    input: TensorLike,
    dim: Dims | None = None,
    unbiased: _bool | None = None,
    keepdim: _bool = False,
    *,
    correction: _int | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The variance over dim, or of all elements."""

def var_mean(
    input: TensorLike,
    dim: Dims | None = None,
    unbiased: _bool | None = None,
    keepdim: _bool = False,
    *,
    correction: _int | None = None,
    axis: Dims | None = ...,
    keepdims: _bool = ...,
) -> tuple[Tensor, Tensor]:
    """The variance and the mean, as a tuple (var, mean)."""

def vdot(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The sum of conj(input) * other over two vectors of one length."""

def view_as_complex(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """A complex view of real pairs: the last dimension, of size 2, holds real and imaginary part."""

def view_as_real(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """A real view of complex numbers, with a last dimension of 2: real and imaginary part."""

def vsplit(input: TensorLike, indices_or_sections: Dims | Tensor) -> tuple[Tensor, ...]:
    """Parts along the first dimension of at least 2."""

def vstack(tensors: Sequence[TensorLike], *, out: Tensor | None = None) -> Tensor:
    """The tensors on top of each other, vectors as rows."""

@overload
def where(condition: TensorLike, input: TensorLike, other: TensorLike) -> Tensor:
    """The elements of input where the mask condition holds, else those of other."""
@overload
def where(condition: TensorLike) -> tuple[Tensor, ...]:
    """The elements of input where the mask condition holds, else those of other."""

def xlogy(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input * log(other), and 0 where input is 0 (unless other is nan)."""

def zero_(input: Tensor) -> Tensor:
    """Write zeros over the whole tensor."""

def zeros(
    *size: Dims,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of zeros."""

def zeros_like(
    input: TensorLike,
    *,
    dtype: DTypeLike | None = None,
    requires_grad: _bool = False,
    device: _str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A new tensor of the shape and dtype of input, of zeros."""

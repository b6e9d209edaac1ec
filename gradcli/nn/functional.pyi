# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""``torch.nn.functional``."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from gradcli._typing import Dims, DTypeLike, TensorLike
from gradcli.autograd.tensor import Tensor

def adaptive_avg_pool1d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of output_size regions that cover the input."""

def adaptive_avg_pool2d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of output_size regions that cover the input."""

def adaptive_avg_pool3d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of output_size regions that cover the input."""

@overload
def adaptive_max_pool1d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The maximum of output_size regions that cover the input."""
@overload
def adaptive_max_pool1d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]:
    """The maximum of output_size regions that cover the input."""

@overload
def adaptive_max_pool2d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The maximum of output_size regions that cover the input."""
@overload
def adaptive_max_pool2d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]:
    """The maximum of output_size regions that cover the input."""

@overload
def adaptive_max_pool3d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The maximum of output_size regions that cover the input."""
@overload
def adaptive_max_pool3d(
    input: TensorLike,
    output_size: _int | Sequence[_int | None],
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]:
    """The maximum of output_size regions that cover the input."""

def affine_grid(
    theta: TensorLike,
    size: Sequence[_int],
    align_corners: _bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The grid of grid_sample that maps each result point by theta, (N, 2, 3) for size (N, C, H, W) or (N, 3, 4) ..."""

def alpha_dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = False,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout for selu: elements are set to its lower limit, then all are scaled and shifted to keep mean and ..."""

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

def avg_pool2d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window over the last two dims."""

def avg_pool3d(
    input: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of each window over the last three dims."""

def batch_norm(
    input: TensorLike,
    running_mean: TensorLike,
    running_var: TensorLike,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    training: _bool = False,
    momentum: _float = 0.1,
    eps: _float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each channel (dim 1) minus its mean, divided by its deviation, times weight plus bias."""

def bilinear(
    input1: TensorLike,
    input2: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input1 @ weight[o] @ input2 for each output o, plus bias."""

def binary_cross_entropy(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """-(target * log(input) + (1 - target) * log(1 - input)) of probabilities, averaged, summed or elementwise."""

def binary_cross_entropy_with_logits(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    reduction: _str = 'mean',
    pos_weight: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """binary_cross_entropy of sigmoid(input), exact for inputs of any size."""

def celu(input: TensorLike, alpha: _float = 1.0, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input where it is positive, else alpha * (exp(input / alpha) - 1)."""

def channel_shuffle(input: TensorLike, groups: _int, *, out: Tensor | None = None) -> Tensor:
    """Channels (dim 1) taken in turn from each of groups groups."""

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

def cosine_embedding_loss(
    input1: TensorLike,
    input2: TensorLike,
    target: TensorLike,
    margin: _float = 0,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """1 - cos(input1, input2) where target is 1, max(0, cos - margin) where it is -1."""

def cosine_similarity(
    x1: TensorLike,
    x2: TensorLike,
    dim: _int = 1,
    eps: _float = 1e-08,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The cosine of the angle between x1 and x2 along dim."""

def cross_entropy(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    size_average: None = None,
    ignore_index: _int = -100,
    reduce: None = None,
    reduction: _str = 'mean',
    label_smoothing: _float = 0.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """nll_loss of log_softmax(input, 1): target holds class indices, or probabilities of the input's shape."""

def ctc_loss(
    log_probs: TensorLike,
    targets: TensorLike,
    input_lengths: TensorLike,
    target_lengths: TensorLike,
    blank: _int = 0,
    reduction: _str = 'mean',
    zero_infinity: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Minus the log-probability of label sequences under all alignments to frames."""

def dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = True,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element set to 0 with probability p, the others divided by 1 - p."""

def dropout1d(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = True,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each channel of (N, C, L) or (C, L) set to 0 with probability p, the others divided by 1 - p."""

def dropout2d(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = True,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each channel of (N, C, H, W) set to 0 with probability p, the others divided by 1 - p."""

def dropout3d(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = True,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each channel of (N, C, D, H, W) or (C, D, H, W) set to 0 with probability p, the others divided by 1 - p."""

def elu(input: TensorLike, alpha: _float = 1.0, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input where it is positive, else alpha * (exp(input) - 1)."""

def embedding(
    input: TensorLike,
    weight: TensorLike,
    padding_idx: _int | None = None,
    max_norm: _float | None = None,
    norm_type: _float = 2.0,
    scale_grad_by_freq: _bool = False,
    sparse: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The rows of weight (rows, width) at the integers input: shape input.shape + (width,)."""

def embedding_bag(
    input: TensorLike,
    weight: TensorLike,
    offsets: TensorLike | None = None,
    max_norm: _float | None = None,
    norm_type: _float = 2,
    scale_grad_by_freq: _bool = False,
    mode: _str = 'mean',
    sparse: _bool = False,
    per_sample_weights: TensorLike | None = None,
    include_last_offset: _bool = False,
    padding_idx: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean, sum or maximum of the rows of weight in each bag: the rows of a 2-d input, or the parts of a 1-d ..."""

def feature_alpha_dropout(
    input: TensorLike,
    p: _float = 0.5,
    training: _bool = False,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """alpha_dropout of whole channels."""

def fold(
    input: TensorLike,
    output_size: Dims,
    kernel_size: Dims,
    dilation: Dims = 1,
    padding: Dims | _str = 0,
    stride: Dims = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Columns (N, C * KH * KW, patches) back into images of output_size."""

def gaussian_nll_loss(
    input: TensorLike,
    target: TensorLike,
    var: TensorLike,
    full: _bool = False,
    eps: _float = 1e-06,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """(log(var) + (input - target)^2 / var) / 2 with var at least eps."""

def gelu(input: TensorLike, approximate: _str = 'none', *, out: Tensor | None = None) -> Tensor:
    """input times the normal distribution function at input."""

def glu(input: TensorLike, dim: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """The first half of input along dim times the sigmoid of the second half."""

def grid_sample(
    input: TensorLike,
    grid: TensorLike,
    mode: _str = 'bilinear',
    padding_mode: _str = 'zeros',
    align_corners: _bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input read at the points of grid, whose last dim holds x, y (and z) from -1 to 1 across the image."""

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

def gumbel_softmax(
    logits: TensorLike,
    tau: _float = 1,
    hard: _bool = False,
    eps: _float = 1e-10,
    dim: _int = -1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A random point of the simplex by the Gumbel trick (Jang et al."""

def hardshrink(input: TensorLike, lambd: _float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """input outside -lambd..lambd, 0 inside."""

def hardsigmoid(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The straight-line sigmoid: (input + 3) / 6 cut to 0..1."""

def hardswish(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input * hardsigmoid(input)."""

def hardtanh(
    input: TensorLike,
    min_val: _float = -1.0,
    max_val: _float = 1.0,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input cut to min_val..max_val."""

def hinge_embedding_loss(
    input: TensorLike,
    target: TensorLike,
    margin: _float = 1.0,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input where target is 1, max(0, margin - input) where it is -1."""

def huber_loss(
    input: TensorLike,
    target: TensorLike,
    reduction: _str = 'mean',
    delta: _float = 1.0,
    weight: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """With d = |input - target|: d^2 / 2 up to delta, delta * (d - delta / 2) beyond."""

def instance_norm(
    input: TensorLike,
    running_mean: TensorLike | None = None,
    running_var: TensorLike | None = None,
    weight: TensorLike | None = None,
    bias: TensorLike | None = None,
    use_input_stats: _bool = True,
    momentum: _float = 0.1,
    eps: _float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """batch_norm of each sample by itself."""

def interpolate(
    input: TensorLike,
    size: Dims | None = None,
    scale_factor: _float | Sequence[_float] | None = None,
    mode: _str = 'nearest',
    align_corners: _bool | None = None,
    recompute_scale_factor: _bool | None = None,
    antialias: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Images (N, C, ...) in another size."""

def kl_div(
    input: TensorLike,
    target: TensorLike,
    reduction: _str = 'mean',
    log_target: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """target * (log(target) - input) for log-probabilities input."""

def l1_loss(
    input: TensorLike,
    target: TensorLike,
    reduction: _str = 'mean',
    weight: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The absolute value of input - target, averaged, summed or elementwise."""

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

def leaky_relu(
    input: TensorLike,
    negative_slope: _float = 0.01,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input where it is positive, else negative_slope * input."""

def linear(
    input: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input @ weight.T + bias for a weight of shape (out, in)."""

def local_response_norm(
    input: TensorLike,
    size: _int,
    alpha: _float = 0.0001,
    beta: _float = 0.75,
    k: _float = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input divided by (k + alpha * the mean square over size neighbouring channels) ** beta (Krizhevsky et al."""

def log_softmax(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    axis: _int | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of softmax, exact for large inputs."""

def logsigmoid(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """log(sigmoid(input)), finite for every finite input."""

def lp_pool1d(
    input: TensorLike,
    norm_type: _float,
    kernel_size: Dims,
    stride: Dims | None = None,
    ceil_mode: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm of each window, p = norm_type: (sum of input ** p) ** (1 / p)."""

def lp_pool2d(
    input: TensorLike,
    norm_type: _float,
    kernel_size: Dims,
    stride: Dims | None = None,
    ceil_mode: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm of each window, p = norm_type: (sum of input ** p) ** (1 / p)."""

def lp_pool3d(
    input: TensorLike,
    norm_type: _float,
    kernel_size: Dims,
    stride: Dims | None = None,
    ceil_mode: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm of each window, p = norm_type: (sum of input ** p) ** (1 / p)."""

def margin_ranking_loss(
    input1: TensorLike,
    input2: TensorLike,
    target: TensorLike,
    margin: _float = 0,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin) for targets 1 and -1."""

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

def max_unpool1d(
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    output_size: _int | Sequence[_int | None] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Zeros with each value put back where its maximum was."""

def max_unpool2d(
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    output_size: _int | Sequence[_int | None] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Zeros with each value put back where its maximum was."""

def max_unpool3d(
    input: TensorLike,
    indices: TensorLike,
    kernel_size: Dims,
    stride: Dims | None = None,
    padding: Dims | _str = 0,
    output_size: _int | Sequence[_int | None] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Zeros with each value put back where its maximum was."""

def mish(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input * tanh(softplus(input))."""

def mse_loss(
    input: TensorLike,
    target: TensorLike,
    reduction: _str = 'mean',
    weight: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The square of input - target, averaged, summed (reduction='sum') or elementwise ('none')."""

def multi_head_attention_forward(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    embed_dim_to_check: _int,
    num_heads: _int,
    in_proj_weight: TensorLike,
    in_proj_bias: TensorLike,
    bias_k: TensorLike,
    bias_v: TensorLike,
    add_zero_attn: _bool,
    dropout_p: _float,
    out_proj_weight: TensorLike,
    out_proj_bias: TensorLike,
    training: _bool = True,
    key_padding_mask: TensorLike | None = None,
    need_weights: _bool = True,
    attn_mask: TensorLike | None = None,
    use_separate_proj_weight: _bool = False,
    q_proj_weight: TensorLike | None = None,
    k_proj_weight: TensorLike | None = None,
    v_proj_weight: TensorLike | None = None,
    static_k: TensorLike | None = None,
    static_v: TensorLike | None = None,
    average_attn_weights: _bool = True,
    is_causal: _bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention of num_heads heads: projections of (L, N, E) inputs, softmax(q k.T / sqrt(E / heads)) v, and the ..."""

def multi_margin_loss(
    input: TensorLike,
    target: TensorLike,
    p: _int = 1,
    margin: _float = 1.0,
    weight: TensorLike | None = None,
    size_average: None = None,
    reduce: None = None,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean over the other classes of max(0, margin - input[target] + input)^p, p 1 or 2."""

def multilabel_margin_loss(
    input: TensorLike,
    target: TensorLike,
    size_average: None = None,
    reduce: None = None,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over target and other classes of max(0, 1 - input[target] + input[other]) / C."""

def multilabel_soft_margin_loss(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The mean over the classes of -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))."""

def nll_loss(
    input: TensorLike,
    target: TensorLike,
    weight: TensorLike | None = None,
    size_average: None = None,
    ignore_index: _int = -100,
    reduce: None = None,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Minus the log-probability of the target class, averaged over the batch, summed or for each sample."""

def normalize(
    input: TensorLike,
    p: _float = 2.0,
    dim: Dims = 1,
    eps: _float = 1e-12,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input divided by its p-norm along dim, which counts as at least eps."""

def one_hot(input: TensorLike, num_classes: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """For each integer a row of zeros with a one at its place."""

def pad(
    input: TensorLike,
    pad: Sequence[_int],
    mode: _str = 'constant',
    value: TensorLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The input with elements added (or, for negative widths, cut off) at the ends of its last dims: pad = ..."""

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

def pixel_shuffle(input: TensorLike, upscale_factor: _int, *, out: Tensor | None = None) -> Tensor:
    """Channels moved into pixels: (..., C r^2, H, W) becomes (..., C, H r, W r)."""

def pixel_unshuffle(input: TensorLike, downscale_factor: _int, *, out: Tensor | None = None) -> Tensor:
    """Pixels moved into channels: (..., C, H r, W r) becomes (..., C r^2, H, W)."""

def poisson_nll_loss(
    input: TensorLike,
    target: TensorLike,
    log_input: _bool = True,
    full: _bool = False,
    eps: _float = 1e-08,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """exp(input) - target * input for log-rates input (log_input=False: rates)."""

def prelu(input: TensorLike, weight: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input where it is positive, else weight * input."""

def relu(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The larger of input and 0, elementwise."""

def relu6(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input cut to 0..6."""

def rms_norm(
    input: TensorLike,
    normalized_shape: Dims,
    weight: TensorLike | None = None,
    eps: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input divided by the root of its mean square over the last dims normalized_shape, times weight."""

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

def scaled_dot_product_attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    attn_mask: TensorLike | None = None,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    scale: _float | None = None,
    enable_gqa: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """softmax(query @ key.T * scale + mask) @ value over the last two dims."""

def selu(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """scale * elu(input, alpha) with the constants that keep mean 0 and variance 1 (Klambauer et al."""

def sigmoid(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The logistic function 1 / (1 + e^-x)."""

def silu(input: TensorLike, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """input * sigmoid(input), also called swish."""

def smooth_l1_loss(
    input: TensorLike,
    target: TensorLike,
    reduction: _str = 'mean',
    beta: _float = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """With d = |input - target|: d^2 / (2 beta) below beta, d - beta / 2 from there on."""

def soft_margin_loss(
    input: TensorLike,
    target: TensorLike,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """log(1 + exp(-target * input)) for targets 1 and -1."""

def softmax(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    axis: _int | None = ...,
    out: Tensor | None = None,
) -> Tensor:
    """exp(input) divided by its sum along dim."""

def softmin(
    input: TensorLike,
    dim: _int | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """softmax(-input)."""

def softplus(input: TensorLike, beta: _float = 1.0, threshold: _float = 20.0, *, out: Tensor | None = None) -> Tensor:
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input > threshold."""

def softshrink(input: TensorLike, lambd: _float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """input moved towards 0 by lambd, and 0 inside -lambd..lambd."""

def softsign(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input / (1 + |input|)."""

def tanh(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent."""

def tanhshrink(input: TensorLike, *, out: Tensor | None = None) -> Tensor:
    """input - tanh(input)."""

def threshold(
    input: TensorLike,
    threshold: _float,
    value: _float,
    inplace: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """input where it is above threshold, else value."""

def triplet_margin_loss(
    anchor: TensorLike,
    positive: TensorLike,
    negative: TensorLike,
    margin: _float = 1.0,
    p: _float = 2,
    eps: _float = 1e-06,
    swap: _bool = False,
    reduction: _str = 'mean',
    *,
    out: Tensor | None = None,
) -> Tensor:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm distance over the last dim."""

def triplet_margin_with_distance_loss(
    anchor: TensorLike,
    positive: TensorLike,
    negative: TensorLike,
    *,
    distance_function: Callable[[Any, Any], Any] | None = None,
    margin: _float = 1.0,
    swap: _bool = False,
    reduction: _str = 'mean',
    out: Tensor | None = None,
) -> Tensor:
    """triplet_margin_loss with a distance of the caller's own."""

def unfold(
    input: TensorLike,
    kernel_size: Dims,
    dilation: Dims = 1,
    padding: Dims | _str = 0,
    stride: Dims = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The patches of images (N, C, H, W) as columns (N, C * KH * KW, patches)."""

def upsample(
    input: TensorLike,
    size: Dims | None = None,
    scale_factor: _float | Sequence[_float] | None = None,
    mode: _str = 'nearest',
    align_corners: _bool | None = None,
    recompute_scale_factor: _bool | None = None,
    antialias: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Images (N, C, ...) in another size."""

def upsample_bilinear(
    input: TensorLike,
    size: Dims | None = None,
    scale_factor: _float | Sequence[_float] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """interpolate with mode 'bilinear' and align_corners=True."""

def upsample_nearest(
    input: TensorLike,
    size: Dims | None = None,
    scale_factor: _float | Sequence[_float] | None = None,
    mode: _str = 'nearest',
    align_corners: _bool | None = None,
    recompute_scale_factor: _bool | None = None,
    antialias: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Images (N, C, ...) in another size."""

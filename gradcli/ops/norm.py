"""Normalisation: by the statistics of a batch, of a layer, of groups of channels, of each sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import is_batch, raw
from gradcli.ops.nn_common import floating
from gradcli.ops.normalizing import Statistics, normal, normalized, normalized_rule
from gradcli.ops.row import T, op, sample

batch_primitive = Primitive("native_batch_norm", normalized, normalized_rule, batch="networks.normalized")
layer_primitive = Primitive("native_layer_norm", normalized, normalized_rule, batch="networks.normalized")
group_primitive = Primitive("native_group_norm", normalized, normalized_rule, batch="networks.normalized")


def _composed(input: Any, weight: Any, bias: Any, found: Statistics) -> Any:
    """Return the result in steps of other operations, which run on all samples of a vmap."""
    out = normal(input, found)[0].reshape(tuple(input.shape))
    out = out if weight is None else out * weight.reshape(found.along)
    return out if bias is None else out + bias.reshape(found.along)


def shaped(name: str, what: str, value: Any, shape: tuple[int, ...], like: Any) -> Any:
    """Return weight or bias (or running statistics) if it has the shape needed; RuntimeError otherwise."""
    if value is None:
        return None
    value = floating(name, value)
    if tuple(value.shape) != shape:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: {what} needs shape {shape} for an input of shape {tuple(like.shape)}, got {tuple(value.shape)}",
        )
    return value


def _write(target: Any, values: Any) -> None:
    """Write raw values over a running statistic, outside of any graph."""
    array = raw(target)
    array[...] = values
    if isinstance(target, Tensor):
        from gradcli.autograd.node import storage_of

        storage_of(target).version += 1


def _refuse_moving(*running: Any) -> None:
    if any(r is not None for r in running):
        raise error(
            RuntimeError,
            "vmap-inplace",
            "batch_norm in training moves the running statistics in place, and inside vmap each sample would move the "
            "same ones otherwise",
            hint="leave the running statistics out, or pass training=False",
        )


def _update(running: Any, values: Any, momentum: float) -> None:
    if running is not None:
        array = raw(running)
        _write(running, array * (1 - momentum) + values.reshape(array.shape) * momentum)


@op(
    "torch.nn.functional.batch_norm",
    "batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05)",
    category="nn layer: norm",
    doc="Each channel (dim 1) minus its mean, divided by its deviation, times weight plus bias. In training the "
    "statistics are the batch's and move the running ones in place; else the running ones are used.",
    formula="weight * (g - mean(g) - x * mean(g * x)) / deviation in training, x the normalised input; g * weight / "
    "deviation otherwise",
    conventions="the result uses the biased variance, running_var the unbiased one; one value a channel in training "
    "is an error",
    examples=(
        "F.batch_norm(tensor([[1., 2.], [3., 6.]]), None, None, training=True)  #> [[-1.0000, -1.0000], [ 1.0000, "
        "1.0000]]",
    ),
    samples=(
        sample(T(4, 2), None, None, T(2), training=True),
        sample(T(2, 2, 2, 2), None, None, training=True, eps=0.01),
        sample(T(3, 2), None, None, T(2), T(2), training=True),
    ),
)
def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    name = "batch_norm"
    input = floating(name, input)
    if input.ndim < 2:
        raise error(
            ValueError, "shape-mismatch", f"batch_norm needs an input (N, C, ...), got shape {tuple(input.shape)}"
        )
    shape, channels = tuple(input.shape), (input.shape[1],)
    words = (("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias))
    running_mean, running_var, weight, bias = (shaped(name, word, value, channels, input) for word, value in words)
    along = tuple(n if i == 1 else 1 for i, n in enumerate(shape))
    found = Statistics(shape, tuple(i for i in range(len(shape)) if i != 1), along, eps)
    if not training:
        if running_mean is None or running_var is None:
            raise error(
                RuntimeError,
                "no-statistics",
                "batch_norm outside of training needs running_mean and running_var",
                hint="training=True takes the statistics of the batch",
            )
        found.take(raw(running_mean).reshape(along), raw(running_var).reshape(along))
        return batch_primitive(input, weight, bias, found=found)
    if found.count == 1:
        raise error(
            ValueError,
            "one-value",
            f"batch_norm in training needs more than one value a channel, got an input of shape {shape}",
            hint="a larger batch, or training=False with running statistics",
        )
    if is_batch(input):
        _refuse_moving(running_mean, running_var)
        return _composed(input, weight, bias, found)
    variance = found.measure(raw(input))
    _update(running_mean, found.mean, momentum)
    _update(running_var, variance * (found.count / max(found.count - 1, 1)), momentum)
    return batch_primitive(input, weight, bias, found=found)


@op(
    "torch.nn.functional.layer_norm",
    "layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05)",
    names="torch.layer_norm",
    category="nn layer: norm",
    doc="input minus its mean over the last dims normalized_shape, divided by the deviation there, times weight plus "
    "bias.",
    formula="(w * g - mean(w * g) - x * mean(w * g * x)) / deviation, x the normalised input",
    conventions="biased variance plus eps under the root, so a constant row gives 0 and a finite gradient",
    examples=("layer_norm(tensor([[1., 2., 3.]]), (3,))  #> [[-1.2247, 0.0000, 1.2247]]",),
    samples=(
        sample(T(2, 3), (3,)),
        sample(T(2, 3), (3,), T(3), T(3)),
        sample(T(2), [2], eps=0.1),
        sample(T(2, 2, 3), (2, 3), T(2, 3)),
    ),
)
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    name = "layer_norm"
    input = floating(name, input)
    last = last_dims(name, input, normalized_shape)
    weight, bias = shaped(name, "weight", weight, last, input), shaped(name, "bias", bias, last, input)
    found = Statistics(tuple(input.shape), tuple(range(input.ndim - len(last), input.ndim)), last, eps)
    if is_batch(input):
        return _composed(input, weight, bias, found)
    found.measure(raw(input))
    return layer_primitive(input, weight, bias, found=found)


def last_dims(name: str, input: Any, normalized_shape: Any) -> tuple[int, ...]:
    """Return normalized_shape as a tuple; RuntimeError where it is not the end of the input's shape."""
    last = (int(normalized_shape),) if isinstance(normalized_shape, int) else tuple(int(n) for n in normalized_shape)
    if not last or tuple(input.shape[input.ndim - len(last) :]) != last or len(last) > input.ndim:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name}: normalized_shape {list(last)} is not the end of the input's shape {tuple(input.shape)}",
        )
    return last


@op(
    "torch.nn.functional.group_norm",
    "group_norm(input, num_groups, weight=None, bias=None, eps=1e-05)",
    names="torch.group_norm",
    category="nn layer: norm",
    doc="Each of num_groups groups of channels of each sample minus its mean, divided by its deviation; weight and "
    "bias by channel.",
    formula="as layer_norm's, over each group",
    examples=("group_norm(tensor([[1., 2., 5., 9.]]), 2)  #> [[-1.0000, 1.0000, -1.0000, 1.0000]]",),
    samples=(sample(T(2, 4, 2), 2), sample(T(1, 4, 2, 2), 2, T(4), T(4)), sample(T(2, 4), 1)),
)
def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    name = "group_norm"
    input = floating(name, input)
    if input.ndim < 2 or num_groups < 1 or input.shape[1] % num_groups:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"group_norm needs an input (N, C, ...) whose channels are a multiple of num_groups={num_groups}, got "
            "shape "
            f"{tuple(input.shape)}",
        )
    shape, channels = tuple(input.shape), (input.shape[1],)
    if input.ndim > 1 and math.prod(shape) // (num_groups or 1) == 1 and shape[0] * num_groups == 1:
        raise error(
            ValueError, "one-value", f"group_norm needs more than one value a group, got an input of shape {shape}"
        )
    weight, bias = shaped(name, "weight", weight, channels, input), shaped(name, "bias", bias, channels, input)
    along = tuple(n if i == 1 else 1 for i, n in enumerate(shape))
    found = Statistics((shape[0], num_groups, math.prod(shape[1:]) // num_groups), (2,), along, eps)
    if is_batch(input):
        return _composed(input, weight, bias, found)
    found.measure(raw(input))
    return group_primitive(input, weight, bias, found=found)


@op(
    "torch.nn.functional.instance_norm",
    "instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, "
    "momentum=0.1, eps=1e-05)",
    category="nn layer: norm",
    doc="batch_norm of each sample by itself.",
    formula="as batch_norm's, over each channel of each sample",
    conventions="running statistics move by the mean over the samples",
    examples=("F.instance_norm(tensor([[[1., 3.], [2., 2.]]]))  #> [[[-1.0000, 1.0000], [ 0.0000, 0.0000]]]",),
    samples=(sample(T(2, 2, 3)), sample(T(1, 2, 2, 2), weight=T(2), bias=T(2))),
)
def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    input = floating("instance_norm", input)
    shape = tuple(input.shape)
    if len(shape) < 2 or (use_input_stats and math.prod(shape[2:]) == 1):
        raise error(
            ValueError,
            "one-value",
            f"instance_norm needs more than one value in each channel, got an input of shape {shape}",
        )
    samples = shape[0]
    moving = [None if r is None else Tensor(np.tile(raw(r), samples)) for r in (running_mean, running_var)]
    weight, bias = (None if v is None else floating("instance_norm", v).repeat(samples) for v in (weight, bias))
    flat = input.reshape((1, samples * shape[1], *shape[2:]))
    out = batch_norm(flat, moving[0], moving[1], weight, bias, use_input_stats, momentum, eps)
    for target, moved in zip((running_mean, running_var), moving, strict=True):
        if use_input_stats and target is not None and moved is not None:
            _write(target, np.mean(moved._array.reshape(samples, -1), axis=0))
    return out.reshape(shape)


@op(
    "torch.batch_norm",
    "batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=False)",
    category="nn layer: norm",
    doc="F.batch_norm with its arguments in the order of torch.batch_norm.",
    formula="as F.batch_norm's",
    conventions="cudnn_enabled is accepted and means nothing",
    examples=(
        "batch_norm(tensor([[1., 2.], [3., 6.]]), None, None, None, None, True, 0.1, 1e-5, False)  #> [[-1.0000, "
        "-1.0000], [ 1.0000, 1.0000]]",
    ),
    samples=(sample(T(3, 2), T(2), T(2), None, None, True, 0.1, 1e-5, False),),
)
def torch_batch_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = False,
) -> Any:
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@op(
    "torch.instance_norm",
    "instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, "
    "cudnn_enabled=False)",
    category="nn layer: norm",
    doc="F.instance_norm with its arguments in the order of torch.instance_norm.",
    formula="as F.instance_norm's",
    conventions="cudnn_enabled is accepted and means nothing",
    examples=(
        "instance_norm(tensor([[[1., 3.], [2., 2.]]]), None, None, None, None, True, 0.1, 1e-5, False)  #> "
        "[[[-1.0000, 1.0000], [ 0.0000, 0.0000]]]",
    ),
    samples=(sample(T(1, 2, 3), T(2), T(2), None, None, True, 0.1, 1e-5, False),),
)
def torch_instance_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = False,
) -> Any:
    return instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)

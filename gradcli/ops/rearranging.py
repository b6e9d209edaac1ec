"""Elements in another order, or several times: flip, roll, rot90, repeat, tile, repeat_interleave. All are copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axes_of, axis_of
from gradcli.ops.gathering import index_select
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.shape import copy_primitive, expand, reshape, unsqueeze, viewed
from gradcli.ops.shaping import Shape, array_of, given, integer, integers, shape_of


def _flipped(input: Any, *, dims: Shape) -> Any:
    return np.ascontiguousarray(np.flip(input, dims)) if dims else np.array(input)


def _rolled(input: Any, *, shifts: Shape, dims: Shape) -> Any:
    return np.roll(input, shifts, dims) if dims else np.roll(input, shifts[0])


def _turned(input: Any, *, k: int, dims: Shape) -> Any:
    return np.ascontiguousarray(np.rot90(input, k, (dims[0], dims[1])))


def _repeated(input: Any, *, repeats: Shape, sizes: Shape) -> Any:
    return np.tile(input, repeats)


def _gathered(g: Any, repeats: Shape, sizes: Shape) -> Any:
    padded = (1,) * (len(repeats) - len(sizes)) + tuple(sizes)
    pairs = [n for pair in zip(repeats, padded, strict=True) for n in pair]
    return g.reshape(tuple(pairs)).sum(tuple(range(0, len(pairs), 2))).reshape(sizes) if pairs else g


flip_primitive: Primitive = Primitive("flip", _flipped, {"input": lambda g, dims: flip_primitive(g, dims=dims)},
    batch=("dims",))
roll_primitive: Primitive = Primitive("roll", _rolled, {
    "input": lambda g, shifts, dims: roll_primitive(g, shifts=tuple(-s for s in shifts), dims=dims)},
    batch="arrays.rolled")
rot90_primitive: Primitive = Primitive("rot90", _turned, {"input": lambda g, k, dims: rot90_primitive(g, k=-k,
    dims=dims)}, batch=("dims",))
repeat_primitive: Primitive = Primitive("repeat", _repeated, {"input": _gathered}, batch="arrays.tiled")


@op("torch.flip", "flip(input, *dims)", names="Tensor.flip", category="shape",
    doc="The elements in reverse order along the given dimensions.", formula="flip(g, dims)",
    examples=("flip(tensor([1., 2., 3.]), (0,))  #> [3., 2., 1.]",),
    samples=(sample(T(3), [0]), sample(T(2, 3), (0, 1)), sample(T(2, 3), -1)))
def flip(input: Any, *order: Any, dims: Any = None) -> Any:
    """Return a reversed copy; IndexError for a dimension it does not have, RuntimeError for one named twice."""
    input = given(input)
    named = integers((dims,) if dims is not None else order, "a dim")
    return flip_primitive(input, dims=axes_of(named, len(shape_of(input))) if named else ())


def _flipped_at(input: Any, dim: int, what: str) -> Any:
    input = given(input)
    if len(shape_of(input)) <= dim:
        raise error(RuntimeError, "too-few-dims", f"{what} needs at least {dim + 1} dimension{'s' * bool(dim)}, this "
                    f"tensor has shape {tuple(shape_of(input))}")
    return flip_primitive(input, dims=(dim,))


@op("torch.fliplr", "fliplr(input)", names="Tensor.fliplr", category="shape", doc="The columns in reverse order.",
    formula="fliplr(g)", examples=("fliplr(tensor([[1., 2.]]))  #> [[2., 1.]]",), samples=(sample(T(2, 3)),))
def fliplr(input: Any) -> Any:
    """Return ``input`` reversed along dimension 1; RuntimeError for fewer than 2 dimensions."""
    return _flipped_at(input, 1, "fliplr")


@op("torch.flipud", "flipud(input)", names="Tensor.flipud", category="shape", doc="The rows in reverse order.",
    formula="flipud(g)", examples=("flipud(tensor([1., 2.]))  #> [2., 1.]",), samples=(sample(T(3, 2)),))
def flipud(input: Any) -> Any:
    """Return ``input`` reversed along dimension 0; RuntimeError for a 0-d tensor."""
    return _flipped_at(input, 0, "flipud")


@op("torch.roll", "roll(input, shifts, dims=None)", names="Tensor.roll", category="shape",
    doc="The elements shifted along the dimensions, those pushed out coming in at the other end; without dims along "
    "the flattened tensor.",
    formula="g rolled back", examples=("roll(tensor([1., 2., 3.]), 1)  #> [3., 1., 2.]",),
    samples=(sample(T(2, 3), 1), sample(T(2, 3), 1, 1), sample(T(2, 3), (1, -2), (0, 1))))
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """Return a shifted copy; RuntimeError where shifts and dims differ in number."""
    input = given(input)
    steps = integers((shifts,), "a shift")
    axes = () if dims is None else tuple(axis_of(d, len(shape_of(input))) for d in integers((dims,), "a dim"))
    if len(steps) != len(axes) and not (len(steps) == 1 and not axes):
        raise error(RuntimeError, "wrong-dims", f"roll: {len(steps)} shifts for {len(axes)} dims", hint="one shift "
                    "for each dim, or one shift and no dims")
    return roll_primitive(input, shifts=steps, dims=axes if len(shape_of(input)) else ())


@op("torch.rot90", "rot90(input, k=1, dims=(0, 1))", names="Tensor.rot90", category="shape",
    doc="The plane of two dimensions turned by k quarter turns, from the first towards the second.",
    formula="rot90(g, -k, dims)",
    examples=("rot90(tensor([[1., 2.], [3., 4.]]))  #> [[2., 4.], [1., 3.]]",),
    samples=(sample(T(2, 3)), sample(T(2, 2, 3), -1, (1, 2)), sample(T(2, 3), 2)))
def rot90(input: Any, k: int = 1, dims: Any = (0, 1)) -> Any:
    """Return a turned copy; RuntimeError unless two different dimensions are named."""
    input = given(input)
    ndim = len(shape_of(input))
    named = integers((dims,), "a dim")
    if len(named) != 2 or ndim < 2:
        raise error(RuntimeError, "wrong-dims", f"rot90 turns a plane of 2 dimensions, got dims {list(named)} for a "
                    f"tensor of {ndim} dimensions")
    first, second = (axis_of(d, ndim) for d in named)
    if first == second:
        raise error(RuntimeError, "dim-twice", f"rot90: dims {list(named)} name one dimension twice")
    return rot90_primitive(input, k=integer(k, "k"), dims=(first, second))


@op("Tensor.repeat", "repeat(input, *repeats)", category="shape",
    doc="The whole tensor repeated along each dimension (numpy.tile's meaning); more repeats than dimensions add some "
    "in front.",
    formula="g summed over the repetitions", conventions="for numpy.repeat's meaning see repeat_interleave",
    examples=("tensor([1., 2.]).repeat(2)  #> [1., 2., 1., 2.]",), samples=(sample(T(2), 2, 3), sample(T(2, 3), (1, 2)),
        sample(T(), 2)))
def repeat(input: Any, *counts: Any, repeats: Any = None) -> Any:
    """Return ``input`` repeated; RuntimeError for fewer repeats than dimensions or a negative one."""
    input = given(input)
    times = integers((repeats,) if repeats is not None else counts, "a number of repeats")
    shape = shape_of(input)
    if len(times) < len(shape):
        raise error(RuntimeError, "too-few-sizes", f"repeat got {len(times)} numbers for a tensor of {len(shape)} "
                    f"dimensions", hint="give one for each dimension, 1 where it is not repeated; or use tile()")
    if min(times, default=0) < 0:
        raise error(RuntimeError, "negative-size", f"repeat: a number of repeats is negative in {list(times)}")
    return repeat_primitive(input, repeats=times, sizes=shape)


@op("torch.tile", "tile(input, *dims)", names="Tensor.tile", category="shape", doc="repeat, in which missing leading "
    "numbers count as 1.",
    formula="g summed over the repetitions", examples=("tile(tensor([[1., 2.]]), (2,))  #> [[1., 2., 1., 2.]]",),
    samples=(sample(T(2), (2,)), sample(T(2, 3), (2,)), sample(T(2), (2, 1))))
def tile(input: Any, *counts: Any, dims: Any = None) -> Any:
    """Return ``input`` repeated; RuntimeError for a negative number."""
    input = given(input)
    times = integers((dims,) if dims is not None else counts, "a number of repeats")
    return repeat(input, (1,) * (len(shape_of(input)) - len(times)) + times)


@op("torch.repeat_interleave", "repeat_interleave(input, repeats, dim=None)", names="Tensor.repeat_interleave",
    category="shape",
    doc="Each element repeated along a dimension (numpy.repeat's meaning), as often as repeats says: one number, or "
    "one for each; without dim of the flattened tensor.",
    formula="g summed over the repetitions", examples=("repeat_interleave(tensor([1., 2.]), 2)  #> [1., 1., 2., 2.]",),
    samples=(sample(T(2, 2), 2), sample(T(2, 2), 3, dim=0), sample(T(2, 3), Lit([1, 0, 2]), dim=1)))
def repeat_interleave(input: Any, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Any:
    """Return elements of ``input`` repeated; RuntimeError for negative repeats or another number of them than
    elements.
    """
    input = given(input)
    if dim is None:
        input, dim = (reshape(input, -1) if len(shape_of(input)) != 1 else input), 0
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    counts = np.asarray(array_of(given(repeats)) if not isinstance(repeats, int) else repeats)
    if counts.dtype.kind not in "iu" or (counts.size and counts.min() < 0):
        raise error(RuntimeError, "bad-repeats", f"repeat_interleave: repeats must be integers of at least 0, got "
                    f"{counts.tolist()}")
    if isinstance(repeats, int):
        wide = expand(unsqueeze(input, axis + 1), *shape[: axis + 1], repeats, *shape[axis + 1 :])
        return viewed(copy_primitive(wide), (*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :]))
    if counts.size not in (1, shape[axis]):
        raise error(RuntimeError, "bad-repeats", f"repeat_interleave: {counts.size} repeats for dimension {axis} of "
                    f"size {shape[axis]}")
    places = np.repeat(np.arange(shape[axis]), counts.reshape(-1))
    return index_select(input, axis, Tensor(places) if isinstance(input, Tensor) else places)



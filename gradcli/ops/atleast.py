"""Tensors brought to a number of dimensions or to a common shape: atleast_1d/2d/3d, broadcast_tensors, meshgrid."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.size import Size
from gradcli.ops.row import T, op, sample
from gradcli.ops.shape import expand, reshape, unsqueeze
from gradcli.ops.shaping import count_of, given, integers, shape_of


def atleast(tensor: Any, ndim: int) -> Any:
    """Return ``tensor`` as a view with at least ``ndim`` (1 to 3) dimensions, placed as NumPy places them."""
    own = len(shape_of(tensor))
    if own >= ndim:
        return tensor
    if not own:
        return reshape(tensor, (1,) * ndim)
    if own == 1:
        tensor = unsqueeze(tensor, 0)
    return unsqueeze(tensor, -1) if ndim == 3 else tensor


def _each(tensors: Any, ndim: int) -> Any:
    if len(tensors) == 1 and not isinstance(tensors[0], (tuple, list)):
        return atleast(given(tensors[0]), ndim)
    several = tensors[0] if len(tensors) == 1 else tensors
    return tuple(atleast(given(t), ndim) for t in several)


@op("torch.atleast_1d", "atleast_1d(*tensors)", category="shape", doc="A 0-d tensor as one of one element, others as "
    "they are; of several a tuple.",
    formula="g.reshape(input.shape)", examples=("atleast_1d(tensor(1.))  #> [1.]",), samples=(sample(T()),
        sample(T(2))))
def atleast_1d(*tensors: Any) -> Any:
    """Return the tensor with at least 1 dimension; a tuple for several."""
    return _each(tensors, 1)


@op("torch.atleast_2d", "atleast_2d(*tensors)", category="shape", doc="The tensor with at least 2 dimensions: a "
    "vector becomes a row; of several a tuple.",
    formula="g.reshape(input.shape)", examples=("atleast_2d(tensor([1., 2.]))  #> [[1., 2.]]",), samples=(sample(T(3)),
        sample(T())))
def atleast_2d(*tensors: Any) -> Any:
    """Return the tensor with at least 2 dimensions; a tuple for several."""
    return _each(tensors, 2)


@op("torch.atleast_3d", "atleast_3d(*tensors)", category="shape", doc="The tensor with at least 3 dimensions; of "
    "several a tuple.",
    formula="g.reshape(input.shape)", examples=("atleast_3d(tensor([1., 2.]))  #> [[[1.], [2.]]]",),
    samples=(sample(T(2, 2)), sample(T(3))))
def atleast_3d(*tensors: Any) -> Any:
    """Return the tensor with at least 3 dimensions; a tuple for several."""
    return _each(tensors, 3)


@op("torch.broadcast_tensors", "broadcast_tensors(*tensors)", category="shape", doc="Views of the tensors in their "
    "common shape, as a tuple.",
    formula="g, summed over what was repeated",
    examples=("broadcast_tensors(tensor([1., 2.]), tensor(3.))  #> (tensor([1., 2.]), tensor([3., 3.]))",),
    samples=(sample(T(2, 1), T(3)), sample(T(), T(2))))
def broadcast_tensors(*tensors: Any) -> Any:
    """Return the tensors expanded against each other; RuntimeError where they do not broadcast."""
    several = [given(t) for t in (tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple,
        list)) else tensors)]
    shape = broadcast_shapes(*(shape_of(t) for t in several))
    return tuple(expand(t, tuple(shape)) for t in several)


@op("torch.broadcast_shapes", "broadcast_shapes(*shapes)", category="shape", doc="The shape to which the shapes "
    "broadcast.",
    examples=("broadcast_shapes((2, 1), (3,))  #> torch.Size([2, 3])",))
def broadcast_shapes(*shapes: Any) -> Size:
    """Return the common shape; RuntimeError where there is none."""
    sizes = [integers((s,), "a size") for s in shapes]
    try:
        return Size(np.broadcast_shapes(*sizes))
    except ValueError:
        raise error(RuntimeError, "shape-mismatch", f"the shapes {' and '.join(map(str, sizes))} do not broadcast",
                    hint="sizes must be equal or 1, counted from the last dimension") from None


@op("torch.meshgrid", "meshgrid(*tensors, indexing=None)", category="create",
    doc="Coordinate grids of vectors, as a tuple of views: grid k repeats vector k along all other dimensions.",
    formula="g summed over the repetitions", conventions="indexing is 'ij' unless given as 'xy', NumPy's default; "
    "without it there is a warning",
    examples=("meshgrid(tensor([1., 2.]), tensor([3., 4.]), indexing='ij')[0]  #> [[1., 1.], [2., 2.]]",),
    samples=(sample(T(2), T(3), indexing="ij"), sample(T(2), T(), T(2), indexing="ij"), sample(T(2), T(3),
        indexing="xy")))
def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """Return the grids as a tuple; RuntimeError for a tensor of more than 1 dimension or another indexing."""
    several = [given(t) for t in (tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple,
        list)) else tensors)]
    if not several:
        raise error(ValueError, "nothing-to-join", "meshgrid needs at least one tensor")
    if any(len(shape_of(t)) > 1 for t in several):
        raise error(RuntimeError, "too-many-dims", f"meshgrid takes vectors, got shapes "
                    f"{[tuple(shape_of(t)) for t in several]}")
    if indexing not in (None, "ij", "xy"):
        raise error(RuntimeError, "bad-argument", f"meshgrid: indexing is 'ij' or 'xy', got {indexing!r}")
    if indexing is None:
        warnings.warn("meshgrid without indexing= gives 'ij' grids, where NumPy would give 'xy'", UserWarning,
                      stacklevel=2)
    sizes = tuple(count_of(t) for t in several)
    grids = tuple(expand(reshape(t, (*(1,) * k, sizes[k], *(1,) * (len(sizes) - k - 1))), sizes) for k,
                  t in enumerate(several))
    return tuple(grid.swapaxes(0, 1) for grid in grids) if indexing == "xy" and len(grids) > 1 else grids

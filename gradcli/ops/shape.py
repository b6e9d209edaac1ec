"""Other shapes for the same elements: reshape, view, flatten, squeeze, unsqueeze, expand. Views share memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.dtypes import DType
from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.node import storage_of
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import viewing
from gradcli.ops.common import axis_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.shaping import (
    Shape,
    array_of,
    complete,
    count_of,
    expanded,
    fits_without_copy,
    given,
    integer,
    integers,
    shape_of,
)


def _shaped(input: Any, *, shape: Shape, sizes: Shape) -> Any:
    return input.reshape(shape)


def _back(g: Any, sizes: Shape) -> Any:
    return g.reshape(sizes)


def _squeezed(input: Any, *, dim: Any, sizes: Shape) -> Any:
    return input.squeeze(dim)


def _unsqueezed(input: Any, *, dim: int) -> Any:
    return input[(*(slice(None),) * dim, None)]


def _aliased(input: Any) -> Any:
    return input[...]


def _copied(input: Any) -> Any:
    return np.array(input, order="C")


view_primitive: Primitive = Primitive("view", _shaped, {"input": _back}, view=True, batch=("shape", "sizes"))
unsafe_view_primitive: Primitive = Primitive("unsafe_view", _shaped, {"input": _back}, batch=("shape", "sizes"))
squeeze_all: Primitive = Primitive("squeeze", _squeezed, {"input": _back}, view=True, batch="arrays.squeezed")
squeeze_one: Primitive = Primitive("squeeze", _squeezed, {"input": _back}, node="SqueezeBackward1", view=True,
    batch="arrays.squeezed")
squeeze_some: Primitive = Primitive("squeeze", _squeezed, {"input": _back}, node="SqueezeBackward2", view=True,
    batch="arrays.squeezed")
unsqueeze_primitive: Primitive = Primitive("unsqueeze", _unsqueezed, {"input": lambda g, dim: g.squeeze(dim)},
                                           view=True, batch=("dim",))
expand_primitive: Primitive = Primitive("expand", lambda input, *, size: expanded(input, size), {"input": lambda g: g},
                                        view=True, batch="arrays.expanded")
alias_primitive: Primitive = Primitive("alias", _aliased, {"input": lambda g: g}, view=True, batch=())
copy_primitive: Primitive = Primitive("clone", _copied, {"input": lambda g: g}, batch=())


_view, _expand, _unsqueeze, _squeeze_one = map(
    viewing, (view_primitive, expand_primitive, unsqueeze_primitive, squeeze_one))


def viewed(input: Any, shape: Shape) -> Any:
    """Return ``input`` in a complete ``shape`` that is known to fit its memory."""
    return _view(input, shape=shape, sizes=shape_of(input))


def reshaped(input: Any, shape: Shape) -> Any:
    """Return ``input`` in a complete ``shape``: a view where its memory allows one, else a copy."""
    if isinstance(input, Lifted) or fits_without_copy(array_of(input), shape):
        return _view(input, shape=shape, sizes=shape_of(input))
    return unsafe_view_primitive(copy_primitive(input), shape=shape, sizes=shape_of(input))


_RESHAPES = (sample(T(2, 3), (3, 2)), sample(T(2, 3), (-1,)), sample(T(), (1, 1)), sample(T(0, 3), (3, 0)))


@op("torch.reshape", "reshape(input, *shape)", names="Tensor.reshape", category="shape",
    doc="The elements in row-major order in another shape; -1 stands for the size that is left over. A view where the "
    "memory "
        "allows one, else a copy.",
    formula="g.reshape(input.shape)", conventions="the copy records CloneBackward0 and UnsafeViewBackward0, as "
    "PyTorch does",
    examples=("reshape(tensor([[1., 2.], [3., 4.]]), (-1,))  #> [1., 2., 3., 4.]",), samples=_RESHAPES)
def reshape(input: Any, *sizes: Any, shape: Any = None) -> Any:
    """Return ``input`` in another shape; RuntimeError where the number of elements differs."""
    input = given(input)
    wanted = integers((shape,) if shape is not None else sizes, "a size")
    return reshaped(input, complete(wanted, count_of(input)))


@op("Tensor.view", "view(input, *shape) | view(input, dtype)", category="shape",
    doc="The same memory in another shape; with a dtype, the same bytes read as that type.",
    formula="g.reshape(input.shape); not differentiable where the dtype changes",
    conventions="a transposed or otherwise strided input may have no such view: then an error, where reshape copies",
    examples=("tensor([[1., 2.], [3., 4.]]).view(4)  #> [1., 2., 3., 4.]",), samples=_RESHAPES)
def view(input: Any, *sizes: Any, dtype: Any = None) -> Any:
    """Return a view of ``input``; RuntimeError where strides or the number of elements do not allow the shape."""
    if dtype is None and len(sizes) == 1 and isinstance(sizes[0], DType):
        dtype = sizes[0]
    if dtype is not None:
        return _reinterpreted(input, dtype)
    wanted = complete(integers(sizes, "a size"), count_of(input), "view")
    if not isinstance(input, Lifted) and not fits_without_copy(input._array, wanted):
        array = array_of(input)
        raise error(RuntimeError, "view-needs-copy", f"no view of shape {list(wanted)} exists on this memory: shape "
                    f"{array.shape} has "
                    f"strides {tuple(s // array.itemsize for s in array.strides)}",
                    hint="reshape() copies where it must; contiguous() makes a copy in row-major order")
    return viewed(input, wanted)


def _reinterpreted(input: Any, dtype: DType) -> Any:
    array = array_of(input)
    if array.dtype == dtype.numpy:
        return input
    try:
        made = Tensor(array.view(dtype.numpy))
    except ValueError:
        raise error(RuntimeError, "view-dtype", f"{array.dtype.itemsize} bytes an element in shape {array.shape} "
                    f"cannot be read as "
                    f"{dtype}", hint="to(dtype) converts the values instead") from None
    made._storage = storage_of(input)
    return made


@op("Tensor.view_as", "view_as(input, other)", category="shape", doc="A view in the shape of other.",
    formula="g.reshape(input.shape)", examples=("tensor([1., 2.]).view_as(tensor([[0.], [0.]]))  #> [[1.], [2.]]",),
    samples=(sample(T(2, 3), Lit([[0, 0], [0, 0], [0, 0]])),))
def view_as(input: Any, other: Any) -> Any:
    """Return a view of ``input`` in the shape of ``other``; RuntimeError as ``view``."""
    return view(input, shape_of(other))


@op("Tensor.reshape_as", "reshape_as(input, other)", category="shape", doc="reshape to the shape of other.",
    formula="g.reshape(input.shape)", examples=("tensor([1., 2.]).reshape_as(tensor([[0.], [0.]]))  #> [[1.], [2.]]",),
    samples=(sample(T(2, 3), Lit([[0, 0], [0, 0], [0, 0]])),))
def reshape_as(input: Any, other: Any) -> Any:
    """Return ``input`` reshaped to the shape of ``other``; RuntimeError where the number of elements differs."""
    return reshape(input, shape_of(other))


@op("torch.flatten", "flatten(input, start_dim=0, end_dim=-1)", names="Tensor.flatten", category="shape",
    doc="The dimensions start_dim to end_dim merged into one.", formula="g.reshape(input.shape)",
    conventions="a 0-d tensor becomes one of one element; where nothing is merged the input itself is returned",
    examples=("flatten(tensor([[1., 2.], [3., 4.]]))  #> [1., 2., 3., 4.]",),
    samples=(sample(T(2, 3)), sample(T(2, 3, 2), 1), sample(T(2, 3, 2), 0, -2), sample(T())))
def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Return ``input`` with a run of dimensions merged; RuntimeError where ``start_dim`` lies behind ``end_dim``."""
    input = given(input)
    shape = shape_of(input)
    start, end = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if start > end:
        raise error(RuntimeError, "dims-reversed", f"flatten: start_dim {start_dim} lies behind end_dim {end_dim}")
    if not shape:
        return reshaped(input, (1,))
    if start == end:
        return input
    return reshaped(input, (*shape[:start], int(np.prod(shape[start : end + 1])), *shape[end + 1 :]))


@op("torch.ravel", "ravel(input)", names="Tensor.ravel", category="shape", doc="All elements in one dimension, in "
    "row-major order.",
    formula="g.reshape(input.shape)", examples=("ravel(tensor([[1., 2.], [3., 4.]]))  #> [1., 2., 3., 4.]",),
    samples=(sample(T(2, 3)), sample(T())))
def ravel(input: Any) -> Any:
    """Return ``input`` as one dimension: a view where its memory allows one, else a copy."""
    input = given(input)
    return viewed(contiguous(input), (count_of(input),))


@op("torch.unflatten", "unflatten(input, dim, sizes)", names="Tensor.unflatten", category="shape",
    doc="The dimension dim split into several of the given sizes, one of which may be -1.",
    formula="g.reshape(input.shape)",
    examples=("unflatten(tensor([1., 2., 3., 4.]), 0, (2, 2))  #> [[1., 2.], [3., 4.]]",),
    samples=(sample(T(4), 0, (2, 2)), sample(T(2, 6), -1, (-1, 3))))
def unflatten(input: Any, dim: int, sizes: Any) -> Any:
    """Return ``input`` with one dimension split; RuntimeError where the sizes do not multiply to it."""
    input = given(input)
    shape = shape_of(input)
    axis = axis_of(dim, len(shape))
    parts = integers((sizes,), "a size")
    if not shape or not parts:
        raise error(RuntimeError, "nothing-to-split", f"unflatten splits dimension {dim} of shape {shape} into sizes "
                    f"{list(parts)}: "
                    "neither may be empty")
    return reshaped(input, (*shape[:axis], *complete(parts, shape[axis], "unflatten"), *shape[axis + 1 :]))


@op("torch.squeeze", "squeeze(input, dim=None)", names="Tensor.squeeze", inplace=True, numpy_words=True,
    category="shape",
    doc="A view without the dimensions of size 1: all of them, or those among dim.", formula="g.reshape(input.shape)",
    conventions="a dim of another size is left alone",
    examples=("squeeze(tensor([[1., 2.]]))  #> [1., 2.]", "squeeze(tensor([[1., 2.]]), 1)  #> [[1., 2.]]"),
    samples=(sample(T(1, 2, 1)), sample(T(1, 2, 1), 0), sample(T(1, 2, 1), 1), sample(T(1, 2, 1), (0, -1)),
             sample(T())))
def squeeze(input: Any, dim: Any = None) -> Any:
    """Return ``input`` without dimensions of size 1; IndexError for a dim it does not have."""
    input = given(input)
    shape = shape_of(input)
    if dim is None:
        return squeeze_all(input, dim=None, sizes=shape)
    if isinstance(dim, (tuple, list)):
        axes = {axis_of(d, len(shape)) for d in dim} if shape else set()
        return squeeze_some(input, dim=tuple(a for a in sorted(axes) if shape[a] == 1), sizes=shape)
    axis = axis_of(integer(dim, "dim"), len(shape))
    return _squeeze_one(input, dim=axis if shape and shape[axis] == 1 else (), sizes=shape)


@op("torch.unsqueeze", "unsqueeze(input, dim)", names="Tensor.unsqueeze", inplace=True, numpy_words=True,
    category="shape",
    doc="A view with a new dimension of size 1 at dim.", formula="g.squeeze(dim)",
    examples=("unsqueeze(tensor([1., 2.]), 1)  #> [[1.], [2.]]",),
    samples=(sample(T(3), 0), sample(T(3), -1), sample(T(2, 3), 1), sample(T(), 0)))
def unsqueeze(input: Any, dim: int) -> Any:
    """Return ``input`` with a dimension of size 1 put in; IndexError outside -ndim-1..ndim."""
    input = given(input)
    return _unsqueeze(input, dim=axis_of(integer(dim, "dim"), len(shape_of(input)) + 1))


@op("Tensor.expand", "expand(input, *sizes)", category="shape",
    doc="A view in a larger shape in which dimensions of size 1, and new ones in front, are repeated without a copy. "
    "-1 keeps a size.",
    formula="g, summed over what was repeated", conventions="several elements are one cell of memory: it cannot be "
    "written in place",
    examples=("tensor([[1.], [2.]]).expand(-1, 2)  #> [[1., 1.], [2., 2.]]",),
    samples=(sample(T(2), 3, 2), sample(T(2, 1), -1, 3), sample(T(3, 1), (2, 3, -1)), sample(T(), 2)))
def expand(input: Any, *sizes: Any, size: Any = None) -> Any:
    """Return ``input`` repeated without a copy; RuntimeError for a size that is neither its own nor grown from 1."""
    input = given(input)
    wanted = integers((size,) if size is not None else sizes, "a size")
    return _expand(input, size=_grown(shape_of(input), wanted))


def _grown(shape: Shape, wanted: Shape) -> Shape:
    lead = len(wanted) - len(shape)
    if lead < 0:
        raise error(RuntimeError, "too-few-sizes", f"expand got {len(wanted)} sizes {list(wanted)} for a tensor of "
                    f"{len(shape)} "
                    f"dimensions, shape {tuple(shape)}")
    made = []
    for i, n in enumerate(wanted):
        own = shape[i - lead] if i >= lead else None
        if n < -1 or (n == -1 and own is None):
            raise error(RuntimeError, "negative-size", f"expand: the size {n} at dimension {i} of {list(wanted)} has "
                        f"no meaning",
                        hint="-1 keeps the size of an existing dimension")
        if own is not None and n not in (-1, own) and own != 1:
            raise error(RuntimeError, "shape-mismatch", f"expand of shape {tuple(shape)} to {list(wanted)}: dimension "
                        f"{i} has size "
                        f"{own}, which cannot become {n}", label=f"shape {tuple(shape)}",
                        hint="only dimensions of size 1 can be repeated; new ones go in front")
        made.append(own if n == -1 and own is not None else n)
    return tuple(made)


@op("Tensor.expand_as", "expand_as(input, other)", category="shape", doc="expand to the shape of other.",
    formula="g, summed over what was repeated", examples=("tensor([1., 2.]).expand_as(tensor([[0., 0.]]))  #> [[1., "
                                                          "2.]]",),
    samples=(sample(T(3), Lit([[0, 0, 0], [0, 0, 0]])),))
def expand_as(input: Any, other: Any) -> Any:
    """Return ``input`` expanded to the shape of ``other``; RuntimeError as ``expand``."""
    return expand(input, shape_of(other))


@op("torch.broadcast_to", "broadcast_to(input, shape)", names="Tensor.broadcast_to", category="shape",
    doc="expand under NumPy's name.", formula="g, summed over what was repeated",
    examples=("broadcast_to(tensor([1., 2.]), (2, 2))  #> [[1., 2.], [1., 2.]]",),
    samples=(sample(T(3), (2, 3)), sample(T(), (3,)), sample(T(2, 1), (2, 3))))
def broadcast_to(input: Any, *size: Any, shape: Any = None) -> Any:
    """Return ``input`` expanded to ``shape``; RuntimeError as ``expand``."""
    return expand(input, *(size if shape is None else (shape,)))


@op("Tensor.contiguous", "contiguous(input)", category="shape",
    doc="The tensor itself where its memory is in row-major order, else a copy that is.", formula="g",
    examples=("tensor([[1., 2.], [3., 4.]]).t().contiguous().view(4)  #> [1., 3., 2., 4.]",),
    samples=(sample(T(2, 3)),))
def contiguous(input: Any) -> Any:
    """Return ``input`` in row-major memory; the very object where it is so already."""
    if isinstance(input, Lifted) or array_of(input).flags.c_contiguous:
        return input
    return copy_primitive(input)

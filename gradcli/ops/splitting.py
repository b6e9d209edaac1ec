"""A tensor taken apart along a dimension: unbind, split, chunk and their relatives. All parts are views."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import axis_of
from gradcli.ops.joining import cat, stack
from gradcli.ops.row import T, op, sample
from gradcli.ops.shaping import Shape, given, integer, integers, shape_of, zeros_for
from gradcli.ops.slices import at, sliced


def _unbound(input: Any, *, dim: int, sizes: Shape) -> Any:
    return tuple(input[(*at(dim, i), ...)] for i in range(input.shape[dim]))


def _cut(input: Any, *, dim: int, ends: Shape, sizes: Shape) -> Any:
    return tuple(input[at(dim, slice(a, b))] for a, b in pairwise((0, *ends)))


def _restack(g: Any, dim: int, sizes: Shape) -> Any:
    used = next(part for part in g if part is not None)
    shape = (*sizes[:dim], *sizes[dim + 1 :])
    parts = [zeros_for(used, shape) if part is None else part for part in g]
    return stack(parts, dim)


def _rejoin(g: Any, dim: int, ends: Shape, sizes: Shape) -> Any:
    used = next(part for part in g if part is not None)
    parts = [zeros_for(used, (*sizes[:dim], b - a, *sizes[dim + 1 :])) if part is None else part
             for part, (a, b) in zip(g, pairwise((0, *ends)), strict=True)]
    return cat(parts, dim)


unbind_primitive: Primitive = Primitive("unbind", _unbound, {"input": _restack}, view=True, multi=True,
    batch=("dim", "sizes"))
split_primitive: Primitive = Primitive("split", _cut, {"input": _rejoin}, view=True, multi=True, batch=("dim", "sizes"))
split_sizes_primitive: Primitive = Primitive("split_with_sizes", _cut, {"input": _rejoin}, view=True, multi=True,
    batch=("dim", "sizes"))


def _axis(input: Any, dim: Any, what: str) -> int:
    ndim = len(shape_of(input))
    if not ndim:
        raise error(RuntimeError, "zero-dim", f"{what} takes a tensor apart along a dimension, and a 0-d tensor has "
                    f"none")
    return axis_of(integer(dim, "dim"), ndim)


@op("torch.unbind", "unbind(input, dim=0)", names="Tensor.unbind", numpy_words=True, category="join",
    doc="The parts along a dimension as a tuple, each without that dimension; iterating over a tensor gives them.",
    formula="the cotangents of the parts, stacked",
    conventions="the parts are views that may not be written in place while recording",
    examples=("unbind(tensor([[1., 2.], [3., 4.]]))  #> (tensor([1., 2.]), tensor([3., 4.]))",),
    samples=(sample(T(2, 3)), sample(T(2, 3), -1)))
def unbind(input: Any, dim: int = 0) -> Any:
    """Return the parts of ``input`` along ``dim`` as a tuple; RuntimeError for a 0-d tensor."""
    input = given(input)
    axis = _axis(input, dim, "unbind")
    shape = shape_of(input)
    return unbind_primitive(input, dim=axis, sizes=shape) if shape[axis] else ()


@op("torch.split", "split(tensor, split_size_or_sections, dim=0)", names="Tensor.split", numpy_words=True,
    category="join",
    doc="Consecutive parts along a dimension as a tuple: of one size (the last may be smaller), or of the sizes of a "
    "list.",
    formula="the cotangents of the parts, joined", conventions="the parts are views that may not be written in place "
    "while recording",
    examples=("split(tensor([1., 2., 3.]), 2)  #> (tensor([1., 2.]), tensor([3.]))",
              "split(tensor([1., 2., 3.]), [1, 2])  #> (tensor([1.]), tensor([2., 3.]))"),
    samples=(sample(T(4, 2), 2), sample(T(5), 2), sample(T(2, 4), [1, 3], dim=1)))
def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    """Return parts of ``tensor`` as a tuple; RuntimeError for parts of size 0 or below."""
    tensor = given(tensor)
    if isinstance(split_size_or_sections, (tuple, list)):
        return split_with_sizes(tensor, split_size_or_sections, dim)
    axis = _axis(tensor, dim, "split")
    shape = shape_of(tensor)
    size, each = shape[axis], integer(split_size_or_sections, "the size of the parts")
    if each < 0 or (each == 0 and size):
        raise error(RuntimeError, "bad-split", f"split: parts of size {each} do not make up dimension {axis} of size "
                    f"{size}")
    ends = tuple(min(k + each, size) for k in range(0, size, each)) if size else (0,)
    return split_primitive(tensor, dim=axis, ends=ends, sizes=shape)


@op("torch.split_with_sizes", "split_with_sizes(input, split_sizes, dim=0)", names="Tensor.split_with_sizes",
    category="join",
    doc="Consecutive parts of the given sizes along a dimension, as a tuple.", formula="the cotangents of the parts, "
    "joined",
    conventions="the parts are views that may not be written in place while recording",
    examples=("split_with_sizes(tensor([1., 2., 3.]), [1, 2])  #> (tensor([1.]), tensor([2., 3.]))",),
    samples=(sample(T(3, 2), [1, 2]),))
def split_with_sizes(input: Any, split_sizes: Any, dim: int = 0) -> Any:
    """Return parts of the given sizes; RuntimeError where they do not add up to the dimension."""
    input = given(input)
    axis = _axis(input, dim, "split")
    shape = shape_of(input)
    sizes = integers((tuple(split_sizes),), "a size")
    if sum(sizes) != shape[axis] or min(sizes, default=0) < 0:
        raise error(RuntimeError, "bad-split", f"split: the sizes {list(sizes)} must add up to dimension {axis} of "
                    f"size {shape[axis]}, their sum is {sum(sizes)}")
    if not sizes:
        return ()
    return split_sizes_primitive(input, dim=axis, ends=tuple(accumulate(sizes)), sizes=shape)


@op("torch.chunk", "chunk(input, chunks, dim=0)", names="Tensor.chunk", numpy_words=True, category="join",
    doc="At most the given number of parts of equal size along a dimension (the last may be smaller), as a tuple.",
    formula="the cotangents of the parts, joined", conventions="there may be fewer parts than asked for, as in PyTorch",
    examples=("chunk(tensor([1., 2., 3.]), 2)  #> (tensor([1., 2.]), tensor([3.]))",),
    samples=(sample(T(5), 2), sample(T(2, 4), 3, dim=1)))
def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    """Return up to ``chunks`` parts as a tuple; RuntimeError for ``chunks`` below 1."""
    input = given(input)
    axis = _axis(input, dim, "chunk")
    size, count = shape_of(input)[axis], integer(chunks, "chunks")
    if count < 1:
        raise error(RuntimeError, "bad-split", f"chunk: the number of chunks must be at least 1, got {count}")
    each = -(-size // count)
    if not each:
        return split_with_sizes(input, (0,) * count, axis)
    return split(input, each, axis)


@op("torch.tensor_split", "tensor_split(input, indices_or_sections, dim=0)", names="Tensor.tensor_split",
    numpy_words=True,
    category="join", doc="Parts along a dimension as a tuple: as equal as possible, or cut before the given indices "
    "(as numpy.array_split).",
    formula="each part's cotangent goes to its slice",
    examples=("tensor_split(tensor([1., 2., 3.]), 2)  #> (tensor([1., 2.]), tensor([3.]))",
              "tensor_split(tensor([1., 2., 3.]), (1,))  #> (tensor([1.]), tensor([2., 3.]))"),
    samples=(sample(T(7), 3), sample(T(2, 4), (1, 3), dim=1)))
def tensor_split(input: Any, indices_or_sections: Any = None, dim: int = 0, *, indices: Any = None,
                 sections: Any = None) -> Any:
    """Return the parts as a tuple; RuntimeError for a number of sections below 1."""
    input = given(input)
    axis = _axis(input, dim, "tensor_split")
    size = shape_of(input)[axis]
    how = next((v for v in (indices_or_sections, indices, sections) if v is not None), None)
    if isinstance(how, Tensor):
        how = how._array.tolist()
    if isinstance(how, (tuple, list)):
        points = [0, *(slice(integer(i, "an index")).indices(size)[1] for i in how), size]
    else:
        points = _even(size, integer(how, "the number of sections"))
    return tuple(sliced(input, axis, a, max(a, b)) for a, b in pairwise(points))


def _even(size: int, sections: int) -> list[int]:
    if sections < 1:
        raise error(RuntimeError, "bad-split", f"tensor_split: the number of sections must be at least 1, got "
                    f"{sections}")
    each, larger = divmod(size, sections)
    return [0, *accumulate(each + (k < larger) for k in range(sections))]


def _strict_split(input: Any, how: Any, dim: int, what: str) -> Any:
    """Return ``tensor_split`` along ``dim``, where a number of parts must divide the size."""
    size = shape_of(input)[dim]
    if not isinstance(how, (tuple, list, Tensor)):
        count = integer(how, "the number of sections")
        if count < 1 or size % count:
            raise error(RuntimeError, "bad-split", f"{what}: {count} equal parts do not make up dimension {dim} of "
                        f"size {size}")
    return tensor_split(input, how, dim)


def _at_least(input: Any, ndim: int, what: str) -> Any:
    input = given(input)
    if len(shape_of(input)) < ndim:
        raise error(RuntimeError, "too-few-dims", f"{what} needs at least {ndim} dimension{'s' * (ndim > 1)}, this "
                    f"tensor has shape {tuple(shape_of(input))}")
    return input


@op("torch.hsplit", "hsplit(input, indices_or_sections)", names="Tensor.hsplit", category="join",
    doc="Parts along the second dimension (the first of a vector), in equal numbers or cut before indices.",
    formula="each part's cotangent goes to its slice",
    examples=("hsplit(tensor([1., 2.]), 2)  #> (tensor([1.]), tensor([2.]))",),
    samples=(sample(T(2, 4), [1, 2]), sample(T(4), 2)))
def hsplit(input: Any, indices_or_sections: Any) -> Any:
    """Return the parts as a tuple; RuntimeError where the size is no multiple of the number of parts."""
    input = _at_least(input, 1, "hsplit")
    return _strict_split(input, indices_or_sections, 0 if len(shape_of(input)) == 1 else 1, "hsplit")


@op("torch.vsplit", "vsplit(input, indices_or_sections)", names="Tensor.vsplit", category="join",
    doc="Parts along the first dimension of at least 2.", formula="each part's cotangent goes to its slice",
    examples=("vsplit(tensor([[1.], [2.]]), 2)  #> (tensor([[1.]]), tensor([[2.]]))",), samples=(sample(T(4, 2), 2),))
def vsplit(input: Any, indices_or_sections: Any) -> Any:
    """Return the parts as a tuple; RuntimeError where the size is no multiple of the number of parts."""
    return _strict_split(_at_least(input, 2, "vsplit"), indices_or_sections, 0, "vsplit")


@op("torch.dsplit", "dsplit(input, indices_or_sections)", names="Tensor.dsplit", category="join",
    doc="Parts along the third dimension.", formula="each part's cotangent goes to its slice",
    examples=("dsplit(tensor([[[1., 2.]]]), 2)  #> (tensor([[[1.]]]), tensor([[[2.]]]))",),
    samples=(sample(T(1, 2, 4), 2),))
def dsplit(input: Any, indices_or_sections: Any) -> Any:
    """Return the parts as a tuple; RuntimeError where the size is no multiple of the number of parts."""
    return _strict_split(_at_least(input, 3, "dsplit"), indices_or_sections, 2, "dsplit")

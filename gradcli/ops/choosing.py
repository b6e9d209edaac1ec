"""Elements chosen by a mask: where, masked_fill, masked_select, masked_scatter, nonzero."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, promoted
from gradcli.autograd.tensor import Tensor
from gradcli.ops.bits import chosen
from gradcli.ops.common import is_batch
from gradcli.ops.masked import keep, negated
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.shaping import Shape, array_of, count_of, dtype_of, given, shape_of, zeros_for

_NUMBERS = (bool, int, float, complex)


def _chosen(input: Any, other: Any, condition: Any) -> Any:
    left, right = promoted((input, other))
    return chosen(condition, left, right)


where_primitive: Primitive = Primitive("where", _chosen, {
    "input": lambda g, condition: keep(g, condition), "other": lambda g, condition: keep(g, negated(condition))},
    batch="elementwise")


def mask_of(mask: Any, what: str) -> Any:
    """Return ``mask`` as it is (a list becomes a tensor); RuntimeError unless it holds bools."""
    mask = given(mask)
    if dtype_of(mask).kind != "b":
        raise error(RuntimeError, "not-a-mask", f"{what} needs a mask of bools, got {dtype_of(mask)}",
                    hint="a comparison such as x > 0 gives one")
    return mask


def _operand(value: Any) -> Any:
    return value if isinstance(value, _NUMBERS) else given(value)


def common_shape(what: str, **operands: Any) -> Shape:
    """Return the shape to which the operands broadcast; RuntimeError naming their shapes where they do not."""
    shapes = {k: () if isinstance(v, _NUMBERS) else shape_of(v) for k, v in operands.items()}
    if len(known := {s for s in shapes.values() if s}) < 2:
        return known.pop() if known else ()
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{k} {tuple(s)}" for k, s in shapes.items())
        raise error(RuntimeError, "shape-mismatch", f"{what} cannot broadcast its operands: {listed}",
                    hint="sizes must be equal or 1, counted from the last dimension") from None


@op("torch.where", "where(condition, input, other)", category="index",
    doc="The elements of input where the mask condition holds, else those of other; all three broadcast. With the "
    "condition alone, the indices where it holds, as nonzero(as_tuple=True).",
    formula="where(condition, g, 0) to input, where(condition, 0, g) to other",
    conventions="both sides are computed, so a nan or infinite derivative of the side not taken still gives nan (0 * "
    "inf)",
    examples=("where(tensor([True, False]), tensor([1., 2.]), 0.)  #> [1., 0.]",),
    samples=(sample(Lit([True, False]), T(2), T(2)), sample(Lit([True, False, True]), T(2, 3), T()),
             sample(Lit([[True], [False]]), T(2), 0.5)))
def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Return ``input`` where ``condition`` holds, else ``other``; RuntimeError for a condition that is not bool."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    if input is None or other is None:
        raise error(TypeError, "missing-argument", "where takes a condition alone, or a condition, input and other")
    condition = mask_of(condition, "where")
    input, other = _operand(input), _operand(other)
    if not shape_of(condition) == getattr(input, "shape", None) == getattr(other, "shape", None):
        common_shape("where", condition=condition, input=input, other=other)
    return where_primitive(input, other, condition)


@op("Tensor.where", "where(input, condition, other)", category="index", doc="The elements of this tensor where the "
    "mask condition holds, else those of other.",
    formula="where(condition, g, 0) to input, where(condition, 0, g) to other",
    examples=("tensor([1., 2.]).where(tensor([True, False]), 0.)  #> [1., 0.]",), samples=(sample(T(2), Lit([True,
                                                                                                             False]),
                                                                                                             T(2)),))
def where_method(input: Any, condition: Any, other: Any) -> Any:
    """Return ``input`` where ``condition`` holds, else ``other``; RuntimeError for a condition that is not bool."""
    return where(condition, input, other)


def _filled(input: Any, mask: Any, *, value: Any) -> Any:
    return np.where(mask, np.asarray(value).astype(input.dtype), input)


def _filled_by(input: Any, value: Any, mask: Any) -> Any:
    return np.where(mask, value.astype(input.dtype), input)


masked_fill_primitive: Primitive = Primitive("masked_fill", _filled, {"input": lambda g, mask: masked_fill_primitive(g,
                                                                                                                     mask,
                                                                                                          value=0)},
                                                                                                          batch="elementwise")
masked_fill_tensor: Primitive = Primitive("masked_fill", _filled_by, {
    "input": lambda g, mask: masked_fill_primitive(g, mask, value=0),
    "value": lambda g, mask: where_primitive(g, 0, mask).sum()}, node="MaskedFillBackward1", batch="elementwise")


def sizes_differ(what: str) -> Exception:
    """Return the error of an operation inside vmap whose result has another size for each sample."""
    return error(
        RuntimeError,
        "vmap-dynamic-shape",
        f"{what} gives results whose size depends on the values; inside vmap those of the samples would not stack",
        hint="torch.where(mask, x, 0) keeps the shape",
    )


def check_value(value: Any, dtype: Any, what: str) -> None:
    """Raise RuntimeError where complex values would be written into a real tensor."""
    found = dtype_of(value) if isinstance(value, (Tensor, np.ndarray)) else np.asarray(value).dtype
    if found.kind == "c" and dtype.kind != "c":
        raise error(RuntimeError, "dtype-mismatch", f"{what}: a complex value does not fit a tensor of {dtype}")


@op("torch.masked_fill", "masked_fill(input, mask, value)", names="Tensor.masked_fill", inplace=True, category="index",
    doc="input with value where the mask holds; the mask broadcasts, the value is a number or a 0-d tensor.",
    formula="g, 0 where the mask holds; to value: the sum of g where the mask holds",
    examples=("masked_fill(tensor([1., 2.]), tensor([True, False]), 0.)  #> [0., 2.]",),
    samples=(sample(T(2, 3), Lit([True, False, True]), 0.5), sample(T(2, 3), Lit([[True], [False]]), T())))
def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """Return ``input`` with ``value`` where ``mask`` holds; RuntimeError unless the mask is bool and the value 0-d."""
    input, mask = given(input), mask_of(mask, "masked_fill")
    common_shape("masked_fill", input=input, mask=mask)
    check_value(value, dtype_of(input), "masked_fill")
    if isinstance(value, _NUMBERS):
        return masked_fill_primitive(input, mask, value=value)
    value = given(value)
    if len(shape_of(value)):
        raise error(RuntimeError, "value-not-0d", f"masked_fill takes a number or a 0-d tensor, got shape "
                    f"{tuple(shape_of(value))}", hint="where(mask, values, x) chooses between tensors")
    return masked_fill_tensor(input, value, mask)


def _taken(input: Any, mask: Any, *, sizes: Shape) -> Any:
    shape = np.broadcast_shapes(input.shape, mask.shape)
    return np.broadcast_to(input, shape)[np.broadcast_to(mask, shape)]


def _put_back(input: Any, mask: Any, *, sizes: Shape) -> Any:
    shape = np.broadcast_shapes(sizes, mask.shape)
    out = np.zeros(shape, input.dtype)
    out[np.broadcast_to(mask, shape)] = input
    return out


masked_select_primitive: Primitive = Primitive("masked_select", _taken, {
    "input": lambda g, mask, sizes: _put_back_primitive(g, mask, sizes=sizes)}, batch="indexing.masked_select")
_put_back_primitive: Primitive = Primitive("masked_scatter_back", _put_back, {
    "input": lambda g, mask, sizes: masked_select_primitive(g, mask, sizes=sizes)}, node="MaskedScatterBackward0",
    batch="indexing.masked_back")


@op("torch.masked_select", "masked_select(input, mask)", names="Tensor.masked_select", category="index",
    doc="The elements where the mask holds, in row-major order, in one dimension; input and mask broadcast.",
    formula="g at the chosen places, else 0", examples=("masked_select(tensor([1., 2., 3.]), tensor([True, False, "
                                                        "True]))  #> [1., 3.]",),
    samples=(sample(T(3), Lit([True, False, True])), sample(T(2, 3), Lit([True, False, True])), sample(T(3),
                                                                                                       Lit([[True],
                                                                                                            [True]]))))
def masked_select(input: Any, mask: Any) -> Any:
    """Return the elements where ``mask`` holds as one dimension; RuntimeError for a mask that is not bool."""
    input, mask = given(input), mask_of(mask, "masked_select")
    common_shape("masked_select", input=input, mask=mask)
    return masked_select_primitive(input, mask, sizes=shape_of(input))


def _scattered(input: Any, source: Any, mask: Any, *, sizes: Shape) -> Any:
    shape = np.broadcast_shapes(input.shape, mask.shape)
    out = np.array(np.broadcast_to(input, shape), order="C")
    wide = np.broadcast_to(mask, shape)
    out[wide] = source.reshape(-1)[: np.count_nonzero(wide)]
    return out


def _sources(g: Any, mask: Any, sizes: Shape) -> Any:
    from gradcli.ops.joining import cat

    taken = masked_select_primitive(g, mask, sizes=tuple(g.shape))
    rest = zeros_for(taken, (int(np.prod(sizes)) - taken.shape[0],))
    return cat([taken, rest]).reshape(sizes)


masked_scatter_primitive: Primitive = Primitive("masked_scatter", _scattered, {
    "input": lambda g, mask: masked_fill_primitive(g, mask, value=0), "source": _sources},
    batch="indexing.masked_scatter")


@op("torch.masked_scatter", "masked_scatter(input, mask, source)", names="Tensor.masked_scatter", inplace=True,
    category="index",
    doc="input with the elements of source, in order, where the mask holds.",
    formula="g, 0 where the mask holds; to source: g where the mask holds, in order, 0 for what was not used",
    examples=("masked_scatter(tensor([1., 2., 3.]), tensor([True, False, True]), tensor([8., 9.]))  #> [8., 2., 9.]",),
    samples=(sample(T(3), Lit([True, False, True]), T(3)), sample(T(2, 3), Lit([True, False, True]), T(2, 2))))
def masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """Return ``input`` with elements of ``source`` where ``mask`` holds; RuntimeError where source has too few."""
    input, mask, source = given(input), mask_of(mask, "masked_scatter"), given(source)
    shape = common_shape("masked_scatter", input=input, mask=mask)
    if dtype_of(source) != dtype_of(input):
        raise error(RuntimeError, "dtype-mismatch", f"masked_scatter needs one dtype, got input "
                    f"{dtype_of(input)} and source {dtype_of(source)}")
    wanted = int(np.count_nonzero(np.broadcast_to(array_of(mask), shape)))
    if count_of(source) < wanted:
        raise error(RuntimeError, "too-few-elements", f"masked_scatter: the mask holds at {wanted} places, source has "
                    f"{count_of(source)} elements")
    return masked_scatter_primitive(input, source, mask, sizes=shape_of(source))


@op("torch.nonzero", "nonzero(input, *, as_tuple=False)", names="Tensor.nonzero", category="index",
    doc="The indices of the elements that are not zero: a row for each, or with as_tuple one tensor a dimension.",
    examples=("nonzero(tensor([0., 5., 7.]))  #> [[1], [2]]",), samples=(sample(Lit([0.0, 5.0, 7.0])),))
def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """Return int64 indices of shape (n, ndim), or a tuple of ndim tensors of shape (n,)."""
    if is_batch(input):
        raise sizes_differ("nonzero")
    array = array_of(given(input))
    if as_tuple:
        return tuple(Tensor(i) for i in np.nonzero(np.atleast_1d(array)))
    return Tensor(np.argwhere(array).reshape(-1, array.ndim))


@op("torch.argwhere", "argwhere(input)", names="Tensor.argwhere", category="index", doc="The indices of the elements "
    "that are not zero, a row for each.",
    examples=("argwhere(tensor([0., 5.]))  #> [[1]]",), samples=(sample(Lit([0.0, 5.0])),))
def argwhere(input: Any) -> Any:
    """Return int64 indices of shape (n, ndim)."""
    return nonzero(input)

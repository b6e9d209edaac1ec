"""Reading and writing by index: ``x[...]``, ``x[...] = value`` and index_put."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.inplace import inplace, is_lifted, write_elements, write_slice
from gradcli.autograd.mode import mode
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import viewing
from gradcli.ops.adding import add_at
from gradcli.ops.choosing import where_primitive
from gradcli.ops.common import everything, is_batch
from gradcli.ops.indexing import Plan, bounds, key_of, out_of_range
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.shape import alias_primitive, unsqueeze_primitive
from gradcli.ops.shaping import Shape, array_of, dtype_of, given, shape_of
from gradcli.ops.slices import select_primitive, slice_primitive, sliced

Key = tuple[Any, ...]
_BASIC = (int, slice)


def survivors(shape: Shape, key: Key) -> Any:
    """Return a mask over the elements written by ``out[key] = values``: False where a later one overwrote it."""
    owner = np.zeros(shape, np.int64)
    size = owner[key].shape
    order = np.arange(int(np.prod(size))).reshape(size)
    owner[key] = order
    return owner[key] == order


def _indexed(input: Any, *indices: Any, unique: bool, sizes: Shape) -> Any:
    key = key_of(indices)
    if len(key) == 1 and key[0].dtype.kind != "b":
        return input.take(key[0], 0)
    return np.ascontiguousarray(input[key])


def _spread(input: Any, *indices: Any, unique: bool, sizes: Shape) -> Any:
    out, key = np.zeros(sizes, input.dtype), key_of(indices)
    if unique:
        out[key] = input
    else:
        add_at(out, key, input)
    return out


index_primitive: Primitive = Primitive("index", _indexed, {
    "input": lambda g, indices, unique, sizes: spread_primitive(g, *indices, unique=unique, sizes=sizes)},
    batch="indexing.index")
spread_primitive: Primitive = Primitive("index_backward", _spread, {
    "input": lambda g, indices, unique, sizes: index_primitive(g, *indices, unique=unique, sizes=sizes)},
    batch="indexing.index_backward")


def _written(input: Any, values: Any, *indices: Any, accumulate: bool, unique: bool) -> Any:
    out = np.array(input, order="C")
    write_at(out, key_of(indices), values, accumulate)
    return out


def write_at(out: Any, key: Key, values: Any, accumulate: bool) -> None:
    """Write ``values`` to ``out[key]``, or add them; an array that is not contiguous is written as well."""
    if not accumulate:
        out[key] = values
    elif out.flags.c_contiguous:
        add_at(out, key, values)
    else:
        np.add.at(out, key, values)


def _kept(g: Any, indices: Any, accumulate: bool) -> Any:
    zero = np.zeros((), dtype_of(g))
    return g if accumulate else index_put_primitive(g, zero, *indices, accumulate=False, unique=True)


def _taken(g: Any, indices: Any, accumulate: bool, unique: bool) -> Any:
    sizes = tuple(g.shape)
    taken = index_primitive(g, *indices, unique=unique, sizes=sizes)
    if accumulate or unique:
        return taken
    return where_primitive(taken, 0, survivors(sizes, key_of(indices)))


index_put_primitive: Primitive = Primitive("index_put", _written, {"input": _kept, "values": _taken},
    batch="indexing.index_put")


def _unique(items: Any) -> bool:
    """Return whether no place can be named twice: a mask names each place once."""
    return any(i is not None and i._element.kind == "b" for i in items)


def check_items(items: Any, shape: Shape, axes: Any = None) -> None:
    """Raise IndexError where index tensors do not broadcast together or point outside their dimension.

    ``axes`` are the dimensions' numbers for the message, where they are others than those of ``shape``.
    """
    dim = 0
    for k, item in enumerate(items):
        array = None if item is None else everything(item)
        if array is None or array.dtype.kind == "b":
            dim += 1 if array is None else array.ndim
            continue
        if array.size and not (-shape[dim] <= array.min() and array.max() < shape[dim]):
            bad = array[(array < -shape[dim]) | (array >= shape[dim])].flat[0]
            raise out_of_range(int(bad), axes[k] if axes else dim, shape[dim])
        dim += 1
    given_items = [i for i in items if i is not None]
    shapes = [(int(np.count_nonzero(array_of(i))),) if dtype_of(i).kind == "b" else shape_of(i) for i in given_items]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " and ".join(str(tuple(s)) for s in shapes)
        raise error(IndexError, "shape-mismatch", f"index tensors of shapes {listed} do not broadcast together",
                    hint="x[i][:, j] or x[i[:, None], j] takes every pair") from None


def _picked(input: Any, plan: Plan) -> Any:
    shape = shape_of(input)
    try:
        return index_primitive(input, *plan.items, unique=_unique(plan.items), sizes=shape)
    except IndexError:
        check_items(plan.items, shape, plan.axes)
        raise


def getitem(self: Tensor, index: Any) -> Any:
    """Return ``self[index]``: views for ints, slices, None and ``...``, a copy where tensors or lists choose elements.

    IndexError for an index outside its dimension or of a wrong kind, ValueError for a slice with a step below 1.
    """
    shape = shape_of(self)
    kind = index.__class__
    if shape and kind is int:
        return _part(self, 0, 0, index)
    if shape and kind is slice:
        return sliced(self, 0, *bounds(index, shape[0]))
    if kind is tuple and 0 < len(index) <= len(shape) and all(i.__class__ in _BASIC for i in index):
        return _parts(self, index)
    plan = Plan(shape, index)
    made = self
    for primitive, params in plan.views:
        made = _SHORT[primitive](made, **params)
    if plan.selects:
        return _picked(made, plan)
    return made if plan.views else alias_primitive(made)


_SHORT = {primitive: viewing(primitive) for primitive in (select_primitive, slice_primitive, unsqueeze_primitive)}
_select = _SHORT[select_primitive]


def _part(input: Any, dim: int, axis: int, i: int) -> Any:
    """Return the part at ``i`` of dimension ``dim``, which was dimension ``axis`` of what the user indexes."""
    sizes = shape_of(input)
    size = sizes[dim]
    if not -size <= i < size:
        raise out_of_range(i, axis, size)
    return _select(input, dim=dim, index=i % size, sizes=sizes)


def _parts(self: Tensor, index: tuple[Any, ...]) -> Any:
    """Return the views of an index of ints and slices alone, the most common one."""
    made, dim = self, 0
    for axis, entry in enumerate(index):
        if entry.__class__ is int:
            made = _part(made, dim, axis, entry)
            continue
        size = shape_of(made)[dim]
        part = bounds(entry, size)
        if part != (0, size, 1) or len(index) == 1:
            made = sliced(made, dim, *part)
        dim += 1
    return alias_primitive(made) if made is self else made


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Write ``value`` (a number, or what broadcasts) to ``self[index]`` in place, recorded where one requires grad.

    Errors as of reading, and RuntimeError for a value of a wrong shape, a leaf that requires grad, an expanded tensor.
    """
    plan = Plan(shape_of(self), index, writing=True)
    source = _source(value, self)
    recorded = mode.enabled and (self._rg or source._rg)
    steps = tuple((primitive, params, 0) for primitive, params in plan.views)
    if not plan.selects:
        if recorded and not steps and shape_of(source) in ((), shape_of(self)):
            _overwrite(self, source)
        else:
            write_slice(self, steps, source)
    elif recorded or is_lifted(self, source):
        target = self
        for primitive, params in plan.views:
            target = primitive(target, **params)
        inplace(index_put, target, tuple(plan.items), source)
    else:
        write_elements(self, steps, lambda place: _write_raw(place, plan.items, source))


def _overwrite(target: Tensor, source: Tensor) -> None:
    from gradcli.ops.copying import copy_, fill_

    (copy_ if source.ndim == target.ndim else fill_)(target, source)


def _write_raw(place: Any, items: list[Any], source: Tensor) -> None:
    values = _values(source, items, place.shape, place.dtype)._array
    place[key_of(items)] = values.copy() if np.may_share_memory(values, place) else values


def _source(value: Any, target: Tensor) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (bool, int, float)):
        return Tensor(np.array(value, target._element))
    made: Tensor = given(value if not isinstance(value, np.ndarray) else Tensor(value))
    return made


def _place_shape(items: Any, shape: Shape) -> Shape:
    """Return the shape of what the items select of ``shape``; each sample's of a batch."""
    stand_ins = [np.zeros(shape_of(i), np.int64) if is_batch(i) else i for i in items]
    whole: Any = np.broadcast_to(np.zeros((), np.bool_), shape)
    return tuple(whole[key_of(stand_ins)].shape)


def _values(values: Tensor, items: Any, sizes: Shape, dtype: Any) -> Any:
    """Return the values to write in ``dtype`` into a tensor of ``sizes``, too many leading dims of size 1 dropped."""
    from gradcli.autograd.dtypes import from_numpy_dtype

    check_items(items, sizes)
    found = dtype_of(values)
    if found.kind == "c" and dtype.kind != "c":
        raise error(RuntimeError, "inplace-dtype", "complex values cannot be written into a real tensor",
                    hint="take .real")
    place = _place_shape(items, sizes)
    own = shape = shape_of(values)
    while len(shape) > len(place) and shape[0] == 1:
        shape = shape[1:]
    if len(shape) > len(place) or any(n not in (1, m) for n, m in zip(shape[::-1], place[::-1], strict=False)):
        raise error(RuntimeError, "assign-shape", f"values of shape {tuple(own)} cannot be written into "
                    f"the {tuple(place)} places of this index")
    if shape != own:
        values = values.reshape(shape)
    if found != dtype:
        values = values.to(from_numpy_dtype(dtype)) if isinstance(values, Tensor) else values.astype(dtype)
    return values


def _is_own_mask(item: Any, input: Any, values: Any) -> bool:
    """Return whether each sample of a vmap writes one number by a mask of its own, which choosing does."""
    return item is not None and is_batch(item) and dtype_of(item).kind == "b" and shape_of(item) == shape_of(
        input
    ) and not shape_of(values)


@op("torch.index_put", "index_put(input, indices, values, accumulate=False)", names="Tensor.index_put", inplace=True,
    category="index",
    doc="input with values at the places that a tuple of index tensors names, as x[indices] = values; with accumulate "
    "they are added.",
    formula="g, 0 at the places written (g everywhere with accumulate); to values: g at their places",
    conventions="where one place is written twice the last value survives, and it alone gets the gradient (PyTorch "
    "gives it to all)",
    examples=("index_put(tensor([1., 2., 3.]), (tensor([0, 2]),), tensor([8., 9.]))  #> [8., 2., 9.]",),
    samples=(sample(T(3), [Lit([0, 2])], T(2)), sample(T(3), [Lit([1, 1, 0])], T(3), accumulate=True),
             sample(T(3, 2), [Lit([1, 1, 0])], T(3, 2)), sample(T(2, 3), [Lit([[True, False, True], [False, True,
                                                                                                     True]])], T())))
def index_put(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Return ``input`` with ``values`` written by index; IndexError and RuntimeError as assignment."""
    input = given(input)
    items = [None if i is None else given(i) for i in indices]
    for item in items:
        if item is not None and dtype_of(item).kind not in "biu":
            raise error(IndexError, "bad-index", f"a tensor of {dtype_of(item)} cannot be an index")
    items = [i if i is None or isinstance(i, Tensor) else Tensor(i) for i in items]
    values = given(values)
    if len(items) == 1 and _is_own_mask(items[0], input, values):
        return where_primitive(values + input if accumulate else values, input, items[0])
    values = _values(values, items, shape_of(input), dtype_of(input))
    return index_put_primitive(input, values, *items, accumulate=accumulate, unique=_unique(items))


@op("Tensor.__getitem__", "__getitem__(index), written x[index]", category="index",
    doc="Parts of a tensor: ints, slices, None and ... give views, masks, lists and integer tensors copies of the "
    "elements they name.",
    formula="g at the places read, added up where one is read twice",
    conventions="index tensors separated by a slice put their common dimensions first; negative steps are refused "
    "(flip reverses)",
    examples=("tensor([[1., 2.], [3., 4.]])[1, 0]  #> 3.", "tensor([1., 2., 3.])[[0, 0, 2]]  #> [1., 1., 3.]"),
    samples=(sample(T(2, 3), (1, -1)), sample(T(5), slice(None, None, 2)), sample(T(2, 3, 2), (..., None, 0)),
             sample(T(3), Lit([0, 0, 2])),
             sample(T(2, 3), Lit([[True, False, True], [False, True, True]])), sample(T(2, 4), (slice(None), [0, 2,
                                                                                                              2]))))
def index_row(input: Any, index: Any) -> Any:
    """Return ``input[index]``; errors as of ``Tensor.__getitem__``."""
    return getitem(input, index)


for _name, _function in (("__getitem__", getitem), ("__setitem__", setitem)):
    setattr(Tensor, _name, _function)

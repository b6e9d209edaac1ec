"""What an index such as ``x[i, :, None, mask]`` means: the views it takes one after the other, then the elements.

PyTorch's order is followed: ints, slices, ``...`` and None are views, dimension by dimension; lists, masks and integer
tensors are left for one indexing of the result. Where those are separated by a slice their common dimensions go first.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from gradcli.autograd.construct import to_array
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import is_batch
from gradcli.ops.shape import unsqueeze_primitive
from gradcli.ops.shaping import Shape
from gradcli.ops.slices import select_primitive, slice_primitive

View = tuple[Primitive, dict[str, Any]]
_PLAIN = (int, np.integer)


class Plan:
    """The steps of one index on a tensor of ``shape``: ``views`` to take, then ``items`` (None: a whole dimension)."""

    def __init__(self, shape: Shape, index: Any, writing: bool = False) -> None:
        self.source = shape
        self.shape = list(shape)
        self.views: list[View] = []
        self.items: list[Any] = []
        self.axes: list[int] = []  # of the source, where each item begins
        self.axis = 0  # of the source
        entries = [_entry(e) for e in (index if isinstance(index, tuple) else (index,))]
        self.missing = len(shape) - sum(map(_consumes, entries))
        if self.missing < 0:
            raise self._too_many(-self.missing)
        for entry in entries:
            self._take(entry, alone=len(entries) == 1 and not writing)
        while self.items and self.items[-1] is None:
            self.items.pop()

    @property
    def selects(self) -> bool:
        """Whether elements remain to be picked after the views."""
        return bool(self.items)

    def _take(self, entry: Any, alone: bool) -> None:
        if entry is Ellipsis:
            for _ in range(self.missing):
                self._keep(None, 1)
            self.missing = 0
        elif entry is None or entry is True or entry is False:
            self._new(entry)
        elif isinstance(entry, int):
            self._select(entry)
        elif isinstance(entry, slice):
            self._slice(entry, alone)
        else:
            self._elements(entry)

    @property
    def dim(self) -> int:
        """The dimension of the views' result that comes next."""
        return sum(1 if i is None else _consumes(i) for i in self.items)

    def _keep(self, item: Any, consumed: int) -> None:
        self.items.append(item)
        self.axes.append(self.axis)
        self.axis += consumed

    def _new(self, entry: Any) -> None:
        dim = self.dim
        self.views.append((unsqueeze_primitive, {"dim": dim}))
        self.shape.insert(dim, 1)
        self._keep(None if entry is None else Tensor(np.arange(int(entry))), 0)

    def _select(self, i: int) -> None:
        dim = self.dim
        size = self.shape[dim]
        if not -size <= i < size:
            raise out_of_range(i, self.axis, size)
        self.views.append((select_primitive, {"dim": dim, "index": i % size, "sizes": tuple(self.shape)}))
        del self.shape[dim]
        self.axis += 1

    def _slice(self, part: slice, alone: bool) -> None:
        dim = self.dim
        size = self.shape[dim]
        start, end, step = bounds(part, size)
        if alone or (start, end, step) != (0, size, 1):
            params = {"dim": dim, "start": start, "end": end, "step": step, "sizes": tuple(self.shape)}
            self.views.append((slice_primitive, params))
            self.shape[dim] = len(range(start, end, step))
        self._keep(None, 1)

    def _elements(self, entry: Tensor) -> None:
        dim, shape = self.dim, tuple(entry.shape)
        if entry._element.kind == "b":
            wanted = tuple(self.shape[dim : dim + entry.ndim])
            if shape != wanted:
                last = self.axis + entry.ndim - 1
                dims = f"dimensions {self.axis} to {last} of sizes {wanted}"
                if last == self.axis:
                    dims = f"dimension {last} of size {wanted[0]}"
                raise error(IndexError, "mask-shape", f"a mask of shape {shape} does not fit {dims}",
                            label=f"mask of shape {shape}", hint="a mask has the sizes of the dimensions it selects "
                            "from")
        self._keep(entry, _consumes(entry))

    def _too_many(self, extra: int) -> Exception:
        count = len(self.source)
        if not count:
            return error(IndexError, "zero-dim", "a 0-d tensor has no dimension to index", hint="item() gives its "
                         "number, [...] the tensor itself")
        return error(IndexError, "too-many-indices", f"{count + extra} indices for a tensor of {count} "
                     f"dimension{'s' * (count > 1)}, shape {self.source}")


def out_of_range(i: int, axis: int, size: int) -> Exception:
    """Return the error of an index outside its dimension."""
    hint = f"indices of this dimension go from {-size} to {size - 1}" if size else "this dimension is empty"
    return error(IndexError, "index-out-of-range", f"index {i} is out of range for dimension {axis} of size {size}",
                 label=f"dimension {axis} has size {size}", hint=hint)


def _entry(entry: Any) -> Any:
    """Return one part of an index in its simplest form: int, slice, None, ``...``, bool, or a tensor of indices."""
    if entry is None or entry is Ellipsis or isinstance(entry, (bool, slice)):
        return entry
    if isinstance(entry, _PLAIN):
        return int(entry)
    if isinstance(entry, np.bool_):
        return bool(entry)
    if not isinstance(entry, Tensor):
        entry = _index_tensor(entry)
    if entry._element == np.uint8:  # PyTorch reads bytes as a mask
        entry = entry != 0
    kind = entry._element.kind
    if kind not in "biu":
        raise error(IndexError, "bad-index", f"a tensor of {entry._element} cannot be an index",
                    hint="indices are integers or masks of bools; .long() converts")
    if entry.ndim or is_batch(entry):
        return entry
    return bool(entry._array) if kind == "b" else int(entry._array)


def _index_tensor(entry: Any) -> Tensor:
    if isinstance(entry, (list, range, np.ndarray)):
        array = to_array(entry)
        return Tensor(array if array.size or array.dtype.kind in "biu" else array.astype(np.int64))
    shown = f"{entry!r}" if isinstance(entry, (float, complex, str)) else type(entry).__name__
    raise error(IndexError if not isinstance(entry, str) else TypeError, "bad-index", f"{shown} cannot be an index",
                hint="an index is an integer, a slice, ..., None, a list or tensor of integers, or a mask of bools")


def _consumes(entry: Any) -> int:
    if entry is None or entry is Ellipsis or isinstance(entry, bool):
        return 0
    return int(entry.ndim) if isinstance(entry, Tensor) and entry._element.kind == "b" else 1


def bounds(part: slice, size: int) -> tuple[int, int, int]:
    """Return start, end and step of a slice within 0..size; ValueError for a step below 1."""
    try:
        step = 1 if part.step is None else operator.index(part.step)
        if step < 1:
            raise error(ValueError, "negative-step", f"a slice's step must be at least 1, got {step}",
                        hint="flip() reverses a dimension")
        start, end, _ = slice(part.start, part.stop, step).indices(size)
    except TypeError:
        raise error(TypeError, "bad-index", "the bounds of a slice must be integers or None") from None
    return start, max(start, end), step


def key_of(items: Any) -> tuple[Any, ...]:
    """Return NumPy's index of the items: whole dimensions for None, arrays for the rest."""
    return tuple(slice(None) if i is None else i._array if isinstance(i, Tensor) else i for i in items)

"""Tensors seen through a transformation: dual numbers (forward mode) and batches (vmap).

A lifted tensor wraps a value, which may be lifted itself, at a level; the most recently entered transformation has the
highest. An operation on lifted tensors is carried out by the highest level first, which unwraps its own and calls the
operation again on what is inside. Recording happens on top of all levels: a node saves the lifted tensors themselves,
and its rule runs on them, so that reverse mode composes with both transformations in any order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node, edge_of, next_seq
from gradcli.autograd.record import place
from gradcli.autograd.shapes import fit_tensor
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor

if TYPE_CHECKING:
    from gradcli.autograd.primitive import Primitive

new_level = itertools.count(1).__next__


class NeedsLoop(RuntimeError):
    """Raised where code reads the array behind a batched tensor: the caller goes through the samples one by one."""


class Lifted(Tensor):
    """A tensor of the transformation ``_level`` around ``_value``."""

    __slots__ = ()  # as many as a plain tensor, which may become a lifted one when it is written in place
    _level: int
    if TYPE_CHECKING:
        _value: Tensor
    else:
        _value = vars(Tensor)["_array"]  # the place in which a plain tensor keeps its array

    # Set by the operations, which stand above the engine: a function by its full name (``torch.stack``), and the batch
    # rule of a primitive (None: sample by sample).
    operation: ClassVar[Callable[[str], Callable[..., Any]]]
    batch_rule: ClassVar[Callable[[Primitive], Callable[..., Any] | None]]
    unit_rule: ClassVar[Callable[[Primitive], Callable[..., Any] | None]]  # for batches held by their entries

    def __init__(self, value: Tensor, level: int) -> None:
        self._value = value
        self._level = level
        super().__init__(None)  # type: ignore[arg-type]

    @property
    def _array(self) -> Any:
        return self._value._array

    @_array.setter
    def _array(self, array: Any) -> None:
        """Ignore the array that the plain tensor would hold: the values are those of ``_value``."""

    @property
    def _element(self) -> Any:
        return self._value._element

    def __len__(self) -> int:
        if not self.ndim:
            raise error(TypeError, "zero-dim", "a 0-d tensor has no length")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        if not self.ndim:
            raise error(TypeError, "zero-dim", "a 0-d tensor cannot be iterated over")
        return iter(self.unbind(0))

    def item(self) -> Any:
        """Return the only element of the value as a Python number."""
        return self._value.item()

    def tolist(self) -> Any:
        """Return the value as nested lists of Python numbers."""
        return self._value.tolist()

    def _number(self, kind: str) -> Any:
        return self._value._number(kind)

    @property
    def shape(self) -> Size:
        """The size of each dimension, as the function inside the transformation sees it."""
        return self._value.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions, as the function inside the transformation sees it."""
        return self._value.ndim

    def lift(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Carry ``primitive`` out at this level; the result is lifted where an argument of this level matters to it."""
        raise NotImplementedError

    def parts(self) -> tuple[Tensor, ...]:
        """Return what is inside: the value, and the tangent where there is one."""
        return (self._value,)

    def around(self, change: Callable[[Tensor, int], Tensor]) -> Lifted:
        """Return the same level around what ``change(inner, batches)`` makes of each part; ``batches``: 1 for a batch.
        """
        raise NotImplementedError

    def closing(self, g: Tensor) -> Tensor:
        """Return what a cotangent ``g``, in which this finished level is found, is to a value that lay outside of it.
        """
        raise NotImplementedError

    def settled(self) -> Tensor:
        """Return the same value with memory of its own that views share and writes reach."""
        return self

    def bare(self) -> Lifted:
        """Return the same value without its place in the graph."""
        raise NotImplementedError


randomness_modes: list[str] = []  # of the running vmaps: "error", "same" or "different"


def check_randomness() -> None:
    """Raise where a random operation runs inside vmap, unless it was allowed."""
    if not randomness_modes:
        return
    if "different" in randomness_modes:
        raise NeedsLoop("each sample draws numbers of its own")
    if "error" in randomness_modes:
        raise error(
            RuntimeError,
            "vmap-randomness",
            "random numbers inside vmap: should the samples share them or not?",
            hint='vmap(f, randomness="same") draws once for all, "different" once a sample',
        )


active: set[int] = set()  # the levels whose transformation is running


@contextmanager
def still_active(tensors: list[Any]) -> Iterator[None]:
    """Keep the levels of ``tensors`` from being closed: they are part of what is computed."""
    added = {level for t in tensors for level in levels_of(t)} - active
    active.update(added)
    try:
        yield
    finally:
        active.difference_update(added)


def layers_of(tensor: Any) -> list[Lifted]:
    """Return a lifted tensor and all lifted tensors inside of it."""
    if not isinstance(tensor, Lifted):
        return []
    return [tensor, *(layer for part in tensor.parts() for layer in layers_of(part))]


def levels_of(tensor: Any) -> frozenset[int]:
    """Return the levels at which ``tensor``, or a part of it, is lifted."""
    return frozenset(layer._level for layer in layers_of(tensor))


def within(tensor: Tensor, level: int, change: Callable[[Tensor, int], Tensor], batches: int = 0) -> Tensor:
    """Return ``tensor`` with ``change(inner, batches)`` made of what lies below all levels above ``level``.

    ``batches`` is how many batch dimensions those levels have put in front.
    """
    if not isinstance(tensor, Lifted) or tensor._level <= level:
        return change(tensor, batches)
    return tensor.around(lambda inner, more: within(inner, level, change, batches + more))


def arriving(g: Tensor, parent: Node, shape: tuple[int, ...], dtype: Any, graph: bool) -> Any:
    """Return the cotangent ``g`` as it arrives at ``parent``: fitted, out of levels that are over, raw in a plain pass.
    """
    if isinstance(g, Lifted):
        variable = getattr(parent, "variable", None) if not parent.parents else None
        inside = levels_of(variable) if variable is not None else (parent.rare.levels if parent.rare else frozenset())
        while (layer := _finished(g, inside)) is not None:
            g = layer.closing(g)
    g = fit_tensor(g, shape, dtype)
    return g if graph or isinstance(g, Lifted) else g._array


def _finished(g: Tensor, inside: frozenset[int]) -> Lifted | None:
    """Return a layer of ``g`` whose level is over and not one of ``inside``."""
    return next((x for x in layers_of(g) if x._level not in active and x._level not in inside), None)


def top_level(args: tuple[Any, ...]) -> Lifted | None:
    """Return an argument of the highest level, or None where no argument is lifted."""
    top: Lifted | None = None
    for arg in args:
        if isinstance(arg, Lifted) and (top is None or arg._level > top._level):
            top = arg
    return top


def apply_lifted(top: Lifted, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Apply ``primitive`` at the level of ``top`` and record it on top, where an argument requires grad."""
    before = mode.enabled
    mode.enabled = False
    try:
        out = top.lift(primitive, args, params)
    finally:
        mode.enabled = before
    if not before or primitive.vjp is None:
        return out
    mask = tuple(isinstance(a, Tensor) and a._rg and primitive.differentiates(i) for i, a in enumerate(args))
    if True not in mask:
        return out
    outs = tuple(out) if primitive.multi else (out,)
    node = record_lifted(primitive, args, params, outs, mask)
    for nr, one in enumerate(outs):
        if one._element.kind in "fc":
            one._fn, one._nr, one._rg = node, nr, True
    return out


def record_lifted(
    primitive: Primitive,
    args: tuple[Any, ...],
    params: dict[str, Any],
    outs: tuple[Tensor, ...],
    mask: tuple[bool, ...],
) -> Node:
    """Return the node of an application to lifted tensors: it saves them as they are."""
    from gradcli.autograd.primitive import note_versions

    numbers = tuple(not isinstance(a, Tensor) for a in args)
    cls = primitive.node_class(mask, numbers)
    bare = tuple(bare_of(o) for o in outs)
    parents = tuple(edge_of(a) if m else None for a, m in zip(args, mask, strict=True))
    nrs = tuple(a._nr if m else 0 for a, m in zip(args, mask, strict=True))
    saved = cls.save(args, bare if primitive.multi else bare[0], params)
    shapes, dtypes = tuple(tuple(o.shape) for o in outs), tuple(o._element for o in outs)
    shape, dtype = (shapes, dtypes) if primitive.multi else (shapes[0], dtypes[0])
    code, lasti = place(2)
    node = cls(parents, nrs if any(nrs) else None, saved, shape, dtype, next_seq(), code, lasti)
    note_versions(node)
    rare = node.rarely()
    rare.lifted, rare.levels = True, frozenset().union(*(levels_of(o) for o in outs))
    return node


def bare_of(tensor: Tensor) -> Tensor:
    """Return a tensor of the same value without its place in the graph."""
    return tensor.bare() if isinstance(tensor, Lifted) else Tensor(tensor._array)


def fresh_leaf(tensor: Tensor) -> Tensor:
    """Return a leaf of the same value that requires grad; a lifted tensor keeps its tangent or batch."""
    leaf = bare_of(tensor)
    leaf._rg = True
    return leaf

"""All unit vectors of a space at once, as the rows of a Jacobian need them: a batch whose samples are nearly all zeros.

Each sample has a few entries, told by their places in the flattened sample. As long as operations only scale, move or
add such entries, a Jacobian with a diagonal or a few of them costs no more than its entries do; everything else meets
the samples written out. Where a factor is not finite they are written out too, so that 0 * inf is nan as in any pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gradcli.autograd.batched import Batched
from gradcli.autograd.lifted import Lifted, NeedsLoop
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.vmap import inside, joined, results, vmap

if TYPE_CHECKING:
    from gradcli.autograd.primitive import Primitive

Array = np.ndarray[Any, Any]
MOST = 8  # entries a sample; with more of them the samples are written out
_dense = vars(Tensor)["_array"]


class Entries(NamedTuple):
    """The entries of a batch: ``terms`` are pairs of places (one a sample) and values; entries at one place add up."""

    shape: tuple[int, ...]
    terms: tuple[tuple[Array, Array], ...]

    def written(self) -> Array:
        """Return the samples written out, with the batch in front."""
        values = self.terms[0][1]
        size, count = len(values), math.prod(self.shape)
        out = np.zeros((size, *self.shape), values.dtype)
        flat, rows = out.reshape(-1), np.arange(size) * count
        for places, entries in self.terms:
            flat[rows + places] += entries
        return out


class Units(Batched):
    """A batch held by its entries; whoever asks for its value gets the samples written out."""

    __slots__ = ()

    def __init__(self, entries: Entries, level: int) -> None:
        self._tangent: Any = entries
        super().__init__(None, level)  # type: ignore[arg-type]

    if not TYPE_CHECKING:

        @property
        def _value(self) -> Tensor:
            value = _dense.__get__(self)
            if value is None:
                value = Tensor(self._tangent.written())
                _dense.__set__(self, value)
            return value

        @_value.setter
        def _value(self, value: Tensor) -> None:
            _dense.__set__(self, value)

    @property
    def entries(self) -> Entries:
        """The entries of the samples."""
        found: Entries = self._tangent
        return found

    @property
    def _element(self) -> Any:
        return self.entries.terms[0][1].dtype

    @property
    def shape(self) -> Size:
        """The shape of one sample."""
        return Size(self.entries.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions of one sample."""
        return len(self.entries.shape)

    @property
    def size_of_batch(self) -> int:
        """The number of samples."""
        return len(self.entries.terms[0][1])

    def parts(self) -> tuple[Tensor, ...]:
        """Return nothing: the entries are plain arrays."""
        return ()

    def settled(self) -> Tensor:
        """Return the samples written out."""
        return Batched(self._value, self._level)

    def bare(self) -> Units:
        """Return the same samples without a place in the graph."""
        return Units(self.entries, self._level)

    def detach(self) -> Tensor:
        """Return the same samples as constants."""
        return self.bare()

    def lift(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Carry the operation out on the entries, where it has a rule for that, else on the samples written out."""
        rule = Lifted.unit_rule(primitive)
        if rule is not None and all(not isinstance(a, Lifted) or a.__class__ is Units for a in args):
            made = rule(primitive, args, params)
            if made.__class__ is Entries and len(made.terms) <= MOST:
                return Units(made, self._level)
            if isinstance(made, Tensor):
                return Batched(made, self._level)
        return super().lift(primitive, args, params)


def unit_vectors(like: Tensor, level: int, start: int = 0, stop: int | None = None) -> Units:
    """Return the unit vectors of the space of ``like``, all or some of them, as a batch of ``level``."""
    places = np.arange(start, math.prod(like.shape) if stop is None else stop)
    return Units(Entries(tuple(like.shape), ((places, np.ones(len(places), like._element)),)), level)


def each_unit(
    function: Callable[[Tensor], Any], like: Tensor, axis: int = 0, chunk: int | None = None, randomness: str = "error"
) -> Any:
    """Apply a linear ``function`` to each unit vector of the space of ``like`` and stack the results along ``axis``.

    ``chunk`` bounds how many of them run at once.
    """
    count = math.prod(like.shape)
    if chunk is not None and 0 < chunk < count:
        parts = [_some(function, like, axis, k, min(k + chunk, count), randomness) for k in range(0, count, chunk)]
        return joined(parts, axis)
    return _some(function, like, axis, 0, count, randomness)


def _some(function: Callable[[Tensor], Any], like: Tensor, axis: int, start: int, stop: int, randomness: str) -> Any:
    try:
        if stop > start:
            with inside(randomness) as level:
                return results(function(unit_vectors(like, level, start, stop)), axis, level, stop - start)
    except NeedsLoop:
        pass
    count = math.prod(like.shape)
    rows = np.eye(count, dtype=like._element)[start:stop].reshape((stop - start, *like.shape))
    return vmap(function, out_dims=axis, randomness=randomness)(Tensor(rows))

"""PyTorch's CPU random number generator: the same seed gives the same numbers.

How words of the stream become numbers was observed on PyTorch 2.13: 53 bits of two words (the first is the high
one) for float64, 24 bits of one for float32 and float16; integers by the remainder of one word, or of two from a
range of 2**28 on; normal numbers in blocks of 16, or below 16 elements in pairs of which the second is kept for
the next call. All arithmetic is rounded as PyTorch's kernels do on x86-64 with fused multiply-adds.
"""

from __future__ import annotations

import math
import operator
import os
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.ops import boxmuller
from gradcli.ops.boxmuller import BLOCK, fma
from gradcli.ops.mt19937 import SIZE, MersenneTwister, Words

Array = np.ndarray[Any, Any]
Shape = int | Sequence[int]

DEFAULT_SEED = 67280421310721
_WIDE_RANGE = 1 << 28
_WIDE_PERMUTATION = ((1 << 32) - 1) // 20
_UNIT53 = 2.0**-53
_UNIT24 = np.float32(2.0**-24)
# PyTorch's get_rng_state() byte by byte; what isn't named is always zero.
_STATE = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "key", "kept", "is_kept"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", (SIZE,)), "<f8", "<i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": 5056,
    }
)


class Generator:
    """A stream of random numbers; every method that returns numbers moves it on.

    Seeding is free: the 624 words of state are computed when the first number is drawn.
    """

    __slots__ = ("_kept", "_seed", "_source")

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream of ``seed`` (-2**63 to 2**64 - 1; a negative one counts from 2**64) and return self.

        As in PyTorch only the low 32 bits choose the stream. Raises ValueError outside of the range.
        """
        number = int(seed)
        if not -(2**63) <= number < 2**64:
            raise error(ValueError, "seed-out-of-range", f"manual_seed: {number} does not fit into 64 bits")
        self._seed = number % 2**64
        self._source: MersenneTwister | None = None
        self._kept: float | None = None
        return self

    def seed(self) -> int:
        """Start a stream that nobody can foresee; return its seed."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """Return the seed of this stream as a number from 0 to 2**64 - 1."""
        return self._seed

    def get_state(self) -> Array:
        """Return the state as uint8 of shape (5056,), in the layout of PyTorch's ``get_rng_state``."""
        source = self._stream()
        state = np.zeros((), _STATE)
        left = 1 if source.fresh else SIZE + 1 - source.position
        state["seed"], state["left"], state["seeded"] = self._seed, left, 1
        state["next"], state["key"] = 0 if source.fresh else source.position, source.key
        if self._kept is not None:
            state["kept"], state["is_kept"] = self._kept, 1
        return np.frombuffer(state.tobytes(), np.uint8).copy()

    def set_state(self, state: Array | bytes) -> None:
        """Go back to a state of ``get_state`` (ours or PyTorch's).

        Raises TypeError unless it is bytes or a uint8 array, RuntimeError if its size or content is not a state's.
        """
        data = np.frombuffer(state, np.uint8) if isinstance(state, bytes | bytearray) else state
        if not isinstance(data, np.ndarray) or data.dtype != np.uint8:
            raise error(TypeError, "bad-generator-state", "a generator state must be bytes or a uint8 tensor")
        if data.size != _STATE.itemsize:
            message = f"a generator state has {_STATE.itemsize} bytes, this one {data.size}"
            raise error(RuntimeError, "bad-generator-state", message)
        record = np.frombuffer(data.tobytes(), _STATE)[0]
        left, position = int(record["left"]), int(record["next"])
        fresh = left == 1 and position == 0
        if record["seeded"] != 1 or not (fresh or (0 < left <= SIZE and left + position == SIZE + 1)):
            raise error(RuntimeError, "bad-generator-state", "these bytes are not the state of an mt19937 generator")
        self._seed = int(record["seed"])
        self._source = MersenneTwister(record["key"].astype(np.uint32), SIZE if fresh else position, fresh)
        self._kept = float(record["kept"]) if record["is_kept"] else None

    def uniform(self, shape: Shape, dtype: Any = np.float64, low: float = 0.0, high: float = 1.0) -> Array:
        """Return numbers of [low, high): ``rand`` and ``uniform_``. A complex dtype draws both parts of each.

        Raises RuntimeError for ``low > high`` or bounds beyond the dtype, NotImplementedError for an integer dtype.
        """
        dtype = np.dtype(dtype)
        self._check_float(dtype, "uniform_")
        _check_bounds(dtype, low, high)
        real = _real(dtype)
        wide = np.dtype(np.float64 if real == np.float64 else np.float32)
        size = _size(shape) * (2 if dtype.kind == "c" else 1)
        unit = self.uniform53(size) if wide == np.float64 else self._uniform24(size)
        span = float(wide.type(high) - wide.type(low))
        values = fma(unit, span, float(wide.type(low))).astype(real)
        # Rounding may reach the bound that is excluded; PyTorch gives the other one then.
        values[values >= real.type(high)] = low
        return np.asarray(values.view(dtype)).reshape(shape)

    def normal(
        self, shape: Shape, dtype: Any = np.float64, mean: float = 0.0, std: float = 1.0, *, serial: bool = False
    ) -> Array:
        """Return normal numbers: ``randn`` and ``normal_``. A complex number's parts have half the variance each.

        ``serial`` draws 16 numbers and more in pairs too, as PyTorch does for a tensor that isn't contiguous.
        Raises RuntimeError for a negative ``std``, NotImplementedError for an integer dtype.
        """
        dtype = np.dtype(dtype)
        self._check_float(dtype, "normal_")
        if not std >= 0:
            raise error(RuntimeError, "bad-distribution", f"normal expects std >= 0.0, but found std {std:g}")
        size = _size(shape)
        if dtype.kind == "c":
            size, std = 2 * size, std / math.sqrt(2)
        real = _real(dtype)
        values = self.normals(size) if serial or size < BLOCK else self._blocks(size, real)
        values = narrowed(fma(values, float(std), float(mean)), real)
        return np.asarray(values.view(dtype)).reshape(shape)

    def integers(self, low: int, high: int, shape: Shape, dtype: Any = np.int64) -> Array:
        """Return whole numbers from ``low`` up to ``high - 1``: ``randint`` and ``random_(low, high)``.

        Raises RuntimeError for an empty range or one that the dtype can't hold.
        """
        low, high = operator.index(low), operator.index(high)
        dtype = np.dtype(dtype)
        if low >= high:
            message = f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            raise error(RuntimeError, "empty-range", message)
        _check_integer_bounds(dtype, low, high)
        count = _size(shape)
        words = self._words64(count) if high - low >= _WIDE_RANGE else self._words(count)
        values = words.astype(np.uint64) % np.uint64(high - low) + np.uint64(low % 2**64)
        return np.asarray(values.view(np.int64), dtype).reshape(shape)

    def any_integers(self, shape: Shape, dtype: Any = np.int64) -> Array:
        """Return whole numbers from 0 up to the largest the dtype holds exactly: ``random_()``."""
        dtype = np.dtype(dtype)
        count = _size(shape)
        words = self._words64(count) if dtype.itemsize == 8 else self._words(count)
        top = 2 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else int(_largest(dtype))
        return np.asarray(words.astype(np.uint64) % np.uint64(top + 1), dtype).reshape(shape)

    def permutation(self, count: int, dtype: Any = np.int64) -> Array:
        """Return 0 .. count - 1 in random order: ``randperm``.

        By R. Durstenfeld's shuffle (1964) from the front, and from 214,748,364 elements on by its inside-out form
        with two words a step. Raises RuntimeError for a negative ``count`` or one beyond what the dtype holds.
        """
        count = operator.index(count)
        dtype = np.dtype(dtype)
        if count < 0:
            raise error(RuntimeError, "negative-size", f"randperm: n must be non-negative, got {count}")
        _check_integer_bounds(dtype, 0, max(count, 1))
        shuffle = self._inside_out if count >= _WIDE_PERMUTATION else self._from_front
        return np.array(shuffle(count), dtype)

    def bernoulli(self, p: Array) -> Array:
        """Return 1 with probability ``p``, else 0, in the shape and float dtype of ``p``: ``torch.bernoulli(p)``.

        Raises RuntimeError for a probability outside of [0, 1], NotImplementedError for an integer ``p``.
        """
        self._check_float(p.dtype, "bernoulli")
        if not np.all((p >= 0) & (p <= 1)):
            raise error(RuntimeError, "bad-distribution", "bernoulli expects every probability to be in [0, 1]")
        draws = self.uniform53(p.size) if p.dtype == np.float64 else self._uniform24(p.size)
        return (draws.reshape(p.shape) < p).astype(p.dtype)

    def bernoulli_fill(self, p: float, shape: Shape, dtype: Any = np.float64) -> Array:
        """Return 1 with the one probability ``p``, else 0, in any real dtype: ``bernoulli_(p)`` and dropout's mask.

        Unlike ``bernoulli`` this draws 53 bits for every dtype. Raises RuntimeError for ``p`` outside of [0, 1].
        """
        if not 0 <= p <= 1:
            raise error(RuntimeError, "bad-distribution", f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
        return (self.uniform53(_size(shape)) < p).astype(dtype).reshape(shape)

    def uniform53(self, count: int) -> Array:
        """Return ``count`` float64 numbers of [0, 1) with 53 random bits each."""
        return (self._words64(count) & np.uint64(2**53 - 1)) * _UNIT53

    def normals(self, count: int) -> Array:
        """Return ``count`` standard normal float64 numbers drawn in pairs; the rest of the last is kept."""
        drawn = [] if self._kept is None or not count else [self._kept]
        missing = count - len(drawn)
        if missing:
            turns, sizes = self.uniform53(missing + missing % 2).reshape(-1, 2).T.tolist()
            radii = [math.sqrt(-2.0 * math.log1p(-size)) for size in sizes]
            for pair in zip(*boxmuller.rotated(radii, turns), strict=True):
                drawn.extend(pair)
        if count:
            self._kept = drawn[count] if len(drawn) > count else None
        return np.array(drawn[:count], np.float64)

    def _blocks(self, size: int, real: np.dtype[Any]) -> Array:
        """Return ``size`` >= 16 standard normal numbers; what doesn't fill a block comes from a last one over the end.

        PyTorch draws the uniform numbers of the incomplete block too, except in float16.
        """
        draw = self.uniform53 if real == np.float64 else self._uniform24
        whole, rest = size - size % BLOCK, size % BLOCK
        values = np.empty(size, np.float64 if real == np.float64 else np.float32)
        values[:whole] = boxmuller.blocks(draw(size if real != np.float16 else whole)[:whole])
        if rest:
            values[-BLOCK:] = boxmuller.blocks(draw(BLOCK))
        return values

    def _from_front(self, count: int) -> list[int]:
        steps = self._words(max(count - 1, 0)) % np.arange(count, 1, -1, dtype=np.uint32)
        order = list(range(count))
        for index, step in enumerate(steps.tolist()):
            other = index + step
            order[index], order[other] = order[other], order[index]
        return order

    def _inside_out(self, count: int, chunk: int = 1 << 20) -> array[int]:
        order = array("q", [0]) * count
        for start in range(0, count, chunk):
            stop = min(start + chunk, count)
            steps = self._words64(stop - start) % np.arange(start + 1, stop + 1, dtype=np.uint64)
            for index, other in enumerate(steps.tolist(), start):
                order[index] = order[other]
                order[other] = index
        return order

    def _uniform24(self, count: int) -> Array:
        return (self._words(count) & np.uint32(2**24 - 1)).astype(np.float32) * _UNIT24

    def _words(self, count: int) -> Words:
        return self._stream().words(count)

    def _words64(self, count: int) -> Array:
        words = self._words(2 * count).astype(np.uint64)
        return words[::2] << np.uint64(32) | words[1::2]

    def _stream(self) -> MersenneTwister:
        if self._source is None:
            self._source = MersenneTwister.seeded(self._seed)
        return self._source

    @staticmethod
    def _check_float(dtype: np.dtype[Any], name: str) -> None:
        if dtype.kind not in "fc":
            message = f"{name} is not implemented for {dtype.name}; it needs a floating-point dtype"
            raise error(NotImplementedError, "needs-float", message)


def narrowed(values: Array, dtype: Any) -> Array:
    """Return float ``values`` in ``dtype``; float16 is rounded by way of float32, as PyTorch's conversion is."""
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float32).astype(dtype) if np.dtype(dtype) == np.float16 else values.astype(dtype)


def _size(shape: Shape) -> int:
    return shape if isinstance(shape, int) else math.prod(shape)


def _real(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of a complex dtype's parts; a real one is its own."""
    return np.empty(0, dtype).real.dtype


def _check_bounds(dtype: np.dtype[Any], low: float, high: float) -> None:
    limit = float(np.finfo(dtype).max)
    for name, bound in (("from", low), ("to", high)):
        if not -limit <= bound <= limit:
            raise error(RuntimeError, "bad-distribution", f"uniform_: {name} is out of bounds for {dtype.name}")
    if low > high:
        message = f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        raise error(RuntimeError, "bad-distribution", message)
    if high - low > limit:
        message = f"uniform_: to - from = {high - low:g} exceeds what {dtype.name} holds"
        raise error(RuntimeError, "bad-distribution", message)


def _largest(dtype: np.dtype[Any]) -> float:
    if dtype.kind == "b":
        return 1
    return int(np.iinfo(dtype).max) if dtype.kind in "iu" else float(np.finfo(dtype).max)


def _check_integer_bounds(dtype: np.dtype[Any], low: int, high: int) -> None:
    """Refuse a range that ``dtype`` (bool, integer or float) has no numbers for."""
    largest = _largest(dtype)
    smallest = int(np.iinfo(dtype).min) if dtype.kind in "iu" else -largest if dtype.kind == "f" else 0
    for name, bound in (("from", low), ("to - 1", high - 1)):
        if not smallest <= bound <= largest:
            raise error(RuntimeError, "out-of-bounds", f"{name} = {bound} is out of bounds for {dtype.name}")


default_generator = Generator()
"""The stream that functions without a generator draw from; unforeseeable until ``manual_seed``."""
default_generator.seed()

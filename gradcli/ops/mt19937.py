"""The Mersenne Twister MT19937: the 32-bit words that PyTorch's CPU generator draws.

Reference: M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
pseudo-random number generator", ACM TOMACS 8 (1998), with the seeding of their 2002 revision.

NumPy has the same generator, but importing ``numpy.random`` costs more than a script's few thousand words do here:
a block of 624 words takes a dozen array operations. Large requests are handed to NumPy, with the state both ways.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Words = np.ndarray[Any, np.dtype[np.uint32]]

SIZE = 624
_SHIFT = 397
_UPPER = np.uint32(0x80000000)
_LOWER = np.uint32(0x7FFFFFFF)
_MATRIX = np.uint32(0x9908B0DF)
# From here on the import of numpy.random is repaid.
_BULK = 100_000


class MersenneTwister:
    """A stream of 32-bit words; ``key`` is the state, ``position`` how many words of its block are gone.

    ``fresh`` says that ``key`` still is what seeding left: no word of it is given out before the first twist.
    """

    __slots__ = ("_block", "fresh", "key", "position")

    def __init__(self, key: Words, position: int, fresh: bool) -> None:
        self.key = key
        self.position = position
        self.fresh = fresh
        self._block: Words | None = None

    @classmethod
    def seeded(cls, seed: int) -> MersenneTwister:
        """Return the stream for the low 32 bits of ``seed``."""
        word = seed & 0xFFFFFFFF
        key = [word]
        for index in range(1, SIZE):
            word = (1812433253 * (word ^ (word >> 30)) + index) & 0xFFFFFFFF
            key.append(word)
        return cls(np.array(key, np.uint32), SIZE, True)

    def words(self, count: int) -> Words:
        """Return the next ``count`` words as uint32; the array may be shared and must not be written to."""
        if self._block is not None and self.position + count <= SIZE:
            self.position += count
            return self._block[self.position - count : self.position]
        return self._bulk(count) if count >= _BULK else self._blocks(count)

    def _blocks(self, count: int) -> Words:
        if self._block is None:
            self._block = _temper(self.key)
        pieces = [self._block[self.position : self.position + count]]
        missing = count - len(pieces[0])
        self.position += len(pieces[0])
        while missing > 0:
            self.key = _twist(self.key)
            self._block = _temper(self.key)
            self.fresh = False
            self.position = min(missing, SIZE)
            pieces.append(self._block[: self.position])
            missing -= self.position
        return np.concatenate(pieces)

    def _bulk(self, count: int) -> Words:
        from numpy.random import MT19937  # lazily: it would cost every start 15 ms

        source = MT19937()
        source.state = {"bit_generator": "MT19937", "state": {"key": self.key, "pos": self.position}}
        raw = source.random_raw(count)
        state = source.state["state"]
        self.key, self.position, self.fresh, self._block = state["key"], state["pos"], False, None
        return np.asarray(raw, np.uint32)


def _twist(key: Words) -> Words:
    """Return the next state. Each third of it needs words that the third before has made."""
    mixed = (key[:-1] & _UPPER) | (key[1:] & _LOWER)
    mixed = (mixed >> np.uint32(1)) ^ (mixed & np.uint32(1)) * _MATRIX
    new = np.empty_like(key)
    gap = SIZE - _SHIFT
    new[:gap] = key[_SHIFT:] ^ mixed[:gap]
    new[gap : 2 * gap] = new[:gap] ^ mixed[gap : 2 * gap]
    new[2 * gap : -1] = new[gap : _SHIFT - 1] ^ mixed[2 * gap :]
    last = (key[-1] & _UPPER) | (new[0] & _LOWER)
    new[-1] = new[_SHIFT - 1] ^ (last >> np.uint32(1)) ^ (last & np.uint32(1)) * _MATRIX
    return new


def _temper(key: Words) -> Words:
    words: Words = key ^ (key >> np.uint32(11))
    words ^= (words << np.uint32(7)) & np.uint32(0x9D2C5680)
    words ^= (words << np.uint32(15)) & np.uint32(0xEFC60000)
    words ^= words >> np.uint32(18)
    return words

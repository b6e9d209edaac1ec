"""Which elements of a leaf deserve a closer look: all are tried one by one, those of a large leaf in blocks first."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from gradcli.checks.probing import Probe, differs

Array = np.ndarray[Any, Any]
_SECONDS = 8.0  # for all gradients of one script
_SHARE = 1.0  # for the elements of one leaf, or for one second opinion
_BLOCKS = 64
_AUDITED = 2
_LONG = 26  # runs of the script that a derivative takes which is measured to its last digit


class Budget:
    """The time that is left for one script; ``one_run`` is how long it takes once, in seconds."""

    def __init__(self, one_run: float) -> None:
        self.one_run = one_run
        self._end = perf_counter() + _SECONDS + 20 * one_run

    def allows(self, runs: int) -> bool:
        """Tell whether so many runs of the script are no more than the share of one question."""
        return runs * self.one_run <= _SHARE and not self.is_spent()

    def blocks(self, size: int) -> int:
        """Return how many blocks a leaf of ``size`` elements is tried in; as many as elements where that is cheap."""
        if self.allows(2 * size):
            return size
        return min(size, _BLOCKS, max(1, int(_SHARE / (2 * self.one_run))))

    def is_spent(self) -> bool:
        """Tell whether the time is over."""
        return perf_counter() > self._end


def elements_to_look_at(probe: Probe, budget: Budget) -> Iterator[tuple[int, Array]]:
    """Yield elements with the rows that look wrong there, those with the largest error first.

    A few that look right follow: those where the gradient is largest, to be measured to the last digit.
    """
    size = probe.sizes.size
    blocks = budget.blocks(size)
    elements = range(size) if blocks == size else _found_in_blocks(probe, budget, blocks)
    looks: list[tuple[int, Array]] = []
    for element in elements:
        rows = probe.suspicious(element)
        if rows.any():
            looks.append((element, rows))
        if budget.is_spent():
            break
    rules = np.abs(probe.rows())
    with np.errstate(all="ignore"):
        looks.sort(key=lambda look: -float(np.nan_to_num(rules[look[1], look[0]], nan=np.inf).max()))
    yield from looks
    seen = {element for element, _ in looks}
    weight = np.nan_to_num(rules.sum(axis=0) * probe.sizes)
    largest = [int(k) for k in np.argsort(-weight)[: _AUDITED + len(seen)] if int(k) not in seen]
    for element in largest[: _AUDITED if budget.allows(_LONG) else 0]:
        yield element, np.ones(len(rules), dtype=bool)


def _found_in_blocks(probe: Probe, budget: Budget, blocks: int) -> list[int]:
    """Return the elements of blocks whose differences along random signs are wrong, found by halving."""
    signs = np.random.default_rng(2).choice([-1.0, 1.0], probe.sizes.size)
    waiting = [block for block in np.array_split(np.arange(probe.sizes.size), blocks) if block.size]
    found: list[int] = []
    while waiting and not budget.is_spent() and len(found) < _BLOCKS:
        block = waiting.pop()
        direction = np.zeros(probe.sizes.size)
        direction[block] = signs[block] * probe.sizes[block]
        measured, noise = probe.central(direction, probe.precision ** (1 / 3))
        if not differs(probe.rows() @ direction, measured, noise).any():
            continue
        if block.size == 1:
            found.append(int(block[0]))
        else:
            waiting += np.array_split(block, 2)
    return found

"""Which of several equal elements a selection returns: the choice of PyTorch's CPU kernels.

Without ties any algorithm gives the same indices. With ties PyTorch's depend on how its selection moves elements, and
so does which element gets the gradient; so short lanes with ties are replayed here, on ranks: introselect and introsort
as in libstdc++ for topk and mode, Hoare's quickselect with the median of three for kthvalue. Medians take the stable
order, and so do longer lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Chooser = Callable[[list[int]], list[int]]
REPLAYED = 4096  # lanes up to this long are replayed; beyond, the time would be felt


# -- lanes ------------------------------------------------------------------------------------------------------------
def _stable_order(lanes: Any, largest: bool) -> Any:
    if not largest:
        return np.argsort(lanes, axis=-1, kind="stable")
    return lanes.shape[-1] - 1 - np.argsort(lanes[:, ::-1], axis=-1, kind="stable")[:, ::-1]


def _tied(values: Any) -> Any:
    """Return for each lane of sorted values whether two of them are equal; nans are equal to each other."""
    same = values[:, 1:] == values[:, :-1]
    if values.dtype.kind == "f":
        same |= np.isnan(values[:, 1:]) & np.isnan(values[:, :-1])
    return same.any(axis=-1)


def _ranks(order: Any, values: Any, largest: bool) -> list[int]:
    """Return the rank of each element of a lane; equal elements have the same."""
    fresh = values[1:] != values[:-1]
    if values.dtype.kind == "f":
        fresh &= ~(np.isnan(values[1:]) & np.isnan(values[:-1]))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.concatenate([[0], np.cumsum(fresh)])
    return ranks.tolist()


def places(array: Any, dim: int, largest: bool, choose: Chooser, take: slice) -> Any:
    """Return the indices that ``take`` cuts from each lane's order along ``dim``; ``choose`` orders lanes with ties."""
    moved = np.moveaxis(array, dim, -1)
    lanes = moved.reshape(-1, moved.shape[-1]) if moved.size else moved.reshape(0, moved.shape[-1])
    order = _stable_order(lanes, largest)
    if 1 < lanes.shape[-1] <= REPLAYED:
        values = np.take_along_axis(lanes, order, -1)
        for lane in np.flatnonzero(_tied(values)).tolist():
            order[lane] = choose(_ranks(order[lane], values[lane], largest))
    cut = order[:, take]
    return np.moveaxis(cut.reshape((*moved.shape[:-1], cut.shape[-1])), -1, dim).astype(np.int64, copy=False)


def top_places(array: Any, dim: int, k: int, largest: bool) -> Any:
    """Return the indices of the ``k`` first elements along ``dim``, best first."""
    return places(array, dim, largest, lambda keys: _top(keys, k), slice(0, k))


def kth_place(array: Any, dim: int, nth: int) -> Any:
    """Return the index of the element of rank ``nth`` along ``dim``, as kthvalue chooses it."""
    return places(array, dim, False, lambda keys: quickselect(keys, nth), slice(nth, nth + 1))


def sorted_places(array: Any, dim: int) -> Any:
    """Return the order of ``array`` along ``dim`` as an unstable sort leaves it, which is what mode counts on."""
    return places(array, dim, False, _sorted, slice(None))


def _sorted(keys: list[int]) -> list[int]:
    order = list(range(len(keys)))
    _rough_sort(keys, order, len(order))
    return sorted(order, key=keys.__getitem__)


def _top(keys: list[int], k: int) -> list[int]:
    """Order a lane for topk: by partial sorting where k is small, else nth_element and a sort of what stands before."""
    if k * 64 <= len(keys) or not k:
        return sorted(range(len(keys)), key=keys.__getitem__)
    order = nth_element(keys, k - 1)
    _rough_sort(keys, order, k - 1)
    return sorted(order[: k - 1], key=keys.__getitem__) + order[k - 1 :]


def _rough_sort(keys: list[int], order: list[int], stop: int) -> None:
    """Partition ``order[:stop]`` into runs of at most 16, which the stable sort that follows leaves in their order."""
    parts = [(0, stop)]
    while parts:
        first, last = parts.pop()
        while last - first > 16:
            cut = _partition(keys, order, first, last)
            parts.append((cut, last))
            last = cut


# -- introselect ------------------------------------------------------------------------------------------------------
def nth_element(keys: list[int], nth: int) -> list[int]:
    """Return the indices of ``keys`` arranged so that the one at ``nth`` has that rank, smaller ones before it."""
    order = list(range(len(keys)))
    first, last = 0, len(order)
    rounds = 2 * (last.bit_length() - 1)
    while last - first > 3:
        if not rounds:
            order[first:last] = sorted(order[first:last], key=keys.__getitem__)
            return order
        rounds -= 1
        cut = _partition(keys, order, first, last)
        if cut <= nth:
            first = cut
        else:
            last = cut
    order[first:last] = sorted(order[first:last], key=keys.__getitem__)
    return order


def _swap(order: list[int], i: int, j: int) -> None:
    order[i], order[j] = order[j], order[i]


def _median_to_first(keys: list[int], order: list[int], first: int, last: int) -> None:
    """Swap the median of the second, the middle and the last element to the front."""
    spots = (first + 1, first + (last - first) // 2, last - 1)
    a, b, c = (keys[order[s]] for s in spots)
    low, high = (0, 1) if a < b else (1, 0)  # on ties the choice of place matters as well
    if not (b, a)[low] < c:
        high = 2 if (a, b)[low] < c else low
    _swap(order, first, spots[high])


def _partition(keys: list[int], order: list[int], first: int, last: int) -> int:
    """Split ``order[first:last]`` about a pivot that is put first; return where the second part begins."""
    _median_to_first(keys, order, first, last)
    pivot = keys[order[first]]
    low, high = first + 1, last
    while True:
        while keys[order[low]] < pivot:
            low += 1
        high -= 1
        while pivot < keys[order[high]]:
            high -= 1
        if low >= high:
            return low
        _swap(order, low, high)
        low += 1


# -- quickselect ------------------------------------------------------------------------------------------------------
def quickselect(keys: list[int], nth: int) -> list[int]:
    """Return the indices of ``keys`` arranged so that the one at ``nth`` has that rank."""
    order = list(range(len(keys)))
    left, right = 0, len(order) - 1
    while right > left:
        if right == left + 1:
            _order_pair(keys, order, left, right)
            break
        i, j = _split(keys, order, left, right)
        if j <= nth:
            left = i
        if j >= nth:
            right = j - 1
    return order


def _order_pair(keys: list[int], order: list[int], i: int, j: int) -> None:
    if keys[order[i]] > keys[order[j]]:
        _swap(order, i, j)


def _split(keys: list[int], order: list[int], left: int, right: int) -> tuple[int, int]:
    """Partition about the median of three; return where the scans from both ends stopped."""
    _swap(order, (left + right) >> 1, left + 1)
    _order_pair(keys, order, left + 1, right)
    _order_pair(keys, order, left, right)
    _order_pair(keys, order, left + 1, left)
    i, j = left + 1, right
    pivot = keys[order[left]]
    while True:
        i += 1
        while keys[order[i]] < pivot:
            i += 1
        j -= 1
        while keys[order[j]] > pivot:
            j -= 1
        if j < i:
            break
        _swap(order, i, j)
    _swap(order, left, j)
    return i, j

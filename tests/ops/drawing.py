"""Concrete inputs for the sample calls of a row: the same draw for the same row and sample, on every machine."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from gradcli.autograd import Tensor
from gradcli.ops.row import Lit, Row, Sample, T


class Draw:
    """The tensors of one sample call, and the call itself on any replacement of them."""

    def __init__(self, row: Row, number: int) -> None:
        self.row, self.sample = row, row.samples[number]
        self.random = np.random.default_rng(zlib.crc32(f"{row.name}/{number}".encode()))
        self.arrays: list[np.ndarray[Any, Any]] = []
        self._plan = (
            [self._draw(a) for a in self.sample.args],
            {k: self._draw(v) for k, v in self.sample.kwargs.items()},
        )

    def _draw(self, value: Any) -> Any:
        if isinstance(value, T):
            low = self.row.domain[0] if value.low is None else value.low
            high = self.row.domain[1] if value.high is None else value.high
            return self._slot(self.random.uniform(low, high, value.shape).astype(value.dtype))
        if isinstance(value, Lit):
            return self._slot(np.array(value.data, dtype=value.dtype))
        if isinstance(value, list) and any(isinstance(v, (T, Lit)) for v in value):
            return [self._draw(v) for v in value]
        return value

    def _slot(self, array: np.ndarray[Any, Any]) -> _Slot:
        self.arrays.append(array)
        return _Slot(len(self.arrays) - 1)

    def call(self, values: list[Any], function: Any = None) -> Any:
        """Call the row's function on ``values`` in place of the drawn arrays."""
        args, kwargs = self._plan
        filled = [_fill(a, values) for a in args]
        return (function or self.row.function)(*filled, **{k: _fill(v, values) for k, v in kwargs.items()})

    def tensors(self, dtype: str | None = None, requires_grad: bool = True) -> list[Tensor]:
        """Return fresh tensors; floating ones require grad unless told otherwise."""
        made = []
        for array in self.arrays:
            floating = array.dtype.kind in "fc"
            tensor = Tensor(array.astype(dtype) if dtype and array.dtype.kind == "f" else array.copy())
            made.append(tensor.requires_grad_() if floating and requires_grad else tensor)
        return made


class _Slot(int):
    """The number of a drawn array within the arguments of a sample."""


def _fill(value: Any, values: list[Any]) -> Any:
    if isinstance(value, _Slot):
        return values[value]
    if isinstance(value, list) and any(isinstance(v, _Slot) for v in value):
        return [_fill(v, values) for v in value]
    return value


def outputs(result: Any) -> list[Tensor]:
    """Return the tensors of a result, flat."""
    if isinstance(result, Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [t for item in result for t in outputs(item)]
    return []


def samples_of(rows: Any) -> list[tuple[Row, int]]:
    """Return every (row, number of a sample)."""
    return [(row, k) for row in rows for k in range(len(row.samples))]


def sample_id(value: Any) -> str:
    """Return a readable test id."""
    if isinstance(value, Row):
        return value.name.removeprefix("torch.")
    return str(value)


__all__ = ["Draw", "Sample", "outputs", "sample_id", "samples_of"]

"""The recorded cases seen by vmap: what a function gives for a batch, and what it gives for one sample at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gradcli.autograd import Tensor, batched, func, vmap
from tests.ops.oracle import cases, evaluate, flatten, scope

SCALES = (1.0, 0.9, 0.8)  # of the samples made from one recorded input
Results = tuple[Any, ...]


class Case:
    """One recorded case as a function of its differentiable inputs."""

    def __init__(self, recorded: dict[str, Any]) -> None:
        self.recorded = recorded
        self.known = {name: v.detach() if isinstance(v, Tensor) else v for name, v in scope(recorded).items()}
        marked = [i["name"] for i in recorded["inputs"] if i["diff"]]
        self.names = [name for name in marked if self.known[name]._element.kind in "fc"]
        self.arrays = [self.known[name]._array for name in self.names]
        self.real = all(a.dtype.kind == "f" for a in self.arrays)

    def __call__(self, *inputs: Any) -> Results:
        """Return the tensors that the case's expression gives."""
        names = {**self.known, **dict(zip(self.names, inputs, strict=True))}
        return tuple(r for r in flatten(evaluate(self.recorded["expr"], names)) if isinstance(r, Tensor))

    def floats(self, *inputs: Any) -> Results:
        """Return those of the results that have a gradient."""
        return tuple(r for r in self(*inputs) if r._element.kind in "fc")

    def gradients(self, *inputs: Any) -> Results:
        """Return the products of fixed cotangents with the Jacobians."""
        out, pull = func.vjp(self.floats, *inputs)
        return tuple(pull(tuple(weights(o) for o in out))) if out else ()

    def second(self, *inputs: Any) -> Results:
        """Return the gradient of the sum of the squares of all gradients."""

        def squares(*xs: Any) -> Any:
            return sum((g * g).sum() for g in self.gradients(*xs))

        return tuple(func.grad(squares, tuple(range(len(inputs))))(*inputs)) if self.real else ()

    def tangents(self, *inputs: Any) -> Results:
        """Return the tangents of the results along fixed directions."""
        directions = tuple(weights(x) for x in inputs)
        return tuple(func.jvp(self.floats, inputs, directions)[1]) if inputs else ()


def weights(like: Any) -> Tensor:
    """Return fixed numbers in the shape and dtype of a tensor."""
    shape = tuple(like.shape)
    return Tensor((np.arange(1, np.prod(shape, dtype=int) + 1) * 0.37 + 0.2).astype(like._element).reshape(shape))


def differentiable() -> Iterator[dict[str, Any]]:
    """Yield the recorded cases that have an input to differentiate by."""
    return (case for case in cases() if any(i["diff"] for i in case["inputs"]))


def one_by_one(function: Callable[..., Results], arrays: list[Any]) -> list[Any] | None:
    """Return the stacked results of the samples; None where one sample has none, or samples differ in shape."""
    try:
        rows = [function(*(Tensor(a * s) for a in arrays)) for s in SCALES]
        return [np.stack([r.detach()._array for r in column]) for column in zip(*rows, strict=True)] or None
    except Exception:  # whatever one sample does not allow is no matter of vmap
        return None


def at_once(function: Callable[..., Results], arrays: list[Any]) -> list[Any]:
    """Return the results that vmap gives for all samples."""
    inputs = [Tensor(np.stack([a * s for s in SCALES])) for a in arrays]
    return [r.detach()._array for r in vmap.vmap(lambda *xs: tuple(function(*xs)))(*inputs)]


def rows_one_by_one(case: Case) -> list[Any] | None:
    """Return the Jacobians of the first result by all inputs, found row by row; None for a complex one."""
    out, pull = func.vjp(lambda *xs: case.floats(*xs)[0], *map(Tensor, case.arrays))
    if not case.real or out._element.kind == "c":
        return None
    count = int(np.prod(tuple(out.shape), dtype=int))
    rows = [pull(Tensor(row.reshape(tuple(out.shape)))) for row in np.eye(count, dtype=out._element)]
    shapes = [(*out.shape, *a.shape) for a in case.arrays]
    return [np.array([r[k]._array for r in rows]).reshape(shape) for k, shape in enumerate(shapes)]


class Loops:
    """Notes which operations run sample by sample while a test runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: set[str] = set()
        self._watch(monkeypatch, batched, "loop", lambda primitive: primitive.name)
        self._watch(monkeypatch, batched, "run_per_sample", lambda node: node.name())
        self._watch(monkeypatch, vmap, "_one_by_one", lambda function: "a whole function")

    def _watch(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, told: Callable[[Any], str]) -> None:
        original = getattr(module, name)

        def watching(first: Any, *args: Any) -> Any:
            self.found.add(told(first))
            return original(first, *args)

        monkeypatch.setattr(module, name, watching)

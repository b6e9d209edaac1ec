"""A script as a function of its leaves: run again with one of them moved, its outputs read as they are named.

A leaf that the script changes in place (training under ``no_grad``) is moved after its last change before the output:
the gradient belongs to the value that the leaf has by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd.differences import real_parts
from gradcli.autograd.node import Storage, next_seq, storage_of
from gradcli.autograd.tensor import Tensor
from gradcli.lang.replay import Enough, Hook, Replay, Stored
from gradcli.lang.request import numbered, reached_leaves
from gradcli.lang.runner import own_defaults
from gradcli.lang.session import Session
from gradcli.ops.generator import Generator, default_generator

Array = np.ndarray[Any, Any]
_DEEPEST = 3
_PASSES_THROUGH = (TimeoutError, MemoryError)


class Point(NamedTuple):
    """A leaf at one moment: where the script names it, the way into a list or dict, and how often it was written."""

    stored: Stored
    keys: tuple[Any, ...]
    version: int

    @property
    def name(self) -> str:
        """The leaf as the script would write it: ``w``, ``params[0]``."""
        return str(self.stored.name) + "".join(f"[{key!r}]" for key in self.keys)


@dataclass(slots=True)
class Output:
    """A named result that requires grad, or the last expression: ``title`` is its name or text."""

    title: str
    stored: Stored
    extent: tuple[int, int]


class _Moving(Storage):
    """The counter of a leaf that moves as soon as it has been written a number of times."""

    __slots__ = ("move", "target")

    def __init__(self, before: Storage, target: int, move: Callable[[], None]) -> None:
        self.version, self.views, self.written = before.version, before.views, before.written
        self.target = target
        self.move = move

    def wrote(self) -> None:
        """Count a write."""
        super().wrote()
        if self.version == self.target:
            self.move()


class Script:
    """A finished session's script, to be run again under the same conditions; ``seed`` starts its random numbers."""

    def __init__(self, session: Session, seed: int, dtype: str) -> None:
        self._replay = Replay(session)
        self._seed = seed
        self._dtype = dtype
        self._session = session
        self.draws = False  # whether it draws random numbers, known once its outputs are
        self.source = self._replay.source

    def run(self, hook: Hook, dtype: str | None = None) -> Session:
        """Run the script with ``hook``; whatever it raises is raised here."""
        with own_defaults(dtype or self._dtype):
            default_generator.manual_seed(self._seed)
            return self._replay.run(hook)

    def outputs(self) -> list[Output]:
        """Return the results whose gradients are checked, in the order of the lines that name them last."""
        counts: dict[str | int, int] = {}

        def count(stored: Stored, value: Any) -> Any:
            counts[stored.name] = stored.number
            return value

        unused = Generator(self._seed)
        self.run(count)
        self.draws = bool((default_generator.get_state() != unused.get_state()).any())
        found: list[Output] = []
        seen: set[int] = set()
        for name, extent, value in self._results():
            if isinstance(value, Tensor) and value.requires_grad and not value.is_leaf and id(value) not in seen:
                seen.add(id(value))
                key = name if name in counts else extent[0]
                if key in counts:
                    found.append(Output(name, Stored(key, counts[key]), extent))
        return found

    def _results(self) -> Iterator[tuple[str, tuple[int, int], Any]]:
        source, unit = self.source, self._session.units[0]
        places = {name: source.offset(line, 1) + column for line, column, name in _characters(unit)}
        for name, start in sorted(places.items(), key=lambda item: item[1]):
            yield name, (start, start + len(name)), self._session.namespace.get(name)
        if self._session._last is not None:
            start, text, value = self._session._last
            yield text, (start, start + len(text)), value

    def moved(self, point: Point, array: Array, outputs: list[Output]) -> dict[Stored, Array] | None:
        """Return the outputs as real vectors when the leaf at ``point`` has the values ``array``; None on failure."""
        found: dict[Stored, Array] = {}
        wanted = {output.stored for output in outputs}

        def hook(stored: Stored, value: Any) -> Any:
            if stored == point.stored:
                move_to(value, point, array)
            if stored in wanted:
                found[stored] = real_parts(value._array).astype(np.float64)
                if len(found) == len(wanted):
                    raise Enough
            return value

        return found if self.completes(hook) else None

    def path(self, point: Point, array: Array, output: Output) -> tuple[str, ...] | None:
        """Return the names of the nodes that an output is computed by when the leaf is ``array``; None on failure."""
        found: list[tuple[str, ...]] = []

        def hook(stored: Stored, value: Any) -> Any:
            if stored == point.stored:
                move_to(value, point, array)
            if stored == output.stored:
                found.append(tuple(node.name() for node in numbered(value)))
                raise Enough
            return value

        return found[0] if self.completes(hook) and found else None

    def completes(self, hook: Hook, dtype: str | None = None) -> bool:
        """Run the script and tell whether it came to the end, or to what ``hook`` wanted."""
        try:
            self.run(hook, dtype)
        except _PASSES_THROUGH:
            raise
        except Exception:
            return False
        return True


def _characters(unit: Any) -> Iterator[tuple[int, int, str]]:
    """Yield line, column (from 0, in characters) and name of what the script itself names."""
    for line, column, name in unit.names.stores:
        span = unit.source.span_of_bytes(line, column, line, column)
        yield line, span.column - 1, name


def tensors_in(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Tensor]]:
    """Yield the tensors that a value is or holds, each with the way to it."""
    if isinstance(value, Tensor):
        yield keys, value
    elif isinstance(value, list | tuple | dict) and len(keys) < _DEEPEST:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from tensors_in(item, (*keys, key))


def move_to(value: Any, point: Point, array: Array) -> None:
    """Let the leaf at ``point`` have the values ``array`` as soon as it has been written as often as there."""
    for key in point.keys:
        value = value[key]
    leaf: Tensor = value

    def move() -> None:
        leaf._array = array.astype(leaf._array.dtype)

    if point.version == version_of(leaf):
        move()
    else:
        leaf._storage = _Moving(storage_of(leaf), point.version, move)


def version_of(leaf: Tensor) -> int:
    """Return how often a tensor was written in place."""
    return 0 if leaf._storage is None else leaf._storage.version


class _Known:
    """A tensor that has a name: where, and for a leaf its values when last looked at.

    ``changed`` is the number of the next node at the time when they changed with no write counted.
    """

    __slots__ = ("changed", "keys", "original", "stored", "tensor", "values", "version")

    def __init__(self, tensor: Tensor, stored: Stored, keys: tuple[Any, ...]) -> None:
        self.tensor, self.stored, self.keys = tensor, stored, keys
        self.values: Array | None = None
        self.original: Array | None = None
        self.version = 0
        self.changed: int | None = None

    def look(self) -> None:
        """Notice a change since the last look."""
        if not self.tensor.requires_grad:
            return
        now = version_of(self.tensor)
        if self.values is None or now != self.version:
            self.values, self.version = self.tensor._array.copy(), now
        elif not np.array_equal(self.values, self.tensor._array, equal_nan=True):
            self.original = self.values if self.original is None else self.original
            self.changed, self.values = next_seq(), self.tensor._array.copy()


class Leaves:
    """The leaves that have been named so far in a run, found by the tensor that they are."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def note(self, stored: Stored, value: Any) -> None:
        """Look for new leaves in a value that got a name, and at what became of the others.

        A tensor that will only later require grad counts as well.
        """
        self.look()
        if isinstance(stored.name, str):
            for keys, tensor in tensors_in(value):
                if tensor.is_leaf and tensor._array.dtype.kind in "fc" and id(tensor) not in self._known:
                    self._known[id(tensor)] = _Known(tensor, stored, keys)
                    self._known[id(tensor)].look()

    def look(self) -> None:
        """Look at the values of all leaves."""
        for known in self._known.values():
            known.look()

    def of(self, output: Tensor) -> list[tuple[Point, Tensor]]:
        """Return the named leaves that an output was computed from, each with its point."""
        known = [self._known[id(leaf)] for leaf in reached_leaves(output) if id(leaf) in self._known]
        return [(Point(one.stored, one.keys, version_of(one.tensor)), one.tensor) for one in known]

    def changed(self, leaf: Tensor) -> int | None:
        """Return the number that the next node had when a leaf was overwritten through ``.data``; None if it wasn't."""
        return self._known[id(leaf)].changed

    def original(self, leaf: Tensor) -> Array:
        """Return the values that a leaf had before it was overwritten in that way."""
        before = self._known[id(leaf)].original
        return leaf._array if before is None else before

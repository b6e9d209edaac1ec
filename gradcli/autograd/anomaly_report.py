"""Where a gradient that is not finite comes from, in words: the place, the value and the operands."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.node import AccumulateGrad, Node
from gradcli.autograd.tensor import Tensor

Index = tuple[int, ...]


class Bad(NamedTuple):
    """A gradient that is not finite: what ``node`` gave for its input ``position`` (None: what arrived at ``node``).

    ``arrived`` are the words for what had arrived there.
    """

    node: Node
    position: int | None
    value: str
    where: Index
    arrived: str | None = None

    def of(self) -> str:
        """Return what the gradient belongs to."""
        what = "its result" if self.position is None else f"its {word(self.node, self.position)}"
        return what + at(self.where)


def bad(node: Node, position: int | None, g: Any, where: Index, arrived: Any = None) -> Bad:
    """Return the description of gradient ``g``, bad at index ``where``, made while ``arrived`` was the one above."""
    seen = None if arrived is None or node.multi else described(array_of(arrived), where)
    return Bad(node, position, shown(array_of(g)[where]), where, seen)


def bad_gradient(here: Bad, first: Bad) -> Exception:
    """Return the error of a bad gradient, found ``here``; ``first`` is where the gradients above it went bad.

    The error names the first value before it that was not finite, or else the rule that made the first bad gradient.
    """
    origin = first_bad(first.node)
    if origin is not None:
        return _from_value(*origin, here)
    if first.position is None:
        return error(
            RuntimeError,
            "anomaly",
            f"the gradient that arrives at {operation(first.node)} is {first.value}{at(first.where)}: "
            "the seed is, or a sum of contributions",
            nodes=[(first.node, f"the gradient of this is {first.value}{at(first.where)}")],
        )
    notes = [] if first.arrived is None else [f"the gradient that arrived was {first.arrived}"]
    gave = (first.node, f"its rule gives {first.value} here")
    return error(
        RuntimeError,
        "anomaly",
        f"the rule of {operation(first.node)} gives {first.value} for {first.of()}, from finite values",
        label=gave[1],
        notes=[*notes, *operands(first.node, first.where)],
        nodes=[gave] if here is first else [gave, (here.node, f"the gradient becomes {here.value} here")],
    )


def _from_value(source: Node, array: Any, here: Bad) -> Exception:
    index = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
    first = f"{shown(array[index])}{at(index)}"
    became = (here.node, f"the gradient of {here.of()} is {here.value} here")
    then = f"the gradient that {operation(here.node)} gives for {here.of()} is {here.value}"
    if isinstance(source, AccumulateGrad):
        return error(RuntimeError, "anomaly", f"a leaf holds {first}, so {then}", nodes=[became])
    gave = f"this gave {first}, the first value that is not finite"
    return error(
        RuntimeError,
        "anomaly",
        f"{operation(source)} gave {first}, the first value that is not finite; {then}",
        label=gave,
        notes=operands(source, index),
        nodes=[(source, gave)] if here.node is source else [(source, gave), became],
    )


def operation(node: Node) -> str:
    """Return the name of the operation that ``node`` records."""
    return str(getattr(node.primitive, "name", None) or node.name())


def first_bad(node: Node) -> tuple[Node, Any] | None:
    """Return the oldest of ``node`` and its ancestors whose value was not finite, with the array."""
    best: tuple[Node, Any] | None = None
    stack, seen = [node], {node}
    while stack:
        one = stack.pop()
        for array in values_of(one).values():
            older = best is None or one.seq < best[0].seq
            if older and array.dtype.kind in "fc" and not np.isfinite(array).all():
                best = one, array
        fresh = [p for p in one.parents if p is not None and p not in seen]
        seen.update(fresh)
        stack.extend(fresh)
    return best


def values_of(node: Node) -> dict[int, Any]:
    """Return the arrays of the outputs of ``node`` that are known."""
    if isinstance(node, AccumulateGrad):
        return {0: array_of(node.variable)}
    from gradcli.autograd.anomaly import value_of

    found = {nr: value_of(node, nr) for nr in range(len(node.shape) if node.multi else 1)}
    return {nr: array for nr, array in found.items() if array is not None}


def operands(node: Node, where: Index) -> list[str]:
    """Return a note for each operand of ``node`` that is known: its value at ``where``, or what it holds."""
    notes = []
    for i, parent in enumerate(node.parents):
        array = None if parent is None else values_of(parent).get(node.numbers[i] if node.numbers else 0)
        if array is None:
            array = _saved(node, i)
        if array is not None:
            notes.append(f"its {word(node, i)} is {described(array, where)}")
    return notes


def _saved(node: Node, i: int) -> Any:
    """Return the constant operand ``i``, where the node had saved it."""
    from gradcli.autograd.anomaly import saved_of

    names = getattr(node.primitive, "arrays", ())
    name = names[i] if i < len(names) else None
    saved = saved_of(node)
    if name not in node.saved_names or len(saved) != len(node.saved_names):
        return None
    value = saved[node.saved_names.index(name)]
    return array_of(value) if isinstance(value, (Tensor, np.ndarray, bool, int, float, complex)) else None


def word(node: Node, position: int) -> str:
    """Return what input ``position`` of ``node`` is called."""
    names = getattr(node.primitive, "arrays", ())
    return names[position] if position < len(names) else f"input {position}"


def described(array: Any, where: Index) -> str:
    """Return the value at ``where`` of an operand that has one there, else the shape, the range and the bad values."""
    array = np.asarray(array)
    if array.size == 1:
        return shown(array.reshape(-1)[0])
    if array.ndim and array.ndim == len(where) and all(k < n for k, n in zip(where, array.shape, strict=True)):
        return f"{shown(array[where])}{at(where)}"
    finite = array[np.isfinite(array)] if array.dtype.kind in "fciub" else array
    span = f", from {shown(finite.min())} to {shown(finite.max())}" if finite.size and array.dtype.kind in "fiu" else ""
    bad = array.size - finite.size
    return f"of shape {array.shape}{span}" + (f", {bad} of them not finite" if bad else "")


def array_of(value: Any) -> Any:
    """Return the array behind a tensor (of all samples, where it is a batch), array or number."""
    while isinstance(value, Lifted):
        value = value._value
    return np.asarray(value._array if isinstance(value, Tensor) else value)


def shown(value: Any) -> str:
    """Return a number in six digits."""
    return f"{value:.6g}"


def at(where: Index) -> str:
    """Return `` at [0, 2]``, nothing for the only element of a 0-d value."""
    return f" at [{', '.join(str(k) for k in where)}]" if where else ""

"""Where a gradient that is not finite comes from, in words: the place, the value and the operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.node import AccumulateGrad, Node
from gradcli.autograd.tensor import Tensor

Index = tuple[int, ...]


def bad_gradient(node: Node, position: int | None, g: Any, where: Index, nr: int, arrived: Any = None) -> Exception:
    """Return the error of a gradient ``g`` that is bad at index ``where``.

    ``position`` is the input of ``node`` that it belongs to, None for what arrived at ``node`` itself (its output
    ``nr``). The error names the first value before ``node`` that was not finite, or else the rule of ``node``.
    """
    value = shown(array_of(g)[where])
    origin = first_bad(node)
    if origin is not None:
        return _from_value(origin, node, value, where, position)
    if position is None:
        return error(
            RuntimeError,
            "anomaly",
            f"the gradient that arrives at {node.name()} is {value}{at(where)}: the seed is, or a sum of contributions",
            nodes=[(node, f"the gradient of this is {value}{at(where)}")],
        )
    notes = [f"the gradient that arrived was {described(array_of(arrived), where)}"] if arrived is not None else []
    return error(
        RuntimeError,
        "anomaly",
        f"{node.name()} passes {value} to its {word(node, position)}{at(where)}, from values that are all finite",
        label=f"its rule gives {value} here",
        notes=[*notes, *operands(node, where)],
        nodes=[(node, f"its rule gives {value} here")],
    )


def _from_value(origin: tuple[Node, Any], node: Node, value: str, where: Index, position: int | None) -> Exception:
    source, array = origin
    index = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
    first = shown(array[index])
    reason = f"{word(node, position)}{at(where)}" if position is not None else f"result{at(where)}"
    if isinstance(source, AccumulateGrad):
        message = f"a leaf holds {first}{at(index)}: {node.name()} makes the gradient of its {reason} {value}"
        return error(RuntimeError, "anomaly", message, nodes=[(node, f"the gradient becomes {value} here")])
    nodes = [(source, f"this gave {first}{at(index)}, the first value that is not finite")]
    if node is not source:
        nodes.append((node, f"the gradient becomes {value} here"))
    return error(
        RuntimeError,
        "anomaly",
        f"{source.name()} is of a result that is {first}{at(index)}, the first value that is not finite; "
        f"{node.name()} makes the gradient of its {reason} {value}",
        label=nodes[0][1],
        notes=operands(source, index),
        nodes=nodes,
    )


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
        return {0: np.asarray(node.variable._array)}
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
    """Return the constant operand ``i``, where the node still has it."""
    names = getattr(node.primitive, "arrays", ())
    name = names[i] if i < len(names) else None
    if name not in node.saved_names or len(node.saved) != len(node.saved_names):
        return None
    value = node.saved[node.saved_names.index(name)]
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
    """Return the array behind a tensor, array or number."""
    return np.asarray(value._array if isinstance(value, Tensor) else value)


def shown(value: Any) -> str:
    """Return a number in six digits."""
    return f"{value:.6g}"


def at(where: Index) -> str:
    """Return `` at [0, 2]``, nothing for the only element of a 0-d value."""
    return f" at [{', '.join(str(k) for k in where)}]" if where else ""

"""The state of a session at one moment, taken so that it can be put back: names, values, gradients, versions, graphs.

Everything that can be reached from the session is noted as it is: the fields of tensors, nodes and hooks, the contents
of lists and dictionaries, the variables of closures, and a copy of each array. Putting it back writes into the very
objects, so that whatever else refers to them sees the former state too. Once it is known what an entry changed,
``forget_unchanged`` drops the rest; what is kept is as large as the change.
"""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from types import CellType, FunctionType, MemberDescriptorType, MethodType
from typing import Any, NamedTuple

import numpy as np

from gradcli.autograd import dtypes, printing
from gradcli.autograd.backward import special
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node
from gradcli.autograd.tensor import Tensor
from gradcli.ops.generator import default_generator

MAX_COPIED = 2**30
"""Bytes of arrays that are copied before an entry; what lies beyond is not."""

_MUTABLE = ("gradcli.autograd", "gradcli.optim", "gradcli.nn", "gradcli.ops.generator", "gradcli.ops.mt19937", "gx")
_CONTAINERS = (dict, list, set, deque)
_NOTHING = object()


class _Fields(NamedTuple):
    """An object's own fields: the descriptors of its slots, their values, a copy of its dictionary if it has one."""

    slots: tuple[MemberDescriptorType, ...]
    values: tuple[Any, ...]
    named: dict[str, Any] | None


class Snapshot:
    """What can be reached from ``roots``; ``changes`` forget the arrays that were too large to copy, see ``partial``.

    With ``deep=False`` only the roots themselves are noted, and what random numbers and grad modes depend on: enough
    before code that changes nothing in place.
    """

    def __init__(self, roots: Iterable[Any], deep: bool = True) -> None:
        self.partial = False
        self._objects: dict[int, tuple[Any, _Fields]] = {}
        self._nodes: dict[int, tuple[Node, Any, Any]] = {}
        self._containers: dict[int, tuple[Any, Any]] = {}
        self._cells: dict[int, tuple[CellType, Any]] = {}
        self._arrays: dict[int, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = {}
        self._room = MAX_COPIED
        self._walk(_process_state())
        roots = list(roots)
        if deep:
            self._walk(roots)
        else:
            for root in roots:
                self._note_container(root)

    # -- taking it ----------------------------------------------------------------------------------------------------
    def _walk(self, pending: list[Any]) -> None:
        """Note everything that ``pending`` leads to, each thing once, with a stack of our own."""
        while pending:
            value = pending.pop()
            note = _note_of(type(value))
            if note is not None:
                pending += note(self, value)

    def _note_node(self, value: Node) -> Iterable[Any]:
        """Note a graph: what a backward pass takes from its nodes, the rest of which never changes.

        A graph has many nodes and little else, so it is walked in a loop of its own.
        """
        nodes, waiting, found = self._nodes, [value], list[Any]()
        while waiting:
            node = waiting.pop()
            if id(node) in nodes:
                continue
            nodes[id(node)] = node, node.saved, node.rare
            waiting += [parent for parent in node.parents if parent is not None and id(parent) not in nodes]
            if node.rare is not None:
                found.append(node.rare)
            if _slots_of(type(node)) is not _PLAIN:  # a leaf's variable, the context of a rule of the script's own
                found += [_read(slot, node) for slot in _slots_of(type(node)) if slot not in _PLAIN]
        return found

    def _note_container(self, value: Any) -> Iterable[Any]:
        if id(value) in self._containers:
            return ()
        self._containers[id(value)] = (value, value.copy())
        if not isinstance(value, dict):
            return list(value)
        return [*value, *value.values(), *([value.default_factory] if isinstance(value, defaultdict) else [])]

    def _note_object(self, value: Any) -> Iterable[Any]:
        if id(value) in self._objects:
            return ()
        slots = _slots_of(type(value))
        values = tuple(_read(slot, value) for slot in slots)
        named = getattr(value, "__dict__", None)
        self._objects[id(value)] = value, _Fields(slots, values, None if named is None else dict(named))
        return values if named is None else [*values, *named.values()]

    def _note_function(self, value: Any) -> Iterable[Any]:
        if isinstance(value, MethodType):
            return (value.__self__, value.__func__)
        found = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        for cell in value.__closure__ or ():
            if id(cell) not in self._cells:
                content = _content(cell)
                self._cells[id(cell)] = cell, content
                found.append(content)
        return found

    def _note_array(self, value: np.ndarray[Any, Any]) -> Iterable[Any]:
        """Copy the array that owns the memory, which views of it share."""
        owner = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if id(owner) not in self._arrays and owner.flags.writeable:
            if owner.nbytes > self._room:
                self.partial = True
            else:
                self._room -= owner.nbytes
                self._arrays[id(owner)] = owner, owner.copy(order="K")
        return owner.tolist() if owner.dtype.hasobject else ()

    # -- using it -----------------------------------------------------------------------------------------------------
    def restore(self) -> None:
        """Put the noted state back."""
        for value, fields in self._objects.values():
            for slot, content in zip(fields.slots, fields.values, strict=True):
                _write(slot, value, content)
            if fields.named is not None and not _same(vars(value), fields.named):
                vars(value).clear()
                vars(value).update(fields.named)
        for node, saved, rare in self._nodes.values():
            node.saved, node.rare = saved, rare
        for container, content in self._containers.values():
            if not _same(container, content):
                container.clear()
                (container.extend if isinstance(container, list | deque) else container.update)(content)
        for cell, content in self._cells.values():
            if content is _NOTHING:
                del cell.cell_contents
            else:
                cell.cell_contents = content
        for owner, content in self._arrays.values():
            owner[...] = content

    def forget_unchanged(self) -> int:
        """Drop what is as it was; return about how many bytes of tensors the rest keeps alive."""
        self._objects = {key: item for key, item in self._objects.items() if _has_changed(*item)}
        self._nodes = {key: item for key, item in self._nodes.items() if _is_used(*item)}
        self._containers = {key: item for key, item in self._containers.items() if not _same(*item)}
        self._cells = {key: item for key, item in self._cells.items() if _content(item[0]) is not item[1]}
        self._arrays = {key: item for key, item in self._arrays.items() if not _equal(*item)}
        kept = [copy for _, copy in self._arrays.values()]
        for container, content in self._containers.values():
            now = {id(value) for value in _values_of(container)}
            kept += [v._array for v in _values_of(content) if isinstance(v, Tensor) and id(v) not in now]
        for value, fields in self._objects.values():
            former = zip(fields.slots, fields.values, strict=True)
            kept += [part for slot, part in former if isinstance(part, np.ndarray) and _read(slot, value) is not part]
        return sum({id(array): array.nbytes for array in kept}.values())


Note = Callable[[Snapshot, Any], Iterable[Any]]
_NOTES: dict[type, Note | None] = {}
_SLOTS: dict[type, tuple[MemberDescriptorType, ...]] = {}


def _process_state() -> list[Any]:
    """Return what a script can set for the whole process: modes, defaults, random numbers."""
    anomaly = sys.modules.get("gradcli.autograd.anomaly")
    state = [] if anomaly is None else [vars(anomaly)["_state"]]
    return [mode, dtypes.default, printing.options, default_generator, special, *state]


def _note_of(kind: type) -> Note | None:
    """Return how a value of a type is noted; None for what has no state of its own."""
    if kind not in _NOTES:
        _NOTES[kind] = _choose_note(kind)
    return _NOTES[kind]


def _choose_note(kind: type) -> Note | None:
    if issubclass(kind, _CONTAINERS):
        return Snapshot._note_container
    if issubclass(kind, tuple | frozenset):
        return lambda self, value: list(value)
    if issubclass(kind, np.ndarray):
        return Snapshot._note_array
    if kind in (FunctionType, MethodType):
        return Snapshot._note_function
    if issubclass(kind, Node):
        return Snapshot._note_node
    known = issubclass(kind, Tensor) or kind.__module__.startswith(_MUTABLE)
    return Snapshot._note_object if known and not issubclass(kind, type) and kind is not dtypes.DType else None


def _slots_of(kind: type) -> tuple[MemberDescriptorType, ...]:
    """Return the slots that the instances of a type have."""
    found = _SLOTS.get(kind)
    if found is None:
        found = _collect_slots(kind)
        found = _SLOTS[kind] = _PLAIN if found == _PLAIN else found
    return found


def _collect_slots(kind: type) -> tuple[MemberDescriptorType, ...]:
    return tuple(
        member
        for base in kind.__mro__
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType) and name != "__weakref__"
    )


def _read(slot: MemberDescriptorType, value: Any) -> Any:
    try:
        return slot.__get__(value)
    except AttributeError:  # declared, but not set yet
        return _NOTHING


def _write(slot: MemberDescriptorType, value: Any, content: Any) -> None:
    now = _read(slot, value)
    if now is content:
        return
    if content is _NOTHING:
        slot.__delete__(value)
    else:
        slot.__set__(value, content)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return _NOTHING


def _has_changed(value: Any, fields: _Fields) -> bool:
    now = zip(fields.slots, fields.values, strict=True)
    if any(_read(slot, value) is not content for slot, content in now):
        return True
    return fields.named is not None and not _same(vars(value), fields.named)


def _is_used(node: Node, saved: Any, rare: Any) -> bool:
    return node.saved is not saved or node.rare is not rare


def _same(container: Any, content: Any) -> bool:
    """Tell whether a container holds the very things that its copy holds, in the same order."""
    if len(container) != len(content):
        return False
    if isinstance(container, dict):
        pairs = zip(container.items(), content.items(), strict=True)
        return all(a is b and x is y for (a, x), (b, y) in pairs)
    if isinstance(container, set):
        return bool({id(item) for item in container} == {id(item) for item in content})
    return all(one is other for one, other in zip(container, content, strict=True))


def _equal(array: np.ndarray[Any, Any], copy: np.ndarray[Any, Any]) -> bool:
    """Tell whether two arrays hold the same bytes: a nan equals itself here, and 0. is not -0."""
    if array.dtype.hasobject:
        return False
    return np.array_equal(array.ravel("K").view(np.uint8), copy.ravel("K").view(np.uint8))


def _values_of(container: Any) -> Iterable[Any]:
    values: Iterable[Any] = container.values() if isinstance(container, dict) else container
    return values


_PLAIN = _collect_slots(Node)

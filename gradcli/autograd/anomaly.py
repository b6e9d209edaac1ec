"""Anomaly mode: a backward pass stops where the first gradient goes bad, and says which value it came from.

While it is on, each recorded operation keeps its result and the traceback of its call. A bad gradient is traced to the
first result before it that was not finite, or, where all results were finite, to the rule that made it.
"""

from __future__ import annotations

import threading
import traceback
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from gradcli.autograd.anomaly_report import Bad, array_of, bad, bad_gradient
from gradcli.autograd.backward import Pass, special
from gradcli.autograd.node import Node
from gradcli.autograd.record import users
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.watching import unwatch_nodes, unwatch_tensors, watch_nodes, watch_tensors


class _State:
    """What is on, for all threads, as in PyTorch."""

    __slots__ = ("check_inf", "check_nan", "enabled")

    def __init__(self) -> None:
        self.enabled = False
        self.check_nan = True
        self.check_inf = False


_state = _State()
_lock = threading.Lock()
_values: WeakKeyDictionary[Node, dict[int, Any]] = WeakKeyDictionary()
_saved: WeakKeyDictionary[Node, tuple[Any, ...]] = WeakKeyDictionary()


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on."""
    return _state.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether a gradient that is nan is an error in anomaly mode."""
    return _state.check_nan


def value_of(node: Node, nr: int) -> Any:
    """Return the array that output ``nr`` of ``node`` had when it was made, or None where it was not kept."""
    return _values.get(node, {}).get(nr)


def saved_of(node: Node) -> tuple[Any, ...]:
    """Return what ``node`` saved when it was made, also after a pass has freed it."""
    return _saved.get(node, ())


def _note_node(node: Node) -> None:
    _saved[node] = node.saved
    frames = [(frame, line) for frame, line in traceback.walk_stack(None) if users(frame)]
    node.metadata["traceback_"] = traceback.StackSummary.extract(iter(frames[::-1])).format()


def _note_tensor(tensor: Tensor) -> None:
    if tensor._fn is not None:
        _values.setdefault(tensor._fn, {}).setdefault(tensor._nr, tensor._array)


class AnomalyPass(Pass):
    """A backward pass that looks at each contribution."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.arrived: Any = None
        self.first: dict[Node, Bad] = {}  # for nodes at which something arrived that is not finite: where it went so

    def follow(self, node: Node, g: Any) -> tuple[Node | None, Any]:
        """Take no short way: each node is looked at."""
        return node, g

    def step(self, node: Node, g: Any) -> None:
        """Check what arrived, which is bad here only where the seed or a sum of contributions is, and run the node."""
        if node not in self.first:
            for part in g if node.multi else (g,):
                where = bad_index(part, everything=True)
                if where is not None:
                    self.first[node] = here = bad(node, None, part, where)
                    if _state.check_inf:
                        raise bad_gradient(here, here)
        self.arrived = g
        super().step(node, g)

    def spread(self, node: Node, grads: Any) -> None:
        """Check the contributions to the inputs and send them on."""
        for i, parent in enumerate(node.parents):
            where = None if parent is None else bad_index(grads[i], everything=True)
            if parent is None or where is None:
                continue
            here = bad(node, i, grads[i], bad_index(grads[i]) or where, self.arrived)
            first = self.first.get(node, here)
            if bad_index(grads[i]) is not None:
                raise bad_gradient(here, first)
            self.first.setdefault(parent, first)
        super().spread(node, grads)


def bad_index(g: Any, everything: bool = False) -> tuple[int, ...] | None:
    """Return where ``g`` has its first value that is an error in the present mode, or that is not finite."""
    array = None if g is None else array_of(g)
    if array is None or array.dtype.kind not in "fc":
        return None
    if everything:
        found = ~np.isfinite(array)
    else:
        found = np.zeros(array.shape, bool)
        if _state.check_nan:
            found |= np.isnan(array)
        if _state.check_inf:
            found |= np.isinf(array)
    return tuple(int(k) for k in np.argwhere(found)[0]) if found.any() else None


def _set(enabled: bool, check_nan: bool, check_inf: bool) -> tuple[bool, bool, bool]:
    """Switch the mode; return what it was."""
    with _lock:
        before = (_state.enabled, _state.check_nan, _state.check_inf)
        _state.enabled, _state.check_nan, _state.check_inf = enabled, check_nan, check_inf
        if enabled and not before[0]:
            watch_nodes(_note_node)
            watch_tensors(_note_tensor)
            special.append(AnomalyPass)
        elif before[0] and not enabled:
            unwatch_nodes(_note_node)
            unwatch_tensors(_note_tensor)
            special.remove(AnomalyPass)
        return before


class set_detect_anomaly:
    """``set_detect_anomaly(True)`` switches anomaly mode at once; with ``with`` the former mode comes back.

    With ``check_nan`` a gradient that is nan is a RuntimeError that names the operation it comes from; with
    ``check_inf``, which PyTorch has not, an infinite one and a bad seed too.
    """

    def __init__(self, mode: bool, check_nan: bool = True, *, check_inf: bool = False) -> None:
        self._before = _set(bool(mode), check_nan, check_inf)

    def __enter__(self) -> None:
        """Stay in the mode that is set already."""

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _set(*self._before)


class detect_anomaly:
    """``with detect_anomaly():``: anomaly mode inside; see ``set_detect_anomaly``."""

    def __init__(self, check_nan: bool = True, *, check_inf: bool = False) -> None:
        self._wanted = (True, check_nan, check_inf)
        self._before: list[tuple[bool, bool, bool]] = []

    def __enter__(self) -> None:
        self._before.append(_set(*self._wanted))

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _set(*self._before.pop())

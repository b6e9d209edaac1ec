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

from gradcli.autograd.anomaly_report import bad_gradient
from gradcli.autograd.backward import Pass, special
from gradcli.autograd.node import Node
from gradcli.autograd.record import outside
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


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on."""
    return _state.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether a gradient that is nan is an error in anomaly mode."""
    return _state.check_nan


def value_of(node: Node, nr: int) -> Any:
    """Return the array that output ``nr`` of ``node`` had when it was made, or None where it was not kept."""
    return _values.get(node, {}).get(nr)


def _note_node(node: Node) -> None:
    frames = [frame for frame in traceback.extract_stack() if outside(frame.filename)]
    node.metadata["traceback_"] = traceback.StackSummary.from_list(frames).format()


def _note_tensor(tensor: Tensor) -> None:
    if tensor._fn is not None:
        _values.setdefault(tensor._fn, {}).setdefault(tensor._nr, tensor._array)


class AnomalyPass(Pass):
    """A backward pass that looks at each contribution."""

    arrived: Any = None

    def follow(self, node: Node, g: Any) -> tuple[Node | None, Any]:
        """Take no short way: each node is looked at."""
        return node, g

    def step(self, node: Node, g: Any) -> None:
        """Check what arrived, which is bad here only where the seed or a sum of contributions is, and run the node."""
        if _state.check_inf:
            for nr, part in enumerate(g if node.multi else (g,)):
                where = bad_index(part)
                if where is not None:
                    raise bad_gradient(node, None, part, where, nr)
        self.arrived = g
        super().step(node, g)

    def spread(self, node: Node, grads: Any) -> None:
        """Check the contributions to the inputs and send them on."""
        for i, g in enumerate(grads):
            where = bad_index(g) if i < len(node.parents) and node.parents[i] is not None else None
            if where is not None:
                raise bad_gradient(node, i, g, where, 0, self.arrived)
        super().spread(node, grads)


def bad_index(g: Any) -> tuple[int, ...] | None:
    """Return where ``g`` has its first value that is an error in the present mode."""
    array = np.asarray(g._array if isinstance(g, Tensor) else g) if g is not None else None
    if array is None or array.dtype.kind not in "fc":
        return None
    bad = np.zeros(array.shape, bool)
    if _state.check_nan:
        bad |= np.isnan(array)
    if _state.check_inf:
        bad |= np.isinf(array)
    return tuple(int(k) for k in np.argwhere(bad)[0]) if bad.any() else None


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

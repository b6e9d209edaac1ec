"""Looking at every node and tensor that is made, for the few features that need it: free while none of them is on.

While at least one watcher is there, the constructors of ``Node`` and ``Tensor`` are other functions, which call the
watchers too; without any, they are the plain ones again. What is made without them is shown by ``watched.look``.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from gradcli.autograd.node import AccumulateGrad, Node, watched
from gradcli.autograd.tensor import Tensor

_lock = threading.Lock()
_node_init = Node.__init__
_tensor_init = Tensor.__init__
_nodes: Counter[Callable[[Node], None]] = Counter()  # how often each watcher is wanted; it is called once
_tensors: Counter[Callable[[Tensor], None]] = Counter()


def _watched_node(node: Node, *args: Any) -> None:
    _node_init(node, *args)
    if node.__class__ is not AccumulateGrad:
        for watcher in list(_nodes):
            watcher(node)


def _watched_tensor(tensor: Tensor, array: Any, fn: Node | None = None, rg: bool = False, nr: int = 0) -> None:
    _tensor_init(tensor, array, fn, rg, nr)
    if array is not None:
        for watcher in list(_tensors):
            watcher(tensor)


def _look(node: Node, tensor: Tensor) -> None:
    for watcher in list(_nodes):
        watcher(node)
    for looker in list(_tensors):
        looker(tensor)


watched.look = _look


def _change(watchers: Counter[Any], watcher: Callable[..., None], by: int) -> None:
    with _lock:
        watchers[watcher] += by
        if not watchers[watcher]:
            del watchers[watcher]
        Node.__init__ = _watched_node if _nodes else _node_init  # type: ignore[assignment, method-assign]
        watched.on = bool(_nodes or _tensors)
        Tensor.__init__ = _watched_tensor if _tensors else _tensor_init  # type: ignore[assignment, method-assign]


def watch_nodes(watcher: Callable[[Node], None]) -> None:
    """Call ``watcher(node)`` for each operation that is recorded from now on, in every thread."""
    _change(_nodes, watcher, 1)


def unwatch_nodes(watcher: Callable[[Node], None]) -> None:
    """Undo one ``watch_nodes``."""
    _change(_nodes, watcher, -1)


def watch_tensors(watcher: Callable[[Tensor], None]) -> None:
    """Call ``watcher(tensor)`` for each tensor that is made from now on, in every thread."""
    _change(_tensors, watcher, 1)


def unwatch_tensors(watcher: Callable[[Tensor], None]) -> None:
    """Undo one ``watch_tensors``."""
    _change(_tensors, watcher, -1)

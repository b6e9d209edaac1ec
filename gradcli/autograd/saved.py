"""What a user reads off a node: its ``_saved_*`` values, and the node called by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.autograd.node import Freed, Node, freed

if TYPE_CHECKING:
    from gradcli.autograd.tensor import Tensor

_PYTORCH = {"input": "self", "out": "result"}  # PyTorch's words for ours
_PREFIX = "_saved_"


def properties(primitive: Any) -> dict[str, property]:
    """Return the ``_saved_*`` attributes of a primitive's node classes: what any rule of the operation needs."""
    return {_PREFIX + _PYTORCH.get(name, name): _reading(name) for name in primitive.rule_values()}


def _reading(name: str) -> property:
    return property(lambda node: read(node, name), doc=f"The saved value of {name}.")


def read(node: Node, name: str) -> Any:
    """Return a saved value: the very tensor for an input, a tensor on the same memory for the result, None where not
    saved.

    RuntimeError for a tensor that a backward pass has freed.
    """
    if name not in node.saved_names:
        return None
    k = node.saved_names.index(name)
    if node.saved.__class__ is Freed and node.saved_tensors[k]:
        raise freed(node)
    return _shown(node, name, node.saved[k])


def _shown(node: Node, name: str, value: Any) -> Any:
    from gradcli.autograd.codegen import again, plain
    from gradcli.autograd.construct import tensor

    if hasattr(value, "unpacker"):
        return value.unpack(node, node.saved_names.index(name))
    if name == "out" and not node.multi:
        return again(node, value, 0)
    if name in node.primitive.arrays and isinstance(plain(value), (bool, int, float, complex)):
        return tensor(plain(value))
    return value


def call(node: Node, g: Tensor) -> Any:
    """Return the cotangents of the node's inputs for the cotangent ``g`` of its output: one vector-Jacobian product by
    hand.
    """
    if node.saved.__class__ is not tuple:
        raise freed(node)
    grads = node.run_graph(g)
    return grads[0] if len(grads) == 1 else tuple(grads)

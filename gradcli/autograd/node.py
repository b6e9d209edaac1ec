"""Graph nodes: what one recorded operation keeps for the backward pass.

A node points at the nodes that made its inputs and never at its own tensor, so a graph is acyclic and reference
counts free it. A node is always younger than the nodes it points at (``seq`` grows), which is what lets the backward
loop take ready nodes by falling ``seq`` without counting dependencies first.
"""

from __future__ import annotations

import itertools
import weakref
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from gradcli.autograd.errors import error
from gradcli.autograd.record import place

if TYPE_CHECKING:
    from gradcli.autograd.tensor import Tensor
    from gradcli.autograd.views import Known

next_seq = itertools.count().__next__


class Watched:
    """Whether anybody wants to see each node and tensor that is made, and what to call with those of an operation."""

    __slots__ = ("look", "on")

    def __init__(self) -> None:
        self.on = False
        self.look: Any = None


watched = Watched()


class Storage:
    """The version counter of one piece of memory, shared by a tensor, its views and what ``detach`` gives.

    ``views`` are weak references to the views made on it, None before the first; ``written`` is the place of the last
    write, None before the first.
    """

    __slots__ = ("version", "views", "written")

    inference: ClassVar[bool] = False  # made in inference_mode

    def __init__(self) -> None:
        self.version = 0
        self.views: Known | None = None
        self.written: Place | None = None

    def wrote(self) -> None:
        """Count a write and note where the user's code made it."""
        self.version += 1
        self.written = Place(*place(1))

    def known_version(self) -> int:
        """Return the number of writes, for who relies on it; RuntimeError where nobody counts."""
        return self.version

    def check_may_record(self) -> None:
        """Raise where the memory may have no part in a recorded graph."""


class OldValue(Storage):
    """The counter of a value that is about to be overwritten: who keeps such a value must copy it."""

    __slots__ = ()


class Place(NamedTuple):
    """A place in the user's code: what a diagnostic needs of a node, for what has no node."""

    code: CodeType | None
    lasti: int


class Freed(tuple[Any, ...]):
    """The saved values of a node whose tensors were freed by a backward pass; plain numbers stay readable."""

    __slots__ = ()


class Rare:
    """What few nodes have: hooks, metadata, versions of saved tensors that had been written before, a shared storage.
    """

    __slots__ = ("hooks", "levels", "lifted", "metadata", "storages", "versions")

    def __init__(self) -> None:
        self.hooks: Any = None
        self.levels: frozenset[int] = frozenset()  # at which the results are lifted
        self.lifted = False  # made on lifted tensors: its rule runs on tensors in every pass
        self.metadata: dict[str, Any] | None = None
        self.versions: tuple[int, ...] | None = None
        self.storages: dict[int, Storage] | None = None


class Node:
    """One recorded operation. Subclasses are made per primitive and named as PyTorch names them (``MulBackward0``).

    ``parents`` are the nodes of the differentiable inputs (None for a constant), ``numbers`` the output number of each
    edge (None when all are 0), ``saved`` what the rules need, ``shape``/``dtype`` those of the output (tuples of them
    for an operation of several outputs), ``code``/``lasti`` the place in the user's code, resolved to a span only when
    shown.
    """

    __slots__ = ("__weakref__", "code", "dtype", "lasti", "numbers", "parents", "rare", "saved", "seq", "shape")

    save: ClassVar[Any]  # (args, out, params) -> the values to save; made for each subclass
    multi: ClassVar[bool] = False  # several outputs: cotangents come as a list
    primitive: ClassVar[Any] = None
    saved_names: ClassVar[tuple[str, ...]] = ()
    saved_kinds: ClassVar[tuple[str, ...]] = ()  # of each: input, out, number, param or variadic
    saved_tensors: ClassVar[tuple[bool, ...]] = ()  # which saved values a backward pass frees
    frees: ClassVar[bool] = False  # any of them
    reads: ClassVar[bool] = False  # whether an input is saved, whose version counts
    # Where just one input needs a cotangent: its number, (node, g) -> the cotangent on raw arrays, and the two above.
    plan: ClassVar[tuple[int, Any, bool, bool] | None] = None
    forks: ClassVar[bool] = False  # several inputs and one output, with rules on raw arrays
    emptied: ClassVar[Freed | None] = None  # what is left of ``saved`` after a release, where nothing of it stays

    def __init__(
        self,
        parents: tuple[Node | None, ...],
        numbers: tuple[int, ...] | None,
        saved: tuple[Any, ...],
        shape: Any,
        dtype: Any,
        seq: int,
        code: CodeType | None,
        lasti: int,
    ) -> None:
        self.parents = parents
        self.numbers = numbers
        self.saved = saved
        self.shape = shape
        self.dtype = dtype
        self.seq = seq
        self.code = code
        self.lasti = lasti
        self.rare: Rare | None = None

    # -- what the backward loop calls; made for each subclass ---------------------------------------------------------
    def run(self, g: Any) -> tuple[Any, ...]:
        """Return the cotangent of each input from the output's, on raw arrays."""
        raise NotImplementedError

    def run_graph(self, g: Any) -> tuple[Any, ...]:
        """Return the cotangent of each input from the output's, as recorded tensor operations."""
        raise NotImplementedError

    def release(self) -> None:
        """Free the saved tensors; a later backward pass through this node is then an error."""
        if self.emptied is not None:
            self.saved = self.emptied
        elif self.frees:
            self.saved = Freed(None if t else v for t, v in zip(self.saved_tensors, self.saved, strict=True))

    def rarely(self) -> Rare:
        """Return the record of rare properties, made at the first use."""
        if self.rare is None:
            self.rare = Rare()
        return self.rare

    # -- what a user sees ---------------------------------------------------------------------------------------------
    def name(self) -> str:
        """Return PyTorch's name of the node, such as ``MulBackward0``."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The edges to the inputs' nodes: pairs of a node (None for a constant) and the number of its output."""
        return tuple(zip(self.parents, self.numbers or itertools.repeat(0), strict=False))

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary of the user's own."""
        rare = self.rarely()
        if rare.metadata is None:
            rare.metadata = {}
        return rare.metadata

    def _sequence_nr(self) -> int:
        """Return the number that grows with each recorded operation."""
        return self.seq

    def register_hook(self, hook: Any) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` after this node has run; what it returns replaces grad_inputs."""
        from gradcli.autograd.hooks import node_hooks, register

        return register(node_hooks(self).post, hook)

    def register_prehook(self, hook: Any) -> Any:
        """Call ``hook(grad_outputs)`` before this node runs; what it returns replaces them."""
        from gradcli.autograd.hooks import node_hooks, register

        return register(node_hooks(self).pre, hook)

    def __call__(self, g: Any) -> Any:
        """Return the cotangents of the inputs for the cotangent ``g`` of the output."""
        from gradcli.autograd.saved import call

        return call(self, g)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


class AccumulateGrad(Node):
    """The node of a leaf: adds what arrives to the leaf's ``.grad``."""

    __slots__ = ("variable",)

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable  # written out, not by super(): each use of a leaf may make one
        try:
            array = variable._array
            self.shape, self.dtype = array.shape, array.dtype
        except RuntimeError:  # a batched tensor keeps its array to itself
            self.shape, self.dtype = tuple(variable.shape), variable._element
        self.parents = self.saved = ()
        self.numbers = self.code = self.rare = None
        self.seq, self.lasti = next_seq(), -1


def edge_of(tensor: Tensor) -> Node:
    """Return the node that a consumer of ``tensor`` points at: its grad_fn, or the accumulator of a leaf."""
    if tensor._view is not None:
        tensor._view.refresh(tensor)
    if tensor._fn is not None:
        return tensor._fn
    known = tensor._acc
    node = None if known is None else known()
    if node is None:
        node = AccumulateGrad(tensor)
        tensor._acc = weakref.ref(node)
    return node


def storage_of(tensor: Tensor) -> Storage:
    """Return the version counter of ``tensor``, made at the first write or alias.

    Until then nobody can have changed the memory, so a missing counter means version 0; the node that saved the tensor
    as its result learns of the counter here, since it keeps no reference to the tensor.
    """
    storage: Storage | None = tensor._storage
    if storage is None:
        storage = tensor._storage = Storage()
        fn = tensor._fn
        if fn is not None and tensor._view is None:
            rare = fn.rarely()
            if rare.storages is None:
                rare.storages = {}
            rare.storages[tensor._nr] = storage
    return storage


def stale(node: Node, name: str, storage: Storage, expected: int, shape: tuple[int, ...], dtype: Any) -> Exception:
    """Return the error of a saved value that was overwritten before backward read it: it shows both expressions."""
    places: list[tuple[Any, str]] = [(node, "this expression saved the value")]
    if storage.written is not None:
        places.append((storage.written, "this overwrote it"))
    role = "its result" if name == "out" else f"its operand `{name}`"
    return error(
        RuntimeError,
        "inplace-modified",
        f"{node.name()} needs {role}, a {dtype} tensor of shape {tuple(shape)}, but an in-place operation has "
        f"overwritten it since: found version {storage.version}, expected version {expected}",
        hint="use the out-of-place form (y = y + 1 instead of y += 1), or clone() the value before changing it",
        nodes=places,
        about=storage,
    )


def freed(node: Node) -> Exception:
    """Return the error of a second backward pass through freed values."""
    return error(
        RuntimeError,
        "graph-freed",
        f"backward needs what {node.name()} saved, but an earlier backward pass has freed it",
        hint="pass retain_graph=True to the first backward, or compute the expression again",
        nodes=[(node, "its saved values are gone")],
    )

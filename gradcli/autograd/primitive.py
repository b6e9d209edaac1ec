"""Primitives: a forward function on ndarrays with its reverse rule, and the node classes made from them.

A rule names what it needs by its arguments: ``g`` (the cotangent of the output), names of the inputs, ``out`` (the
result), names of parameters, ``needs`` (which inputs want a cotangent). Just those values are saved. The same text of a
rule runs on raw ndarrays (plain backward) and on tensors (``create_graph=True``), so it may use operators, public ops
and ``shape``/``ndim``, nothing that only one of the two has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.mode import mode
from gradcli.autograd.node import Node, edge_of, next_seq, stale
from gradcli.autograd.record import place
from gradcli.autograd.tensor import Tensor

Rule = Callable[..., Any]
FLOATING = "fc"
_NUMBERS = (bool, int, float, complex)
_ARRAYS = (np.ndarray, np.generic)
OPERANDS = (Tensor, np.ndarray, np.generic, *_NUMBERS, list, tuple)  # what an operation can take for a tensor


def rule_names(rule: Rule) -> tuple[str, ...]:
    """Return the argument names of a rule (keyword-only ones too)."""
    code = rule.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def camel(name: str) -> str:
    """Return ``logsumexp`` -> ``Logsumexp``, ``log_softmax`` -> ``LogSoftmax``: PyTorch's way from op to node name."""
    return "".join(part[:1].upper() + part[1:] for part in name.strip("_").split("_"))


class Primitive:
    """An operation that the graph records as one node.

    ``forward(*arrays, **params)`` works on ndarrays and returns one array, or a tuple where ``multi``. ``vjp`` is a
    dictionary from input name to rule, or one rule with ``needs`` that returns a tuple (for shared work and variadic
    inputs), or None (never recorded), or a string (recorded, and an error with these words when backward comes).
    ``view`` says that the result shares memory with the first input. ``batch`` is how it runs under vmap:
    "elementwise", the names of parameters that are dimensions or shapes, or a rule (``gradcli.ops.batching``).
    """

    __slots__ = (
        "_classes",
        "arrays",
        "batch",
        "edges",
        "forward",
        "jvp",
        "multi",
        "name",
        "node_name",
        "promotes",
        "smooth",
        "to_float",
        "variadic",
        "view",
        "vjp",
    )

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        vjp: dict[str, Rule] | Rule | str | None,
        *,
        node: str | None = None,
        promotes: bool = False,
        to_float: bool = False,
        view: bool = False,
        multi: bool = False,
        jvp: Rule | None = None,
        batch: Any = None,
    ) -> None:
        code = forward.__code__ if hasattr(forward, "__code__") else None
        self.name = name
        self.forward = forward
        self.vjp = vjp
        self.jvp = jvp
        self.batch = batch
        self.node_name = node or camel(name) + "Backward0"
        self.variadic = bool(code and code.co_flags & 0x04)
        if code is not None:
            self.arrays = code.co_varnames[: code.co_argcount]
        else:
            self.arrays = ("input", "other")[: getattr(forward, "nin", 1)]
        self.edges = _edges(self.arrays, vjp)
        self.smooth: tuple[bool, ...] | None = None  # which inputs have a rule; None: all
        if isinstance(vjp, dict) and not self.variadic and any(name not in vjp for name in self.arrays):
            self.smooth = tuple(name in vjp for name in self.arrays)
        self.promotes = promotes
        self.to_float = to_float
        self.view = view
        self.multi = multi
        self._classes: dict[Any, type[Node]] = {}

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"

    @property
    def variadic_name(self) -> str:
        """The name of the forward function's ``*tensors``."""
        code = self.forward.__code__
        return str(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])

    @property
    def elementwise(self) -> bool:
        """Whether each element of the result depends on those of the inputs at its place alone."""
        by_default = isinstance(self.forward, np.ufunc) or (self.promotes and not self.variadic)
        return self.batch == "elementwise" or (self.batch is None and by_default)

    def rule_values(self) -> list[str]:
        """Return the names of all values that any rule of this primitive needs."""
        rules = list(self.vjp.values()) if isinstance(self.vjp, dict) else [self.vjp] if callable(self.vjp) else []
        names = [name for rule in rules for name in rule_names(rule)]
        return [n for n in dict.fromkeys(names) if n not in ("g", "needs")]

    # -- calling ------------------------------------------------------------------------------------------------------
    def __call__(self, *args: Any, **params: Any) -> Any:
        """Apply to tensors, arrays, numbers or lists; on raw ndarrays alone it is the forward function."""
        raw: list[Any] = []
        mask: list[bool] = []
        tensors = False
        for a in args:
            if a.__class__ is Tensor:
                tensors = True
                raw.append(a._array)
                mask.append(a._rg)
            elif a is None or isinstance(a, _NUMBERS):
                raw.append(a)
                mask.append(False)
            else:
                return self._any(args, params)
        if not tensors:
            return self._any(args, params)
        return self._wrap(args, params, self._run(raw, params), mask)

    def _any(self, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Apply to whatever is not tensors and numbers alone."""
        for arg in args:
            if isinstance(arg, (Tensor, list, tuple)):
                return self._apply(args, params)
        if args and not any(isinstance(a, _ARRAYS) for a in args):  # Python numbers alone make a tensor
            return self._apply((as_tensor(args[0]), *args[1:]), params)
        return self.forward(*self._prepare(args), **params)

    def _apply(self, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Run the forward function on the arrays behind ``args`` and record a node where one of them requires grad."""
        from gradcli.autograd.lifted import apply_lifted, top_level

        args = tuple(a if a is None or isinstance(a, _NUMBERS) else as_tensor(a) for a in args)
        top = top_level(args)
        if top is not None:
            return apply_lifted(top, self, args, params)
        out = self._run([a._array if isinstance(a, Tensor) else a for a in args], params)
        return self._wrap(args, params, out, [isinstance(a, Tensor) and a._rg for a in args])

    def _run(self, raw: list[Any], params: dict[str, Any]) -> Any:
        if self.promotes or self.to_float:
            raw = self._prepare(raw)
        try:
            return self.forward(*raw, **params)
        except ValueError:
            if not self.promotes:
                raise
            from gradcli.autograd.fast import mismatch

            raise mismatch(self, [np.shape(a) for a in raw]) from None

    def _prepare(self, raw: Any) -> Any:
        """Bring the arrays to the dtype PyTorch computes in."""
        if self.promotes:
            return promoted(raw, self.to_float)
        if self.to_float:
            from gradcli.autograd.dtypes import default

            kind = default.dtype.numpy
            return [a.astype(kind) if isinstance(a, _ARRAYS) and a.dtype.kind in "biu" else a for a in raw]
        return raw

    def _wrap(self, args: tuple[Any, ...], params: dict[str, Any], out: Any, mask: list[bool]) -> Any:
        """Return the tensor(s) of the raw result, recorded where recording is on and an input requires grad."""
        node = None
        if True in mask and mode.enabled and self.vjp is not None:
            if self.smooth is not None:
                mask = [m and s for m, s in zip(mask, self.smooth, strict=False)]
            if True in mask:
                node = self.record(args, params, out, tuple(mask))
        if self.multi:
            outs = tuple(np.asarray(o) for o in out)
            made: Any = tuple(_output(o, node if o.dtype.kind in FLOATING else None, i) for i, o in enumerate(outs))
        else:
            array = out if out.__class__ is np.ndarray else np.asarray(out)
            made = Tensor(array) if node is None or array.dtype.kind not in FLOATING else Tensor(array, node, True)
        if self.view:
            from gradcli.autograd.views import mark_view

            mark_view(self, args[0], params, made)
        return made

    def differentiates(self, index: int) -> bool:
        """Return whether the input at ``index`` has a rule."""
        return self.smooth is None or self.smooth[index]

    def record(self, args: tuple[Any, ...], params: dict[str, Any], out: Any, mask: tuple[bool, ...]) -> Node:
        """Return the new node of this application."""
        numbers, parents, several, counted = [], [], False, False
        for a, m in zip(args, mask, strict=True):
            tensor = isinstance(a, Tensor)
            numbers.append(not tensor)
            parents.append(edge_of(a) if m else None)
            if tensor:
                several = several or a._nr > 0
                counted = counted or a._storage is not None
        key = (mask, tuple(numbers))
        cls = self._classes.get(key) or self.node_class(*key)
        if self.multi:
            outs = [np.asarray(o) for o in out]
            shape: Any = tuple(o.shape for o in outs)
            dtype: Any = tuple(o.dtype for o in outs)
        else:
            shape, dtype = out.shape, out.dtype
        edges = self.edges
        nrs = tuple([a._nr if m else 0 for a, m in zip(args, mask, strict=True)])[:edges] if several else None
        code, lasti = place(2)
        saved = cls.save(args, out, params)
        node = cls(tuple(parents[:edges]), nrs, saved, shape, dtype, next_seq(), code, lasti)
        if counted and cls.reads:
            note_versions(node)
        return node

    # -- node classes -------------------------------------------------------------------------------------------------
    def node_class(self, mask: tuple[bool, ...], numbers: tuple[bool, ...]) -> type[Node]:
        """Return the node class for inputs of which ``mask`` need a cotangent and ``numbers`` are not tensors."""
        key = (mask, numbers)
        found = self._classes.get(key)
        if found is None:
            from gradcli.autograd.codegen import make_node_class

            found = self._classes[key] = make_node_class(self, mask, numbers)
        return found


def _edges(arrays: tuple[str, ...], vjp: Any) -> int | None:
    """Return how many leading arrays are edges of the graph: trailing ones without a rule (indices, masks) are none."""
    with_rule = [k for k, name in enumerate(arrays) if isinstance(vjp, dict) and name in vjp]
    return with_rule[-1] + 1 if with_rule else None


def _output(array: np.ndarray[Any, Any], node: Node | None, nr: int) -> Tensor:
    return Tensor(array, node, node is not None, nr)


def note_versions(node: Node) -> None:
    """Keep the versions of saved inputs that have been written before they were saved."""
    versions: list[Any] | None = None
    for k, value in enumerate(node.saved):
        if value.__class__ is tuple:
            several = tuple([version_of(v) for v in value])
            version: Any = several if any(several) else 0
        else:
            version = version_of(value)
        if version:
            if versions is None:
                versions = [0] * len(node.saved)
            versions[k] = version
    if versions is not None:
        node.rarely().versions = tuple(versions)


def version_of(value: Any) -> int:
    """Return how often the memory of a saved value has been written, as far as anybody counts."""
    storage = value._storage if isinstance(value, Tensor) else None
    return 0 if storage is None else int(storage.known_version())


def checked(node: Node, k: int) -> None:
    """Raise the in-place error if saved input ``k`` was written after ``node`` saved it."""
    value = node.saved[k]
    storage = value._storage
    expected = node.rare.versions[k] if node.rare is not None and node.rare.versions is not None else 0
    if storage is not None and storage.version != expected:
        raise stale(node, node.saved_names[k], storage, expected, value._array.shape, value._array.dtype)


def checked_all(node: Node, k: int) -> None:
    """Raise the in-place error if one of the saved inputs at ``k`` was written after ``node`` saved them."""
    values = node.saved[k]
    known: Any = node.rare.versions[k] if node.rare is not None and node.rare.versions is not None else 0
    for value, expected in zip(values, known or (0,) * len(values), strict=True):
        if version_of(value) != expected:
            raise stale(node, node.saved_names[k], value._storage, expected, value._array.shape, value._array.dtype)


def checked_out(node: Node, k: int, array: Any) -> None:
    """Raise the in-place error if the saved result was written after ``node`` saved it."""
    rare = node.rare
    if rare is None or rare.storages is None:
        return
    expected = rare.versions[k] if rare.versions is not None else 0
    for nr, storage in rare.storages.items():
        if storage.version != expected:
            shape, dtype = (node.shape[nr], node.dtype[nr]) if node.multi else (node.shape, node.dtype)
            raise stale(node, "out", storage, expected, shape, dtype)


def promoted(raw: Any, to_float: bool = False) -> Any:
    """Bring elementwise operands, of which Python numbers are weak, to their common dtype (a float on request)."""
    if _are_alike(raw):
        return raw
    from gradcli.autograd.dtypes import default, result_type

    operands = [a for a in raw if a is not None]
    dtype = result_type(operands).numpy
    if to_float and dtype.kind in "biu":
        dtype = default.dtype.numpy
    return [a if a is None else _cast(a, dtype) for a in raw]


def _are_alike(raw: Any) -> bool:
    """Return whether all operands are arrays of one floating dtype: the common case, in which nothing is to be done."""
    dtype = None
    for a in raw:
        if a.__class__ is not np.ndarray or (dtype is not None and a.dtype is not dtype):
            return False
        dtype = a.dtype
    return dtype is not None and dtype.kind in FLOATING


def _cast(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, np.ndarray):
        return value if value.dtype == dtype else value.astype(dtype)
    if isinstance(value, np.generic):
        return value if value.dtype == dtype else value.astype(dtype)
    try:
        return dtype.type(value)
    except OverflowError:  # an integer wraps around, as in PyTorch
        return np.int64(value).astype(dtype)


def as_tensor(value: Any) -> Tensor:
    """Return a constant tensor of a list, number or ndarray; TypeError for anything else."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, (list, tuple, *_NUMBERS, np.generic)):
        from gradcli.autograd.construct import tensor

        return tensor(value)
    raise error(
        TypeError,
        "not-a-tensor",
        f"expected a tensor, got {type(value).__name__}",
        hint="tensor([...]) makes one from numbers",
    )

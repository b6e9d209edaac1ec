"""Batches: the function inside ``vmap`` sees one sample, every operation works on all of them at once.

A batched tensor holds its samples along the first axis of its value. An operation finds its batch rule (how its
arguments and parameters look with one more axis in front) in the rows' table; one without a rule runs sample by sample.
What needs plain values where there are many (a Python condition, ``item()``) is refused, as PyTorch refuses it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted, NeedsLoop, bare_of, levels_of, within
from gradcli.autograd.mode import mode, no_grad
from gradcli.autograd.node import Node, edge_of, next_seq
from gradcli.autograd.record import place
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor

if TYPE_CHECKING:
    from gradcli.autograd.primitive import Primitive


class Batched(Lifted):
    """Samples along axis 0 of ``_value``, at one level of vmap."""

    __slots__ = ()

    @property
    def _array(self) -> Any:
        raise NeedsLoop("a batched tensor has no single array")

    @_array.setter
    def _array(self, array: Any) -> None:
        """Ignore the array that the plain tensor would hold."""

    @property
    def shape(self) -> Size:
        """The shape of one sample."""
        return Size(tuple(self._value.shape)[1:])

    @property
    def ndim(self) -> int:
        """The number of dimensions of one sample."""
        return self._value.ndim - 1

    @property
    def size_of_batch(self) -> int:
        """The number of samples."""
        return int(self._value.shape[0])

    def bare(self) -> Batched:
        """Return the same samples without a place in the graph."""
        return Batched(bare_of(self._value), self._level)

    def detach(self) -> Tensor:
        """Return the same samples as constants."""
        return Batched(self._value.detach(), self._level)

    def around(self, change: Callable[[Tensor, int], Tensor]) -> Lifted:
        """Return the same batch around what ``change`` makes of its value."""
        return Batched(change(self._value, 1), self._level)

    def closing(self, g: Tensor) -> Tensor:
        """Return the sum over the samples: each of them used the one value outside."""
        return unbatch(g, 0, self._level, self.size_of_batch).sum(0)

    def lift(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Carry the operation out on all samples at once, by its batch rule, or else sample by sample."""
        level = self._level
        flags = tuple(isinstance(a, Batched) and a._level == level for a in args)
        values = tuple(a._value if f else a for a, f in zip(args, flags, strict=True))
        size = self.size_of_batch
        rule = Lifted.batch_rule(primitive)
        out = (
            loop(primitive, size, flags, values, params)
            if rule is None
            else rule(primitive, size, flags, values, params)
        )
        cls = Constant if any(a.__class__ is Constant for a in args) else Batched
        for one in out if primitive.multi else (out,):
            if one.shape[0] != size:
                raise error(RuntimeError, "vmap-lost-batch", f"the batch rule of {primitive.name} gave shape "
                            f"{tuple(one.shape)} for a batch of {size}")
        return tuple(cls(o, level) for o in out) if primitive.multi else cls(out, level)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Refuse (RuntimeError): inside vmap gradients come from ``func.grad`` and its relatives."""
        raise error(
            RuntimeError, "vmap-requires-grad", "requires_grad_() has no meaning inside vmap",
            hint="func.grad(f) inside, or requires_grad_() on the batch outside")

    def item(self) -> Any:
        """Refuse: there is one number a sample (RuntimeError)."""
        raise _refusal("item()")

    def tolist(self) -> Any:
        """Refuse: there is one list a sample (RuntimeError)."""
        raise _refusal("tolist()")

    def numpy(self, *, force: bool = False) -> Any:
        """Refuse: there is one array a sample (RuntimeError)."""
        raise _refusal("numpy()")

    def _number(self, kind: str) -> Any:
        raise _refusal(f"making {kind} of it")

    def __bool__(self) -> bool:
        raise _refusal("a Python condition on it", hint="torch.where(condition, a, b) works on all samples at once")

    def __index__(self) -> int:
        raise _refusal("using it as a Python index")

    def __repr__(self) -> str:
        return f"BatchedTensor(level={self._level}, samples={self.size_of_batch}, value={self._value!r})"


class Constant(Batched):
    """A batch that a rule reads as a constant: what it asks of NumPy is done on all samples."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **words: Any) -> Any:
        """Apply a ufunc, or its reduction, to each sample."""
        if method == "__call__":
            return _of_ufunc(ufunc)(*inputs, **words)
        if method != "reduce":
            return NotImplemented
        axis = words.pop("axis", 0)
        axis = tuple(range(self.ndim)) if axis is None else axis
        return _reduction(ufunc)(inputs[0], axis=axis, **words)

    def __array_function__(self, func: Any, types: Any, args: Any, words: Any) -> Any:
        """Choose between two for each sample: ``numpy.where``."""
        return _choice(*args) if func is np.where else NotImplemented

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return the same samples in another NumPy dtype."""
        from gradcli.autograd.dtypes import DType, from_numpy_dtype

        return self.to(dtype if isinstance(dtype, DType) else from_numpy_dtype(np.dtype(dtype)))


@cache
def _of_ufunc(ufunc: np.ufunc) -> Primitive:
    from gradcli.autograd.primitive import Primitive

    def forward(*arrays: Any, **words: Any) -> Any:
        return ufunc(*arrays, **words)

    return Primitive(ufunc.__name__, forward, None, batch="elementwise")


@cache
def _reduction(ufunc: np.ufunc) -> Primitive:
    from gradcli.autograd.primitive import Primitive

    def forward(array: Any, *, axis: Any, **words: Any) -> Any:
        return ufunc.reduce(array, axis=axis, **words)

    return Primitive(ufunc.__name__, forward, None, batch=("axis",))


def _choice(condition: Any, a: Any, b: Any) -> Any:
    from gradcli.autograd.primitive import Primitive

    return Primitive("where", _where, None, batch="elementwise")(condition, a, b)


def _where(condition: Any, a: Any, b: Any) -> Any:
    return np.where(condition, a, b)


def constant_of(tensor: Tensor) -> Tensor:
    """Return a batch, under whatever levels, as a constant for a rule; duals lose their tangents."""
    plain = tensor.detach()
    return Constant(plain._value, plain._level) if isinstance(plain, Batched) else plain


def _refusal(what: str, hint: str | None = None) -> Exception:
    return error(
        RuntimeError,
        "vmap-needs-value",
        f"inside vmap a tensor stands for many samples, so {what} has no single answer",
        hint=hint or "return the tensor from the function and look at it outside",
    )


def loop(
    primitive: Primitive, size: int, flags: tuple[bool, ...], values: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    """Apply ``primitive`` to one sample after the other and stack the results.

    RuntimeError for random numbers drawn after a batch: the samples cannot share them.
    """
    if "generator" in params:
        raise error(
            RuntimeError,
            "vmap-randomness",
            "randomness='same' cannot be had for numbers that are drawn after a tensor which differs between samples",
            hint="draw them first, in the shape of one sample: mean + std * randn(...)",
        )
    found = []
    for k in range(size):
        found.append(primitive(*(sample_of(v, k) if f else v for v, f in zip(values, flags, strict=True)), **params))
    if not primitive.multi:
        return stack(found)
    return tuple(stack([one[nr] for one in found]) for nr in range(len(found[0])))


def sample_of(value: Tensor, k: int) -> Tensor:
    """Return sample ``k`` of a value whose first axis is the batch."""
    return value.select(0, k)


def stack(samples: list[Tensor]) -> Tensor:
    """Return the samples as one value with the batch in front."""
    return Lifted.operation("torch.stack")(samples)  # type: ignore[no-any-return]


class BatchBackward0(Node):
    """The crossing into a batch."""

    __slots__ = ()

    def run_graph(self, g: Any) -> tuple[Any, ...]:
        level, axis, size = self.saved
        return (unbatch(g, axis, level, size),)


class UnbatchBackward0(Node):
    """The way out of a batch."""

    __slots__ = ()

    def run_graph(self, g: Any) -> tuple[Any, ...]:
        level, axis, _ = self.saved
        return (batch(g, axis, level),)


def _cross(cls: type[Node], source: Tensor, saved: tuple[Any, ...], out: Tensor) -> Tensor:
    if not mode.enabled or not source._rg:
        return out
    node = cls(
        (edge_of(source),),
        (source._nr,) if source._nr else None,
        saved,
        tuple(out.shape),
        out._element,
        next_seq(),
        *place(3),
    )
    rare = node.rarely()
    rare.lifted = True
    rare.levels = levels_of(out)
    out._fn, out._nr, out._rg = node, 0, True
    return out


def batch(tensor: Tensor, axis: int, level: int) -> Tensor:
    """Return ``tensor`` with its dimension ``axis`` as the batch of ``level``."""
    axis = axis % max(tensor.ndim, 1)

    def entered(inner: Tensor, batches: int) -> Tensor:
        value = bare_of(inner)
        return Batched(value.movedim(axis + batches, 0) if axis + batches else value, level)

    with no_grad():
        out = within(tensor, level, entered)
    return _cross(BatchBackward0, tensor, (level, axis, tensor.shape[axis]), out)


def batch_like(model: Any, made: Tensor) -> Tensor:
    """Return ``made``, a new tensor, with memory of its own for each sample of the batches of ``model``."""
    if not isinstance(model, Lifted):
        return made
    if not isinstance(model, Batched):
        return batch_like(model._value, made)
    wide = Tensor(np.repeat(made._array[None], model.size_of_batch, axis=0))
    return Batched(batch_like(model._value, wide), model._level)


def unbatch(tensor: Any, axis: int, level: int, size: int) -> Tensor:
    """Return all samples of ``tensor`` along dimension ``axis``; a tensor that is the same for all is repeated."""
    if level not in levels_of(tensor):
        return tensor.unsqueeze(0).expand((size, *tensor.shape)).movedim(0, axis)  # type: ignore[no-any-return]
    axis = axis % (tensor.ndim + 1)

    def left(inner: Tensor, batches: int) -> Tensor:
        if isinstance(inner, Batched) and inner._level == level:
            return inner._value.movedim(0, axis + batches) if axis + batches else bare_of(inner._value)
        whole = inner.unsqueeze(0).expand((size, *inner.shape))
        return whole.movedim(0, axis + batches)

    with no_grad():
        out = within(tensor, level, left)
    return _cross(UnbatchBackward0, tensor, (level, axis, size), out)


class _Given:
    """A saved result as it is to be read: a value with a history of its own, not the result of the node at hand."""

    unpacker = True

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def unpack(self, node: Node, k: int) -> Tensor:
        """Return the tensor."""
        return self.tensor


def run_per_sample(node: Node, g: Any) -> tuple[Any, ...]:
    """Run the rule of a lifted node one sample after the other, for a rule that reads plain arrays."""
    saved = tuple(_with_history(node, k, value) for k, value in enumerate(node.saved))
    inside = [v for s in saved for v in (s if s.__class__ is tuple else (s,))]
    batched = [v for v in (*inside, *(g if node.multi else (g,))) if isinstance(v, Batched)]
    if not batched:
        raise error(RuntimeError, "vmap-needs-value", f"the rule of {node.name()} cannot run on a batch")
    level = max(b._level for b in batched)
    size = next(b.size_of_batch for b in batched if b._level == level)
    apart = [_apart(value, level, size) for value in saved]
    gs = _apart(tuple(g) if node.multi else g, level, size)
    rows = [_one_sample(node, [part[k] for part in apart], gs[k]) for k in range(size)]
    return tuple(
        None if column[0] is None else batch(stack([as_value(c) for c in column]), 0, level)
        for column in zip(*rows, strict=True)
    )


def as_value(value: Any) -> Tensor:
    """Return a tensor of what a rule gave."""
    return value if isinstance(value, Tensor) else Tensor(np.asarray(value))


def _with_history(node: Node, k: int, value: Any) -> Any:
    """Return a saved value; a result as an output of its node."""
    if node.saved_names[k] != "out":
        return value
    from gradcli.autograd.codegen import again

    return tuple(again(node, v, nr) for nr, v in enumerate(value)) if node.multi else again(node, value, 0)


def _apart(value: Any, level: int, size: int) -> list[Any]:
    """Return a saved value for each sample: of a batch of this level its samples, of anything else the same."""
    if value.__class__ is tuple:
        return list(zip(*(_apart(v, level, size) for v in value), strict=True)) if value else [value] * size
    if not isinstance(value, Batched) or value._level != level:
        return [value] * size
    whole = unbatch(value, 0, level, size)
    return [sample_of(whole, k) for k in range(size)]


def _one_sample(node: Node, saved: list[Any], g: Any) -> tuple[Any, ...]:
    """Run the rule of ``node`` on what it saved of one sample."""
    values = []
    for name, value in zip(node.saved_names, saved, strict=True):
        if name != "out":
            values.append(value)
        else:
            values.append(tuple(_Given(v) for v in value) if node.multi else _Given(value))
    one = type(node)(node.parents, node.numbers, tuple(values), node.shape, node.dtype, node.seq, node.code, node.lasti)
    one.rarely().lifted = True
    return tuple(one.run_graph(list(g) if node.multi else g))

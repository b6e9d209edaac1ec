"""Dual numbers: forward mode. A dual tensor carries a tangent beside its value, and every operation carries both on.

The tangent of an operation is its Jacobian times the inputs' tangents. It is found by transposing the reverse rule: the
rule is linear in its cotangent u, so the derivative of <rule(u), t> by u is the Jacobian-vector product for t (the
double-vjp identity). An operation may bring its own ``jvp`` where PyTorch's forward mode differs from that at a kink.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.autograd.lifted import Lifted, bare_of, fresh_leaf, levels_of, still_active, top_level, within
from gradcli.autograd.mode import mode, no_grad
from gradcli.autograd.node import Node, edge_of, next_seq
from gradcli.autograd.record import place
from gradcli.autograd.tensor import Tensor

if TYPE_CHECKING:
    from gradcli.autograd.primitive import Primitive


class Dual(Lifted):
    """A value with a tangent of the same shape, at one level of forward mode."""

    __slots__ = ()
    _tangent: Tensor

    def __init__(self, value: Tensor, tangent: Tensor, level: int) -> None:
        super().__init__(value, level)
        self._tangent = tangent

    def bare(self) -> Dual:
        """Return the same value and tangent without a place in the graph."""
        return Dual(bare_of(self._value), bare_of(self._tangent), self._level)

    def detach(self) -> Tensor:
        """Return the value alone, as a constant: ``detach`` blocks tangents too."""
        return self._value.detach()

    def parts(self) -> tuple[Tensor, ...]:
        """Return value and tangent."""
        return self._value, self._tangent

    def around(self, change: Callable[[Tensor, int], Tensor]) -> Lifted:
        """Return a dual tensor of what ``change`` makes of value and tangent."""
        return Dual(change(self._value, 0), change(self._tangent, 0), self._level)

    def closing(self, g: Tensor) -> Tensor:
        """Return the part that belongs to a constant of forward mode: cotangents come swapped, so it is the tangent."""
        tangent = unpack(g, self._level)[1]
        assert tangent is not None
        return tangent

    def lift(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Return the result with its tangent; a result that is not differentiable has none."""
        level = self._level
        mine = [isinstance(a, Dual) and a._level == level for a in args]
        values = tuple(
            a._value if m else bare_of(a) if isinstance(a, Tensor) else a for a, m in zip(args, mine, strict=True)
        )
        out = primitive(*values, **params)
        wanted = tuple(m and primitive.differentiates(i) for i, m in enumerate(mine))
        if primitive.vjp is None or True not in wanted:
            return out
        tangents = [a._tangent if w else None for a, w in zip(args, wanted, strict=True)]
        outs = tuple(out) if primitive.multi else (out,)
        if primitive.view and wanted[0]:  # a view is linear, and the tangent's is on the tangent's memory
            first = args[0]
            if isinstance(first._tangent, Lifted):
                first._tangent = first._tangent.settled()
            moved = primitive(first._tangent, **params)
            carried: list[Tensor | None] = list(moved) if primitive.multi else [moved]
        else:
            carried = [_own(t, tangents) for t in pushforward(primitive, values, params, outs, wanted, tangents)]
        made = [o if t is None else Dual(o, t, level) for o, t in zip(outs, carried, strict=True)]
        if not primitive.multi:
            return made[0]
        return tuple(made)


def pushforward(
    primitive: Primitive,
    values: tuple[Any, ...],
    params: dict[str, Any],
    outs: tuple[Tensor, ...],
    wanted: tuple[bool, ...],
    tangents: list[Any],
) -> list[Tensor | None]:
    """Return the tangent of each output (None for one that is not differentiable) from the tangents of the inputs."""
    if primitive.jvp is not None:
        made = primitive.jvp(values, params, outs if primitive.multi else outs[0], tangents)
        return list(made) if primitive.multi else [made]
    from gradcli.autograd.api import grad
    from gradcli.autograd.primitive import note_versions
    from gradcli.autograd.shapes import fit_tensor

    before, mode.enabled = mode.enabled, True
    try:
        numbers = tuple(not isinstance(v, Tensor) for v in values)
        cls = primitive.node_class(wanted, numbers)
        bare = tuple(bare_of(o) for o in outs)
        saved = cls.save(values, bare if primitive.multi else bare[0], params)
        shapes, dtypes = tuple(tuple(o.shape) for o in outs), tuple(o._element for o in outs)
        shape, dtype = (shapes, dtypes) if primitive.multi else (shapes[0], dtypes[0])
        node = cls((None,) * len(values), None, saved, shape, dtype, next_seq(), *place(2))
        note_versions(node)
        seeds = [fresh_leaf(zeros_like(o)) if o._element.kind in "fc" else None for o in outs]
        pulled = node.run_graph(seeds if primitive.multi else seeds[0])
        pairs = []
        for value, g, t in zip(values, pulled, tangents, strict=True):
            if t is not None and isinstance(g, Tensor) and g._rg:
                pairs.append((fit_tensor(g, tuple(value.shape), value._element), t))
        leaves = [s for s in seeds if s is not None]
        found: Any = iter([None] * len(leaves))
        if pairs:
            with still_active(tangents):  # a backward pass comes here when forward mode is over
                found = iter(grad([g for g, _ in pairs], leaves, [t for _, t in pairs], allow_unused=True))
    finally:
        mode.enabled = before
    result: list[Tensor | None] = []
    for out, seed in zip(outs, seeds, strict=True):
        t = None if seed is None else next(found)
        result.append(None if seed is None else zeros_like(out) if t is None else t)
    return result


def _own(tangent: Tensor | None, inputs: list[Any]) -> Tensor | None:
    """Return ``tangent``, copied where it is the memory of an input's: a later write must not reach that."""
    if any(tangent is t for t in inputs if t is not None):
        assert tangent is not None
        copied: Tensor = Lifted.operation("torch.clone")(tangent)
        return copied if copied is not tangent else tangent
    if tangent is None:
        return None
    mine = _memory(tangent)
    if any(np.may_share_memory(mine, _memory(t)) for t in inputs if t is not None):
        return Tensor(mine.copy()) if tangent.__class__ is Tensor else Lifted.operation("torch.clone")(tangent)
    return tangent


def _memory(tensor: Tensor) -> Any:
    """Return the array of a tensor, of all samples where it is a batch."""
    while isinstance(tensor, Lifted):
        tensor = tensor._value
    return tensor._array


def zeros_like(tensor: Tensor) -> Tensor:
    """Return a constant of zeros in the shape and dtype of ``tensor`` (without its batch: it broadcasts)."""
    return Tensor(np.zeros(tuple(tensor.shape), tensor._element))


class MakeDualBackward0(Node):
    """The crossing into forward mode. Cotangents of dual tensors come swapped: their value belongs to the tangent."""

    __slots__ = ()

    def run(self, g: Any) -> tuple[Any, ...]:
        return self.run_graph(g)

    def run_graph(self, g: Any) -> tuple[Any, ...]:
        value, tangent = unpack(g, self.saved[0])
        return tangent, value


class UnpackDualBackward0(Node):
    """The way out of forward mode, to the value or to the tangent."""

    __slots__ = ()

    def run(self, g: Any) -> tuple[Any, ...]:
        return self.run_graph(Tensor(np.asarray(g)))

    def run_graph(self, g: Any) -> tuple[Any, ...]:
        level, tangent = self.saved
        zero = zeros_like(g)
        return (make_dual(g, zero, level) if tangent else make_dual(zero, g, level),)


def _cross(cls: type[Node], inputs: tuple[Tensor, ...], saved: tuple[Any, ...], out: Tensor) -> Tensor:
    """Record the crossing ``cls`` from ``inputs`` to ``out``, where one of them requires grad."""
    if not mode.enabled or not any(t._rg for t in inputs):
        return out
    parents = tuple(edge_of(t) if t._rg else None for t in inputs)
    nrs = tuple(t._nr for t in inputs)
    shape = tuple(out.shape)
    node = cls(parents, nrs if any(nrs) else None, saved, shape, out._element, next_seq(), *place(3))
    rare = node.rarely()
    rare.lifted, rare.levels = True, levels_of(out)
    out._fn, out._nr, out._rg = node, 0, True
    return out


def make_dual(value: Tensor, tangent: Tensor, level: int) -> Tensor:
    """Return the dual tensor of ``value`` and ``tangent`` at ``level``."""
    with no_grad():
        out = _joined(value, tangent, level)
    return _cross(MakeDualBackward0, (value, tangent), (level,), out)


def _joined(value: Tensor, tangent: Tensor, level: int) -> Tensor:
    """Return the dual tensor, inside of all levels above its own."""
    top = top_level((value, tangent))
    if top is None or top._level <= level:
        plain = tangent.__class__ is Tensor and not tangent._rg  # then unpack_dual gives the very tangent back
        return Dual(bare_of(value), tangent if plain else bare_of(tangent), level)
    value, tangent = (t.settled() if isinstance(t, Lifted) else t for t in (value, tangent))
    top = top_level((value, tangent))
    assert top is not None

    def part(of: Tensor, k: int) -> Tensor:
        """Return part ``k`` of value or tangent; what has no part of this level is the same for all samples."""
        if isinstance(of, Lifted) and of._level == top._level:
            return of.parts()[k]
        if isinstance(top, Dual):
            return zeros_like(of) if k else of
        return of.unsqueeze(0).expand((top._value.shape[0], *of.shape))

    made = iter([_joined(part(value, k), part(tangent, k), level) for k in range(len(top.parts()))])
    return top.around(lambda inner, batches: next(made))


def unpack(tensor: Tensor, level: int) -> tuple[Tensor, Tensor | None]:
    """Return the value and the tangent of ``tensor`` at ``level``; the tangent is None where it has none."""
    if level not in levels_of(tensor):
        return tensor, None

    def part(inner: Tensor, tangent: bool) -> Tensor:
        if isinstance(inner, Dual) and inner._level == level:
            if tangent and not tensor._rg:
                return inner._tangent
            return bare_of(inner._tangent if tangent else inner._value)
        return zeros_like(inner) if tangent else bare_of(inner)

    with no_grad():
        value, moved = (within(tensor, level, lambda inner, _, t=t: part(inner, t)) for t in (False, True))  # type: ignore[misc]
    value = _cross(UnpackDualBackward0, (tensor,), (level, False), value)
    return value, _cross(UnpackDualBackward0, (tensor,), (level, True), moved)

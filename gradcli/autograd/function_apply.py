"""One application of a custom function: its forward pass, through any transformation, and its place in the graph."""

from __future__ import annotations

from typing import Any, NamedTuple

from gradcli.autograd.errors import error
from gradcli.autograd.function import Function, has_setup
from gradcli.autograd.function_ctx import FunctionCtx, replaced, zeros
from gradcli.autograd.inplace import check_recorded_write, wrote_history
from gradcli.autograd.lifted import Lifted, levels_of, top_level
from gradcli.autograd.mode import mode
from gradcli.autograd.node import edge_of, next_seq, storage_of
from gradcli.autograd.primitive import FLOATING
from gradcli.autograd.record import place
from gradcli.autograd.tensor import Tensor


class VmapInfo(NamedTuple):
    """What ``vmap(info, in_dims, *args)`` is told: the number of samples, and how random numbers are drawn."""

    batch_size: int
    randomness: str


def apply(cls: type[Function], args: tuple[Any, ...]) -> Any:
    """Run the forward pass of ``cls`` and record it where recording is on and an argument requires grad."""
    recording, mode.enabled = mode.enabled, False
    try:
        ctx, output = _run(cls, args)
        several = isinstance(output, tuple)
        outs = tuple(output) if several else (output,)
        _check_dirty(ctx, outs)
        outs = tuple(_own(ctx, args, out) for out in outs)
    finally:
        mode.enabled = recording
    if recording and True in ctx.needs_input_grad:
        outs = _recorded(cls, ctx, args, outs, several)
    else:
        for tensor in ctx._state.dirty:
            storage_of(tensor).wrote()
    return outs if several else outs[0]


def _run(cls: type[Function], args: tuple[Any, ...]) -> tuple[FunctionCtx, Any]:
    """Return the context and what ``forward`` gave, computed by the highest transformation of an argument first."""
    top = top_level(args)
    if top is not None and not _is_batch(top):
        return _run_dual(cls, top._level, args)
    if top is not None and not cls.generate_vmap_rule:
        return _run_batch(cls, top, args)
    ctx = FunctionCtx(tuple(isinstance(a, Tensor) and a._rg for a in args))
    if not has_setup(cls):
        return ctx, cls.forward(ctx, *args)
    output = cls.forward(*args)
    cls.setup_context(ctx, args, output)
    return ctx, output


def _is_batch(tensor: Lifted) -> bool:
    return hasattr(tensor, "size_of_batch")


# -- forward mode and vmap --------------------------------------------------------------------------------------------
def _run_dual(cls: type[Function], level: int, args: tuple[Any, ...]) -> tuple[FunctionCtx, Any]:
    from gradcli.autograd.dual import Dual

    mine = [isinstance(a, Dual) and a._level == level for a in args]
    values = tuple(a._value if m else a for a, m in zip(args, mine, strict=True))
    ctx, output = _run(cls, values)
    if ctx._state.dirty:
        raise error(RuntimeError, "dirty-dual", f"forward mode cannot follow the in-place write of {cls.__name__}")
    tangents = _jvp(cls, ctx, args, mine, output)
    outs = tuple(output) if isinstance(output, tuple) else (output,)
    made = tuple(o if t is None else Dual(o, t, level) for o, t in zip(outs, tangents, strict=True))
    ctx = replaced(ctx, [*zip(values, args, strict=True), *zip(outs, made, strict=True)])
    ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a._rg for a in args)
    return ctx, made if isinstance(output, tuple) else made[0]


def _jvp(cls: type[Function], ctx: FunctionCtx, args: tuple[Any, ...], mine: list[bool], output: Any) -> list[Any]:
    """Return the tangent of each output (None for one that has none), checked."""
    state = ctx._state
    tangents = [a._tangent if m else _no_tangent(a, state.materialize) for a, m in zip(args, mine, strict=True)]
    state.in_jvp = True
    try:
        found = cls.jvp(ctx, *tangents)
    finally:
        state.in_jvp = False
    outs = output if isinstance(output, tuple) else (output,)
    found = list(found) if isinstance(found, tuple) else [found]
    if len(found) != len(outs):
        raise error(RuntimeError, "bad-jvp", f"jvp of {cls.__name__} gave {len(found)} of {len(outs)} tangents")
    blocked = {id(t) for t in state.non_differentiable}
    return [_tangent(cls, t, o) if id(o) not in blocked else None for t, o in zip(found, outs, strict=True)]


def _no_tangent(arg: Any, materialize: bool) -> Tensor | None:
    return zeros(tuple(arg.shape), arg._element) if materialize and isinstance(arg, Tensor) else None


def _tangent(cls: type[Function], tangent: Any, out: Any) -> Any:
    if not isinstance(out, Tensor) or out._element.kind not in FLOATING:
        return None
    if not isinstance(tangent, Tensor):
        raise error(
            RuntimeError,
            "bad-jvp",
            f"a tangent is a tensor, jvp of {cls.__name__} returned {type(tangent).__name__}",
            hint="torch.zeros_like(...) where the output does not move; mark_non_differentiable where it has none",
        )
    if tuple(tangent.shape) != tuple(out.shape):
        raise error(
            RuntimeError,
            "bad-jvp",
            f"jvp of {cls.__name__} gave a tangent of shape {tuple(tangent.shape)} for an output of {tuple(out.shape)}",
        )
    return tangent


def _run_batch(cls: type[Function], top: Any, args: tuple[Any, ...]) -> tuple[FunctionCtx, Any]:
    """Run the class's own vmap rule on all samples; the context is filled from the batched tensors."""
    from gradcli.autograd.batched import Batched, batch

    if cls.vmap is Function.vmap or not has_setup(cls):
        raise error(
            RuntimeError,
            "no-vmap",
            f"{cls.__name__} has no rule for vmap",
            hint="set generate_vmap_rule = True or write a static method vmap; both need setup_context",
        )
    mine = [isinstance(a, Batched) and a._level == top._level for a in args]
    values = [a._value if m else a for a, m in zip(args, mine, strict=True)]
    info = VmapInfo(top.size_of_batch, "error")
    found, dims = cls.vmap(info, tuple(0 if m else None for m in mine), *values)
    outs = found if isinstance(found, tuple) else (found,)
    axes = dims if isinstance(dims, tuple) else (dims,) * len(outs)
    made = tuple(o if d is None else batch(o, d, top._level) for o, d in zip(outs, axes, strict=True))
    output = made if isinstance(found, tuple) else made[0]
    ctx = FunctionCtx(tuple(isinstance(a, Tensor) and a._rg for a in args))
    cls.setup_context(ctx, args, output)
    return ctx, output


# -- outputs ----------------------------------------------------------------------------------------------------------
def _check_dirty(ctx: FunctionCtx, outs: tuple[Any, ...]) -> None:
    """Raise RuntimeError for an input marked dirty that is not returned."""
    for tensor in ctx._state.dirty:
        if all(tensor is not out for out in outs):
            raise error(
                RuntimeError,
                "dirty-not-returned",
                "an input marked dirty is not among the outputs: forward must return what it changes in place",
            )


def _own(ctx: FunctionCtx, args: tuple[Any, ...], out: Any) -> Any:
    """Return the output, or a view of it where it is an input that was not changed."""
    if not isinstance(out, Tensor) or any(out is d for d in ctx._state.dirty):
        return out
    if all(out is not a for a in args):
        if out._view is not None:
            out._view.recorded, out._view.why = False, _VIEW
        return out
    from gradcli.autograd.views import same_view

    made = out.bare() if isinstance(out, Lifted) else same_view(out, _VIEW)
    state = ctx._state
    state.non_differentiable = tuple(made if t is out else t for t in state.non_differentiable)
    return made


_VIEW = "is the output of a custom function"


def _recorded(
    cls: type[Function], ctx: FunctionCtx, args: tuple[Any, ...], outs: tuple[Any, ...], several: bool
) -> tuple[Any, ...]:
    """Give the outputs the node of this application as their history."""
    state = ctx._state
    edges = [(k, a) for k, a in enumerate(args) if isinstance(a, Tensor)]
    parents = tuple(edge_of(a) if a._rg else None for _, a in edges)
    numbers = tuple(a._nr if a._rg else 0 for _, a in edges)
    shapes: Any = tuple(tuple(o.shape) if isinstance(o, Tensor) else None for o in outs)
    dtypes: Any = tuple(o._element if isinstance(o, Tensor) else None for o in outs)
    node = cls.node_class(several)(
        parents,
        numbers if any(numbers) else None,
        (),
        shapes if several else shapes[0],
        dtypes if several else dtypes[0],
        next_seq(),
        *place(2),
    )
    node.ctx, node.arguments, node.positions = ctx, len(args), tuple(k for k, _ in edges)
    levels = frozenset().union(*(levels_of(a) for a in (*args, *outs)))
    if levels:
        node.rarely().lifted, node.rare.levels = True, levels  # type: ignore[union-attr]
    blocked = {id(t) for t in state.non_differentiable}
    for nr, out in enumerate(outs):
        if isinstance(out, Tensor) and out._element.kind in FLOATING and id(out) not in blocked:
            _give_history(out, node, nr, any(out is d for d in state.dirty))
    state.keep(node, outs)
    return outs


def _give_history(out: Tensor, node: Any, nr: int, dirty: bool) -> None:
    if dirty:
        check_recorded_write(out)
        wrote_history(out, node, nr)
    else:
        out._fn, out._nr, out._rg = node, nr, True

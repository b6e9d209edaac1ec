"""Function transformations under ``torch.func``'s names: they take a function and return a function."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.api import grad as _grad
from gradcli.autograd.dual import make_dual, unpack, zeros_like
from gradcli.autograd.errors import error
from gradcli.autograd.forward_ad import check_tangent
from gradcli.autograd.lifted import active, fresh_leaf, new_level
from gradcli.autograd.mode import enable_grad, mode
from gradcli.autograd.node import AccumulateGrad, Node, edge_of
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.trees import leaves, mapped, rebuilt
from gradcli.autograd.vmap import vmap

Argnums = int | tuple[int, ...]


def own_input(value: Any) -> Any:
    """Return the input that a transformation differentiates by: a fresh leaf, or a recorded alias of what requires grad
    outside, so that the result can be differentiated again."""
    if not isinstance(value, Tensor) or value._element.kind not in "fc":
        return value
    if value._rg and mode.enabled:
        return value.view_as(value)
    return fresh_leaf(value)


def reaches_outside(outputs: list[Tensor], inputs: list[Tensor]) -> bool:
    """Return whether ``outputs`` also depend on something that requires grad outside of ``inputs``."""
    own = {edge_of(t) for t in inputs}
    if any(not isinstance(node, AccumulateGrad) for node in own):
        return True
    seen: set[Node] = set()
    stack = [edge_of(o) for o in outputs]
    while stack:
        node = stack.pop()
        if node in seen or node in own:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad):
            return True
        stack.extend(p for p in node.parents if p is not None)
    return False


def _selected(args: tuple[Any, ...], argnums: Argnums) -> tuple[Any, ...]:
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for n in numbers:
        if not -len(args) <= n < len(args):
            raise error(ValueError, "argnums", f"argnums {n} is out of range for {len(args)} arguments")
    return tuple(n % len(args) for n in numbers)


def grad_and_value(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return the function that gives ``(gradient, value)`` of a scalar ``func``; with ``has_aux`` the value is a pair.
    """

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        numbers = _selected(args, argnums)
        outer = mode.enabled
        own = {n: mapped(own_input, args[n]) for n in numbers}
        with enable_grad():
            out = func(*(own.get(n, a) for n, a in enumerate(args)), **kwargs)
        out, aux = _with_aux(out, has_aux)
        if not isinstance(out, Tensor) or out.ndim:
            what = f"shape {tuple(out.shape)}" if isinstance(out, Tensor) else type(out).__name__
            raise error(
                RuntimeError, "not-a-scalar", f"grad() needs a function that returns a 0-d tensor, this one gave {what}"
            )
        found = iter(_gradients(out, [leaf for n in numbers for leaf in leaves(own[n])], outer))
        grads = tuple(rebuilt(own[n], found) for n in numbers)
        result = grads[0] if isinstance(argnums, int) else grads
        value = _value(out)
        return (result, (value, _values(aux))) if has_aux else (result, value)

    return both


def _with_aux(out: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return out, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise error(RuntimeError, "has-aux", "with has_aux=True the function returns a pair (output, more)")
    return out


def _gradients(out: Tensor, inputs: list[Any], outer: bool) -> list[Tensor]:
    wanted = [t for t in inputs if isinstance(t, Tensor)]
    if not out._rg:
        return [zeros_like(t) for t in wanted]
    graph = outer and reaches_outside([out], wanted)
    found = _grad(out, wanted, create_graph=graph, allow_unused=True)
    return [zeros_like(t) if g is None else g for g, t in zip(found, wanted, strict=True)]


def _value(tensor: Any) -> Any:
    """Return a result without the graph of inputs that were the transformation's own."""
    if not isinstance(tensor, Tensor) or not tensor._rg:
        return tensor
    return tensor.detach()


def _values(tree: Any) -> Any:
    return mapped(_value, tree)


def grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return the gradient function of a scalar ``func`` with respect to the arguments ``argnums``."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        result, value = both(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return gradient


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return ``(output, vjp_fn)`` (and the aux value): ``vjp_fn(cotangents)`` gives a tuple, one product a primal."""
    outer = mode.enabled
    own = [mapped(own_input, p) for p in primals]
    with enable_grad():
        out = func(*own)
    out, aux = _with_aux(out, has_aux)
    outputs = leaves(out)
    inputs = [leaf for p in own for leaf in leaves(p)]
    recorded = [o for o in outputs if o._rg]
    graph = bool(recorded) and outer and reaches_outside(recorded, inputs)

    def vjp_fn(*cotangents: Any) -> Any:
        seeds = leaves(cotangents[0] if len(cotangents) == 1 else cotangents)
        if len(seeds) != len(outputs):
            raise error(RuntimeError, "seed-count", f"{len(outputs)} outputs need as many cotangents, got {len(seeds)}")
        pairs = [(o, v) for o, v in zip(outputs, seeds, strict=True) if o._rg]
        found: Any = [None] * len(inputs)
        if pairs:
            found = _grad(
                [o for o, _ in pairs],
                inputs,
                [v for _, v in pairs],
                retain_graph=True,
                create_graph=graph,
                allow_unused=True,
            )
        filled = iter([zeros_like(t) if g is None else g for g, t in zip(found, inputs, strict=True)])
        return tuple(rebuilt(p, filled) for p in own)

    return (_values(out), vjp_fn, _values(aux)) if has_aux else (_values(out), vjp_fn)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """Return ``(output, tangent)`` (and the aux value) of ``func`` at ``primals`` along ``tangents``, tuples alike."""
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple) or len(primals) != len(tangents):
        raise error(RuntimeError, "tangent-count", "jvp() takes a tuple of primals and a tuple of as many tangents")
    level = new_level()
    active.add(level)
    try:
        flat = [(p, t) for p, t in zip(leaves(primals), leaves(tangents), strict=True)]
        for p, t in flat:
            check_tangent(p, t)
        duals = iter([make_dual(p, t, level) for p, t in flat])
        out = func(*rebuilt(primals, duals))
        out, aux = _with_aux(out, has_aux)
        parts = [unpack(o, level) for o in leaves(out)]
    finally:
        active.discard(level)
    value = rebuilt(out, iter([v for v, _ in parts]))
    tangent = rebuilt(out, iter([zeros_like(v) if t is None else t for v, t in parts]))
    return (value, tangent, mapped(lambda a: unpack(a, level)[0], aux)) if has_aux else (value, tangent)


def basis(tensor: Tensor) -> Tensor:
    """Return the unit vectors of the space of ``tensor``, along a new first axis."""
    count = math.prod(tensor.shape)
    return Tensor(np.eye(count, dtype=tensor._element).reshape((count, *tensor.shape)))


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Callable[..., Any]:
    """Return the Jacobian function of ``func``, rows in one batched backward pass; shapes are output + input."""

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        numbers = _selected(args, argnums)

        def of_selected(*chosen: Any) -> Any:
            merged = dict(zip(numbers, chosen, strict=True))
            return func(*(merged.get(n, a) for n, a in enumerate(args)))

        made = vjp(of_selected, *(args[n] for n in numbers), has_aux=has_aux)
        out, vjp_fn = made[0], made[1]
        outputs = leaves(out)
        blocks = [_rows(vjp_fn, outputs, k, chunk_size) for k in range(len(outputs))]
        shaped = [tuple(_shaped(part, o) for part in block) for o, block in zip(outputs, blocks, strict=True)]
        result = rebuilt(out, iter([s[0] if isinstance(argnums, int) else s for s in shaped]))
        return (result, made[2]) if has_aux else result

    return jacobian


def _shaped(rows: Any, output: Tensor) -> Any:
    """Return the rows of a Jacobian with their first axis in the shape of the output."""
    return mapped(lambda g: g.reshape((*output.shape, *g.shape[1:])), rows)


def _rows(vjp_fn: Callable[..., Any], outputs: list[Tensor], k: int, chunk: int | None) -> Any:
    """Return all rows of output ``k``'s Jacobian: the vjp of each unit cotangent."""

    def row(v: Tensor) -> Any:
        return vjp_fn([v if i == k else zeros_like(o) for i, o in enumerate(outputs)])

    return vmap(row, chunk_size=chunk)(basis(outputs[k]))


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """Return the Jacobian function of ``func``, columns in one batched forward pass; shapes are output + input."""

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        numbers = _selected(args, argnums)
        parts = [_columns(func, args, n, has_aux, randomness) for n in numbers]
        trees = [p[0] for p in parts]
        if isinstance(argnums, int):
            result = trees[0]
        else:
            flat = [leaves(t) for t in trees]
            result = rebuilt(parts[0][2], iter([tuple(column) for column in zip(*flat, strict=True)]))
        return (result, parts[0][1]) if has_aux else result

    return jacobian


def _columns(func: Callable[..., Any], args: tuple[Any, ...], n: int, has_aux: bool, randomness: str) -> Any:
    """Return the Jacobian by argument ``n``, the aux value, and the nest of the output."""
    kept: dict[str, Any] = {}

    def column(t: Tensor) -> Any:
        def of_one(x: Any) -> Any:
            out, kept["aux"] = _with_aux(func(*args[:n], x, *args[n + 1 :]), has_aux)
            kept["out"] = out
            return out

        return jvp(of_one, (args[n],), (t,))[1]

    made = vmap(column, out_dims=-1, randomness=randomness)(basis(args[n]))
    shape = tuple(args[n].shape)
    return mapped(lambda g: g.reshape((*g.shape[:-1], *shape)), made), kept.get("aux"), kept["out"]


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Return the Hessian function of ``func``: forward over reverse."""
    return jacfwd(jacrev(func, argnums), argnums)


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """Return the output at ``primals`` and the linear function that maps tangents to the output's tangent.

    ``func`` runs once: the linear function is the derivative of the vector-Jacobian product by its cotangent.
    """
    own = [mapped(own_input, p) for p in primals]
    with enable_grad():
        out = func(*own)
        outputs, inputs = leaves(out), [leaf for p in own for leaf in leaves(p)]
        seeds = [fresh_leaf(zeros_like(o)) for o in outputs]
        recorded = [(o, s) for o, s in zip(outputs, seeds, strict=True) if o._rg]
        pulled: Any = [None] * len(inputs)
        if recorded:
            pulled = _grad(
                [o for o, _ in recorded], inputs, [s for _, s in recorded], create_graph=True, allow_unused=True
            )

    def linear(*tangents: Any) -> Any:
        flat = leaves(tangents)
        for p, t in zip(inputs, flat, strict=True):
            check_tangent(p, t)
        pairs = [(g, t) for g, t in zip(pulled, flat, strict=True) if g is not None and g._rg]
        found: Any = [None] * len(seeds)
        if pairs:
            found = _grad([g for g, _ in pairs], seeds, [t for _, t in pairs], retain_graph=True, allow_unused=True)
        filled = [zeros_like(o) if t is None else t for o, t in zip(outputs, found, strict=True)]
        return rebuilt(out, iter(filled))

    return _values(out), linear

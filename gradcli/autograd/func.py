"""Function transformations under ``torch.func``'s names: they take a function and return a function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.api import grad as _grad
from gradcli.autograd.dual import make_dual, unpack, zeros_like
from gradcli.autograd.errors import error
from gradcli.autograd.forward_ad import check_tangent, in_precision_of
from gradcli.autograd.lifted import active, fresh_leaf, new_level
from gradcli.autograd.mode import enable_grad, mode
from gradcli.autograd.node import AccumulateGrad, Node, edge_of
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.trees import leaves, mapped, rebuilt, same_nest
from gradcli.autograd.units import each_unit
from gradcli.autograd.vmap import check_chunk

Argnums = int | tuple[int, ...]


def own_input(value: Any) -> Any:
    """Return the input that a transformation differentiates by: a fresh leaf, or a recorded alias of what requires grad
    outside, so that the result can be differentiated again.

    ValueError for what is no tensor, RuntimeError for integers.
    """
    if not isinstance(value, Tensor):
        raise error(
            ValueError,
            "not-a-tensor",
            f"a transformation differentiates by tensors, got {type(value).__name__}",
            hint="tensor(3.) makes one of a number; argnums= says by which arguments to differentiate",
        )
    if value._element.kind not in "fc":
        raise error(
            RuntimeError,
            "integer-requires-grad",
            f"only floating and complex tensors have gradients, this one is {value.dtype}",
            hint="convert it: x.double()",
        )
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
            raise error(RuntimeError, "argnums", f"argnums {n} is out of range for {len(args)} arguments")
    found = tuple(n % len(args) for n in numbers)
    if len(set(found)) < len(found):
        raise error(RuntimeError, "argnums", f"argnums {argnums} names one argument twice")
    return found


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


class _Pass:
    """A function run once at ``primals``, recorded, so that cotangents can be pulled back as often as needed."""

    def __init__(self, func: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool) -> None:
        outer = mode.enabled
        self.own = [mapped(own_input, p) for p in primals]
        with enable_grad():
            out = func(*self.own)
        out, aux = _with_aux(out, has_aux)
        self.outputs = leaves(out)
        _check_tensors(self.outputs)
        self.inputs = [leaf for p in self.own for leaf in leaves(p)]
        recorded = [o for o in self.outputs if o._rg]
        self.graph = bool(recorded) and outer and reaches_outside(recorded, self.inputs)
        self.out, self.aux = _values(out), _values(aux)

    def pull(self, outputs: list[Tensor], seeds: list[Any]) -> tuple[Any, ...]:
        """Return the product of the cotangents ``seeds`` of ``outputs`` with the Jacobian, in the nests of the primals.
        """
        pairs = [(o, v) for o, v in zip(outputs, seeds, strict=True) if o._rg]
        found: Any = [None] * len(self.inputs)
        if pairs:
            found = _grad(
                [o for o, _ in pairs],
                self.inputs,
                [v for _, v in pairs],
                retain_graph=True,
                create_graph=self.graph,
                allow_unused=True,
            )
        filled = iter([zeros_like(t) if g is None else g for g, t in zip(found, self.inputs, strict=True)])
        return tuple(rebuilt(p, filled) for p in self.own)


def _check_tensors(values: list[Any], words: str = "the function must return tensors, it returned") -> None:
    for value in values:
        if not isinstance(value, Tensor):
            raise error(RuntimeError, "not-a-tensor", f"{words} {type(value).__name__}")


def check_real(name: str, tensors: list[Any], what: str) -> None:
    """Raise RuntimeError for a complex tensor: what the Jacobian of it is would be a matter of convention."""
    for k, tensor in enumerate(tensors):
        if isinstance(tensor, Tensor) and tensor._element.kind == "c":
            raise error(
                RuntimeError,
                "complex-jacobian",
                f"{name} needs real {what}, number {k} is complex",
                hint="view_as_real(z) shows a complex tensor as pairs of reals; vjp and jvp take complex tensors",
            )


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return ``(output, vjp_fn)`` (and the aux value): ``vjp_fn(cotangents)`` gives a tuple, one product a primal."""
    made = _Pass(func, primals, has_aux)

    def vjp_fn(cotangents: Any) -> Any:
        if not same_nest(cotangents, made.out):
            raise error(
                RuntimeError, "seed-count", "the cotangents must be nested as the outputs are: one for each of them"
            )
        return made.pull(made.outputs, leaves(cotangents))

    return (made.out, vjp_fn, made.aux) if has_aux else (made.out, vjp_fn)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """Return ``(output, tangent)`` (and the aux value) of ``func`` at ``primals`` along ``tangents``, tuples alike."""
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple) or len(primals) != len(tangents):
        raise error(RuntimeError, "tangent-count", "jvp() takes a tuple of primals and a tuple of as many tangents")
    level = new_level()
    active.add(level)
    try:
        duals = iter([make_dual(p, t, level) for p, t in _tangents_of(primals, tangents)])
        out = func(*rebuilt(primals, duals))
        out, aux = _with_aux(out, has_aux)
        _check_tensors(leaves(out))
        parts = [unpack(o, level) for o in leaves(out)]
    finally:
        active.discard(level)
    value = rebuilt(out, iter([v for v, _ in parts]))
    tangent = rebuilt(out, iter([zeros_like(v) if t is None else t for v, t in parts]))
    return (value, tangent, mapped(lambda a: unpack(a, level)[0], aux)) if has_aux else (value, tangent)


def _tangents_of(primals: Any, tangents: Any) -> list[tuple[Tensor, Tensor]]:
    """Return the pairs of primals and tangents; RuntimeError where they do not fit together or are no tensors."""
    flat = leaves(primals)
    if not flat:
        raise error(RuntimeError, "tangent-count", "there is nothing to differentiate by: no tensors given")
    if not same_nest(primals, tangents):
        raise error(RuntimeError, "tangent-count", "the tangents must be nested as the primals are")
    pairs = []
    for p, t in zip(flat, leaves(tangents), strict=True):
        _check_tensors([p, t], "primals and tangents must be tensors, got")
        t = in_precision_of(p, t)
        check_tangent(p, t)
        pairs.append((p, t))
    return pairs


def ones_like(tensor: Tensor) -> Tensor:
    """Return a constant of ones in the shape and dtype of ``tensor``."""
    return Tensor(np.ones(tuple(tensor.shape), tensor._element))


def jacrev(
    func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None
) -> Callable[..., Any]:
    """Return the Jacobian function of ``func``, rows in one batched backward pass; shapes are output + input.

    ``chunk_size`` bounds how many rows run at once. RuntimeError for complex inputs or outputs.
    """
    check_chunk(chunk_size)

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        numbers = _selected(args, argnums)
        chosen = tuple(args[n] for n in numbers)
        check_real("jacrev", leaves(chosen), "inputs")
        made = _Pass(_of_selected(func, args, numbers), chosen, has_aux)
        check_real("jacrev", made.outputs, "outputs")
        blocks = [_rows(made, o, chunk_size) for o in made.outputs]
        result = rebuilt(made.out, iter([b[0] if isinstance(argnums, int) else b for b in blocks]))
        return (result, made.aux) if has_aux else result

    return jacobian


def _of_selected(func: Callable[..., Any], args: tuple[Any, ...], numbers: tuple[int, ...]) -> Callable[..., Any]:
    """Return ``func`` as a function of the arguments ``numbers`` alone."""

    def of_selected(*chosen: Any) -> Any:
        merged = dict(zip(numbers, chosen, strict=True))
        return func(*(merged.get(n, a) for n, a in enumerate(args)))

    return of_selected


def _rows(made: _Pass, output: Tensor, chunk: int | None) -> tuple[Any, ...]:
    """Return the Jacobian of one output by each primal: the products of all unit cotangents."""
    if not output.ndim:
        return made.pull([output], [ones_like(output)])
    rows = each_unit(lambda v: made.pull([output], [v]), output, chunk=chunk)
    return tuple(mapped(lambda g: g.reshape((*output.shape, *g.shape[1:])), part) for part in rows)


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """Return the Jacobian function of ``func``, columns in one batched forward pass; shapes are output + input.

    RuntimeError for complex inputs or outputs.
    """

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        numbers = _selected(args, argnums)
        chosen = tuple(args[n] for n in numbers)
        flat = leaves(chosen)
        _check_tensors(flat, "jacfwd differentiates by tensors, got")
        check_real("jacfwd", flat, "inputs")
        of_flat = _of_selected(func, args, numbers)
        parts = [_columns(lambda *f: of_flat(*rebuilt(chosen, iter(f))), flat, k, has_aux, randomness)
                 for k in range(len(flat))]  # fmt: skip
        _, out, aux = parts[0]
        blocks = [rebuilt(chosen, iter(by_input)) for by_input in zip(*(columns for columns, *_ in parts), strict=True)]
        result = rebuilt(out, iter([b[0] if isinstance(argnums, int) else b for b in blocks]))
        return (result, aux) if has_aux else result

    return jacobian


def _columns(func: Callable[..., Any], flat: list[Tensor], k: int, has_aux: bool, randomness: str) -> Any:
    """Return the Jacobian of each output by input ``k``, the output, and the aux value."""
    kept: dict[str, Any] = {}

    def column(t: Tensor) -> Any:
        value, tangent, *aux = jvp(lambda x: func(*flat[:k], x, *flat[k + 1 :]), (flat[k],), (t,), has_aux=has_aux)
        kept["out"], kept["aux"] = value, aux
        return tuple(leaves(tangent))

    made = each_unit(column, flat[k], axis=-1, randomness=randomness)
    check_real("jacfwd", list(made), "outputs")
    shape = tuple(flat[k].shape)
    columns = [g.reshape((*g.shape[:-1], *shape)) for g in made]
    return columns, kept["out"], _values(kept["aux"][0]) if has_aux else None


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Return the Hessian function of ``func``: the Jacobian of the Jacobian, both by reverse mode."""
    return jacrev(jacrev(func, argnums), argnums)


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

"""Higher-level derivatives under ``torch.autograd.functional``'s names: they take a function and the point.

``vectorize`` may be given as in PyTorch; all rows (or columns) are found in one batched pass either way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradcli.autograd import func as _func
from gradcli.autograd.api import grad as _grad
from gradcli.autograd.dual import zeros_like
from gradcli.autograd.errors import error
from gradcli.autograd.lifted import fresh_leaf
from gradcli.autograd.mode import enable_grad
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.units import each_unit

Tensors = Any  # a tensor or a tuple of tensors


def _tuple(value: Any, what: str) -> tuple[bool, tuple[Tensor, ...]]:
    several = isinstance(value, (tuple, list))
    tensors = tuple(value) if several else (value,)
    for k, one in enumerate(tensors):
        if not isinstance(one, Tensor):
            raise error(TypeError, "not-a-tensor", f"{what} {k} must be a tensor, got {type(one).__name__}")
    return several, tensors


def _own(inputs: tuple[Tensor, ...], create_graph: bool) -> tuple[Tensor, ...]:
    """Return the inputs to differentiate by; with ``create_graph`` they stay linked to the caller's."""
    return tuple(t.view_as(t) if create_graph and t._rg else fresh_leaf(t) for t in inputs)


def _outputs(func: Callable[..., Any], inputs: tuple[Tensor, ...], strict: bool) -> tuple[bool, tuple[Tensor, ...]]:
    with enable_grad():
        several, outputs = _tuple(func(*inputs), "output")
    if strict:
        for k, out in enumerate(outputs):
            if not out._rg:
                raise error(RuntimeError, "independent", f"output {k} does not depend on the inputs (strict=True)")
    return several, outputs


def _shown(several: bool, parts: Any) -> Any:
    return tuple(parts) if several else next(iter(parts))


def _done(tensor: Tensor, create_graph: bool) -> Tensor:
    return tensor if create_graph else tensor.detach()


def _pull(outputs: Any, inputs: Any, v: Any, strict: bool, graph: bool, retain: bool = True) -> list[Tensor]:
    """Return the vector-Jacobian product for each input, zeros where it is not reached."""
    pairs = [(o, s) for o, s in zip(outputs, v, strict=True) if o._rg]
    found: Any = [None] * len(inputs)
    if pairs:
        found = _grad(
            [o for o, _ in pairs],
            inputs,
            [s for _, s in pairs],
            retain_graph=retain,
            create_graph=graph,
            allow_unused=True,
        )
    if strict:
        for k, g in enumerate(found):
            if g is None or (graph and not g._rg):
                raise error(RuntimeError, "independent", f"the output does not depend on input {k} (strict=True)")
    return [zeros_like(t) if g is None else g for g, t in zip(found, inputs, strict=True)]


def _vectors(v: Any, like: tuple[Tensor, ...], what: str) -> tuple[Tensor, ...]:
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise error(
                RuntimeError, "vector-needed", f"v may be left out only where there is one {what} of one element"
            )
        return (Tensor(zeros_like(like[0])._array + 1),)
    _, vectors = _tuple(v, "v")
    if len(vectors) != len(like):
        raise error(RuntimeError, "vector-count", f"v needs one tensor a {what}: {len(like)}, got {len(vectors)}")
    for k, (one, other) in enumerate(zip(vectors, like, strict=True)):
        if tuple(one.shape) != tuple(other.shape):
            raise error(
                RuntimeError,
                "vector-shape",
                f"v has the shape of the {what}: {tuple(other.shape)} for number {k}, got {tuple(one.shape)}",
            )
    return vectors


def vjp(
    func: Callable[..., Any], inputs: Tensors, v: Tensors = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return ``(func(inputs), v times the Jacobian)``; ``v`` has the outputs' shape."""
    several, ins = _tuple(inputs, "input")
    own = _own(ins, create_graph)
    many, outputs = _outputs(func, own, strict)
    found = _pull(outputs, own, _vectors(v, outputs, "output"), strict, create_graph)
    return (
        _shown(many, (_done(o, create_graph) for o in outputs)),
        _shown(several, (_done(g, create_graph) for g in found)),
    )


def jvp(
    func: Callable[..., Any], inputs: Tensors, v: Tensors = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return ``(func(inputs), the Jacobian times v)``; ``v`` has the inputs' shape."""
    _, ins = _tuple(inputs, "input")
    own = _own(ins, create_graph)
    many, outputs = _outputs(func, own, strict)
    vectors = _vectors(v, own, "input")
    with enable_grad():
        seeds = tuple(fresh_leaf(zeros_like(o)) for o in outputs)
        pulled = _pull(outputs, own, seeds, strict, True)
    found = _pull(pulled, seeds, vectors, False, create_graph)
    if strict and create_graph and not all(t._rg for t in found):
        raise error(RuntimeError, "independent", "the Jacobian does not depend on the inputs (strict=True)")
    return (
        _shown(many, (_done(o, create_graph) for o in outputs)),
        _shown(many, (_done(t, create_graph) for t in found)),
    )


def jacobian(
    func: Callable[..., Any],
    inputs: Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of ``func`` at ``inputs``: of shape output + input, a tuple for a tuple of inputs or of
    outputs.

    NotImplementedError for the forward strategy without ``vectorize``, as PyTorch has it.
    """
    several, ins = _tuple(inputs, "input")
    if strategy not in ("reverse-mode", "forward-mode"):
        raise error(ValueError, "strategy", f"strategy is 'reverse-mode' or 'forward-mode', got {strategy!r}")
    if strict and vectorize:
        raise error(RuntimeError, "strategy", "strict=True goes with vectorize=False: one row at a time says which one")
    if strategy == "forward-mode":
        return _forward_jacobian(func, ins, several, create_graph, strict, vectorize)
    own = _own(ins, create_graph)
    many, outputs = _outputs(func, own, strict)
    if not vectorize:
        _func.check_real("jacobian() without vectorize=True", list(outputs), "outputs")
    rows = tuple(tuple(_block(outputs, k, own, strict, create_graph)) for k in range(len(outputs)))
    return _shown(many, (_shown(several, row) for row in rows))


def _block(outputs: tuple[Tensor, ...], k: int, own: tuple[Tensor, ...], strict: bool, graph: bool) -> list[Tensor]:
    """Return the Jacobian of output ``k`` by each input, all rows in one batched pass."""
    out = outputs[k]
    if not out._rg:
        return [zeros_like_shape(out, t) for t in own]
    made = each_unit(lambda v: tuple(_pull([out], own, [v], strict, graph)), out)
    return [_done(g.reshape((*out.shape, *t.shape)), graph) for g, t in zip(made, own, strict=True)]


def zeros_like_shape(out: Tensor, by: Tensor) -> Tensor:
    """Return the zero Jacobian of ``out`` by ``by``."""
    import numpy as np

    return Tensor(np.zeros((*out.shape, *by.shape), by._element))


def _forward_jacobian(
    func: Callable[..., Any], ins: tuple[Tensor, ...], several: bool, create_graph: bool, strict: bool, vectorize: bool
) -> Any:
    if not vectorize:
        raise error(NotImplementedError, "strategy", "the forward strategy needs vectorize=True")
    if strict:
        raise error(RuntimeError, "strategy", "strict=True needs the reverse strategy")
    numbers = tuple(range(len(ins)))
    points = ins if create_graph else tuple(t.detach() for t in ins)
    result = _func.jacfwd(func, numbers)(*points)
    many = isinstance(result, tuple) and isinstance(result[0], tuple)
    rows = result if many else (result,)
    return _shown(many, (_shown(several, (_done(g, create_graph) for g in row)) for row in rows))


def _scalar(outputs: tuple[Tensor, ...], many: bool, what: str) -> Tensor:
    if many or outputs[0].numel() != 1:
        shape = "several outputs" if many else f"shape {tuple(outputs[0].shape)}"
        raise error(
            RuntimeError, "not-a-scalar", f"{what} needs a function of one output of one element, this one gave {shape}"
        )
    return outputs[0].reshape(())


def hessian(
    func: Callable[..., Any],
    inputs: Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of a scalar ``func``: a tuple of tuples for a tuple of inputs; zeros where it is constant."""
    several, ins = _tuple(inputs, "input")

    def gradient(*own: Tensor) -> Any:
        with enable_grad():
            inner = tuple(t if t._rg else fresh_leaf(t) for t in own)
            many, outputs = _outputs(func, inner, strict)
            out = _scalar(outputs, many, "hessian()")
            found = _pull([out], inner, [Tensor(zeros_like(out)._array + 1)], strict, True)
        return tuple(found) if several else found[0]

    return jacobian(
        gradient, tuple(ins) if several else ins[0], create_graph, strict, vectorize, outer_jacobian_strategy
    )


def vhp(
    func: Callable[..., Any], inputs: Tensors, v: Tensors = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return ``(func(inputs), v times the Hessian)`` of a scalar ``func``: one backward pass through the gradient."""
    several, ins = _tuple(inputs, "input")
    own = _own(ins, create_graph)
    many, outputs = _outputs(func, own, strict)
    out = _scalar(outputs, many, "vhp()")
    vectors = _vectors(v, own, "input")
    with enable_grad():
        first = _pull([out], own, [Tensor(zeros_like(out)._array + 1)], strict, True)
    found = _pull(first, own, vectors, strict, create_graph)
    return _done(outputs[0], create_graph), _shown(several, (_done(g, create_graph) for g in found))


def hvp(
    func: Callable[..., Any], inputs: Tensors, v: Tensors = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return ``(func(inputs), the Hessian times v)`` of a scalar ``func``; it equals ``vhp`` where the Hessian is
    symmetric.
    """
    several, ins = _tuple(inputs, "input")
    own = _own(ins, create_graph)
    many, outputs = _outputs(func, own, strict)
    out = _scalar(outputs, many, "hvp()")
    vectors = _vectors(v, own, "input")
    with enable_grad():
        first = _pull([out], own, [Tensor(zeros_like(out)._array + 1)], strict, True)
        seeds = tuple(fresh_leaf(zeros_like(g)) for g in first)
        pulled = _pull(first, own, seeds, strict, True)
    found = _pull(pulled, seeds, vectors, False, create_graph)
    return _done(outputs[0], create_graph), _shown(several, (_done(g, create_graph) for g in found))

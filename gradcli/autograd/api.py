"""``backward`` and ``grad``: vector-Jacobian products of recorded tensors, as ``torch.autograd`` has them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradcli.autograd.backward import Edge, Pass, needed_nodes, pass_class, special
from gradcli.autograd.errors import error
from gradcli.autograd.gradients import accumulate
from gradcli.autograd.lifted import Lifted, bare_of
from gradcli.autograd.node import edge_of
from gradcli.autograd.tensor import Tensor


def _several(value: Any) -> list[Any]:
    """Return a list of ``value``, or of what it holds; a gradient edge becomes a tensor at its place."""
    if isinstance(value, tuple) and hasattr(value, "stand_in"):
        return [value.stand_in()]
    if isinstance(value, (list, tuple)):
        return [v.stand_in() if isinstance(v, tuple) and hasattr(v, "stand_in") else v for v in value]
    return [value]


def edge(tensor: Tensor) -> Edge:
    """Return the graph edge of ``tensor``: its node and output number."""
    return edge_of(tensor), tensor._nr


def _check_output(tensor: Any, position: int, count: int) -> None:
    if not isinstance(tensor, Tensor):
        raise error(TypeError, "not-a-tensor", f"backward starts from a tensor, got {type(tensor).__name__}")
    if not tensor._rg:
        which = "the output" if count == 1 else f"output {position}"
        raise error(
            RuntimeError,
            "no-graph",
            f"{which} does not require grad and has no grad_fn: nothing was recorded for it",
            label="no recorded operation leads here",
            hint="mark an input with requires_grad=True (or leaf) before computing; item(), detach(), no_grad(), "
            "integer casts and comparisons cut the graph",
        )


def seed_for(output: Tensor, v: Any) -> Tensor:
    """Return the cotangent of ``output`` in its dtype; ones where ``v`` is None and the output has one element.

    RuntimeError for a missing seed of a larger output, another shape, or a complex seed of a real output and the
    reverse; TypeError for what is not a tensor.
    """
    shape, element = tuple(output.shape), output._element
    if v is None:
        return Tensor(_ones(shape, element))
    check_seed(v)
    if tuple(v.shape) != shape:
        raise error(
            RuntimeError,
            "seed-shape",
            f"the seed must have the output's shape {shape}, got {tuple(v.shape)}",
            hint="a seed is never broadcast: expand() or reshape() it",
        )
    if (v._element.kind == "c") != (element.kind == "c"):
        kinds = ["complex" if kind == "c" else "real" for kind in (element.kind, v._element.kind)]
        raise error(RuntimeError, "seed-dtype", f"the output is {kinds[0]} and the seed is {kinds[1]}")
    return v if v._element == element else v.to(output.dtype)  # type: ignore[no-any-return]


def check_seed(v: Any) -> None:
    """Raise TypeError unless ``v`` is a tensor or None."""
    if v is not None and not isinstance(v, Tensor):
        raise error(
            TypeError,
            "not-a-tensor",
            f"the seed must be a tensor or None, got {type(v).__name__}",
            hint="torch.tensor([...]) makes one",
        )


def _ones(shape: tuple[int, ...], element: np.dtype[Any]) -> np.ndarray[Any, Any]:
    if math.prod(shape) != 1:
        raise error(
            RuntimeError,
            "seed-needed",
            f"a gradient without a seed needs an output of one element, this one has shape {shape}",
            label=f"shape {shape}",
            hint=f"pass a seed vector of shape {shape}, or reduce the output with sum() or mean()",
        )
    if element.kind == "c":
        raise error(
            RuntimeError,
            "seed-needed",
            "a complex output has no implicit seed",
            hint="take .real or .abs(), or pass a complex seed",
        )
    return np.ones(shape, element)


def _seeds(outputs: list[Any], given: Any) -> list[Any]:
    if given is None:
        return [None] * len(outputs)
    seeds = _several(given)
    if len(seeds) != len(outputs):
        raise error(RuntimeError, "seed-count", f"{len(outputs)} outputs need as many seeds, got {len(seeds)}")
    return seeds


def _start(run: Pass, outputs: list[Tensor], seeds: list[Any]) -> None:
    for output, v in zip(outputs, seeds, strict=True):
        g = seed_for(output, v)
        run.seed(edge(output), g if run.graph or isinstance(output, Lifted) or isinstance(g, Lifted) else g._array)


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Accumulate the vector-Jacobian product of ``tensors`` with ``grad_tensors`` into the leaves' ``.grad``.

    ``retain_graph`` defaults to ``create_graph``. ``inputs`` limits the accumulation to the given tensors, non-leaves
    too.
    """
    outputs = _several(tensors)
    seeds = _seeds(outputs, grad_tensors if grad_tensors is not None else grad_variables)
    for k, output in enumerate(outputs):
        _check_output(output, k, len(outputs))
    retain = create_graph if retain_graph is None else retain_graph
    if inputs is not None:
        _backward_into(outputs, seeds, _several(inputs), retain, create_graph)
        return
    if create_graph:
        warnings.warn(
            "backward(create_graph=True) leaves each .grad attached to its graph, a reference cycle that keeps "
            "memory; autograd.grad(..., create_graph=True) returns the gradients instead",
            UserWarning,
            stacklevel=2,
        )
    run = pass_class()(retain=retain, graph=create_graph)
    _start(run, outputs, seeds)
    run.run()


def backward_of(output: Tensor, v: Any, retain_graph: bool | None, create_graph: bool, inputs: Any) -> None:
    """Run ``output.backward(v, ...)``: the most common pass, from one ordinary tensor into the leaves, at once."""
    if create_graph or inputs is not None or output.__class__ is not Tensor or not (v is None or v.__class__ is Tensor):
        check_seed(v)
        backward(output, v, retain_graph, create_graph, inputs=inputs)
        return
    if not output._rg:
        _check_output(output, 0, 1)
    array, g = output._array, None if v is None else v._array
    if g is None:
        g = _ones(array.shape, array.dtype)
    elif g.shape != array.shape or g.dtype is not array.dtype:
        g = seed_for(output, v)._array
    node = edge_of(output)
    if special or node.multi:
        run = pass_class()(retain=bool(retain_graph), graph=False)
        run.seed((node, output._nr), g)
        run.run()
    else:
        Pass(retain=bool(retain_graph), graph=False).run(node, g)


def _backward_into(
    outputs: list[Tensor], seeds: list[Any], inputs: list[Any], retain: bool, create_graph: bool
) -> None:
    if not inputs:
        raise error(RuntimeError, "no-inputs", "backward(inputs=[]) names no tensor to accumulate into")
    for tensor in inputs:
        if not isinstance(tensor, Tensor) or not tensor._rg:
            raise error(RuntimeError, "input-needs-no-grad", "each of inputs= must be a tensor that requires grad")
    for tensor, g in zip(inputs, _capture(outputs, seeds, inputs, retain, create_graph), strict=True):
        if g is not None:
            accumulate(tensor, _delivered(g, create_graph) if create_graph else np.array(g), create_graph)


def _capture(
    outputs: list[Tensor], seeds: list[Any], inputs: list[Tensor], retain: bool, create_graph: bool
) -> list[Any]:
    """Return what arrives at each of ``inputs`` (an array, a tensor with ``create_graph``, or None)."""
    captures: dict[Edge, list[int]] = {}
    for index, tensor in enumerate(inputs):
        captures.setdefault(edge(tensor), []).append(index)
    needed = needed_nodes([edge_of(o) for o in outputs], {node for node, _ in captures})
    run = pass_class()(retain=retain, graph=create_graph, captures=captures, needed=needed)
    for output, v in zip(outputs, seeds, strict=True):
        if edge_of(output) in needed:
            _start(run, [output], [v])
        else:
            seed_for(output, v)
    run.run()
    return [run.captured.get(index) for index in range(len(inputs))]


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the gradients of ``outputs`` with respect to ``inputs``, summed over outputs, leaving every ``.grad``
    alone.

    An input that the outputs do not reach is a RuntimeError, unless ``allow_unused`` (then None) or
    ``materialize_grads`` (then zeros).
    """
    if materialize_grads and allow_unused is False:
        raise error(
            ValueError,
            "flags",
            "materialize_grads=True returns zeros for unused inputs, so allow_unused=False contradicts it",
        )
    outs, ins = _several(outputs), _several(inputs)
    if not ins:
        raise error(ValueError, "no-inputs", "grad() needs at least one input to differentiate with respect to")
    seeds = _seeds(outs, grad_outputs)
    for k, output in enumerate(outs):
        _check_output(output, k, len(outs))
    for k, tensor in enumerate(ins):
        if not isinstance(tensor, Tensor) or not tensor._rg:
            raise error(
                RuntimeError,
                "input-needs-no-grad",
                f"input {k} of grad() does not require grad",
                hint="set requires_grad=True on it before computing the output",
            )
    retain = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        return _batched(outs, ins, seeds, retain, create_graph, allow_unused, materialize_grads)
    found = _capture(outs, seeds, ins, retain, create_graph)
    return tuple(
        _result(tensor, g, k, create_graph, allow_unused, materialize_grads)
        for k, (tensor, g) in enumerate(zip(ins, found, strict=True))
    )


def _batched(
    outs: list[Any], ins: list[Any], seeds: list[Any], retain: bool, graph: bool, unused: bool | None, materialize: bool
) -> tuple[Tensor | None, ...]:
    """Return the gradients for a batch of seeds along a first axis: one pass on all of them."""
    from gradcli.autograd.vmap import vmap

    kept: list[Any] = []

    def one(*vs: Tensor) -> Any:
        found = grad(outs, ins, list(vs), retain, graph, unused, False, materialize)
        kept[:] = [g is None for g in found]
        return tuple(g for g in found if g is not None)

    made = iter(vmap(one)(*seeds))
    return tuple(None if missing else next(made) for missing in kept)


def _delivered(g: Any, graph: bool) -> Tensor:
    """Return a captured cotangent as a tensor of the caller's own."""
    if graph:
        return g  # type: ignore[no-any-return]
    return bare_of(g) if isinstance(g, Tensor) else Tensor(np.array(g))


def _result(tensor: Tensor, g: Any, k: int, graph: bool, allow_unused: bool | None, materialize: bool) -> Tensor | None:
    if g is not None:
        return _delivered(g, graph)
    if materialize:
        return Tensor(np.zeros(tuple(tensor.shape), tensor._element))
    if allow_unused:
        return None
    raise error(
        RuntimeError,
        "unused-input",
        f"input {k} of grad() was not used to compute the outputs",
        hint="allow_unused=True returns None for it, materialize_grads=True zeros",
    )

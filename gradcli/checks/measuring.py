"""What the rules of a script give at each of its outputs: the gradients to be checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradcli.autograd import AccumulateGrad, Node, Tensor, enable_grad, grad
from gradcli.autograd.differences import real_parts
from gradcli.autograd.function import FunctionNode
from gradcli.autograd.node import edge_of
from gradcli.checks.trial import Leaves, Output, Point, Script, tensors_in
from gradcli.lang.replay import Enough, Stored
from gradcli.lang.request import numbered
from gradcli.ops.generator import default_generator

Array = np.ndarray[Any, Any]
ONCE = "torch::autograd::Error"  # the node that once_differentiable leaves
_ALL_ROWS = 32  # outputs of more elements are checked along random directions
_RANDOM_ROWS = 6


@dataclass(slots=True)
class Gradient:
    """The gradient of one output by one leaf: ``rows`` holds a row of u^T J for each cotangent u.

    ``again`` are the rows of a second pass. ``curved`` is the derivative of <u, gradient> along ``direction`` (None
    where the rules can't be differentiated again). ``overwritten`` says that the leaf changed, with no write counted,
    "before" or "after" it was used.
    """

    point: Point
    values: Array
    rows: Array
    again: Array
    direction: Array
    curved: Array | None = None
    overwritten: str = ""


@dataclass(slots=True)
class Measured:
    """One output of a run: its values, the cotangents, its gradients, and what it was computed by.

    ``reached`` counts the named leaves that it was computed from, ``problem`` is the error that a rule raised.
    """

    output: Output
    value: Array
    shape: tuple[int, ...]
    seeds: list[Array]
    gradients: list[Gradient] = field(default_factory=list)
    nodes: set[Node] = field(default_factory=set)
    node: Node | None = None
    rules: list[str] = field(default_factory=list)
    reached: int = 0
    problem: Exception | None = None


def cotangents(array: Array) -> list[Array]:
    """Return the cotangents that an output is checked with: all unit ones, or random signs for a large output."""
    size = real_parts(array).size
    if size <= _ALL_ROWS:
        return [_shaped(unit, array) for unit in np.eye(size)]
    random = np.random.default_rng(0)
    return [_shaped(random.choice([-1.0, 1.0], size), array) for _ in range(_RANDOM_ROWS)]


def _shaped(parts: Array, like: Array) -> Array:
    """Return real parts as an array of the dtype and shape of ``like``."""
    real = parts.astype(like.real.dtype)
    return (real.view(like.dtype) if like.dtype.kind == "c" else real).reshape(like.shape)


def typical_size(values: Array) -> Array:
    """Return for each real part of a leaf the size that steps are measured by: its own, or the leaf's for a zero."""
    parts = np.abs(real_parts(values)).astype(np.float64)
    finite = parts[np.isfinite(parts)]
    others = min(1.0, float(finite.max(initial=0.0))) or 1.0
    return np.where((parts > 0) & np.isfinite(parts), parts, others)


def direction_of(values: Array) -> Array:
    """Return a direction of random signs along which each element moves in its own proportion."""
    return np.random.default_rng(1).choice([-1.0, 1.0], real_parts(values).size) * typical_size(values)


Change = Callable[[Stored, Any], None]


def measure(script: Script, outputs: list[Output], look: bool = False, change: Change | None = None) -> list[Measured]:
    """Run the script and return its gradients, computed the moment each output gets its name.

    With ``look`` each line is watched for a leaf that it overwrites, which is slow. ``change`` sees each value that
    gets a name, and may move it.
    """
    leaves = Leaves()
    wanted = {output.stored: output for output in outputs}
    found: dict[Stored, Measured] = {}

    def hook(stored: Stored, value: Any) -> Any:
        if change is not None:
            change(stored, value)
        leaves.note(stored, value)
        if stored in wanted:
            numbers = default_generator.get_state()  # a rule may draw random numbers; the script's stay as they are
            found[stored] = _measured(wanted[stored], value, leaves)
            default_generator.set_state(numbers)
            if len(found) == len(wanted):
                raise Enough
        return value

    with watched_lines(script.source.name, leaves.look) if look else nullcontext():
        script.run(hook)
    return [found[output.stored] for output in outputs]


@dataclass(slots=True)
class Moment:
    """What one run gave: the rows of each output by each leaf, and the outputs as real vectors."""

    rows: dict[tuple[Stored, Point], Array] = field(default_factory=dict)
    values: dict[Stored, Array] = field(default_factory=dict)


def gradients_at(
    script: Script, outputs: list[Output], change: Change | None = None, dtype: str = "", scale: float = 1.0
) -> Moment | None:
    """Return the gradients of outputs when ``change`` has seen to what gets a name; None when the run fails.

    ``scale`` multiplies the cotangents.
    """
    leaves = Leaves()
    wanted = {output.stored for output in outputs}
    found = Moment()

    def hook(stored: Stored, value: Any) -> Any:
        leaves.note(stored, value)
        if change is not None:
            change(stored, value)
        if stored in wanted:
            reached = leaves.of(value)
            seeds = cotangents(value._array) if reached else []
            rows = [_row(value, reached, (scale * seed).astype(seed.dtype)) for seed in seeds]
            for k, (at, leaf) in enumerate(reached):
                found.rows[stored, at] = _stacked([row[k] for row in rows], leaf)
            found.values[stored] = real_parts(value._array).astype(np.float64)
            wanted.discard(stored)
            if not wanted:
                raise Enough
        return value

    return found if script.completes(hook, dtype or None) else None


class Jitter:
    """Moves each tensor that gets a name, leaf or constant, in its last bits: this shows how exact results are."""

    def __init__(self, ulps: float) -> None:
        self._ulps = ulps
        self._random = np.random.default_rng(3)
        self._seen: dict[int, Tensor] = {}

    def __call__(self, stored: Stored, value: Any) -> None:
        """Move the tensors in ``value``, each once."""
        for _, tensor in tensors_in(value):
            array = tensor._array
            if tensor.is_leaf and array.dtype.kind in "fc" and id(tensor) not in self._seen:
                self._seen[id(tensor)] = tensor
                signs = self._random.choice([-1.0, 1.0], array.shape)
                moved = array * (1 + self._ulps * np.finfo(array.dtype).eps * signs)
                tensor._array = moved.astype(array.dtype)


@contextmanager
def watched_lines(name: str, look: Callable[[], None]) -> Iterator[None]:
    """Call ``look`` before each line of the source ``name``, functions left out, while the body runs."""
    before = sys.gettrace()

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != name or frame.f_code.co_name != "<module>":
            return None  # what a function overwrites may belong to the operation that called it
        look()
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def _measured(output: Output, value: Tensor, leaves: Leaves) -> Measured:
    array = value._array
    made = Measured(output, real_parts(array).astype(np.float64), array.shape, cotangents(array))
    made.node = edge_of(value)
    made.nodes = set(numbered(value))
    made.rules = sorted({node.name() for node in made.nodes if isinstance(node, FunctionNode)})
    reached = leaves.of(value)
    made.reached = len(reached)
    if not reached:
        return made
    try:
        passes = [[_row(value, reached, seed) for seed in made.seeds] for _ in range(2)]
    except (TimeoutError, MemoryError):
        raise
    except Exception as problem:
        made.problem = problem
        return made
    for k, (point, leaf) in enumerate(reached):
        rows, again = (_stacked([row[k] for row in one], leaf) for one in passes)
        values = leaves.original(leaf).copy()
        gradient = Gradient(point, values, rows, again, direction_of(values))
        gradient.curved = _curved(value, leaf, made.seeds, gradient.direction)
        gradient.overwritten = _overwritten(made.nodes, leaf, leaves.changed(leaf))
        made.gradients.append(gradient)
    return made


def _stacked(rows: list[Array], leaf: Tensor) -> Array:
    return np.array(rows).reshape(len(rows), real_parts(leaf._array).size)


def _row(value: Tensor, reached: list[tuple[Point, Tensor]], seed: Array) -> list[Array]:
    tensors = [leaf for _, leaf in reached]
    found = grad([value], tensors, [Tensor(seed)], retain_graph=True, allow_unused=True)
    return [parts_of(g, leaf) for g, leaf in zip(found, tensors, strict=True)]


def parts_of(gradient: Tensor | None, leaf: Tensor) -> Array:
    """Return a gradient as real parts; zeros for None."""
    if gradient is None:
        return np.zeros(real_parts(leaf._array).size)
    return real_parts(gradient._array).astype(np.float64)


def total_cotangent(seeds: list[Array]) -> Array:
    """Return one cotangent that stands for all of an output: a mixture of ``seeds`` with weights between 1 and 2."""
    weights = np.linspace(1.0, 2.0, max(len(seeds), 1))
    total: Array = np.sum([w * seed for w, seed in zip(weights, seeds, strict=False)], axis=0)
    return total


def _curved(value: Tensor, leaf: Tensor, seeds: list[Array], direction: Array) -> Array | None:
    """Return the gradient of <gradient, direction>, None where a rule can't be differentiated again."""
    if not seeds or leaf._array.dtype.kind == "c" or value._array.dtype.kind == "c":
        return None
    # a seed that requires grad: only then does once_differentiable refuse
    seed = Tensor(total_cotangent(seeds).astype(value._array.dtype)).requires_grad_()
    try:
        with enable_grad():
            (first,) = grad([value], [leaf], [seed], retain_graph=True, create_graph=True, allow_unused=True)
            if first is None or not first.requires_grad:
                return np.zeros(leaf._array.size)
            if any(node.name() == ONCE for node in numbered(first)):
                return None  # its graph ends there without an error, as PyTorch's does
            along = Tensor(direction.reshape(leaf._array.shape).astype(leaf._array.dtype))
            (second,) = grad([(first * along).sum()], [leaf], [None], retain_graph=True, allow_unused=True)
    except (TimeoutError, MemoryError):
        raise
    except Exception:
        return None  # once_differentiable, or an operation without a second derivative: said by whoever needs it
    return parts_of(second, leaf)


def _overwritten(nodes: set[Node], leaf: Tensor, changed: int | None) -> str:
    """Tell whether a leaf was overwritten, with no write counted, before or after operations that used it."""
    if changed is None:
        return ""
    uses = [n.seq for n in nodes if any(isinstance(p, AccumulateGrad) and p.variable is leaf for p in n.parents)]
    return "after" if any(seq < changed for seq in uses) else "before"

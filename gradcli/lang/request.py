"""What is asked of a finished script: its outputs, their gradients for a seed, their graphs.

Gradients are computed beside the script's own: no ``.grad`` changes, and graphs stay usable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from gradcli.autograd import Tensor, grad, tensor
from gradcli.lang import files
from gradcli.lang.diagnostic import plain_error
from gradcli.lang.graph_walk import GraphNode, reached_leaves, walk
from gradcli.lang.source import Source, Span

_NAMED_SEED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)(.*)", re.DOTALL)


class Finished(Protocol):
    """What this module needs of a session that has run."""

    namespace: dict[str, Any]
    leaves: Mapping[str, Tensor]

    def results(self) -> Iterable[tuple[str, Any]]:
        """Return (name or text, value) of the top-level assignments and expressions, in the order they ran."""

    def evaluate(self, text: str, name: str) -> Any:
        """Return the value of an expression in the script's namespace; GxError."""

    def locate(self, code: CodeType | None, lasti: int) -> tuple[Source, Span] | None:
        """Return the expression that a recorded place stands for."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted: outputs and leaves by name (empty: the defaults), seeds as texts, gradients, graphs."""

    of: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    gradients: bool = True
    graphs: bool = False


@dataclass(slots=True)
class Output:
    """One output: its value, the seed if one was given, gradients by leaf name, and its graph from the root."""

    name: str
    value: Tensor
    seed: Tensor | None = None
    gradients: dict[str, Tensor] = field(default_factory=dict)
    graph: list[GraphNode] = field(default_factory=list)


def answer(session: Finished, request: Request) -> list[Output]:
    """Return the outputs that ``request`` asks for; GxError where that is impossible."""
    named = [(name, _tensor_named(session, name)) for name in request.of] or [_default_output(session)]
    seeds = _seeds(session, request.seeds, [name for name, _ in named])
    names = leaf_names(session)
    outputs = []
    for name, value in named:
        output = Output(name, value.detach() if request.gradients else value)
        if request.gradients:
            output.seed = _seed_tensor(session, seeds.get(name), name, value)
            output.gradients = _gradients(session, request.wrt, names, name, value, output.seed)
        if request.graphs:
            output.graph = walk(value, session.locate, names)
        outputs.append(output)
    return outputs


def leaf_names(session: Finished) -> dict[int, str]:
    """Return the names of leaves by the ids of their tensors: first those declared, then whatever a name holds."""
    names = {id(leaf): name for name, leaf in session.leaves.items()}
    for name, value in session.namespace.items():
        if isinstance(value, Tensor) and value.is_leaf and value.requires_grad:
            names.setdefault(id(value), name)
    return names


def default_output(session: Finished) -> tuple[str, Tensor] | None:
    """Return the name and value of the last top-level expression or assignment that requires grad."""
    found = None
    for name, value in session.results():
        if isinstance(value, Tensor) and value.requires_grad and not value.is_leaf:
            found = name, value
    return found


def _default_output(session: Finished) -> tuple[str, Tensor]:
    found = default_output(session)
    if found is None:
        hint = "name the output with --of, or mark an input: leaf x = [1.0, 2.0]"
        message = "nothing in the script requires grad, so there is nothing to differentiate"
        raise plain_error("runtime", "no-output", message, help=hint)
    return found


def _tensor_named(session: Finished, name: str) -> Tensor:
    return _checked(session, session.namespace.get(name), name)


def _leaf_named(session: Finished, name: str) -> Tensor:
    """Return the leaf declared as ``name``, though the name may mean something else by now, or what the name holds."""
    return session.leaves[name] if name in session.leaves else _tensor_named(session, name)


def _checked(session: Finished, value: Any, name: str) -> Tensor:
    if isinstance(value, Tensor):
        return value
    tensors = [name for name, value in session.namespace.items() if isinstance(value, Tensor)]
    known = f"tensors with a name: {', '.join(tensors)}" if tensors else "it has no tensor with a name"
    if value is None:
        raise plain_error("usage", "unknown-name", f"the script has no tensor {name!r}", help=known)
    raise plain_error("usage", "not-a-tensor", f"{name} is no tensor but {type(value).__name__}", help=known)


def _seeds(session: Finished, texts: Iterable[str], outputs: list[str]) -> dict[str, str]:
    """Return the text of each output's seed; one without a name belongs to the only output."""
    seeds: dict[str, str] = {}
    for text in texts:
        named = _NAMED_SEED.fullmatch(text)
        if named is None and len(outputs) > 1:
            hint = f"write --seed {outputs[0]}=…"
            raise plain_error("usage", "seed-name", f"with {len(outputs)} outputs a seed must name its own", help=hint)
        name, expression = (named[1], named[2]) if named else (outputs[0], text)
        if name not in outputs:
            hint = f"outputs: {', '.join(outputs)}"
            raise plain_error("usage", "seed-name", f"--seed names {name!r}, which is no output here", help=hint)
        seeds[name] = expression.strip()
    return seeds


def _seed_tensor(session: Finished, text: str | None, name: str, output: Tensor) -> Tensor | None:
    """Return the seed of an output in its dtype, or None when none was given and none is needed."""
    shape = tuple(output.shape)
    if text is None:
        if output.requires_grad and output.numpy(force=True).size != 1:
            hint = f"pass --seed with an expression of shape {shape}, or reduce it with sum() or mean()"
            raise plain_error(
                "usage", "seed-needed", f"{name} has shape {shape}; only one element needs no seed", help=hint
            )
        return None
    value = files.load(Path(text[1:])) if text.startswith("@") else session.evaluate(text, "--seed")
    seed = value.detach() if isinstance(value, Tensor) else tensor(value)
    if tuple(seed.shape) != shape:
        message = f"the seed of {name} must have its shape {shape}, got {tuple(seed.shape)}"
        raise plain_error("usage", "seed-shape", message, help="a seed is never broadcast")
    return tensor(seed, dtype=output.dtype)


def _gradients(
    session: Finished, wrt: tuple[str, ...], names: Mapping[int, str], name: str, output: Tensor, seed: Tensor | None
) -> dict[str, Tensor]:
    if not output.requires_grad:
        hint = "mark an input as a leaf; detach(), item(), no_grad() and comparisons cut the graph"
        raise plain_error(
            "runtime", "no-graph", f"{name} does not require grad: nothing was recorded for it", help=hint
        )
    reached = {names[id(leaf)]: leaf for leaf in reached_leaves(output) if id(leaf) in names}
    wanted = {leaf: _leaf_named(session, leaf) for leaf in wrt} or reached
    if not wanted:
        raise plain_error("runtime", "no-leaf", f"{name} reaches no leaf that has a name", help="give the leaf a name")
    found = grad([output], list(wanted.values()), [seed], retain_graph=True, allow_unused=True)
    for leaf, gradient in zip(wanted, found, strict=True):
        if gradient is None:
            hint = f"{name} reaches {', '.join(reached)}" if reached else None
            raise plain_error("runtime", "unused-input", f"{name} was not computed from {leaf}", help=hint)
    return {leaf: g for leaf, g in zip(wanted, found, strict=True) if g is not None}

"""What is asked of a finished script: its outputs, their gradients for a seed, their graphs.

Gradients are computed beside the script's own: no ``.grad`` changes, and graphs stay usable.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from gradcli.autograd import AccumulateGrad, Node, Tensor, grad, tensor
from gradcli.autograd.node import edge_of
from gradcli.lang import files
from gradcli.lang.diagnostic import Diagnostic, GxError, Label, plain_error
from gradcli.lang.session import Session

if TYPE_CHECKING:
    from gradcli.lang.graph_walk import GraphNode

_NAMED_SEED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)(.*)", re.DOTALL)


class Request(NamedTuple):
    """What is wanted: outputs and leaves by name (empty: the defaults), seeds, gradients, graphs, Jacobians, Hessians.

    ``seeds`` are by output, the only output's may be under None: the text of an expression, ``@FILE``, or a value.
    """

    of: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()
    seeds: Mapping[str | None, Any] = MappingProxyType({})
    gradients: bool = True
    graphs: bool = False
    jacobian: bool = False
    hessian: bool = False


class Output:
    """One output: its value, the seed if one was given, gradients by leaf name, and its graph from the root.

    ``jacobian`` is by leaf name too, ``hessian`` by the names of two; both None where they were not asked for.
    ``remarks`` say what is worth knowing about them.
    """

    __slots__ = ("gradients", "graph", "hessian", "jacobian", "name", "remarks", "seed", "value")

    def __init__(self, name: str, value: Tensor) -> None:
        self.name = name
        self.value = value
        self.seed: Tensor | None = None
        self.gradients: dict[str, Tensor] = {}
        self.graph: list[GraphNode] = []
        self.jacobian: dict[str, Tensor] | None = None
        self.hessian: dict[str, dict[str, Tensor]] | None = None
        self.remarks: list[str] = []

    def __deepcopy__(self, memo: dict[int, Any]) -> Output:
        """Return a copy whose tensors have no graph: those that have one can't be deep-copied."""
        import pickle

        copied: Output = pickle.loads(pickle.dumps(self))
        return copied

    def __repr__(self) -> str:
        return f"Output({self.name!r}, {self.value!r}, gradients={self.gradients!r})"


def answer(session: Session, request: Request) -> list[Output]:
    """Return the outputs that ``request`` asks for; GxError where that is impossible."""
    named = [(name, _tensor_named(session, name)) for name in request.of] or [_default_output(session)]
    seeds = _seeds(request.seeds, [name for name, _ in named])
    names = leaf_names(session)
    return [_answer_for(session, request, names, name, value, seeds.get(name)) for name, value in named]


def answer_for(session: Session, request: Request, name: str, value: Tensor) -> Output:
    """Return what ``request`` asks about one tensor, shown as ``name``; its seed is the one under None."""
    return _answer_for(session, request, leaf_names(session), name, value, request.seeds.get(None))


def _answer_for(
    session: Session, request: Request, names: Mapping[int, str], name: str, value: Tensor, given: Any
) -> Output:
    output = Output(name, value)
    if request.gradients:
        output.seed = _seed_tensor(session, given, name, value)
        output.gradients = _gradients(session, request.wrt, names, name, value, output.seed)
    if request.jacobian or request.hessian:
        _add_jacobians(session, request, names, output, given)
    if request.graphs:
        from gradcli.lang.graph_walk import walk

        output.graph = walk(value, session.locate, names)
    return output


def _add_jacobians(session: Session, request: Request, names: Mapping[int, str], output: Output, given: Any) -> None:
    """Give ``output`` the whole derivatives asked for; second ones that can only be zero come with a remark."""
    from gradcli.lang.jacobians import hessian_by_name, jacobians

    name, value = output.name, output.value
    leaves = _wanted(session, request.wrt, names, name, value)
    if request.jacobian:
        found = _tried(session, jacobians, value, list(leaves.values()))
        _check_reached(name, leaves, found, names, value)
        output.jacobian = dict(zip(leaves, found, strict=True))
    if request.hessian:
        output.seed = None if given is None else _seed_tensor(session, given, name, value)
        output.hessian, constant = _tried(session, hessian_by_name, value, leaves, output.seed)
        if constant:
            output.remarks.append(f"the gradient of {name} is constant, so its second derivative is zero")


def shown_value(session: Session, last: tuple[str, Any] | None) -> list[Output]:
    """Return the value to show when nothing was asked for: the default output, else the ``last`` expression.

    Its gradients come with it when they need no seed and it reaches a leaf that has a name.
    """
    found = default_output(session)
    if found is None:
        return [] if last is None else _plain_output(*last)
    output = Output(*found)
    names = leaf_names(session)
    if (
        last is not None
        and math.prod(output.value.shape) == 1
        and any(id(x) in names for x in reached_leaves(found[1]))
    ):
        output.gradients = _gradients(session, (), names, *found, None)
    return [output]


def _plain_output(name: str, value: Any) -> list[Output]:
    if isinstance(value, Tensor):
        return [Output(name, value)]
    if not isinstance(value, int | float | complex | list | tuple):
        return []
    try:
        return [Output(name, tensor(value))]
    except (TypeError, ValueError, RuntimeError):  # a list of texts, of lists that differ, a number beyond int64
        return []


def arrays_by_name(outputs: Iterable[Output]) -> dict[str, Tensor]:
    """Return values and derivatives under names for files: ``y``, ``dy_dx``, ``J_y_x``, ``H_y_x_w``; ``output`` for
    what is no name.
    """
    arrays = {}
    for output in outputs:
        name = output.name if output.name.isidentifier() else "output"
        arrays[name] = output.value
        arrays |= {f"d{name}_d{leaf}": gradient for leaf, gradient in output.gradients.items()}
        arrays |= {f"J_{name}_{leaf}": jacobian for leaf, jacobian in (output.jacobian or {}).items()}
        for first, row in (output.hessian or {}).items():
            arrays |= {f"H_{name}_{first}_{second}": block for second, block in row.items()}
    return arrays


def numbered(output: Tensor) -> dict[Node, int]:
    """Return the nodes that ``output`` was computed by: depth first from its own, inputs in order, each once."""
    order: dict[Node, int] = {}
    waiting = [edge_of(output)]
    while waiting:
        node = waiting.pop()
        if node not in order:
            order[node] = len(order)
            waiting.extend(parent for parent in reversed(node.parents) if parent is not None)
    return order


def reached_leaves(output: Tensor) -> list[Tensor]:
    """Return the leaves that ``output`` was computed from, in the order of the walk."""
    return [node.variable for node in numbered(output) if isinstance(node, AccumulateGrad)]


def leaf_names(session: Session) -> dict[int, str]:
    """Return the names of leaves by the ids of their tensors: first those declared, then whatever a name holds."""
    names = {id(leaf): name for name, leaf in session.leaves.items()}
    for name, value in session.namespace.items():
        if isinstance(value, Tensor) and value.is_leaf and value.requires_grad:
            names.setdefault(id(value), name)
    return names


def default_output(session: Session) -> tuple[str, Tensor] | None:
    """Return the name and value of the last top-level expression or assignment that requires grad."""
    found = None
    for name, value in session.results():
        if isinstance(value, Tensor) and value.requires_grad and not value.is_leaf:
            found = name, value
    return found


def _default_output(session: Session) -> tuple[str, Tensor]:
    found = default_output(session)
    if found is None:
        hint = "name the output with --of, or mark an input: leaf x = [1.0, 2.0]"
        message = "nothing in the script requires grad, so there is nothing to differentiate"
        raise plain_error("runtime", "no-output", message, help=hint)
    return found


def _tensor_named(session: Session, name: str) -> Tensor:
    return _checked(session, session.namespace.get(name), name)


def _leaf_named(session: Session, name: str) -> Tensor:
    """Return the leaf declared as ``name``, though the name may mean something else by now, or what the name holds."""
    return session.leaves[name] if name in session.leaves else _tensor_named(session, name)


def _checked(session: Session, value: Any, name: str) -> Tensor:
    if isinstance(value, Tensor):
        return value
    tensors = [name for name, value in session.namespace.items() if isinstance(value, Tensor)]
    known = f"tensors with a name: {', '.join(tensors)}" if tensors else "it has no tensor with a name"
    if value is None:
        raise plain_error("usage", "unknown-name", f"the script has no tensor {name!r}", help=known)
    raise plain_error("usage", "not-a-tensor", f"{name} is no tensor but {type(value).__name__}", help=known)


def parse_seeds(texts: Iterable[str]) -> dict[str | None, str]:
    """Return the texts of ``--seed`` by output: ``y=EXPR`` names it, ``EXPR`` is for the only one.

    GxError of kind usage for two seeds of one output.
    """
    seeds: dict[str | None, str] = {}
    for text in texts:
        named = _NAMED_SEED.fullmatch(text)
        name = named[1] if named else None
        if name in seeds:
            of = "the output" if name is None else name
            hint = "with several outputs each names its own: --seed y=EXPR"
            raise plain_error("usage", "seed-name", f"{of} has two seeds", help=hint)
        seeds[name] = (named[2] if named else text).strip()
    return seeds


def given_value(session: Session, given: Any, option: str) -> Any:
    """Return what an option gives: the value of an expression, a file's content after ``@``, or a value as it is.

    GxError of kind usage or syntax when there is no such value.
    """
    if not isinstance(given, str):
        return given
    if not given.startswith("@"):
        return session.evaluate(given, option)
    try:
        return files.load(given[1:])
    except (OSError, ValueError, TypeError) as problem:
        raise _usage(session, problem) from None


def _usage(session: Session, problem: Exception) -> GxError:
    """Return what is wrong with the value of an option: the mistake is in the command line, not in the script."""
    diagnostic = session.explain(problem)
    return plain_error("usage", diagnostic.code, diagnostic.message, help=diagnostic.help)


def _seeds(given: Mapping[str | None, Any], outputs: list[str]) -> dict[str, Any]:
    """Return the seeds by output; GxError of kind usage when one is meant for no output or for nobody knows which."""
    if None in given and len(outputs) > 1:
        hint = f"write --seed {outputs[0]}=…"
        raise plain_error("usage", "seed-name", f"with {len(outputs)} outputs a seed must name its own", help=hint)
    seeds = {outputs[0] if name is None else name: seed for name, seed in given.items()}
    for name in seeds:
        if name not in outputs:
            hint = f"outputs: {', '.join(outputs)}"
            raise plain_error("usage", "seed-name", f"the seed is for {name}, which is no output here", help=hint)
    return seeds


def _seed_tensor(session: Session, given: Any, name: str, output: Tensor) -> Tensor | None:
    """Return the seed of an output in its dtype, or None when none was given and none is needed."""
    shape = tuple(output.shape)
    if given is None:
        if output.requires_grad and math.prod(shape) != 1:
            hint = f"pass --seed with an expression of shape {shape}, or reduce it with sum() or mean()"
            message = f"{name} has shape {shape}; only an output of one element needs no seed"
            raise plain_error("usage", "seed-needed", message, help=hint)
        return None
    try:
        seed = tensor(files.only_array(given_value(session, given, "--seed")))
    except (TypeError, ValueError, RuntimeError) as problem:
        raise _usage(session, problem) from None
    if tuple(seed.shape) != shape:
        message = f"the seed of {name} must have its shape {shape}, got {tuple(seed.shape)}"
        raise plain_error("usage", "seed-shape", message, help="a seed is never broadcast")
    # a complex seed of a real output stays as it is: the engine refuses it
    return seed if seed.dtype.is_complex else tensor(seed, dtype=output.dtype)


def _no_graph(session: Session, name: str) -> GxError:
    """Return the error of an output that nothing was recorded for, with what cut its graph where that is clear."""
    from gradcli.lang.cut_graph import find_cut_of

    source = session.units[-1].source
    message = f"{name} does not require grad: nothing was recorded for it"
    cut = find_cut_of(source, name, session.namespace.get) if name.isidentifier() else None
    if cut is None:
        hint = "mark an input as a leaf; detach(), item(), no_grad() and comparisons cut the graph"
        return plain_error("runtime", "no-graph", message, help=hint)
    label = Label(cut.span, cut.words, True, source)
    return GxError(Diagnostic("runtime", "no-graph", cut.message or message, [label], help=cut.help))


def _gradients(
    session: Session, wrt: tuple[str, ...], names: Mapping[int, str], name: str, output: Tensor, seed: Tensor | None
) -> dict[str, Tensor]:
    wanted = _wanted(session, wrt, names, name, output)
    found = _tried(session, grad, [output], list(wanted.values()), [seed], retain_graph=True, allow_unused=True)
    _check_reached(name, wanted, found, names, output)
    return {leaf: g for leaf, g in zip(wanted, found, strict=True) if g is not None}


def _wanted(
    session: Session, wrt: tuple[str, ...], names: Mapping[int, str], name: str, output: Tensor
) -> dict[str, Tensor]:
    """Return the leaves to differentiate ``output`` by, by name; GxError where there are none or they can't be."""
    if not output.requires_grad:
        raise _no_graph(session, name)
    wanted = {leaf: _leaf_named(session, leaf) for leaf in wrt} or _reached(names, output)
    for leaf, value in wanted.items():
        if not value.requires_grad:
            raise plain_error("usage", "no-leaf", f"{leaf} does not require grad", help=f"declare it: leaf {leaf} = …")
    if not wanted:
        raise plain_error("runtime", "no-leaf", f"{name} reaches no leaf that has a name", help="give it a name")
    return wanted


def _reached(names: Mapping[int, str], output: Tensor) -> dict[str, Tensor]:
    return {names[id(leaf)]: leaf for leaf in reached_leaves(output) if id(leaf) in names}


def _tried(session: Session, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what ``function`` gives; its exceptions become errors with a place in the script."""
    try:
        return function(*arguments, **options)
    except Exception as problem:
        raise GxError(session.explain(problem)) from problem


def _check_reached(
    name: str, wanted: Mapping[str, Tensor], found: Iterable[Any], names: Mapping[int, str], output: Tensor
) -> None:
    for leaf, gradient in zip(wanted, found, strict=True):
        if gradient is None:
            reached = _reached(names, output)
            others = f"{name} reaches {', '.join(reached)}" if reached else None
            raise plain_error("runtime", "unused-input", f"{name} was not computed from {leaf}", help=others)

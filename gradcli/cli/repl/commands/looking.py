"""Commands that show what there is: names, graphs, types, whole values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.autograd import Tensor
from gradcli.cli.render.columns import visible, width
from gradcli.cli.repl.commands.describing import described
from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.entries import Status
from gradcli.cli.repl.problems import problem
from gradcli.cli.repl.show import full_text
from gradcli.ops.namespaces import Namespace

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_HEAD = ("name", "shape", "dtype", "grad?", "leaf?", "|grad|", "from")


@command("[name ...]")
def vars(shell: Shell, text: str) -> None:
    """List the names of the session, or some of them.

    For each: shape, dtype, whether it requires grad, whether it is a leaf, the norm of its gradient, and the entry and
    line that set it.
    """
    wanted = text.replace(",", " ").split()
    names = own_names(shell)
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise problem(f"the session has no name `{unknown[0]}`", f"it has {', '.join(names)}" if names else None)
    if not names:
        shell.write("no names yet\n")
        return
    origins = origins_of_names(shell)
    chosen = {name: value for name, value in names.items() if not wanted or name in wanted}
    rows = [_HEAD, *((visible(name), *_facts(value), origins.get(name, "")) for name, value in chosen.items())]
    shell.write(table(shell, rows))


def own_names(shell: Shell) -> dict[str, Any]:
    """Return the names that the session's entries have set, imports left out."""
    return {
        name: value
        for name, value in shell.session.namespace.items()
        if not name.startswith(("__", ".")) and not isinstance(value, Namespace)
    }


def origins_of_names(shell: Shell) -> dict[str, str]:
    """Return entry and line of the last assignment of each name."""
    origins: dict[str, str] = {}
    for entry in shell.entries:
        unit = shell.session.places.units.get(entry.source.name)
        if unit is not None and entry.status is Status.OK:
            origins |= {name: f"{entry.source.name}:{line}" for line, _, name in unit.names.stores}
    return origins


def _facts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, Tensor):
        return described(value)[:60], "", "", "", ""
    gradient = value._grad
    norm = "" if gradient is None else f"{_norm(gradient):.4g}"
    flags = ["yes" if flag else "no" for flag in (value.requires_grad, value.is_leaf)]
    return str(tuple(value.shape)), value.dtype.name, *flags, norm


def _norm(gradient: Tensor) -> float:
    import numpy as np

    return float(np.linalg.norm(gradient._array.reshape(-1)))


def table(shell: Shell, rows: list[tuple[str, ...]]) -> str:
    """Return rows in columns, the first row as their heads; what is too wide for the window is cut."""
    margins = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        cells = [cell + " " * (margin - width(cell)) for cell, margin in zip(row, margins, strict=True)]
        line = "  ".join(cells).rstrip()
        room = shell.out.width
        if shell.options.interactive and width(line) > room:
            line = line[: room - 1] + ("…" if shell.out.unicode else "~")
        lines.append(shell.paint("strong", line) if number == 0 else line)
    return "".join(f"{line}\n" for line in lines)


@command("y")
def tree(shell: Shell, text: str) -> None:
    """Draw the graph that a tensor was computed by: each node with its expression and entry.

    y is a name or an expression.
    """
    from gradcli.cli.render.tree import draw
    from gradcli.lang.graph_walk import walk
    from gradcli.lang.request import leaf_names

    value = tensor_of(shell, text, "tree")
    nodes = walk(value, shell.session.locate, leaf_names(shell.session))
    shell.write(draw(nodes, shell.out, entries=True) if nodes else "(no graph: nothing in it requires grad)\n")


@command("e")
def type(shell: Shell, text: str) -> None:
    """Say what an expression gives: its kind, shape, dtype and part in a graph."""
    shell.write(f"{described(value_of(shell, text, 'type'))}\n")


@command("e")
def full(shell: Shell, text: str) -> None:
    """Show all of a value, however long it is."""
    shell.write(f"{full_text(value_of(shell, text, 'full'))}\n")


def value_of(shell: Shell, text: str, name: str) -> Any:
    """Return the value of the expression that a command was given; GxError without one."""
    if not text:
        raise problem(f":{name} takes an expression", f"for example :{name} x")
    return shell.evaluate(text, f":{name}")


def tensor_of(shell: Shell, text: str, name: str) -> Tensor:
    """Return the tensor that a command was given; GxError for anything else."""
    value = value_of(shell, text, name)
    if not isinstance(value, Tensor):
        raise problem(f":{name} takes a tensor, and {text} is {described(value)}")
    return value

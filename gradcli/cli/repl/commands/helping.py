""":help, and ``?name``: what can be typed, and what is known of a name."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from gradcli.autograd import Tensor
from gradcli.cli.render.columns import width
from gradcli.cli.repl.commands.describing import described
from gradcli.cli.repl.commands.registry import COMMANDS, command, find
from gradcli.cli.repl.entries import Status
from gradcli.cli.repl.lookup import value_at
from gradcli.cli.repl.problems import problem

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_KEYS = """\
Enter           runs what is whole, goes on to the next line of what is not
Alt-Enter       a new line in any case
Tab             completes names, attributes, keyword arguments and file names
Up, Down        earlier entries; Ctrl-R searches them
Right, Ctrl-E   takes the entry that is suggested in grey
Ctrl-C          stops what runs; at the prompt it drops the line, twice leaves
Ctrl-D          leaves
Ctrl-X Ctrl-E   edits the line in $EDITOR

_, __, ___      the last results; Out[3] that of In [3]
?name, name?    what `gradcli ops` shows of an operation; value and origin of a name
x;              runs x and shows nothing
Text that is pasted may hold blank lines and the prompts >>>, ... and In [3]:."""


@command("[topic]")
def help(shell: Shell, text: str) -> None:
    """List the commands, or say all about a topic: a command, a name, an operation, or `keys`.

    :help grad        the command :grad
    :help keys        what the keys do
    :help logsumexp   what `gradcli ops logsumexp` shows; ?logsumexp and logsumexp? are shorter
    :help x           value and origin of a name of the session
    """
    if not text:
        _list_commands(shell)
    elif text == "keys":
        shell.write(f"{_KEYS}\n")
    elif text.startswith(":") or (text in COMMANDS and text not in shell.session.namespace):
        _about_command(shell, text.lstrip(":"))
    else:
        about(shell, text)


def _list_commands(shell: Shell) -> None:
    heads = {name: known.head for name, known in sorted(COMMANDS.items())}
    margin = max(map(width, heads.values()))
    for name, head in heads.items():
        shell.write(f"{shell.paint('name', head.ljust(margin))}  {COMMANDS[name].summary}\n")
    shell.write("\nThe first letters of a command are enough. :help NAME says more, :help keys what the keys do.\n")


def _about_command(shell: Shell, name: str) -> None:
    known = find(name)
    shell.write(f"{shell.paint('name', known.head)}\n{known.summary}\n")
    shell.write(f"\n{known.details}\n" if known.details else "")


def about(shell: Shell, name: str) -> None:
    """Show what is known of a name: the session's own meaning comes before that of an operation."""
    from gradcli.cli.ops import details
    from gradcli.ops.registry import find as find_row

    value = value_at(shell.session, name)
    spelling = next((s for s in (name, name.removeprefix("torch."), _as_method(name, shell)) if find_row(s)), None)
    if name in shell.session.namespace and (spelling is None or not _is_row_of(spelling, value)):
        shell.write(f"{name}: {described(value)}\n{_origin(shell, name, value)}")
    elif spelling is not None:
        shell.write(details(spelling, shell.out))
    elif value is not None:
        doc = "" if isinstance(value, Tensor) else (getattr(value, "__doc__", None) or "").strip()
        shell.write(f"{name}: {described(value)}\n" + (f"{doc}\n" if doc else ""))
    else:
        raise problem(f"`{name}` is no name here, no operation and no command", ":help lists the commands")


def _as_method(name: str, shell: Shell) -> str:
    """Return ``Tensor.sum`` for ``x.sum`` where x is a tensor."""
    owner, _, last = name.rpartition(".")
    return f"Tensor.{last}" if owner and isinstance(value_at(shell.session, owner), Tensor) else name


def _is_row_of(spelling: str, value: Any) -> bool:
    from gradcli.ops.registry import find as find_row

    row = find_row(spelling)
    return row is not None and row.function is value


def _origin(shell: Shell, name: str, value: Any) -> str:
    """Return where a name was last set, with the text of a function."""
    for entry in reversed(shell.entries):
        unit = shell.session.places.units.get(entry.source.name)
        lines = [line for line, _, stored in unit.names.stores if stored == name] if unit else []
        if lines and entry.status is Status.OK:
            text = entry.text if isinstance(value, FunctionType) else entry.source.line(lines[-1]).strip()
            indented = text.replace("\n", "\n  ")
            return f"from {entry.source.name}:{lines[-1]}\n  {indented}\n"
    return ""

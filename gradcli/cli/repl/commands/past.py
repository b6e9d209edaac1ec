"""What has been: going back, beginning anew, earlier entries, the last error, and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.entries import Entry, Status
from gradcli.cli.repl.problems import Leave, problem

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_LONGEST = 70


@command("[n]")
def undo(shell: Shell, text: str) -> None:
    """Make the session what it was before the last entry, or the last n: names, values, gradients, graphs.

    Random numbers, grad mode, default dtype and print options go back too. What failed has changed nothing and does
    not count. Files that were written stay.
    """
    count = number_of(text, "undo", 1)
    if count > len(shell.timeline):
        have = len(shell.timeline)
        raise problem(f"{have} entries can be undone, not {count}" if have else "there is nothing to undo")
    for entry, whole in shell.undo(count):
        shell.write(f"undone: In [{entry.number}]  {first_line(entry)}\n")
        if not whole:
            shell.write("  (not put back: values that it wrote into tensors too large to copy before each entry)\n")


@command()
def reset(shell: Shell, text: str) -> None:
    """Forget all names and results and begin anew; entries keep counting."""
    shell.reset()
    shell.write("the session is empty\n")


@command("[n]")
def history(shell: Shell, text: str) -> None:
    """List the entries of this session, or the last n, with what became of those that did not work."""
    count = number_of(text, "history", len(shell.entries) or 1)
    for entry in shell.entries[-count:]:
        mark = "" if entry.status is Status.OK else f"  ({entry.status})"
        head = f"In [{entry.number}]: "
        lines = entry.text.split("\n") if entry.file is None else [f":run {entry.file}"]
        dots = "...: ".rjust(len(head))
        for k, line in enumerate(lines):
            end = mark if k == len(lines) - 1 else ""
            shell.write(f"{shell.paint('dim', dots if k else head)}{line}{shell.paint('dim', end)}\n")


@command()
def tb(shell: Shell, text: str) -> None:
    """Show the last error again, with every call that led to it and the values that were at hand there."""
    from gradcli.cli.repl.calls import calls_of

    if shell.failure is None:
        raise problem("nothing has failed so far")
    shell.show(shell.failure.diagnostic)
    shell.write(calls_of(shell.failure, shell.session.places, shell.out))


@command("[status]")
def quit(shell: Shell, text: str) -> None:
    """Leave, with a status for the shell if one is given; Ctrl-D does the same."""
    raise Leave(number_of(text, "quit", 0) & 0xFF)


def number_of(text: str, name: str, default: int) -> int:
    """Return the whole number that a command was given, or ``default``; GxError for anything else."""
    if not text:
        return default
    if not text.isdecimal():
        raise problem(f":{name} takes a whole number, not {text!r}")
    return int(text)


def first_line(entry: Entry) -> str:
    """Return the first line of an entry, shortened."""
    if entry.file is not None:
        return f":run {entry.file}"
    line, _, more = entry.text.partition("\n")
    return line if len(line) <= _LONGEST and not more else f"{line[:_LONGEST]} ..."

"""The table of commands: ``@command("usage")`` puts a function into it, under the function's own name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from gradcli.cli.repl.problems import problem
from gradcli.lang.suggest import did_you_mean

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

Run = Callable[["Shell", str], None]

_MODULES = ("helping", "looking", "differentiating", "checking", "reasons", "timing", "scripts", "past", "settings")
COMMANDS: dict[str, Command] = {}


class Command(NamedTuple):
    """One command: its name, what follows it, what it does in a line, all there is to say, and the function."""

    name: str
    usage: str
    summary: str
    details: str
    run: Run

    @property
    def head(self) -> str:
        """The command as it is typed."""
        return f":{self.name} {self.usage}".rstrip()


def command(usage: str = "") -> Callable[[Run], Run]:
    """Make a function ``(shell, text)`` a command; its name is the function's, its help the docstring."""

    def register(function: Run) -> Run:
        summary, _, details = (function.__doc__ or "").strip().partition("\n")
        plain = "\n".join(line.strip() for line in details.strip().split("\n"))
        name = function.__name__.rstrip("_")
        COMMANDS[name] = Command(name, usage, summary.rstrip("."), plain, function)
        return function

    return register


@cache
def load_commands() -> None:
    """Import the modules that define commands."""
    for module in _MODULES:
        import_module(f"gradcli.cli.repl.commands.{module}")


def find(word: str) -> Command:
    """Return the command called ``word``, or the only one that begins so; GxError with near names."""
    load_commands()
    if word in COMMANDS:
        return COMMANDS[word]
    starting = [name for name in sorted(COMMANDS) if name.startswith(word)]
    if len(starting) == 1:
        return COMMANDS[starting[0]]
    if starting:
        raise problem(f":{word} is the beginning of {' and '.join(f':{name}' for name in starting)}")
    near = did_you_mean(word, COMMANDS)
    raise problem(f"there is no command :{word}", near.replace("`", ":", 1).replace("`", "") if near else "try :help")


def run_command(shell: Shell, line: str) -> None:
    """Run one line: ``:name text``, ``?name`` or ``name?``. GxError for a mistake in it."""
    if "?" in (line[:1], line[-1:]):
        find("help").run(shell, line.strip("?").strip())
        return
    word, _, text = line[1:].strip().partition(" ")
    find(word).run(shell, text.strip())

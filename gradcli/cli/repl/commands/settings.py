""":set: what holds from now on. What scripts can set too is set by an entry, so that :undo and :save know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gradcli.autograd import dtypes, printing
from gradcli.autograd.mode import is_grad_enabled
from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.problems import problem
from gradcli.ops.generator import default_generator

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.cli.repl.shell import Shell


class Setting(NamedTuple):
    """One setting: what it is for, its values in words, the entry that sets it, and what it is now."""

    summary: str
    values: str
    statement: str
    now: Callable[[], object]

    def accepts(self, text: str) -> bool:
        """Tell whether ``text`` is one of its values."""
        return text.isdecimal() if self.values == "N" else text in self.values.split("|")


SETTINGS = {
    "precision": Setting(
        "digits that tensors are printed with",
        "N",
        "set_printoptions(precision={})",
        lambda: printing.options.precision,
    ),
    "threshold": Setting(
        "elements beyond which a tensor is summarised",
        "N",
        "set_printoptions(threshold={})",
        lambda: printing.options.threshold,
    ),
    "edgeitems": Setting(
        "elements shown at each end of what is summarised",
        "N",
        "set_printoptions(edgeitems={})",
        lambda: printing.options.edgeitems,
    ),
    "linewidth": Setting(
        "columns that a tensor may take", "N", "set_printoptions(linewidth={})", lambda: printing.options.linewidth
    ),
    "sci_mode": Setting(
        "scientific notation", "on|off|auto", "set_printoptions(sci_mode={})", lambda: _flag(printing.options.sci_mode)
    ),
    "dtype": Setting(
        "the default float type",
        "float64|float32|float16",
        "set_default_dtype({})",
        lambda: dtypes.get_default_dtype().name,
    ),
    "grad": Setting(
        "whether operations are recorded", "on|off", "set_grad_enabled({});", lambda: _flag(is_grad_enabled())
    ),
    "seed": Setting("where random numbers start", "N", "manual_seed({});", default_generator.initial_seed),
}
_PYTHON = {"on": "True", "off": "False", "auto": "None"}
_KEYS = ("emacs", "vi")


@command("[name value]")
def set(shell: Shell, text: str) -> None:
    """Show the settings, or change one.

    precision N, threshold N, edgeitems N, linewidth N, sci_mode on|off|auto: how tensors are printed
    dtype float64|float32|float16, grad on|off, seed N: what entries compute with
    keys emacs|vi: how lines are edited
    """
    name, _, value = text.replace("=", " ").partition(" ")
    value = value.strip()
    if not name:
        _show(shell)
    elif name == "keys":
        if value not in _KEYS:
            raise problem(f"keys are emacs or vi, not {value!r}")
        shell.editing_mode = value
    elif name not in SETTINGS:
        raise problem(f"there is no setting {name!r}", f"there are {', '.join(SETTINGS)} and keys")
    elif not SETTINGS[name].accepts(value):
        words = "a whole number" if SETTINGS[name].values == "N" else SETTINGS[name].values.replace("|", ", ")
        raise problem(f"{name} takes {words}, not {value!r}")
    else:
        shell.execute(SETTINGS[name].statement.format(_PYTHON.get(value, value)))


def _show(shell: Shell) -> None:
    for name, setting in SETTINGS.items():
        shell.write(f"{name:<10} {setting.now()!s:<8}  {shell.paint('dim', setting.summary)}\n")
    shell.write(f"{'keys':<10} {shell.editing_mode:<8}  {shell.paint('dim', 'how lines are edited')}\n")


def _flag(value: bool | None) -> str:
    return "auto" if value is None else "on" if value else "off"

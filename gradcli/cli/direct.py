"""The plain form of a command line, parsed without Typer.

Importing Typer and building its command costs a third of what importing NumPy does, for every start. So a command
line in which everything is spelled out is parsed here, from the same parameters; whatever is not plain (help, an
abbreviation, a mistake) is left to Typer, whose answer it then gets. A test runs both on the same command lines.
"""

from __future__ import annotations

from typing import Any

from gradcli.cli.parameters import Argument, Option, Parameter, convert


def parse(parameters: list[Parameter], words: list[str]) -> dict[str, Any] | None:
    """Return the values by parameter name, or None when the command line is not plain enough to be sure."""
    by_flag = {flag: p for p in parameters if isinstance(p.spelling, Option) for flag in p.spelling.flags}
    found: dict[str, list[Any]] = {p.name: [] for p in parameters}
    positional: list[str] = []
    rest = iter(words)
    try:
        for word in rest:
            if word == "-" or not word.startswith("-"):
                positional.append(word)
                continue
            flag, equals, text = word.partition("=") if word.startswith("--") else (word, "", "")
            parameter = by_flag[flag]
            if parameter.is_flag:
                if equals:
                    return None
                found[parameter.name].append(True)
            else:
                found[parameter.name].append(convert(parameter, text if equals else next(rest)))
    except (KeyError, ValueError, StopIteration):
        return None
    return _values(parameters, found) if _place(parameters, found, positional) else None


def _place(parameters: list[Parameter], found: dict[str, list[Any]], positional: list[str]) -> bool:
    """Give the positional words to the command's arguments; False when there are more than it takes."""
    for parameter in parameters:
        if isinstance(parameter.spelling, Argument):
            taken = len(positional) if parameter.repeated else 1
            found[parameter.name] = positional[:taken]
            positional = positional[taken:]
    return not positional


def _values(parameters: list[Parameter], found: dict[str, list[Any]]) -> dict[str, Any]:
    return {
        p.name: tuple(found[p.name]) if p.repeated else (found[p.name][-1] if found[p.name] else p.default)
        for p in parameters
    }

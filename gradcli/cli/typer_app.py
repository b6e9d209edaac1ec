"""The Typer application, built from the typed functions of the commands.

It gives what a person needs and a fast start doesn't: help, shell completion, and the words for a mistake.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, cast

import typer

from gradcli.cli.parameters import Argument, Parameter, parameters_of
from gradcli.cli.problems import UsageProblem

UsageError = cast("type[Exception]", typer.BadParameter.__base__)
"""Typer's own class of what is wrong with a command line (it vendors click, so there is no other public name)."""


def build(commands: Mapping[str, Callable[..., int]]) -> typer.Typer:
    """Return an application with one command for each typed function."""
    app = typer.Typer(
        name="gradcli",
        help="Run tensor expression scripts and differentiate them as PyTorch's autograd does.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_version_callback)
    for name, function in commands.items():
        app.command(name)(_typed(function))
    return app


def _version_callback(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.", is_eager=True)] = False,
) -> None:
    """Differentiate tensor expressions on the command line."""


def _typed(function: Callable[..., int]) -> Callable[..., int]:
    """Return ``function`` with the annotations that Typer reads."""
    parameters = parameters_of(function)

    def invoke(**values: Any) -> int:
        return function(**{p.name: _normal(p, values[p.name]) for p in parameters})

    invoke.__doc__ = function.__doc__
    annotations = {p.name: _annotation(p) for p in parameters}
    invoke.__annotations__ = annotations
    invoke.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                p.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=False if p.is_flag else None if p.repeated else p.default,
                annotation=annotations[p.name],
            )
            for p in parameters
        ]
    )
    return invoke


def _normal(parameter: Parameter, value: Any) -> Any:
    if isinstance(value, float) and value != value:  # which compares with no bound, so that click lets it pass
        flag = getattr(parameter.spelling, "flags", (parameter.name,))[-1]
        raise UsageProblem(f"invalid value for '{flag}': nan is not a number")
    return tuple(value or ()) if parameter.repeated else value


def _annotation(parameter: Parameter) -> Any:
    kind: Any = list[parameter.type] if parameter.repeated else parameter.type  # type: ignore[name-defined]
    if not parameter.is_flag and (parameter.repeated or parameter.default is None):
        kind = kind | None
    spelling = parameter.spelling
    if isinstance(spelling, Argument):
        return Annotated[kind, typer.Argument(metavar=spelling.metavar, help=spelling.help, show_default=False)]
    option = typer.Option(
        *spelling.flags,
        help=spelling.help,
        metavar=spelling.metavar,
        min=spelling.minimum,
        show_default=parameter.default not in (None, False, ()),
    )
    return Annotated[kind, option]


def as_problem(mistake: Exception) -> UsageProblem:
    """Return Typer's words for a mistake as a problem of ours, which has one form for all of them."""
    message = cast(Any, mistake).format_message()
    context = getattr(mistake, "ctx", None)
    path = context.command_path if context is not None else "gradcli"
    return UsageProblem(message[:1].lower() + message[1:].rstrip("."), f"see `{path} --help`")

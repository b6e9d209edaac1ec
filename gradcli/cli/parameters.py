"""Parameters of a command, read from its typed function: the one definition of its command line.

``direct`` parses the plain form of a command line from them without importing Typer, and ``typer_app`` builds the
Typer command (help, completion, messages) from the very same list, so the two can't drift apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args, get_origin


class Argument(NamedTuple):
    """A positional parameter; ``metavar`` is its name in the help."""

    metavar: str
    help: str


class Option(NamedTuple):
    """An option; ``flags`` are its spellings, ``metavar`` the name of its value in the help."""

    flags: tuple[str, ...]
    help: str
    metavar: str | None = None
    minimum: float | None = None


class Parameter(NamedTuple):
    """One parameter of a command: its Python name, the type of one value, and how it is spelled."""

    name: str
    type: Callable[[str], Any]
    repeated: bool
    default: Any
    spelling: Argument | Option

    @property
    def is_flag(self) -> bool:
        """Whether the option takes no value."""
        return self.type is bool


def parameters_of(command: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters of ``command``, whose annotations are ``Annotated[type, Argument(…) or Option(…)]``.

    Its module must not postpone annotations: evaluating them from text would cost more than the parsing.
    """
    defaults = dict(command.__kwdefaults__ or {})
    hints = command.__annotations__.items()
    return [_parameter(name, hint, defaults.get(name)) for name, hint in hints if name != "return"]


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    annotated, spelling = hint.__origin__, hint.__metadata__[0]
    repeated = get_origin(annotated) is tuple
    inner = [part for part in get_args(annotated) or (annotated,) if part not in (type(None), ...)]
    return Parameter(name, inner[0], repeated, default, spelling)


def convert(parameter: Parameter, text: str) -> Any:
    """Return ``text`` as a value of the parameter's type; ValueError when it is none."""
    value = parameter.type(text)
    minimum = getattr(parameter.spelling, "minimum", None)
    if minimum is not None and not value >= minimum:
        raise ValueError(text)
    return value

""":check: the gradients of a function against differences."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradcli.autograd import Tensor
from gradcli.cli.repl.commands.describing import described
from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.problems import problem
from gradcli.lang.compiling import read_unit
from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.source import Source

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_AT = re.compile(r"(?P<what>.*?)(?:\s+at\s+(?P<at>.*))?", re.DOTALL)


@command("f [at a, b]")
def check(shell: Shell, text: str) -> None:
    """Compare the gradients of a function with central differences (gradcheck).

    :check f           at the session's values of the names of its parameters
    :check f at a, b   at these values, which may be expressions
    :check sum(w @ x)  an expression, as a function of the float tensors in it
    """
    parts = _AT.fullmatch(text)
    assert parts is not None
    if not parts["what"]:
        raise problem(":check takes a function or an expression", "for example :check f, or :check sum(x^2)")
    function, inputs = _function_and_inputs(shell, parts["what"], parts["at"])
    _compare(shell, parts["what"], function, inputs)


def _function_and_inputs(shell: Shell, what: str, at: str | None) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function to check and its arguments by name or text."""
    value = shell.evaluate(what, ":check")
    if callable(value):
        if at is not None:
            values = shell.evaluate(f"({at},)", ":check")
            return value, {str(k) if text is None else text: v for k, (text, v) in enumerate(_named(at, values))}
        return value, _arguments_of(shell, what, value)
    if not isinstance(value, Tensor):
        raise problem(f":check takes a function or an expression of tensors, and {what} is {described(value)}")
    names = _tensors_in(shell, what)
    if not names or what in names:
        raise problem(
            f"{what} is a value, not a function of others", "give the function, or the expression that y was made by"
        )
    made = shell.evaluate(f"lambda {', '.join(names)}: ({what})", ":check")
    return made, names


def _named(at: str, values: tuple[Any, ...]) -> list[tuple[str | None, Any]]:
    """Return values with their texts, where the texts can be told apart."""
    texts = [part.strip() for part in at.split(",")]
    return [(texts[k] if len(texts) == len(values) else None, value) for k, value in enumerate(values)]


def _arguments_of(shell: Shell, what: str, function: Callable[..., Any]) -> dict[str, Any]:
    """Return the session's values of the names of a function's parameters."""
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p.name for p in parameters if p.default is p.empty and p.kind in positional]
    missing = [name for name in needed if name not in shell.session.namespace]
    if missing or not needed:
        hint = f":check {what} at {', '.join(needed) or 'x'} with values, or expressions, of the session"
        words = f"the session has no `{missing[0]}`" if missing else "it takes no arguments by position"
        raise problem(f"{words}, so {what} can't be called", hint)
    return {name: shell.session.namespace[name] for name in needed}


def _tensors_in(shell: Shell, what: str) -> dict[str, Any]:
    """Return the float tensors of the session that an expression uses, by name."""
    unit = read_unit(Source(what, ":check"), "lone_expression")
    used = dict.fromkeys(name.id for name in unit.names.script.used)
    values = {name: shell.session.namespace.get(name) for name in used}
    return {name: v for name, v in values.items() if isinstance(v, Tensor) and v.dtype.is_floating_point}


def _compare(shell: Shell, what: str, function: Callable[..., Any], inputs: dict[str, Any]) -> None:
    from gradcli.autograd.errors import GradcheckError
    from gradcli.autograd.gradient_check import gradcheck

    points = {name: _fresh(value) for name, value in inputs.items()}
    try:
        with shell.trial():
            shell.session.call(gradcheck, function, tuple(points.values()))
    except GxError as failure:
        cause = failure.__cause__
        if not isinstance(cause, GradcheckError):
            raise
        words = re.sub(r"\binput (\d+)", lambda found: _name_of(points, int(found[1])), str(cause))
        message, *notes = words.split("\n")
        raise GxError(Diagnostic("check", "gradient-wrong", message, notes=notes)) from cause
    by = [f"{name} {tuple(v.shape)}" for name, v in points.items() if isinstance(v, Tensor) and v.requires_grad]
    shell.write(f"the gradients of {what} by {', '.join(by)} agree with central differences\n")


def _fresh(value: Any) -> Any:
    """Return a leaf of its own for a float tensor, so that nothing of the session is touched."""
    if not isinstance(value, Tensor) or value._element.kind not in "fc":
        return value
    return Tensor(value._array.copy()).requires_grad_()


def _name_of(points: dict[str, Any], number: int) -> str:
    return list(points)[number] if number < len(points) else f"input {number}"

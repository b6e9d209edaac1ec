"""Gradients, Jacobians and Hessians of what the session has recorded, beside its own ``.grad``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gradcli.cli.render.values import derivatives_text
from gradcli.cli.repl.commands.looking import tensor_of
from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.problems import problem
from gradcli.lang.request import Request, answer_for

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_WORD = re.compile(r"\s+(wrt|seed)\s+")


@command("y [wrt a, b] [seed v]")
def grad(shell: Shell, text: str) -> None:
    """Show the gradient of a tensor by leaves, or the product of a seed with the Jacobian.

    y is a name or an expression. Without `wrt` the gradient is by every named leaf that y reaches. A seed is an
    expression in the shape of y, needed unless y has one element. No .grad changes, and the graph stays usable.
    """
    _derivatives(shell, text, "grad", gradients=True)


@command("y [wrt a, b]")
def jac(shell: Shell, text: str) -> None:
    """Show the whole Jacobian of a tensor by leaves, of shape y + leaf."""
    _derivatives(shell, text, "jac", jacobian=True)


@command("y [wrt a, b] [seed v]")
def hess(shell: Shell, text: str) -> None:
    """Show the second derivatives of a tensor by each pair of leaves.

    Of shape leaf + leaf for a y of one element or with a seed v (then those of the product of v and y), otherwise of
    shape y + leaf + leaf.
    """
    _derivatives(shell, text, "hess", hessian=True)


def _derivatives(
    shell: Shell, text: str, name: str, gradients: bool = False, jacobian: bool = False, hessian: bool = False
) -> None:
    y, *more = _WORD.split(text)
    parts = dict(zip(more[::2], more[1::2], strict=True))  # in whichever order they come
    if jacobian and "seed" in parts:
        raise problem(":jac takes no seed: it gives the rows for all of them", ":grad y seed v gives one product")
    value = tensor_of(shell, y, name)
    wrt = tuple(leaf for leaf in re.split(r"[\s,]+", parts.get("wrt", "")) if leaf)
    seeds: dict[str | None, str] = {None: parts["seed"]} if "seed" in parts else {}
    request = Request(wrt=wrt, seeds=seeds, gradients=gradients, jacobian=jacobian, hessian=hessian)
    output = answer_for(shell.session, request, y, value)
    shell.write(derivatives_text(output, shell.out))

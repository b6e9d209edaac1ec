"""Values and gradients of the outputs as text: the tensors as ``print`` shows them, each under its name."""

from __future__ import annotations

from typing import Any

from gradcli.cli.render.columns import visible, width
from gradcli.cli.render.tree import draw
from gradcli.cli.terminal import Look
from gradcli.lang.request import Output


def outputs_text(outputs: list[Output], look: Look, trees: bool) -> str:
    """Return value, gradients and (with ``trees``) the grad_fn tree of each output."""
    return "\n".join(_output_text(output, look, trees) for output in outputs)


def _output_text(output: Output, look: Look, trees: bool) -> str:
    text = named(visible(output.name), output.value) + derivatives_text(output, look)
    if trees:
        text += draw(output.graph, look) if output.graph else "(no graph: nothing in it requires grad)\n"
    return text


def derivatives_text(output: Output, look: Look) -> str:
    """Return the gradients, Jacobians and Hessians of an output, each under its name, and the remarks on them."""
    name = visible(output.name)
    top = f"d{name}" if name.isidentifier() else "d"
    seeded = "" if output.seed is None else "vᵀ " if look.unicode else "v^T "
    text = "".join(named(f"{seeded}{top}/d{visible(leaf)}", part) for leaf, part in output.gradients.items())
    text += "".join(named(f"{top}/d{visible(leaf)}", block) for leaf, block in (output.jacobian or {}).items())
    text += _hessian_text(output, look, seeded)
    return text + "".join(f"({visible(remark)})\n" for remark in output.remarks)


def _hessian_text(output: Output, look: Look, seeded: str) -> str:
    """Return each block of the Hessian under its name: ``d²y/dx²``, ``d²y/dx dw``."""
    two = "²" if look.unicode else "^2"
    top = f"{seeded}d{two}{visible(output.name) if output.name.isidentifier() else ''}"
    text = ""
    for first, row in (output.hessian or {}).items():
        for second, block in row.items():
            below = f"d{visible(first)}{two}" if first == second else f"d{visible(first)} d{visible(second)}"
            text += named(f"{top}/{below}", block)
    return text


def named(name: str, value: Any) -> str:
    """Return ``name = value``; the further lines of a tensor stay aligned under the first."""
    first, *more = repr(value).split("\n")
    indent = " " * (width(name) + 3)
    return "".join(f"{line}\n" for line in (f"{name} = {first}", *(f"{indent}{line}" if line else "" for line in more)))

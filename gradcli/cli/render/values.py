"""Values and gradients of the outputs as text: the tensors as ``print`` shows them, each under its name."""

from __future__ import annotations

from gradcli.autograd import Tensor
from gradcli.cli.render.columns import visible, width
from gradcli.cli.render.tree import draw
from gradcli.cli.terminal import Look
from gradcli.lang.request import Output


def outputs_text(outputs: list[Output], look: Look, trees: bool) -> str:
    """Return value, gradients and (with ``trees``) the grad_fn tree of each output."""
    return "\n".join(_output_text(output, look, trees) for output in outputs)


def _output_text(output: Output, look: Look, trees: bool) -> str:
    name = visible(output.name)
    text = _named(name, output.value)
    top = f"d{name}" if name.isidentifier() else "d"
    seeded = "" if output.seed is None else "vᵀ " if look.unicode else "v^T "
    for leaf, gradient in output.gradients.items():
        text += _named(f"{seeded}{top}/d{visible(leaf)}", gradient)
    if trees:
        text += draw(output.graph, look) if output.graph else "(no graph: nothing in it requires grad)\n"
    return text


def _named(name: str, tensor: Tensor) -> str:
    """Return ``name = tensor(…)``; the further lines of a tensor stay aligned under the first."""
    return f"{name} = " + repr(tensor).replace("\n", "\n" + " " * (width(name) + 3)) + "\n"

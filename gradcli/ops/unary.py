"""Making the row of an elementwise function of one tensor out of its ufunc and its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradcli.autograd import fast
from gradcli.autograd.primitive import Primitive
from gradcli.ops.row import Sample, T, op, sample
from gradcli.ops.tangents import diagonal

SHAPES = (sample(T(3)), sample(T()), sample(T(2, 3)), sample(T(0, 2)))


def unary(
    name: str,
    forward: Callable[..., Any],
    rule: Callable[..., Any] | None,
    *,
    doc: str,
    formula: str,
    example: str,
    also: str = "",
    node: str | None = None,
    to_float: bool = True,
    holomorphic: bool = True,
    inplace: bool = True,
    domain: tuple[float, float] = (-2.0, 2.0),
    conventions: str = "",
    samples: tuple[Sample, ...] = (),
    shapes: tuple[Sample, ...] = SHAPES,
    category: str = "elementwise unary",
) -> Callable[[Any], Any]:
    """Return the public function ``name`` (``torch.name`` and ``Tensor.name``) and register its row.

    ``rule`` is the vector-Jacobian product over ``g``, ``input`` and ``out``; ``also`` are further names without their
    first part (``arcsin``), or whole (``torch.special.exp2``); ``to_float`` says that integers become the default
    float; ``holomorphic`` that the rule multiplies by one number where complex (or that it takes real numbers alone).
    """
    full = name if "." in name else f"torch.{name}"
    short = name.rpartition(".")[2]
    names = [full] if "." in name else [full, f"Tensor.{name}"]
    for other in also.split():
        names += [other] if "." in other else [f"torch.{other}", f"Tensor.{other}"]
    vjp = None if rule is None else {"input": rule}
    primitive = Primitive(short, forward, vjp, node=node, to_float=to_float, batch="elementwise")
    function = fast.unary(diagonal(primitive) if vjp is not None and holomorphic else primitive)
    function.__name__ = function.__qualname__ = short
    function.__doc__ = doc
    register = op(
        full,
        f"{full.removeprefix('torch.')}(input)",
        names=" ".join(names),
        doc=doc,
        formula=formula,
        conventions=conventions,
        examples=(f"{full.removeprefix('torch.')}(tensor({example.replace(' -> ', '))  #> ', 1)}",),
        samples=(*shapes, *samples),
        domain=domain,
        inplace=inplace and any(n.startswith("Tensor.") for n in names),
        category=category,
    )
    return register(function)

"""Forward mode of elementwise operations, whose Jacobians are diagonal: the reverse rule carries tangents as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradcli.autograd.primitive import Primitive, rule_names
from gradcli.ops.common import H

Values = tuple[Any, ...]


def fitted(tangent: Any, out: Any) -> Any:
    """Return ``tangent`` in the dtype of ``out`` and broadcast to its shape."""
    if tangent._element != out._element:
        tangent = tangent.to(out.dtype)
    return tangent if tuple(tangent.shape) == tuple(out.shape) else tangent.expand(tuple(out.shape))


def diagonal(primitive: Primitive) -> Primitive:
    """Give ``primitive`` the forward rule that its reverse rules imply, and return it.

    A reverse rule multiplies by conj(f'), so conj(rule(conj(t))) is f' t: right for real and for holomorphic functions.
    """
    assert isinstance(primitive.vjp, dict)
    rules, arrays = primitive.vjp, primitive.arrays

    def jvp(values: Values, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
        known = {**params, **dict(zip(arrays, values, strict=True)), "out": out}
        total = None
        for name, tangent in zip(arrays, tangents, strict=True):
            if tangent is not None:
                part = _apply(rules[name], H(tangent), known)
                total = part if total is None else total + part
        return fitted(total, out)

    primitive.jvp = jvp
    return primitive


def _apply(rule: Callable[..., Any], g: Any, known: dict[str, Any]) -> Any:
    return H(rule(**{name: g if name == "g" else known[name] for name in rule_names(rule)}))


def quotient(values: Values, params: dict[str, Any], out: Any, tangents: list[Any]) -> Any:
    """Return the tangent of input / other, as PyTorch forms it: (input' - other' * out) / other."""
    above, below = tangents
    if below is None:
        return fitted(above / values[1], out)
    top = -(below * out) if above is None else above - below * out
    return fitted(top / values[1], out)

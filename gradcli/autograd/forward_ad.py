"""Forward mode under PyTorch's names: dual levels, dual tensors, and what they unpack to."""

from __future__ import annotations

from typing import Any, NamedTuple

from gradcli.autograd.dual import make_dual as _make_dual
from gradcli.autograd.dual import unpack
from gradcli.autograd.errors import error
from gradcli.autograd.lifted import active, new_level
from gradcli.autograd.tensor import Tensor


class UnpackedDualTensor(NamedTuple):
    """The two parts of a dual tensor; the tangent is None for a tensor that has none."""

    primal: Tensor
    tangent: Tensor | None


class _Current:
    """The level that is entered, as PyTorch's forward mode has one at a time."""

    __slots__ = ("level",)

    def __init__(self) -> None:
        self.level: int | None = None


_current = _Current()


def enter_dual_level() -> int:
    """Enter forward mode and return its level; RuntimeError where a level is entered already."""
    if _current.level is not None:
        raise error(
            RuntimeError,
            "nested-dual-level",
            "a dual level is entered already, and levels do not nest",
            hint="func.jvp nests",
        )
    _current.level = new_level()
    active.add(_current.level)
    return _current.level


def exit_dual_level(*, level: int | None = None) -> None:
    """Leave forward mode; RuntimeError where it was not entered, or ``level`` is not the one entered."""
    if _current.level is None or (level is not None and level != _current.level):
        raise error(RuntimeError, "no-dual-level", "there is no such dual level to leave")
    active.discard(_current.level)
    _current.level = None


class dual_level:
    """``with dual_level():`` tangents exist inside and are gone afterwards."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *args: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Return a dual tensor of ``tensor`` with ``tangent``, which has its shape and takes its precision.

    RuntimeError outside a dual level, for another shape, or for a complex tangent of a real tensor (and the reverse);
    ValueError for an integer tensor.
    """
    wanted = _current.level if level is None else level
    if wanted is None:
        raise error(
            RuntimeError, "no-dual-level", "make_dual() needs a dual level", hint="with forward_ad.dual_level(): ..."
        )
    tangent = in_precision_of(tensor, tangent)
    check_tangent(tensor, tangent)
    return _make_dual(tensor, tangent, wanted)


def in_precision_of(tensor: Tensor, tangent: Tensor) -> Tensor:
    """Return ``tangent`` in the dtype of ``tensor`` where both are real, or both complex."""
    if tangent._element == tensor._element or tangent._element.kind != tensor._element.kind:
        return tangent
    return tangent.to(tensor.dtype)


def check_tangent(tensor: Any, tangent: Any) -> None:
    """Raise where ``tangent`` is no tangent of ``tensor``: another shape or dtype, or no floating type."""
    for one in (tensor, tangent):
        if one._element.kind not in "fc":
            raise error(
                ValueError, "integer-tangent", f"forward mode needs floating or complex tensors, got {one.dtype}"
            )
    if tuple(tensor.shape) != tuple(tangent.shape):
        raise error(
            RuntimeError,
            "tangent-shape",
            f"a tangent has the shape of its tensor, {tuple(tensor.shape)}, got {tuple(tangent.shape)}",
        )
    if tensor._element != tangent._element:
        raise error(
            RuntimeError, "tangent-dtype", f"a tangent has the dtype of its tensor, {tensor.dtype}, got {tangent.dtype}"
        )


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Return value and tangent of ``tensor``; the tangent is None where it has none, or outside a dual level."""
    wanted = _current.level if level is None else level
    if wanted is None:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*unpack(tensor, wanted))

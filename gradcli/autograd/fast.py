"""The short way of elementwise operations on small tensors: one check, the ufunc, one node.

Whatever is not the common case (a list, an array, another dtype, a tensor subclass) takes the general way through
``Primitive.apply``, which gives the same results. Nodes and tensors are filled in here without their constructors,
which cost as much as all of the attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from gradcli.autograd.destination import into
from gradcli.autograd.mode import mode
from gradcli.autograd.node import edge_of, next_seq, watched
from gradcli.autograd.primitive import FLOATING, OPERANDS, Primitive, note_versions
from gradcli.autograd.record import place_from, user
from gradcli.autograd.tensor import Tensor

_frame, _new = sys._getframe, object.__new__
_F64, _F32 = np.dtype(np.float64), np.dtype(np.float32)
_ndarray = np.ndarray
_ZERO = np.zeros(())


def recorded(cls: Any, input: Tensor, saved: Any, out: Any, frame: FrameType, two: bool = False) -> Tensor:
    """Return the tensor of the raw result ``out`` with a node of class ``cls`` whose first edge leads to ``input``.

    ``frame`` is where to look for the user's line, ``two`` says that there is a second edge, which leads nowhere.
    """
    code: CodeType | None = frame.f_code
    if code is user.code or frame.f_globals is user.globals:
        lasti = frame.f_lasti
    else:
        code, lasti = place_from(frame)
    parent, nr = input._fn, input._nr
    if parent is None or input._view is not None:
        parent = edge_of(input)
    node = _new(cls)
    node.saved, node.parents = saved, (parent, None) if two else (parent,)
    node.numbers = None if not nr else (nr, 0) if two else (nr,)
    node.shape, node.dtype, node.seq = out.shape, out.dtype, next_seq()
    node.code, node.lasti, node.rare = code, lasti, None
    if input._storage is not None and cls.reads:
        note_versions(node)
    made: Tensor = _new(Tensor)
    made._array, made._fn, made._rg, made._nr = out, node, True, 0
    made._grad = made._storage = made._view = made._acc = made._hooks = None
    if watched.on:
        watched.look(node, made)
    return made


def recorded_pair(
    cls: Any, input: Tensor, other: Tensor, params: dict[str, Any], out: Any, frame: FrameType
) -> Tensor:
    """Return the tensor of the raw result ``out`` with a node of class ``cls`` on two tensors."""
    code: CodeType | None = frame.f_code
    if code is user.code or frame.f_globals is user.globals:
        lasti = frame.f_lasti
    else:
        code, lasti = place_from(frame)
    left, right = input._fn, other._fn
    if left is None or input._view is not None:
        left = edge_of(input) if input._rg else None
    if right is None or other._view is not None:
        right = edge_of(other) if other._rg else None
    numbers = (input._nr, other._nr) if input._nr or other._nr else None
    saved = cls.save((input, other), out, params)
    node = _new(cls)
    node.parents, node.numbers, node.saved = (left, right), numbers, saved
    node.shape, node.dtype, node.seq = out.shape, out.dtype, next_seq()
    node.code, node.lasti, node.rare = code, lasti, None
    if (input._storage is not None or other._storage is not None) and cls.reads:
        note_versions(node)
    made: Tensor = _new(Tensor)
    made._array, made._fn, made._rg, made._nr = out, node, True, 0
    made._grad = made._storage = made._view = made._acc = made._hooks = None
    if watched.on:
        watched.look(node, made)
    return made


def unary(primitive: Primitive, params: dict[str, Any] | None = None) -> Callable[[Any], Any]:
    """Return the function of one float tensor that applies ``primitive`` with fixed ``params``."""
    forward, general, fixed = primitive.forward, primitive.__call__, params or {}
    cls: Any = None
    keeps = ""

    def call(input: Any, *, out: Any = None) -> Any:
        nonlocal cls, keeps
        if out is not None:
            return into(out, call, input)
        if input.__class__ is not Tensor:
            if input.__class__ is _ndarray and (input.dtype is _F64 or input.dtype is _F32):  # within a rule
                return forward(input, **fixed)
            return general(input, **fixed)
        array = input._array
        dtype = array.dtype
        if dtype is not _F64 and dtype is not _F32:
            return general(input, **fixed)
        out = forward(array, **fixed) if fixed else forward(array)
        if out.__class__ is not _ndarray:
            out = np.asarray(out)
        if not input._rg or not mode.enabled or (out.dtype is not dtype and out.dtype.kind not in FLOATING):
            return Tensor(out)
        if cls is None:
            if primitive.vjp is None:
                return Tensor(out)
            cls = primitive.node_class((True,), (False,))
            keeps = ",".join(cls.saved_kinds)
        saved = (out,) if keeps == "out" else (input,) if keeps == "input" else cls.save((input,), out, fixed)
        return recorded(cls, input, saved, out, _frame(1))

    return call


def with_number(primitive: Primitive, word: str | None) -> Callable[[Any, Any], Any]:
    """Return the function of one float tensor and a Python number, the parameter ``word`` of ``primitive``.

    Where ``word`` is None the second argument is a dictionary of all parameters.
    """
    forward, general = primitive.forward, primitive.__call__
    cls: Any = None

    def call(input: Any, number: Any) -> Any:
        nonlocal cls
        params = number if word is None else {word: number}
        if input.__class__ is not Tensor:
            return general(input, **params)
        array = input._array
        if array.dtype is not _F64 and array.dtype is not _F32:
            return general(input, **params)
        out = forward(array, **params)
        if out.__class__ is not _ndarray:
            out = np.asarray(out)
        if not input._rg or not mode.enabled or out.dtype.kind not in FLOATING:
            return Tensor(out)
        if cls is None:
            cls = primitive.node_class((True,), (False,))
        return recorded(cls, input, cls.save((input,), out, params), out, _frame(1))

    return call


def binary(
    primitive: Primitive, params: dict[str, Any] | None = None, *, quick: Any = None, operator: bool = False
) -> Callable[[Any, Any], Any]:
    """Return the function of two float tensors, or of a tensor and a number, that applies ``primitive``.

    ``quick`` is a ufunc that does what ``forward`` does for ``params``; ``operator`` says that the function is an
    operator method, which leaves operands it does not know to their own class.
    """
    fixed, silent = params or {}, primitive.vjp is None
    classes: list[Any] = [None] * 4  # for a number, and for tensors of which the left, the right or both require grad
    slow = _general(primitive, fixed, operator)
    forward, words = (primitive.forward, fixed) if quick is None else (quick, {})
    remember = _remembered if isinstance(forward, np.ufunc) else _nothing
    recent = _nothing(0, _F64)  # the number used last, with its array

    def call(input: Any, other: Any, *, out: Any = None) -> Any:
        nonlocal recent
        if out is not None:
            return into(out, call, input, other)
        if input.__class__ is not Tensor:
            return slow(input, other)
        a, kind = input._array, other.__class__
        dtype = a.dtype
        if dtype is not _F64 and dtype is not _F32:
            return slow(input, other)
        if kind is Tensor:
            b, right = other._array, other._rg
            if b.dtype is not dtype:
                return slow(input, other)
        elif kind is float or kind is int:
            known, b = recent
            right = False
            if known is not other or b.dtype is not dtype:
                b, recent = other, remember(other, dtype)
        else:
            return slow(input, other)
        try:
            out = forward(a, b, **words) if words else forward(a, b)
        except ValueError:
            raise broadcast_error(primitive, a.shape, b.shape) from None
        if out.__class__ is not _ndarray:
            out = np.asarray(out)
        left = input._rg
        if silent or not (left or right) or not mode.enabled:
            return Tensor(out)
        which = left + 2 * right if kind is Tensor else 0
        cls = classes[which]
        if cls is None:
            classes[which] = cls = primitive.node_class((left, right), (False, kind is not Tensor))
        if kind is Tensor:
            return recorded_pair(cls, input, other, fixed, out, _frame(1))
        number = b if kind is float and dtype is _F64 else other
        return recorded(cls, input, cls.save((input, number), out, fixed), out, _frame(1), True)

    return call


def _nothing(number: Any, dtype: Any) -> tuple[Any, Any]:
    """Return the pair that stands for no number."""
    return None, _ZERO


def _remembered(number: Any, dtype: Any) -> tuple[Any, Any]:
    """Return ``number`` with the 0-d array of it, which NumPy is quicker with; only where both mean the same."""
    most = 1e308 if dtype is _F64 and number.__class__ is float else 3e38 if number.__class__ is float else 2**24
    return (number, np.array(number, dtype)) if -most <= number <= most else (None, _ZERO)


def _general(primitive: Primitive, fixed: dict[str, Any], operator: bool) -> Callable[[Any, Any], Any]:
    """Return the general way of two operands; as an operator it leaves what it does not know to its own class."""

    def slow(input: Any, other: Any) -> Any:
        if operator and not isinstance(other, OPERANDS):
            return NotImplemented
        return primitive(input, other, **fixed)

    return slow


def broadcast_error(primitive: Primitive, a: tuple[int, ...], b: tuple[int, ...]) -> Exception:
    """Return the error of two shapes that do not broadcast, naming the dimension at which they differ."""
    from gradcli.autograd.errors import error

    for back in range(1, min(len(a), len(b)) + 1):
        if a[-back] != b[-back] and 1 not in (a[-back], b[-back]):
            return error(
                RuntimeError,
                "shape-mismatch",
                f"{primitive.name} cannot broadcast shapes {tuple(a)} and {tuple(b)}: dimension -{back} is "
                f"{a[-back]} on the left and {b[-back]} on the right",
                label=f"{tuple(a)} against {tuple(b)}",
                hint="sizes must be equal or 1, counted from the last dimension; unsqueeze() adds one of size 1",
            )
    return error(RuntimeError, "shape-mismatch", f"{primitive.name} cannot combine shapes {tuple(a)} and {tuple(b)}")


def mismatch(primitive: Primitive, shapes: list[tuple[int, ...]]) -> Exception:
    """Return the error of the first of ``shapes`` that does not broadcast with those before it."""
    known: tuple[int, ...] = ()
    for shape in shapes:
        try:
            known = np.broadcast_shapes(known, shape)
        except ValueError:
            return broadcast_error(primitive, known, shape)
    return broadcast_error(primitive, shapes[0], shapes[-1])

"""All rows, found by any of their names, and the bridge that makes them methods of tensors.

Families are imported when one of their rows is first asked for. Which family a name belongs to is read from an index
that is made once from the rows themselves, and made again whenever a file of this folder has changed.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable
from typing import Any

from gradcli.autograd.inplace import inplace
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.cache import cached, stamp
from gradcli.ops.row import NAMES, ROWS, Row, documented

FAMILIES = (
    "arithmetic",
    "elementwise",
    "power",
    "trigonometric",
    "rounding",
    "binary",
    "compare",
    "bitwise",
    "operators",
    "special",
    "bessel",
    "cast",
    "complex",
    "create",
    "ranges",
    "combine",
    "windows",
    "info",
    "copying",
    "random",
    "random_inplace",
    "reduce",
    "products",
    "extremes",
    "statistics",
    "totals",
    "norms",
    "cumulative",
    "samples",
    "sorting",
    "quantiles",
    "counting",
    "distinct",
    "shape",
    "axes",
    "slices",
    "triangles",
    "rearranging",
    "joining",
    "splitting",
    "atleast",
    "choosing",
    "index",
    "gathering",
    "scatter",
    "scatter_reduce",
    "overwriting",
    "matmul",
    "addmatmul",
    "contractions",
    "einsum",
    "linalg",
    "factorizations",
    "factored",
    "ldl",
    "determinants",
    "decompositions",
    "svd",
    "matrix_norms",
    "matrix_functions",
    "reflectors",
    "fft",
    "stft",
    "covariance",
    "activation",
    "piecewise",
    "softmax",
    "loss",
    "likelihood",
    "classification",
    "class_margins",
    "margin",
    "ctc",
    "linear",
    "conv",
    "unfold",
    "padding",
    "pooling",
    "average_pooling",
    "adaptive",
    "norm",
    "rms",
    "distance",
    "embedding",
    "dropout",
    "resampling",
    "shuffles",
    "grid",
    "attention",
    "multihead",
)


# Where the operator methods are bound; each module does it when it is imported.
OPERATORS = {
    "__matmul__": "matmul",
    "__rmatmul__": "matmul",
    "__imatmul__": "matmul",
    "__getitem__": "index",
    "__setitem__": "index",
}
_PLAIN = (
    "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod "
    "pow rpow ipow neg pos abs invert eq ne lt le gt ge and rand iand or ror ior xor rxor ixor"
)


def _family(name: str) -> Any:
    return importlib.import_module(f"gradcli.ops.{name}")


def _make_index() -> dict[str, tuple[str, bool]]:
    """Return for each spelling the family that brings it and whether it has an in-place form."""
    found = {}
    for family in FAMILIES:
        before = set(NAMES)
        _family(family)
        for name in NAMES:
            if name not in before:
                found[name] = (family, NAMES[name].inplace)
    return found


INDEX: dict[str, tuple[str, bool]] = cached(
    "operations", stamp(os.path.dirname(os.path.abspath(__file__)), ".py"), _make_index
)


def row_named(name: str) -> Row | None:
    """Return the row with the full spelling ``name`` (``torch.exp``, ``Tensor.exp``), its family imported."""
    row = NAMES.get(name)
    if row is None and name in INDEX:
        _family(INDEX[name][0])
        row = NAMES[name]
    return row


def rows() -> Iterable[Row]:
    """Return all rows; every family is imported."""
    for family in FAMILIES:
        _family(family)
    return ROWS.values()


def find(name: str) -> Row | None:
    """Return the row with the spelling ``name``: full (``torch.linalg.inv``), or without its first part (``exp``,
    ``F.relu``)."""
    for full in (name, f"torch.{name}", f"Tensor.{name}", f"torch.nn.functional.{name.removeprefix('F.')}"):
        if full in INDEX:
            return row_named(full)
    return None


def method(name: str) -> Callable[..., Any] | None:
    """Return what ``Tensor.name`` is: the function of a row with that spelling, or its in-place form ``name_``."""
    row = row_named(f"Tensor.{name}")
    if row is not None:
        return documented(row)
    if name.endswith("_") and not name.startswith("_"):
        row = row_named(f"Tensor.{name[:-1]}")
        if row is not None and row.inplace:
            return inplace_method(name, row.function)
    return None


def inplace_method(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method that writes the result of ``function`` over its tensor."""

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return inplace(function, self, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Write the result of ``{name[:-1]}`` over this tensor and return it."
    return call


def method_names() -> list[str]:
    """Return every method that rows give to tensors, in-place forms included."""
    found = []
    for name, (_, writes) in INDEX.items():
        if name.startswith("Tensor."):
            found.append(name[7:])
            if writes:
                found.append(name[7:] + "_")
    return found


def _first_use(name: str, module: str) -> Callable[..., Any]:
    """Return an operator method that binds the real one when it is first used, and calls it."""

    def operator(self: Tensor, *args: Any) -> Any:
        _family(module)
        bound = vars(Tensor)[name]
        return NotImplemented if bound is operator else bound(self, *args)

    return operator


def _bind_operators() -> None:
    """Let operators import their families when they are first used, unless these are there already."""
    for name in (*OPERATORS, *(f"__{word}__" for word in _PLAIN.split())):
        if name not in vars(Tensor):
            setattr(Tensor, name, _first_use(name, OPERATORS.get(name, "operators")))


class _Method:
    """A method that is looked up when it is first read; a family may bind a property of that name instead."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def bind(self) -> None:
        """Put the real method in this one's place."""
        found = method(self.name)
        if vars(Tensor)[self.name] is self:
            setattr(Tensor, self.name, found)

    def __get__(self, tensor: Tensor | None, cls: type[Tensor]) -> Any:
        self.bind()
        return getattr(cls if tensor is None else tensor, self.name)

    def __set__(self, tensor: Tensor, value: Any) -> None:
        self.bind()
        if not isinstance(vars(Tensor)[self.name], property):
            raise AttributeError(f"'Tensor' object attribute {self.name!r} is read-only", name=self.name, obj=tensor)
        setattr(tensor, self.name, value)


def _bind_methods() -> None:
    """Give tensors every method that rows have, unless it is there already."""
    present = vars(Tensor)
    for name in method_names():
        if name not in present:
            setattr(Tensor, name, _Method(name))


def _operation(name: str) -> Callable[..., Any]:
    """Return the function of the row with the full spelling ``name``, for the engine's transformations."""
    row = row_named(name)
    assert row is not None, name
    return row.function


def _batch_rule(primitive: Primitive) -> Callable[..., Any] | None:
    """Return how ``primitive`` runs on a batch, or None where it has no rule of its own."""
    from gradcli.ops.batching import rule_of

    return rule_of(primitive)


def _unit_rule(primitive: Primitive) -> Callable[..., Any] | None:
    """Return how ``primitive`` runs on the entries of unit vectors, or None where it needs them written out."""
    from gradcli.ops.batch_units import rule_of

    return rule_of(primitive)


Lifted.operation = staticmethod(_operation)
Lifted.batch_rule = staticmethod(_batch_rule)
Lifted.unit_rule = staticmethod(_unit_rule)
_bind_operators()
_bind_methods()

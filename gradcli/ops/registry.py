"""All rows, found by any of their names, and the bridge that makes them methods of tensors."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any

from gradcli.autograd.inplace import inplace
from gradcli.autograd.tensor import Tensor
from gradcli.ops.row import NAMES, ROWS, Row

FAMILIES = (
    "arithmetic", "elementwise", "rounding", "compare", "special", "cast", "create", "random", "reduce", "statistics",
    "cumulative", "sorting", "shape", "joining", "index", "scatter", "matmul", "einsum", "linalg", "decompositions",
    "activation", "loss", "conv", "pooling", "norm", "embedding",
)

for _family in FAMILIES:
    importlib.import_module(f"gradcli.ops.{_family}")


def rows() -> Iterable[Row]:
    """Return all rows in the order in which they are written."""
    return ROWS.values()


def find(name: str) -> Row | None:
    """Return the row with the spelling ``name``: full (``torch.linalg.inv``), or without its first part (``exp``, ``F.relu``)."""
    for full in (name, f"torch.{name}", f"Tensor.{name}", f"torch.nn.functional.{name.removeprefix('F.')}"):
        if full in NAMES:
            return NAMES[full]
    return None


def method(name: str) -> Callable[..., Any] | None:
    """Return what ``Tensor.name`` is: the function of a row with that spelling, or its in-place form ``name_``."""
    row = NAMES.get(f"Tensor.{name}")
    if row is not None:
        return row.function
    if name.endswith("_") and not name.startswith("_"):
        row = NAMES.get(f"Tensor.{name[:-1]}")
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
    for name, row in NAMES.items():
        if name.startswith("Tensor."):
            found.append(name[7:])
            if row.inplace:
                found.append(name[7:] + "_")
    return found


Tensor.resolver = staticmethod(method)

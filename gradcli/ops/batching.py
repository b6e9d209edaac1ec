"""Batch rules: how an operation runs on all samples of a vmap at once.

A rule gets the values with the batch along axis 0 where ``flags`` says so, and returns the result with the batch in
front; it computes values only, since recording happens above it. A primitive says by ``batch`` which rule is its own:

- ``"elementwise"``: the samples' dimensions are lined up from the last, as broadcasting has them;
- a tuple of parameter names: dimensions count one more, shapes get the batch in front (``"widths:pairs"`` names the
  kind of a parameter where its name doesn't tell); everything else the operation finds in the trailing dimensions;
- ``"products.trace"``: the function of that name in ``gradcli.ops.batch_products``;
- a rule itself.

Without a rule an operation runs sample by sample: ``block_diag``, ``histc``, ``histogram``, ``bincount``,
``embedding_bag``, ``ctc_loss``, ``pdist``, ``multi_margin_loss``, ``multilabel_margin_loss`` and their gradients, and
the gradient of ``as_strided``. So do the rules that read plain arrays: those of ``scatter_reduce`` and ``index_reduce``
(mean, amax, amin, prod), ``grid_sample``, and the determinant of a singular matrix. ``unique``, ``nonzero`` and
``x[mask]`` with a mask of each sample's own are refused, since their results have sizes of their own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor

Flags = tuple[bool, ...]
Values = tuple[Any, ...]
Params = dict[str, Any]
Rule = Callable[[Primitive, int, Flags, Values, Params], Any]
Shift = Callable[[Any, int], Any]


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Return what the function ``torch.NAME`` gives."""
    from gradcli.ops.registry import row_named

    row = row_named(f"torch.{name}")
    assert row is not None, name
    return row.function(*args, **kwargs)


def rank(value: Any, batched: bool) -> int:
    """Return the number of dimensions of one sample."""
    return int(value.ndim) - batched if isinstance(value, Tensor) else 0


def elementwise(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
    """Line up the samples' dimensions from the last, so that broadcasting pairs them as it does for one sample."""
    if primitive.promotes:
        values = _promoted(flags, values)
    most = max(rank(v, f) for v, f in zip(values, flags, strict=True))
    return primitive(*(padded(v, most) if f else v for v, f in zip(values, flags, strict=True)), **params)


def padded(value: Tensor, most: int) -> Any:
    """Return a batched value whose samples have ``most`` dimensions, new ones of size 1 in front."""
    missing = most + 1 - value.ndim
    return value.reshape((value.shape[0], *(1,) * missing, *value.shape[1:])) if missing > 0 else value


def _promoted(flags: Flags, values: Values) -> Values:
    """Return the values in the dtype that the samples' own ranks give: a 0-d sample counts less than a vector."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    if all(v._element is tensors[0]._element or v._element == tensors[0]._element for v in tensors):
        return values
    from gradcli.autograd.dtypes import result_type

    stand_ins = [
        np.empty((1,) * rank(v, f), v._element) if isinstance(v, Tensor) else v
        for v, f in zip(values, flags, strict=True)
        if v is not None
    ]
    dtype = result_type(stand_ins)
    return tuple(v.to(dtype) if isinstance(v, Tensor) else v for v in values)


def _dim(value: Any, size: int) -> Any:
    """Shift a dimension, or several, by the batch axis; they count from the front."""
    if value is None:
        return None
    if isinstance(value, (tuple, list)):
        return tuple(v + 1 if v >= 0 else v for v in value)
    return value + 1 if value >= 0 else value


_KINDS: dict[str, Shift] = {
    "dim": _dim,
    "lane": _dim,
    "order": lambda value, size: (0, *(v + 1 for v in value)),
    "shape": lambda value, size: (size, *value),
    "pairs": lambda value, size: ((0, 0), *value),
    "index": lambda value, size: (slice(None), *(value if isinstance(value, tuple) else (value,))),
}
_BY_NAME = {
    **dict.fromkeys(("dim", "dim0", "dim1", "dim2", "axis", "axes", "dimension", "dims"), "dim"),
    **dict.fromkeys(("shape", "size", "sizes", "before", "given"), "shape"),
    "index": "index",
}


def shifted(*specs: str) -> Rule:
    """Return the rule of an operation whose parameters named in ``specs`` are dimensions or shapes.

    A spec is ``name`` or ``name:kind``. The kind "lane" is a dimension along which a 0-d tensor counts as a lane of one
    element. All arguments are batched.
    """
    pairs = [spec.split(":") if ":" in spec else [spec, _BY_NAME[spec]] for spec in specs]
    lane = any(kind == "lane" for _, kind in pairs)

    def rule(primitive: Primitive, size: int, flags: Flags, values: Values, params: Params) -> Any:
        values = tuple(v if f else repeated(v, size) for v, f in zip(values, flags, strict=True))
        changed = {n: _KINDS[k](params[n], size) for n, k in pairs if n in params}
        if lane and values[0].ndim == 1 and not any(params.get(n) for n, k in pairs if k == "shape"):
            return _as_lanes(primitive, size, values, {**params, **changed}, pairs)
        return primitive(*values, **{**params, **changed})

    return rule


def _as_lanes(primitive: Primitive, size: int, values: Values, params: Params, pairs: list[list[str]]) -> Any:
    """Apply to samples of no dimensions, each as a lane of one element."""
    values = tuple(v.unsqueeze(-1) if isinstance(v, Tensor) and v.ndim == 1 else v for v in values)
    sizes = {n: (size, 1) for n, k in pairs if k == "shape" and n in params}
    out = primitive(*values, **{**params, **sizes})
    return tuple(o.reshape(size) for o in out) if primitive.multi else out.reshape(size)


def repeated(value: Any, size: int) -> Any:
    """Return a value that is the same for all samples with a batch in front; numbers and None as they are."""
    return value.unsqueeze(0).expand((size, *value.shape)) if isinstance(value, Tensor) else value


def batch_all(size: int, flags: Flags, values: Values) -> Values:
    """Return the values, all of them with the batch in front."""
    return tuple(v if f else repeated(v, size) for v, f in zip(values, flags, strict=True))


@cache
def rule_of(primitive: Primitive) -> Rule | None:
    """Return the batch rule of ``primitive``, or None: then it runs sample by sample."""
    batch = primitive.batch
    if callable(batch):
        rule: Rule = batch
        return rule
    if primitive.elementwise:
        return elementwise
    if isinstance(batch, tuple):
        return shifted(*batch)
    if isinstance(batch, str):
        module, _, name = batch.partition(".")
        found: Rule = getattr(importlib.import_module(f"gradcli.ops.batch_{module}"), name)
        return found
    return None

"""Running sums, shifts and linear recurrences along a dimension: what the rules of cumulative operations are made of.

A recurrence s[i] = b[i] + a[.] s[i-1] divides nothing, so derivatives of products built from it are exact where factors
are zero. Its adjoint is a recurrence the other way, which closes the family under differentiation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, element


# -- running sums -----------------------------------------------------------------------------------------------------
def _cumsum(input: Any, *, dim: int, dtype: Any) -> Any:
    return np.add.accumulate(input, axis=dim, dtype=dtype) if input.ndim else np.array(input, dtype=dtype)


def _tail_sum(input: Any, *, dim: int) -> Any:
    if not input.ndim:
        return np.array(input)
    return np.flip(np.add.accumulate(np.flip(input, dim), axis=dim), dim)


def _cumsum_rule(g: Any, dim: int) -> Any:
    return tail_sum(g, dim=dim)


cumsum_primitive = Primitive("cumsum", _cumsum, {"input": _cumsum_rule}, batch=("dim:lane",))
tail_sum = Primitive("cumsum", _tail_sum, {"input": lambda g, dim: cumsum_primitive(g, dim=dim, dtype=None)},
    batch=("dim:lane",))


# -- shifts -----------------------------------------------------------------------------------------------------------
def along(dim: int, part: slice) -> tuple[slice, ...]:
    """Return the index that takes ``part`` of dimension ``dim``."""
    return (*(slice(None),) * dim, part)


def _shift(input: Any, *, dim: int, by: int) -> Any:
    out = np.zeros_like(input)
    if input.ndim:
        ahead, behind = along(dim, slice(1, None)), along(dim, slice(None, -1))
        target, source = (ahead, behind) if by > 0 else (behind, ahead)
        out[target] = input[source]
    return out


def _shift_rule(g: Any, dim: int, by: int) -> Any:
    return shift(g, dim=dim, by=-by)


shift = Primitive("slice", _shift, {"input": _shift_rule}, batch=("dim:lane",))


def edge_ones(like: Any, dim: int, last: bool = False) -> Any:
    """Return an array of the shape of ``like``: 1 at the first (or last) place along ``dim``, else 0."""
    out = np.zeros(tuple(like.shape), element(like))
    if out.ndim:
        out[along(dim, slice(-1, None) if last else slice(0, 1))] = 1
    else:
        out[()] = 1
    return out


# -- linear recurrences -----------------------------------------------------------------------------------------------
def _recur(factor: Any, term: Any, *, dim: int, reverse: bool, source: bool) -> Any:
    if not term.ndim:
        return np.array(term)
    factors, terms = np.moveaxis(factor, dim, 0), np.moveaxis(term, dim, 0)
    if reverse:
        factors, terms = factors[::-1], terms[::-1]
    if source:
        factors = np.concatenate([factors[:1], factors[:-1]])
    out = _line(factors, terms) if terms.ndim == 1 else _lanes(factors, terms)
    return np.moveaxis(out[::-1] if reverse else out, 0, dim)


def _lanes(factors: Any, terms: Any) -> Any:
    out = np.array(terms)
    for i in range(1, len(out)):
        out[i] += factors[i] * out[i - 1]
    return out


def _line(factors: Any, terms: Any) -> Any:
    """Run one lane on Python numbers, which are quicker than single elements of an array."""
    values = terms.tolist()
    for i, factor in enumerate(factors.tolist()):
        if i:
            values[i] += factor * values[i - 1]
    return np.array(values, dtype=terms.dtype)


def _factor_rule(g: Any, factor: Any, out: Any, dim: int, reverse: bool, source: bool) -> Any:
    back = recur(H(factor), g, dim=dim, reverse=not reverse, source=not source)
    step = -1 if reverse else 1
    if source:
        return shift(back, dim=dim, by=-step) * H(out)
    return back * shift(H(out), dim=dim, by=step)


def _term_rule(g: Any, factor: Any, dim: int, reverse: bool, source: bool) -> Any:
    return recur(H(factor), g, dim=dim, reverse=not reverse, source=not source)


recur = Primitive("recurrence", _recur, {"factor": _factor_rule, "term": _term_rule}, batch=("dim:lane",))
# ``recur(a, b, dim=, reverse=, source=)``: s[i] = b[i] + a[i] s[i-1], with a[i-1] in place of a[i] where ``source``;
# ``reverse`` runs from the end, i+1 in place of i-1.

"""Second opinions on a gradient: its own rounding, forward mode, its derivative, and single precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd import Tensor
from gradcli.autograd.differences import real_parts
from gradcli.autograd.forward_ad import dual_level, make_dual, unpack_dual
from gradcli.autograd.refine import derivative
from gradcli.checks import gradient_words as words
from gradcli.checks.measuring import Change, Gradient, Jitter, Measured, Moment, gradients_at, measure, total_cotangent
from gradcli.checks.probing import Probe
from gradcli.checks.trial import Point, Script, move_to
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.replay import Enough, Stored

Array = np.ndarray[Any, Any]
_ULPS = 4.0
_ILL = 1e-2  # more than this share of a gradient can't be its rounding
_FORWARD = 1e-12
_BENT = 1e-5
_FEWEST_DIGITS = 3.0


def rounding(script: Script, probe: Probe) -> Array:
    """Return how uncertain the rules' own gradients are, from what a change of all data in its last bits does to them.

    The probe learns how uncertain the outputs are.
    """
    rules = probe.rows()
    found = gradients_at(script, probe.outputs, Jitter(_ULPS))
    if found is None:
        return np.zeros(rules.shape)
    probe.learn(found.values)
    with np.errstate(all="ignore"):
        change = np.abs(_rows_of(found, probe) - rules)
        most = _ILL * np.abs(np.nan_to_num(rules))
        uncertain: Array = np.minimum(np.nan_to_num(100 * change, nan=0.0, posinf=0.0), most)
    return uncertain


def _rows_of(found: Moment, probe: Probe) -> Array:
    """Return the rows of all outputs, one below the other; nan where an output did not come from the leaf."""
    made = []
    for measured, gradient in probe.pairs:
        nothing = np.full(gradient.rows.shape, np.nan)
        rows = found.rows.get((measured.output.stored, gradient.point), nothing)
        made.append(rows if rows.shape == nothing.shape else nothing)
    return np.concatenate(made)


def forward_mode(script: Script, probe: Probe, k: int, doubt: Array) -> Diagnostic | None:
    """Return what is wrong where forward mode gives another derivative than reverse mode; None where it can't run."""
    measured, gradient = probe.pairs[k]
    point = gradient.point
    if point.keys or point.version:
        return None
    seeds = np.array([real_parts(seed) for seed in measured.seeds]).reshape(len(measured.seeds), -1)
    forward = _along(script, probe, k, seeds, 1.0)
    if forward is None:
        return None
    reverse = gradient.rows @ gradient.direction
    size = np.abs(gradient.rows) @ np.abs(gradient.direction)
    first = sum(len(one.seeds) for one, _ in probe.pairs[:k])
    near = max(_FORWARD, 16 * probe.precision) * np.maximum(size, np.abs(forward))
    near += doubt[first : first + len(measured.seeds)] @ np.abs(gradient.direction)
    near += 64 * probe.precision * (np.abs(seeds) @ np.abs(measured.value))
    if not (np.isfinite(forward).all() and np.isfinite(reverse).all()):
        return None
    wrong = np.abs(forward - reverse) > near
    if wrong.any():  # the same sum with other roundings shows what is lost in them
        others = [_along(script, probe, k, seeds, scale) for scale in (3.0, 1.4, 0.7)]
        spread = np.max([np.abs(other - forward) for other in others if other is not None], axis=0, initial=0.0)
        spread = spread + _reverse_spread(script, measured, gradient)
        wrong = np.abs(forward - reverse) > near + 100 * spread
    if not wrong.any():
        return None
    row = int(np.argmax(wrong))
    return words.modes_differ(script, measured, gradient, float(forward[row]), float(reverse[row]))


def _reverse_spread(script: Script, measured: Measured, gradient: Gradient) -> Array:
    """Return how far apart a gradient's projection is for multiples of the cotangents."""
    reverse, found = gradient.rows @ gradient.direction, []
    for scale in (3.0, 1.4, 0.7):
        moment = gradients_at(script, [measured.output], scale=scale)
        rows = None if moment is None else moment.rows.get((measured.output.stored, gradient.point))
        if rows is not None and rows.shape == gradient.rows.shape:
            found.append(np.abs(rows @ gradient.direction / scale - reverse))
    spread: Array = np.max(found, axis=0, initial=0.0)
    return spread


def _along(script: Script, probe: Probe, k: int, seeds: Array, scale: float) -> Array | None:
    """Return the projections of output ``k``'s tangent, computed for ``scale`` times the direction."""
    measured, gradient = probe.pairs[k]
    tangent = Tensor(probe.shaped(scale * gradient.direction))
    found: list[Array] = []

    def hook(stored: Stored, value: Any) -> Any:
        if stored == measured.output.stored:
            along = unpack_dual(value).tangent
            if along is not None:
                found.append(real_parts(along.detach()._array).astype(np.float64))
            raise Enough
        return make_dual(value, tangent) if stored == gradient.point.stored else value

    with dual_level():
        script.completes(hook)
    with np.errstate(all="ignore"):
        return seeds @ found[0] / scale if found else None


def curvature(script: Script, probe: Probe, k: int, doubt: Array) -> Diagnostic | None:
    """Return what is wrong where the gradient's own derivative is not the one that its rule gives.

    A rule is judged at a point nearby as well: at a kink the second derivative is a convention.
    """
    measured, gradient = probe.pairs[k]
    first = sum(len(one.seeds) for one, _ in probe.pairs[:k])
    doubt = doubt[first : first + len(measured.seeds)]
    found = _bent_wrongly(script, probe, measured, gradient, doubt)
    if found is None:
        return None
    shifted = probe.shaped(real_parts(gradient.values) + 1e-3 * gradient.direction)
    try:
        (again,) = measure(script, [measured.output], change=_mover(gradient.point, shifted))
    except (TimeoutError, MemoryError):
        raise
    except Exception:
        return found
    beside = next((g for g in again.gradients if g.point == gradient.point), None)
    if beside is not None and _bent_wrongly(script, probe, again, beside, doubt) is None:
        return None
    return found


def _mover(point: Point, array: Array) -> Change:
    def move(stored: Stored, value: Any) -> None:
        if stored == point.stored:
            move_to(value, point, array)

    return move


def _bent_wrongly(
    script: Script, probe: Probe, measured: Measured, gradient: Gradient, doubt: Array
) -> Diagnostic | None:
    """Compare the derivative of the gradient along its direction with differences of the gradient."""
    if gradient.curved is None:
        return None
    weights = np.linspace(1.0, 2.0, max(len(measured.seeds), 1))
    key = (measured.output.stored, gradient.point)

    def total(step: float) -> Array:
        array = probe.shaped(real_parts(gradient.values) + step * gradient.direction)
        found = gradients_at(script, [measured.output], _mover(gradient.point, array))
        rows = None if found is None else found.rows.get(key)
        fits = rows is not None and rows.shape == gradient.rows.shape
        return weights @ rows if fits and rows is not None else np.full(gradient.rows.shape[1], np.nan)

    estimate = derivative(total, 1.0, 4 * probe.precision, weights @ doubt)
    size = float(np.max(np.abs(np.nan_to_num(estimate.value)), initial=0.0))
    with np.errstate(all="ignore"):
        gap = np.abs(gradient.curved - estimate.value)
        near = np.maximum(20 * estimate.error, _BENT * max(size, float(np.max(np.abs(gradient.curved)))))
        natural = np.abs(total_cotangent(measured.seeds)).reshape(-1) @ np.abs(measured.value)
        wrong = gap > near + 64 * probe.precision * natural / probe.sizes
        wrong |= ~np.isfinite(gradient.curved) & (estimate.error < 1e-3 * np.abs(estimate.value))
        wrong &= ~(estimate.flat & (gradient.curved == 0))
    return words.wrong_curvature(script, measured, gradient, estimate.value, wrong) if wrong.any() else None


def digits_lost(script: Script, probe: Probe, k: int) -> Diagnostic | None:
    """Return a remark where hardly any digit of the gradient is left in single precision."""
    measured, gradient = probe.pairs[k]
    is_first = measured.output.stored.number == 1 and gradient.point.version == 0
    if gradient.values.dtype.itemsize < 8 or not gradient.rows.size or not is_first or script.draws:
        return None  # training in single precision arrives elsewhere, and random numbers of it are others
    found = gradients_at(script, [measured.output], dtype="float32")
    single = None if found is None else found.rows.get((measured.output.stored, gradient.point))
    if single is None or single.shape != gradient.rows.shape:
        return None
    natural = float(np.max(np.abs(measured.value))) / float(np.max(probe.sizes))
    scale = max(float(np.max(np.abs(gradient.rows))), natural)
    if not np.isfinite(scale) or scale == 0:
        return None
    lost = float(np.max(np.abs(single - gradient.rows))) / scale
    digits = 16.0 if lost == 0 else -float(np.log10(lost)) if np.isfinite(lost) else 0.0
    return None if digits >= _FEWEST_DIGITS else words.few_digits(script, measured, gradient, digits, single)

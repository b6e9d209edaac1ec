"""Numerical derivatives of a script's outputs along its leaves, and the verdict on each element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradcli.autograd import differences
from gradcli.autograd.differences import real_parts
from gradcli.autograd.refine import Slopes, derivative, slopes
from gradcli.checks.measuring import Gradient, Measured, typical_size
from gradcli.checks.trial import Script
from gradcli.lang.replay import Stored

Array = np.ndarray[Any, Any]
_NEAR = 1e-6  # a difference of one step agrees with a right gradient this far, unless the function bends strongly
_EXACT = 1e-8  # and an extrapolated one this far
_SAFETY = 10.0
_STEPS = ("Floor", "Round", "Trunc", "Ceil", "Sign", "Heaviside")
_SWALLOWED = 64 * float(np.finfo(np.float64).eps)


@dataclass(slots=True)
class Finding:
    """What was found at one element: ``kind`` is "right", "wrong", "remark" or "unclear", ``words`` say why.

    ``row`` numbers the cotangent, ``element`` the real part of the leaf; ``rule`` and ``measured`` are the two slopes,
    ``error`` how far off the measured one may be, ``order`` that of the Taylor remainder.
    """

    kind: str
    row: int
    element: int
    rule: float
    measured: float
    error: float
    slopes: Slopes | None = None
    words: str = ""
    order: float = float("nan")


class Probe:
    """All outputs that depend on one leaf, as functions of it. ``pairs`` are the outputs with their gradients."""

    def __init__(self, script: Script, pairs: list[tuple[Measured, Gradient]]) -> None:
        self._script = script
        self.pairs = pairs
        self.point = pairs[0][1].point
        self.base = pairs[0][1].values
        self.outputs = [measured.output for measured, _ in pairs]
        self._seeds = [
            np.array([real_parts(seed) for seed in measured.seeds]).reshape(len(measured.seeds), -1).astype(np.float64)
            for measured, _ in pairs
        ]
        self.sizes = typical_size(self.base)
        self.precision = float(np.finfo(self.base.real.dtype).eps)
        self.most = 512  # elements that it is worth to differentiate for the words of a failure
        self._known: dict[float, Array] = {}
        self._element = -1
        self._floor = np.zeros(sum(len(seeds) for seeds in self._seeds))

    def learn(self, moved: dict[Stored, Array]) -> None:
        """Learn how exact the outputs are, from values of the same script with other last bits in its data."""
        rows = []
        for (measured, _), seeds in zip(self.pairs, self._seeds, strict=True):
            value = moved.get(measured.output.stored, measured.value)
            fits = value.shape == measured.value.shape
            rows.append(np.abs(seeds @ (value - measured.value)) if fits else np.zeros(len(seeds)))
        self._floor = np.nan_to_num(np.concatenate(rows), nan=0.0, posinf=0.0)

    def after(self, direction: Array, step: float) -> Array:
        """Return the projections of all outputs, one after the other, when the leaf has moved; nan where that fails."""
        found = self._script.moved(self.point, self._moved(direction, step), self.outputs)
        rows = []
        for output, seeds in zip(self.outputs, self._seeds, strict=True):
            value = np.zeros(0) if found is None else found[output.stored]
            fits = found is not None and value.size == seeds.shape[1]
            rows.append(seeds @ value if fits else np.full(len(seeds), np.nan))
        return np.concatenate(rows)

    def _moved(self, direction: Array, step: float) -> Array:
        return self.shaped(real_parts(self.base) + step * direction)

    def shaped(self, parts: Array) -> Array:
        """Return real parts as values of the leaf."""
        real = parts.astype(self.base.real.dtype)
        array: Array = real.view(self.base.dtype) if self.base.dtype.kind == "c" else real
        return array.reshape(self.base.shape)

    def central(self, direction: Array, step: float) -> tuple[Array, Array]:
        """Return central differences of all outputs along a direction, and the noise that rounding leaves in them."""
        above, below = self.after(direction, step), self.after(direction, -step)
        moved = real_parts(self._moved(direction, step)).astype(np.float64)
        moved -= real_parts(self._moved(direction, -step))
        length = float(moved @ direction) / float(direction @ direction)
        with np.errstate(all="ignore"):
            rounding = 8 * self.precision * np.maximum(np.abs(above), np.abs(below))
            noise = (rounding + 2 * self._floor) / abs(length)
            return (above - below) / length, noise

    def element(self, index: int) -> Callable[[float], Array]:
        """Return the outputs as a function of one element's step."""
        if index != self._element:
            self._element, self._known = index, {}
        direction = np.zeros(self.sizes.size)
        direction[index] = 1.0

        def values(step: float) -> Array:
            if step not in self._known:
                self._known[step] = self.after(direction, step)
            return self._known[step]

        return values

    def rows(self) -> Array:
        """Return the rules' gradients of all outputs, one below the other."""
        return np.concatenate([gradient.rows for _, gradient in self.pairs])

    def suspicious(self, element: int) -> Array:
        """Return which rows of an element differ from a difference of one step."""
        direction = np.zeros(self.sizes.size)
        direction[element] = 1.0
        step = self.precision ** (1 / 3) * float(self.sizes[element])
        measured, noise = self.central(direction, step)
        return differs(self.rows()[:, element], measured, noise)

    def look(self, element: int, rows: Array, doubt: Array) -> list[Finding]:
        """Return what closer measuring finds for some rows of an element; ``doubt`` is the rules' own rounding."""
        values = self.element(element)
        scale = float(self.sizes[element])
        estimate = derivative(values, scale, self.precision, self._floor)
        findings = []
        for row in np.flatnonzero(rows):
            rule, got = float(self.rows()[row, element]), float(estimate.value[row])
            found = Finding("right", int(row), element, rule, got, float(estimate.error[row]))
            level = bool(estimate.flat[row]) and (rule == 0 or abs(rule) * min(scale, 1.0) <= _SWALLOWED)
            level = level or (rule == 0 and self._is_step(element, int(row)))
            near = max(_SAFETY * found.error, float(doubt[row]))
            if not level and not _agrees(rule, got, near, self.precision):
                beside = bool(np.isinf(self.rows()[:, element]).any())
                value = _component(values, int(row))
                point = slopes(value, scale, self.precision, float(estimate.noise[row]))
                _judge(found, value, point, scale, beside)
                if found.kind == "wrong" and (not np.isfinite(found.error) or self._is_finer(found, value, scale)):
                    found.kind, found.words = "unclear", "the output is too rough here for any differences"
                if found.kind == "wrong" and self._branches(element, int(row)):
                    found.kind = "unclear"
                    found.words = "the script takes another path on both sides, so differences tell nothing"
            findings.append(found)
        return findings

    def _measured(self, row: int) -> Measured:
        """Return the output that a row belongs to."""
        counts = np.cumsum([len(measured.seeds) for measured, _ in self.pairs])
        return self.pairs[int(np.searchsorted(counts, row, side="right"))][0]

    def _is_finer(self, found: Finding, value: Callable[[float], float], scale: float) -> bool:
        """Tell whether steps of a few last places find the rule's slope where all others find something else.

        That is a wave of a frequency beyond them, as sin(x^2) has for large x.
        """
        if not np.isfinite(found.rule) or abs(found.rule - found.measured) < 0.5 * abs(found.rule):
            return False
        for step in (scale * 10.0**-k for k in range(10, 16)):
            above, below = value(step), value(-step)
            noise = 2 * self.precision * max(abs(above), abs(below)) / step
            if noise < 0.1 * abs(found.rule) and abs((above - below) / (2 * step) - found.rule) < 0.2 * abs(found.rule):
                return True
        return False

    def _is_step(self, element: int, row: int) -> bool:
        """Tell whether an output is computed by a step function such as floor, and stands on a level of it.

        The levels of large numbers are narrow: only over a few units in the last place nothing moves.
        """
        if not any(node.name().startswith(_STEPS) for node in self._measured(row).nodes):
            return False
        values, step = self.element(element), 8 * self.precision * float(self.sizes[element])
        return all(values(move)[row] == values(0.0)[row] for move in (step, -step))

    def _branches(self, element: int, row: int) -> bool:
        """Tell whether the script computes an output by other operations as soon as an element moves either way."""
        measured = self._measured(row)
        direction = np.zeros(self.sizes.size)
        direction[element] = 1.0
        size = float(self.sizes[element])
        here, *beside = (
            self._script.path(self.point, self._moved(direction, step), measured.output)
            for step in (0.0, 1e-6 * size, -1e-6 * size)
        )
        return all(path is not None and path != here for path in beside)


def _component(values: Callable[[float], Array], row: int) -> Callable[[float], float]:
    return lambda step: float(values(step)[row])


def differs(rule: Array, measured: Array, noise: Array) -> Array:
    """Return where a rule's slopes are not the measured ones as far as one step can tell."""
    with np.errstate(all="ignore"):
        close = np.abs(rule - measured) <= _NEAR * np.maximum(np.abs(rule), np.abs(measured)) + noise
    wrong: Array = ~close
    return wrong


def _agrees(rule: float, measured: float, error: float, precision: float) -> bool:
    if not np.isfinite(error):
        return False
    near = max(_EXACT, _SAFETY * precision)
    return bool(abs(rule - measured) <= max(error, near * max(abs(rule), abs(measured))))


def _judge(found: Finding, value: Callable[[float], float], point: Slopes, scale: float, beside_infinite: bool) -> None:
    """Decide on an element whose rule does not give what was measured: is the point smooth at all?

    ``beside_infinite``: nan comes from a cotangent of 0 times the infinite slope that another element has.
    """
    found.slopes, rule = point, found.rule
    found.kind = "wrong"
    if not np.isfinite(value(0.0)):
        found.kind, found.words = "remark", "the output itself is not finite"
    elif np.isnan(rule) and beside_infinite:
        found.kind, found.words = "remark", "0 * inf, where another element of the output has an infinite slope"
    elif point.kind == "kink" and point.has(rule):
        found.kind, found.words = "remark", f"a kink: slope {point.words()}; the rule gives {rule:.6g}, which is inside"
    elif point.kind == "jump" and np.isfinite(rule):
        found.kind, found.words = "remark", f"the output jumps here; the rule gives {rule:.6g}"
    elif point.kind == "steep" and (np.isinf(rule) or rule == 0):
        found.kind, found.words = "remark", f"a slope without bound; the rule gives {rule:.6g}"
    elif point.kind == "edge" and point.has(rule):
        found.kind, found.words = "remark", f"the edge of the domain; the rule gives the slope inside, {rule:.6g}"
    elif point.kind == "edge" and not (np.isfinite(point.left) or np.isfinite(point.right)):
        found.kind, found.words = "unclear", "the output is not finite beside this point"
    elif point.kind == "smooth" and np.isfinite(rule):
        _judge_smooth(found, value, scale)


def _judge_smooth(found: Finding, value: Callable[[float], float], scale: float) -> None:
    gap = abs(found.rule - found.measured)
    if not gap > _SAFETY * found.error:
        exact = f"better than to {found.error:.1g}" if np.isfinite(found.error) else "in the rounding of the output"
        found.kind, found.words = "unclear", f"the slope can't be measured {exact}"
        return
    found.order = differences.taylor_order(lambda h: value(h * scale), found.rule * scale)

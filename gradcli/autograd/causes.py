"""What probably went wrong, read from the numbers that a rule gives and those that differences give."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_NEAR = 1e-3
_FEW_DIGITS, _HALF = 1e-6, 3e-3  # relative errors of a rule that is right but for its digits


def by_numbers(
    rule: Array, measured: Array, shape: tuple[int, ...] | None = None, is_complex: bool = False
) -> list[str]:
    """Return the likely causes of a wrong Jacobian, the most telling first.

    ``rule`` and ``measured`` have a row for each output element; ``shape`` is that of the input, whose elements are the
    columns (None: not all of them are there). Of complex numbers the real parts are rows and columns.
    """
    finite = np.isfinite(rule) & np.isfinite(measured)
    scale = float(np.max(np.abs(measured[finite]), initial=0.0))
    large = finite & (np.abs(measured) > 1e-6 * max(scale, 1e-300))
    if not large.any():
        return ["the outputs don't depend on it: the rule gives a gradient where there is none"]
    if not np.any(rule[finite]):
        return ["the rule gives zero everywhere: a path is missing (detach(), .data, item(), an integer cast, a None)"]
    found = _nearly(rule, measured, large) if _is_none(rule, finite & ~large, scale) else []
    found = found or _few(rule, measured, large, finite, scale)
    found = found or _signs(rule, measured, finite, scale, is_complex)
    return found or _rearranged(rule, measured, shape, scale) or _added(rule, measured, finite)


def _is_none(rule: Array, where: Array, scale: float) -> bool:
    """Tell whether a rule gives next to nothing where it should."""
    return bool((np.abs(rule[where]) <= _NEAR * scale).all())


def _nearly(rule: Array, measured: Array, large: Array) -> list[str]:
    """Name one factor that all entries have, or an error that is small everywhere but not one factor."""
    ratios = rule[large] / measured[large]
    ratio = float(np.median(ratios))
    off = float(np.max(np.abs(ratios - 1)))
    if ratio == 0 or off <= 1e-7:
        return []
    if np.allclose(ratios, ratio, rtol=min(_NEAR, 0.05 * abs(ratio - 1)), atol=1e-7):
        return _one_factor(ratio)
    if _FEW_DIGITS < off < _HALF:
        kinds = "half precision on the way, an eps in the formula, or an approximation"
        return [f"the rule is only nearly right, off by up to {off:.1g} of an entry: {kinds}"]
    return []


def _one_factor(ratio: float) -> list[str]:
    if abs(ratio + 1) < _NEAR:
        return ["the sign is turned"]
    shown = f"{ratio:.4g}" if abs(ratio - 1) > 1e-3 else f"{ratio:.8g}"
    words = f"a factor: every entry is {shown} times what it should be"
    times, share = round(ratio), round(1 / ratio) if ratio else 0
    if share > 1 and abs(ratio * share - 1) < 1e-6:
        kinds = f"a constant {share} is missing, a mean over {share} stands for a sum"
        return [f"{words}: {kinds}, or one of {share} paths is cut off (detach())"]
    if times > 1 and abs(ratio - times) < 1e-6 * times:
        return [f"{words}: a constant {times} too much, a sum over {times} for a mean, or a path taken {times} times"]
    return [words]


def _signs(rule: Array, measured: Array, finite: Array, scale: float, is_complex: bool) -> list[str]:
    """Name entries that are right but for their sign."""
    if not np.allclose(np.abs(rule[finite]), np.abs(measured[finite]), rtol=_NEAR, atol=1e-12 * scale):
        return []
    if is_complex:
        return ["signs of real and imaginary parts are mixed up: a conjugate is missing, or one too many"]
    turned = int((np.sign(rule) != np.sign(measured))[finite].sum())
    return [f"the sign of {turned} of {rule.size} entries is turned"]


def _few(rule: Array, measured: Array, large: Array, finite: Array, scale: float) -> list[str]:
    """Name entries that are zero, or a few that are wrong, where all others are right."""
    right = np.isclose(rule, measured, rtol=_NEAR, atol=1e-12 * scale) & finite
    missing = large & (rule == 0)
    if missing.any() and right[~missing].all():
        return [f"a path is missing: {int(missing.sum())} entries are zero, the others are right"]
    surplus = finite & (measured == 0) & ~right
    if surplus.any() and right[~surplus].all():
        should = "1 entry should be zero" if surplus.sum() == 1 else f"{int(surplus.sum())} entries should be zero"
        return [f"{should}: the rule passes on a cotangent where the output does not depend on the input"]
    wrong = int((~right).sum())
    if 0 < wrong <= max(1, right.size // 20) and right.size > 1:
        return [f"only {wrong} of {right.size} entries differ: a special case of the rule"]
    return []


def _rearranged(rule: Array, measured: Array, shape: tuple[int, ...] | None, scale: float) -> list[str]:
    """Name a transpose or another order of the right numbers, and sums over the wrong elements."""
    if rule.shape[1] < 2:
        return []
    if shape is not None and len(shape) == 2 and rule.shape[1] == np.prod(shape):
        turned = measured.reshape(-1, *shape).swapaxes(1, 2).reshape(rule.shape[0], -1)
        if np.allclose(rule, turned, rtol=_NEAR, atol=1e-12 * scale):
            return ["the gradient is transposed"]
    if np.allclose(np.sort(rule, axis=1), np.sort(measured, axis=1), rtol=_NEAR, atol=1e-12 * scale):
        return ["the right numbers at the wrong elements: a transpose, a flip or a shifted index"]
    flat, bent = np.ptp(rule, axis=1), np.ptp(measured, axis=1)
    if (flat <= 1e-9 * np.abs(rule).max()).all() and (bent > _NEAR * np.abs(measured).max()).any():
        return ["every element gets the same: a reduction over too many dimensions where a broadcast is undone"]
    return []


def _added(rule: Array, measured: Array, finite: Array) -> list[str]:
    """Name a constant that is added, or a term of the sum that is missing."""
    gap = (rule - measured)[finite]
    if gap.size > 2 and np.ptp(gap) <= _NEAR * abs(float(np.mean(gap))):
        return [f"a constant: every entry is {float(np.mean(gap)):+.4g} off"]
    return ["the rule itself is wrong: a term is missing, or one too many"]

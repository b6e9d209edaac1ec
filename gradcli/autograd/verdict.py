"""What a failed gradient check says: the worst element with both numbers, and what probably went wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class Mismatch:
    """One input whose analytical Jacobian differs from the numerical one.

    ``wrong`` of ``count`` entries differ; ``index`` is the worst input element, ``row`` the output element, ``at`` the
    input's value there; ``left``/``right`` the one-sided slopes; ``order`` that of the Taylor remainder.
    """

    input: str
    output: int
    wrong: int
    count: int
    index: tuple[int, ...]
    row: int
    at: Any
    analytical: float
    numerical: float
    left: float = float("nan")
    right: float = float("nan")
    order: float = float("nan")
    mode: str = "backward"
    causes: list[str] = field(default_factory=list)

    @property
    def absolute(self) -> float:
        """The absolute error of the worst element."""
        return abs(self.analytical - self.numerical)

    @property
    def relative(self) -> float:
        """The error relative to the numerical value."""
        return self.absolute / abs(self.numerical) if self.numerical else float("inf")

    @property
    def is_kink(self) -> bool:
        """Whether the two one-sided slopes differ by far more than differences of a smooth function would."""
        scale = max(abs(self.left), abs(self.right))
        gap = abs(self.left - self.right)
        return bool(np.isfinite(gap)) and gap > 1e-3 * max(scale, 1e-3)

    @property
    def is_inside(self) -> bool:
        """Whether the rule's value lies between the two slopes: a subgradient."""
        low, high = sorted((self.left, self.right))
        slack = 1e-4 * max(1.0, abs(low), abs(high))
        return low - slack <= self.analytical <= high + slack

    def text(self) -> str:
        """Return the verdict as lines of text."""
        place = f"{self.input}[{', '.join(map(str, self.index))}]" if self.index else self.input
        lines = [
            f"{self.mode} gradient of output {self.output} with respect to {self.input} is wrong at {self.wrong} of "
            f"{self.count} entries",
            f"worst: {place} (value {_number(self.at)}), output element {self.row}: the rule gives "
            f"{_number(self.analytical)}, differences give {_number(self.numerical)}",
            f"absolute error {self.absolute:.3g}, relative error {self.relative:.3g}",
        ]
        return "\n".join([*lines, *(f"likely cause: {cause}" for cause in self.causes)])


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, int, np.floating)) else str(value)


def find_causes(mismatch: Mismatch, analytical: Array, numerical: Array, single: bool) -> list[str]:
    """Return the likely causes of a mismatch, most telling first.

    ``analytical`` and ``numerical`` are the whole Jacobians, ``single`` says that an input has single precision.
    """
    found = []
    if single:
        found.append("an input is float32: differences of step 1e-6 are lost in its rounding; check in float64")
    if mismatch.is_kink:
        side = "inside" if mismatch.is_inside else "outside"
        found.append(
            f"the function has a kink here: slope {_number(mismatch.left)} from the left, "
            f"{_number(mismatch.right)} from the right, the rule gives {_number(mismatch.analytical)}: {side}"
        )
    if not np.isfinite(mismatch.analytical):
        found.append(f"the rule gives {_number(mismatch.analytical)}: an infinite slope, or 0 * inf on the way")
    elif not np.isfinite(mismatch.numerical):
        found.append("the function is not finite beside this point: it is at the edge of the domain")
    if not mismatch.is_kink:
        found.extend(_by_ratio(analytical, numerical))
    if not found:
        found.append(_by_order(mismatch.order))
    return [cause for cause in found if cause]


def _by_ratio(analytical: Array, numerical: Array) -> list[str]:
    """Name a constant factor, a sign, or a missing path from the ratio of the two Jacobians."""
    finite = np.isfinite(analytical) & np.isfinite(numerical)
    scale = float(np.max(np.abs(numerical[finite]), initial=0.0))
    large = finite & (np.abs(numerical) > 1e-6 * max(scale, 1e-300))
    if not large.any():
        return []
    ratios = analytical[large] / numerical[large]
    if not np.any(analytical[finite]):
        return ["the rule gives zero everywhere: a path is missing (detach(), .data, item(), an integer cast, a None)"]
    ratio = float(np.median(ratios))
    if np.allclose(ratios, ratio, rtol=1e-3, atol=1e-6) and abs(ratio - 1) > 1e-3:
        return (
            ["the sign is turned"]
            if abs(ratio + 1) < 1e-3
            else [f"a factor: every entry is {ratio:.4g} times what it should be"]
        )
    missing = large & (analytical == 0)
    if missing.any() and np.allclose(analytical[large & ~missing], numerical[large & ~missing], rtol=1e-3, atol=1e-6):
        return [f"a path is missing: {int(missing.sum())} entries are zero, the others are right"]
    wrong = ~np.isclose(analytical, numerical, rtol=1e-3, atol=1e-5)
    if 0 < wrong.sum() <= max(1, wrong.size // 100):
        return [f"only {int(wrong.sum())} of {wrong.size} entries differ: a special case of the rule"]
    return []


def _by_order(order: float) -> str:
    if np.isnan(order):
        return ""
    if order > 1.7:
        return f"the Taylor remainder vanishes with order {order:.2f} (2 is right): the differences are inaccurate here"
    return (
        f"the Taylor remainder vanishes with order {order:.2f} only (2 would be right): the rule itself is wrong, "
        "a term is missing"
    )

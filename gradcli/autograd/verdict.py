"""What a failed gradient check says: the worst element with both numbers, and what probably went wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradcli.autograd.causes import by_numbers

_QUADRATIC = 1.7  # a Taylor remainder of this order belongs to the right slope
Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class Mismatch:
    """One input whose analytical Jacobian differs from the numerical one.

    ``wrong`` of ``count`` entries differ; ``index`` is the worst input element, ``row`` the output element, ``at`` the
    input's value there; ``left``/``right`` the one-sided slopes; ``order`` that of the Taylor remainder; ``kind`` that
    of the point, as in ``refine.Slopes``.
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
    kind: str = "smooth"
    is_complex: bool = False
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
        if np.isfinite(self.order) and not self.is_kink:
            lines.append(f"the Taylor remainder vanishes with order {self.order:.2f} (2 is right, 1 is wrong)")
        return "\n".join([*lines, *(f"likely cause: {cause}" for cause in self.causes)])


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, int, np.floating)) else str(value)


def find_causes(
    mismatch: Mismatch, analytical: Array, numerical: Array, shape: tuple[int, ...], single: bool
) -> list[str]:
    """Return the likely causes of a mismatch, most telling first.

    ``analytical`` and ``numerical`` are the whole Jacobians, ``shape`` is that of the input, ``single`` says that an
    input has single precision: then nothing else can be told.
    """
    rule = _number(mismatch.analytical)
    if single:
        return ["an input is float32: differences of step 1e-6 are lost in its rounding; check in float64"]
    if mismatch.kind == "jump":
        return [f"the function jumps here: it has no slope, the rule gives {rule}"]
    if mismatch.kind == "steep" and np.isinf(mismatch.analytical):
        return [f"the slope has no bound here, at the edge of the domain: the rule gives {rule}, differences can't"]
    if not np.isfinite(mismatch.analytical):
        return [f"the rule gives {rule}: an infinite slope, or 0 * inf on the way"]
    if not np.isfinite(mismatch.numerical):
        return ["the function is not finite beside this point: it is at the edge of the domain"]
    if mismatch.is_kink:
        side = "inside" if mismatch.is_inside else "outside"
        where = "here" if mismatch.kind == "kink" else "within the step of the differences"
        return [
            f"the function has a kink {where}, where it is not smooth: slope {_number(mismatch.left)} from the left, "
            f"{_number(mismatch.right)} from the right, the rule gives {rule}: {side}"
        ]
    if mismatch.order > _QUADRATIC:
        return [f"the Taylor remainder vanishes with order {mismatch.order:.2f} (2 is right): the differences are "
                "inaccurate here"]  # fmt: skip
    noise = 1e-8 * float(np.max(np.abs(numerical[np.isfinite(numerical)]), initial=0.0))
    return by_numbers(analytical, np.where(np.abs(numerical) > noise, numerical, 0.0), shape, mismatch.is_complex)

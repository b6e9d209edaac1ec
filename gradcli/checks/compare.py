"""Two values of a failed assertion: what differs, in the diagnostic, and by how much."""

from __future__ import annotations

from gradcli.autograd.comparing import Difference, Worst, difference
from gradcli.lang.assertion_words import compared
from gradcli.lang.checks import Parts
from gradcli.lang.diagnostic import Diagnostic


def explain(diagnostic: Diagnostic, parts: Parts) -> float | None:
    """Put what differs into the notes of ``diagnostic``; return the relative error of the worst element.

    None where no two arrays of one shape were compared.
    """
    lines, magnitude = compared(parts)
    diagnostic.notes += [line for line in lines if line not in diagnostic.notes]
    return magnitude


__all__ = ["Difference", "Worst", "difference", "explain"]

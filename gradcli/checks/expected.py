"""``#>`` lines: what a line printed against what is written, and the script with what it prints now."""

from __future__ import annotations

from collections.abc import Sequence

from gradcli.checks.matching import Mismatch, compare
from gradcli.checks.renewing import updated as updated
from gradcli.lang.compiling import Expectation, Unit
from gradcli.lang.diagnostic import Diagnostic, Label
from gradcli.lang.observed import Observed

NOTHING_PRINTED = "nothing-printed"
_HELP = "`gradcli check --update` writes what is printed now"
_MOST_SHOWN = 12


def check_line(unit: Unit, index: int, observed: Sequence[Observed]) -> Diagnostic | None:
    """Return what is wrong with the ``#>`` comment ``index`` of a script, None when it holds.

    ``observed`` are the texts that its line printed, one for each time. A comment behind the code must hold each time;
    one that stands on lines of its own is about all that the line above has printed.
    """
    item = unit.expectations[index]
    if not observed:
        words = "nothing is printed here: the line did not run, or its value is None"
        return _diagnostic(unit, item, NOTHING_PRINTED, words, Mismatch([]))
    whole = joined(observed)
    found = compare(item.text, whole)
    if found is None:
        return None
    if not is_block(item) and len(observed) > 1:
        each = [compare(item.text, text) for text in observed]
        found = next((mismatch for mismatch in each if mismatch is not None), None)
        if found is None:
            return None
        number = next(k for k, mismatch in enumerate(each) if mismatch is not None)
        found.notes.append(f"this is time {number + 1} of {len(observed)} that the line printed")
    return _diagnostic(unit, item, "unexpected-output", "the line prints something else than is written", found, whole)


def is_block(item: Expectation) -> bool:
    """Tell whether a comment stands on lines of its own, below the line that prints."""
    return item.line != item.span.line


def joined(observed: Sequence[Observed]) -> Observed:
    """Return all that was printed as one; the value is kept where there is only one."""
    return observed[0] if len(observed) == 1 else Observed("".join(observed))


def _diagnostic(
    unit: Unit, item: Expectation, code: str, message: str, found: Mismatch, printed: str | None = None
) -> Diagnostic:
    source = unit.source
    line = min(item.span.line + found.line, item.span.end_line)
    span = item.span if line == item.span.line == item.span.end_line else source.line_span(line)
    label = Label(span, "" if printed is None else "written here", True, source)
    notes = list(found.notes)
    if printed is not None:
        rows = printed.rstrip().split("\n")
        more = [f"({len(rows) - _MOST_SHOWN} more lines)"] if len(rows) > _MOST_SHOWN else []
        notes.append("\n".join(["it prints", *rows[:_MOST_SHOWN], *more]))
    return Diagnostic("check", code, message, [label], notes, _HELP if printed is not None else None)

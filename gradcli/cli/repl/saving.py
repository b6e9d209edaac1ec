"""A session as a script: the entries that worked, and under each line what it showed, as ``#>`` lines to be checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gradcli.cli.render.columns import width
from gradcli.cli.repl.entries import Entry
from gradcli.cli.repl.results import SHORT
from gradcli.lang.compiling import Unit, read_unit
from gradcli.lang.entry_value import OUT, Uses, result_place, uses_of_results, watchable_lines

_WIDEST = 100


class _Edit(NamedTuple):
    """A piece of an entry's text to be replaced."""

    start: int
    end: int
    text: str


def script_of(entries: Iterable[Entry], head: Iterable[str] = ()) -> str:
    """Return a script that does what ``entries`` did and says what they showed.

    ``head`` are statements to begin with. Results that later entries use as ``_`` or ``Out[n]`` are kept in a
    dictionary ``Out`` of the script's own.
    """
    good = list(entries)
    units = {entry.number: read_unit(entry.source) for entry in good}
    uses = _uses(good, units)
    needed = set().union(*(set(found.numbers) for found in uses.values()))
    if any(found.everything for found in uses.values()):
        needed |= {entry.number for entry in good if entry.has_value}
    parts = [*head, *(["Out = {}"] if needed else [])]
    for entry in good:
        parts.append(_entry_text(entry, units[entry.number], uses.get(entry.number), entry.number in needed))
    return "\n".join(parts) + "\n"


def _uses(entries: list[Entry], units: dict[int, Unit]) -> dict[int, Uses]:
    """Return for each entry which results it uses; a script's own variable of such a name is none."""
    own: set[str] = set()
    found = {}
    for entry in entries:
        unit = units[entry.number]
        meant = {name: number for name, number in entry.outputs.items() if name not in own}
        found[entry.number] = uses_of_results(unit, meant, OUT not in own)
        own |= {name for _, _, name in unit.names.stores if name in (*SHORT, OUT)}
    return found


def _entry_text(entry: Entry, unit: Unit, uses: Uses | None, needed: bool) -> str:
    edits = [_Edit(start, end, f"{OUT}[{number}]") for start, end, number in (uses.places if uses else ())]
    edits += [
        _Edit(place.start, place.start + len(unit.source.slice(place.span)), "pass")
        for place in unit.checks
        if place.head in entry.failed_checks
    ]
    after = _outputs(entry, unit, needed)
    if needed and entry.has_value:
        place = result_place(unit)
        edits.append(_Edit(place.start, place.start, f"{OUT}[{entry.number}] = "))
        own = next((item for item in unit.expectations if item.line == item.span.line == place.last_line), None)
        if own is not None:  # the line's own `#>` is about its value, so it follows that
            start = unit.source.offset(own.span.line, own.span.column)
            edits.append(_Edit(start, start + len(unit.source.slice(own.span)), ""))
            after[place.last_line] = _Shown(f"{OUT}[{entry.number}]", own.text)
    text = entry.source.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    lines = text.rstrip("\n").split("\n")
    return "\n".join(row for number, line in enumerate(lines, 1) for row in _with_output(line, after.get(number)))


class _Shown(NamedTuple):
    """What is written behind or below a line: an expression to be watched instead of the line's own, and the text."""

    expression: str | None
    text: str


def _outputs(entry: Entry, unit: Unit, needed: bool) -> dict[int, _Shown]:
    """Return what each line showed, by line; lines that can't be compared, or are compared already, are left out."""
    if entry.room < 0:
        return {}
    watchable = watchable_lines(unit)
    taken = {item.line for item in unit.expectations}
    shown = {
        line: _Shown(None, "".join(piece for piece in pieces if piece is not None))
        for line, pieces in entry.printed.items()
        if line in watchable and None not in pieces
    }
    if entry.has_value and entry.result is not None:
        line = result_place(unit).last_line
        if needed:
            shown[line] = _Shown(f"{OUT}[{entry.number}]", f"{entry.result}\n")
        elif line not in entry.printed:
            shown[line] = _Shown(None, f"{entry.result}\n")
    if needed and entry.has_value and result_place(unit).last_line in taken:
        shown[result_place(unit).last_line] = _Shown(f"{OUT}[{entry.number}]", "")
    return {
        line: found
        for line, found in shown.items()
        if found.expression is not None or (line not in taken and found.text.strip())
    }


def _with_output(line: str, shown: _Shown | None) -> list[str]:
    """Return a line with what it showed: behind it where there is room, else on lines below it."""
    if shown is None:
        return [line]
    rows = [line.rstrip()]
    if shown.expression is not None:
        rows.append(shown.expression)
    if not shown.text.strip():
        return rows
    texts = shown.text.rstrip().split("\n")
    short = f"{rows[-1]}  #> {texts[0]}"
    alone = texts[0] == texts[0].strip() and "#" not in rows[-1]
    if len(texts) == 1 and alone and width(short) <= _WIDEST and not rows[-1].endswith("\\"):
        return [*rows[:-1], short]
    indent = rows[-1][: len(rows[-1]) - len(rows[-1].lstrip())]
    return [*rows, *(f"{indent}#> {text}".rstrip() for text in texts)]

"""What a script holds to be checked, known before it runs: each check with its id and its place."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from gradcli.checks.results import Kind, check_id
from gradcli.lang.compiling import Expectation, Unit
from gradcli.lang.source import Span

_LONGEST = 60


class Item(NamedTuple):
    """A check that a script holds; ``number`` counts those of its kind from 0."""

    id: str
    title: str
    kind: Kind
    line: int
    span: Span
    number: int


def items_of(unit: Unit, file: str) -> list[Item]:
    """Return the checks of a script in the order of their lines.

    A ``check`` bears its title, an ``assert`` and a ``#>`` line the text of their code, shortened. Further ones of the
    same title are numbered: ``title [2]``. So an id outlives lines that are added elsewhere.
    """
    found: list[tuple[Span, Kind, int, str]] = []
    found += [(place.head, "check", index, place.title) for index, place in enumerate(unit.checks)]
    found += [(span, "assert", index, f"assert {text}") for index, (text, span) in enumerate(unit.assertions)]
    for index, item in enumerate(unit.expectations):
        found.append((item.span, "expected", index, f"{_code_of(unit, item)} #>"))
    found.sort()
    titles = _numbered([_one_line(words) for *_, words in found])
    return [
        Item(check_id(file, title), title, kind, span.line, span, index)
        for (span, kind, index, _), title in zip(found, titles, strict=True)
    ]


def _numbered(titles: list[str]) -> list[str]:
    """Return the titles with a number behind each that was there before; what is written as a title stays its own."""
    times: Counter[str] = Counter()
    taken, unique = set(titles), []
    for title in titles:
        times[title] += 1
        name = title
        while times[title] > 1 and name in taken:
            name = f"{title} [{times[title]}]"
            times[title] += name in taken
        taken.add(name)
        unique.append(name)
    return unique


def _code_of(unit: Unit, item: Expectation) -> str:
    text = unit.source.line(item.line)
    return text[: item.span.column - 1] if item.span.line == item.line else text


def _one_line(words: str) -> str:
    text = " ".join(words.split())
    if len(text) <= _LONGEST:
        return text
    ending = " #>" if text.endswith(" #>") else ""
    return text[: _LONGEST - 1 - len(ending)].rstrip() + "…" + ending

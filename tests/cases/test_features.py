"""One script a feature of the language, each its own expected output: every ``#>`` line is what was printed there."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradcli.lang.events import Events
from gradcli.lang.session import Session
from gradcli.lang.source import Source

FEATURES = sorted(Path(__file__).resolve().parent.glob("*.gx"))


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


@pytest.mark.parametrize("path", FEATURES, ids=lambda path: path.stem)
def test_what_a_script_prints_is_what_it_says(path: Path) -> None:
    session, source = Session(Events()), Source(path.read_text(encoding="utf-8"), path.name)
    session.run(source)
    expectations = session.units[-1].expectations
    assert [lines("".join(session.observed.get((source, index), []))) for index in range(len(expectations))] == [
        lines(item.text) for item in expectations
    ]
    assert expectations, "a feature shows what it does"
    assert all(result.passed for result in session.checks)


def test_there_is_a_script_for_each_part_of_the_language() -> None:
    names = {path.stem for path in FEATURES}
    assert names >= {
        *("arithmetic", "comparisons", "assignments", "augmented_assignments", "conditionals", "loops", "functions"),
        *(
            "closures",
            "comprehensions",
            "strings",
            "f_strings",
            "lists_and_dicts",
            "slices",
            "leaf_and_input",
            "checks",
        ),
        *("with_blocks", "imports", "unicode_names", "layout", "printing", "gradients", "classes", "builtin_functions"),
    }

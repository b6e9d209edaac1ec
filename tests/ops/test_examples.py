"""Every example of every row is a script whose ``#>`` lines are true, to the digits that are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradcli.checks.results import CheckSettings
from gradcli.checks.runner import run_file
from gradcli.ops.registry import rows
from gradcli.ops.row import Row
from tests.ops.drawing import sample_id

EXAMPLES = [
    pytest.param(row, text, id=f"{sample_id(row)}-{k}") for row in rows() for k, text in enumerate(row.examples)
]


@pytest.mark.parametrize(("row", "text"), EXAMPLES)
def test_an_example_gives_what_it_says(row: Row, text: str, tmp_path: Path) -> None:
    script = tmp_path / "example.gx"
    script.write_text(text + "\n", encoding="utf-8")
    result = run_file(str(script), CheckSettings())
    wrong = [check.diagnostic for check in result.checks if check.bad]
    assert not wrong, "\n".join([text, *(line for d in wrong if d is not None for line in (d.message, *d.notes))])
    assert sum(check.kind == "expected" for check in result.checks) >= 1, "the example shows no result"

"""``gradcli ops``: the rows, as a list and one by one."""

from __future__ import annotations

import pytest

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.main import main
from gradcli.cli.ops import details, listing
from gradcli.cli.terminal import PLAIN
from gradcli.ops.registry import rows

EVERY_ROW = [row.name for row in rows()]


def test_the_list_has_every_operation_once() -> None:
    entries = [line.split()[0] for line in listing(PLAIN).splitlines() if line.startswith("  ")]
    assert len(entries) == len(EVERY_ROW)


@pytest.mark.parametrize("name", EVERY_ROW)
def test_every_operation_shows_signature_meaning_derivative_and_example(name: str) -> None:
    first, blank, meaning, *rest = details(name, PLAIN).splitlines()
    assert first.startswith(f"{name}(") and blank == "" and meaning
    assert any(line.startswith("derivative: ") for line in rest)
    assert "examples" in rest


@pytest.mark.parametrize("spelling", ["exp", "torch.exp", "Tensor.exp"])
def test_an_operation_is_found_in_any_spelling(spelling: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", spelling]) == ExitCode.OK
    assert capsys.readouterr().out.startswith("torch.exp(input)\n\nThe exponential")


def test_an_unknown_operation_suggests_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "sofmax"]) == ExitCode.USAGE
    assert "did you mean softmax" in capsys.readouterr().err
    assert main(["ops", "qqqqqq"]) == ExitCode.USAGE
    assert "`gradcli ops` lists them all" in capsys.readouterr().err

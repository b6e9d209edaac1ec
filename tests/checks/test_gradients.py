"""``--grad``: wrong gradients are caught with their cause, right ones that look suspicious are not.

The scripts of ``gradients_wrong`` say in a comment which cause is to be named, those of ``gradients_right`` pass.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gradcli.checks.gradients import check_gradients
from gradcli.checks.results import CheckResult, CheckSettings
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.events import Events
from gradcli.lang.files import Files
from gradcli.lang.runner import own_defaults
from gradcli.lang.session import Session, Settings
from gradcli.lang.source import Source
from gradcli.ops.generator import default_generator

HERE = Path(__file__).parent
WRONG = sorted((HERE / "gradients_wrong").glob("*.gx"))
RIGHT = sorted((HERE / "gradients_right").glob("*.gx"))


class Remarks(Events):
    """Events that keep what is said."""

    def __init__(self) -> None:
        self.said: list[Diagnostic | str] = []

    def warned(self, warning: Diagnostic | str) -> None:
        self.said.append(warning)


def checked(text: str, name: str = "test.gx", folder: str = ".") -> tuple[list[CheckResult], list[str], Session]:
    """Run a script and check its gradients; return the results, the messages of the remarks, and the session."""
    events = Remarks()
    with own_defaults("float64"):
        default_generator.manual_seed(0)
        session = Session(events, settings=Settings(files=Files(folder)))
        session.run(Source(text, name))
        events.said.clear()
        results = check_gradients(session, name, CheckSettings(grad=True))
    return results, [w if isinstance(w, str) else w.message for w in events.said], session


def failures(results: list[CheckResult]) -> dict[str, str]:
    """Return all that is said of each failure, by its title."""
    return {
        result.title: "\n".join([result.diagnostic.message, *result.diagnostic.notes])
        for result in results
        if result.diagnostic is not None
    }


def header(text: str, key: str) -> str:
    return next((line.removeprefix(f"# {key}: ") for line in text.split("\n") if line.startswith(f"# {key}: ")), "")


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_a_wrong_gradient_is_caught_and_its_cause_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    results, _, session = checked(text, path.name)
    found = "\n".join(failures(results).values())
    found += "\n".join(check.diagnostic.message for check in session.checks if check.diagnostic is not None)
    assert header(text, "cause") in found, found


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_a_right_gradient_raises_no_alarm(path: Path) -> None:
    results, _, _ = checked(path.read_text(encoding="utf-8"), path.name)
    assert results and not failures(results)


def test_the_folders_are_of_a_good_size() -> None:
    assert len(WRONG) >= 30 and len(RIGHT) >= 30


def test_a_failure_names_the_leaf_the_index_and_both_numbers() -> None:
    text = (HERE / "gradients_wrong" / "factor_two.gx").read_text(encoding="utf-8")
    results, _, _ = checked(text, "factor_two.gx")
    (result,) = results
    assert (result.id, result.kind, result.outcome) == ("factor_two.gx::gradient of y by x", "gradient", "failed")
    assert result.diagnostic is not None and result.diagnostic.code == "wrong-gradient"
    assert result.diagnostic.message == "the gradient of y by x is wrong at 3 of 3 elements"
    assert result.diagnostic.notes[0].startswith(
        "at x[1] (value -1.5) for y[1]: the rule gives -1.5, differences give -3"
    )
    assert any(note.startswith("the Taylor remainder vanishes with order") for note in result.diagnostic.notes)
    assert result.line == result.diagnostic.primary.span.line if result.diagnostic.primary else False


def test_what_is_computed_from_a_wrong_result_says_so() -> None:
    text = (HERE / "gradients_wrong" / "deep_inside.gx").read_text(encoding="utf-8")
    found = failures(checked(text)[0])
    assert list(found) == ["gradient of hidden by w", "gradient of out by w", "gradient of loss by w"]
    assert "hidden, which it is computed from, is wrong already" in found["gradient of out by w"]


def test_a_kink_is_a_remark_with_its_two_slopes() -> None:
    results, remarks, _ = checked("leaf x = [0.0, 1.0]\ny = relu(x).sum()\n")
    assert [result.outcome for result in results] == ["passed"]
    slopes = "slope 0 from the left, 1 from the right"
    assert remarks == [f"gradient of y by x at x[0]: a kink: {slopes}; the rule gives 0, which is inside"]


def test_lost_digits_are_a_remark() -> None:
    _, remarks, _ = checked("leaf x = [1e-4, 2e-4]\ny = ((1 - cos(x)) / x ^ 2).sum()\n")
    assert any("in float32 the gradient of y by x keeps" in remark for remark in remarks)


def test_every_output_is_checked_by_every_leaf_that_it_reaches() -> None:
    results, _, _ = checked("leaf a = 2.0\nleaf b = 3.0\nu = a * a\nv = u * b\nw = b.detach()\na ^ 3\n")
    assert [result.title for result in results] == [
        "gradient of u by a",
        "gradient of v by a",
        "gradient of v by b",
        "gradient of a ^ 3 by a",
    ]


def test_running_again_leaves_no_trace(tmp_path: Path) -> None:
    text = "leaf x = [1.0, 2.0]\nprint('once')\nsave('out.npy', x)\ny = (x ^ 2).sum()\nassert y == 5\ny.backward()\n"
    _, _, session = checked(text, "test.gx", str(tmp_path))
    before = (tmp_path / "out.npy").stat().st_mtime_ns
    assert os.listdir(tmp_path) == ["out.npy"] and (tmp_path / "out.npy").stat().st_mtime_ns == before
    assert session.leaves["x"].grad is not None and session.leaves["x"].grad.tolist() == [2.0, 4.0]


def test_a_script_without_gradients_has_none_to_check() -> None:
    assert checked("z = 3\nprint(ones(2))\n")[0] == []


def test_an_in_place_error_is_told_in_its_own_words() -> None:
    text = "leaf x = [1.0, 2.0]\nh = exp(x)\nh += 1\ny = h.sum()\n"
    found = failures(checked(text)[0])
    assert "overwritten" in found["gradient of y"]

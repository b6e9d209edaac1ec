"""One script run for its checks: what counts as what, and what one check may do to the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradcli.autograd import dtypes, is_grad_enabled
from gradcli.checks import runner
from gradcli.checks.choosing import outline
from gradcli.checks.results import CheckSettings
from gradcli.checks.runner import run_file
from gradcli.ops.generator import default_generator
from tests.checks.helpers import checked, outcomes

SCRIPT = """\
leaf x = [1.0, 2.0]
y = sum(x^2)
check "holds":
    assert y == 5
check "does not":
    assert y == 6
check "can't":
    x @ tensor([1, 2, 3])
assert y > 1
y  #> 5.0
y  #> 4.0
print("said")
#> said
"""


def test_every_kind_of_check_has_a_result_in_the_order_of_lines(tmp_path: Path) -> None:
    result = checked(tmp_path, SCRIPT)
    assert [(c.id, c.kind, c.outcome, c.line) for c in result.checks] == [
        ("s.gx::holds", "check", "passed", 3),
        ("s.gx::does not", "check", "failed", 5),
        ("s.gx::can't", "check", "failed", 7),
        ("s.gx::assert y > 1", "assert", "passed", 9),
        ("s.gx::y #>", "expected", "passed", 10),
        ("s.gx::y #> [2]", "expected", "failed", 11),
        ('s.gx::print("said") #>', "expected", "passed", 13),
    ]
    codes = [c.diagnostic.code if c.diagnostic else "" for c in result.checks]
    assert codes == ["", "assertion-failed", "shape-mismatch", "", "", "unexpected-output", ""]
    assert result.stdout == "said\n" and result.seed is None and result.deselected == 0
    assert result.duration >= sum(c.duration for c in result.checks) > 0


def test_ids_are_known_without_running(tmp_path: Path) -> None:
    result = checked(tmp_path, SCRIPT)
    path = str(tmp_path / "s.gx")
    assert [item.id.replace(path, "s.gx") for item in outline(path)] == [c.id for c in result.checks]


def test_no_two_checks_have_one_id(tmp_path: Path) -> None:
    titles = ["dup [2]", "dup", "dup", "dup", "dup [3]", "", "", "dup [2]"]
    text = "".join(f'check "{title}":\n    assert 1 == 1\n' for title in titles)
    found = [check.title for check in checked(tmp_path, text).checks]
    assert found == ["dup [2]", "dup", "dup [4]", "dup [5]", "dup [3]", "", " [2]", "dup [2] [2]"]


def test_a_failed_assertion_outside_of_a_check_ends_the_script(tmp_path: Path) -> None:
    text = "assert 1 == 1\nassert 1 == 2; assert 2 == 2\nprint(3)\n#> 3\ncheck 'late':\n    assert 1 == 1\n"
    result = checked(tmp_path, text)
    assert outcomes(result) == {
        "assert 1 == 1": "passed",
        "assert 1 == 2": "failed",
        "assert 2 == 2": "skipped",
        "print(3) #>": "skipped",
        "late": "skipped",
    }
    assert result.stdout == ""


def test_what_came_before_on_the_same_line_has_passed(tmp_path: Path) -> None:
    assert list(outcomes(checked(tmp_path, "assert 1 == 1; assert 1 == 2\n")).values()) == ["passed", "failed"]


def test_an_assertion_inside_of_a_function_or_loop_fails_under_its_own_name(tmp_path: Path) -> None:
    text = "def f(n):\n    assert n < 2\n\nassert 1 == 1\nfor i in range(3):\n    f(i)\nassert 2 == 2\n"
    result = checked(tmp_path, text)
    assert outcomes(result) == {"assert 1 == 1": "passed", "assert 2 == 2": "skipped", "assert n < 2": "failed"}
    assert result.checks[-1].kind == "assert" and result.checks[-1].line == 2


def test_an_error_is_that_of_the_file_and_the_rest_is_skipped(tmp_path: Path) -> None:
    text = "check 'first':\n    assert 1 == 1\nones(2) @ ones(3)\ncheck 'last':\n    assert 1 == 1\n"
    result = checked(tmp_path, text)
    assert [(c.title, c.kind, c.outcome, c.line) for c in result.checks] == [
        ("first", "check", "passed", 1),
        ("last", "check", "skipped", 4),
        ("", "file", "error", 3),
    ]


def test_an_error_in_backward_skips_what_comes_after_the_call(tmp_path: Path) -> None:
    text = "leaf x = [1.0]\ny = exp(x)\nassert y[0] > 2\ny += 1\nassert y[0] > 3\ny.sum().backward()\nassert y[0] > 4\n"
    result = checked(tmp_path, text)
    assert list(outcomes(result).values()) == ["passed", "passed", "skipped", "error"]
    assert result.checks[-1].line == 2  # the place of the error is the forward expression


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("x = = 1\nassert 1 == 1\n", "syntax", "doubled-sign"),
        ("assert unknown == 1\n", "runtime", "unknown-name"),
        ("assert 1 == 1\nload('none.npy')\n", "runtime", "file-missing"),
    ],
)
def test_files_that_fail(tmp_path: Path, text: str, kind: str, code: str) -> None:
    last = checked(tmp_path, text).checks[-1]
    assert last.kind == "file" and last.outcome == "error" and last.diagnostic is not None
    assert (last.diagnostic.kind, last.diagnostic.code) in ((kind, code), ("syntax", code))


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.gx").write_bytes(b"# \xe9\nassert 1 == 1\n")
    for name, code in (("none.gx", "file-missing"), ("latin.gx", "not-text"), (".", "file-kind")):
        (check,) = run_file(str(tmp_path / name), CheckSettings()).checks
        assert check.outcome == "error" and check.diagnostic is not None and check.diagnostic.code == code


def test_a_script_without_checks_is_not_run(tmp_path: Path) -> None:
    result = checked(tmp_path, "print(1)\nones(2) @ ones(3)\n")
    assert (result.checks, result.stdout) == ([], "")


def test_a_check_in_a_loop_is_one_check_and_its_first_failure_counts(tmp_path: Path) -> None:
    result = checked(tmp_path, "for i in range(4):\n    check 'small':\n        assert i < 2\n")
    (check,) = result.checks
    assert check.outcome == "failed" and check.diagnostic is not None
    assert check.diagnostic.notes[0] == "i is 2"


def test_a_check_that_the_script_never_comes_to_is_skipped(tmp_path: Path) -> None:
    text = "if 1 == 2:\n    check 'never':\n        assert 1 == 1\n        print(1)  #> 1\nassert 1 == 1\n"
    assert outcomes(checked(tmp_path, text)) == {
        "never": "skipped",
        "print(1) #>": "skipped",
        "assert 1 == 1": "passed",
    }


def test_a_line_inside_of_a_check_that_failed_before_it_is_skipped(tmp_path: Path) -> None:
    text = "check 'c':\n    print(1)  #> 1\n    assert 1 == 2\n    print(3)  #> 3\n"
    assert list(outcomes(checked(tmp_path, text)).values()) == ["failed", "passed", "skipped"]


def test_what_comes_after_exit_is_skipped(tmp_path: Path) -> None:
    text = "assert 1 == 1\nif 1 == 1:\n    exit({})\ncheck 'late':\n    pass\nprint(1)  #> 1\n"
    assert list(outcomes(checked(tmp_path, text.format(""))).values()) == ["passed", "skipped", "skipped"]
    result = checked(tmp_path, text.format(7))
    assert list(outcomes(result).values()) == ["passed", "skipped", "skipped", "error"]
    last = result.checks[-1]
    assert (last.kind, last.line) == ("file", 3) and last.diagnostic is not None
    assert last.diagnostic.message == "the script ended itself with status 7"


def test_only_what_was_chosen_runs(tmp_path: Path) -> None:
    text = "".join(f"check '{title}':\n    print('{title}')\n" for title in ("one", "two", "both one and two"))
    result = checked(tmp_path, text, keyword="one and not two")
    assert (outcomes(result), result.deselected, result.stdout) == ({"one": "passed"}, 2, "one\n")
    path = str(tmp_path / "s.gx")
    result = run_file(path, CheckSettings(only=frozenset([f"{path}::two"])))
    assert (outcomes(result), result.stdout) == ({"two": "passed"}, "two\n")


def test_what_ends_the_run_is_told_although_it_was_not_chosen(tmp_path: Path) -> None:
    result = checked(tmp_path, "assert 1 == 2\ncheck 'mine':\n    assert 1 == 1\n", keyword="mine")
    assert (outcomes(result), result.deselected) == ({"mine": "skipped", "assert 1 == 2": "failed"}, 0)


def test_a_limit_of_failures_ends_the_script(tmp_path: Path) -> None:
    checks = "".join(f"check '{n}':\n    print({n})\n    assert {n} != 2\n" for n in range(1, 5))
    result = checked(tmp_path, f"assert 1 == 1\n{checks}assert 2 == 2\n", limit=1)
    assert outcomes(result) == {"assert 1 == 1": "passed", "1": "passed", "2": "failed"}
    assert result.stdout == "1\n2\n"


def test_values_are_compared_before_the_script_changes_them(tmp_path: Path) -> None:
    text = "x = zeros(2)\ncheck 'c':\n    assert equal(x, ones(2))\nx += 7\n"
    (check,) = checked(tmp_path, text).checks
    assert check.diagnostic is not None
    assert any("got 0.0, expected 1.0" in note for note in check.diagnostic.notes)


RANDOM = """\
check "a":
    print(rand(1))
check "b":
    print(rand(1))
print(rand(1))
check "f":
    assert rand(1) > 1
"""


def test_a_check_left_out_changes_no_random_number(tmp_path: Path) -> None:
    whole = checked(tmp_path, RANDOM)
    assert len(set(whole.stdout.split("\n")[:-1])) == 1  # each check begins where the script is
    assert checked(tmp_path, RANDOM, keyword="b").stdout == "\n".join(whole.stdout.split("\n")[:1] * 2) + "\n"


def test_the_seed_decides_and_is_told(tmp_path: Path) -> None:
    first, again, other = (checked(tmp_path, RANDOM, manual_seed=seed) for seed in (5, 5, 6))
    assert first.stdout == again.stdout != other.stdout
    assert (first.seed, other.seed) == (5, 6)
    assert checked(tmp_path, "manual_seed(3)\nassert rand(1) > 1\n").seed is None
    assert checked(tmp_path, "check 'c':\n    assert rand(1) > 1\n").seed == 0


def test_nothing_of_one_script_reaches_the_next(tmp_path: Path) -> None:
    state = default_generator.get_state()
    text = "import torch\ntorch.set_default_dtype(torch.float32)\ntorch.set_grad_enabled(False)\nassert rand(1) < 2\n"
    assert not checked(tmp_path, text).bad
    assert is_grad_enabled() and dtypes.get_default_dtype() is dtypes.float64
    assert (default_generator.get_state() == state).all()
    assert not checked(tmp_path, "leaf x = [1.0]\ny = x * 2\nassert y.requires_grad\n").bad


def test_the_float_type_is_chosen(tmp_path: Path) -> None:
    text = "check 'c':\n    assert str(ones(1).dtype) == 'torch.float32'\n"
    assert [checked(tmp_path, text, dtype=name).checks[0].outcome for name in ("float32", "float64")] == [
        "passed",
        "failed",
    ]


def test_a_script_that_takes_too_long(tmp_path: Path) -> None:
    text = "check 'done':\n    assert 1 == 1\nwhile True:\n    pass\nassert 1 == 1\n"
    result = checked(tmp_path, text, timeout=0.3)
    assert list(outcomes(result).values()) == ["passed", "skipped", "error"]
    last = result.checks[-1].diagnostic
    assert last is not None and (last.code, last.primary and last.primary.span.line) == ("timeout", 3)


def test_a_check_can_not_swallow_the_time_limit(tmp_path: Path) -> None:
    result = checked(tmp_path, "check 'endless':\n    while True:\n        pass\n", timeout=0.3)
    assert list(outcomes(result).values()) == ["skipped", "error"]


def test_a_fault_of_our_own_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(runner, "items_of", fail)
    (check,) = checked(tmp_path, "assert 1 == 1\n").checks
    assert check.diagnostic is not None
    assert (check.diagnostic.kind, check.diagnostic.notes) == ("internal", [])
    assert "ZeroDivisionError: inside" in check.diagnostic.message
    (check,) = checked(tmp_path, "assert 1 == 1\n", traceback=True).checks
    assert check.diagnostic is not None and "Traceback" in check.diagnostic.notes[0]


def test_what_is_printed_without_end_is_not_kept_without_end(tmp_path: Path) -> None:
    result = checked(tmp_path, f"for i in range(3000):\n    print('{'x' * 1000}')\nassert 1 == 1\n")
    assert 1_000_000 <= len(result.stdout) < 1_000_100 and result.stdout.endswith("(more was printed than is kept)\n")


# -- --update ---------------------------------------------------------------------------------------------------------
WRONG = "x = ones(2)  # kept\nx * 2  #> tensor([3., 3.])\n\nprint(4)\n#> 5\nx  #> tensor([1., 1.])\n"
RIGHT = "x = ones(2)  # kept\nx * 2  #> tensor([2., 2.])\n\nprint(4)\n#> 4\nx  #> tensor([1., 1.])\n"


@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_update_rewrites_what_differs_and_keeps_the_rest(tmp_path: Path, start: str, ending: str, last: str) -> None:
    def written(text: str) -> str:
        text = start + text.replace("\n", ending)
        return text if last else text.removesuffix(ending)

    result = checked(tmp_path, written(WRONG), update=True)
    assert (result.updated, result.bad) == (2, [])
    assert (tmp_path / "s.gx").read_bytes().decode() == written(RIGHT)
    assert checked(tmp_path, written(RIGHT), update=True).updated == 0


@pytest.mark.parametrize("more", ["assert 1 == 2\n", "check 'c':\n    assert 1 == 2\n", "ones(2) @ ones(3)\n"])
def test_update_refuses_when_anything_else_is_wrong(tmp_path: Path, more: str) -> None:
    result = checked(tmp_path, WRONG + more, update=True)
    assert result.updated == 0 and (tmp_path / "s.gx").read_text() == WRONG + more
    assert [c.outcome for c in result.checks[:2]] == ["failed", "failed"]


def test_update_does_not_guess_line_ends(tmp_path: Path) -> None:
    text = "print(1)\r\n#> 2\n"
    last = checked(tmp_path, text, update=True).checks[-1]
    assert last.diagnostic is not None and last.diagnostic.code == "mixed-line-ends"
    assert (tmp_path / "s.gx").read_bytes() == text.encode()

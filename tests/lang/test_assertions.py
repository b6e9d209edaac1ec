"""What a failed assertion shows, and the functions that scripts check with."""

from __future__ import annotations

import pytest

from gradcli.lang.checks import CheckResult

from .helpers import failure, marked, printed, run

START = """\
w = tensor([1.0, 2.0, 3.0])
v = tensor([1.0, 2.5, 3.0])
leaf z = [1.0, 2.0]
"""


def notes(assertion: str) -> list[str]:
    return failure(f"{START}assert {assertion}\n").notes


@pytest.mark.parametrize(
    "assertion",
    ["allclose(w, v)", "torch.allclose(w, v)", "w.allclose(v)", "equal(w, v)", "(w == v).all()", "torch.all(w == v)"],
)
def test_the_worst_element_is_shown_for_every_way_to_compare(assertion: str) -> None:
    assert notes(assertion) == [
        "w is tensor([1., 2., 3.])",
        "v is tensor([1.0000, 2.5000, 3.0000])",
        "1 of 3 elements differ; worst at [1]: got 2.0, expected 2.5; absolute error 0.5, relative error 0.2",
    ]


def test_only_the_operand_of_and_that_fails_is_marked() -> None:
    diagnostic = failure(f"{START}assert w[0] == 1 and (w[1] == 2 and w[2] == 4)\n")
    assert marked(diagnostic) == "w[2] == 4"
    assert diagnostic.notes == ["w[2] is tensor(3.)", "got 3.0, expected 4; absolute error 1, relative error 0.25"]


def test_a_chain_fails_at_its_link_and_computes_each_part_once() -> None:
    function = "calls = []\ndef f(x):\n    calls.append(x)\n    return x\n"
    session = run(f"{function}check 'c':\n    assert 0 < f(5) < f(3) < f(9)\n")
    (result,) = session.checks
    assert result.diagnostic is not None and marked(result.diagnostic) == "f(5) < f(3)"
    assert session.namespace["calls"] == [5, 3]


def test_all_sides_of_or_are_shown() -> None:
    assert notes("w[0] > 3 or v[1] < 0") == ["w[0] is tensor(1.)", "v[1] is tensor(2.5000)"]


def test_or_stops_at_the_first_side_that_holds() -> None:
    assert printed("x = []\nassert x == [] or x[3] == 1\nassert not (x == [1] or x == [2])\nprint(1)\n") == "1\n"


def test_an_order_shows_the_element_that_breaks_it_most() -> None:
    assert notes("(w < v).all()")[-1] == "2 of 3 elements break it; worst at [0]: 1.0 and 1.0"
    assert notes("torch.all(w > 2)")[-1] == "2 of 3 elements break it; worst at [0]: 1.0 and 2"


def test_what_is_not_finite_is_counted() -> None:
    assert notes("isfinite(w / (w - 1)).all()")[-1] == "1 of 3 elements are not finite; the first at [0]: inf"


def test_tolerances_of_the_call_count() -> None:
    assert "expected 1.0005" in notes("allclose(tensor(1.0), tensor(1.0005), 1e-4)")[-1]
    assert printed("assert allclose(tensor(1.0), tensor(1.0005), rtol=1e-3)\nprint('fine')\n") == "fine\n"


def test_nan_is_equal_only_when_asked_for() -> None:
    assert "nan equals nothing" in notes("allclose(tensor(nan), tensor(nan))")[-1]
    assert printed("assert allclose(tensor([nan]), tensor([nan]), equal_nan=True)\nprint('fine')\n") == "fine\n"


def test_a_plain_value_is_shown() -> None:
    assert notes("not z.requires_grad") == ["z.requires_grad is True"]


@pytest.mark.parametrize(
    ("assertion", "code", "message"),
    [
        ("allclose(w, v[:1])", "shape-mismatch", "shapes differ: got (3,), expected (1,)"),
        ("allclose(w[:1], 1.0)", "shape-mismatch", "shapes differ: got (1,), expected ()"),
        ("allclose(w.view(3, 1), w)", "shape-mismatch", "shapes differ: got (3, 1), expected (3,)"),
        ("allclose(w.float(), w)", "dtype-mismatch", "dtypes differ: got torch.float32, expected torch.float64"),
        ("allclose(z.grad, zeros(2))", "no-gradient", "no gradient"),
        ("equal(z.grad, zeros(2))", "no-gradient", "no gradient"),
        ("not allclose(zeros(2), z.grad)", "no-gradient", "no gradient"),
        ("raises(ValueError, lambda: 1)", "nothing-raised", "ValueError was expected, but nothing went wrong"),
        ("raises(ValueError, lambda: w @ z)", "other-error", "ValueError was expected, another error came"),
        ("raises(RuntimeError, lambda: w @ z, match='teapot')", "other-message", "does not have 'teapot'"),
    ],
)
def test_what_can_not_be_compared_fails_as_a_check(assertion: str, code: str, message: str) -> None:
    diagnostic = failure(f"{START}assert {assertion}\n")
    assert (diagnostic.kind, diagnostic.code) == ("check", code)
    assert message in diagnostic.message


def test_none_is_not_zero() -> None:
    assert "no gradient: the value is None, which is not zero" in notes("z.grad == 0")[-1]


@pytest.mark.parametrize(
    "assertion",
    [
        "raises(RuntimeError, lambda: w @ z)",
        "raises(RuntimeError, lambda: w @ z, match='matmul')",
        "raises((ValueError, IndexError), lambda: [1][3])",
        "raises(ZeroDivisionError, lambda: 1 / 0)",
        "raises(AssertionError, lambda: allclose(w, v[:1]))",
        "raises(RuntimeError, torch.linalg.inv, zeros(2, 2))",
        "raises(LinAlgError, lambda: torch.linalg.inv(zeros(2, 2)))",
        "raises(IndexError, lambda i: w[i], 7)",
        "gradcheck(lambda a: a * a, z)",
        "gradcheck(lambda a: a * a, (z,), eps=1e-5)",
        "gradgradcheck(lambda a: a ^ 3, z)",
        "raises(GradcheckError, lambda: gradcheck(lambda a: a.detach() * a, z))",
        "allclose(w, [1, 2, 3])",
        "allclose(w.sum(), 6)",
    ],
)
def test_what_holds(assertion: str) -> None:
    assert printed(f"{START}assert {assertion}\nprint('fine')\n") == "fine\n"


def test_raises_wants_a_function_and_the_name_of_an_error() -> None:
    assert failure("raises(ValueError, 1 + 1)\n").code == "not-callable"
    assert failure("raises(3, lambda: 1)\n").code == "not-an-error"
    assert failure("x = ValueErrors\n").help == "did you mean `ValueError`?"


def test_a_failed_gradient_check_is_a_failed_check() -> None:
    diagnostic = failure(f"{START}gradcheck(lambda a: a.detach() * a, z)\n")
    assert (diagnostic.kind, diagnostic.code) == ("check", "wrong-gradient")


def test_an_assertion_in_a_function_keeps_its_parts() -> None:
    text = "def f(x):\n    assert x > 3, f'x is {x}'\n    return x\ncheck 'c':\n    f(2)\n"
    result: CheckResult = run(text).checks[0]
    assert result.diagnostic is not None and result.diagnostic.message == "x is 2"
    assert result.parts == [("x", 2), ("", 3)] and result.parts.relation == ">"

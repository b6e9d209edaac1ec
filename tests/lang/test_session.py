"""Scripts that run: what they print and what they leave."""

from __future__ import annotations

import pytest

from gradcli.lang.compiling import compile_unit, read_unit
from gradcli.lang.diagnostic import GxError
from gradcli.lang.session import Session, Settings
from gradcli.lang.source import Source
from tests.counting import calls

from .helpers import Recorder, failure, printed, run


def test_a_tutorial_runs_as_it_is() -> None:
    text = """\
import torch
x = torch.ones(2, 2, requires_grad=True)
y = x + 2
print(y)
z = y * y * 3
out = z.mean()
print(z, out)
out.backward()
print(x.grad)
"""
    assert printed(text).splitlines()[-2:] == ["tensor([[4.5000, 4.5000],", "        [4.5000, 4.5000]])"]


def test_a_loop_on_tensor_values() -> None:
    text = """\
input v = [0.1, 1.0, 0.0001]
leaf x = [-1.0154, 1.0822, -0.4681]
y = x * 2
while y.data.norm() < 1000:
    y = y * 2
y.backward(v)
print(x.grad)
"""
    assert printed(text) == "tensor([1.0240e+02, 1.0240e+03, 1.0240e-01])\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("print(1, 'a', sep='-', end='!')", "1-a!"),
        ("print(2 ^ 3 ^ 2, -2 ^ 2, 2 ** -1)", "512 -4 0.5\n"),
        ("print(3, 14)", "3 14\n"),
        ("y = 3,14\nprint(len(y))", "2\n"),
        (
            "print(max(1,5), min([3, 2]), sum([1, 2]), sum(i for i in range(4)), abs(-3), round(2.567, 2))",
            "5 2 3 6 3 2.57\n",
        ),
        (
            "def f(a, b=2, *c, d=1, **e):\n    return a + b + sum(c) + d + len(e)\nprint(f(1), f(1, 2, 3, d=4, x=5))",
            "4 11\n",
        ),
        ("def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nprint(fact(20))", "2432902008176640000\n"),
        (
            "def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n        return n\n"
            "    return step\nc = counter()\nc()\nprint(c())",
            "2\n",
        ),
        ("a, (b, *c) = 1, (2, 3, 4)\nprint(a, b, c)", "1 2 [3, 4]\n"),
        ("x = [1, 2, 3]\nx[0] *= 5\nx[1:] += [7]\ni = 3\ni *= 2\ni **= 2\ni %= 7\nprint(x, i)", "[5, 2, 3, 7] 1\n"),
        ("n = 0\ndef f():\n    global n\n    n += 1\n    return 0\nx = [2]\nx[f()] *= 3\nprint(x, n)", "[6] 1\n"),
        ("print([i ^ 2 for i in range(4) if i], {i: -i for i in range(2)})", "[1, 4, 9] {0: 0, 1: -1}\n"),
        ('x = 2.5\nprint(f\'{x:.3f} {x!r} {x=} {{}} {"a" "b"} {x:>{8}.1f}|\')', "2.500 2.5 x=2.5 {} ab      2.5|\n"),
        ("leaf = 1\ninput = leaf + 1\ncheck = input\nprint(check)", "2\n"),
        ("print([1, 2] + [3], [1., 2.] @ [3., 4.])", "[1, 2, 3] tensor(11.)\n"),
        (
            "print(isinstance(1, int), isinstance([1], list), isinstance(ones(1), torch.Tensor), "
            "isinstance('a', (int, str)))",
            "True True True True\n",
        ),
        ("print(1 < 2 < 3, not 1, None is None, 2 in [1, 2], 'b' not in 'abc')", "True False True True False\n"),
        ("for i in range(5):\n    if i == 1: continue\n    if i == 3: break\nelse:\n    print('no')\nprint(i)", "3\n"),
        ("s = 'a\\nb'\nprint(s)", "a\nb\n"),
        ("θ = 2; ﬁ = 3\nprint(θ, fi)", "2 3\n"),
        (
            "import torch\nfrom torch.autograd import grad as g\nimport math as m\n"
            "print(m.sqrt(4), g is torch.autograd.grad)",
            "2.0 True\n",
        ),
        ("with no_grad():\n    y = ones(1, requires_grad=True) * 2\nprint(y.requires_grad)", "False\n"),
        ("@no_grad()\ndef f(x):\n    return x * 2\nprint(f(ones(1, requires_grad=True)).requires_grad)", "False\n"),
        ("if False:\n    x = 1\nelif 0:\n    x = 2\nelse:\n    x = 3\nprint(x)", "3\n"),
        (
            "print('2' in '123', (1, 2) < (1, 3), list(zip([1], [2])), dict(a=1), sorted([3, 1], reverse=True))",
            "True True [(1, 2)] {'a': 1} [3, 1]\n",
        ),
    ],
)
def test_prints(text: str, expected: str) -> None:
    assert printed(text) == expected


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_make_no_difference(ending: str) -> None:
    text = "x = 2.0\nfor k in range(3):\n    x = x * 2\ns = 'a\\nb'\nprint(x, s)\n"
    assert printed(text.replace("\n", ending)) == "16.0 a\nb\n"


def test_leaves_and_inputs() -> None:
    session = run("leaf w = [[1, 2], [3, 4]]\ninput v = [1, 2]\ninput n = 3\nleaf u = ones(2) * 2\nw2 = w * 2")
    assert list(session.leaves) == ["w", "u"] and session.namespace["w"] is session.leaves["w"]
    w = session.leaves["w"]
    assert w.requires_grad and w.is_leaf and str(w.dtype) == "torch.float64"
    assert session.inputs["n"] == 3 and not session.inputs["v"].requires_grad
    assert session.units[0].leaves["w"][:2] == (1, 6) and session.units[0].inputs["n"][:2] == (3, 7)


def test_overrides_replace_what_the_script_says() -> None:
    text = "leaf x = undefined_function_that_is_not_called() if 0 else 1 / 0\ninput n = 2\nprint(x.item(), n)\n"
    with pytest.raises(GxError, match="undefined_function"):
        run(text, overrides={"x": 5, "n": 7})
    assert (
        printed(text.replace("undefined_function_that_is_not_called()", "0"), overrides={"x": 5, "n": 7}) == "5.0 7\n"
    )


def test_an_override_without_a_declaration() -> None:
    found = failure("leaf x = 1\nleaf weight = 2", overrides={"wieght": 1})
    assert (found.kind, found.code, found.help) == ("usage", "unknown-set", "did you mean `weight`?")
    session = run("y = sum(x ^ 2)", overrides={"x": [1, 2]}, free_leaves=True)
    assert session.leaves["x"].requires_grad


def test_results_are_in_textual_order() -> None:
    session = run("leaf x = [1., 2.]\ny = x * 2\nfor i in range(2):\n    z = y + i\nx * 3\nq = 4\n")
    assert [name for name, _ in session.results()] == ["x", "y", "i", "z", "x * 3", "q"]


def test_values_of_expressions_are_reported() -> None:
    events = run("1 + 1\nprint(2)\nif True:\n    3\n'a'").events
    assert isinstance(events, Recorder) and events.values == [("1 + 1", 2), ("'a'", "a")]


def test_the_namespace_persists_between_sources() -> None:
    session = Session(Recorder(), settings=Settings())
    session.run(Source("def f(x):\n    return x / zero\nzero = 0\nx = 3\n", "<1>"))
    with pytest.raises(GxError) as caught:
        session.run(Source("y = 1\nf(x)\n", "<2>"))
    primary = caught.value.diagnostic.primary
    assert primary is not None and primary.source.name == "<1>" and primary.span[:2] == (2, 12)
    assert [(entry.name, entry.source.name, entry.span.line) for entry in caught.value.diagnostic.stack] == [
        ("f", "<2>", 2)
    ]
    assert session.evaluate("x + y") == 4


def test_hidden_names_do_not_stay() -> None:
    session = run("x = [1]\nx[0] *= 2\nassert x[0] == 2\ny = " + "+".join(["1"] * 200))
    assert [name for name in session.namespace if not name.startswith("__")] == ["x", "y"]


def test_a_failed_check_lets_the_script_go_on() -> None:
    session = run(
        "check 'one':\n    assert 1 == 1\ncheck 'two':\n    x = 3\n    assert x + 1 == 5, 'sum'\n    print('not')\n"
        "print('on')"
    )
    events = session.events
    assert isinstance(events, Recorder) and events.text == "on\n"
    assert [(result.title, result.passed) for result in events.finished] == [("one", True), ("two", False)]
    found = session.checks[1].diagnostic
    assert found is not None and (found.kind, found.message, found.notes) == ("check", "sum", ["x + 1 is 4"])


def test_a_check_that_fails_otherwise_is_a_failed_check() -> None:
    session = run("check 'one':\n    1 / 0\nprint('on')")
    found = session.checks[0].diagnostic
    assert found is not None and found.code == "division-by-zero"


def test_an_assertion_outside_a_check_ends_the_script() -> None:
    found = failure("x = 2\nassert x == 3\nprint('not')")
    assert (found.kind, found.code, found.notes) == ("check", "assertion-failed", ["x is 2"])


def test_expected_lines_are_observed() -> None:
    session = run("x = 3\nx + 1  #> 4\nfor i in range(2):\n    print(i)\n#> 0\n#> 1\nprint('a')\n")
    assert [
        (item.text, session.observed[session.units[0].source, index])
        for index, item in enumerate(session.units[0].expectations)
    ] == [
        ("4", ["4\n"]),
        ("0\n1", ["0\n", "1\n"]),
    ]


def test_long_chains_run() -> None:
    text = (
        "z = tensor(0.5, requires_grad=True)\ns = "
        + "+".join(["z"] * 20_000)
        + "\ns.backward()\nprint(s.item(), z.grad.item())"
    )
    assert printed(text) == "10000.0 20000.0\n"
    assert printed("x = 1\nprint([" + "+".join(["x"] * 500) + " for q in range(2)])") == "[500, 500]\n"
    assert printed("f = lambda x: " + "-".join(["x"] * 500) + "\nprint(f(1))") == "-498\n"


def test_warnings_are_reported_once_where_they_arise() -> None:
    events = run("leaf x = [1.]\ny = x * 2\nfor i in range(3):\n    y.grad\n").events
    assert isinstance(events, Recorder) and len(events.warnings) == 1


def test_reading_a_script_is_work_in_proportion_to_its_lines() -> None:
    def read(lines: int) -> None:
        text = "".join(f"x{i} = sin(a[{i}]) * 2 + f(b, c=[1, 2, {i}]) ^ 2\n" for i in range(lines))
        compile_unit(read_unit(Source(text)))

    read(1)  # what is loaded once
    assert calls(read, 1000) < 4.4 * calls(read, 250)

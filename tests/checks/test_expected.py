"""``#>`` lines: what is equal to the digits written, what is said of the others, and how they are rewritten."""

from __future__ import annotations

import pytest

from gradcli.checks.expected import check_line, updated
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.session import Session
from gradcli.lang.source import Source

START = "leaf w = [[1, 2], [3, 4]]\ny = (w ^ 2).sum()\n"


def ran(text: str) -> Session:
    session = Session()
    session.run(Source(START + text, "test.gx"))
    return session


def faults(text: str) -> dict[int, Diagnostic]:
    """Return the diagnostics of the ``#>`` comments that don't hold, by their numbers."""
    session = ran(text)
    (unit,) = session.units
    found = {
        index: check_line(unit, index, session.observed.get((unit.source, index), []))
        for index in range(len(unit.expectations))
    }
    return {index: diagnostic for index, diagnostic in found.items() if diagnostic is not None}


def renewed(text: str) -> str:
    session = ran(text)
    (unit,) = session.units
    wrong = {index: session.observed.get((unit.source, index), []) for index in faults(text)}
    return updated(unit, wrong).removeprefix(START)


@pytest.mark.parametrize(
    "line",
    [
        "y #> 30.0",
        "y #> 30",
        "y #> 30.",
        "y  #> 30.0  # the sum of squares",
        "print('a # b') #> a # b",
        "y #> 3.00e1",
        "y #> tensor(30., grad_fn=<SumBackward0>)",
        "w #> [[1, 2.0], [3, 4]]",
        "w #> tensor([[1., 2.], [3., 4.]], requires_grad=True)",
        "print(w)\n#> tensor([[1., 2.],\n#>    [3., 4.]], requires_grad=True)",
        "tensor(pi) #> 3.14159265",
        "tensor([pi, 2.5]) #> [3.1, 2.50]",
        "pi #> 3.1416",
        "tensor(nan) #> nan",
        "tensor([inf, -inf]) #> [inf, -inf]",
        "tensor([1, 2]) #> tensor([1, 2])",
        "tensor([1.5], dtype=torch.float32) #> tensor([1.5000], dtype=torch.float32)",
        "tensor([0.1], dtype=torch.float32) #> [0.10000]",
        "tensor([1 + 2j]) #> [1.+2.j]",
        "tensor([True, False]) #> [True, False]",
        "print(f'loss {pi:.4f} after {3} steps') #> loss 3.14 after 3 steps",
        "w.shape #> torch.Size([2, 2])",
        "'nothing but text' #> nothing but text",
        "[1.5, 2.25] #> [1.5, 2.2]",
        "for i in range(3):\n    i * 0 #> 0",
        "for i in range(2):\n    print(i)\n#> 0\n#> 1",
        "print()\nprint('a')\n#> a",
        "zeros(0, 3) #> tensor([], size=(0, 3))",
        "print('a\\n\\nb')\n#> a\n#>\n#> b",
        "arange(2000.)\n#> tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.9970e+03, 1.9980e+03, 1.9990e+03])",
        "1e-8 * y #> 3.0e-7",
        "x = tensor([1.0])\nx #> [1.0]\nx += 1",
        "print('# a') #> # a",
        "print('#> a')\n#> #> a",
        "print()\n#>",
        "print('', end='') #>",
        "w.grad #> None",
        "w.grad #> None  # not yet",
        "x = None #> None",
        "print(None)\n#> None",
    ],
)
def test_what_is_equal_to_the_digits_written(line: str) -> None:
    assert faults(line) == {}


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("y #> 31", "got 30.0, written 31; absolute error 1, relative error 0.0323"),
        ("y #> 30.01", "got 30.0, written 30.01; absolute error 0.01, relative error 0.000333"),
        ("y + 1e-12 #> 30", "got 30.000000000001, written 30;"),
        ("y #> tensor(30.)", "got `grad_fn=<SumBackward0>` after the numbers, written `nothing`"),
        ("w #> [[1., 2.], [3., 5.]]", "1 of 4 elements differ; worst at [1, 1]: got 4.0, written 5."),
        ("w #> [1., 2., 3., 4.]", "shapes differ: got (2, 2), written (4,)"),
        ("tensor([2.0]) #> 2.0", "shapes differ: got (1,), written ()"),
        ("tensor(nan) #> 4.50", "got nan, written 4.50"),
        ("tensor(4.5) #> nan", "got 4.5, written nan"),
        ("tensor([1, 2]) #> tensor([1., 2.])", "dtypes differ: got int64, written numbers with a point"),
        ("tensor([1., 2.]) #> tensor([1, 2])", "dtypes differ: got float64, written whole numbers"),
        ("tensor(pi) #> 3.14159266", "got 3.141592653589793, written 3.14159266; absolute error 6.41e-09"),
        ("tensor([1.0], dtype=torch.float32) #> tensor([1.])", "got `dtype=torch.float32` after the numbers"),
        ("print('after 3 steps') #> after 4 steps", "got `3`, written `4`"),
        ("print('a  b') #> a b", "got `a  b`, written `a b`"),
        ("tensor([True, False]) #> [True, True]", "got False, written True"),
        ("tensor([1 + 2j]) #> [1.+2.1j]", "got `2.j`, written `2.1j`"),
        ("y #>", "nothing is written yet"),
        ("print('one\\ntwo')\n#> one", "got `two`, written nothing"),
        ("print('one')\n#> one\n#> two", "got nothing, written `two`"),
        ("for i in range(3):\n    i #> 0", "this is time 2 of 3 that the line printed"),
    ],
)
def test_what_differs_is_said(line: str, note: str) -> None:
    (found,) = faults(line).values()
    assert (found.kind, found.code) == ("check", "unexpected-output")
    assert any(text.startswith(note) for text in found.notes), found.notes


def test_the_line_of_a_block_that_differs_is_marked() -> None:
    (found,) = faults("for i in range(3):\n    print(i)\n    #> 0\n    #> 1\n    #> 3\n").values()
    assert found.primary is not None and found.primary.span.line == 7


def test_a_line_that_prints_nothing_is_at_fault() -> None:
    (found,) = faults("x = None\nx #> 3\n").values()
    assert found.code == "nothing-printed"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y  #> 31   # not code", "y  #> 30   # not code"),
        ("y #> 31", "y #> 30"),
        ("y #>  # what?", "y #> 30.  # what?"),
        ("print('a #', y.item()) #> b # 3", "print('a #', y.item()) #> a # 30.0"),
        ("y   #>   29.50", "y   #>   30.00"),
        ("y #> tensor(30.)", "y #> tensor(30., grad_fn=<SumBackward0>)"),
        ("y #>", "y #> 30."),
        ("w #>", "w #> tensor([[1., 2.], [3., 4.]], requires_grad=True)"),
        ("w #> [[1.0, 2.00], [3, 5.]]", "w #> [[1.0, 2.00], [3, 4.]]"),
        ("w[0] / 3 #> [0.00]", "w[0] / 3 #> [0.33, 0.67]"),
        ("tensor(pi) #> 3.14159266", "tensor(pi) #> 3.14159265"),
        ("tensor(pi) #> 3.2e0", "tensor(pi) #> 3.1e+00"),
        ("tensor([1, 2]) #> tensor([1., 2.])", "tensor([1, 2]) #> tensor([1, 2])"),
        ("tensor(nan) #> 4.50", "tensor(nan) #> nan"),
        ("tensor([nan, 1.]) #> tensor([1., nan])", "tensor([nan, 1.]) #> tensor([nan, 1.])"),
        ("tensor([nan, 0.25]) #> [inf, -inf]", "tensor([nan, 0.25]) #> [nan, 0.25]"),
        ("print('# a') #> b", "print('# a') #> # a"),
        ("print('# a') #> # b", "print('# a')  # b\n#> # a"),
        ("print('#> 3') #> # b", "print('#> 3')  # b\n#> #> 3"),
        ("print('#> 3') #> #> 4", "print('#> 3')\n#> #> 3"),
        ("print('a # 1')\n#> # 1", "print('a # 1')\n#> a # 1"),
        ("print('hi') #> 3  # note", "print('hi')  # note\n#> hi"),
        ("print() #> 1", "print() #>"),
        ("print()\n#> 1", "print()\n#>"),
        ("tensor([1 + 2j]) #> [1.+2.1j]", "tensor([1 + 2j]) #> tensor([1.+2.j])"),
        ("print(f'loss {pi:.4f}, {3} steps') #> loss 3.15, 3 steps", None),
        ("for i in range(2):\n    i #> 0", "for i in range(2):\n    i\n    #> 0\n    #> 1"),
        ("if True:\n    print('a\\n\\nb')\n    #> c", "if True:\n    print('a\\n\\nb')\n    #> a\n    #>\n    #> b"),
        ("x = None\nx #> 3\ny #> 30", "x = None\nx #> 3\ny #> 30"),
        ("# keep\ny #> 30.0  \n\n\ny #> 1\n# and this", "# keep\ny #> 30.0  \n\n\ny #> 30\n# and this"),
        ("print('größe ∂', y) #> größe ∂ 1", "print('größe ∂', y) #> größe ∂ tensor(30., grad_fn=<SumBackward0>)"),
    ],
)
def test_an_update_changes_only_what_differs(before: str, after: str | None) -> None:
    expected = before.replace("3.15", "3.14") if after is None else after
    assert renewed(before).rstrip("\n") == expected
    assert faults(expected) == {} or "x #> 3" in expected


def test_an_update_is_stable() -> None:
    text = "w / 7 #>\nprint(w / 7, y)\n#> \ny / 7 #> 1.123456\n"
    once = renewed(text)
    assert faults(once) == {} and renewed(once) == once
    assert "y / 7 #> 4.285714" in once

"""Mistakes that people really reported, of this and of other programs, replayed in our own words and values.

Where PyTorch's answer helped nobody (an error that names no variable, a silent wrong number) the better one is asked
for; where it was right, its numbers are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.files import Files
from gradcli.lang.session import Session, Settings
from gradcli.lang.source import Source

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}


def run(text: str, folder: Path | None = None) -> dict[str, Any]:
    """Run a script and return its names."""
    session = Session(settings=Settings(files=None if folder is None else Files(str(folder))))
    session.run(Source(text, "case.gx"))
    return session.namespace


def failure(text: str, folder: Path | None = None) -> Diagnostic:
    with pytest.raises(GxError) as caught:
        run(text, folder)
    return caught.value.diagnostic


def places(found: Diagnostic) -> list[tuple[int, str]]:
    """Return line and source text of each label, the place of the error first."""
    ordered = sorted(found.labels, key=lambda label: not label.primary)
    return [(label.span.line, label.source.slice(label.span)) for label in ordered]


def said(found: Diagnostic) -> str:
    return "\n".join([found.message, *found.notes, found.help or ""])


def numbers(value: Any) -> Any:
    return value.detach().tolist()


# -- in place ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("write", ["w += 1", "w.mul_(2)", "w[0] = 5.0", "w.zero_()"])
def test_a_refused_write_to_a_leaf_changes_nothing(write: str) -> None:
    session = Session()
    with pytest.raises(GxError) as caught:
        session.run(Source(f"leaf w = [1.0, 2.0]\n{write}\n"))
    found = caught.value.diagnostic
    assert found.code == "leaf-inplace" and "leaf" in found.message and "w is (2,), from line 1" in said(found)
    assert places(found)[0][0] == 2
    assert numbers(session.namespace["w"]) == [1.0, 2.0]


def test_under_no_grad_a_leaf_may_be_written() -> None:
    names = run("leaf w = [1.0, 2.0]\nwith torch.no_grad():\n    w.mul_(2)\n")
    assert numbers(names["w"]) == [2.0, 4.0] and names["w"].is_leaf and names["w"].requires_grad


STEP = """\
leaf w = [[1.0, 2.0], [0.5, -1.0]]
x = tensor([[1.0], [3.0]])
h = w @ x
first, second = (h ** 2).sum(), (w * h).sum()
first.backward(retain_graph=True)
"""


def test_a_step_between_forward_and_backward() -> None:
    found = failure(STEP + "with torch.no_grad():\n    w -= 0.1 * w.grad\nsecond.backward()\n")
    assert found.code == "inplace-modified"
    assert "found version 1, expected version 0" in found.message and "the tensor is w" in said(found)
    assert places(found) == [(4, "w * h"), (7, "w -= 0.1 * w.grad"), (8, "second.backward()")]
    assert numbers(run(STEP + "second.backward()\n")["w"].grad) == [[24.0, 58.0], [-8.0, -19.0]]


# -- backward without a graph, or twice --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("script", "line", "cause", "words"),
    [
        ("x = tensor([1.0, 2.0])\ny = x.sum()\ny.backward()", 1, "tensor([1.0, 2.0])", "x does not require grad"),
        (
            "leaf x = [1.0, 2.0]\nv = (x * x).sum().item()\ny = tensor(v)\ny.backward()",
            2,
            "(x * x).sum().item()",
            "item",
        ),
        ("leaf x = [1.0, 2.0]\ny = (x * x).detach().sum()\ny.backward()", 2, "(x * x).detach()", "detach"),
        ("leaf x = [1.0, 2.0]\nwith no_grad():\n    z = 2 * x\ny = z.sum()\ny.backward()", 3, "2 * x", "no_grad"),
        ("leaf x = [0.3, 2.0]\ny = argmax(x)\ny.backward()", 2, "argmax(x)", "positions"),
        ("leaf x = [0.3, 2.0]\ny = (x > 1).sum()\ny.backward()", 2, "x > 1", "comparison"),
        ("leaf x = [0.3, 2.0]\ny = x.int().sum()\ny.backward()", 2, "x.int()", "integers"),
        ("leaf x = [0.3]\ny = float(x) * tensor(1.0)\ntorch.autograd.grad(y, x)", 2, "float(x)", "plain number"),
    ],
)
def test_backward_without_a_graph_names_the_variable_and_the_cut(
    script: str, line: int, cause: str, words: str
) -> None:
    found = failure(script)
    assert found.code == "no-graph" and "`y` does not require grad" in found.message
    assert places(found)[1] == (line, cause)
    assert words in next(label.text for label in found.labels if not label.primary)
    assert found.help


def test_integers_never_require_grad() -> None:
    for script in ("tensor([1, 2], requires_grad=True)", "tensor([True]).requires_grad_()"):
        found = failure(script)
        assert found.code == "integer-requires-grad"
        assert ("int64" in found.message or "bool" in found.message) and "1." in (found.help or "")
    names = run(
        "leaf t = [0.3, 2.0, -1.0]\na = t.argmax()\nb = t > 0\nc = t.long()\nd = t.floor()\nd.sum().backward()\n"
    )
    assert [names[name].requires_grad for name in "abcd"] == [False, False, False, True]
    assert numbers(names["t"].grad) == [0.0, 0.0, 0.0]


def test_backward_twice() -> None:
    script = "leaf x = [0.0, 1.0]\ny = x.exp().sum()\ny.backward()\ny.backward()\n"
    found = failure(script)
    assert found.code == "graph-freed" and "ExpBackward0" in found.message and "retain_graph=True" in (found.help or "")
    assert places(found) == [(2, "x.exp()"), (4, "y.backward()")]
    again = run(script.replace("y.backward()", "y.backward(retain_graph=True)", 1))
    assert numbers(again["x"].grad) == [2.0, 5.43656365691809]
    nothing_saved = run("leaf x = [0.0, 1.0]\nz = (x + 2).sum()\nz.backward()\nz.backward()\n")
    assert numbers(nothing_saved["x"].grad) == [2.0, 2.0]


def test_detach_cuts_one_path_and_no_grad_all() -> None:
    names = run(
        "leaf x = [1.0, -4.0, 2.5]\n(x * x.detach()).sum().backward()\nhalf = x.grad.clone()\nx.grad = None\n"
        "with torch.no_grad():\n    y = 2 * x\n    fresh = torch.ones(2, requires_grad=True)\n"
        "(x * x + y).sum().backward()\nmixed = x.grad.clone()\nwith torch.no_grad():\n    x -= 0.1 * x.grad\n"
    )
    assert numbers(names["half"]) == [1.0, -4.0, 2.5]
    assert not names["y"].requires_grad and names["fresh"].requires_grad
    assert numbers(names["mixed"]) == [2.0, -8.0, 5.0]
    assert numbers(names["x"]) == [0.8, -3.2, 2.0] and names["x"].is_leaf and names["x"].requires_grad


def test_the_second_derivative_of_a_linear_function() -> None:
    start = "from torch.autograd import grad\nleaf x = 2.0\n"
    found = failure(start + "l = grad(5 * x, x, create_graph=True)[0]\ngrad(l, x)\n")
    assert found.code == "no-graph" and "constant" in found.message
    assert places(found)[1] == (3, "grad(5 * x, x, create_graph=True)")
    names = run(
        start + "g = grad(x ** 3, x, create_graph=True)[0]\ngg = grad(g, x)[0]\n"
        "h = torch.autograd.functional.hessian(lambda v: (3 * v).sum(), tensor([1.0, 2.0]))\n"
        "k = torch.autograd.functional.hessian(lambda v: (v ** 3).sum() + v[0] * v[1], tensor([1.0, -2.0]))\n"
    )
    assert (numbers(names["g"]), numbers(names["gg"])) == (12.0, 12.0)
    assert numbers(names["h"]) == [[0.0, 0.0], [0.0, 0.0]]
    assert numbers(names["k"]) == [[6.0, 1.0], [1.0, -12.0]]


# -- values ------------------------------------------------------------------------------------------------------------
WEIGHTED = "w = tensor([1.0, 10.0, 100.0])\ni = tensor({index})\nleaf a = [7.0, 8.0, 9.0]\nleaf v = [0.5, 0.25, -1.0]\n"


@pytest.mark.parametrize(
    ("write", "index", "value", "base", "given"),
    [
        # the value that was overwritten in the end has no part in the result: PyTorch gives it a gradient all the same
        ("b = a.clone()\nb.index_put_((i,), v)", [1, 1, 0], [-1.0, 0.25, 9.0], [0.0, 0.0, 100.0], [0.0, 10.0, 1.0]),
        ("b = a.clone()\nb[i] = v", [1, 1, 0], [-1.0, 0.25, 9.0], [0.0, 0.0, 100.0], [0.0, 10.0, 1.0]),
        ("b = a.scatter(0, i, v)", [1, 1, 0], [-1.0, 0.25, 9.0], [0.0, 0.0, 100.0], [0.0, 10.0, 1.0]),
        ("b = a.index_copy(0, i, v)", [1, 1, 0], [-1.0, 0.25, 9.0], [0.0, 0.0, 100.0], [0.0, 10.0, 1.0]),
        ("b = a.clone()\nb.index_put_((i,), v, accumulate=True)", [1, 1, 0], [6.0, 8.75, 9.0], [1.0, 10.0, 100.0],
         [10.0, 10.0, 1.0]),
        ("b = a.index_add(0, i, v)", [1, 1, 0], [6.0, 8.75, 9.0], [1.0, 10.0, 100.0], [10.0, 10.0, 1.0]),
        ("b = a.scatter_add(0, i, v)", [1, 1, 0], [6.0, 8.75, 9.0], [1.0, 10.0, 100.0], [10.0, 10.0, 1.0]),
        ("b = a.clone()\nb.index_put_((i,), v)", [2, 1, 0], [-1.0, 0.25, 0.5], [0.0, 0.0, 0.0], [100.0, 10.0, 1.0]),
    ],
)  # fmt: skip
def test_a_place_written_twice(write: str, index: list[int], value: Any, base: Any, given: Any) -> None:
    names = run(WEIGHTED.format(index=index) + write + "\n(b * w).sum().backward()\n")
    assert [numbers(names["b"]), numbers(names["a"].grad), numbers(names["v"].grad)] == [value, base, given]


def test_a_singular_matrix_in_a_batch() -> None:
    batch = "A = tensor([[[2.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [2.0, 4.0]]])\n"
    found = failure(batch + "torch.linalg.solve(A, ones(2, 2, 1))\n")
    assert found.code == "singular-matrix" and "solve" in found.message
    assert "batch element 1" in found.message and "singular" in found.message and found.help
    assert "singular" in failure(batch + "torch.linalg.inv(A[1])\n").message
    assert "2 by 3" in failure("torch.linalg.inv(ones(2, 3))\n").message
    names = run(
        "leaf A = [[2.0, 1.0], [0.5, 3.0]]\nleaf r = [1.0, -2.0]\ns = torch.linalg.solve(A, r)\n"
        "(s * tensor([1.0, 10.0])).sum().backward()\n"
        "leaf B = [[2.0, 1.0], [0.5, 3.0]]\ntorch.linalg.inv(B).sum().backward()\n"
    )
    for found_numbers, wanted in [
        (names["s"], [0.9090909090909092, -0.8181818181818182]),
        (names["A"].grad, [[0.3305785123966943, -0.2975206611570248], [-3.1404958677685952, 2.826446280991736]]),
        (names["r"].grad, [-0.36363636363636365, 3.4545454545454546]),
        (names["B"].grad, [[-0.16528925619834706, -0.1239669421487603], [-0.06611570247933883, -0.04958677685950413]]),
    ]:
        assert np.allclose(numbers(found_numbers), wanted, rtol=1e-14, atol=0)


CONSTANT_ROW = "leaf x = [[2.0, 2.0, 2.0], [1.0, 2.0, 4.0]]\n"
WEIGHTS = "(y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()\n"


def test_normalising_a_constant_row() -> None:
    names = run(CONSTANT_ROW + "y = F.layer_norm(x, (3,))\n" + WEIGHTS)
    assert np.allclose(numbers(names["y"])[0], 0) and np.isfinite(numbers(names["x"].grad)).all()
    wanted = [-316.2277660168379, 0.0, 316.2277660168379]
    assert np.allclose(numbers(names["x"].grad)[0], wanted, rtol=1e-12, atol=1e-12)
    by_hand = run(CONSTANT_ROW + "y = (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)\n" + WEIGHTS)
    assert np.isnan(numbers(by_hand["x"].grad)[0]).all() and np.isfinite(numbers(by_hand["x"].grad)[1]).all()
    found = failure("leaf x = [[1.0, 2.0]]\nF.batch_norm(x, None, None, training=True)\n")
    assert found.code == "one-value" and "more than one value a channel" in found.message and "(1, 2)" in found.message
    zero = run("leaf x = [[0.0, 0.0, 0.0], [1.0, 2.0, 2.0]]\ny = F.cosine_similarity(x, ones(2, 3), dim=1)\n" + WEIGHTS)
    assert numbers(zero["y"])[0] == 0.0 and np.isfinite(numbers(zero["x"].grad)).all()
    unit = run("leaf x = [[0.0, 0.0], [3.0, 4.0]]\ny = F.normalize(x, dim=1)\n" + WEIGHTS)
    assert numbers(unit["y"])[0] == [0.0, 0.0] and np.isfinite(numbers(unit["x"].grad)).all()


# -- files -------------------------------------------------------------------------------------------------------------
def test_an_array_in_fortran_order(tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    np.save(tmp_path / "z.npy", np.float64(2.5))
    np.save(tmp_path / "e.npy", np.zeros((0, 3)))
    np.save(tmp_path / "s.npy", np.array([(1.0, 2)], dtype=[("u", "f8"), ("n", "i4")]))
    names = run(
        'leaf x = load("f.npy")\n(x * tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).sum().backward()\n'
        'z = load("z.npy")\ne = load("e.npy")\n',
        tmp_path,
    )
    assert numbers(names["x"]) == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert numbers(names["x"].grad) == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert numbers(names["z"]) == 2.5 and tuple(names["e"].shape) == (0, 3)
    assert "fields u (float64), n (int32)" in failure('load("s.npy")\n', tmp_path).message


def npy(cut: int | None = None, extra: bytes = b"", shape: bytes = b"(100,)") -> bytes:
    """Return the bytes of a vector's .npy file, cut off, with more at its end, or with another shape in its header."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + b", }"
    header += b" " * (117 - len(header)) + b"\n"
    whole = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + np.arange(100.0).tobytes()
    return whole[:cut] + extra


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy(128), "incomplete, expected 800 bytes, found 0"),
        (npy(500), "incomplete, expected 800 bytes, found 372"),
        (npy(40), "the header is incomplete, expected 118 bytes, found 30"),
        (npy(4), "c.npy"),
        (npy(shape=b"(10000000000000,)"), "expected 80,000,000,000,000 bytes, found 800"),
        (npy(shape=b"(-10,)"), "c.npy"),
        (b"\x93NUMPY\x02\x00" + (1 << 28).to_bytes(4, "little") + b" " * 2000, "c.npy"),
    ],
)
def test_a_file_that_was_cut_off(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "c.npy").write_bytes(content)
    found = failure('x = load("c.npy")\n', tmp_path)
    assert found.code in ("file-incomplete", "file-malformed") and words in found.message
    assert places(found) == [(1, 'load("c.npy")')]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,2\n3,4\n5\n6,7\n", "t.csv, line 3, column 2"),
        ("1,\n3,4\n", "t.csv, line 1, column 2: the field is empty"),
        ("1,2\n3,x7\n", "t.csv, line 2, column 2: 'x7' is not a number"),
        ("1,5;2,5\n3,5;4,5\n", "'1,5' is not a number"),
    ],
)
def test_a_table_with_a_wrong_field(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    found = failure('x = load("t.csv")\n', tmp_path)
    assert words in found.message and places(found) == [(1, 'load("t.csv")')]


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b"a,b\n1,2\n3,4\n", [[1.0, 2.0], [3.0, 4.0]]),
        (b"\xef\xbb\xbf1,2\n3,4\n", [[1.0, 2.0], [3.0, 4.0]]),
        (b"1,2\r\n3,4\r\n", [[1.0, 2.0], [3.0, 4.0]]),
        (b"# c\n1,2\n\n3,4\n", [[1.0, 2.0], [3.0, 4.0]]),
        (b" 1 , 2 \n3,4\n", [[1.0, 2.0], [3.0, 4.0]]),
    ],
)
def test_a_table_that_only_looks_odd(content: bytes, value: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    assert numbers(run('x = load("t.csv")\n', tmp_path)["x"]) == value


# -- the language ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("script", "line", "column", "words"),
    [
        ("x = 1\ny = f(x,\nz = 3\nw = 4\n", 2, 6, "never closed"),
        ("x = 1\ny = x +\n", 2, 7, "ends after `+`"),
        ("print('abc)\n", 1, 7, "not closed"),
        ("y = (1 + 2))\n", 1, 12, "closes nothing"),
        ("for k in range(3)\n    y = k\n", 1, 18, "must end with `:`"),
        ("x ==\n", 1, 3, "ends after `==`"),
        ("y = [1, 2)\n", 1, 10, "can't close `[`"),
        ("1 = x\n", 1, 1, "can't be assigned to"),
        ("y = (1 +", 1, 5, "never closed"),
        ("for = 3\n", 1, 1, "can't be a name"),
    ],
)
def test_an_error_at_the_end_is_told_where_it_began(script: str, line: int, column: int, words: str) -> None:
    found = failure(script)
    assert found.kind == "syntax" and found.primary is not None
    assert found.primary.span[:2] == (line, column) and words in found.message
    assert not any(word in said(found) for word in ("$END", "_NEWLINE", "INDENT", "Token"))


def test_comments_never_change_the_indentation() -> None:
    names = run(
        "\ny = torch.tensor(0.0)\nx = torch.tensor(2.0, requires_grad=True)\nfor k in range(3):   # header\n"
        "# at column zero\n        # deeper than the block\n\n    y = y + x ** k   # body\n\n"
        "    # before the second line\n    y = y * 1\n# after\ny.backward()\n"
        "a = (1 +  # one\n     2)  # two\nb = [1,\n\n  # three\n  2,\n]\nc = 1 + \\\n  2\n"
    )
    assert (numbers(names["y"]), numbers(names["x"].grad)) == (7.0, 5.0)
    assert [names["a"], names["b"], names["c"]] == [3, [1, 2], 3]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", "mixed"])
def test_line_ends_of_every_kind(ends: str) -> None:
    script = "x = 2.0\nfor k in range(3):\n    x = x * 2\ns = 'a\\nb'\n"
    changed = script.replace("\n", "\r\n", 2) if ends == "mixed" else script.replace("\n", ends)
    names = run(changed)
    assert (names["x"], names["s"]) == (16.0, "a\nb")
    broken = "a = 1\nb = 2\nc = = 3\n"
    found = failure(broken.replace("\n", "\r\n", 1) if ends == "mixed" else broken.replace("\n", ends))
    assert found.primary is not None and found.primary.span.line == 3


def test_deep_nesting_and_long_chains() -> None:
    for script in ("(" * 3000 + "1" + ")" * 3000, "x = " + "f(" * 3000 + "1" + ")" * 3000):
        found = failure(script)
        assert found.code == "nested-too-deeply" and found.primary is not None and found.primary.span.line == 1
    run("(" * 90 + "1" + ")" * 90)
    names = run("leaf z = 0.5\ns = " + "+".join(["z"] * 20_000) + "\ns.backward()\n")
    assert (numbers(names["s"]), numbers(names["z"].grad)) == (10_000.0, 20_000.0)
    loop = run("leaf x = 1.0\ny = x\nfor k in range(50000):\n    y = y * 1.0 + 0.0\ny.backward()\n")
    assert numbers(loop["x"].grad) == 1.0


def test_a_comma_is_no_decimal_sign() -> None:
    names = run("x = tensor([1,5, 2,5])\ny = 3,14\nz = max(1,5)\n")
    assert (numbers(names["x"]), names["x"].dtype.name, names["y"], names["z"]) == ([1, 5, 2, 5], "int64", (3, 14), 5)
    assert "point" in (failure("tensor([1,5, 2,5], requires_grad=True)").help or "")
    assert failure("x = [1;5]").kind == "syntax"


# -- the command -------------------------------------------------------------------------------------------------------
def command(*words: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    words = (sys.executable, "-m", "gradcli", "run", *words)
    return subprocess.run(words, input=text.encode(), capture_output=True, env={**ENVIRONMENT, **environment})


BAD = "print(1)\nx = tensor([1.0]) @ 3\nprint(2)\n"


def test_a_failing_script_has_a_status_however_it_came(tmp_path: Path) -> None:
    (tmp_path / "b.gx").write_text(BAD)
    for done in (command("-e", BAD), command("-", text=BAD), command(str(tmp_path / "b.gx"))):
        assert (done.returncode, done.stdout) == (3, b"1\n")
        assert b":2:5" in done.stderr and b">>>" not in done.stdout
    assert command("-e", "exit(7)").returncode == 7
    for text, status, out in [("print(1)", 0, b"1\n"), ("", 0, b""), ("x = = 1", 2, b""), ("print(1)\ny", 2, b"")]:
        done = command("-", text=text)
        assert (done.returncode, done.stdout) == (status, out)
        assert (done.stderr == b"") is (status == 0)


def test_colour_is_for_terminals_unless_it_is_forced() -> None:
    words = ("-e", "tensor([1.5, -2.0], requires_grad=True) @ 3")
    for environment, coloured in [
        ({"NO_COLOR": "", "FORCE_COLOR": ""}, False),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ]:
        done = command(*words, **environment)
        assert (b"\x1b" in done.stderr) is coloured and b"\x1b" not in done.stdout
    assert b"\x1b" in command(*words, "--color", "always", NO_COLOR="1").stderr


def test_json_that_every_reader_accepts() -> None:
    done = command("-e", "tensor([nan, inf, -inf, -0.0, 1e-320, 0.1])", "--format", "json")

    def refuse(name: str) -> Any:
        raise AssertionError(name)

    value = json.loads(done.stdout, parse_constant=refuse)["outputs"][0]["value"]
    assert value == ["nan", "inf", "-inf", -0.0, 1e-320, 0.1]
    single = command("-e", "tensor([0.1], dtype=torch.float32)", "--format", "json")
    assert json.loads(single.stdout)["outputs"][0]["value"] == [0.10000000149011612]
    whole = command("-e", "tensor(2 ** 53 + 1)", "--format", "json")
    assert json.loads(whole.stdout)["outputs"][0]["value"] == 9007199254740993

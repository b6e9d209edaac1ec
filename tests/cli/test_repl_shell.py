"""Entries and commands behind the prompt: wholly or not at all, undo, answers, and scripts that replay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradcli.checks.results import CheckSettings
from gradcli.checks.runner import run_file
from gradcli.cli.repl.commands.registry import COMMANDS, load_commands
from gradcli.cli.repl.entries import Status
from gradcli.cli.repl.problems import Leave
from gradcli.cli.repl.shell import Shell
from gradcli.lang.runner import own_defaults
from gradcli.ops.generator import default_generator
from tests.cli.repl_helpers import shell

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    default_generator.manual_seed(5)
    with own_defaults():
        yield


def answers(capsys: Capture, made: Shell, *texts: str) -> list[str]:
    """Enter each text; return what each wrote to both streams."""
    found = []
    for text in texts:
        made.submit(text)
        shown = capsys.readouterr()
        found.append(shown.out + shown.err)
    return found


# -- results -----------------------------------------------------------------------------------------------------------
def test_a_value_is_shown_with_its_number_shape_and_dtype(capsys: Capture) -> None:
    assert answers(capsys, shell(), "leaf x = [[1.0, 2.0]]", "x * 2", "_.sum()", "x;") == [
        "",
        "Out[2]: tensor([[2., 4.]], grad_fn=<MulBackward0>)  (1, 2) float64\n",
        "Out[3]: tensor(6., grad_fn=<SumBackward0>)  () float64\n",
        "",
    ]


def test_what_would_flood_the_screen_is_cut_and_full_shows_it(capsys: Capture) -> None:
    made = shell()
    tall, wide, deep, summed = answers(
        capsys,
        made,
        "zeros(990, 1)",
        "list(range(100000))",
        "d = []\nfor k in range(500):\n    d = [d]\nd",
        "zeros(5000)",
    )
    assert tall.count("\n") < 70 and "⋮ 930 more lines (:full _ shows all)" in tall
    assert len(wide) < 400 and "99,980 more" in wide
    assert len(deep) < 400
    assert summed == "Out[4]: tensor([0., 0., 0.,  ..., 0., 0., 0.])  (5000,) float64\n"
    (full,) = answers(capsys, made, ":full Out[1]")
    assert full.count("[0.]") == 990


def test_a_value_fits_into_a_narrow_window(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shell()
    monkeypatch.setattr("gradcli.cli.repl.shell.look", lambda stream, when: made.out._replace(width=44))
    (shown,) = answers(capsys, made, "arange(30.0)")
    assert max(map(len, shown.splitlines())) <= 44
    assert shown.startswith("Out[1]: tensor([ 0.,  1.,")


# -- wholly or not at all ----------------------------------------------------------------------------------------------
def test_nothing_of_a_failed_entry_stays(capsys: Capture) -> None:
    made = shell()
    made.submit("leaf x = [1.0, 2.0]\nitems = [1]\ny = (x * x).sum()")
    seed = made.session.evaluate("rand(1).item()")
    made.session.evaluate("manual_seed(0)")
    made.submit("a = 1\nx.data[0] = 9\nitems.append(2)\ny.backward()\nrand(5)\nset_grad_enabled(False)\nb = missing()")
    made.submit("a = 1\nx.data[0] = 9\nitems.append(2)\ny.backward()\nrand(5)\nset_grad_enabled(False)\n[1][2]")
    assert [entry.status for entry in made.entries] == [Status.OK, Status.FAILED, Status.FAILED]
    assert "a" not in made.session.namespace
    made.submit("y.backward()")
    assert made.session.evaluate("(x.tolist(), x.grad.tolist(), items)") == ([1.0, 2.0], [2.0, 4.0], [1])
    made.session.evaluate("manual_seed(0)")
    assert made.session.evaluate("is_grad_enabled()") and isinstance(seed, float)


def test_a_check_that_fails_leaves_what_was_set_and_stays_out_of_the_script(capsys: Capture) -> None:
    made = shell()
    first, second = answers(
        capsys,
        made,
        'x = 1\ncheck "one":\n    assert x == 2\nif x:\n    check "three":\n        assert x == 3',
        'check "two":\n    assert x == 1',
    )
    assert first.count("error[assertion-failed]") == 2 and second == "check passed: two\n"
    assert made.submit('x = 5\ncheck "four":\n    assert x == 4') == 1
    assert answers(capsys, made, ":undo", "x")[1] == "Out[4]: 1\n"
    made.submit(":save saved")
    assert not run_file("saved.gx", CheckSettings()).bad
    text = Path("saved.gx").read_text()
    assert text == 'x = 1\npass\nif x:\n    pass\ncheck "two":\n    assert x == 1\nx  #> 1\n'


def test_a_print_without_a_line_end_gets_one_before_the_prompt(capsys: Capture) -> None:
    shown = answers(capsys, shell(), "print('a', end='')", "print('b', end=''); 3", "print('c', end='')\n[1][2]")
    assert shown[:2] == ["a\n", "b\nOut[2]: 3\n"]
    assert shown[2].startswith("c\nerror[")


def test_a_fault_of_gradclis_own_leaves_the_session_alive(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shell()

    def broken(*arguments: object) -> None:
        raise ZeroDivisionError("inside")

    made.submit("x = 1")
    monkeypatch.setattr(made.session, "run", broken)
    (shown,) = answers(capsys, made, "x = 2")
    assert "error[internal]" in shown
    monkeypatch.undo()
    assert answers(capsys, made, "x") == ["Out[3]: 1\n"]


def test_undo_goes_back_over_values_gradients_and_results(capsys: Capture) -> None:
    made = shell()
    made.submit("leaf x = [1.0, 2.0]")
    made.submit("y = (x ** 2).sum()")
    made.submit("y.backward()")
    made.submit("with no_grad():\n    x -= x.grad")
    made.submit("x + 1")
    capsys.readouterr()
    shown = answers(
        capsys, made, ":undo 3", "x.grad, x.tolist()", "y.backward(); x.grad", ":undo", ":undo 9", ":undo x"
    )
    assert shown[0] == ("undone: In [5]  x + 1\nundone: In [4]  with no_grad(): ...\nundone: In [3]  y.backward()\n")
    assert shown[1] == "Out[6]: (None, [1.0, 2.0])\n"
    assert shown[2] == "Out[7]: tensor([2., 4.])  (2,) float64\n"
    assert shown[3] == "undone: In [7]  y.backward(); x.grad\n"
    assert "3 entries can be undone, not 9" in shown[4]
    assert ":undo takes a whole number, not 'x'" in shown[5]
    assert answers(capsys, made, "_")[0].startswith("Out[8]: (None")


def test_undo_says_what_it_can_not_put_back(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradcli.lang.snapshot.MAX_COPIED", 100)
    made = shell()
    made.submit("big = zeros(100)")
    made.submit("big += 1")
    assert "not put back" in answers(capsys, made, ":undo")[0]


def test_old_points_are_dropped(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradcli.cli.repl.timeline.MAX_POINTS", 3)
    made = shell()
    for number in range(6):
        made.submit(f"x = {number}")
    assert "3 entries can be undone, not 4" in answers(capsys, made, ":undo 4")[0]
    made.submit(":undo 3")
    assert made.session.evaluate("x") == 2
    monkeypatch.setattr("gradcli.cli.repl.timeline.MAX_BYTES", 17_000)
    for _ in range(5):
        made.submit("big = zeros(1000)")
    assert len(made.timeline) == 2


# -- commands ----------------------------------------------------------------------------------------------------------
def test_help_is_made_from_the_commands(capsys: Capture) -> None:
    load_commands()
    (shown,) = answers(capsys, shell(), ":help")
    for name, known in COMMANDS.items():
        assert f":{name}" in shown and known.summary in shown
        assert known.summary and not known.summary.endswith(".")
    wanted = "help vars tree grad jac hess check why type time load run save edit undo reset set history tb quit full"
    assert set(wanted.split()) == set(COMMANDS)


def test_help_about_a_topic(capsys: Capture) -> None:
    made = shell()
    made.submit("def double(a, b=2):\n    return a * b\nx = 3")
    shown = answers(
        capsys, made, ":help grad", "?double", "x?", "logsumexp?", "?x.nothing", ":help keys", "torch?", "?F.relu"
    )
    assert shown[0].startswith(":grad y [wrt a, b] [seed v]\nShow the gradient of a tensor")
    assert shown[1] == (
        "double: function double(a, b=2)\nfrom In [1]:1\n  def double(a, b=2):\n      return a * b\n  x = 3\n"
    )
    assert shown[2] == "x: whole number 3\nfrom In [1]:3\n  x = 3\n"
    assert shown[3].startswith("torch.logsumexp(input, dim, keepdim=False)\n")
    assert "`x.nothing` is no name here" in shown[4]
    assert "Ctrl-R searches them" in shown[5]
    assert shown[6].startswith("torch: namespace")
    assert shown[7].startswith("torch.nn.functional.relu(")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (":gard y", "there is no command :gard\n   = help: did you mean :grad?"),
        (":h", ":h is the beginning of :help and :hess and :history"),
        (":grad", ":grad takes an expression"),
        (":grad 3", ":grad takes a tensor, and 3 is whole number 3"),
        (":jac y seed [1]", ":jac takes no seed"),
        (":vars nothing", "the session has no name `nothing`"),
        (":set colour 3", "there is no setting 'colour'"),
        (":set precision many", "precision takes a whole number, not 'many'"),
        (":set dtype int64", "dtype takes float64, float32, float16, not 'int64'"),
        (":set keys nano", "keys are emacs or vi"),
        (":run", ":run takes a file name"),
        (":load none.gx", "there is no file none.gx"),
        (":save no/such/folder/s", "can't be written"),
        (":edit 99", "there is no In [99]"),
        (":tb", "nothing has failed so far"),
        (":why", ":why takes a name"),
        (":check x", "x is a value, not a function"),
        (":time", ":time takes an expression"),
        (":grad y wrt nothing", "the script has no tensor 'nothing'"),
    ],
)
def test_mistakes_in_commands_are_said(capsys: Capture, line: str, words: str) -> None:
    made = shell()
    made.submit("leaf x = [1.0]\ny = x.sum()")
    assert words in answers(capsys, made, line)[0]


def test_vars_lists_names_with_what_matters(capsys: Capture) -> None:
    made = shell()
    assert answers(capsys, made, ":vars") == ["no names yet\n"]
    made.submit("import torch\nleaf w = [[3.0, 4.0]]\ny = (w * w).sum() / 2\ny.backward()")
    made.submit("n = 3")
    assert answers(capsys, made, ":vars", ":vars n") == [
        "name  shape           dtype    grad?  leaf?  |grad|  from\n"
        "w     (1, 2)          float64  yes    yes    5       In [1]:2\n"
        "y     ()              float64  yes    no             In [1]:3\n"
        "n     whole number 3                                 In [2]:1\n",
        "name  shape           dtype  grad?  leaf?  |grad|  from\n"
        "n     whole number 3                               In [2]:1\n",
    ]


def test_derivatives_leave_gradients_and_graphs_alone(capsys: Capture) -> None:
    made = shell()
    made.submit("leaf x = [1.0, 2.0]\nleaf w = 3.0\ny = (x ** 2).sum() * w")
    shown = answers(
        capsys,
        made,
        ":grad y",
        ":grad y wrt x",
        ":grad x * w wrt x, w seed [1, 10]",
        ":jac x * w wrt x",
        ":hess y wrt x",
        ":hess (3 * x).sum()",
        ":grad x * w seed [1, 10] wrt w",
        ":tree y",
    )
    assert shown[0] == "dy/dx = tensor([ 6., 12.])\ndy/dw = tensor(5.)\n"
    assert shown[1] == "dy/dx = tensor([ 6., 12.])\n"
    assert shown[2] == "vᵀ d/dx = tensor([ 3., 30.])\nvᵀ d/dw = tensor(21.)\n"
    assert shown[3] == "d/dx = tensor([[3., 0.],\n               [0., 3.]])\n"
    assert shown[4] == "d²y/dx² = tensor([[6., 0.],\n                  [0., 6.]])\n"
    assert shown[5].endswith("(the gradient of (3 * x).sum() is constant, so its second derivative is zero)\n")
    assert shown[6] == "vᵀ d/dw = tensor(21.)\n"
    assert "(x ** 2).sum()  In [1]:3\n" in shown[7] and "AccumulateGrad x (2,)" in shown[7]
    assert made.session.evaluate("x.grad") is None
    made.submit("y.backward()")
    assert made.session.evaluate("x.grad.tolist()") == [6.0, 12.0]


def test_check_compares_with_differences(capsys: Capture) -> None:
    made = shell()
    made.submit("def f(x, w):\n    return (x * w).sum()\ndef wrong(x):\n    return (x.detach() * x).sum()")
    made.submit("x = tensor([1.0, 2.0])\nw = tensor(3.0)\nn = [1]")
    shown = answers(
        capsys, made, ":check f", ":check f at x + 1, 2 * w", ":check sin(x).sum()", ":check wrong", ":check n"
    )
    assert shown[0] == "the gradients of f by x (2,), w () agree with central differences\n"
    assert shown[1] == "the gradients of f by x + 1 (2,), 2 * w () agree with central differences\n"
    assert shown[2] == "the gradients of sin(x).sum() by x (2,) agree with central differences\n"
    assert "error[gradient-wrong]" in shown[3] and "with respect to x is wrong at 2 of 2 entries" in shown[3]
    assert ":check takes a function or an expression of tensors, and n is list of 1 int values" in shown[4]
    assert made.session.evaluate("x.requires_grad") is False
    assert "the session has no `q`" in answers(capsys, made, "def g(q):\n    return q", ":check g")[1]


def test_why_finds_the_statement_that_cut_the_graph(capsys: Capture) -> None:
    made = shell()
    made.submit("leaf x = [1.0, 2.0]\nh = x * 2")
    made.submit("z = h.detach() + 1")
    made.submit("with no_grad():\n    q = x * 3")
    made.submit("i = tensor([1, 2])")
    shown = answers(capsys, made, ":why z", ":why q", ":why h", ":why x", ":why i", ":why made")
    assert "--> In [2]:1:5" in shown[0] and "detach() leaves the graph" in shown[0]
    assert "--> In [3]:2:9" in shown[1] and "computed under no_grad()" in shown[1]
    assert "h requires grad: it is a result, not a leaf" in shown[2] and "--> In [1]:2:5" in shown[2]
    assert "it reaches x" in shown[2] and "h.grad stays None unless retain_grad() is called first" in shown[2]
    assert "x is a leaf that requires grad" in shown[3] and "x.grad is None: no backward has reached it" in shown[3]
    assert "i does not require grad" in shown[4]
    assert "`made` is no name here" in shown[5]


def test_type_time_and_traceback(capsys: Capture) -> None:
    made = shell()
    made.submit("x = tensor([1.0])\ndef f(a):\n    b = a * 2\n    return b @ ones(3, 3)")
    shown = answers(capsys, made, ":type x * 2", ":type [x, x]", ":type f", ":time x += 1", "f(x)", ":tb")
    assert shown[0] == "tensor (1,) float64, no grad\n"
    assert shown[1] == "list of 2 tensors\n"
    assert shown[2] == "function f(a)\n"
    assert re.fullmatch(r"[\d.]+ (us|ns|ms) \(best of 5 x [\d,]+ runs, worst [\d.]+ (us|ns|ms)\)\n", shown[3])
    assert made.session.evaluate("x.item()") == 1.0
    assert "in f, called at In [2]:1:1: f(x)" in shown[4]
    assert "In [1]:4:12, in f\n  return b @ ones(3, 3)\n    a: tensor (1,) float64, no grad\n" in shown[5]


def test_settings_are_entries_that_undo_and_save_know(capsys: Capture) -> None:
    made = shell()
    made.submit(":set precision 8")
    made.submit(":set dtype float32")
    made.submit(":set grad off")
    made.submit(":set seed 7")
    made.submit("tensor(1 / 3)")
    made.submit(":set keys vi")
    shown = answers(capsys, made, ":set", ":undo 5", ":set")
    for words in ("precision  8 ", "dtype      float32", "grad       off", "seed       7 ", "keys       vi"):
        assert words in shown[0]
    assert "precision  4 " in shown[2] and "dtype      float64" in shown[2] and "grad       on" in shown[2]


def test_history_lists_entries_with_what_became_of_them(capsys: Capture) -> None:
    made = shell()
    for text in ("x = 1", "x = [1][5]", "for k in range(2):\n    x = k", "y = 2", ":undo"):
        made.submit(text)
    capsys.readouterr()
    assert answers(capsys, made, ":history", ":history 1") == [
        "In [1]: x = 1\nIn [2]: x = [1][5]  (failed)\nIn [3]: for k in range(2):\n   ...:     x = k\n"
        "In [4]: y = 2  (undone)\n",
        "In [4]: y = 2  (undone)\n",
    ]


def test_reset_begins_anew(capsys: Capture) -> None:
    made = shell()
    made.submit("x = 1\nx")
    assert answers(capsys, made, ":reset", ":vars", ":undo")[1] == "no names yet\n"
    assert "unknown-name" in answers(capsys, made, "_")[0]
    assert "there is nothing to save" in answers(capsys, made, ":save s")[0]


def test_quit_leaves_with_a_status() -> None:
    for line, status in ((":quit", 0), (":quit 3", 3), ("exit(4)", 4), ("quit", 0)):
        with pytest.raises(Leave) as left:
            shell().submit(line)
        assert left.value.status == status


def test_load_and_edit_fill_the_next_prompt(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.gx").write_text("x = 1\ny = x + 1\n")
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i s/1/5/ "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    made = shell()
    made.submit(":load s.gx")
    assert made.next_text == "x = 1\ny = x + 1"
    made.submit("z = 1")
    for line, text in ((":edit", "z = 5"), (":edit 1", "z = 5"), (":edit s.gx", "x = 5\ny = x + 5")):
        made.submit(line)
        assert made.next_text == text
    monkeypatch.setenv("VISUAL", "no-such-editor")
    assert "can't be started" in answers(capsys, made, ":edit")[0]
    monkeypatch.setenv("VISUAL", "false")
    assert "ended with status 1" in answers(capsys, made, ":edit")[0]


def test_a_script_that_is_run_twice_keeps_its_places_apart(capsys: Capture, tmp_path: Path) -> None:
    made = shell()
    (tmp_path / "s.gx").write_text("leaf x = [1.0]\ny = x * 2\n")
    made.submit(":run s.gx")
    (tmp_path / "s.gx").write_text("\n\n\ny = x * 3\n")
    made.submit(":run s.gx")
    (shown,) = answers(capsys, made, ":tree y")
    assert "x * 3  s.gx (In [2]):4" in shown


# -- scripts that replay -----------------------------------------------------------------------------------------------
def replay(made: Shell, capsys: Capture) -> str:
    """Save the session, check the script, and return it."""
    capsys.readouterr()
    made.submit(":save saved")
    assert "replay with: gradcli check saved.gx" in capsys.readouterr().out
    result = run_file("saved.gx", CheckSettings(manual_seed=99))
    assert not result.bad, [check.diagnostic for check in result.bad]
    text = Path("saved.gx").read_text(encoding="utf-8")
    assert len(result.checks) == len(re.findall(r"(?:^|(?<!\n)  )#>", re.sub(r"(\n *#>[^\n]*)+", "\n#>", text), re.M))
    return text


def test_a_session_replays(capsys: Capture) -> None:
    made = shell()
    for text in (
        "leaf x = [1.0, 2.0]",
        "x * 2",
        "broken(",
        "y = (x ** 2).sum(); y",
        "y.missing",
        "y.backward()",
        "x.grad",
        "wrong = 1",
        ":undo",
        ":set precision 6",
        "tensor(1 / 3)",
        "rand(2)",
        '"text"',
        "[x, 1]",
        "print('a', end=''); print('b')",
        "f = lambda a: a",
        "f",
        "x.grad_fn",
        "y.grad_fn",
    ):
        made.submit(text)
    assert replay(made, capsys) == (
        f"manual_seed({made._first_seed})\n"
        "leaf x = [1.0, 2.0]\n"
        "x * 2  #> tensor([2., 4.], grad_fn=<MulBackward0>)\n"
        "y = (x ** 2).sum(); y  #> tensor(5., grad_fn=<SumBackward0>)\n"
        "y.backward()\n"
        "x.grad  #> tensor([2., 4.])\n"
        "set_printoptions(precision=6)\n"
        "tensor(1 / 3)  #> tensor(0.333333)\n"
        f"rand(2)  #> {made.results.values[11]}\n"
        '"text"  #> text\n'
        "[x, 1]  #> [tensor([1., 2.], requires_grad=True), 1]\n"
        "print('a', end=''); print('b')  #> ab\n"
        "f = lambda a: a\n"
        "f\n"
        "x.grad_fn\n"
        "y.grad_fn\n"
    )


def test_printed_lines_stand_below_the_line_that_printed_them(capsys: Capture) -> None:
    made = shell()
    for text in (
        "x = eye(2)\nx",
        "for k in range(3):\n    print(k)\n    if k == 1:\n        print('one')",
        "def f(a):\n    print('in f', a)\n    return a * 2",
        "f(3)",
        "y = f(4)",
        "f(5);",
        "f(1)\nf(2)",
        "for k in range(2):\n    f(k)",
        "print('a\\n\\n  b')",
        "print(\n    1,\n)",
        "def g():\n    print('in g')\ng()",
        "g()",
    ):
        made.submit(text)
    assert replay(made, capsys) == (
        "x = eye(2)\n"
        "x\n"
        "#> tensor([[1., 0.],\n"
        "#>         [0., 1.]])\n"
        "for k in range(3):\n"
        "    print(k)\n"
        "    #> 0\n"
        "    #> 1\n"
        "    #> 2\n"
        "    if k == 1:\n"
        "        print('one')  #> one\n"
        "def f(a):\n"
        "    print('in f', a)\n"
        "    return a * 2\n"
        "f(3)\n"
        "#> in f 3\n"
        "#> 6\n"
        "y = f(4)  #> in f 4\n"
        "f(5);\n"
        "#> in f 5\n"
        "#> 10\n"
        "f(1)\n"
        "#> in f 1\n"
        "#> 2\n"
        "f(2)\n"
        "#> in f 2\n"
        "#> 4\n"
        "for k in range(2):\n"
        "    f(k)\n"
        "print('a\\n\\n  b')\n"
        "#> a\n"
        "#>\n"
        "#>   b\n"
        "print(\n"
        "    1,\n"
        ")  #> 1\n"
        "def g():\n"
        "    print('in g')\n"
        "g()  #> in g\n"
        "g()  #> in g\n"
    )


def test_results_that_are_used_get_names_in_the_script(capsys: Capture) -> None:
    made = shell()
    for text in (
        "1 + 1",
        "_ * 10",
        "40",
        "_ + __ + Out[1]",
        'f"{_} apples"',
        "_ = 3",
        "_ + 1",
        "x = [1,\n 2]; x",
    ):
        made.submit(text)
    assert replay(made, capsys) == (
        "Out = {}\n"
        "Out[1] = 1 + 1\n"
        "Out[1]  #> 2\n"
        "Out[2] = Out[1] * 10\n"
        "Out[2]  #> 20\n"
        "Out[3] = 40\n"
        "Out[3]  #> 40\n"
        "Out[4] = Out[3] + Out[2] + Out[1]\n"
        "Out[4]  #> 62\n"
        'f"{Out[4]} apples"  #> 62 apples\n'
        "_ = 3\n"
        "_ + 1  #> 4\n"
        "x = [1,\n"
        " 2]; x  #> [1, 2]\n"
    )


def test_own_expectations_are_kept_and_all_results_when_out_is_read_in_full(capsys: Capture) -> None:
    made = shell()
    for text in ("1.0 / 3  #> 0.333", "7", "len(Out)", "4\n#> 4", "x = 1  # one\nx  #> 1"):
        made.submit(text)
    assert replay(made, capsys) == (
        "Out = {}\n"
        "Out[1] = 1.0 / 3\n"
        "Out[1]  #> 0.333\n"
        "Out[2] = 7\n"
        "Out[2]  #> 7\n"
        "Out[3] = len(Out)\n"
        "Out[3]  #> 2\n"
        "Out[4] = 4\n"
        "Out[4]\n"
        "#> 4\n"
        "x = 1  # one\n"
        "Out[5] = x\n"
        "Out[5]  #> 1\n"
    )


def test_options_of_the_session_stand_at_the_head(capsys: Capture) -> None:
    from gradcli.cli.repl.shell import ShellOptions
    from gradcli.cli.terminal import Color

    with own_defaults("float32"):
        made = Shell(ShellOptions(Color.NEVER, True, dtype="float32"))
        made.submit("tensor(1.5).dtype")
        assert replay(made, capsys) == "set_default_dtype(float32)\ntensor(1.5).dtype  #> torch.float32\n"

"""Errors while a script runs: the expression, our words, the values."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gradcli.autograd import tensor

from .helpers import failure, marked

ROOT = Path(__file__).resolve().parent.parent.parent

# Before 3.13 Python gives no finer place for what a comprehension goes through.
COMPREHENSION = "3" if sys.version_info >= (3, 13) else "[i for i in 3]"

# text, code, marked source, part of the message
CASES = [
    ("x = 1 / 0", "division-by-zero", "1 / 0", "division by zero"),
    ("x = 1 // 0.0", "division-by-zero", "1 // 0.0", "division by zero"),
    ("x = 5\ny = (x + 1) % 0", "division-by-zero", "(x + 1) % 0", "division by zero"),
    ("x = None\ny = 1 + x[0]", "none-value", "x[0]", "None"),
    ("for i in None:\n    pass", "none-value", "None", "None"),
    ("x = None\nx()", "none-value", "x()", "None"),
    ("a, b = None", "none-value", "a, b", "None"),
    ("x = None\nx.item()", "none-value", "x.item", "None"),
    ("x = 3\nx[0]", "not-indexable", "x[0]", "a whole number can't be indexed"),
    ("x = 3\nx(1)", "not-a-function", "x(1)", "is not a function"),
    ("for i in 3:\n    pass", "not-iterable", "3", "looped over"),
    ("a, b = 3", "not-iterable", "a, b", "unpacked"),
    ("a, b = 1, 2, 3", "unpacking", "a, b", "more values"),
    ("a, b = [1]", "unpacking", "a, b", "but 1 value"),
    ("d = {'a': 1}\nd['b']", "missing-key", "d['b']", "no key 'b'"),
    ("x = [1]\nx[3]", "index-out-of-range", "x[3]", "beyond the ends"),
    ("x = (1,)\nx[0] = 2", "read-only", "x[0]", "can't be changed"),
    ("x = 'a' + 1", "wrong-operands", "'a' + 1", "can't join a text"),
    ("x = 1 + 'a'", "wrong-operands", "1 + 'a'", "can't combine"),
    ("x = 1 < 'a'", "wrong-operands", "1 < 'a'", "can't compare"),
    ("x = -'a'", "wrong-operands", "-'a'", "can't be applied to a text"),
    ("x = [1, 2] * 2", "list-arithmetic", "[1, 2] * 2", "not a tensor"),
    ("x = [1, 2] * 2.0", "list-arithmetic", "[1, 2] * 2.0", "list"),
    ("x = [1, 2] / 2", "wrong-operands", "[1, 2] / 2", "a list"),
    ("x = (-8) ^ (1 / 3)", "negative-base", "(-8) ^ (1 / 3)", "not a real number"),
    ("x = (-8.0) ** 0.5", "negative-base", "(-8.0) ** 0.5", "not a real number"),
    ("def f(a):\n    pass\nf()", "missing-argument", "f()", "argument `a`"),
    ("def f(a, b):\n    pass\nf()", "missing-argument", "f()", "`a` and `b`"),
    ("def f(a):\n    pass\nf(1, 2)", "too-many-arguments", "f(1, 2)", "takes 1"),
    ("def f(a):\n    pass\nf(1, c=2)", "unknown-argument", "f(1, c=2)", "no argument `c`"),
    ("def f(a):\n    pass\nf(1, a=2)", "repeated-argument", "f(1, a=2)", "`a` twice"),
    ("def f(x):\n    return f(x)\nf(1)", "endless-recursion", "f(x)", "recursion without end"),
    ("def f():\n    print(q)\n    q = 1\nf()", "no-value-yet", "q", "no value yet"),
    ("print(y)\ny = 1", "no-value-yet", "y", "no value yet"),
    ("x = 1\ndel x\nprint(x)", "no-value-yet", "x", "no value yet"),
    ("x = ones(2)\nx.keys()", "unknown-attribute", "x.keys", "a tensor has no `keys`"),
    ("x = 2\nx.shape", "unknown-attribute", "x.shape", "a whole number has no `shape`"),
    ("x = {[1]: 2}", "not-a-key", "{[1]: 2}", "can't be the key"),
    ("len(3)", "no-length", "len(3)", "no length"),
    ("1 in 2", "not-iterable", "1 in 2", "can't search"),
    ("float('abc')", "not-a-number", "float('abc')", "`abc` is not a number"),
    ("int('1.5')", "not-a-number", "int('1.5')", "whole number"),
    ("math.sqrt(-1)", "outside-domain", "math.sqrt(-1)", "no value for this number"),
    ("math.exp(1000)", "number-too-large", "math.exp(1000)", "too large"),
    ("2.0 ** 5000", "number-too-large", "2.0 ** 5000", "too large"),
    ("max([])", "empty", "max([])", "of nothing"),
    ("[].pop()", "empty", "[].pop()", "empty"),
    ("x = 1\nf'{x:q}'", "bad-format", "{x:q}", "means nothing"),
    ("with 3:\n    pass", "not-a-context", "3", "`with`"),
    ("print(10 ^ 5000)", "number-too-large", "print(10 ^ 5000)", "digits"),
    ("def f(*a):\n    pass\nf(*3)", "not-iterable", "f(*3)", "spread"),
    ("x = 'abc'['a']", "wrong-index", "'abc'['a']", "whole number"),
    ("x = [1]['a']", "wrong-index", "[1]['a']", "whole number"),
    ("range(1.5)", "wrong-argument", "range(1.5)", "a whole number is needed"),
    ("x = [i for i in 3]", "not-iterable", COMPREHENSION, "looped over"),
]


@pytest.mark.parametrize(("text", "code", "source", "words"), CASES, ids=[repr(case[0][-24:]) for case in CASES])
def test_place_and_words(text: str, code: str, source: str, words: str) -> None:
    found = failure(text)
    assert (found.kind, found.code) == ("runtime", code), found
    assert words in found.message, found
    assert marked(found) == source


@pytest.mark.parametrize("text", [case[0] for case in CASES])
def test_not_in_pythons_words(text: str) -> None:
    said = failure(text).message
    assert not re.search(
        r"object is not|NoneType|unsupported operand|positional argument|'\w+' object|subscriptable", said
    ), said


def test_the_help_for_a_list_is_what_to_write() -> None:
    assert failure("x = [1, 2] * 2").help == "write tensor([1, 2]) * 2"
    assert failure("x = [1, 2] / 2").help == "a list is not a tensor: write tensor([1, 2]) / 2"


def test_shapes_and_where_they_come_from() -> None:
    found = failure("w = ones(2, 3)\nx = ones(4, 5)\ny = tanh(w @ x)")
    assert marked(found) == "w @ x" and found.code == "shape-mismatch"
    assert found.notes[-1] == "w is (2, 3), from line 1; x is (4, 5), from line 2"


def test_parameters_come_from_no_line() -> None:
    found = failure("q = ones(4, 5)\ndef f(a):\n    b = a\n    return b @ q\nf(ones(2, 3))")
    assert found.notes[-1] == "b is (2, 3), from line 3; q is (4, 5), from line 1"
    assert failure("def f(a):\n    return a / 0\nf(1)").notes[-1] == "a is 1"


def test_a_call_stack_of_the_script() -> None:
    found = failure("def f(x):\n    return x / 0\ndef g(x):\n    return f(x) + 1\ny = 1 + g(3)\n")
    assert [(entry.name, entry.span.line, entry.source.slice(entry.span)) for entry in found.stack] == [
        ("g", 5, "g(3)"),
        ("f", 4, "f(x)"),
    ]
    assert marked(found) == "x / 0" and "x is 3" in found.notes[-1]


def test_an_error_of_backward_points_at_the_forward_expression() -> None:
    found = failure("leaf x = [1., 2.]\ny = exp(x)\nz = y.sum()\nz.backward()\nz.backward()\n")
    assert [(label.primary, label.source.slice(label.span)) for label in found.labels] == [
        (True, "exp(x)"),
        (False, "z.backward()"),
    ]


def test_the_hint_of_the_engine_is_shown() -> None:
    found = failure("leaf x = [1., 2.]\n(x * 2).backward()\n")
    assert found.code and found.help


def test_without_columns_the_line_is_shown() -> None:
    script = (
        "from gradcli.lang.session import Session\nfrom gradcli.lang.source import Source\n"
        "try:\n    Session().run(Source('x = 1\\n  \\ny = 2 + x / 0\\n'))\n"
        "except Exception as e:\n    print(tuple(e.diagnostic.primary.span))\n"
    )
    environment = {**os.environ, "PYTHONNODEBUGRANGES": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "(3, 1, 3, 14)", done.stderr


def test_names_are_found_before_anything_runs() -> None:
    for text, code, words in [
        ("prnt(1)", "unknown-name", "`print`"),
        ("x = 1\ny = lambda: undefined_thing", "unknown-name", None),
        ("torch.sinn(1)", "unknown-attribute", "`sin`"),
        ("import torch as t\nt.nn.functionall", "unknown-attribute", "`functional`"),
        ("x = ones(1)\nx.shpe", "unknown-attribute", "`shape`"),
        ("weights = 1\nweight", "unknown-name", "`weights`"),
        ("def f(value):\n    return valeu", "unknown-name", "`value`"),
        ("x = [i for j in [1]]", "unknown-name", None),
        ("true", "unknown-name", "`True`"),
        ("f'{nope}'", "unknown-name", None),
    ]:
        found = failure(f"print('ran')\n{text}\n")
        assert (found.kind, found.code) == ("syntax", code), found
        assert words is None or words in (found.help or ""), found


def test_a_name_of_a_comprehension_is_its_own() -> None:
    assert failure("x = [i for i in [1]]\nprint(i)").code == "unknown-name"


def test_control_c_is_not_swallowed() -> None:
    from gradcli.lang.session import Session
    from gradcli.lang.source import Source

    session = Session()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    session.builtins["print"] = stop
    with pytest.raises(KeyboardInterrupt):
        session.run(Source("check 'a':\n    print(1)\n"))


def test_a_value_given_from_outside_is_not_from_the_line_that_declares_it() -> None:
    text = "leaf b = [1., 2.]\ninput c = [1.]\n"
    given = {"b": tensor([1.0, 2.0, 3.0])}
    assert failure(text + "b @ ones(2)", overrides=given).notes == ["b is (3,), from --set"]
    assert failure(text + "b = b * 2\nb @ ones(2)", overrides=given).notes == ["b is (3,), from line 3"]
    assert failure(text + "c @ ones(2)", overrides=given).notes == ["c is (1,), from line 2"]

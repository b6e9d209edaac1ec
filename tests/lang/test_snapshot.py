"""A session put back to what it was: names, values, gradients, versions, graphs, random numbers, modes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest

from gradcli.lang.compiling import read_unit
from gradcli.lang.effects import may_change_values
from gradcli.lang.session import Session
from gradcli.lang.snapshot import Snapshot
from gradcli.lang.source import Source

START = """\
leaf x = [1.0, 2.0]
data = tensor([1.0, 2.0, 3.0])
view = data[1:]
y = (x ** 2).sum()
items = [data, {"k": [1, 2]}, (x,)]
names = set([1, 2])
def counter(start, kept=[]):
    count = start
    def step():
        nonlocal count
        count += 1
        kept.append(count)
        return count
    return step
step = counter(10)
optimizer = torch.optim.SGD([x], lr=0.1, momentum=0.9)
"""


class Undoable:
    """A session whose entries can be taken back."""

    def __init__(self) -> None:
        self.session = Session()
        self.run(START)
        self.session.evaluate("manual_seed(3)")

    def run(self, text: str) -> None:
        self.session.run(Source(text, f"In [{len(self.session.units)}]"))

    def value(self, text: str) -> object:
        return self.session.evaluate(text)

    def undone(self, text: str, forget: bool = True) -> None:
        """Run ``text`` and take it back."""
        before = Snapshot(self.session.state())
        self.run(text)
        if forget:
            before.forget_unchanged()
        before.restore()


@pytest.fixture
def made() -> Undoable:
    return Undoable()


CHANGES = {
    "a new name": ("q = 1", lambda m: "q" not in m.session.namespace),
    "another value": ("data = 1", lambda m: m.value("data").shape == (3,)),
    "a deleted name": ("del data", lambda m: m.value("data[2].item()") == 3.0),
    "an element": ("data[0] = 7", lambda m: m.value("data.tolist()") == [1.0, 2.0, 3.0]),
    "in place": ("data.mul_(5)", lambda m: m.value("items[0].tolist()") == [1.0, 2.0, 3.0]),
    "through a view": ("view += 9", lambda m: m.value("data.tolist()") == [1.0, 2.0, 3.0]),
    "through .data": ("x.data[0] = 9", lambda m: m.value("x.tolist()") == [1.0, 2.0]),
    "a version": ("data += 1", lambda m: m.value("data._version") == 0),
    "a gradient": ("y.backward()", lambda m: m.value("x.grad") is None),
    "requires_grad": ("data.requires_grad_()", lambda m: m.value("data.requires_grad") is False),
    "retain_grad": ("y.retain_grad()", lambda m: m.value("y.retains_grad") is False),
    "a hook": ("x.register_hook(lambda g: g * 100)", lambda m: gradient(m) == [2.0, 4.0]),
    "a list": ("items.append(1)", lambda m: m.value("len(items)") == 3),
    "a nested list": ('items[1]["k"].append(3)', lambda m: m.value('items[1]["k"]') == [1, 2]),
    "a set": ("names.add(3)", lambda m: m.value("len(names)") == 2),
    "a closure": ("step(); step()", lambda m: m.value("step()") == 11),
    "random numbers": ("a = rand(3)", lambda m: same_numbers(m)),
    "the seed": ("manual_seed(4)", lambda m: same_numbers(m)),
    "grad mode": ("set_grad_enabled(False)", lambda m: m.value("is_grad_enabled()") is True),
    "the default dtype": (
        "set_default_dtype(float32)",
        lambda m: str(m.value("get_default_dtype()")) == "torch.float64",
    ),
    "print options": ("set_printoptions(precision=8)", lambda m: str(m.value("tensor(1/3)")) == "tensor(0.3333)"),
    "a step": ("y.backward(); optimizer.step()", lambda m: m.value("x.tolist()") == [1.0, 2.0]),
}


def gradient(made: Undoable) -> object:
    made.run("y.backward()")
    return made.value("x.grad.tolist()")


def same_numbers(made: Undoable) -> bool:
    other = Undoable()
    expected = other.value("rand(3).tolist()")
    other.session.evaluate("manual_seed(3)")
    return made.value("rand(3).tolist()") == expected


@pytest.mark.parametrize("forget", [True, False])
@pytest.mark.parametrize(("text", "holds"), CHANGES.values(), ids=CHANGES)
def test_it_is_as_it_was(made: Undoable, text: str, holds: Callable[[Undoable], bool], forget: bool) -> None:
    made.undone(text, forget)
    assert holds(made)


def test_a_graph_that_backward_has_freed_can_be_used_again(made: Undoable) -> None:
    made.undone("y.backward()")
    assert gradient(made) == [2.0, 4.0]


def test_what_a_rule_of_the_scripts_own_has_saved_comes_back(made: Undoable) -> None:
    made.run(
        "class Cube(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, a):\n"
        "        ctx.save_for_backward(a)\n"
        "        return a ** 3\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        (a,) = ctx.saved_tensors\n"
        "        return g * 3 * a ** 2\n"
        "y = Cube.apply(x).sum()"
    )
    made.undone("y.backward()")
    assert gradient(made) == [3.0, 12.0]


def test_long_graphs_are_noted_quickly(made: Undoable) -> None:
    made.run("for k in range(20_000):\n    y = y + x.sum()")
    started = perf_counter()
    before = Snapshot(made.session.state())
    made.run("y.backward()")
    before.forget_unchanged()
    before.restore()
    assert perf_counter() - started < 2.0
    made.run("y.backward()")
    assert made.value("x.grad[0].item()") == 20_002.0


def test_momentum_goes_back_too(made: Undoable) -> None:
    made.run("y.backward(); optimizer.step()")
    made.undone("optimizer.step()")
    made.run("optimizer.step()")
    other = Undoable()
    other.run("y.backward(); optimizer.step(); optimizer.step()")
    assert made.value("x.tolist()") == other.value("x.tolist()")


def test_states_are_undone_one_after_the_other(made: Undoable) -> None:
    states = []
    for text in ("data += 1", "data = data * 2", "data[0] = -1"):
        states.append(Snapshot(made.session.state()))
        made.run(text)
        states[-1].forget_unchanged()
    values = []
    for state in reversed(states):
        state.restore()
        values.append(made.value("data.tolist()"))
    assert values == [[4.0, 6.0, 8.0], [2.0, 3.0, 4.0], [1.0, 2.0, 3.0]]


def test_what_is_kept_is_as_large_as_the_change(made: Undoable) -> None:
    made.run("large = zeros(1000, 1000)")
    before = Snapshot(made.session.state())
    made.run("small = data + 1")
    assert before.forget_unchanged() < 1000
    before = Snapshot(made.session.state())
    made.run("large[0, 0] = 1")
    assert before.forget_unchanged() == 8_000_000


def test_arrays_beyond_the_bound_are_said_to_be_left_out(made: Undoable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradcli.lang.snapshot.MAX_COPIED", 100)
    assert not Snapshot(made.session.state()).partial
    made.run("large = zeros(100)")
    assert Snapshot(made.session.state()).partial


def test_a_nan_is_no_change(made: Undoable) -> None:
    made.run("bad = tensor([nan, -0.0, inf])")
    before = Snapshot(made.session.state())
    assert before.forget_unchanged() == 0
    assert isinstance(made.value("bad"), object)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", False),
        ("z = torch.sum(x) * 2 + x[0]", False),
        ("for k in range(3):\n    print(k, x.sum())", False),
        ("leaf q = [1.0]", False),
        ("x.grad", False),
        ("def f(a):\n    return a * 2", False),
        ("rand(3)", False),
        ("data[0] = 1", True),
        ("data += 1", True),
        ("data.add_(1)", True),
        ("y.backward()", True),
        ("x.grad = None", True),
        ("torch.autograd.grad(y, x)", True),
        ("step()", True),
        ("items.append(1)", True),
        ("items.sort()", True),
        ("exp(data, out=data)", True),
        ("optimizer.step()", True),
        ("f = data.add_", True),
        ("[step][0]()", True),
        ("vmap(step)(x)", True),
        ("F.relu(data, inplace=True)", True),
    ],
)
def test_what_may_write_is_known_before(made: Undoable, text: str, expected: bool) -> None:
    assert may_change_values(read_unit(Source(text, "t")), made.session.namespace) is expected


def test_a_shallow_state_is_enough_where_nothing_is_written(made: Undoable) -> None:
    numbers = made.value("rand(2).tolist()")
    made.session.evaluate("manual_seed(3)")
    before = Snapshot(made.session.state(), deep=False)
    made.run("data = rand(2)\nq = 1")
    before.restore()
    assert made.value("rand(2).tolist()") == numbers
    assert np.array_equal(made.value("data").numpy(), [1.0, 2.0, 3.0])  # type: ignore[attr-defined]

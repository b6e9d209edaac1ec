"""Random programs of tensor operations, and what running one shows: the same text runs on gradcli and on PyTorch.

A program is a list of Python statements over the names ``x0``, ``x1`` (leaves), ``c`` (a constant) and ``v0``, ``v1``,
... Views, in-place writes, detached values and no_grad blocks are mixed in; a statement may be an error, which is then
part of what is compared.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

Shape = tuple[int, ...]
Choose = Callable[[int], int]  # a number below the one given

HEAD = [
    "x0 = torch.tensor([0.5, -1.5, 2.0], requires_grad=True)",
    "x1 = torch.tensor([[1.0, -0.5, 0.25], [2.0, 1.5, -2.5]], requires_grad=True)",
    "c = torch.tensor([0.75, -0.25, 1.25])",
]
UNARY = ["tanh", "sin", "cos", "sigmoid", "abs", "relu", "square", "neg", "exp"]
INPLACE = ["sin_()", "mul_(2.0)", "add_(1.0)", "tanh_()", "neg_()", "zero_()", "clamp_(-1.0, 1.0)", "relu_()",
           "sub_(0.5)",
           "pow_(2)", "fill_(0.5)", "div_(2.0)", "exp_()"]  # fmt: skip


class Writer:
    """Writes one program, asking ``choose`` for every decision; knows the shape of each name."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.lines = list(HEAD)
        self.shapes: dict[str, Shape] = {"x0": (3,), "x1": (2, 3), "c": (3,)}
        self.roots = {name: name for name in self.shapes}
        self.constant = {"c": True}  # names that share memory with a tensor that began as a constant, in order
        self.expanded: set[str] = set()
        self.made = 0

    def one(self, options: list[Any]) -> Any:
        return options[self.choose(len(options))]

    def value(self) -> str:
        return str(self.one(list(self.shapes)))

    def fresh(self, shape: Shape, of: str | None = None) -> str:
        """Return a new name; ``of`` is the tensor whose memory it shares."""
        name = f"v{self.made}"
        self.made += 1
        self.shapes[name] = shape
        self.roots[name] = name if of is None else self.roots[of]
        if of is not None and of in self.constant:
            self.constant[name] = True
        if of is not None and of in self.expanded:
            self.expanded.add(name)
        return name

    def result(self, shape: Shape, *operands: str) -> str:
        """Return a new name for a result; it may be a constant where every operand may be one."""
        name = self.fresh(shape)
        if all(operand in self.constant for operand in operands):
            self.constant[name] = True
        return name

    def target(self) -> str:
        """Return a name to write to: seldom a leaf that requires grad or a view of one, which is always an error.

        Left out is what PyTorch and we treat differently: views of constants (PyTorch refuses to write them once a
        recorded value was written into their base) and expanded tensors (PyTorch lets some writes of constants pass).
        """
        if self.choose(12) == 0:
            return str(self.one(["x0", "x1"]))
        roots = {"x0", "x1", *self.constant}
        barred = {*self.constant, *self.expanded}
        views = [name for name in self.shapes if self.roots[name] not in roots and name not in barred]
        whole = [name for name in self.constant if self.roots[name] == name]
        return str(self.one([*views, *whole]))

    def apart(self, a: str, names: list[str]) -> list[str]:
        """Return the names that share no memory with ``a``: PyTorch refuses some overlaps, we compute them."""
        return [name for name in names if self.roots[name] != self.roots[a]]

    def write(self, count: int) -> list[str]:
        """Return the program with ``count`` operations and the backward pass."""
        kinds = [self.unary, self.binary, self.view, self.view, self.inplace, self.inplace, self.assign, self.aside]
        for _ in range(count):
            self.one(kinds)()
        total = " + ".join(f"{name}.sum()" for name in self.shapes)
        return [*self.lines, f"out = {total}", "out.backward()"]

    def unary(self) -> None:
        a = self.value()
        name = self.result(self.shapes[a], a)
        self.lines.append(f"{name} = {a}.{self.one(UNARY)}()")

    def pair(self) -> tuple[str, str, Shape]:
        """Return two names whose shapes broadcast, and the result's shape."""
        a = self.value()
        fitting = [b for b in self.shapes if broadcast(self.shapes[a], self.shapes[b]) is not None]
        b = str(self.one(fitting))
        shape = broadcast(self.shapes[a], self.shapes[b])
        assert shape is not None
        return a, b, shape

    def binary(self) -> None:
        a, b, shape = self.pair()
        form = self.one(["{} + {}", "{} - {}", "{} * {}", "torch.maximum({}, {})", "{} * {} + 1"])
        self.lines.append(f"{self.result(shape, a, b)} = {form.format(a, b)}")

    def view(self) -> None:
        """Add a view of one output (reading one of several is refused by PyTorch after any write to its base)."""
        a = self.value()
        shape = self.shapes[a]
        flat = (size(shape),)
        forms: list[tuple[str, Shape]] = [
            ("{}.unsqueeze(0)", (1, *shape)), ("{}.reshape(-1)", flat), ("{}.view(-1)", flat),
            ("{0}.expand(2, *{0}.shape)", (2, *shape)),
        ]  # fmt: skip
        if shape and shape[0] > 1:
            forms += [("{}[0]", shape[1:]), ("{}[1:]", (shape[0] - 1, *shape[1:])), ("{}[-1]", shape[1:]),
                      ("{}.narrow(0, 0, 1)", (1, *shape[1:]))]  # fmt: skip
        if len(shape) >= 2:
            forms += [("{}.transpose(0, 1)", (shape[1], shape[0], *shape[2:])), ("{}[:, 0]", (shape[0], *shape[2:]))]
        if len(shape) == 2:
            forms += [("{}.t()", shape[::-1]), ("{}.diagonal()", (min(shape),))]
        forms = [(form, made) for form, made in forms if len(made) <= 3]
        form, made = self.one(forms)
        if "expand" in form:
            self.expanded.add(f"v{self.made}")
        self.lines.append(f"{self.fresh(made, a)} = {form.format(a)}")

    def inplace(self) -> None:
        a = self.target()
        fitting = [b for b in self.shapes if broadcast(self.shapes[a], self.shapes[b]) == self.shapes[a]]
        others = self.apart(a, fitting)
        if not others or self.choose(3):
            self.lines.append(f"{a}.{self.one(INPLACE)}")
        else:
            form = self.one(["{}.add_({})", "{}.mul_({})", "{}.copy_({})", "{} += {}", "{} -= {}"])
            self.lines.append(form.format(a, self.one(others)))

    def assign(self) -> None:
        a = self.target()
        shape = self.shapes[a]
        if not shape:
            self.lines.append(f"{a}.mul_(1.5)")
            return
        place = self.one(["[0]", "[-1]", "[0:1]", "[:]"])
        inner = shape[1:] if place in ("[0]", "[-1]") else (1, *shape[1:]) if place == "[0:1]" else shape
        fitting = [b for b in self.shapes if broadcast(inner, self.shapes[b]) == inner]
        self.lines.append(f"{a}{place} = {self.one([*self.apart(a, fitting), '0.25', '2.0'])}")

    def aside(self) -> None:
        """Detach a value, or do something under no_grad."""
        a = self.value()
        shape = self.shapes[a]
        kind = self.choose(4)
        if kind == 0:
            name = self.fresh(shape, a)
            self.constant[name] = True
            self.lines.append(f"{name} = {a}.detach()")
        elif kind == 1:
            name = self.fresh(shape)
            self.constant[name] = True
            self.lines.append(f"with torch.no_grad(): {name} = {a} * 2")
        elif kind == 2:
            self.lines.append(f"with torch.no_grad(): {self.target()}.{self.one(INPLACE)}")
        else:
            self.lines.append(f"{self.result(shape, a)} = {a}.clone()")


def size(shape: Shape) -> int:
    total = 1
    for n in shape:
        total *= n
    return total


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """Return the shape two shapes broadcast to, or None."""
    made = []
    for k in range(1, max(len(a), len(b)) + 1):
        m, n = (a[-k] if k <= len(a) else 1), (b[-k] if k <= len(b) else 1)
        if m != n and 1 not in (m, n):
            return None
        made.append(n if m == 1 else m)
    return tuple(reversed(made))


def gradient(leaf: Any) -> list[float] | None:
    """Return the accumulated gradient of a leaf as numbers."""
    return None if leaf.grad is None else list(leaf.grad.reshape(-1).tolist())


def node_name(tensor: Any) -> str | None:
    """Return the name of a tensor's node, or the class of the error that asking for it is."""
    try:
        return None if tensor.grad_fn is None else str(tensor.grad_fn.name())
    except RuntimeError:
        return "RuntimeError"


def run(torch: Any, lines: list[str]) -> dict[str, Any]:
    """Run a program on ``torch`` (either engine) and return what is to be compared."""
    names: dict[str, Any] = {"torch": torch}
    failed: Any = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, line in enumerate(lines):
            try:
                exec(line, names)
            except Exception as exception:
                failed = [number, type(exception).__name__]
                break
        tensors = {n: v for n, v in names.items() if n not in ("torch", "__builtins__") and hasattr(v, "requires_grad")}
        return {
            "failed": failed,
            "values": {n: v.detach().reshape(-1).tolist() for n, v in tensors.items()},
            "versions": {n: v._version for n, v in tensors.items()},
            "recorded": {n: bool(v.requires_grad) for n, v in tensors.items()},
            "nodes": {n: node_name(v) for n, v in tensors.items()},
            "gradients": None if failed else {n: gradient(names[n]) for n in ("x0", "x1")},
        }

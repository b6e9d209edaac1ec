"""One operation on a 3-vector, forward and backward: from Python, in a script, and a chain of each against PyTorch."""

from __future__ import annotations

import sys

from common import Peer, compare, has_torch, options, report, take_turns

COUNT = 10_000
SETUP = """
x = torch.tensor([0.5, -1.25, 2.0], requires_grad=True, dtype=torch.float64)
y = torch.tensor([1.0001, 0.9999, -1.0], requires_grad=True, dtype=torch.float64)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True, dtype=torch.float64)
mask = torch.tensor([True, False, True])
"""
ONE = {  # what is asked of the engine itself
    "x * 1.0001": "x * 1.0001",
    "x * y": "x * y",
    "x + y": "x + y",
    "sin": "torch.sin(x)",
    "sum": "x.sum()",
    "x[0]": "x[0]",
    "reshape": "x.reshape(3, 1)",
}
GENERAL = {  # what takes the general way
    "mean": "x.mean()",
    "sum(0)": "x.sum(0)",
    "x[0:2]": "x[0:2]",
    "m @ m": "m @ m",
    "cat": "torch.cat([x, y])",
    "where": "torch.where(mask, x, y)",
}
CHAINS = {"x * 1.0001": "z * 1.0001", "x * y": "z * y", "x + y": "z + y", "sin": "torch.sin(z)"}
SCRIPT = """
from gradcli.lang.events import Events
from gradcli.lang.session import Session
from gradcli.lang.source import Source
import gc; gc.set_threshold(50_000, 20, 20)
source = Source({script!r}, "tiny.gx")
"""


def single(expression: str) -> str:
    """Return the text of many single operations, each with its own backward pass."""
    return f"""
z = {expression}
seed = torch.ones(z.shape, dtype=torch.float64)
for k in range({COUNT}):
    x.grad = y.grad = m.grad = None  # else PyTorch adds to the seed's own memory after a view
    z = {expression}
    z.backward(seed)
"""


def chain(expression: str) -> str:
    """Return the text of a chain of operations with one backward pass."""
    return f"""
x.grad = y.grad = m.grad = None
z = x
for k in range({COUNT}):
    z = {expression}
z.sum().backward()
"""


def function(text: str) -> str:
    """Return ``text`` as the body of a function, so that its names are local."""
    return "def work():\n" + "".join(f"    {line}\n" for line in text.strip().splitlines())


def race(title: str, text: str, chosen: object, torch: bool) -> None:
    """Let one text run as a script, from Python and in PyTorch."""
    print(title)
    script = Peer(sys.executable, SCRIPT.format(script=SETUP + text), "Session(Events()).run(source)")
    python = Peer(sys.executable, f"import gradcli as torch\n{SETUP}{function(text)}", "work()")
    runs = {"gradcli": python, "gradcli script": script}
    if torch:
        setup = f"import torch; torch.set_num_threads(1)\n{SETUP}{function(text)}"
        runs["PyTorch"] = Peer(chosen.python, setup, "work()")  # type: ignore[attr-defined]
        compare({"gradcli": python, "PyTorch": runs["PyTorch"]}, "[g for t in (x, y, m) if t.grad is not None "
                "for g in t.grad.reshape(-1).tolist()]")
    times = take_turns(dict(runs), chosen.repeats)  # type: ignore[attr-defined]
    report(times, wanted={"PyTorch": 0.4})
    if torch:
        report({"gradcli script": times["gradcli script"], "PyTorch": times["PyTorch"]}, wanted={"PyTorch": 0.4})


def main() -> None:
    chosen = options(__doc__ or "")
    torch = has_torch(chosen.python)
    for name, expression in {**ONE, **GENERAL}.items():
        race(f"{COUNT} times {name}, each with its backward", single(expression), chosen, torch)
    for name, expression in CHAINS.items():
        race(f"a chain of {COUNT} {name}", chain(expression), chosen, torch)


if __name__ == "__main__":
    main()

"""A loop of 10,000 ``y = y * 1.0001`` on a 3-vector with its backward pass, as a script and against PyTorch."""

from __future__ import annotations

import sys

from common import Peer, has_torch, options, report, take_turns

SCRIPT = """
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, dtype=torch.float64)
y = x
for i in range(10000):
    y = y * 1.0001
y.sum().backward()
"""
PYTHON = f"def work():\n{''.join(f'    {line}' for line in SCRIPT.strip().splitlines(True))}\n    return x.grad\n"
GX = """
from gradcli.lang.events import Events
from gradcli.lang.session import Session
from gradcli.lang.source import Source
import gc; gc.set_threshold(50_000, 20, 20)
source = Source({script!r}, "loop.gx")
"""


def main() -> None:
    chosen = options(__doc__ or "")
    print(" ".join((__doc__ or "").split()))
    here = sys.executable
    runs = {
        "gradcli script": Peer(here, GX.format(script=SCRIPT), "Session(Events()).run(source)"),
        "gradcli from Python": Peer(here, f"import gradcli as torch\n{PYTHON}", "work()"),
    }
    if has_torch(chosen.python):
        runs["PyTorch"] = Peer(chosen.python, f"import torch; torch.set_num_threads(1)\n{PYTHON}", "work()")
    report(take_turns(dict(runs), chosen.repeats), wanted={"PyTorch": 1.0})


if __name__ == "__main__":
    main()

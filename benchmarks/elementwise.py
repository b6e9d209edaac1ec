"""A chain of elementwise functions (tanh, exp, sin, sqrt), value and gradient, small to large, against PyTorch.

What NumPy takes for the same derivative written by hand, with its buffers reused, is shown as well: no engine on NumPy
can do better, and how far its sine is from that of PyTorch depends on the machine.
"""

from __future__ import annotations

import sys

from common import Peer, compare, options, report, take_turns, torch_peers

SIZES = ((1_000, "float32", 500, 0.35), (100_000, "float64", 20, 1.0), (10_000_000, "float64", 1, 0.4))
SETUP = """
x = ((torch.arange({n}, dtype=torch.float64) % 1000) / 500 - 1).to(torch.{dtype}).requires_grad_(True)
"""
BODY = """
for _ in range({times}):
    x.grad = None
    y = torch.sqrt(torch.sin(torch.exp(torch.tanh(x))) + 1.5).sum()
    y.backward()
"""
BY_HAND = """
import numpy as np
x = ((np.arange({n}, dtype=np.float64) % 1000) / 500 - 1).astype(np.{dtype})
def work():
    t = np.tanh(x)
    e = np.exp(t)
    q = np.sqrt(np.sin(e) + 1.5)
    total = np.add.reduce(q)
    g = np.divide(0.5, q)
    g *= np.cos(e)
    g *= e
    g *= np.subtract(1, np.multiply(t, t, out=t), out=t)
    return total, g
"""


def main() -> None:
    chosen = options((__doc__ or "").splitlines()[0])
    for n, dtype, times, wanted in SIZES:
        print(f"sum(sqrt(sin(exp(tanh(x))) + 1.5)), {n:,} elements of {dtype}, {times} times")
        peers = torch_peers(chosen.python, SETUP.format(n=n, dtype=dtype), BODY.format(times=times))
        compare(peers, "[y.item(), *x.grad[:1000].tolist()]", 1e-9 if dtype == "float64" else 1e-5)
        by_hand = Peer(sys.executable, BY_HAND.format(n=n, dtype=dtype), f"for _ in range({times}): work()")
        report(take_turns({**peers, "NumPy by hand": by_hand}, chosen.repeats), wanted={"PyTorch": wanted})


if __name__ == "__main__":
    main()

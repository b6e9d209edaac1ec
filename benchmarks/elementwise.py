"""A chain of elementwise functions (tanh, exp, sin, sqrt), value and gradient, small to large, against PyTorch."""

from __future__ import annotations

from common import compare, options, report, take_turns, torch_peers

SIZES = ((1_000, "float32", 20, 0.35), (100_000, "float64", 5, 1.0), (10_000_000, "float64", 1, 0.4))
SETUP = """
x = ((torch.arange({n}, dtype=torch.float64) % 1000) / 500 - 1).to(torch.{dtype}).requires_grad_(True)
"""
BODY = """
for _ in range({times}):
    x.grad = None
    y = torch.sqrt(torch.sin(torch.exp(torch.tanh(x))) + 1.5).sum()
    y.backward()
"""


def main() -> None:
    chosen = options(__doc__ or "")
    for n, dtype, times, wanted in SIZES:
        print(f"sum(sqrt(sin(exp(tanh(x))) + 1.5)), {n:,} elements of {dtype}, {times} times")
        peers = torch_peers(chosen.python, SETUP.format(n=n, dtype=dtype), BODY.format(times=times))
        compare(peers, "[y.item(), *x.grad[:1000].tolist()]", 1e-9 if dtype == "float64" else 1e-5)
        report(take_turns(dict(peers), chosen.repeats), wanted={"PyTorch": wanted})


if __name__ == "__main__":
    main()

"""A chain of tiny operations: time of recording, of the backward pass, of freeing, and peak memory a node."""

from __future__ import annotations

import argparse
import subprocess
import sys

from common import has_torch, options

MEASURE = """
import gc, resource, sys, time
{imports}
gc.set_threshold(50_000, 20, 20)
n = {n}
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, dtype=torch.float64)
y = x * 1.0
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
a = time.perf_counter()
for _ in range(n):
    y = y * 1.000001
b = time.perf_counter()
y.sum().backward()
c = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
del y
d = time.perf_counter()
kilo = 1 if sys.platform == "darwin" else 1024
print((b - a) / n * 1e6, (c - b) / n * 1e6, (d - c) / n * 1e6, (peak - before) * kilo / n)
"""


def measure(python: str, imports: str, n: int) -> list[float]:
    """Return microseconds an operation for recording, backward and freeing, and the peak bytes a node."""
    words = [python, "-c", MEASURE.format(imports=imports, n=n)]
    return [float(part) for part in subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()]


def show(name: str, runs: list[list[float]]) -> list[float]:
    """Print the medians of all runs and return them."""
    middle = [sorted(column)[len(column) // 2] for column in zip(*runs, strict=True)]
    record, backward, free, peak = middle
    print(f"  {name:10} record {record:.2f}, backward {backward:.2f}, free {free:.2f} us/op; peak {peak:.0f} bytes")
    return middle


def main() -> None:
    chosen: argparse.Namespace = options(__doc__ or "", repeats=7)
    n = 1_000_000
    print(f"a chain of {n:,} multiplications of a 3-vector by a number")
    torch_too = has_torch(chosen.python)
    ours, theirs = [], []
    for _ in range(max(chosen.repeats, 7)):
        ours.append(measure(sys.executable, "import gradcli as torch", n))
        if torch_too:
            theirs.append(measure(chosen.python, "import torch; torch.set_num_threads(1)", n))
    mine = show("gradcli", ours)
    print(f"  bytes a node: {mine[3]:.0f}, wanted at most 400")
    if theirs:
        other = show("PyTorch", theirs)
        print(f"  ratio of time (record + backward + free): {sum(mine[:3]) / sum(other[:3]):.2f}, wanted at most 0.35")
        print(f"  ratio of peak memory: {mine[3] / other[3]:.2f}")


if __name__ == "__main__":
    main()

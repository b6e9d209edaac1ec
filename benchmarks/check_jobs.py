"""How much sooner `gradcli check -j 2` is done than `-j 1`: 40 scripts that each train a small network.

    python benchmarks/check_jobs.py [--scripts 40] [--repeats 7] [--steps 600]

Both take turns. Printed are the ratio of the medians and that of the fastest runs: a busy neighbour takes one of two
processors away from `-j 2` and nothing from `-j 1`, so the fastest runs are those to judge by.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WANTED = 1.6
ROOT = Path(__file__).resolve().parent.parent
SCRIPT = """\
manual_seed({seed})
x = randn(200, 8)
target = (x[:, :1] * x[:, 1:2]).tanh()
leaf w1 = randn(8, 32) * 0.3
leaf w2 = randn(32, 1) * 0.3
first = None
for step in range({steps}):
    loss = ((tanh(x @ w1) @ w2 - target) ^ 2).mean()
    if first is None:
        first = loss.item()
    loss.backward()
    with no_grad():
        w1 -= 0.1 * w1.grad
        w2 -= 0.1 * w2.grad
    w1.grad = None
    w2.grad = None

check "the loss falls":
    assert loss.item() < first
check "the gradient of the loss is right":
    assert torch.autograd.gradcheck(lambda w: ((tanh(x[:20] @ w1) @ w - target[:20]) ^ 2).mean(), (w2,))
"""


def processor_seconds() -> float:
    """Return the processor time that child processes have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(folder: str, jobs: int) -> tuple[float, float]:
    """Return how long one run takes, and how much processor time it needs."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started, used = time.perf_counter(), processor_seconds()
    words = [sys.executable, "-m", "gradcli", "check", "-j", str(jobs), folder]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return time.perf_counter() - started, processor_seconds() - used


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scripts", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.scripts):
            text = SCRIPT.format(seed=number, steps=options.steps)
            (Path(folder) / f"net{number:02}.gx").write_text(text)
        seconds(folder, 1)
        times: dict[int, list[float]] = {1: [], 2: []}
        work: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(options.repeats):
            for jobs in times:
                taken, used = seconds(folder, jobs)
                times[jobs].append(taken)
                work[jobs].append(used)
    for jobs, all_taken in times.items():
        spread = f"{min(all_taken):.2f} to {max(all_taken):.2f}"
        print(
            f"-j {jobs}: median {statistics.median(all_taken):.2f} s, {spread}; of a processor {min(work[jobs]):.2f} s"
        )
    ratio = min(times[1]) / min(times[2])
    middle = statistics.median(times[1]) / statistics.median(times[2])
    print(f"-j 2 is {ratio:.2f} times as fast as -j 1 (wanted: {WANTED}); by the medians {middle:.2f}")
    return 0 if ratio >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())

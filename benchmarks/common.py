"""What the benchmarks share: peers that take turns, medians, and ratios that are printed."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def options(description: str, repeats: int = 9) -> argparse.Namespace:
    """Return the options of every benchmark: how often, and which Python has PyTorch."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--repeats", type=int, default=repeats, help=f"timed runs of each, at least 7 [{repeats}]")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has PyTorch [this one]")
    return parser.parse_args()


def has_torch(python: str) -> bool:
    """Return whether ``python`` can import PyTorch; say so when it can't."""
    found = subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode == 0
    if not found:
        print(f"PyTorch can't be imported by {python}: left out (--python names another interpreter)")
    return found


def whole_process(words: Sequence[str]) -> Callable[[], float]:
    """Return a function that runs a command once and gives the seconds it took."""

    def once() -> float:
        started = time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - started

    return once


class Peer:
    """A worker process that runs one piece of Python, given as text, each time it is asked to.

    ``setup`` runs once; ``body`` is timed. Both peers live through the whole benchmark, so they can take turns. What
    they computed is read with ``answer``, to be compared.
    """

    LOOP = """
import json, sys, time
exec({setup!r})
body = compile({body!r}, "body", "exec")
exec(body)
for line in sys.stdin:
    if line.strip():
        print(json.dumps(eval(line)), flush=True)
        continue
    started = time.perf_counter()
    exec(body)
    print(time.perf_counter() - started, flush=True)
"""

    def __init__(self, python: str, setup: str, body: str) -> None:
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        self._process = subprocess.Popen(
            [python, "-c", self.LOOP.format(setup=setup, body=body)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
            env={**os.environ, **ONE_THREAD},
        )

    def __call__(self) -> float:
        """Run the body once more and return its seconds."""
        return float(self._ask(""))

    def answer(self, expression: str) -> list[float]:
        """Return the numbers that ``expression`` (a list of them) has in the worker now."""
        return [float(number) for number in json.loads(self._ask(expression))]

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


def torch_peers(python: str, setup: str, body: str) -> dict[str, Peer]:
    """Return the peers that run one text with gradcli and, where ``python`` has it, with PyTorch on one thread."""
    peers = {"gradcli": Peer(sys.executable, f"import gradcli as torch\n{setup}", body)}
    if has_torch(python):
        peers["PyTorch"] = Peer(python, f"import torch; torch.set_num_threads(1)\n{setup}", body)
    return peers


def compare(peers: dict[str, Peer], expression: str, relative: float = 1e-9) -> None:
    """Raise ValueError unless all peers have the same numbers, to ``relative`` of the largest of them."""
    first, *others = [peer.answer(expression) for peer in peers.values()]
    size = max(map(abs, first), default=0.0)
    for other in others:
        gaps = [abs(a - b) for a, b in zip(first, other, strict=True)]
        if not all(gap <= relative * size for gap in gaps):
            raise ValueError(f"the results differ by {max(gaps)} of {size}: {expression}")


def take_turns(runs: dict[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """Return the seconds of each run, after one warm-up of all, the runs alternating."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(max(repeats, 7) + 1):
        for name, once in runs.items():
            seconds = once()
            if turn:
                times[name].append(seconds)
    return times


def report(times: dict[str, list[float]], wanted: dict[str, float] | None = None) -> None:
    """Print the median and spread of each run, and the ratio of the first to each other one."""
    for name, seconds in times.items():
        low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
        print(f"  {name:24} median {middle * 1e3:9.2f} ms   ({low * 1e3:.2f} to {high * 1e3:.2f})")
    first, *others = times
    for other in others:
        ratio = statistics.median(a / b for a, b in zip(times[first], times[other], strict=True))
        aim = f", wanted at most {wanted[other]:g}" if wanted and other in wanted else ""
        print(f"  ratio {first} / {other}: {ratio:.2f}{aim}")

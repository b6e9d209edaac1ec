"""The Jacobian of tanh(W x), 200 to 200, and the Hessian of a Rosenbrock function of 500 variables."""

from __future__ import annotations

import statistics
import sys

from common import Peer, compare, has_torch, options, report, take_turns

SETUP = """
from {package} import func
from {package}.autograd import functional
W = torch.sin(torch.arange(40000, dtype=torch.float64) * 12.9898).reshape(200, 200) / 10
x = torch.sin(torch.arange(200, dtype=torch.float64))
y = torch.sin(torch.arange(500, dtype=torch.float64) * 1.7) + 1
def layer(x):
    return torch.tanh(W @ x)
def rosenbrock(y):
    return (100.0 * (y[1:] - y[:-1] ** 2) ** 2 + (1 - y[:-1]) ** 2).sum()
"""
OURS = "import gradcli as torch\n" + SETUP.format(package="gradcli")
THEIRS = "import torch; torch.set_num_threads(1)\n" + SETUP.format(package="torch")
WAYS = {
    "Jacobian of tanh(W x), 10 times": {
        "func.jacrev": "for _ in range(10): r = func.jacrev(layer)(x)",
        "func.jacfwd": "for _ in range(10): r = func.jacfwd(layer)(x)",
        "functional.jacobian": "for _ in range(10): r = functional.jacobian(layer, x, vectorize=True)",
    },
    "Hessian of Rosenbrock": {
        "func.hessian": "r = func.hessian(rosenbrock)(y)",
        "func.jacrev twice": "r = func.jacrev(func.jacrev(rosenbrock))(y)",
        "functional.hessian": "r = functional.hessian(rosenbrock, y, vectorize=True)",
    },
}
WANTED = 0.6


def measure(title: str, ways: dict[str, str], python: str, torch_too: bool, repeats: int) -> None:
    """Time all ways of both, in turns, and print them with the ratio of our first one to PyTorch's best."""
    peers = {f"gradcli {way}": Peer(sys.executable, OURS, body) for way, body in ways.items()}
    if torch_too:
        peers.update({f"PyTorch {way}": Peer(python, THEIRS, body) for way, body in ways.items()})
    compare(peers, "r.reshape(-1).tolist()")
    times = take_turns(dict(peers), repeats)
    print(title)
    report(times)
    theirs = {name: seconds for name, seconds in times.items() if name.startswith("PyTorch")}
    if theirs:
        best = min(theirs, key=lambda name: statistics.median(theirs[name]))
        first = next(iter(times))
        ratio = statistics.median(a / b for a, b in zip(times[first], times[best], strict=True))
        print(f"  {first} / {best}, the best of PyTorch: {ratio:.2f}, wanted at most {WANTED}")


def main() -> None:
    chosen = options(__doc__ or "")
    torch_too = has_torch(chosen.python)
    for title, ways in WAYS.items():
        measure(title, ways, chosen.python, torch_too, chosen.repeats)


if __name__ == "__main__":
    main()

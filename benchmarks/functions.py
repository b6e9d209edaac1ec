"""Functions that NumPy does not have (erf, gelu) and those of rows (log_softmax, layer_norm), against PyTorch."""

from __future__ import annotations

from common import compare, options, report, take_turns, torch_peers

SETUP = """
F = torch.nn.functional
x = torch.sin(torch.arange(100_000, dtype=torch.float64) * 12.9898) * 4
x = x.reshape({shape}).to(torch.{dtype}).requires_grad_(True)
w = torch.cos(torch.arange(100_000, dtype=torch.float64)).reshape({shape}).to(torch.{dtype})
"""
BODY = """
for _ in range(5):
    x.grad = None
    y = {expression}
    y.backward(w)
"""
CASES = {
    "erf": ((100_000,), "torch.erf(x)"),
    "gelu": ((100_000,), "F.gelu(x)"),
    "log_softmax": ((1000, 100), "F.log_softmax(x, 1)"),
    "softmax": ((1000, 100), "F.softmax(x, 1)"),
    "layer_norm": ((1000, 100), "F.layer_norm(x, (100,))"),
}


def main() -> None:
    chosen = options(__doc__ or "")
    for name, (shape, expression) in CASES.items():
        for dtype, relative in (("float64", 1e-9), ("float32", 1e-4)):
            print(f"{name} of 100,000 elements of {dtype}, forward and backward, 5 times")
            setup = SETUP.format(shape=shape, dtype=dtype)
            peers = torch_peers(chosen.python, setup, BODY.format(expression=expression))
            compare(peers, "[*y.reshape(-1)[::97].tolist(), *x.grad.reshape(-1)[::97].tolist()]", relative)
            report(take_turns(dict(peers), chosen.repeats), wanted={"PyTorch": 1.5})


if __name__ == "__main__":
    main()

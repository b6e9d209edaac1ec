"""A step of training a 784-512-512-10 network on 128 samples in single precision, against PyTorch."""

from __future__ import annotations

from common import compare, options, report, take_turns, torch_peers

SETUP = """
def numbers(*shape):
    n = 1
    for size in shape:
        n *= size
    return (torch.sin(torch.arange(n, dtype=torch.float64) * 12.9898).reshape(shape) * 0.05)
def leaf(*shape):
    return numbers(*shape).to(torch.{dtype}).requires_grad_(True)
F = torch.nn.functional
x = (numbers(128, 784) * 20).to(torch.{dtype})
target = torch.arange(128) % 10
layers = [(leaf(512, 784), leaf(512)), (leaf(512, 512), leaf(512)), (leaf(10, 512), leaf(10))]
"""
BODY = """
for _ in range({times}):
    h = x
    for k, (w, b) in enumerate(layers):
        w.grad = b.grad = None
        h = F.linear(h, w, b)
        if k < 2:
            h = torch.relu(h)
    loss = F.cross_entropy(h, target)
    loss.backward()
"""
ANSWER = "[loss.item(), *layers[0][0].grad[3].tolist(), *layers[1][1].grad.tolist(), *layers[2][0].grad[1].tolist()]"


def main() -> None:
    chosen = options(__doc__ or "")
    for dtype, relative in (("float64", 1e-9), ("float32", 1e-4)):
        print(f"forward and backward of the network in {dtype}, 5 steps")
        peers = torch_peers(chosen.python, SETUP.format(dtype=dtype), BODY.format(times=5))
        compare(peers, ANSWER, relative)
        report(take_turns(dict(peers), chosen.repeats), wanted={"PyTorch": 1.0})


if __name__ == "__main__":
    main()

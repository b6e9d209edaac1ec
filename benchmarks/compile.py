"""Reading a script: parsing and compiling 1,000 lines, in a process that has done nothing before."""

from __future__ import annotations

import sys

from common import Peer, options, report, take_turns

BLOCK = """\
x{i} = torch.ones(3, 4, requires_grad=True)
w{i} = (x{i} * 2.5 + 1).sum(dim=0, keepdim=True)
def f{i}(a, b=1.0):
    if a.sum() > b:
        return tanh(a) * b
    return a ^ 2 - b
y{i} = f{i}(w{i}, b=3)
for k in range(3):
    y{i} = y{i} + exp(-y{i}[0, :2].mean()) / (k + 1)
print(f"{{y{i}.shape}} and {{k:d}}", x{i}.grad)
"""
SCRIPT = "".join(BLOCK.format(i=i) for i in range(100))


def main() -> None:
    chosen = options(__doc__ or "")
    print(f"parsing and compiling {SCRIPT.count(chr(10)):,} lines; wanted under 500 ms")
    setup = (
        f"from gradcli.lang.source import Source; from gradcli.lang.compiler import compile_source; text = {SCRIPT!r}"
    )
    report(take_turns({"gradcli": Peer(sys.executable, setup, "compile_source(Source(text))")}, chosen.repeats))


if __name__ == "__main__":
    main()

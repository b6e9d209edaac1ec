"""Reading a script: parsing 1,000 lines, checking their names and compiling them."""

from __future__ import annotations

import statistics
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
LINES = "".join(BLOCK.format(i=i) for i in range(100)).splitlines(keepends=True)
# within a function that nobody calls: what is measured is reading alone
SCRIPT = "def never():\n" + "".join(f"    {line}" for line in LINES)
SETUP = f"""
from gradcli.lang.session import Session
from gradcli.lang.source import Source
script = {SCRIPT!r}
"""


def main() -> None:
    chosen = options(__doc__ or "")
    print(f"parsing and compiling {len(LINES):,} lines")
    times = take_turns({"gradcli": Peer(sys.executable, SETUP, "Session().run(Source(script))")}, chosen.repeats)
    report(times)
    print(f"  ratio to 0.5 s, wanted below 1: {statistics.median(times['gradcli']) / 0.5:.2f}")


if __name__ == "__main__":
    main()

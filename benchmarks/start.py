"""Start-up: the whole process of one small gradient, against a bare ``import numpy`` and against PyTorch."""

from __future__ import annotations

import sys

from common import has_torch, options, report, take_turns, whole_process

GRADCLI = [sys.executable, "-m", "gradcli", "run", "-e", "sum(x^2)", "--set", "x=[1,2,3]", "--wrt", "x"]
TORCH = (
    "import torch; x = torch.tensor([1., 2., 3.], requires_grad=True); y = (x**2).sum(); y.backward(); print(y, x.grad)"
)


def main() -> None:
    chosen = options(__doc__ or "")
    print("value and gradient of sum(x^2), whole process")
    numpy = [sys.executable, "-c", "import numpy"]
    report(
        take_turns({"gradcli": whole_process(GRADCLI), "import numpy": whole_process(numpy)}, chosen.repeats),
        wanted={"import numpy": 1.8},
    )
    if has_torch(chosen.python):
        torch = whole_process([chosen.python, "-c", TORCH])
        report(
            take_turns({"gradcli": whole_process(GRADCLI), "PyTorch": torch}, chosen.repeats), wanted={"PyTorch": 0.125}
        )


if __name__ == "__main__":
    main()

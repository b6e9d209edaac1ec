"""Record which of several equal elements PyTorch's selections return. Run with a Python that has PyTorch 2.13:

python tests/data/make_selection.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import torch

random.seed(20)
CASES = 150


def lane(number: int) -> list[float]:
    values = [0.0, 1.0, 2.0, 3.0, *([float("nan")] if number % 3 == 0 else [])]
    return [random.choice(values) for _ in range(random.randint(1, 45 if number % 2 else 8))]


def record(number: int) -> dict[str, object]:
    values = lane(number)
    x = torch.tensor(values)
    k = random.randint(1, len(values))
    case: dict[str, object] = {
        "values": ["nan" if v != v else v for v in values],
        "k": k,
        "largest": x.topk(k).indices.tolist(),
        "smallest": x.topk(k, largest=False).indices.tolist(),
        "median": x.median(0).indices.item(),
        "nanmedian": x.nanmedian(0).indices.item(),
        "kthvalue": x.kthvalue(k).indices.item(),
    }
    if number % 3:
        case["mode"] = x.mode().indices.item()
    return case


if __name__ == "__main__":
    path = Path(__file__).with_name("selection.json")
    path.write_text(json.dumps([record(n) for n in range(CASES)]) + "\n", encoding="utf-8")

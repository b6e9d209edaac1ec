"""Record what PyTorch makes of 500 random programs: ``python -m tests.data.make_random_graphs`` (needs torch)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from tests.autograd.programs import run
from tests.autograd.test_random_graphs import COMPARED, program_of

PLACE = Path(__file__).parent / "random_graphs.json"


def rounded(value: Any) -> Any:
    """Return an outcome with numbers of 12 digits."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def main() -> None:
    torch.set_default_dtype(torch.float64)
    made: list[dict[str, Any]] = []
    seed = failed = 0
    while len(made) < 500:
        outcome = run(torch, program_of(seed))
        if outcome["failed"] is None or failed < 200:  # most programs run through
            failed += outcome["failed"] is not None
            made.append({"seed": seed, "outcome": {part: rounded(outcome[part]) for part in COMPARED}})
        seed += 1
    PLACE.write_text(json.dumps(made, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Write generator.json: what PyTorch's CPU generator gives for seeds, dtypes, sizes and distributions.

Needs PyTorch on x86-64 with AVX2 (its float32 normal numbers depend on that). A case is a list of draws from one
seed, so that what a draw leaves behind shows in the next; long results are stored as a digest.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

SEEDS = [0, 1, 42, 2147483647, 4294967296, -1, -(2**63), 2**64 - 1]
SHAPES: list[list[int]] = [[], [0], [1], [3], [2, 2], [15], [16], [17], [5, 5], [32], [3, 11], [100], [20, 40]]
FLOATS = ["float64", "float32", "float16"]


def draw(name: str, shape: list[int], dtype: str, *args: Any) -> torch.Tensor:
    """Return one draw from the default generator; ``args`` are the distribution's own."""
    torch_dtype = getattr(torch, dtype)
    if name in ("rand", "randn"):
        return getattr(torch, name)(shape, dtype=torch_dtype)
    if name == "randint":
        return torch.randint(args[0], args[1], shape, dtype=torch_dtype)
    if name == "randperm":
        return torch.randperm(args[0], dtype=torch_dtype)
    if name == "bernoulli":
        return torch.bernoulli(torch.linspace(0, 1, shape[0], dtype=torch_dtype))
    if name == "poisson":
        return torch.poisson(torch.linspace(0, 40, shape[0], dtype=torch_dtype))
    if name == "multinomial":
        return torch.multinomial(weights(shape, torch_dtype), *args)
    return getattr(torch.empty(shape, dtype=torch_dtype), name)(*args)


def weights(shape: list[int], dtype: torch.dtype) -> torch.Tensor:
    """Return the weights the test builds too: 0, 1/8, 2/8 ... in row-major order from 1 on."""
    count = int(np.prod(shape))
    return (torch.arange(1, count + 1, dtype=dtype) / 8).reshape(shape)


def stored(tensor: torch.Tensor) -> dict[str, str]:
    """Return the bytes of a result, or their digest where they are many."""
    data = tensor.numpy().tobytes()
    if len(data) > 64:
        return {"sha256": hashlib.sha256(data).hexdigest()[:32]}
    return {"data": base64.b64encode(data).decode()}


def case(seed: int, *draws: tuple[Any, ...]) -> dict[str, Any]:
    """Return the results of ``draws`` after ``manual_seed(seed)``, and the state's digest after the last."""
    torch.manual_seed(seed)
    results = [{"call": list(each), **stored(draw(*each))} for each in draws]
    return {"seed": seed, "initial": torch.initial_seed(), "draws": results, **stored(torch.get_rng_state())}


def all_cases() -> list[dict[str, Any]]:
    cases = []
    for seed in SEEDS:
        for dtype in [*FLOATS, "complex128", "complex64"]:
            cases.append(case(seed, *[("rand", shape, dtype) for shape in SHAPES]))
            cases.append(case(seed, *[("randn", shape, dtype) for shape in SHAPES]))
        for dtype in FLOATS:
            for shape in ([7], [40]):
                cases.append(case(seed, *[(*each[:1], shape, dtype, *each[1:]) for each in distributions()]))
        for dtype in FLOATS[:2]:
            picks = [("multinomial", shape, dtype, *rest) for shape in ([6], [2, 9]) for rest in choices()]
            cases.append(case(seed, *picks))
        cases.append(case(seed, *integers()))
        cases.append(case(seed, *[("randperm", [], "int64", count) for count in (0, 1, 2, 3, 10, 700)]))
    cases.append(case(9, ("randn", [60_001], "float32"), ("rand", [70_000], "float64"), ("randn", [3], "float64")))
    cases.append(case(9, ("rand", [624], "float32"), ("rand", [623], "float32"), ("rand", [1250], "float32")))
    return cases


def distributions() -> list[tuple[Any, ...]]:
    return [
        ("uniform_", 0.1, 0.7), ("uniform_", -3.0, 5.0), ("normal_", 1.3, 0.7), ("normal_", -200.0, 0.001),
        ("exponential_", 1.7), ("geometric_", 0.3), ("cauchy_", 0.3, 0.7), ("log_normal_", 0.3, 0.7),
        ("bernoulli_", 0.3), ("bernoulli",), ("poisson",), ("random_",),
    ]  # fmt: skip


def choices() -> list[tuple[int, bool]]:
    return [(1, False), (4, False), (1, True), (7, True)]


def integers() -> list[tuple[Any, ...]]:
    ranges = [(0, 2), (-5, 10), (0, 2**28 - 1), (0, 2**28), (-(2**40), 2**33), (-(2**63), 2**63 - 1)]
    draws: list[tuple[Any, ...]] = [("randint", [5], "int64", low, high) for low, high in ranges]
    draws += [("randint", [5], dtype, 0, 2) for dtype in ("uint8", "int32", "bool", *FLOATS)]
    return draws + [("random_", [5], dtype) for dtype in ("int64", "int32", "int16", "int8", "uint8", "bool", *FLOATS)]


if __name__ == "__main__":
    target = Path(__file__).with_name("generator.json")
    lines = [json.dumps(each, separators=(",", ":")) for each in all_cases()]
    target.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(lines), "cases,", target.stat().st_size, "bytes")

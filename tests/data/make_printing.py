"""Write printing.json: tensors of many shapes, dtypes and magnitudes, and the text PyTorch prints for each.

Needs PyTorch. Run from anywhere; the result depends on nothing but the seed below.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

DTYPES = ["float64", "float32", "float16", "int64", "int32", "uint8", "bool", "complex128", "complex64"]
SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (7,), (13,), (40,), (2, 2), (3, 1), (1, 9), (2, 3, 4), (2, 1, 2, 2)]
SPECIALS = [0.0, -0.0, 1.0, -2.0, 1.5, float("nan"), float("inf"), float("-inf"), 1e-5, 1e-4, 1000.0, 1e8, 123456789.0]
OPTIONS: list[dict[str, Any]] = [
    {"precision": 2}, {"precision": 0}, {"precision": 8}, {"linewidth": 40}, {"linewidth": 20}, {"linewidth": 5},
    {"sci_mode": True}, {"sci_mode": False}, {"profile": "short"}, {"profile": "short", "precision": 6},
    {"profile": "full"}, {"threshold": 5}, {"threshold": 0, "edgeitems": 1}, {"threshold": 2, "edgeitems": 0},
]  # fmt: skip


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    """Return an array whose magnitudes are drawn first, so that every notation comes up."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.asarray(rng.random(shape) < 0.5)
    if kind in "iu":
        top = 256 if dtype == "uint8" else 10 ** int(rng.integers(1, 10))
        return np.asarray(rng.integers(0 if kind == "u" else -top, top, shape), dtype)
    if kind == "c":
        part = "float64" if dtype == "complex128" else "float32"
        values = np.empty(shape, dtype)
        values.real, values.imag = random_array(rng, shape, part), random_array(rng, shape, part)
        return values
    style = rng.integers(6)
    values = rng.normal(size=shape) * 10.0 ** rng.integers(-6, 7)
    if style == 0:
        values = np.asarray(values * 10.0 ** rng.integers(-3, 4, shape))
    elif style == 1:
        values = np.round(values)
    elif style == 2:
        values = np.asarray(rng.choice(SPECIALS, shape))
    elif style == 3:
        values = np.asarray(rng.integers(-30, 30, shape) / 4)
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype)


def torch_text(array: np.ndarray[Any, Any], case: dict[str, Any]) -> str:
    """Return what PyTorch prints for ``array`` under the case's options, default dtype and graph suffix."""
    torch.set_default_dtype(getattr(torch, case["default"]))
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**case["options"])
    tensor = torch.from_numpy(array.copy())
    if case["grad"]:
        tensor.requires_grad_()
    # A clone keeps every bit; multiplying by one doesn't keep complex infinities.
    return str(tensor.clone() if case["grad"] == "node" else tensor)


def encode(array: np.ndarray[Any, Any], **case: Any) -> dict[str, Any]:
    """Return the case as it is stored, with the array's bytes and the expected text."""
    case = {"default": "float64", "options": {}, "grad": ""} | case
    data = base64.b64encode(array.tobytes()).decode()
    fixed = {"dtype": str(array.dtype), "shape": array.shape, "data": data, "text": torch_text(array, case)}
    return {key: value for key, value in (case | fixed).items() if value not in ({}, "")}


def grad_choices(dtype: str) -> list[str]:
    return ["", "leaf", "node"] if np.dtype(dtype).kind in "fc" else [""]


def small_cases(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return every shape with every dtype, twice, and the float dtypes four times more."""
    cases = []
    for dtype in DTYPES:
        for shape in SHAPES * (4 if np.dtype(dtype).kind in "fc" else 1):
            default = str(rng.choice(["float64", "float32"]))
            grad = str(rng.choice(grad_choices(dtype)))
            cases.append(encode(random_array(rng, shape, dtype), default=default, grad=grad))
    return cases


def option_cases(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return every option set with each dtype on shapes that wrap or are summarised under it."""
    cases = []
    for options in OPTIONS:
        for dtype in DTYPES:
            shape = [(9,), (3, 4), (2, 3, 3)][rng.integers(3)]
            grad = str(rng.choice(grad_choices(dtype)))
            cases.append(encode(random_array(rng, shape, dtype), options=options, grad=grad))
    return cases


def wide_and_empty_cases(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return summarised tensors, empty tensors and rows of every length around the line's end."""
    large = [(1001,), (2000,), (30, 40), (5, 300), (3, 2, 200), (7, 7, 7, 7)]
    cases = [encode(random_array(rng, shape, "uint8")) for shape in large]
    cases += [encode(rng.integers(-3, 3, shape).astype("float16")) for shape in large]
    cases += [encode(np.round(rng.normal(size=1001), 2).astype("float16"))]
    for shape in [(0,), (2, 0), (0, 3), (1, 0, 2)]:
        for dtype in DTYPES:
            for grad in {"", grad_choices(dtype)[-1]}:
                cases.append(encode(np.zeros(shape, dtype), grad=grad, default="float32"))
    for length in range(5, 27):
        cases.append(encode(np.arange(length) / 8, grad="leaf", default="float32"))
        cases.append(encode(rng.integers(0, 99, length).astype("float32"), grad="node"))
    return cases


def special_cases() -> list[dict[str, Any]]:
    """Return each pair of special values: the smallest tensors in which notations meet."""
    pairs = [(a, b) for index, a in enumerate(SPECIALS) for b in SPECIALS[index:]]
    cases = [
        encode(np.zeros(2), options={"sci_mode": True}),
        encode(np.array([np.nan, -np.inf]), options={"sci_mode": True}),
    ]
    cases += [encode(np.array(pair)) for pair in pairs]
    return cases + [encode(np.array([complex(*pair)])) for pair in pairs[::3]]


if __name__ == "__main__":
    generator = np.random.default_rng(20)
    everything = small_cases(generator) + option_cases(generator) + wide_and_empty_cases(generator) + special_cases()
    target = Path(__file__).with_name("printing.json")
    target.write_text("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in everything) + "\n]\n")
    print(len(everything), "cases,", target.stat().st_size, "bytes")

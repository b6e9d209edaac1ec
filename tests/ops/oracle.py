"""Replay of recorded PyTorch cases: value, VJP and second-order result of one expression.

``python -m tests.ops.oracle torch.sum torch.mean`` prints the failures of the named operations; ``tier1`` .. ``tier3``
and categories filter too.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gradcli.autograd import Tensor, forward_ad, grad
from gradcli.ops.namespaces import namespace

DATA = Path(__file__).parent.parent / "data" / "oracle.jsonl"
LOOSE = {"torch.nn.functional.hardsigmoid": 1e-7}


def cases() -> Iterator[dict[str, Any]]:
    """Yield the recorded cases."""
    with DATA.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def number(value: Any) -> Any:
    """Return a number of the recording: a complex one is a pair, nan and infinities are strings."""
    return float(value) if isinstance(value, str) else value


def array(data: Any, shape: list[int], dtype: str) -> np.ndarray[Any, Any]:
    """Return recorded data as an ndarray."""
    if dtype.startswith("complex"):
        flat = np.array(_flat(data, len(shape) + 1), dtype=np.float64).reshape(-1, 2)
        return (flat[:, 0] + 1j * flat[:, 1]).astype(dtype).reshape(shape)
    return np.array(_flat(data, len(shape)), dtype=dtype).reshape(shape)


def _flat(data: Any, depth: int) -> list[Any]:
    if depth == 0 or not isinstance(data, list):
        return [number(data)]
    return [x for item in data for x in _flat(item, depth - 1)]


def evaluate(expr: str, names: dict[str, Any]) -> Any:
    """Run the statements of a case and return the value of the last one."""
    *body, last = expr.split("\n")
    if body:
        exec("\n".join(body), names)
    return eval(last, names)


def flatten(value: Any) -> list[Any]:
    """Return the results of a case as a flat list, as the recording has them."""
    if isinstance(value, (tuple, list)) and not isinstance(value, str):
        return [x for item in value for x in flatten(item)]
    return [value]


def scope(case: dict[str, Any]) -> dict[str, Any]:
    """Return the names an expression of the recording may use."""
    torch = namespace("torch")
    names: dict[str, Any] = {
        "torch": torch,
        "F": namespace("torch.nn.functional"),
        "math": math,
        "inf": math.inf,
        "nan": math.nan,
        "pi": math.pi,
    }
    for item in case["inputs"]:
        value = Tensor(array(item["data"], item["shape"], item["dtype"]))
        if item["diff"] and value._array.dtype.kind in "fc":
            value.requires_grad_()
        names[item["name"]] = value
    return names


def close(got: Any, want: np.ndarray[Any, Any], rtol: float, atol: float = 1e-11) -> bool:
    """Return whether two arrays agree in shape and, elementwise, within tolerance; nan equals nan."""
    got = np.asarray(got)
    return got.shape == want.shape and bool(np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=True))


def check(case: dict[str, Any]) -> list[str]:
    """Return what differs between this case's recording and our result; empty when all agrees."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(_differences(case))


def _differences(case: dict[str, Any]) -> Iterator[str]:
    names = scope(case)
    rtol = LOOSE.get(case["op"], 1e-9)
    suspect = case.get("suspect") or []
    results = flatten(evaluate(case["expr"], names))
    if "outputs" not in suspect:
        yield from _values(case, results, rtol)
    if not case.get("differentiable"):
        if case.get("differentiable") is False and any(isinstance(r, Tensor) and r.requires_grad for r in results):
            yield "output has a graph, expected none"
        return
    yield from _gradients(case, names, results, rtol, suspect)


def _values(case: dict[str, Any], results: list[Any], rtol: float) -> Iterator[str]:
    if case["out_kind"] == "python" or case["out_kind"] == "size":
        wanted = case["outputs"]
        if len(wanted) == 1 and isinstance(wanted[0].get("data"), list):
            results = [results]
    for k, want in enumerate(case["outputs"]):
        if k >= len(results):
            yield f"output {k} is missing"
            continue
        got = results[k]
        if want["dtype"].startswith("python"):
            plain = got.tolist() if isinstance(got, Tensor) else got
            if not np.array_equal(
                np.array(_flat(plain, 9)), np.array(_flat(want["data"], 9)), equal_nan=isinstance(plain, float)
            ):
                yield f"output {k} is {plain!r}, expected {want['data']!r}"
            continue
        expected = array(want["data"], want["shape"], want["dtype"])
        if not isinstance(got, Tensor):
            yield f"output {k} is a {type(got).__name__}, expected a tensor"
        elif got.dtype.name != want["dtype"]:
            yield f"output {k} has dtype {got.dtype.name}, expected {want['dtype']}"
        elif not close(got._array, expected, 1e-6 if want["dtype"] in ("float32", "complex64") else rtol):
            yield f"output {k}: {got._array.tolist()} (shape {got._array.shape}), expected {expected.tolist()}"


def _gradients(
    case: dict[str, Any], names: dict[str, Any], results: list[Any], rtol: float, suspect: list[str]
) -> Iterator[str]:
    outputs, seeds = [], []
    for got, v, want in zip(results, case["cotangents"], case["outputs"], strict=False):
        if v is not None and isinstance(got, Tensor) and got.requires_grad:
            outputs.append(got)
            seeds.append(Tensor(array(v, want["shape"], want["dtype"])))
    inputs = {i["name"]: names[i["name"]] for i in case["inputs"] if i["diff"]}
    if case.get("vjp_error"):
        return
    if not outputs:
        yield "no output has a graph"
        return
    with_second = "second" in case and not case.get("second_error") and "second" not in suspect
    found = grad(outputs, list(inputs.values()), seeds, create_graph=with_second, allow_unused=True)
    for (name, value), g in zip(inputs.items(), found, strict=True):
        recorded = case["vjps"].get(name)
        want = np.zeros_like(value._array) if recorded is None else array(recorded, list(value.shape), value.dtype.name)
        got = np.zeros_like(value._array) if g is None else g._array
        if "vjps" not in suspect and "vjp" not in suspect and not close(got, want, rtol):
            yield f"VJP of {name}: {got.tolist()}, expected {want.tolist()}"
    if with_second:
        yield from _second(case, inputs, found, rtol)


def _second(case: dict[str, Any], inputs: dict[str, Tensor], found: Any, rtol: float) -> Iterator[str]:
    recorded = [g for g in found if g is not None and g.requires_grad]
    twice: Any = [None] * len(inputs)
    if recorded:
        total = sum((g * g).sum() for g in recorded)
        twice = grad(total, list(inputs.values()), allow_unused=True)
    for (name, value), g in zip(inputs.items(), twice, strict=True):
        data = case["second"].get(name)
        want = np.zeros_like(value._array) if data is None else array(data, list(value.shape), value.dtype.name)
        got = np.zeros_like(value._array) if g is None else g._array
        if not close(got, want, max(rtol, 1e-8), 1e-9):
            yield f"second order of {name}: {got.tolist()}, expected {want.tolist()}"


def check_forward(case: dict[str, Any]) -> list[str]:
    """Return where forward mode differs from the recorded JVP; empty when it agrees or nothing was recorded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(_forward(case))


def _forward(case: dict[str, Any]) -> Iterator[str]:
    if not case.get("differentiable") or "jvp" not in case or case.get("jvp_error"):
        return
    suspect = case.get("suspect") or []
    if "jvp" in suspect or case.get("jvp_vjp_agree") is False:
        return
    names = scope(case)
    with forward_ad.dual_level():
        for item in case["inputs"]:
            if item["diff"] and item["name"] in case["tangents"]:
                value = names[item["name"]].detach()
                tangent = Tensor(array(case["tangents"][item["name"]], item["shape"], item["dtype"]))
                names[item["name"]] = forward_ad.make_dual(value, tangent)
        results = flatten(evaluate(case["expr"], names))
        for k, (got, data, want) in enumerate(zip(results, case["jvp"], case["outputs"], strict=False)):
            if not isinstance(got, Tensor) or want["dtype"].startswith(("int", "bool", "python")):
                continue
            tangent = forward_ad.unpack_dual(got).tangent
            expected = np.zeros(want["shape"]) if data is None else array(data, want["shape"], want["dtype"])
            found = np.zeros(want["shape"]) if tangent is None else tangent.detach()._array
            if not close(found, expected, LOOSE.get(case["op"], 1e-9)):
                yield f"JVP of output {k}: {found.tolist()}, expected {expected.tolist()}"


def _wanted(case: dict[str, Any], filters: list[str]) -> bool:
    marks = {case["op"], f"tier{case['tier']}", case.get("category", "")}
    return not filters or any(f in marks or f == f"{case.get('category')}-{case['tier']}" for f in filters)


def main(filters: list[str]) -> int:
    """Print the failures of the wanted cases and return how many there are."""
    failed = total = 0
    for case in cases():
        if not _wanted(case, filters):
            continue
        total += 1
        try:
            problems = check(case)
        except Exception as exception:  # a case that raises is a failure to report, whatever it raised
            problems = [f"{type(exception).__name__}: {exception}"]
        if problems:
            failed += 1
            print(
                f"{case['id']} tier {case['tier']}: {case['expr']!r}\n    " + "\n    ".join(p[:600] for p in problems)
            )
    print(f"{failed} of {total} cases fail")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))

"""What a gradient check looks at: all rows, one projection, dtypes, zero cotangents, batched passes, forward mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd import differences
from gradcli.autograd.api import grad
from gradcli.autograd.errors import GradcheckError, error
from gradcli.autograd.jacobian_check import Check, as_row, compare, unit_seeds
from gradcli.autograd.tensor import Tensor

Array = np.ndarray[Any, Any]


def rows_agree(check: Check, nondet_tol: float) -> None:
    """Compare every row with differences, and two passes with each other."""
    numerical = [differences.jacobians(check.values, check.inputs[k], check.eps) for k in check.wanted]
    for out, output in enumerate(check.outputs):
        if not output.requires_grad:
            continue
        analytical = check.rows(out)
        _deterministic(analytical, check.rows(out), nondet_tol)
        for k, rows, columns in zip(check.wanted, analytical, numerical, strict=True):
            compare(check, k, out, rows, columns[out], "backward")


def _deterministic(first: list[Array], second: list[Array], tolerance: float) -> None:
    for a, b in zip(first, second, strict=True):
        if not np.allclose(a, b, rtol=0, atol=tolerance, equal_nan=True):
            gap = float(np.nanmax(np.abs(a - b)))
            raise error(
                GradcheckError,
                "nondeterministic",
                f"backward is not deterministic: two passes over one graph differ by up to {gap:.3g}",
                hint="a rule that draws random numbers or keeps state; nondet_tol allows a difference",
            )


def fast(check: Check) -> None:
    """Compare u^T J v for random u and v: one backward pass and two evaluations an input."""
    random = np.random.default_rng(0)
    for out, output in enumerate(check.outputs):
        if not output.requires_grad:
            continue
        for k in check.wanted:
            tensor = check.inputs[k]
            direction = _unit(random, tensor._array)
            seed = _unit(random, output._array)
            g = grad(output, tensor, Tensor(seed), retain_graph=True, allow_unused=True)[0]
            got = (
                0.0
                if g is None
                else float(np.sum(differences.real_parts(g._array) * differences.real_parts(direction)))
            )
            want = _projected(check, tensor, direction, differences.real_parts(seed), out)
            if not np.isclose(got, want, rtol=check.rtol, atol=check.atol):
                rows_agree(check, np.inf)
                raise error(
                    GradcheckError,
                    "wrong-gradient",
                    f"the projection on input {k} is wrong: the rule gives {got:.6g}, differences give {want:.6g}",
                )


def _unit(random: Any, like: Array) -> Array:
    values = random.standard_normal(differences.real_parts(like).size)
    values /= np.linalg.norm(values) or 1.0
    real = values.astype(like.real.dtype)
    unit: Array = real.view(like.dtype) if like.dtype.kind == "c" else real
    return unit.reshape(like.shape)


def _projected(check: Check, tensor: Tensor, direction: Array, seed: Array, out: int) -> float:
    before, total = tensor._array, []
    for sign in (1, -1):
        tensor._array = before + sign * check.eps * direction
        try:
            total.append(float(np.sum(check.values()[out] * seed)))
        finally:
            tensor._array = before
    return (total[0] - total[1]) / (2 * check.eps)


def dtypes(check: Check) -> None:
    """A gradient must have the dtype of its input."""
    for output in check.outputs:
        if output.requires_grad:
            seed = Tensor(np.ones_like(output._array))
            for k in check.wanted:
                g = grad(output, check.inputs[k], seed, retain_graph=True, allow_unused=True)[0]
                if g is not None and g.dtype is not check.inputs[k].dtype:
                    raise GradcheckError(f"the gradient of input {k} is {g.dtype}, the input {check.inputs[k].dtype}")


def undefined(check: Check) -> None:
    """A zero cotangent must give a zero gradient (or none)."""
    for out, output in enumerate(check.outputs):
        if not output.requires_grad:
            continue
        tensors = [check.inputs[k] for k in check.wanted]
        found = grad(output, tensors, Tensor(np.zeros_like(output._array)), retain_graph=True, allow_unused=True)
        for k, g in zip(check.wanted, found, strict=True):
            if g is not None and np.any(np.nan_to_num(g._array) != 0):
                raise error(
                    GradcheckError,
                    "undefined-gradient",
                    f"a zero cotangent of output {out} gives a gradient of input {k} that is not zero: the rule is "
                    "not linear in it",
                )


def batched(check: Check) -> None:
    """The batched backward pass must give the rows that single passes give."""
    from gradcli.autograd.vmap import vmap

    for out, output in enumerate(check.outputs):
        if not output.requires_grad or not output._array.size:
            continue
        tensors = [check.inputs[k] for k in check.wanted]
        single = check.rows(out)
        seeds = Tensor(np.stack([s._array for s in unit_seeds(output)]))

        def pull(v: Tensor, output: Tensor = output, tensors: list[Tensor] = tensors) -> Any:
            found = grad(output, tensors, v, retain_graph=True, allow_unused=True)
            return tuple(
                Tensor(np.zeros_like(t._array)) if g is None else g for g, t in zip(found, tensors, strict=True)
            )

        for k, made, rows in zip(check.wanted, vmap(pull)(seeds), single, strict=True):
            got = np.array([as_row(check.inputs[k], Tensor(row)) for row in made._array])
            if not np.allclose(got, rows, rtol=1e-9, atol=1e-12, equal_nan=True):
                raise GradcheckError(f"the batched gradient of input {k} differs from that of single passes")


def forward(check: Check) -> None:
    """Compare forward mode with differences, column by column."""
    from gradcli.autograd.func import jvp

    for k in check.wanted:
        tensor = check.inputs[k]
        numerical = differences.jacobians(check.values, tensor, check.eps)
        columns: list[list[Array]] = [[] for _ in numerical]
        for direction in unit_seeds(tensor):

            def of_one(x: Tensor, k: int = k) -> Any:
                return check.func(*(x if i == k else t for i, t in enumerate(check.inputs)))

            tangent = jvp(of_one, (tensor.detach(),), (direction,))[1]
            parts = tangent if isinstance(tangent, (tuple, list)) else (tangent,)
            floating = [p for p in parts if p._element.kind in "fc"]
            for block, part in zip(columns, floating, strict=False):
                block.append(differences.real_parts(part.detach()._array).astype(np.float64))
        for out, block in enumerate(columns):
            if block:
                compare(check, k, out, np.stack(block, axis=1), numerical[out], "forward")

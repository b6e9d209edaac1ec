"""One gradient check: the analytical Jacobian, row by row, against the numerical one, and the verdict where they
differ.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import differences
from gradcli.autograd.api import grad
from gradcli.autograd.errors import GradcheckError, error
from gradcli.autograd.mode import enable_grad
from gradcli.autograd.refine import derivative, slopes
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.verdict import Mismatch, find_causes

Array = np.ndarray[Any, Any]
DEFAULT_TOLERANCES = (1e-5, 1e-3)  # atol and rtol of gradcheck
_MOST_DOUBTED = 3


class Check:
    """One gradient check: the function, its inputs, the tolerances, and the outputs once computed."""

    def __init__(self, func: Callable[..., Any], inputs: Any, eps: float, atol: float, rtol: float) -> None:
        self.func = func
        self.inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
        self.eps, self.atol, self.rtol = eps, atol, rtol
        self.wanted = [k for k, t in enumerate(self.inputs) if isinstance(t, Tensor) and t.requires_grad]
        self._check_inputs()
        with enable_grad():
            made = func(*self.inputs)
        every = made if isinstance(made, (tuple, list)) else (made,)
        self.outputs = [o for o in every if isinstance(o, Tensor) and o._array.dtype.kind in "fc"]
        if not any(o.requires_grad for o in self.outputs):
            self._need_zero()

    def _check_inputs(self) -> None:
        if not self.wanted:
            raise error(
                ValueError,
                "gradcheck-inputs",
                "gradcheck needs an input that requires grad",
                hint="tensor(..., dtype=torch.float64, requires_grad=True)",
            )
        for k in self.wanted:
            array = self.inputs[k]._array
            if any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True)):
                raise error(
                    RuntimeError,
                    "gradcheck-inputs",
                    f"input {k} is expanded: several of its elements share one cell of memory",
                    hint="clone() it first",
                )
            if array.dtype.itemsize // (2 if array.dtype.kind == "c" else 1) < 8:
                warnings.warn(
                    f"input {k} of gradcheck is {self.inputs[k].dtype}: differences need double precision",
                    UserWarning,
                    stacklevel=5,
                )

    def _need_zero(self) -> None:
        """Accept a function without a graph only where it does not depend on its inputs."""
        for k in self.wanted:
            for numerical in differences.jacobians(self.values, self.inputs[k], self.eps):
                if np.any(np.abs(numerical) > self.atol):
                    raise GradcheckError(
                        "the outputs have no graph, but they do depend on the inputs: a path is missing"
                    )

    def values(self) -> list[Array]:
        """Return the outputs as real vectors, computed anew."""
        return differences.evaluate(self.func, self.inputs, len(self.outputs))

    def rows(self, out: int) -> list[Array]:
        """Return the analytical Jacobian of output ``out`` by each wanted input, one vector-Jacobian product a row."""
        output = self.outputs[out]
        tensors = [self.inputs[k] for k in self.wanted]
        seeds = unit_seeds(output)
        blocks: list[list[Array]] = [[] for _ in tensors]
        for seed in seeds:
            found = grad(output, tensors, seed, retain_graph=True, allow_unused=True)
            for block, tensor, g in zip(blocks, tensors, found, strict=True):
                block.append(as_row(tensor, g))
        return [
            np.array(b).reshape(len(seeds), -1) if b else np.zeros((0, as_row(t, None).size))
            for b, t in zip(blocks, tensors, strict=True)
        ]

    def close(self, got: Array, want: Array) -> Any:
        """Return where two Jacobians agree within the tolerances."""
        return np.isclose(got, want, rtol=self.rtol, atol=self.atol, equal_nan=False)


def unit_seeds(output: Tensor) -> list[Tensor]:
    """Return a cotangent for each real part of ``output``: 1, and for complex numbers 1j, at one element."""
    array = output._array
    made = []
    for k in range(array.size):
        for step in (1.0, 1j) if array.dtype.kind == "c" else (1.0,):
            seed = np.zeros(array.shape, array.dtype)
            seed.reshape(-1)[k] = step
            made.append(Tensor(seed))
    return made


def as_row(tensor: Tensor, g: Tensor | None) -> Array:
    """Return a gradient as the derivatives along each element direction of ``tensor``."""
    if g is None:
        return np.zeros(differences.real_parts(tensor._array).size)
    return differences.real_parts(g._array).astype(np.float64)


def compare(check: Check, k: int, out: int, analytical: Array, numerical: Array, mode: str) -> None:
    """Raise the verdict where the Jacobian of output ``out`` by input ``k`` differs from the numerical one."""
    close = check.close(analytical, numerical)
    if close.all():
        close = second_opinion(check, k, out, analytical, numerical)
        if close.all():
            return
    raise _failure(mismatch(check, k, out, analytical, numerical, ~close, mode))


def _failure(found: Mismatch) -> Exception:
    return error(GradcheckError, "wrong-gradient", found.text(), label=found.causes[0] if found.causes else None)


def mismatch(check: Check, k: int, out: int, analytical: Array, numerical: Array, wrong: Any, mode: str) -> Mismatch:
    """Return what is known of a wrong Jacobian: its worst entry, slopes, Taylor order and likely causes."""
    tensor = check.inputs[k]
    size = np.where(wrong, np.abs(analytical - numerical) / (check.atol + check.rtol * np.abs(numerical)), -1.0)
    size[wrong & ~np.isfinite(size)] = np.inf
    row, flat = (int(n) for n in np.unravel_index(int(np.argmax(size)), size.shape))
    directions = differences.steps_of(tensor)
    index, step = flat // len(directions), directions[flat % len(directions)]
    left, right = differences.one_sided(check.values, tensor, index, step, check.eps, out, row)
    value = _along(check, tensor, index, step, out, row)
    point = slopes(value, _size(tensor, index), float(np.finfo(np.float64).eps))
    place = tuple(int(n) for n in np.unravel_index(index, tensor._array.shape)) if tensor._array.ndim else ()
    found = Mismatch(
        f"input {k}",
        out,
        int(wrong.sum()),
        wrong.size,
        place,
        row,
        tensor._array.reshape(-1)[index].item(),
        float(analytical[row, flat]),
        float(numerical[row, flat]),
        left,
        right,
        _order(check, tensor, index, step, out, row, float(analytical[row, flat])),
        mode,
        point.kind,
        tensor._array.dtype.kind == "c",
    )
    single = any(check.inputs[i]._array.dtype.itemsize < 8 for i in check.wanted)
    found.causes = find_causes(found, analytical, numerical, tensor._array.shape, single)
    return found


def _order(check: Check, tensor: Tensor, index: int, step: complex, out: int, row: int, slope: float) -> float:
    """Return the order of the Taylor remainder along one element for the slope that the rule gives."""

    value = _along(check, tensor, index, step, out, row)
    return differences.taylor_order(value, slope) if np.isfinite(slope) else float("nan")


def _along(check: Check, tensor: Tensor, index: int, step: complex, out: int, row: int) -> Callable[[float], float]:
    """Return one output element as a function of one input element's move along ``step``."""

    def value(h: float) -> float:
        with differences.moved(tensor, index, h * step):
            return float(check.values()[out][row])

    return value


def _size(tensor: Tensor, index: int) -> float:
    """Return what the steps of an element are measured by: its own size, 1 for a zero."""
    return float(abs(tensor._array.reshape(-1)[index])) or 1.0


def second_opinion(check: Check, k: int, out: int, analytical: Array, numerical: Array) -> Any:
    """Return where a Jacobian that is within the default tolerances is right to its own size as well.

    ``atol`` lets gradients of 1e-9 be anything. Where one differs by more than the noise of its difference, it is
    measured again to its last digit; only what is wrong beyond doubt, at a point that is smooth, counts.
    """
    tensor, right = check.inputs[k], np.ones(analytical.shape, dtype=bool)
    if (check.atol, check.rtol) != DEFAULT_TOLERANCES or tensor._array.dtype.itemsize < 8:
        return right
    values = np.abs(differences.real_parts(check.outputs[out]._array)).astype(np.float64)[:, None]
    gap = np.abs(analytical - numerical)
    noise = 50 * np.finfo(np.float64).eps * values / check.eps
    doubtful = gap > check.rtol * np.maximum(np.abs(analytical), np.abs(numerical)) + noise
    order = np.argsort(-np.where(doubtful, gap, -1.0), axis=None)[: min(_MOST_DOUBTED, int(doubtful.sum()))]
    for row, flat in zip(*np.unravel_index(order, gap.shape), strict=True):
        if _is_wrong(check, tensor, int(flat), out, int(row), float(analytical[row, flat])):
            right[row, flat] = False
    return right


def _is_wrong(check: Check, tensor: Tensor, flat: int, out: int, row: int, rule: float) -> bool:
    directions = differences.steps_of(tensor)
    index, step = flat // len(directions), directions[flat % len(directions)]
    value = _along(check, tensor, index, step, out, row)
    size, precision = _size(tensor, index), float(np.finfo(np.float64).eps)
    found = derivative(lambda h: np.array([value(h)]), size, precision)
    gap, error_ = abs(rule - float(found.value[0])), float(found.error[0])
    if not gap > max(10 * error_, check.rtol * abs(rule)) or (rule == 0 and found.flat[0]):
        return False
    point = slopes(value, size, precision, float(found.noise[0]))
    return point.kind == "smooth" or (point.kind == "kink" and not point.has(rule))

"""Functions known by samples: differences, the trapezoidal rule, numerical gradients; composed of other operations."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import as_tensor
from gradcli.ops.common import axis_of
from gradcli.ops.reducing import dtype_of, of, shape_of
from gradcli.ops.row import Lit, T, op, sample
from gradcli.ops.scans import along


def _part(input: Any, dim: int, start: int | None, stop: int | None) -> Any:
    return input[along(dim, slice(start, stop))]


def _lengthwise(name: str, input: Any, dim: int) -> tuple[Any, int]:
    """Return ``input`` as a tensor and the axis ``dim`` names; IndexError for a 0-d tensor."""
    input = as_tensor(input)
    if not input.ndim:
        raise error(IndexError, "zero-dim", f"{name} runs along a dimension, and a 0-d tensor has none")
    return input, axis_of(dim, input.ndim)


# -- differences ------------------------------------------------------------------------------------------------------
def _step(input: Any, dim: int) -> Any:
    ahead, behind = _part(input, dim, 1, None), _part(input, dim, None, -1)
    return ahead != behind if dtype_of(input).kind == "b" else ahead - behind


def _extended(input: Any, prepend: Any, append: Any, dim: int) -> Any:
    parts = [as_tensor(p) for p in (prepend, input, append) if p is not None]
    if any(p.ndim != input.ndim for p in parts):
        raise error(
            RuntimeError,
            "shape-mismatch",
            "what diff prepends and appends must have as many dimensions as input",
            hint=f"input has shape {tuple(input.shape)}",
        )
    return parts[0] if len(parts) == 1 else of("cat")(parts, dim)


@op(
    "torch.diff",
    "diff(input, n=1, dim=-1, prepend=None, append=None)",
    names="Tensor.diff",
    numpy_words=True,
    category="cumulative",
    doc="The differences of neighbours along dim, taken n times. Bools give whether they differ.",
    formula="g of the difference before, minus g of the difference after",
    examples=("diff(tensor([1., 4., 9.]))  #> [3., 5.]", "diff(tensor([1., 4., 9.]), 2)  #> [2.]"),
    samples=(
        sample(T(4)),
        sample(T(2, 3)),
        sample(T(3, 2), dim=0),
        sample(T(5), 2),
        sample(T(3), 0),
        sample(T(2), 3),
        sample(T(3), prepend=T(1), append=T(2)),
    ),
)
def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Return the n-th differences; RuntimeError for a 0-d input and negative ``n``."""
    input = as_tensor(input)
    if not input.ndim:
        raise error(RuntimeError, "zero-dim", "diff runs along a dimension, and a 0-d tensor has none")
    if n < 0:
        raise error(RuntimeError, "negative-order", f"diff takes differences n times, got n={n}")
    axis = axis_of(dim, input.ndim)
    out = _extended(input, prepend, append, axis)
    if not n:
        return out.clone()
    for _ in range(n):
        out = _step(out, axis)
    return out


# -- the trapezoidal rule ---------------------------------------------------------------------------------------------
def _pairs(y: Any, dim: int) -> Any:
    return _part(y, dim, 1, None) + _part(y, dim, None, -1)


def _widths(name: str, x: Any, y: Any, dim: int) -> Any:
    """Return the distances of the sample points, in a shape that broadcasts against the pairs of ``y``."""
    x = as_tensor(x)
    if x.ndim == 0 or x.shape[0 if x.ndim == 1 else axis_of(dim - y.ndim, x.ndim)] != y.shape[dim]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs one x for each sample: x has shape {tuple(x.shape)}, "
            f"y has {y.shape[dim]} samples along dim {dim}",
        )
    if x.ndim == 1:
        return _step(x, 0).reshape((-1, *(1,) * (y.ndim - 1 - dim)))
    return _step(x, axis_of(dim - y.ndim, x.ndim))


_CURVES = (
    sample(T(4)),
    sample(T(2, 3)),
    sample(T(3, 2), dim=0),
    sample(T(4), dx=0.5),
    sample(T(2, 4), T(4)),
    sample(T(3, 2), T(3), dim=0),
    sample(T(2, 3), T(2, 3)),
)


@op(
    "torch.trapezoid",
    "trapezoid(y, x=None, *, dx=1, dim=-1)",
    names="torch.trapz",
    category="cumulative",
    doc="The integral of the samples y along dim by the trapezoidal rule, at points x or at distance dx.",
    formula="half of g times the width of each neighbouring interval, to each sample",
    examples=(
        "trapezoid(tensor([1., 2., 3.]))  #> 4.",
        "trapezoid(tensor([1., 2., 3.]), tensor([0., 1., 3.]))  #> 6.5",
    ),
    samples=_CURVES,
)
def trapezoid(y: Any, x: Any = None, *, dx: Any = None, dim: int = -1) -> Any:
    """Return the integral along ``dim``; RuntimeError where x does not fit, IndexError for a 0-d y."""
    y, axis = _lengthwise("trapezoid", y, dim)
    if x is not None:
        return (_widths("trapezoid", x, y, axis) * _pairs(y, axis)).sum(axis) / 2.0
    total = _pairs(y, axis).sum(axis)
    return total * (0.5 if dx is None else 0.5 * dx)


@op(
    "torch.cumulative_trapezoid",
    "cumulative_trapezoid(y, x=None, *, dx=1, dim=-1)",
    category="cumulative",
    doc="The running integral of the samples y along dim by the trapezoidal rule, one less than there are samples.",
    formula="that of trapezoid, added up from the end",
    samples=_CURVES,
    examples=("cumulative_trapezoid(tensor([1., 2., 3.]))  #> [1.5, 4.]",),
)
def cumulative_trapezoid(y: Any, x: Any = None, *, dx: Any = None, dim: int = -1) -> Any:
    """Return the running integral along ``dim``; RuntimeError where x does not fit, IndexError for a 0-d y."""
    y, axis = _lengthwise("cumulative_trapezoid", y, dim)
    if x is not None:
        return (_widths("cumulative_trapezoid", x, y, axis) * _pairs(y, axis) / 2.0).cumsum(axis)
    return (_pairs(y, axis) * (0.5 if dx is None else 0.5 * dx)).cumsum(axis)


# -- numerical gradients ----------------------------------------------------------------------------------------------
def _inner(f: Any, h: Any, dim: int) -> Any:
    """Return second-order central differences at the inner points; the distances ``h`` may be unequal."""
    before, here, after = _part(f, dim, None, -2), _part(f, dim, 1, -1), _part(f, dim, 2, None)
    if isinstance(h, (int, float)):
        return (after - before) / (2.0 * h)
    left, right = _part(h, dim, None, -1), _part(h, dim, 1, None)
    both = left + right
    return -right / (left * both) * before + (right - left) / (left * right) * here + left / (right * both) * after


def _end(f: Any, h: Any, dim: int, order: int, last: bool) -> Any:
    """Return the one-sided difference of the given order at the first or the last point."""

    def at(values: Any, k: int) -> Any:
        k = -1 - k if last else k
        return _part(values, dim, k, k + 1 if k != -1 else None)

    first = h if isinstance(h, (int, float)) else at(h, 0)
    second = h if isinstance(h, (int, float)) or order == 1 else at(h, 1)
    sign = -1.0 if last else 1.0
    if order == 1:
        return sign * (at(f, 1) - at(f, 0)) / first
    both = first + second
    slope = -(first + both) / (first * both) * at(f, 0) + both / (first * second) * at(f, 1)
    return sign * (slope - first / (second * both) * at(f, 2))


def _distances(spacing: Any, dim: int, ndim: int) -> Any:
    """Return a spacing as a number, or the distances of coordinates along ``dim``."""
    if isinstance(spacing, (int, float)):
        return spacing
    points = as_tensor(spacing)
    if not points.ndim:
        return float(points)
    return _step(points, 0).reshape((*(1,) * dim, -1, *(1,) * (ndim - 1 - dim)))


def _spacings(spacing: Any, count: int) -> list[Any]:
    if not isinstance(spacing, (tuple, list)):
        return [spacing] * count
    if len(spacing) != count:
        raise error(
            RuntimeError,
            "spacing",
            f"gradient needs one spacing for each of its {count} dimensions, got {len(spacing)}",
        )
    return list(spacing)


@op(
    "torch.gradient",
    "gradient(input, *, spacing=1, dim=None, edge_order=1)",
    category="cumulative",
    doc="Numerical derivatives of samples along each dimension (or those of dim): central differences inside, "
    "one-sided ones of edge_order at the ends. A tuple, one tensor a dimension.",
    formula="the transposed difference formula applied to g",
    examples=("gradient(tensor([1., 4., 9., 16.]))  #> (tensor([3., 4., 6., 7.]),)",),
    samples=(
        sample(T(4)),
        sample(T(3, 4)),
        sample(T(2, 4), spacing=0.5, dim=1, edge_order=2),
        sample(T(5), edge_order=2),
        sample(T(3, 4), dim=0),
        sample(T(4), spacing=[Lit([0.0, 1.0, 3.0, 4.0])]),
    ),
)
def gradient(input: Any, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> tuple[Any, ...]:
    """Return the derivative along each dimension; RuntimeError for too few samples or an edge_order other than 1, 2."""
    input = as_tensor(input)
    dims = range(input.ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    axes = [axis_of(d, input.ndim) for d in dims]
    if edge_order not in (1, 2):
        raise error(RuntimeError, "edge-order", f"gradient knows edge_order 1 and 2, got {edge_order}")
    made = []
    for axis, step in zip(axes, _spacings(spacing, len(axes)), strict=True):
        if shape_of(input)[axis] < edge_order + 1:
            raise error(
                RuntimeError,
                "too-few-samples",
                f"gradient needs {edge_order + 1} samples along dim {axis}, the shape is {shape_of(input)}",
            )
        h = _distances(step, axis, input.ndim)
        ends = [_end(input, h, axis, edge_order, last) for last in (False, True)]
        made.append(of("cat")([ends[0], _inner(input, h, axis), ends[1]], axis))
    return tuple(made)

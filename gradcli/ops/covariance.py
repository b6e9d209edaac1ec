"""Covariance and correlation of variables, distance of two tensors, and rows brought to a largest norm."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import H, axis_of, raw
from gradcli.ops.matrix import as_operand, check_float, is_complex, shape_of
from gradcli.ops.row import Lit, T, op, sample

_LINEAR = "linear algebra"


@op(
    "torch.dist",
    "dist(input, other, p=2)",
    names="Tensor.dist",
    category=_LINEAR,
    doc="The p-norm of input - other, broadcast.",
    formula="as of linalg.vector_norm",
    conventions="the gradient at equal values is 0",
    examples=("dist(tensor([1., 2.]), tensor([4., 6.]))  #> 5.",),
    samples=(sample(T(3), T(3)), sample(T(2, 3), T(3)), sample(T(3), T(3), 1), sample(T(3), T(3), 3)),
)
def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """Return a 0-d tensor; RuntimeError where the shapes do not broadcast or the dtype is not floating."""
    from gradcli.ops.norms import vector_norm

    check_float("dist", as_operand("dist", input))
    check_float("dist", as_operand("dist", other))
    return vector_norm(input - other, p)


@op(
    "torch.renorm",
    "renorm(input, p, dim, maxnorm)",
    names="Tensor.renorm",
    inplace=True,
    category=_LINEAR,
    doc="The slices along dim whose p-norm exceeds maxnorm scaled down to it, the others as they are.",
    formula="as of the norm and the quotient",
    conventions="a scaled slice has norm maxnorm * norm / (norm + 1e-7), as in PyTorch",
    examples=("renorm(tensor([[3., 4.], [0.3, 0.4]]), 2, 0, 1.)  #> [[0.6, 0.8], [0.3, 0.4]]",),
    samples=(sample(Lit([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0), sample(Lit([[3.0, 4.0], [0.3, 0.4]]), 1, 1, 1.0)),
)
def renorm(input: Any, p: Any, dim: int, maxnorm: float) -> Any:
    """Return a tensor of the same shape; RuntimeError below 2 dimensions, for p <= 0 or a negative maxnorm."""
    from gradcli.ops.norms import vector_norm

    check_float("renorm", as_operand("renorm", input))
    if input.ndim < 2:
        raise error(RuntimeError, "wrong-ndim", f"renorm needs at least 2 dimensions, got shape {shape_of(input)}")
    if p <= 0 or maxnorm < 0:
        raise error(
            RuntimeError, "bad-argument", f"renorm needs p above 0 and maxnorm of at least 0, got {p} and {maxnorm}"
        )
    axis = axis_of(dim, input.ndim)
    norms = vector_norm(input, p, tuple(d for d in range(input.ndim) if d != axis), True)
    return input * (maxnorm / (norms + 1e-7)).where(norms > maxnorm, 1.0)


@op(
    "torch.cov",
    "cov(input, *, correction=1, fweights=None, aweights=None)",
    names="Tensor.cov",
    category=_LINEAR,
    doc="The covariance matrix of variables (rows) over observations (columns); fweights count observations, aweights "
    "weigh them.",
    formula="as of the product of the centred observations",
    examples=("cov(tensor([[1., 2., 3.], [3., 2., 1.]]))  #> [[1., -1.], [-1., 1.]]",),
    samples=(
        sample(T(2, 4)),
        sample(T(4)),
        sample(T(2, 4), correction=0),
        sample(T(2, 3), fweights=Lit([1, 2, 3])),
        sample(T(2, 3), aweights=Lit([0.5, 1.0, 2.0])),
        sample(T(2, 3), fweights=Lit([1, 2, 1]), aweights=Lit([0.5, 1.0, 2.0])),
    ),
)
def cov(input: Any, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """Return (n, n) of (n, m), a 0-d tensor of (m,); RuntimeError for more dimensions or weights that do not fit."""
    if as_operand("cov", input).ndim > 2:
        raise error(RuntimeError, "wrong-ndim", f"cov needs variables by observations, got shape {shape_of(input)}")
    rows = input.reshape(1, -1) if input.ndim < 2 else input
    weights = _weights(shape_of(rows)[1], fweights, aweights)
    count: Any = Tensor(np.array(shape_of(rows)[1])) if weights is None else weights.sum()
    mean = (rows if weights is None else rows * weights).sum(1) / count
    centred = rows - mean.unsqueeze(1)
    other = centred if weights is None else centred * weights
    freedom = count - correction
    if aweights is not None and correction:
        freedom = count - correction * (weights * aweights).sum() / count
    if raw(freedom) <= 0:
        warnings.warn(
            "cov: the degrees of freedom are not above 0, so the result is infinite or nan", UserWarning, stacklevel=2
        )
        freedom = freedom * 0
    return ((centred @ H(other.t())) / freedom).squeeze()


def _weights(count: int, fweights: Any, aweights: Any) -> Any:
    """Return the weight of each observation; None where all count alike."""
    for name, weights, kinds in (("fweights", fweights, "iu"), ("aweights", aweights, "f")):
        if weights is None:
            continue
        array = raw(as_operand("cov", weights))
        if array.ndim > 1 or array.size != count or array.dtype.kind not in kinds or (array < 0).any():
            wanted = "whole numbers" if kinds == "iu" else "floats"
            raise error(
                RuntimeError,
                "bad-weights",
                f"cov needs {name} of {count} {wanted}, none negative; got {array.dtype} of shape {array.shape}",
            )
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return fweights * aweights


@op(
    "torch.corrcoef",
    "corrcoef(input)",
    names="Tensor.corrcoef",
    category=_LINEAR,
    doc="The correlation matrix of variables (rows) over observations (columns): the covariance over the standard "
    "deviations.",
    formula="as of cov and the quotients",
    conventions="clamped to -1 and 1: an entry at a bound passes its gradient on",
    examples=("corrcoef(tensor([[1., 2., 3.], [3., 2., 1.]]))  #> [[1., -1.], [-1., 1.]]",),
    samples=(sample(T(2, 4), smooth=False), sample(T(3, 5), smooth=False)),
)
def corrcoef(input: Any) -> Any:
    """Return (n, n) of (n, m), a 0-d tensor of (m,); RuntimeError for more dimensions."""
    if as_operand("corrcoef", input).ndim > 2:
        raise error(
            RuntimeError, "wrong-ndim", f"corrcoef needs variables by observations, got shape {shape_of(input)}"
        )
    made = cov(input)
    if not made.ndim:
        return made / made
    variance = made.diagonal()
    deviation = (variance.real if is_complex(made) else variance).sqrt()
    made = made / deviation.reshape(-1, 1) / deviation.reshape(1, -1)
    if not is_complex(made):
        return made.clamp(-1, 1)
    from gradcli.ops.complex import complex as joined

    return joined(made.real.clamp(-1, 1), made.imag.clamp(-1, 1))

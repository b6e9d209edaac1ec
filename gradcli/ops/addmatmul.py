"""Products added to a tensor: beta * input + alpha * product, in one node as PyTorch records it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.ops.common import H, element
from gradcli.ops.matrix import check_dim, check_inner, check_same_dtype, column_major, mH, mT, shape_of
from gradcli.ops.row import T, op, sample

_LINEAR = "linear algebra"


def _combine(input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    """Return beta * input + alpha * product, a fresh array which takes the result; input is not read where beta is 0,
    so its nan does not spread.
    """
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        return product
    added = input if beta == 1 else input * beta
    if product.__class__ is np.ndarray and product.dtype is added.dtype:  # a product of vectors may be a scalar
        return np.add(product, added, out=product)
    return product + added


def _addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any, alpha: Any) -> Any:
    return _combine(input, np.matmul(mat1, mat2), beta, alpha)


def _addmv(input: Any, mat: Any, vec: Any, *, beta: Any, alpha: Any) -> Any:
    return _combine(input, np.matmul(mat, vec), beta, alpha)


def _addr(input: Any, vec1: Any, vec2: Any, *, beta: Any, alpha: Any) -> Any:
    return _combine(input, np.multiply.outer(vec1, vec2), beta, alpha)


def _addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any, alpha: Any) -> Any:
    return _combine(input, np.add.reduce(np.matmul(batch1, batch2), axis=0), beta, alpha)


def _baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any, alpha: Any) -> Any:
    return _combine(input, np.matmul(batch1, batch2), beta, alpha)


def _scaled(g: Any, factor: Any) -> Any:
    return g if factor == 1 else g * H(factor)


_ADDMM: dict[str, Callable[..., Any]] = {
    "input": lambda g, beta: _scaled(g, beta),
    "mat1": lambda g, mat2, alpha: _scaled(g @ mH(mat2), alpha),
    "mat2": lambda g, mat1, alpha: _scaled(mH(mat1) @ g, alpha),
}
addmm_primitive = Primitive("addmm", _addmm, _ADDMM, batch="products.addmm")
# For a second factor in column-major order, as weight.T is: its cotangent has that order too, so that the weight's
# needs no copy.
addmm_turned = Primitive(
    "addmm",
    _addmm,
    {**_ADDMM, "mat2": lambda g, mat1, alpha: _scaled(mH(mH(g) @ mat1), alpha)},
    batch="products.addmm",
)
addmv_primitive = Primitive(
    "addmv",
    _addmv,
    {
        "input": lambda g, beta: _scaled(g, beta),
        "mat": lambda g, vec, alpha: _scaled(g.reshape(-1, 1) * H(vec), alpha),
        "vec": lambda g, mat, alpha: _scaled(mH(mat) @ g, alpha),
    },
    batch="products.addmv",
)
addr_primitive = Primitive(
    "addr",
    _addr,
    {
        "input": lambda g, beta: _scaled(g, beta),
        "vec1": lambda g, vec2, alpha: _scaled(g @ H(vec2), alpha),
        "vec2": lambda g, vec1, alpha: _scaled(mT(g) @ H(vec1), alpha),
    },
    batch="products.addr",
)
addbmm_primitive = Primitive(
    "addbmm",
    _addbmm,
    {
        "input": lambda g, beta: _scaled(g, beta),
        "batch1": lambda g, batch2, alpha: _scaled(g @ mH(batch2), alpha),
        "batch2": lambda g, batch1, alpha: _scaled(mH(batch1) @ g, alpha),
    },
    batch="products.addbmm",
)
baddbmm_primitive = Primitive(
    "baddbmm",
    _baddbmm,
    {
        "input": lambda g, beta: _scaled(g, beta),
        "batch1": lambda g, batch2, alpha: _scaled(g @ mH(batch2), alpha),
        "batch2": lambda g, batch1, alpha: _scaled(mH(batch1) @ g, alpha),
    },
    batch="products.addmm",
)


def _check(name: str, input: Any, shape: tuple[int, ...], operands: tuple[Any, ...], beta: Any, alpha: Any) -> None:
    """Raise RuntimeError unless ``input`` broadcasts to the product's ``shape`` and all operands have one dtype."""
    own = shape_of(input)
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own[::-1], shape[::-1], strict=False)):
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} adds a product of shape {shape}, to which input of shape {own} does not broadcast",
            label=f"{own} against {shape}",
        )
    check_same_dtype(name, input, *operands)
    if element(input).kind in "iu":
        for word, factor in (("beta", beta), ("alpha", alpha)):
            if isinstance(factor, float):
                raise error(RuntimeError, "dtype-mismatch", f"{name} of integers needs an integer {word}, got {factor}")


@op(
    "torch.addmm",
    "addmm(input, mat1, mat2, *, beta=1, alpha=1)",
    names="Tensor.addmm",
    inplace=True,
    category=_LINEAR,
    doc="beta * input + alpha * (mat1 @ mat2).",
    formula="beta * g to input, alpha * g @ mat2^H to mat1, alpha * mat1^H @ g to mat2",
    conventions="with beta=0 input is not read: its nan and inf do not spread",
    examples=("addmm(tensor([10., 20.]), tensor([[1., 2.]]), tensor([[1., 0.], [0., 1.]]))  #> [[11., 22.]]",),
    samples=(
        sample(T(2, 2), T(2, 3), T(3, 2)),
        sample(T(2), T(3, 1), T(1, 2)),
        sample(T(), T(2, 2), T(2, 2)),
        sample(T(2, 2), T(2, 3), T(3, 2), beta=0.5, alpha=2),
        sample(T(2, 2), T(2, 0), T(0, 2)),
    ),
)
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Add (n, k) @ (k, m) to ``input``, which broadcasts to (n, m); RuntimeError where shapes or dtypes do not fit."""
    check_dim("addmm", "mat1", mat1, 2)
    check_dim("addmm", "mat2", mat2, 2)
    check_inner("addmm", mat1, mat2)
    _check("addmm", input, (shape_of(mat1)[0], shape_of(mat2)[1]), (mat1, mat2), beta, alpha)
    primitive = addmm_turned if column_major(mat2) else addmm_primitive
    return primitive(input, mat1, mat2, beta=beta, alpha=alpha)


@op(
    "torch.addmv",
    "addmv(input, mat, vec, *, beta=1, alpha=1)",
    names="Tensor.addmv",
    inplace=True,
    category=_LINEAR,
    doc="beta * input + alpha * (mat @ vec).",
    formula="beta * g to input, alpha * outer(g, conj(vec)) to mat, alpha * mat^H @ g to vec",
    conventions="with beta=0 input is not read",
    examples=("addmv(tensor([10., 20.]), tensor([[1., 2.], [3., 4.]]), tensor([1., 1.]))  #> [13., 27.]",),
    samples=(sample(T(2), T(2, 3), T(3)), sample(T(), T(2, 3), T(3)), sample(T(2), T(2, 3), T(3), beta=2, alpha=0.5)),
)
def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Add (n, k) @ (k,) to ``input``, which broadcasts to (n,); RuntimeError where shapes or dtypes do not fit."""
    check_dim("addmv", "mat", mat, 2)
    check_dim("addmv", "vec", vec, 1)
    check_inner("addmv", mat, vec)
    _check("addmv", input, shape_of(mat)[:1], (mat, vec), beta, alpha)
    return addmv_primitive(input, mat, vec, beta=beta, alpha=alpha)


@op(
    "torch.addr",
    "addr(input, vec1, vec2, *, beta=1, alpha=1)",
    names="Tensor.addr",
    inplace=True,
    category=_LINEAR,
    doc="beta * input + alpha * outer(vec1, vec2).",
    formula="beta * g to input, alpha * g @ conj(vec2) to vec1, alpha * g^T @ conj(vec1) to vec2",
    conventions="with beta=0 input is not read",
    examples=("addr(tensor([[1., 1.]]), tensor([2.]), tensor([3., 4.]))  #> [[7., 9.]]",),
    samples=(sample(T(2, 3), T(2), T(3)), sample(T(), T(2), T(3)), sample(T(2, 3), T(2), T(3), beta=2, alpha=-1)),
)
def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Add the outer product of (n,) and (m,) to ``input``, which broadcasts to (n, m); RuntimeError otherwise."""
    check_dim("addr", "vec1", vec1, 1)
    check_dim("addr", "vec2", vec2, 1)
    _check("addr", input, (shape_of(vec1)[0], shape_of(vec2)[0]), (vec1, vec2), beta, alpha)
    return addr_primitive(input, vec1, vec2, beta=beta, alpha=alpha)


def _batched_shape(name: str, batch1: Any, batch2: Any) -> tuple[int, int, int]:
    check_dim(name, "batch1", batch1, 3)
    check_dim(name, "batch2", batch2, 3)
    if shape_of(batch1)[0] != shape_of(batch2)[0]:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"{name} needs batches of one size, got shapes {shape_of(batch1)} and {shape_of(batch2)}",
        )
    check_inner(name, batch1, batch2)
    return (shape_of(batch1)[0], shape_of(batch1)[1], shape_of(batch2)[2])


@op(
    "torch.addbmm",
    "addbmm(input, batch1, batch2, *, beta=1, alpha=1)",
    names="Tensor.addbmm",
    inplace=True,
    category=_LINEAR,
    doc="beta * input + alpha * the sum of the products of all pairs of matrices of two batches.",
    formula="beta * g to input, alpha * g @ batch2^H to batch1, alpha * batch1^H @ g to batch2",
    conventions="with beta=0 input is not read",
    examples=("addbmm(tensor([[1.]]), tensor([[[2.]], [[3.]]]), tensor([[[10.]], [[100.]]]))  #> [[321.]]",),
    samples=(sample(T(2, 2), T(3, 2, 1), T(3, 1, 2)), sample(T(2), T(2, 2, 3), T(2, 3, 2), beta=0.5, alpha=2)),
)
def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Add the sum over b of (b, n, k) @ (b, k, m) to ``input``, which broadcasts to (n, m); RuntimeError otherwise."""
    shape = _batched_shape("addbmm", batch1, batch2)
    _check("addbmm", input, shape[1:], (batch1, batch2), beta, alpha)
    return addbmm_primitive(input, batch1, batch2, beta=beta, alpha=alpha)


@op(
    "torch.baddbmm",
    "baddbmm(input, batch1, batch2, *, beta=1, alpha=1)",
    names="Tensor.baddbmm",
    inplace=True,
    category=_LINEAR,
    doc="beta * input + alpha * (batch1 @ batch2), matrix by matrix of two batches.",
    formula="beta * g to input, alpha * g @ batch2^H to batch1, alpha * batch1^H @ g to batch2",
    conventions="with beta=0 input is not read",
    examples=(
        "baddbmm(tensor([[[1.]]]), tensor([[[2.]], [[3.]]]), tensor([[[10.]], [[100.]]]))  #> [[[21.]], [[301.]]]",
    ),
    samples=(sample(T(3, 2, 2), T(3, 2, 1), T(3, 1, 2)), sample(T(2), T(2, 2, 3), T(2, 3, 2), beta=0.5, alpha=2)),
)
def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Add (b, n, k) @ (b, k, m) to ``input``, which broadcasts to (b, n, m); RuntimeError otherwise."""
    shape = _batched_shape("baddbmm", batch1, batch2)
    _check("baddbmm", input, shape, (batch1, batch2), beta, alpha)
    return baddbmm_primitive(input, batch1, batch2, beta=beta, alpha=alpha)

"""The dimensions in another order: transpose, permute, movedim and the properties T, mT, H, mH. All are views."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.views import viewing
from gradcli.ops.common import axis_of
from gradcli.ops.row import T, op, sample
from gradcli.ops.shaping import Shape, dtype_of, given, integers, shape_of


def _swapped(input: Any, *, dim0: int, dim1: int) -> Any:
    return input.swapaxes(dim0, dim1) if input.ndim else input[...]


def _permuted(input: Any, *, dims: Shape) -> Any:
    return input.transpose(dims)


def _unpermuted(g: Any, dims: Shape) -> Any:
    return permute_primitive(g, dims=tuple(dims.index(i) for i in range(len(dims))))


transpose_primitive: Primitive = Primitive("transpose", _swapped, {
    "input": lambda g, dim0, dim1: transpose_primitive(g, dim0=dim0, dim1=dim1)}, view=True, batch="arrays.transposed")
permute_primitive: Primitive = Primitive("permute", _permuted, {"input": _unpermuted}, view=True, batch=("dims:order",))
t_primitive: Primitive = Primitive("t", lambda input: input.T, {"input": lambda g: t_primitive(g)}, view=True,
    batch="arrays.turned")


_transpose, _permute, _t = map(viewing, (transpose_primitive, permute_primitive, t_primitive))


@op("torch.transpose", "transpose(input, dim0, dim1)", inplace=True, category="shape",
    names="Tensor.transpose torch.swapdims Tensor.swapdims torch.swapaxes Tensor.swapaxes",
    doc="A view with two dimensions exchanged.", formula="g.transpose(dim0, dim1)",
    examples=("transpose(tensor([[1., 2.], [3., 4.]]), 0, 1)  #> [[1., 3.], [2., 4.]]",),
    samples=(sample(T(2, 3), 0, 1), sample(T(2, 1, 3), 0, -1), sample(T(2), 0, 0)))
def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Return ``input`` with two dimensions exchanged; IndexError for a dimension it does not have."""
    input = given(input)
    ndim = len(shape_of(input))
    return _transpose(input, dim0=axis_of(dim0, ndim), dim1=axis_of(dim1, ndim))


@op("torch.permute", "permute(input, *dims)", names="Tensor.permute", category="shape",
    doc="A view with its dimensions in the order dims.", formula="g in the inverse order",
    examples=("permute(tensor([[1., 2.], [3., 4.]]), (1, 0))  #> [[1., 3.], [2., 4.]]",),
    samples=(sample(T(2, 3), (1, 0)), sample(T(2, 3, 2), (2, 0, 1)), sample(T(2, 3, 2), (0, -1, 1)), sample(T(), ())))
def permute(input: Any, *order: Any, dims: Any = None) -> Any:
    """Return ``input`` with its dimensions reordered; RuntimeError unless ``dims`` names each of them once."""
    input = given(input)
    ndim = len(shape_of(input))
    named = integers((dims,) if dims is not None else order, "a dim")
    if len(named) != ndim:
        raise error(RuntimeError, "wrong-dims", f"permute needs the order of all {ndim} dimensions, got {list(named)}",
                    hint="movedim() or transpose() moves a few and leaves the rest in order")
    axes = tuple(axis_of(d, ndim) for d in named)
    if len(set(axes)) != ndim:
        raise error(RuntimeError, "dim-twice", f"permute: {list(named)} names one dimension twice")
    return _permute(input, dims=axes)


@op("torch.t", "t(input)", names="Tensor.t", inplace=True, category="shape",
    doc="The transpose of a matrix, as a view; a tensor of fewer dimensions is returned as it is.", formula="g.t()",
    examples=("t(tensor([[1., 2.], [3., 4.]]))  #> [[1., 3.], [2., 4.]]",), samples=(sample(T(2, 3)), sample(T(3))))
def t(input: Any) -> Any:
    """Return the transpose of a tensor of at most 2 dimensions; RuntimeError for more."""
    input = given(input)
    if len(shape_of(input)) > 2:
        raise error(RuntimeError, "too-many-dims", f"t() transposes matrices, this tensor has shape "
                    f"{tuple(shape_of(input))}", hint="mT transposes the last two dimensions, permute() any")
    return _t(input)


@op("Tensor.T", "x.T (a property)", category="shape", doc="A view with all dimensions in reverse order: the transpose "
    "of a matrix.",
    formula="g.T", examples=("tensor([[1., 2.], [3., 4.]]).T  #> [[1., 3.], [2., 4.]]",), samples=(sample(T(2, 3)),))
def reversed_dims(input: Any) -> Any:
    """Return ``input`` with all dimensions in reverse order."""
    return _permute(input, dims=tuple(reversed(range(len(shape_of(input))))))


def _matrices(input: Any, what: str) -> Any:
    shape = shape_of(input)
    if len(shape) < 2:
        raise error(RuntimeError, "too-few-dims", f"{what} needs at least 2 dimensions, this tensor has shape "
                    f"{tuple(shape)}", hint="x[None] or x[:, None] makes a row or a column of a vector")
    return _transpose(input, dim0=len(shape) - 2, dim1=len(shape) - 1)


@op("Tensor.mT", "x.mT (a property)", category="shape", doc="A view with the last two dimensions exchanged.",
    formula="g.mT",
    examples=("tensor([[1., 2.], [3., 4.]]).mT  #> [[1., 3.], [2., 4.]]",), samples=(sample(T(2, 3)), sample(T(2, 3,
                                                                                                               2))))
def matrix_transpose(input: Any) -> Any:
    """Return ``input`` with the last two dimensions exchanged; RuntimeError for fewer than 2."""
    return _matrices(input, "mT")


@op("torch.adjoint", "adjoint(input)", names="Tensor.adjoint Tensor.mH", category="shape",
    doc="The conjugate transpose of the last two dimensions.", formula="g.mH",
    examples=("adjoint(tensor([[1., 2.], [3., 4.]]))  #> [[1., 3.], [2., 4.]]",), samples=(sample(T(2, 3)),))
def adjoint(input: Any) -> Any:
    """Return the conjugate transpose of the last two dimensions; RuntimeError for fewer than 2."""
    input = given(input)
    turned = _matrices(input, "mH")
    return turned.conj() if dtype_of(input).kind == "c" else turned


@op("Tensor.H", "x.H (a property)", category="shape", doc="The conjugate transpose of a matrix.", formula="g.H",
    examples=("tensor([[1., 2.], [3., 4.]]).H  #> [[1., 3.], [2., 4.]]",), samples=(sample(T(2, 3)),))
def conjugate_transpose(input: Any) -> Any:
    """Return the conjugate transpose of a matrix; RuntimeError for any other number of dimensions but 0."""
    ndim = len(shape_of(input))
    if ndim not in (0, 2):
        raise error(RuntimeError, "not-a-matrix", f"H is for matrices, this tensor has {ndim} dimensions",
                    hint="mH transposes the last two dimensions of any tensor")
    return adjoint(input) if ndim else input


for _name, _function in (("T", reversed_dims), ("mT", matrix_transpose), ("mH", adjoint), ("H", conjugate_transpose)):
    setattr(Tensor, _name, property(_function))


@op("torch.movedim", "movedim(input, source, destination)", names="Tensor.movedim torch.moveaxis Tensor.moveaxis",
    category="shape", doc="A view with the dimensions source moved to the places destination, the others in order.",
    formula="g with the dimensions moved back",
    examples=("movedim(tensor([[1., 2.], [3., 4.]]), 0, 1)  #> [[1., 3.], [2., 4.]]",),
    samples=(sample(T(2, 3, 2), 0, -1), sample(T(2, 1, 3), (0, 1), (1, 2))))
def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Return ``input`` with dimensions moved; RuntimeError for lists of different lengths or with repeats."""
    input = given(input)
    ndim = len(shape_of(input))
    pairs = [tuple(axis_of(d, ndim) for d in integers((dims,), "a dim")) for dims in (source, destination)]
    origin, goal = pairs
    if len(origin) != len(goal) or len(set(origin)) != len(origin) or len(set(goal)) != len(goal):
        raise error(RuntimeError, "wrong-dims", f"movedim: source {source} and destination {destination} must be as "
                    f"many dimensions, none twice")
    rest = iter([d for d in range(ndim) if d not in origin])
    order = tuple(origin[goal.index(d)] if d in goal else next(rest) for d in range(ndim))
    return _permute(input, dims=order)

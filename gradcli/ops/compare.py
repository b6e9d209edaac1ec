"""Comparisons, logic and tests of elements. Results are bool and never have a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd import fast
from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive, as_tensor, promoted
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import element, raw
from gradcli.ops.kinds import only
from gradcli.ops.row import Lit, op, sample
from gradcli.ops.unary import unary

_NO_GRADIENT = "not differentiable: the result is bool"
_A, _B = Lit([1.0, 2.0, 3.0]), Lit([[2.0], [3.0]])


def _ordered(name: str, ufunc: Any) -> Callable[..., Any]:
    """Return ``ufunc``, refusing complex numbers, which NumPy would order."""
    return only("biuf", name, ufunc, "complex numbers have no order: compare .abs(), .real or .imag")


eq_primitive = Primitive("eq", np.equal, None, promotes=True)
ne_primitive = Primitive("ne", np.not_equal, None, promotes=True)
lt_primitive = Primitive("lt", _ordered("lt", np.less), None, promotes=True)
le_primitive = Primitive("le", _ordered("le", np.less_equal), None, promotes=True)
gt_primitive = Primitive("gt", _ordered("gt", np.greater), None, promotes=True)
ge_primitive = Primitive("ge", _ordered("ge", np.greater_equal), None, promotes=True)


def _comparison(
    primitive: Primitive, ufunc: Any, words: str, sign: str, example: str, also: str = ""
) -> Callable[..., Any]:
    name = primitive.name
    function = fast.binary(primitive, quick=ufunc)
    function.__name__ = function.__qualname__ = name
    names = f"Tensor.{name}" + (f" torch.{also} Tensor.{also}" if also else "")
    register = op(
        f"torch.{name}", f"{name}(input, other)", names=names, inplace=True, category="comparison",
        doc=f"Whether input {words} other, element by element: the operator {sign}.", formula=_NO_GRADIENT,
        conventions="False where either is nan." if name != "ne" else "True where either is nan.",
        examples=(f"{name}(tensor([1., 2., 3.]), 2)  #> {example}",),
        samples=(sample(_A, _B), sample(_A, 2), sample(Lit([1, 2]), Lit([1.5, 2.0]))),
    )  # fmt: skip
    return register(function)


eq = _comparison(eq_primitive, np.equal, "equals", "==", "[False, True, False]")
ne = _comparison(ne_primitive, np.not_equal, "differs from", "!=", "[True, False, True]", "not_equal")
lt = _comparison(lt_primitive, np.less, "is less than", "<", "[True, False, False]", "less")
le = _comparison(le_primitive, np.less_equal, "is at most", "<=", "[True, True, False]", "less_equal")
gt = _comparison(gt_primitive, np.greater, "is greater than", ">", "[False, False, True]", "greater")
ge = _comparison(ge_primitive, np.greater_equal, "is at least", ">=", "[False, True, True]", "greater_equal")


# -- logic ------------------------------------------------------------------------------------------------------------
def _logic(name: str, ufunc: Any, words: str, example: str) -> Callable[..., Any]:
    function = fast.binary(Primitive(name, ufunc, None, promotes=True))
    function.__name__ = function.__qualname__ = name
    register = op(
        f"torch.{name}", f"{name}(input, other)", names=f"Tensor.{name}", inplace=True, category="comparison",
        doc=f"{words}, element by element; what is not 0 counts as true.", formula=_NO_GRADIENT,
        examples=(f"{name}(tensor([True, True]), tensor([True, False]))  #> {example}",),
        samples=(sample(Lit([True, False]), Lit([True, True])), sample(Lit([0.0, 2.0]), Lit([[1], [0]]))),
    )  # fmt: skip
    return register(function)


logical_and = _logic("logical_and", np.logical_and, "Whether both are true", "[True, False]")
logical_or = _logic("logical_or", np.logical_or, "Whether either is true", "[True, True]")
logical_xor = _logic("logical_xor", np.logical_xor, "Whether just one is true", "[False, True]")
logical_not = unary(
    "logical_not", np.logical_not, None, to_float=False, category="comparison",
    doc="Whether each element is false (0).", formula=_NO_GRADIENT, example="[0., 2.] -> [True, False]",
)  # fmt: skip


# -- tests of single elements -----------------------------------------------------------------------------------------
def _float_test(test: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return ``test`` for floats; an integer is finite and nothing else."""
    return lambda input: test(input) if input.dtype.kind in "fc" else np.zeros(input.shape, bool)


def _is_signed_infinity(input: Any, sign: float) -> Any:
    if input.dtype.kind == "c":
        raise error(RuntimeError, "complex-order", "a complex infinity has no sign", hint="isinf() tests them")
    return input == sign * np.inf


isnan = unary(
    "isnan", _float_test(np.isnan), None, to_float=False, inplace=False, category="comparison",
    doc="Whether each element is nan.", formula=_NO_GRADIENT, example="[1., nan] -> [False, True]",
)  # fmt: skip
isinf = unary(
    "isinf", _float_test(np.isinf), None, to_float=False, inplace=False, category="comparison",
    doc="Whether each element is inf or -inf.", formula=_NO_GRADIENT, example="[1., -inf] -> [False, True]",
)  # fmt: skip
isfinite = unary(
    "isfinite", lambda input: np.isfinite(input), None, to_float=False, inplace=False, category="comparison",
    doc="Whether each element is a number: neither nan nor infinite.", formula=_NO_GRADIENT,
    example="[1., nan, inf] -> [True, False, False]",
)  # fmt: skip
isposinf = unary(
    "isposinf", lambda input: _is_signed_infinity(input, 1.0), None, to_float=False, inplace=False,
    category="comparison", doc="Whether each element is inf.", formula=_NO_GRADIENT,
    example="[inf, -inf] -> [True, False]",
)  # fmt: skip
isneginf = unary(
    "isneginf", lambda input: _is_signed_infinity(input, -1.0), None, to_float=False, inplace=False,
    category="comparison", doc="Whether each element is -inf.", formula=_NO_GRADIENT,
    example="[inf, -inf] -> [False, True]",
)  # fmt: skip
isreal = unary(
    "isreal", lambda input: np.isreal(input), None, to_float=False, inplace=False, category="comparison",
    doc="Whether each element has no imaginary part.", formula=_NO_GRADIENT, example="[1+0j, 2j] -> [True, False]",
)  # fmt: skip


# -- closeness --------------------------------------------------------------------------------------------------------
def _isclose(input: Any, other: Any, *, rtol: float, atol: float, equal_nan: bool) -> Any:
    close = input == other
    if equal_nan and input.dtype.kind in "fc":
        close = close | (np.isnan(input) & np.isnan(other))
    if rtol == 0 and atol == 0:
        return close
    if input.dtype.kind not in "fc":
        input, other = input.astype(np.float64), other.astype(np.float64)
    allowed = atol + np.abs(rtol * other)
    distance = np.abs(input - other)
    return close | (np.isfinite(distance) & (distance <= allowed))


_isclose_primitive = Primitive("isclose", _isclose, None, promotes=True)


def _same_dtype(name: str, input: Any, other: Any) -> None:
    a, b = element(input), element(other)
    if a != b:
        raise error(
            RuntimeError, "dtype-mismatch", f"{name} compares tensors of one dtype, got {a.name} and {b.name}",
            hint="convert one of them: b.to(a.dtype)",
        )  # fmt: skip


@op(
    "torch.isclose", "isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)", names="Tensor.isclose",
    category="comparison", doc="Whether |input - other| <= atol + rtol * |other|, element by element.",
    formula=_NO_GRADIENT, conventions="inf is close to inf; nan to nothing, unless equal_nan. One dtype only.",
    examples=("isclose(tensor([1., 2.]), tensor([1.000001, 2.1]))  #> [True, False]",),
    samples=(sample(_A, Lit([1.0, 2.000001, 4.0])),),
)  # fmt: skip
def isclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    input, other = as_tensor(input), as_tensor(other)
    _same_dtype("isclose", input, other)
    if rtol < 0 or atol < 0:
        raise error(RuntimeError, "bad-argument", f"isclose: tolerances are not negative, got rtol={rtol}, atol={atol}")
    return _isclose_primitive(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)


@op(
    "torch.allclose", "allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)", names="Tensor.allclose",
    category="comparison", doc="Whether all elements are close, as isclose: a Python bool.", formula=_NO_GRADIENT,
    examples=("allclose(tensor([1., 2.]), tensor([1., 2.1]))  #> False",), samples=(sample(_A, _A),),
)  # fmt: skip
def allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


@op(
    "torch.equal", "equal(input, other)", names="Tensor.equal", category="comparison",
    doc="Whether two tensors have the same shape and the same elements: a Python bool.", formula=_NO_GRADIENT,
    conventions="nan equals nothing, so a tensor with nan does not equal itself.",
    examples=("equal(tensor([1., 2.]), tensor([1., 2.]))  #> True",), samples=(sample(_A, _A),),
)  # fmt: skip
def equal(input: Any, other: Any) -> bool:
    a, b = as_tensor(input)._array, as_tensor(other)._array
    return a.shape == b.shape and bool(np.equal(a, b).all())


@op(
    "torch.isin", "isin(elements, test_elements, *, assume_unique=False, invert=False)", category="comparison",
    doc="Whether each element is one of test_elements (or is not, with invert).", formula=_NO_GRADIENT,
    examples=("isin(tensor([1, 2, 3]), tensor([2, 5]))  #> [False, True, False]",),
    samples=(sample(_A, Lit([2.0, 5.0])), sample(_A, Lit([2.0]), invert=True)),
)  # fmt: skip
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    a, b = promoted([raw(as_tensor(elements)), raw(as_tensor(test_elements))])
    return Tensor(np.isin(a, b, invert=invert))

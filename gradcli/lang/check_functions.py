"""The functions that scripts check with: they fail as an assertion does, and never broadcast what they compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from gradcli.autograd import gradient_check, testing
from gradcli.autograd.comparing import difference
from gradcli.autograd.errors import GradcheckError, LinAlgError, error
from gradcli.autograd.tensor import Tensor
from gradcli.lang.checks import AssertionFailed


class ErrorName:
    """The name of an error, for ``raises``: it prints as a class of Python's and leads nowhere."""

    __slots__ = ("_classes", "_name")

    def __init__(self, name: str, *classes: type[Exception]) -> None:
        self._name = name
        self._classes = classes

    def __repr__(self) -> str:
        return f"<class '{self._name}'>"


_ERRORS = {
    kind.__name__: ErrorName(kind.__name__, kind)
    for kind in (
        RuntimeError,
        ValueError,
        TypeError,
        IndexError,
        KeyError,
        AttributeError,
        NameError,
        ZeroDivisionError,
        OverflowError,
        NotImplementedError,
        LinAlgError,
        GradcheckError,
    )
} | {"AssertionError": ErrorName("AssertionError", AssertionError, AssertionFailed)}


def raises(kind: Any, function: Any, *arguments: Any, match: str | None = None, **options: Any) -> bool:
    """Return True when ``function(*arguments, **options)`` ends with an error of ``kind``, fail when it doesn't.

    ``kind`` is the name of an error or a tuple of them; a more special error counts as well. ``match`` is a text that
    the message must have. TypeError when ``kind`` is no error or ``function`` can't be called.
    """
    wanted = kind if isinstance(kind, tuple | list) else (kind,)
    if not wanted or not all(isinstance(one, ErrorName) for one in wanted):
        hint = "raises(ValueError, lambda: f(x))"
        raise error(TypeError, "not-an-error", "raises needs the name of an error first", hint=hint)
    if not callable(function):
        hint = "put it off: raises(ValueError, lambda: f(x))"
        raise error(TypeError, "not-callable", "raises calls a function; this was computed before", hint=hint)
    words = " or ".join(one._name for one in wanted)
    try:
        function(*arguments, **options)
    except (MemoryError, TimeoutError):
        raise
    except Exception as caught:
        return _is_expected(caught, tuple(c for one in wanted for c in one._classes), words, match)
    raise error(AssertionError, "nothing-raised", f"{words} was expected, but nothing went wrong")


def _is_expected(caught: Exception, classes: tuple[type[Exception], ...], words: str, match: str | None) -> bool:
    name = "AssertionError" if isinstance(caught, AssertionFailed) else type(caught).__name__
    if not isinstance(caught, classes):
        notes = [f"it was {name}: {caught}"]
        raise error(AssertionError, "other-error", f"{words} was expected, another error came", notes=notes)
    if match is not None and match not in str(caught):
        message = f"the message of the {name} does not have {match!r}"
        raise error(AssertionError, "other-message", message, notes=[f"it is: {caught}"])
    return True


def allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Return whether |input - other| <= atol + rtol * |other| everywhere, as ``torch.allclose`` without broadcasting.

    Fails as an assertion where shapes or dtypes differ, or where one of the two is None: a gradient never computed.
    Lists and numbers have no dtype.
    """
    found = difference(input, other, rtol, atol, equal_nan=equal_nan)
    if found is not None and found.kind != "values":
        _fail(found.kind, found.reason)
    return found is None


def equal(input: Any, other: Any) -> bool:
    """Return whether two tensors have one shape and the same elements; fails as an assertion where one is None."""
    if (input is None) != (other is None):
        found = difference(input, other)
        _fail("none", found.reason if found else "")
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        return difference(input, other) is None
    from gradcli.ops import compare

    same: bool = compare.equal(input, other)
    return same


def _fail(kind: str, reason: str) -> NoReturn:
    codes = {"none": "no-gradient", "shape": "shape-mismatch", "dtype": "dtype-mismatch"}
    hints = {
        "none": "backward() fills the .grad of leaves alone, and only of those that the output was computed from",
        "shape": "reshape or expand one of them, if that is what is meant",
        "dtype": "x.to(y.dtype) converts",
    }
    raise error(AssertionError, codes.get(kind, "not-comparable"), reason, hint=hints.get(kind))


def _inputs(given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(given[0]) if len(given) == 1 and isinstance(given[0], tuple | list) else given


def gradcheck(func: Callable[..., Any], *inputs: Any, **options: Any) -> bool:
    """Check the gradient of ``func`` at ``inputs``, one by one or as a tuple; as ``torch.autograd.gradcheck``."""
    return gradient_check.gradcheck(func, _inputs(inputs), **options)


def gradgradcheck(func: Callable[..., Any], *inputs: Any, **options: Any) -> bool:
    """Check the second derivatives of ``func`` at ``inputs``; as ``torch.autograd.gradgradcheck``."""
    return gradient_check.gradgradcheck(func, _inputs(inputs), **options)


def check_names() -> dict[str, Any]:
    """Return what scripts find under names of their own for checks."""
    functions = {f.__name__: f for f in (raises, allclose, equal, gradcheck, gradgradcheck, testing.assert_close)}
    return {**functions, **_ERRORS}

"""The functions that a script has from Python, in the form that is safe to give away.

``sum``, ``max``, ... are PyTorch's for tensors and Python's for lists, generators and numbers.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.lang.guards import MAX_ITEMS, MAX_WIDTH, check_items, len_of
from gradcli.lang.guards import pow as power


class TypeName:
    """What ``type(x)`` gives: it prints and compares as a type, and leads nowhere."""

    __slots__ = ("_type",)

    def __init__(self, value: Any) -> None:
        self._type = builtins.type(value)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TypeName):
            return self._type is other._type
        return bool(self._type == _CLASSES.get(other, other))  # == since torch.Tensor is the engine's type to the eye

    def __hash__(self) -> int:
        return hash(self._type)

    def __repr__(self) -> str:
        name = "type" if self._type is TypeName else self._type.__name__
        return f"<class '{'torch.' if self._type is Tensor else ''}{name}'>"


def as_function(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return ``method`` as a plain function: printed, it shows its name and not what it belongs to."""

    def function(*arguments: Any, **options: Any) -> Any:
        return method(*arguments, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = method.__doc__
    return function


def range_(*bounds: Any) -> range:
    """Python's ``range``, of a length that a loop can go through."""
    made = builtins.range(*bounds)
    if len_of(made) > MAX_ITEMS:
        raise error(OverflowError, "too-many-items", f"range has {len_of(made):,} numbers; {MAX_ITEMS:,} are allowed")
    return made


def list_(values: Iterable[Any] = ()) -> list[Any]:
    """Return the list of ``values``."""
    return builtins.list(check_items(values))


def tuple_(values: Iterable[Any] = ()) -> tuple[Any, ...]:
    """Return the tuple of ``values``."""
    return builtins.tuple(check_items(values))


def set_(values: Iterable[Any] = ()) -> set[Any]:
    """Return the set of ``values``."""
    return builtins.set(check_items(values))


def sorted_(values: Iterable[Any], **options: Any) -> list[Any]:
    """Return the list of ``values`` in order."""
    return builtins.sorted(check_items(values), **options)


def isinstance_(value: Any, kinds: Any) -> bool:
    """Tell whether ``value`` is of a type, or of one of a tuple of types."""
    wanted = kinds if builtins.isinstance(kinds, builtins.tuple) else (kinds,)
    classes: tuple[Any, ...] = tuple(_CLASSES.get(kind, kind) for kind in wanted)
    if not builtins.all(builtins.isinstance(kind, type) for kind in classes):
        raise error(TypeError, "not-a-type", "isinstance needs a type, such as int, list or torch.Tensor")
    return builtins.isinstance(value, classes)


def round_(value: Any, digits: int | None = None) -> Any:
    """Return ``value`` rounded to a number of digits that a number can have."""
    if builtins.isinstance(digits, int) and builtins.abs(digits) > MAX_WIDTH:
        raise error(ValueError, "too-many-digits", f"numbers are rounded to at most {MAX_WIDTH} digits")
    return builtins.round(value, digits)


def enumerate_(values: Iterable[Any], start: int = 0) -> Iterator[tuple[int, Any]]:
    """Return pairs of a count and a value."""
    return builtins.enumerate(values, start)


def pow_(base: Any, exponent: Any) -> Any:
    """Return ``base ** exponent``: of numbers a number, of tensors PyTorch's ``pow``."""
    plain = (bool, int, float, complex)
    if builtins.isinstance(base, plain) and builtins.isinstance(exponent, plain):
        return power(base, exponent)
    return _torch().pow(base, exponent)


_CLASSES: dict[Any, type] = {list_: list, tuple_: tuple, set_: set, range_: range}


def _for_tensors(python: Callable[..., Any], name: str, whole: tuple[type, ...]) -> Callable[..., Any]:
    """Return a function that is Python's for ``whole`` types (of its first argument alone) and PyTorch's otherwise."""

    def function(*arguments: Any, **options: Any) -> Any:
        tensors = options or any(builtins.type(argument) is Tensor for argument in arguments)
        if not tensors and arguments and builtins.isinstance(arguments[0], whole):
            return python(check_items(arguments[0]), *arguments[1:])
        return getattr(_torch(), name)(*arguments, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return ``torch.{name}`` of tensors, Python's ``{name}`` of anything else."
    return function


def _torch() -> Any:
    from gradcli.ops.namespaces import torch_namespace

    return torch_namespace()


_NUMBERS = (int, float, complex)
_GROUPS: tuple[type, ...] = (
    list,
    tuple,
    dict,
    set,
    range,
    str,
    GeneratorType,
    type({}.keys()),
    type({}.values()),
    map,
    filter,
    zip,
)


def safe_builtins() -> dict[str, Any]:
    """Return the names that every script has from Python, less those that belong to a session (``print``)."""
    same = (len, int, float, bool, str, complex, dict, zip, reversed, map, filter, repr, divmod, callable)
    functions: dict[str, Any] = {function.__name__: function for function in same}
    functions |= {
        "range": range_,
        "list": list_,
        "tuple": tuple_,
        "set": set_,
        "sorted": sorted_,
        "staticmethod": staticmethod,
        "isinstance": isinstance_,
        "type": TypeName,
        "enumerate": enumerate_,
        "pow": pow_,
        "abs": _for_tensors(builtins.abs, "abs", _NUMBERS),
        "round": _for_tensors(round_, "round", _NUMBERS),
        "sum": _for_tensors(builtins.sum, "sum", _GROUPS),
        "min": _for_tensors(builtins.min, "min", (*_GROUPS, *_NUMBERS)),
        "max": _for_tensors(builtins.max, "max", (*_GROUPS, *_NUMBERS)),
        "any": _for_tensors(builtins.any, "any", _GROUPS),
        "all": _for_tensors(builtins.all, "all", _GROUPS),
    }
    return functions

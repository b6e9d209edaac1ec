"""Operators that a script could use to eat memory or to leave the numbers it meant: checked here, then Python's.

A tensor or a float on either side goes straight through; the checks are for whole numbers, texts and lists.
"""

from __future__ import annotations

import builtins
import re
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor

OWN_MODULE = "gx"  # where the classes of scripts say they come from
MAX_BITS = 100_000
MAX_WIDTH = 500
MAX_ITEMS = 100_000_000


def mul(a: Any, b: Any) -> Any:
    """Return ``a * b``; TypeError for a list or a text, OverflowError for a whole number without bounds."""
    first, second = type(a), type(b)
    if first is Tensor or second is Tensor or first is float or second is float:
        return a * b
    _check_product(a, b)
    return a * b


def imul(a: Any, b: Any) -> Any:
    """Return ``a *= b`` under the checks of ``mul``."""
    if type(a) is not Tensor and type(a) is not float:
        _check_product(a, b)
    a *= b
    return a


def pow(a: Any, b: Any) -> Any:
    """Return ``a ** b``; ValueError where a real power would turn complex, OverflowError as ``mul``."""
    if type(a) is Tensor or type(b) is Tensor:
        return a**b
    _check_power(a, b)
    return _real(a, b, a**b)


def ipow(a: Any, b: Any) -> Any:
    """Return ``a **= b`` under the checks of ``pow``."""
    if type(a) is Tensor:
        a **= b
        return a
    return pow(a, b)


def mod(a: Any, b: Any) -> Any:
    """Return ``a % b``; TypeError for a text, whose ``%`` is formatting."""
    if type(a) is not Tensor and isinstance(a, str | bytes):
        raise error(
            TypeError, "text-arithmetic", "`%` of a text is not part of gx", hint='write an f-string: f"{x:.3f}"'
        )
    return a % b


def imod(a: Any, b: Any) -> Any:
    """Return ``a %= b`` under the check of ``mod``."""
    if type(a) is not Tensor:
        return mod(a, b)
    a %= b
    return a


def matmul(a: Any, b: Any) -> Any:
    """Return ``a @ b``; lists stand for tensors."""
    return _tensor(a) @ _tensor(b)


def imatmul(a: Any, b: Any) -> Any:
    """Return ``a @ b`` for ``a @= b``."""
    return matmul(a, b)


def formatted(value: Any, conversion: str | None, spec: str) -> str:
    """Return ``value`` in an f-string's format; ValueError for widths and precisions beyond any use."""
    if any(int(number) > MAX_WIDTH for number in re.findall(r"[0-9]{1,9}", spec)) or re.search(r"[0-9]{10}", spec):
        raise error(
            ValueError, "format-width", f"a width or precision in a format is at most {MAX_WIDTH}", label=spec[:20]
        )
    if conversion is not None:
        value = ascii(value) if conversion == "a" else repr(value) if conversion == "r" else str(value)
    return format(value, spec)


def owner(value: Any) -> Any:
    """Return ``value``, one of whose attributes is set: a tensor, an own class of the script, a rule's context.

    TypeError for anything else: types are shared by the whole process, and an array's ``data`` is its memory.
    """
    if not isinstance(value, Tensor) and not _is_own(value):
        raise error(TypeError, "read-only", f"the attributes of {describe_type(value)} can't be set, only a tensor's")
    return value


def _is_own(value: Any) -> bool:
    """Tell whether ``value`` belongs to a class that the script has made."""
    from gradcli.autograd.function import Function, FunctionCtx

    if isinstance(value, FunctionCtx):
        return True
    return isinstance(value, type) and issubclass(value, Function) and value.__module__ == OWN_MODULE


def build_class(body: Any, name: str, base: Any) -> Any:
    """Make a class of the script's own; TypeError for a base that is none of those a script may build on."""
    from gradcli.autograd.function import Function

    if not isinstance(base, type) or not issubclass(base, Function):
        raise error(
            TypeError,
            "class-base",
            f"a class of a script builds on torch.autograd.Function, not on {describe_type(base)}",
            hint="plain functions and closures do the rest",
        )
    return builtins.__build_class__(body, name, base)


def import_for_numpy(name: str, *more: Any) -> Any:
    """Import a module for NumPy's C code, which looks for ``__import__`` in the frame that called it.

    No script can spell the name. ImportError for what is no part of NumPy.
    """
    if name.partition(".")[0] != "numpy":
        raise ImportError(f"{name} can't be imported from a script")
    return builtins.__import__(name, *more)


def check_items(values: Any) -> Any:
    """Return ``values``; OverflowError for a range with more items than memory should be asked for."""
    if type(values) is range and (len_of(values)) > MAX_ITEMS // 10:
        raise error(
            OverflowError, "too-many-items", f"a list of {len_of(values):,} numbers is too long", hint="use arange(n)"
        )
    return values


def len_of(values: range) -> int:
    """Return the length of a range, which Python's ``len`` refuses beyond 2**63."""
    return max(0, (values.stop - values.start + values.step - (1 if values.step > 0 else -1)) // values.step)


def _check_product(a: Any, b: Any) -> None:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, list | tuple):
            raise _list_product(a, b, one)
        if isinstance(one, str | bytes):
            raise error(TypeError, "text-arithmetic", f"a text can't be multiplied, not even by {describe_type(other)}")
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() + b.bit_length() > MAX_BITS:
        raise _too_large("product")


def _list_product(a: Any, b: Any, one: Any) -> Exception:
    shown = repr(one)
    shown = shown if len(shown) <= 60 else "..."
    other = b if one is a else a
    right = f"tensor({shown}) * {other!r}" if one is a else f"{other!r} * tensor({shown})"
    hint = f"write {right}" if isinstance(other, int | float) else "make a tensor of it: tensor(...)"
    if any(isinstance(item, Tensor) for item in one):
        hint = "it holds tensors: take them out first, as in x, y = pair"
    kind = "tuple" if isinstance(one, tuple) else "list"
    return error(TypeError, "list-arithmetic", f"a {kind} is not a tensor: `*` would repeat it", hint=hint)


def _check_power(a: Any, b: Any) -> None:
    if isinstance(a, int) and isinstance(b, int) and b > 0 and abs(a) > 1 and a.bit_length() * b > MAX_BITS:
        raise _too_large("power")


def _real(a: Any, b: Any, result: Any) -> Any:
    if type(result) is complex and not isinstance(a, complex) and not isinstance(b, complex):
        raise error(
            ValueError,
            "negative-base",
            f"{float(a):g} to the power {float(b):g} is not a real number",
            hint="start from a complex number, such as complex(-8, 0), if that is what you mean",
        )
    return result


def _too_large(what: str) -> Exception:
    message = f"this {what} of whole numbers has more than {int(MAX_BITS * 0.30103):,} digits"
    return error(OverflowError, "number-too-large", message, hint="a float, such as 2.0, gives an approximation")


def _tensor(value: Any) -> Any:
    if isinstance(value, list | tuple):
        from gradcli.autograd.construct import tensor

        return tensor(value)
    return value


def describe_type(value: Any) -> str:
    """Return the kind of ``value`` in words."""
    return _KINDS.get(type(value).__name__, f"a {type(value).__name__}")


_KINDS = {
    "int": "a whole number",
    "float": "a decimal number",
    "complex": "a complex number",
    "bool": "True or False",
    "str": "a text",
    "list": "a list",
    "tuple": "a tuple",
    "dict": "a dict",
    "set": "a set",
    "range": "a range",
    "NoneType": "None",
    "Tensor": "a tensor",
    "function": "a function",
    "builtin_function_or_method": "a function",
    "method": "a method",
    "ellipsis": "`...`",
    "slice": "a slice",
    "ndarray": "an array",
    "type": "a type",
    "Namespace": "a namespace",
}


def kind_words(type_name: str) -> str:
    """Return a Python type's name in words: ``NoneType`` is None, ``int`` a whole number."""
    return _KINDS.get(type_name, f"a {type_name}")

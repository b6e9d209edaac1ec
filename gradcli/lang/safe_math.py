"""Python's ``math`` for scripts: the functions whose results can grow without bounds are bounded here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

from gradcli.autograd.errors import error
from gradcli.lang.guards import mul
from gradcli.ops.namespaces import Namespace, math_namespace

MAX_COUNT = 5_000


def _bounded(name: str, count: Any) -> None:
    if isinstance(count, int) and count > MAX_COUNT:
        message = f"math.{name} of {count if count < 10**15 else 'such a number'} has too many digits"
        raise error(OverflowError, "number-too-large", message, hint="math.lgamma(n + 1) is the logarithm of n!")


def factorial(n: int) -> int:
    """Return n!; OverflowError beyond MAX_COUNT."""
    _bounded("factorial", n)
    return math.factorial(n)


def comb(n: int, k: int) -> int:
    """Return the number of ways to choose k of n; OverflowError where n and k are both beyond MAX_COUNT."""
    if isinstance(n, int) and isinstance(k, int):
        _bounded("comb", min(k, n - k))
    return math.comb(n, k)


def perm(n: int, k: int | None = None) -> int:
    """Return n! / (n - k)!; OverflowError where k is beyond MAX_COUNT."""
    _bounded("perm", n if k is None else k)
    return math.perm(n, k)


def prod(values: Iterable[Any], *, start: Any = 1) -> Any:
    """Return the product of ``values`` under the checks of the operator."""
    for value in values:
        start = mul(start, value)
    return start


_OWN = {"factorial": factorial, "comb": comb, "perm": perm, "prod": prod}


@cache
def safe_math() -> Namespace:
    """Return the namespace that scripts call ``math``."""
    python = math_namespace()
    known = set(dir(python))
    return Namespace(
        "math", lambda: known, lambda name: _OWN.get(name) or (getattr(python, name) if name in known else None)
    )

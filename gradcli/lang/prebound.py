"""The names that every script finds: PyTorch's, Python's safe functions, and the language's own helpers."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from functools import cache
from typing import Any

from gradcli.lang import guards
from gradcli.lang.builtin_functions import safe_builtins
from gradcli.lang.importable import PATHS, resolve

CHECKS = ("raises", "allclose", "equal", "gradcheck", "gradgradcheck", "assert_close")
HELPERS: dict[str, Any] = {
    ".mul": guards.mul,
    ".imul": guards.imul,
    ".pow": guards.pow,
    ".ipow": guards.ipow,
    ".mod": guards.mod,
    ".imod": guards.imod,
    ".matmul": guards.matmul,
    ".imatmul": guards.imatmul,
    ".format": guards.formatted,
    ".owner": guards.owner,
    ".slice": builtins.slice,
    ".import": resolve,
    "__build_class__": guards.build_class,
    "__import__": guards.import_for_numpy,
}


@cache
def _python() -> dict[str, Any]:
    return safe_builtins()


@cache
def _checks() -> dict[str, Any]:
    from gradcli.lang.check_functions import check_names

    return check_names()


def lookup(name: str) -> Any:
    """Return what ``name`` means in a script that doesn't bind it, or None: then it is unknown."""
    if name in PATHS:
        return resolve(PATHS[name])
    if name in _python():
        return _python()[name]
    if name in CHECKS or name.endswith("Error"):
        return _checks().get(name)
    return resolve(f"torch.{name}")


def known_names() -> Iterable[str]:
    """Return all names that ``lookup`` knows."""
    return {*PATHS, *_python(), *_checks(), *dir(resolve("torch")), "print", "load", "save", "exit", "quit"}

"""Signature and meaning of every operation in a line each, kept in the cache: importing all rows takes its time."""

from __future__ import annotations

import os
from functools import cache
from types import FunctionType
from typing import Any

from gradcli.cache import cached, stamp
from gradcli.cli.repl.show import signature_of


@cache
def operations() -> dict[str, tuple[str, str]]:
    """Return for each spelling of an operation its signature and the first sentence of its meaning."""
    import gradcli.ops

    return dict(cached("operation-help", stamp(os.path.dirname(gradcli.ops.__file__), ".py"), _collected))


def _collected() -> dict[str, tuple[str, str]]:
    from gradcli.ops.registry import rows

    return {
        name: (row.signature, row.doc.strip().split("\n")[0].split(". ")[0].rstrip(".").replace("`", ""))
        for row in rows()
        for name in row.names
    }


def help_of(path: str, value: Any, is_tensor: bool) -> tuple[str, str]:
    """Return signature and meaning of what a path leads to; empty where there is nothing to say.

    ``is_tensor`` says that the path's last name is a method of a tensor.
    """
    if isinstance(value, FunctionType) and value.__globals__.get("__name__") == "gx":
        return signature_of(value), ""
    last = path.rpartition(".")[2]
    known = operations()
    spellings = [f"Tensor.{last}", f"Tensor.{last.removesuffix('_')}"] if is_tensor else _spellings(path)
    found = next((known[name] for name in spellings if name in known), None)
    if found is None:
        return "", ""
    signature, meaning = found
    return (_as_method(signature) if is_tensor else signature), meaning


def _spellings(path: str) -> list[str]:
    path = path.replace("F.", "torch.nn.functional.", 1) if path.startswith("F.") else path
    bare = path.removeprefix("torch.")
    return [path, f"torch.{bare}", f"torch.nn.functional.{bare}"]


def _as_method(signature: str) -> str:
    """Return a signature without its first parameter, which a method has already."""
    name, _, rest = signature.partition("(")
    first, comma, more = rest.partition(",")
    return f"{name}({more.strip()}" if comma and "=" not in first else f"{name}()" if not comma else signature


def parameters_of(signature: str) -> list[str]:
    """Return the names of the parameters in a signature, in order; a lone ``*`` or ``/`` is none."""
    inside = signature.partition("(")[2].rpartition(")")[0]
    names, depth, start = [], 0, 0
    for index, char in enumerate(f"{inside},"):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            names.append(inside[start:index].partition("=")[0].partition(":")[0].strip())
            start = index + 1
    return [name for name in names if name.strip("*/")]

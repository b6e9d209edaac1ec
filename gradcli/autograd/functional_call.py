"""``torch.func.functional_call``: a module, or a function of named parameters, called with parameters of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gradcli.autograd.errors import error

_ABSENT = object()


def functional_call(
    module: Callable[..., Any],
    parameter_and_buffer_dicts: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Return ``module(*args, **kwargs)`` with the named parameters in place of its own, which come back afterwards.

    The parameters are one dictionary or several of them; a dotted name (``layer.weight``) leads into a part of the
    module. A plain function gets them by keyword. An ``args`` that is no tuple is the only argument. With ``strict`` a
    name that the module doesn't have, or one that is missing, is a RuntimeError. ``tie_weights`` is taken for PyTorch's
    sake: a parameter that a module holds twice is replaced under the names given.
    """
    named = _merged(parameter_and_buffer_dicts)
    words = dict(kwargs or {})
    values = () if args is None else args if isinstance(args, tuple) else (args,)
    if hasattr(module, "__code__"):  # a plain function keeps nothing to replace
        return module(*values, **{**named, **words})
    if strict:
        _check_names(module, named)
    with _replaced(module, named):
        return module(*values, **words)


def _merged(given: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return all parameters by name; TypeError for what is no dictionary, ValueError for a name given twice."""
    parts = [given] if isinstance(given, Mapping) else list(given)
    merged: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, Mapping):
            raise error(TypeError, "parameters", f"parameters are dictionaries by name, got {type(part).__name__}")
        for name, value in part.items():
            if name in merged:
                raise error(ValueError, "parameters", f"the parameter {name!r} is given twice")
            merged[name] = value
    return merged


def _check_names(module: Any, named: dict[str, Any]) -> None:
    own = {name for method in ("named_parameters", "named_buffers") for name, _ in getattr(module, method, tuple)()}
    missing, unknown = own - named.keys(), [name for name in named if name not in own]
    if missing or unknown:
        told = [f"{words}: {', '.join(sorted(names))}" for words, names in (("missing", missing), ("unknown", unknown))
                if names]  # fmt: skip
        raise error(RuntimeError, "parameters", f"strict=True: {'; '.join(told)}")


@contextmanager
def _replaced(module: Any, named: dict[str, Any]) -> Iterator[None]:
    """Set the named attributes, and restore what was there."""
    before: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for name, value in named.items():
            place, key = _place(module, name)
            before.append((place, key, place.get(key, _ABSENT)))
            place[key] = value
        yield
    finally:
        for place, key, value in reversed(before):
            if value is _ABSENT:
                del place[key]
            else:
                place[key] = value


def _place(module: Any, name: str) -> tuple[dict[str, Any], str]:
    """Return the dictionary that holds the attribute ``name`` of a module or of one of its parts, and its key there."""
    *path, key = name.split(".")
    for part in path:
        module = getattr(module, part)
    for store in ("_parameters", "_buffers"):
        if key in getattr(module, store, ()):
            return getattr(module, store), key
    return vars(module), key

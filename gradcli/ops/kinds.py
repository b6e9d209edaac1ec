"""Refusing the dtypes that an operation is not defined for, before NumPy does it in its own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradcli.autograd.errors import error

_WORDS = {"iuf": "real numbers", "biuf": "real numbers", "iu": "integers", "biu": "integers or bools", "f": "floats"}


def only(kinds: str, name: str, forward: Callable[..., Any], hint: str | None = None) -> Callable[..., Any]:
    """Return ``forward`` of two arrays of one dtype, refusing dtypes whose kind (NumPy's letter) is not in ``kinds``.

    NotImplementedError, as in PyTorch (which is a RuntimeError).
    """

    def checked(input: Any, other: Any) -> Any:
        if input.dtype.kind not in kinds:
            raise unfit(name, kinds, input, hint)
        return forward(input, other)

    return checked


def unfit(name: str, kinds: str, input: Any, hint: str | None = None) -> Exception:
    """Return the error of an operation that does not take the dtype of ``input``."""
    words = f"{name} takes {_WORDS[kinds]}, got {input.dtype.name}"
    return error(NotImplementedError, "dtype-mismatch", words, hint=hint)

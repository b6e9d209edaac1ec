"""What a line with ``#>`` was seen to print."""

from __future__ import annotations

from typing import Any

from gradcli.autograd.tensor import Tensor

_LARGEST = 1000  # larger tensors are summarised when printed, so their elements are never compared


class Observed(str):
    """A printed text, with the one value that it shows: a text has four digits of it, a comparison may want more."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, text: str, value: Any = None) -> Observed:
        """Keep ``value`` as it is now: a number, or a copy of a tensor, since the script may write to it later."""
        made = super().__new__(cls, text)
        made.value = None
        if isinstance(value, Tensor) and value._array.size <= _LARGEST:
            made.value = value._array.copy()
        elif isinstance(value, bool | int | float):
            made.value = value
        return made

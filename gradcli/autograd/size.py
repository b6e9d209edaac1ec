"""``torch.Size``: the shape of a tensor, a tuple that prints as PyTorch prints it."""

from __future__ import annotations

import math
from typing import Any


class Size(tuple[int, ...]):
    """A shape; slices and sums of sizes are sizes again."""

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements a tensor of this shape holds."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def __getitem__(self, index: Any) -> Any:
        item = super().__getitem__(index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other: Any) -> Size:
        return Size(super().__add__(tuple(other)))

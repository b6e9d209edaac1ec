"""Results of several tensors with named fields: they unpack like tuples and print as PyTorch's ``return_types``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar


class Result(tuple[Any, ...]):
    """A tuple whose items also have names; ``__match_args__`` lists them, as for PyTorch's own result types."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __new__(cls, items: Iterable[Any]) -> Result:
        """Make a result of one item for each field; TypeError for another number of them."""
        made = super().__new__(cls, items)
        if len(made) != len(cls.__match_args__):
            raise TypeError(f"{cls.__name__} has the fields {', '.join(cls.__match_args__)}, got {len(made)} items")
        return made

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={item!r}" for name, item in zip(self.__match_args__, self, strict=True))
        return f"{type(self).__module__}.{type(self).__name__}(\n{fields})"

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self).__name__, self.__match_args__, tuple(self))


def _rebuilt(name: str, fields: tuple[str, ...], items: tuple[Any, ...]) -> Result:
    """Return a result that was pickled: its class is found by its fields, the name alone would say less."""
    return result_type(name, " ".join(fields))(items)


def _field(index: int, name: str) -> property:
    return property(lambda self: self[index], doc=f"Item {index}: {name}.")


@cache
def result_type(name: str, fields: str) -> type[Result]:
    """Return the class ``torch.return_types.NAME`` with the given fields (separated by spaces), in their order.

    ``result_type("max", "values indices")((v, i))`` unpacks to ``v, i`` and has ``.values`` and ``.indices``.
    """
    names = tuple(fields.split())
    members: dict[str, Any] = {"__slots__": (), "__module__": "torch.return_types", "__match_args__": names}
    members.update({field: _field(index, field) for index, field in enumerate(names)})
    return type(name, (Result,), members)

"""The results of entries: ``Out[n]``, ``_``, ``__`` and ``___``, as names that a script's own come before."""

from __future__ import annotations

from typing import Any

SHORT = ("_", "__", "___")


class Results:
    """Values by the number of their entry. The names go into ``builtins``, so that assigning to them hides them."""

    def __init__(self, builtins: dict[str, Any]) -> None:
        self._builtins = builtins
        self.values: dict[int, Any] = {}
        self.publish()

    def add(self, number: int, value: Any) -> None:
        """Keep the value of an entry; the names move on."""
        self.values[number] = value
        self.publish()

    def publish(self) -> None:
        """Let the names mean the values that there are now."""
        self._builtins["Out"] = self.values
        for name in SHORT:
            self._builtins.pop(name, None)
        for name, number in self.numbers().items():
            self._builtins[name] = self.values[number]

    def numbers(self) -> dict[str, int]:
        """Return the entry that each of the short names stands for."""
        return dict(zip(SHORT, sorted(self.values, reverse=True), strict=False))

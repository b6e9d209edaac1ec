"""``check`` blocks and assertions while a script runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.source import Source, Span
from gradcli.ops.generator import default_generator

if TYPE_CHECKING:
    from gradcli.lang.session import Session

_PASSES_THROUGH = (TimeoutError, MemoryError)


class Parts(list[tuple[str, Any]]):
    """The parts of an asserted test as (text, value); a text is empty where it would only repeat the value.

    ``relation`` is what was asserted of them: ``==``, ``allclose``, ``all <``, ``not isfinite``, ...; ``options`` are
    the keywords of a call.
    """

    def __init__(
        self, parts: Iterable[tuple[str, Any]] = (), relation: str = "", options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(parts)
        self.relation = relation
        self.options = dict(options or {})


class AssertionFailed(Exception):
    """An ``assert`` that does not hold: its message, and the parts of its test."""

    def __init__(self, message: Any, parts: Parts) -> None:
        super().__init__(None if message is None else str(message))
        self.message = None if message is None else str(message)
        self.parts = parts


def failed(
    message: Any, relation: str, texts: tuple[str, ...], values: tuple[Any, ...], options: Mapping[str, Any]
) -> None:
    """Raise AssertionFailed: what an ``assert`` calls once its test is false."""
    raise AssertionFailed(message, Parts(zip(texts, values, strict=True), relation, options))


class CheckResult:
    """How a ``check`` block ended: ``diagnostic`` is None when it passed; ``parts`` those of the assertion."""

    __slots__ = ("diagnostic", "parts", "source", "span", "title")

    def __init__(self, title: str, source: Source, span: Span) -> None:
        self.title = title
        self.source = source
        self.span = span
        self.diagnostic: Diagnostic | None = None
        self.parts = Parts()

    @property
    def passed(self) -> bool:
        """Whether all of the block ran and every assertion in it held."""
        return self.diagnostic is None


class CheckBlock:
    """The guard around a ``check`` block: a failure is recorded and reported, then the script goes on.

    Random numbers after the block are those that would have come without it, so that leaving a check out, or adding
    one, changes no other.
    """

    def __init__(self, session: Session, result: CheckResult) -> None:
        self.session = session
        self.result = result
        self._numbers = default_generator.get_state()

    def __enter__(self) -> None:
        self.session.events.check_started(self.result.title)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        try:
            return self._ended(error)
        finally:
            default_generator.set_state(self._numbers)

    def _ended(self, error: BaseException | None) -> bool:
        """Record and report how the block ended; False for what must end the script too."""
        if error is not None and (not isinstance(error, Exception) or isinstance(error, _PASSES_THROUGH)):
            return False
        if isinstance(error, AssertionFailed):
            self.result.parts = error.parts
        if error is not None:
            self.result.diagnostic = self.session.explain(error)
        self.session.checks.append(self.result)
        self.session.events.check_finished(self.result)
        return True

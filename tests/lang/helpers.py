"""What the tests of the language share: running a text, and taking the diagnostic of one that fails."""

from __future__ import annotations

from typing import Any

import pytest

from gradcli.lang.checks import CheckResult
from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.events import Events
from gradcli.lang.session import Session, Settings
from gradcli.lang.source import Source


class Recorder(Events):
    """Events that remember what they were told."""

    def __init__(self) -> None:
        self.text = ""
        self.warnings: list[Diagnostic | str] = []
        self.values: list[tuple[str, Any]] = []
        self.finished: list[CheckResult] = []

    def printed(self, text: str) -> None:
        self.text += text

    def warned(self, warning: Diagnostic | str) -> None:
        self.warnings.append(warning)

    def value(self, text: str, value: Any) -> None:
        self.values.append((text, value))

    def check_finished(self, result: CheckResult) -> None:
        self.finished.append(result)


def run(text: str, **settings: Any) -> Session:
    """Run ``text`` and return its session; its events are a ``Recorder``."""
    session = Session(Recorder(), settings=Settings(**settings))
    session.run(Source(text, "test.gx"))
    return session


def printed(text: str, **settings: Any) -> str:
    """Return what ``text`` prints."""
    events = run(text, **settings).events
    assert isinstance(events, Recorder)
    return events.text


def failure(text: str, **settings: Any) -> Diagnostic:
    """Return the diagnostic of a text that must fail."""
    with pytest.raises(GxError) as caught:
        run(text, **settings)
    return caught.value.diagnostic


def marked(diagnostic: Diagnostic) -> str:
    """Return the source text under the primary label."""
    assert diagnostic.primary is not None
    return diagnostic.primary.source.slice(diagnostic.primary.span)

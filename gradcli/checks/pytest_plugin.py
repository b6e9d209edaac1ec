"""The pytest plugin: a ``.gx`` file gives the items that ``gradcli check`` runs, with the same ids.

pytest loads this at every start, so nothing of gradcli is imported before the first ``.gx`` file is met. A script is
run once, when the first of its items is; ``-k``, ``-x``, ``--lf``, xdist and the reports are pytest's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gradcli.checks.outline import Item
    from gradcli.checks.results import CheckResult, FileResult
    from gradcli.lang.diagnostic import Diagnostic


def _plain(diagnostic: Diagnostic, color: bool) -> str:
    return "\n".join([f"{diagnostic.kind} error[{diagnostic.code}]: {diagnostic.message}", *diagnostic.notes])


draw: Callable[[Diagnostic, bool], str] = _plain
"""How a diagnostic is drawn, with colour or without; the command line's package puts its renderer here."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a script, unless an ignore file leaves it out and nobody named it."""
    if file_path.suffix != ".gx":
        return None
    if not parent.session.isinitpath(file_path) and _is_ignored(file_path, parent.config):
        return None
    made: pytest.Collector = GxFile.from_parent(parent, path=file_path)
    return made


def _is_ignored(path: Path, config: pytest.Config) -> bool:
    """Tell whether ``.gitignore`` or ``.gradcliignore`` files leave a script out, from the root downwards."""
    from gradcli.checks.ignoring import Ignored

    top = config.rootpath
    ignored = Ignored.above(str(top), ())
    for folder in [*reversed([p for p in path.parents if p == top or top in p.parents])]:
        ignored = ignored.inside(str(folder))
    inner = [p for p in path.parents if top in p.parents]
    return ignored(str(path), False) or any(ignored(str(folder), True) for folder in inner)


class CheckFailed(Exception):
    """A check that does not hold, as pytest gets to see it."""

    def __init__(self, result: CheckResult) -> None:
        super().__init__("" if result.diagnostic is None else result.diagnostic.message)
        self.diagnostic = result.diagnostic


class GxFile(pytest.File):
    """A script; its items are what it holds to be checked."""

    result: FileResult | None = None

    def collect(self) -> Iterable[GxItem]:
        """Yield the items in the order of their lines; a script that can't be read is an error of the collection."""
        from gradcli.checks.collect import shown_path
        from gradcli.checks.outline import items_of
        from gradcli.lang.compiling import read_unit
        from gradcli.lang.diagnostic import GxError
        from gradcli.lang.reading import read_text
        from gradcli.lang.source import Source

        self.shown = shown_path(str(self.path))
        try:
            unit = read_unit(Source(read_text(self.shown), self.shown))
        except GxError as mistake:
            raise self.CollectError(draw(mistake.diagnostic, has_color(self.config))) from None
        for item in items_of(unit, self.shown):
            yield GxItem.from_parent(self, name=item.title, item=item)

    def outcome(self, item: Item) -> tuple[CheckResult | None, CheckResult | None]:
        """Return the result of an item, and what went wrong with the script itself where this item is to tell it.

        That is the first item that the script never came to, or the last one when it came to all of them.
        """
        if self.result is None:
            self.result = self._run()
        results = {check.id: check for check in self.result.checks}
        broken = next((check for check in self.result.checks if check.kind == "file"), None)
        own = [check for check in self.result.checks if check.kind != "file"]
        teller = next((check for check in own if check.outcome == "skipped"), own[-1] if own else None)
        return results.get(item.id), broken if teller is None or teller.id == item.id else None

    def _run(self) -> FileResult:
        """Run the script for those of its items that pytest has chosen."""
        from gradcli.checks.results import CheckSettings
        from gradcli.checks.runner import run_file

        chosen = [item for item in self.session.items if isinstance(item, GxItem) and item.parent is self]
        return run_file(self.shown, CheckSettings(only=frozenset(one.item.id for one in chosen)))

    def spare_time(self) -> float:
        """Return, once, the time of the run that belongs to no single check."""
        if self.result is None:
            return 0.0
        spare = self.result.duration - sum(check.duration for check in self.result.checks)
        self.result.duration -= max(spare, 0.0)
        return max(spare, 0.0)


class GxItem(pytest.Item):
    """One check of a script."""

    def __init__(self, *, item: Item, **more: Any) -> None:
        super().__init__(**more)
        self.item = item
        self.seconds: float | None = None

    def runtest(self) -> None:
        """Run the script, if that was not done yet, and raise what is wrong with this check."""
        file = self.parent
        assert isinstance(file, GxFile)
        result, broken = file.outcome(self.item)
        self.seconds = file.spare_time() + (result.duration if result else 0.0)
        bad = result if result is not None and result.bad else broken
        if bad is not None:
            if file.result is not None and file.result.stdout:
                self.add_report_section("call", "stdout", file.result.stdout)
            raise CheckFailed(bad)
        if result is None or result.outcome == "skipped":
            pytest.skip("the script ended before it came here")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return a failed check as the diagnostic that ``gradcli check`` shows."""
        failure = excinfo.value
        if isinstance(failure, CheckFailed) and failure.diagnostic is not None:
            return draw(failure.diagnostic, has_color(self.config))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line from 0 and the title."""
        return self.path, self.item.line - 1, self.name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Tell how long the check itself took: the script as a whole ran when its first item did."""
    report = yield
    if isinstance(item, GxItem) and call.when == "call" and item.seconds is not None:
        report.duration = item.seconds
    return report


def has_color(config: pytest.Config) -> bool:
    """Tell whether pytest writes in colour."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return bool(getattr(reporter, "hasmarkup", False))

"""The checks of a command line: files in order, the ids that are wanted of each, and where to stop."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from gradcli.checks.collect import BadPath, Target, collect
from gradcli.checks.outline import Item, items_of
from gradcli.checks.results import CheckSettings, FileResult
from gradcli.checks.workers import Task
from gradcli.lang.compiling import read_unit
from gradcli.lang.diagnostic import GxError
from gradcli.lang.reading import read_text
from gradcli.lang.source import Source


def choose(targets: Sequence[Target], exclude: tuple[str, ...], settings: CheckSettings) -> list[Task]:
    """Return the files that ``targets`` mean, each once, with the ids that are wanted of them.

    BadPath when a target names a check that its file doesn't have, GxError when such a file can't be read.
    """
    wanted: dict[str, frozenset[str] | None] = {}
    for target in targets:
        for file in collect([target.path], exclude):
            if target.title is None:
                wanted[file] = None
            elif wanted.get(file, frozenset()) is not None:
                wanted[file] = (wanted.get(file) or frozenset()) | {_id_of(file, target.title, settings)}
    return [Task(file, dataclasses.replace(settings, only=only)) for file, only in wanted.items()]


def outline(file: str) -> list[Item]:
    """Return what a file holds to be checked, without running it; GxError when it can't be read."""
    return items_of(read_unit(Source(read_text(file), file)), file)


def _id_of(file: str, title: str, settings: CheckSettings) -> str:
    items = outline(file)
    for item in items:
        if item.title == title:
            return item.id
    if settings.grad:  # gradients are known by name only when the script has run
        return f"{file}::{title}"
    known = ", ".join(item.title for item in items[:8])
    raise BadPath(f"{file} has no check {title!r}; it has {known or 'none'}")


def only_failed(tasks: Iterable[Task], failed: Iterable[str]) -> list[Task]:
    """Return the tasks for checks that failed before; all of them when none of those is among them."""
    ids = set(failed)
    kept = []
    for task in tasks:
        own = frozenset(id for id in ids if id.startswith(f"{task.file}::"))
        if task.file in ids or (own and not _all_known(task, own)):
            kept.append(task)
        elif own:
            only = own if task.settings.only is None else own & task.settings.only
            kept.append(Task(task.file, dataclasses.replace(task.settings, only=only)))
    return kept or list(tasks)


def _all_known(task: Task, ids: frozenset[str]) -> bool:
    """Tell whether ids are known before the script runs: an assertion inside of a function is not."""
    try:
        return task.settings.grad or ids <= {item.id for item in outline(task.file)}
    except GxError:
        return False


def until(results: Iterator[FileResult], limit: int | None) -> Iterator[FileResult]:
    """Yield results up to the check that is the last of ``limit`` failures."""
    left = limit
    for result in results:
        if left is not None:
            for index, check in enumerate(result.checks, 1):
                left -= check.bad
                if left == 0:
                    result.checks = result.checks[:index]
                    break
        yield result
        if left == 0:
            return

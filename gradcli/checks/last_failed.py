"""Which checks failed last time, remembered by working folder for ``--lf``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from gradcli.cache import cache_path
from gradcli.checks.results import FileResult
from gradcli.checks.written import write_whole


def load() -> list[str]:
    """Return the ids that failed when last checked from here; none when nothing is remembered."""
    try:
        with open(_path(), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return []
    return [id for id in found if isinstance(id, str)] if isinstance(found, list) else []


def store(results: Iterable[FileResult]) -> None:
    """Remember what failed now; what was not checked this time keeps its former state."""
    before, bad = load(), []
    done: set[str] = set()
    for result in results:
        done |= {check.id for check in result.checks if check.outcome != "skipped"}
        bad += [check.id for check in result.bad]
        if result.checks:
            done.add(result.file)  # it was read, so that an error of the file as a whole is over unless it came again
    kept = [id for id in before if id not in done and os.path.exists(id.partition("::")[0])]
    try:
        os.makedirs(os.path.dirname(_path()), exist_ok=True)
        write_whole(_path(), json.dumps(list(dict.fromkeys([*kept, *bad]))))
    except OSError:
        return  # as with every cache: next time all checks run


def _path() -> str:
    return cache_path("failed", (os.getcwd(),))

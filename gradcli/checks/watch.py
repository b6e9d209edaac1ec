"""``--watch``: noticing which files have changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

Stamp = tuple[int, int]


def stamps(files: Iterable[str]) -> dict[str, Stamp]:
    """Return time and size of each file that is there, and of the files beside it: a script may load those."""
    found: dict[str, Stamp] = {}
    for folder in dict.fromkeys(os.path.dirname(file) or "." for file in files):
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_file():
                        status = entry.stat()
                        found[os.path.normpath(entry.path)] = status.st_mtime_ns, status.st_size
        except OSError:  # the folder went away, or a file in it while it was read: seen as a change
            continue
    return found


def changed(before: dict[str, Stamp], now: dict[str, Stamp]) -> set[str]:
    """Return the files that are new, gone or different."""
    return {file for file in before.keys() | now.keys() if before.get(file) != now.get(file)}


def wait_for_change(look: Callable[[], dict[str, Stamp]], before: dict[str, Stamp], pause: float = 0.3) -> set[str]:
    """Wait until ``look`` sees something else than ``before``, and settle; return the files that changed."""
    while not changed(before, now := look()):
        time.sleep(pause)
    time.sleep(pause)
    while changed(now, later := look()):  # an editor may write in several steps
        now = later
        time.sleep(pause)
    return changed(before, now)

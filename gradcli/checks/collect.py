"""Which scripts are checked: the files that were named, and those below the folders that were."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from gradcli.checks.ignoring import IGNORE_FILES, Ignored

SUFFIX = ".gx"
_NEVER = {"__pycache__", "node_modules", "venv", "build", "dist"}


class BadPath(ValueError):
    """A path of the command line that there is no script for."""


class Target(NamedTuple):
    """A path of the command line; ``title`` is what follows ``::``, the one check of the file that is wanted."""

    path: str
    title: str | None


def parse_target(word: str) -> Target:
    """Return the target of ``PATH`` or ``PATH::title``; BadPath when there is no such file or folder."""
    path, found, title = word, "", ""
    if not os.path.exists(word):
        path, found, title = word.partition("::")
    if not os.path.exists(path):
        raise BadPath(f"there is no file or folder {path}")
    if found and os.path.isdir(path):
        raise BadPath(f"{path} is a folder; `::` follows the name of a script")
    return Target(path, title if found else None)


def collect(paths: list[str], exclude: tuple[str, ...] = ()) -> list[str]:
    """Return the scripts that ``paths`` mean, each once, as they are shown: relative to here where they are below it.

    The paths count in their order, the scripts of a folder in the order of their names. Folders leave out what
    ``.gitignore`` and ``.gradcliignore`` files say, hidden folders, environments and what is built; ``exclude`` adds
    patterns of the same kind. A file that is named is always taken. What can't be read, be it a folder, an ignore file
    or a link that leads nowhere, is among the scripts too: whoever reads it will say so, and the others are still run.
    """
    found: dict[str, str] = {}
    for path in paths:
        for script in _below(path, Ignored.above(path, exclude)) if os.path.isdir(path) else [path]:
            found.setdefault(os.path.realpath(script), shown_path(script))
    return list(found.values())


def _below(folder: str, ignored: Ignored) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield folder
        return
    ignored = ignored.inside(folder)
    for entry in ordered:
        path = os.path.join(folder, entry.name)
        if entry.name in IGNORE_FILES and not os.access(path, os.R_OK):
            yield path
        elif entry.is_dir(follow_symlinks=False):
            if not _is_private(entry.name, path) and not ignored(path, True):
                yield from _below(path, ignored)
        elif entry.name.endswith(SUFFIX) and _is_script(entry) and not ignored(path, False):
            yield path


def _is_script(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry is a file, or a link to one; a link that leads nowhere was meant to be one."""
    return (entry.is_symlink() and not os.path.exists(entry.path)) or entry.is_file()


def _is_private(name: str, path: str) -> bool:
    return name.startswith(".") or name in _NEVER or os.path.exists(os.path.join(path, "pyvenv.cfg"))


def shown_path(path: str) -> str:
    """Return ``path`` as reports show it: with slashes, and relative where it is below the working folder."""
    relative = os.path.relpath(path)
    chosen = path if relative.startswith(os.pardir) and os.path.isabs(path) else relative
    return chosen.replace(os.sep, "/")

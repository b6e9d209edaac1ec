"""A small cache of things that are made once from the program's own files: parse tables, the index of operations.

An entry is kept with the key it was made from and read only where the key is the same, so it can't go stale. It is
written to a temporary file and moved into place, so that several processes can write at once. A cache that can't be
read or written is never an error: the thing is made again.
"""

from __future__ import annotations

import marshal
import os
import sys
from binascii import crc32
from collections.abc import Callable
from typing import Any

from gradcli.version import __version__


def cached(name: str, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """Return the entry ``name`` made from ``key``, from the cache or by ``make``; both hold plain data only."""
    path = cache_path(name, key)
    found = _read(path, key)
    if found is None:
        found = make()
        _write(path, key, found)
    return found


def cache_path(name: str, key: tuple[Any, ...]) -> str:
    """Return the file of an entry: below ``$XDG_CACHE_HOME/gradcli``, by default ``~/.cache/gradcli``."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return os.path.join(base, "gradcli", f"{name}-{__version__}-py{python}-{crc32(marshal.dumps(key, 2)):08x}")


def stamp(folder: str, ending: str) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of each file in ``folder`` that ends so: a key for what is made from them."""
    with os.scandir(folder) as entries:
        files = [(e.name, e.stat()) for e in entries if e.name.endswith(ending)]
    return tuple(sorted((name, s.st_size, s.st_mtime_ns) for name, s in files))


def _read(path: str, key: tuple[Any, ...]) -> Any:
    try:
        with open(path, "rb") as file:
            known, entry = marshal.loads(file.read())
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return entry if known == key else None


def _write(path: str, key: tuple[Any, ...], entry: Any) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(marshal.dumps((key, entry)))
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return

"""The folder that an entry's ``load`` and ``save`` start from: the session's, or that of the script that runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gradcli.lang.files import Files


class SessionFiles(Files):
    """Files below the working folder and those that the shell allows; a script's own folder while it runs."""

    def __init__(self, folder: str, read: Iterable[str] = (), write: Iterable[str] = ()) -> None:
        super().__init__(folder, read, write)

    @contextmanager
    def inside(self, folder: str | None) -> Iterator[None]:
        """Let paths start from ``folder`` inside the body."""
        before = self._folder, self._read, self._write
        if folder is not None:
            self._folder, self._read, self._write = folder, (folder, *self._read), (folder, *self._write)
        try:
            yield
        finally:
            self._folder, self._read, self._write = before

"""Earlier entries, kept in a file that several sessions share: each entry is one line of JSON, written at once."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History

MAX_LOADED = 3_000
_MAX_BYTES = 4_000_000  # a file that has grown beyond is cut to its newer half


def history_path() -> str:
    """Return the file: below ``$XDG_STATE_HOME/gradcli``, by default ``~/.local/state/gradcli``."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "gradcli", "history")


class SharedHistory(History):
    """History in a file; what another session adds meanwhile is there at the next prompt.

    An entry is appended under a lock and flushed to the disk before it runs, so a crash loses nothing; a line that was
    cut off by a full disk is left out when the file is read. ``problem`` says why entries can't be kept, if so.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.problem: str | None = None
        self._path = path
        self._seen: tuple[int, int] | None = None

    async def load(self) -> AsyncGenerator[str, None]:
        """Yield entries, newest first; the file is read again when it has changed."""
        self.refresh()
        for entry in self._loaded_strings:
            yield entry

    def refresh(self) -> None:
        """Take over what has been added to the file since it was read."""
        stamp = self._stamp()
        if stamp is not None and stamp != self._seen:
            self._loaded_strings = list(self.load_history_strings())
            self._seen = stamp

    def load_history_strings(self) -> Iterable[str]:
        """Return the entries of the file, newest first."""
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                lines = file.read().split("\n")
        except OSError:
            return []
        entries = [entry for line in lines[-MAX_LOADED:] if (entry := _entry_of(line)) is not None]
        return entries[::-1]

    def store_string(self, string: str) -> None:
        """Append one entry."""
        try:
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            with _locked(self._path) as file:
                _cut(file)
                file.seek(0, os.SEEK_END)
                file.write(_separator(file) + json.dumps(string).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            self.problem = f"{self._path}: {(problem.strerror or str(problem)).lower()}"

    def _stamp(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns


@contextmanager
def _locked(path: str) -> Iterator[IO[bytes]]:
    """Open the file for reading and appending while no other session does."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with open(descriptor, "r+b") as file:
        _lock(descriptor)
        yield file


def _lock(descriptor: int) -> None:
    """Wait until no other session writes; where the system has no such locks, appending a line at once has to do."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def _separator(file: IO[bytes]) -> bytes:
    """Return the line end that a cut-off last line lacks."""
    if file.tell() == 0:
        return b""
    file.seek(-1, os.SEEK_END)
    return b"" if file.read(1) == b"\n" else b"\n"


def _cut(file: IO[bytes]) -> None:
    """Drop the older half of a file that has become large."""
    file.seek(0, os.SEEK_END)
    if file.tell() < _MAX_BYTES:
        return
    file.seek(_MAX_BYTES // 2)
    kept = file.read().partition(b"\n")[2]
    file.seek(0)
    file.write(kept)
    file.truncate()


def _entry_of(line: str) -> str | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, str) else None


class Suggest(AutoSuggest):
    """Suggests the rest of the newest entry that begins with what is typed."""

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """Return the rest of a line to show in grey, or None."""
        text = document.text
        if not text.strip() or "\n" in text or not document.is_cursor_at_the_end:
            return None
        strings = buffer.history.get_strings()
        found = next((entry for entry in reversed(strings) if entry.startswith(text) and len(entry) > len(text)), None)
        return None if found is None else Suggestion(found[len(text) :].partition("\n")[0])

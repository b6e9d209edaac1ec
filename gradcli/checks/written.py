"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress


def write_whole(path: str, text: str) -> None:
    """Write ``text`` to ``path`` as UTF-8 such that a reader sees the old content or the new, never a part.

    A file that exists keeps its permissions, a link what it points to; a device or a pipe is written to directly.
    Characters that UTF-8 has no bytes for are written as ``\\udc80``. OSError when it can't be done.
    """
    data = text.encode("utf-8", "backslashreplace")
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            file.write(data)
        return
    path = os.path.realpath(path)
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with suppress(FileNotFoundError):
            os.unlink(temporary)  # of a process that was killed: in a container the next one has the same number
        with open(temporary, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def check_writable(path: str) -> None:
    """Raise OSError with the words for a person where ``write_whole`` can't do it; nothing is written."""
    mode = _mode(path)
    folder = os.path.dirname(os.path.realpath(path))
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{path} is a folder")
    is_device = mode is not None and not stat.S_ISREG(mode)
    if not is_device and not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder}")
    needed = [path] if is_device else [folder] if mode is None else [folder, path]
    if not all(os.access(one, os.W_OK) for one in needed):
        raise PermissionError(f"{path} is not writable" if needed[-1] == path else f"{folder} is not writable")


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None

"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat


def write_whole(path: str, text: str) -> None:
    """Write ``text`` to ``path`` as UTF-8 such that a reader sees the old content or the new, never a part.

    A file that exists keeps its permissions, a link what it points to; a device or a pipe is written to directly.
    Characters that UTF-8 has no bytes for are written as ``\\udc80``. OSError when it can't be done.
    """
    data = text.encode("utf-8", "backslashreplace")
    path = os.path.realpath(path)
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            file.write(data)
        return
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None

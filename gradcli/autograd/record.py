"""Where a recorded operation was written: the frame of the user's code.

A node keeps the code object and the index of the last instruction; the span is worked out only when it is shown.
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

_frame = sys._getframe
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


_ours: set[str] = set()  # files of this package that frames have been found in


class _User:
    """The namespace of the running script, and the place that nodes made while differentiating inherit.

    ``code`` is a code object of the user's, the one seen last: a frame that runs it needs no more looking at.
    """

    __slots__ = ("code", "globals", "place")

    def __init__(self) -> None:
        self.code: CodeType | None = None
        self.globals: dict[str, Any] | None = None
        self.place: tuple[CodeType | None, int] | None = None


user = _User()


def set_user_globals(namespace: dict[str, Any] | None) -> dict[str, Any] | None:
    """Name the namespace whose frames are the user's code; return the one that was set before."""
    before = user.globals
    user.globals = namespace
    user.code = None
    return before


def users(frame: FrameType) -> bool:
    """Return whether ``frame`` runs the user's code: the script's where one is running, else any outside this package.
    """
    if user.globals is not None:
        return frame.f_globals is user.globals
    return not frame.f_code.co_filename.startswith(_PACKAGE)


def place(depth: int = 1) -> tuple[CodeType | None, int]:
    """Return (code, last instruction) of the nearest frame of the user's code above the caller."""
    return place_from(_frame(depth + 1))


def place_from(frame: FrameType | None) -> tuple[CodeType | None, int]:
    """Return (code, last instruction) of the nearest frame of the user's code, ``frame`` or above it."""
    if user.place is not None:
        return user.place
    namespace, known = user.globals, user.code
    while frame is not None:
        code = frame.f_code
        if code is known:
            return code, frame.f_lasti
        if frame.f_globals is namespace or (namespace is None and code.co_filename not in _ours and _foreign(code)):
            user.code = code
            return code, frame.f_lasti
        frame = frame.f_back
    return None, -1


def _foreign(code: CodeType) -> bool:
    """Return whether ``code`` is from outside this package; remember its file where it is not."""
    if not code.co_filename.startswith(_PACKAGE):
        return True
    _ours.add(code.co_filename)
    return False

"""Where a recorded operation was written: the frame of the user's code.

A node keeps the code object and the index of the last instruction; the span is worked out only when it is shown.
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class _User:
    """The namespace of the running script, and the place that nodes made while differentiating inherit."""

    __slots__ = ("globals", "place")

    def __init__(self) -> None:
        self.globals: dict[str, Any] | None = None
        self.place: tuple[CodeType | None, int] | None = None


user = _User()


def set_user_globals(namespace: dict[str, Any] | None) -> dict[str, Any] | None:
    """Name the namespace whose frames are the user's code; return the one that was set before."""
    before = user.globals
    user.globals = namespace
    return before


def users(frame: FrameType) -> bool:
    """Return whether ``frame`` runs the user's code: the script's where one is running, else any outside this package.
    """
    if user.globals is not None:
        return frame.f_globals is user.globals
    return not frame.f_code.co_filename.startswith(_PACKAGE)


def place(depth: int = 1) -> tuple[CodeType | None, int]:
    """Return (code, last instruction) of the nearest frame of the user's code above the caller."""
    if user.place is not None:
        return user.place
    frame: FrameType | None = sys._getframe(depth + 1)
    namespace = user.globals
    while frame is not None:
        if frame.f_globals is namespace:
            return frame.f_code, frame.f_lasti
        if namespace is None and not frame.f_code.co_filename.startswith(_PACKAGE):
            return frame.f_code, frame.f_lasti
        frame = frame.f_back
    return None, -1

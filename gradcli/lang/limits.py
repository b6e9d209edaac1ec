"""Bounds on the time that a script takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gradcli.autograd.errors import error

_FOREVER = 1e8  # seconds: three years, beyond which clocks of the system overflow
GRACE = 2.0  # seconds between the signal and the end of the process


def timeout_words(seconds: float | None) -> tuple[str, str]:
    """Return message and hint of the error of a script that ran too long."""
    return f"the script ran longer than {seconds or 0:g} seconds and was stopped", "allow more with --timeout"


@contextmanager
def time_limit(seconds: float | None, overdue: Callable[[], None]) -> Iterator[None]:
    """Raise TimeoutError, at the instruction that is running, once the body has taken ``seconds`` of wall time.

    A signal is noticed between two instructions only. ``overdue`` is called, in a thread of its own, when one
    operation of NumPy's goes on for a while after that.
    """
    if not seconds or seconds > _FOREVER:
        yield
        return
    import signal
    import threading

    def stop(number: int, frame: Any) -> None:
        message, hint = timeout_words(seconds)
        raise error(TimeoutError, "timeout", message, label="it was here", hint=hint)

    before = signal.signal(signal.SIGALRM, stop)
    # repeated: code that swallows the first signal (a destructor, a callback) is stopped by a later one
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    watch = threading.Timer(seconds + GRACE, overdue)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def running_line(file_name: str) -> int | None:
    """Return the line of ``file_name`` in which the main thread is, innermost first."""
    import threading

    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and frame.f_code.co_filename != file_name:
        frame = frame.f_back
    return None if frame is None else frame.f_lineno

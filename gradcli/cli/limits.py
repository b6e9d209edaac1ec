"""Bounds on time and memory for scripts that are not trusted."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gradcli.autograd.errors import error
from gradcli.cli.problems import UsageProblem

_GRACE = 2.0  # seconds between the signal and the end of the process
_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)


def parse_size(text: str) -> int:
    """Return the bytes meant by ``500M``, ``1.5G`` or ``4096`` (units of 1024); UsageProblem for anything else."""
    found = _SIZE.fullmatch(text.strip())
    size = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if size <= 0:
        raise UsageProblem(f"--max-memory {text!r} is not a size", "a number with K, M or G, such as 500M")
    return size


def timeout_words(seconds: float | None) -> tuple[str, str]:
    """Return message and hint of the error of a script that ran too long."""
    return f"the script ran longer than {seconds or 0:g} seconds and was stopped", "allow more with --timeout"


@contextmanager
def time_limit(seconds: float | None, overdue: Callable[[], None]) -> Iterator[None]:
    """Raise TimeoutError, at the instruction that is running, once the body has taken ``seconds`` of wall time.

    A signal is noticed between two instructions only. ``overdue`` is called, in a thread of its own, when one
    operation of NumPy's goes on for a while after that.
    """
    if not seconds:
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
    watch = threading.Timer(seconds + _GRACE, overdue)
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


@contextmanager
def memory_limit(size: int | None) -> Iterator[None]:
    """Make allocations beyond ``size`` bytes, counted from now on, fail with MemoryError inside the body."""
    if size is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + size
    bounds = [bound for bound in (soft, hard) if bound != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *bounds]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    """Return the bytes of address space that the process has now: libraries and threads claim more than they use."""
    import resource

    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux: the peak is the nearest that the system tells
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * (1 if sys.platform == "darwin" else 1024)

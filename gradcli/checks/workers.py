"""Files checked in processes of their own: several at once, each able to crash or hang without harm to the others.

A worker is a new interpreter that gets pickled tasks on its standard input and answers on its standard output. It is
not forked: threads of NumPy's libraries don't survive that. The process that hands out the work needs no NumPy.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import IO, NamedTuple

from gradcli.checks.results import CheckSettings, FileResult, file_error
from gradcli.lang.diagnostic import Diagnostic

_START = "import sys; sys.path[:] = {path!r}; from gradcli.checks.workers import serve; serve()"
_SLACK = 6.0  # seconds after its time limit until a worker that answers nothing is killed
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Task(NamedTuple):
    """One file to check."""

    file: str
    settings: CheckSettings


def run_tasks(tasks: Sequence[Task], jobs: int) -> Iterator[FileResult]:
    """Check every file and yield the results in the order of ``tasks``, whichever ends first.

    One job without time limits runs in this process, anything else in workers.
    """
    if jobs > 1 or any(task.settings.timeout for task in tasks):
        yield from _Pool(tasks, min(jobs, len(tasks))).results()
        return
    from gradcli.checks.runner import run_file

    for task in tasks:
        yield run_file(*task)


class _Pool:
    """A thread for each worker: it takes the next task, waits for the answer and puts it into a queue."""

    def __init__(self, tasks: Sequence[Task], jobs: int) -> None:
        self._tasks = tasks
        self._waiting: Iterator[tuple[int, Task]] = iter(enumerate(tasks))
        self._lock = threading.Lock()
        self._done: queue.SimpleQueue[tuple[int, FileResult | Exception]] = queue.SimpleQueue()
        self._workers = [_Worker(jobs) for _ in range(jobs)]

    def results(self) -> Iterator[FileResult]:
        """Start and yield the results in order; however this ends, no worker is left behind."""
        for worker in self._workers:
            threading.Thread(target=self._serve, args=(worker,), daemon=True).start()
        early: dict[int, FileResult | Exception] = {}
        try:
            for index in range(len(self._tasks)):
                while index not in early:
                    arrived, result = self._done.get()
                    early[arrived] = result
                found = early.pop(index)
                if isinstance(found, Exception):
                    raise found
                yield found
        finally:
            with self._lock:
                self._waiting = iter(())
            for worker in self._workers:
                worker.close()

    def _serve(self, worker: _Worker) -> None:
        while (task := self._next()) is not None:
            index, work = task
            try:
                self._done.put((index, worker.run(work)))
            except Exception as fault:  # the thread that waits for the result must hear of it
                self._done.put((index, fault))

    def _next(self) -> tuple[int, Task] | None:
        with self._lock:
            return next(self._waiting, None)


class _Worker:
    """A process that checks one file after the other; a new one takes its place when it has died."""

    def __init__(self, jobs: int) -> None:
        self._threads = str(max(1, (os.cpu_count() or 1) // jobs))
        self._process = self._start()
        self._closed = False

    def _start(self) -> subprocess.Popen[bytes]:
        # all workers together use as many threads as one process would
        environment = {**dict.fromkeys(_THREADS, self._threads), **os.environ}
        path = [os.path.abspath(entry) for entry in sys.path]
        words = [sys.executable, "-c", _START.format(path=path)]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def run(self, task: Task) -> FileResult:
        """Return the result of one file; a worker that dies over it is this file's error."""
        started = perf_counter()
        if self._process.poll() is not None:
            self._process = self._start()
        if self._closed:
            self._process.kill()
        process, killed = self._process, threading.Event()

        def kill() -> None:
            killed.set()
            process.kill()

        limit = task.settings.timeout
        timer = threading.Timer(limit + _SLACK, kill) if limit else None
        if timer:
            timer.start()
        try:
            _send(process.stdin, task)
            answer, last = _receive(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            return _lost(task, process.wait(), killed.is_set(), perf_counter() - started)
        finally:
            if timer:
                timer.cancel()
        if last:
            process.wait()
        assert isinstance(answer, FileResult)
        return answer

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._closed = True
        self._process.kill()
        self._process.wait()


def _send(stream: IO[bytes] | None, value: object) -> None:
    assert stream is not None
    stream.write(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    stream.flush()


def _receive(stream: IO[bytes] | None) -> tuple[object, bool]:
    assert stream is not None
    answer, last = pickle.load(stream)
    return answer, last


def _lost(task: Task, status: int, killed: bool, duration: float) -> FileResult:
    """Return the result of a file whose worker is gone."""
    if killed:
        from gradcli.lang.limits import timeout_words

        message, hint = timeout_words(task.settings.timeout)
        error = Diagnostic("runtime", "timeout", message, help=hint)
    else:
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        help = "the system ends a process so that needs too much memory" if status == -9 else None
        error = Diagnostic("runtime", "crashed", f"the process that ran this file was ended {how}", help=help)
    return FileResult(task.file, [file_error(task.file, error, duration)], duration)


class _Answers:
    """The way home of one worker: each task is answered once, by the script's end or by the clock."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._open = False

    def begin(self) -> None:
        """Await the answer of a new task."""
        self._open = True

    def give(self, result: FileResult) -> None:
        """Answer, unless that was done."""
        with self._lock:
            if self._open:
                self._open = False
                _send(self._stream, (result, False))

    def give_last(self, result: FileResult) -> None:
        """Answer, unless that was done, and end the process."""
        with self._lock:
            if self._open:
                _send(self._stream, (result, True))
                os._exit(1)


def serve() -> None:
    """Be a worker: check files until there are no more, then end."""
    # what is printed by accident, by a C library for one, must not get between the answers
    answers = _Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted parent ends its workers itself

    import gc

    from gradcli.checks.runner import run_file

    # as for one script: a growing graph is all live objects
    gc.set_threshold(50_000, 20, 20)
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    threading.Thread(target=_read_tasks, args=(tasks,), daemon=True).start()
    while True:
        task = tasks.get()
        answers.begin()
        answers.give(run_file(task.file, task.settings, answers.give_last))


def _read_tasks(tasks: queue.SimpleQueue[Task]) -> None:
    """Read tasks as they come. Their end is that of the parent, however it died: then nobody wants the answer."""
    try:
        while True:
            tasks.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)

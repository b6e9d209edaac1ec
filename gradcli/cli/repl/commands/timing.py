""":time: how long an expression takes."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.cli.repl.shell import Shell

_REPEATS = 5
_ENOUGH = 0.1  # seconds of one repeat, so that the clock's own steps don't count
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


@command("e")
def time(shell: Shell, text: str) -> None:
    """Say how long an expression or a statement takes: the best of several runs.

    What it changes is undone afterwards.
    """
    if not text:
        raise problem(":time takes an expression", "for example :time w @ x")
    with shell.trial():
        run = shell.session.repeated(text, ":time")
        count, first = _calibrated(run)
        seconds = [first / count]
        if first < 1.0:
            seconds += [_seconds(run, count) / count for _ in range(_REPEATS - 1)]
    spread = f", worst {in_words(max(seconds))}" if len(seconds) > 1 else ""
    shell.write(f"{in_words(min(seconds))} (best of {len(seconds)} x {count:,} runs{spread})\n")


def _calibrated(run: Callable[[int], None]) -> tuple[int, float]:
    """Return how many runs take long enough to be timed, and the time they took."""
    count, taken = 1, _seconds(run, 1)
    while taken < _ENOUGH and count < 1_000_000:
        count = min(count * 10, max(count * 2, int(count * _ENOUGH / max(taken, 1e-9))))
        taken = _seconds(run, count)
    return count, taken


def _seconds(run: Callable[[int], None], count: int) -> float:
    started = perf_counter()
    run(count)
    return perf_counter() - started


def in_words(seconds: float) -> str:
    """Return a time in the unit that fits: 1.23 ms."""
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), _UNITS[-1])
    return f"{seconds / size:.3g} {unit}"

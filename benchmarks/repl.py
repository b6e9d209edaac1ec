"""The interactive session: from the start to the first prompt, and from a key press to the drawn screen.

Start is measured on a pseudo-terminal against a bare ``import numpy, prompt_toolkit``, both with compiled modules. Keys
are typed into a session of 500 names and 2,000 earlier entries.
"""

from __future__ import annotations

import io
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable

import pexpect
from common import options, report, take_turns, whole_process
from prompt_toolkit.data_structures import Size
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from gradcli.cli.repl.prompt import Prompt
from gradcli.cli.repl.shell import Shell, ShellOptions
from gradcli.cli.terminal import Color

FRAME = 16  # milliseconds
LINES = 1_000


def to_the_prompt(folder: str) -> Callable[[], float]:
    """Return a function that starts a session and gives the seconds until its prompt is there."""

    def once() -> float:
        started = time.perf_counter()
        child = pexpect.spawn(
            sys.executable,
            ["-m", "gradcli", "repl"],
            env={**os.environ, "XDG_STATE_HOME": folder, "TERM": "xterm-256color"},
            timeout=20,
        )
        child.expect(r"In \[1\]")
        taken = time.perf_counter() - started
        child.close(force=True)
        return taken

    return once


class Nowhere(io.StringIO):
    """A terminal's file that swallows what is written."""

    encoding = "utf-8"  # type: ignore[assignment]

    def fileno(self) -> int:
        return 1


def long_session() -> tuple[Shell, InMemoryHistory]:
    shell, history = Shell(ShellOptions(Color.ALWAYS, True)), InMemoryHistory()
    shell.submit("leaf x = [1.0, 2.0]")
    for number in range(500):
        shell.submit(f"def name{number}(a):\n    b = a * {number}\n\n    return b")
    for number in range(2_000):
        history.append_string(f"z{number} = sum(x) * {number}")
    return shell, history


def prompt_of(shell: Shell, history: InMemoryHistory, keyboard: PipeInput) -> Prompt:
    output = Vt100_Output(Nowhere(), lambda: Size(40, 100), term="xterm")
    output.flush = output._buffer.clear  # type: ignore[method-assign]
    return Prompt(shell, history, False, keyboard, output)


def key_times(keys: str) -> list[float]:
    """Return the seconds from each key press until the screen has been drawn."""
    found: list[float] = []
    with create_pipe_input() as keyboard:
        prompt = prompt_of(*long_session(), keyboard)
        drawn = threading.Event()
        prompt._session.app.after_render += lambda app: drawn.set()

        def drive() -> None:
            time.sleep(1.0)
            for key in keys:
                drawn.clear()
                started = time.perf_counter()
                keyboard.send_text(key)
                drawn.wait(5)
                found.append(time.perf_counter() - started)
                time.sleep(0.01)
            keyboard.send_text("\x03\x04")

        threading.Thread(target=drive, daemon=True).start()
        prompt.run()
    return found


def paste_time() -> float:
    """Return the seconds that a paste takes to be shown, read and run."""
    text = "\n".join(f"v{number} = {number} * 2.5" for number in range(LINES))
    with create_pipe_input() as keyboard:
        prompt = prompt_of(Shell(ShellOptions(Color.ALWAYS, True)), InMemoryHistory(), keyboard)
        keys = f"\x1b[200~{text}\x1b[201~\r\x04"
        threading.Thread(target=keyboard.send_text, args=(keys,), daemon=True).start()
        started = time.perf_counter()
        prompt.run()
        return time.perf_counter() - started


def main() -> None:
    chosen = options(__doc__ or "")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print("start to prompt")
    bare = [sys.executable, "-c", "import numpy, prompt_toolkit"]
    with tempfile.TemporaryDirectory() as folder:
        peers = {"gradcli repl": to_the_prompt(folder), "import numpy, prompt_toolkit": whole_process(bare)}
        report(take_turns(peers, chosen.repeats), wanted={"import numpy, prompt_toolkit": 1.8})
    times = sorted(1e3 * seconds for seconds in key_times("y = torch.sum(x, dim=0) + name49(x) * tanh(x)"))
    print(f"a key press: {statistics.median(times):.1f} ms, slowest {times[-1]:.1f} ms (a frame has {FRAME} ms)")
    print(f"a paste of {LINES:,} lines: {min(paste_time() for _ in range(3)):.2f} s")


if __name__ == "__main__":
    main()

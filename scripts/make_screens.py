"""Take the pictures of the interactive session in docs/screens: keys are sent to it inside of tmux, which draws.

    python scripts/make_screens.py [NAME ...]

Needs tmux and, for the colours, rich. What is typed for each picture stands in SCREENS; what the screen shows in the
end is kept as SVG, and as text beside it.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "screens"
COLUMNS = 92
# rich's own frame fetches a font; this one takes what is there
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="{width}" height="{height}" rx="8" fill="#292929"/>
<g transform="translate(9, 9)"><g class="{unique_id}-matrix">{backgrounds}{matrix}</g></g>
</svg>
"""


class Screen(NamedTuple):
    """One picture: the rows of the window, and what is typed, with its line ends; ``<Tab>`` is that key."""

    rows: int
    typed: str


SCREENS = {
    "session": Screen(
        24,
        """\
leaf w = [[1.0, 2.0], [3.0, 4.0]]
x = tensor([0.1, -0.2])
y = tanh(w @ x).sum()
y
:tree y
y.backward()
w.grad
:vars
""",
    ),
    "mistake": Screen(
        29,
        """\
leaf w = [[1.0, 2.0], [3.0, 4.0]]
q = w @ ones(3)
h = (w @ ones(2)).detach() * 2
h.sum().backward()
""",
    ),
    "completion": Screen(14, "leaf weights = [0.1, -0.2]\ny = weights.log<Tab><Tab><Tab>"),
    "signature": Screen(8, "leaf weights = [0.1, -0.2]\ny = torch.logsumexp(wei<Tab>, "),
    "save": Screen(
        26,
        """\
leaf x = [1.0, 2.0]
y = (x ** 2).sum(); y
y.backward()
x.grad
x.data[0] = 99.0
:undo
x.grad * x
:save s.gx
:load s.gx
""",
    ),
}


def main() -> int:
    """Take the pictures that the command line names, or all."""
    for name in sys.argv[1:] or SCREENS:
        drawn = taken(SCREENS[name])
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.svg").write_text(picture(drawn), encoding="utf-8")
        plain = "".join(f"{row.rstrip()}\n" for row in Text.from_ansi(drawn).plain.split("\n"))
        (FOLDER / f"{name}.txt").write_text(plain, encoding="utf-8")
        sys.stdout.write(f"docs/screens/{name}.svg\n")
    return 0


def taken(screen: Screen) -> str:
    """Return what the window shows once all keys have been typed, colours as escapes."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"XDG_STATE_HOME": folder, "PYTHONPATH": str(ROOT), "TERM": "screen-256color", "LANG": "C.UTF-8"}
        socket = os.path.join(folder, "tmux")
        words = " ".join(f"{name}={value}" for name, value in environment.items())
        command = f"cd {folder} && env -u NO_COLOR {words} {sys.executable} -m gradcli repl --manual-seed 0"
        tmux(socket, "-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(screen.rows), command)
        try:
            settle(socket)
            for key in re.findall(r"<Tab>|\n|(?:(?!<Tab>)[^\n])+", screen.typed):
                named = {"\n": "Enter", "<Tab>": "Tab"}.get(key)
                tmux(socket, "send-keys", *((named,) if named else ("-l", key)))
                settle(socket)
            return tmux(socket, "capture-pane", "-p", "-e", "-N").rstrip("\n")
        finally:
            tmux(socket, "kill-server")


def settle(socket: str) -> None:
    """Wait until the screen has stayed the same for a while."""
    before, since, deadline = "", time.monotonic(), time.monotonic() + 10
    while time.monotonic() < deadline and time.monotonic() - since < 0.4:
        time.sleep(0.05)
        now = tmux(socket, "capture-pane", "-p", "-e")
        if now != before or not now.strip():
            before, since = now, time.monotonic()


def tmux(socket: str, *words: str) -> str:
    """Return what a tmux command prints."""
    return subprocess.run(["tmux", "-S", socket, *words], check=True, capture_output=True, text=True).stdout


def picture(drawn: str) -> str:
    """Return an SVG of text with colours."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(drawn), soft_wrap=True)
    return console.export_svg(code_format=SVG, unique_id="screen")


if __name__ == "__main__":
    sys.exit(main())

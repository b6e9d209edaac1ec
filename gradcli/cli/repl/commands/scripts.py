"""Commands about files: scripts that are read into the session, and the session as a script."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from typing import TYPE_CHECKING

from gradcli.checks.written import write_whole
from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.entries import Status
from gradcli.cli.repl.problems import problem
from gradcli.lang.reading import read_text

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell


@command("FILE")
def load(shell: Shell, text: str) -> None:
    """Put the text of a file at the next prompt, to be changed and run.

    Without a terminal it is run as if it had been typed.
    """
    content = read_text(_path(text, "load"))
    if shell.options.interactive:
        shell.next_text = content.rstrip("\n")
    else:
        shell.submit(content)


@command("FILE")
def run(shell: Shell, text: str) -> None:
    """Run a script in this session, as one entry; its names stay."""
    shell.run_file(_path(text, "run"))


@command("FILE")
def save(shell: Shell, text: str) -> None:
    """Write the entries that worked as a script, with what they showed as `#>` lines.

    `gradcli check FILE` replays the session and compares.
    """
    path = _path(text, "save")
    if not os.path.splitext(path)[1]:
        path += ".gx"
    count = sum(entry.status is Status.OK for entry in shell.entries)
    if not count:
        raise problem("there is nothing to save: no entry has worked so far")
    replaced = os.path.exists(path)
    try:
        write_whole(path, shell.script())
    except OSError as failed:
        raise problem(f"{path} can't be written: {(failed.strerror or str(failed)).lower()}") from None
    words = "1 entry" if count == 1 else f"{count} entries"
    over = " over what was there" if replaced else ""
    shell.write(f"saved {words}{over}; replay with: gradcli check {shlex.quote(path)}\n")


@command("[n or FILE]")
def edit(shell: Shell, text: str) -> None:
    """Edit the last entry, entry n, or a file in $VISUAL or $EDITOR, and put the text at the next prompt."""
    if not shell.options.interactive:
        raise problem(":edit needs a terminal")
    if text and not text.isdecimal():
        _edited(text)
        shell.next_text = read_text(text).rstrip("\n")
        return
    number = int(text) if text else len(shell.entries)
    if not 0 < number <= len(shell.entries):
        raise problem(f"there is no In [{number}]" if text else "there is no entry to edit yet")
    with tempfile.TemporaryDirectory(prefix="gradcli-") as folder:
        path = os.path.join(folder, f"in{number}.gx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(shell.entries[number - 1].text + "\n")
        _edited(path)
        shell.next_text = read_text(path).rstrip("\n")


def _edited(path: str) -> None:
    """Let the user's editor work on a file; GxError when it fails."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        status = subprocess.call([*shlex.split(editor), path])
    except OSError as failed:
        hint = "set EDITOR to the editor of your choice"
        raise problem(f"the editor {editor!r} can't be started: {failed.strerror}", hint) from None
    if status:
        raise problem(f"the editor ended with status {status}; nothing was taken over")


def _path(text: str, name: str) -> str:
    """Return the path that a command was given, quotes and ``~`` understood; GxError without one."""
    if not text:
        raise problem(f":{name} takes a file name", f":{name} session.gx")
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return os.path.expanduser(text)

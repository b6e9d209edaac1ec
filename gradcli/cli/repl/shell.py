"""The session behind the prompt: runs entries, each wholly or not at all, and commands. It knows nothing of keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.listeners import write
from gradcli.cli.outcome import STATUS
from gradcli.cli.problems import report_internal
from gradcli.cli.repl.entries import Entry, Status
from gradcli.cli.repl.files import SessionFiles
from gradcli.cli.repl.interrupts import Interrupts
from gradcli.cli.repl.listener import EntryListener
from gradcli.cli.repl.problems import Leave
from gradcli.cli.repl.results import Results
from gradcli.cli.repl.show import shown_result
from gradcli.cli.repl.timeline import Timeline
from gradcli.cli.terminal import Color, Paint, look
from gradcli.lang.compiling import Unit, read_unit
from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.effects import may_change_values
from gradcli.lang.entry_value import shows_value
from gradcli.lang.pieces import pieces
from gradcli.lang.reading import read_text
from gradcli.lang.session import Session, Settings
from gradcli.lang.snapshot import Snapshot
from gradcli.lang.source import Source
from gradcli.ops.generator import Generator, default_generator


class ShellOptions(NamedTuple):
    """How the session looks and what it may reach."""

    color: Color
    interactive: bool
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    traceback: bool = False
    dtype: str = "float64"


class Shell:
    """Entries and commands in one session.

    ``next_text`` is what the next prompt begins with; ``failure`` the last error with its exception, for ``:tb``.
    """

    def __init__(self, options: ShellOptions) -> None:
        self.options = options
        self.out = look(sys.stdout, options.color)
        self.interrupts = Interrupts()
        self.listener = EntryListener(look(sys.stderr, options.color), options.interactive)
        self.files = SessionFiles(os.getcwd(), options.read, options.write)
        self.timeline = Timeline()
        self.entries: list[Entry] = []
        self.next_text = ""
        self.failure: GxError | None = None
        self.editing_mode = "emacs"
        self._first_seed = default_generator.initial_seed()
        self._new_session()

    def _new_session(self) -> None:
        self.session = Session(self.listener, settings=Settings(files=self.files))
        self.listener.places = self.session.places
        self.results = Results(self.session.builtins)

    @property
    def number(self) -> int:
        """The number of the next entry."""
        return len(self.entries) + 1

    @property
    def paint(self) -> Paint:
        """The colours of standard output."""
        return Paint(self.out.color)

    # -- what was typed -----------------------------------------------------------------------------------------------
    def submit(self, text: str) -> int:
        """Run a text with all entries and commands in it; return the exit status of the first that failed."""
        if self.options.interactive:  # the window may have another size by now
            self.out = look(sys.stdout, self.options.color)
            self.listener.look_again(look(sys.stderr, self.options.color))
        for piece in pieces(text):
            status = self.command(piece.text) if piece.is_command else self.execute(piece.text)
            if status:
                return status
        return ExitCode.OK

    def command(self, line: str) -> int:
        """Run one command line, such as ``:vars`` or ``?sum``."""
        from gradcli.cli.repl.commands import run_command

        try:
            run_command(self, line)
        except GxError as failure:
            self.show(failure.diagnostic)
            return STATUS[failure.diagnostic.kind]
        except KeyboardInterrupt:
            return self._interrupted("the command was stopped")
        except Exception as fault:
            return self._internal(fault)
        return ExitCode.OK

    def run_file(self, path: str) -> int:
        """Run a script as one entry; its files are below its own folder."""
        try:
            text = read_text(path)
        except GxError as failure:
            self.show(failure.diagnostic)
            return STATUS[failure.diagnostic.kind]
        with self.files.inside(os.path.dirname(os.path.realpath(path))):
            return self.execute(text, path)

    def execute(self, text: str, file: str | None = None) -> int:
        """Run statements as the next entry; when it fails or is stopped, everything is as it was before.

        A check that does not hold is no failure of the entry, as in a script: what it has set stays, to be looked at.
        """
        entry = Entry(self.number, Source(text, self._source_name(file)), file)
        if not entry.text.strip():
            return ExitCode.OK
        if entry.text.strip() in ("exit", "quit") and entry.text.strip() not in self.session.namespace:
            raise Leave
        self.entries.append(entry)
        self.listener.begin(entry)
        try:
            status = self._attempt(entry)
        except GxError as failure:
            self.failure = failure
            self.show(self._explained(failure.diagnostic))
            status = STATUS[failure.diagnostic.kind]
        except KeyboardInterrupt:
            entry.status = Status.INTERRUPTED
            status = self._interrupted(f"In [{entry.number}] was stopped; the session is as it was before")
        except Exception as fault:
            status = self._internal(fault)
        finally:
            self.listener.end_line()
            self.listener.begin(None)
            if entry.status is Status.RUNNING:
                entry.status = Status.FAILED
        if self.session.ended is not None:
            raise Leave(self.session.ended)
        return status

    def _explained(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return an error with the entry that is to blame, where another one is."""
        if diagnostic.code != "no-graph":
            return diagnostic
        from gradcli.cli.repl.commands.reasons import explained

        return explained(self, diagnostic)

    def _source_name(self, file: str | None) -> str:
        """Return what errors call an entry; a file that was run before keeps its name only while its text does."""
        number = f"In [{self.number}]"
        if file is None:
            return number
        return file if file not in self.session.places.units else f"{file} ({number})"

    def _attempt(self, entry: Entry) -> int:
        """Run an entry, keep or undo what it did, show its value."""
        unit = read_unit(entry.source)
        shows = shows_value(unit)
        with self._or_not_at_all(unit) as before:
            entry.outputs = self.results.numbers()
            self.session.run(entry.source, unit)
            value = self.listener.last[1] if shows and self.listener.last is not None else None
            with self.interrupts.deferred(forget=True):
                if value is not None:
                    entry.has_value = True
                    self.results.add(entry.number, value)
                self.timeline.add(entry, before)
                entry.failed_checks = self.listener.failed_checks
                entry.status = Status.OK
        self.listener.end_line()
        if value is not None:
            self._show_value(entry, value)
        return ExitCode.CHECK_FAILED if entry.failed_checks else ExitCode.OK

    @contextmanager
    def _or_not_at_all(self, unit: Unit) -> Iterator[Snapshot]:
        """Put everything back when the body fails or is stopped."""
        with self.interrupts.deferred():
            before = self._snapshot(may_change_values(unit, self.session.namespace))
        try:
            yield before
        except BaseException:
            with self.interrupts.deferred(forget=True):
                before.restore()
                self.results.publish()
            raise

    def _snapshot(self, deep: bool) -> Snapshot:
        return Snapshot([*self.session.state(), self.results.values], deep)

    def _show_value(self, entry: Entry, value: Any) -> None:
        try:
            text, entry.result = self.session.call(shown_result, value, self.out, self._prefix(entry))
            write(text)
        except KeyboardInterrupt:
            self._interrupted("showing the value was stopped; the session keeps it")

    def _prefix(self, entry: Entry) -> str:
        return f"Out[{entry.number}]: " if self.options.interactive else ""

    # -- what commands use --------------------------------------------------------------------------------------------
    def evaluate(self, text: str, name: str) -> Any:
        """Return the value of one expression; whatever it changes is undone."""
        source = Source(text, name)
        unit = read_unit(source, "lone_expression")
        with self.trial(may_change_values(unit, self.session.namespace)):
            return self.session.evaluate(text, name)

    @contextmanager
    def trial(self, deep: bool = True) -> Iterator[None]:
        """Undo, after the body, whatever it changes."""
        with self.interrupts.deferred():
            before = self._snapshot(deep)
        try:
            yield
        finally:
            with self.interrupts.deferred(forget=True):
                before.restore()

    def undo(self, count: int) -> list[tuple[Entry, bool]]:
        """Go back before the last ``count`` entries; return them, and whether all of each could be put back."""
        with self.interrupts.deferred(forget=True):
            undone = [self.timeline.back() for _ in range(min(count, len(self.timeline)))]
            self.results.publish()
        return undone

    def reset(self) -> None:
        """Begin with a new session; entries keep counting."""
        self.timeline.clear()
        for entry in self.entries:
            if entry.status is Status.OK:
                entry.status = Status.UNDONE
        self._new_session()

    def script(self) -> str:
        """Return what worked as a script that ``gradcli check`` replays."""
        from gradcli.cli.repl.saving import script_of

        head = []
        if self.options.dtype != "float64":
            head.append(f"set_default_dtype({self.options.dtype})")
        if (default_generator.get_state() != Generator(self._first_seed).get_state()).any():
            head.append(f"manual_seed({self._first_seed})")
        return script_of((entry for entry in self.entries if entry.status is Status.OK), head)

    def note(self, diagnostic: Diagnostic) -> None:
        """Show an answer that points at a place of the session."""
        from gradcli.cli.render.diagnostic import render

        write(render(diagnostic, self.out, "note"))

    def write(self, text: str) -> None:
        """Write to standard output."""
        write(text)

    def show(self, diagnostic: Diagnostic, severity: str = "error") -> None:
        """Show an error or a warning on standard error."""
        self.listener.show(diagnostic, severity)

    def _interrupted(self, words: str) -> int:
        self.show(Diagnostic("runtime", "interrupted", words), "warning")
        return ExitCode.INTERRUPTED

    def _internal(self, fault: Exception) -> int:
        write("", flush=True)
        return report_internal(fault, self.options.traceback)

"""The prompt on a terminal: reads entries with prompt_toolkit, gives them to the session, until one leaves."""

from __future__ import annotations

import sys
import threading

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.cursor_shapes import ModalCursorShapeConfig
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.layout.processors import HighlightMatchingBracketProcessor
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.shortcuts import CompleteStyle, PromptSession
from prompt_toolkit.styles import Style

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.listeners import write
from gradcli.cli.repl.candidates import Candidates
from gradcli.cli.repl.commands.registry import load_commands
from gradcli.cli.repl.highlight import Highlighter
from gradcli.cli.repl.history_file import SharedHistory, Suggest, history_path
from gradcli.cli.repl.keys import EntryKeys
from gradcli.cli.repl.op_help import operations
from gradcli.cli.repl.paste import cleaned
from gradcli.cli.repl.shell import Shell
from gradcli.cli.repl.toolbar import status, toolbar
from gradcli.lang import attributes, prebound
from gradcli.version import __version__

_MENU_ROWS = 6
_STYLE = Style.from_dict(
    {
        "prompt": "ansigreen bold",
        "prompt.continuation": "ansigreen",
        "gx.keyword": "ansimagenta bold",
        "gx.number": "ansicyan",
        "gx.string": "ansiyellow",
        "gx.comment": "ansibrightblack italic",
        "gx.expected": "ansigreen",
        "gx.function": "ansiblue",
        "gx.command": "ansimagenta bold",
        "gx.other": "ansired",
        "bottom-toolbar": "noreverse ansibrightblack",
        "bottom-toolbar.signature": "noreverse ansidefault",
        "bottom-toolbar.argument": "noreverse ansidefault bold underline",
        "matching-bracket.cursor": "bold underline",
        "matching-bracket.other": "bold underline",
    }
)


class SessionCompleter(Completer):
    """Hands the candidates at the cursor to prompt_toolkit."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> list[Completion]:
        """Return the candidates for the text before the cursor."""
        return [
            Completion(found.text, -found.taken, found.shown, found.meaning)
            for found in self._candidates.at(document.text_before_cursor)
        ]


class Prompt:
    """Reads one entry after the other; ``input`` and ``output`` are those of a test, None for the terminal's."""

    def __init__(
        self, shell: Shell, history: History, vi: bool = False, input: Input | None = None, output: Output | None = None
    ) -> None:
        self._shell = shell
        self._candidates = Candidates(shell)
        self._keys = EntryKeys()
        if vi:
            shell.editing_mode = "vi"
        self._session: PromptSession[str] = PromptSession(
            self._message,
            multiline=True,
            lexer=Highlighter(frozenset(prebound.known_names()).__contains__),
            completer=SessionCompleter(self._candidates),
            complete_while_typing=False,
            complete_style=CompleteStyle.COLUMN,
            history=history,
            enable_history_search=True,
            auto_suggest=Suggest(),
            key_bindings=self._keys.bindings,
            input_processors=[HighlightMatchingBracketProcessor(chars="[](){}")],
            prompt_continuation=self._continuation,
            bottom_toolbar=self._toolbar,
            cursor=ModalCursorShapeConfig() if vi else None,
            enable_open_in_editor=True,
            tempfile_suffix=".gx",
            style=_STYLE,
            color_depth=None if shell.out.color else ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            input=input,
            output=output,
        )

    def run(self) -> int:
        """Read and run entries until one leaves; return the exit status."""
        interrupted = False
        while True:
            try:
                text = self._read()
                interrupted = False
            except KeyboardInterrupt:
                if interrupted and not self._keys.dropped.strip():
                    return ExitCode.OK
                interrupted = not self._keys.dropped.strip()
                if interrupted:
                    write("(Ctrl-C once more, or Ctrl-D, leaves)\n", flush=True)
                continue
            except EOFError:
                return ExitCode.OK
            self._shell.submit(cleaned(text))
            write("", flush=True)

    def _read(self) -> str:
        text, self._shell.next_text = self._shell.next_text, ""
        mode = EditingMode.VI if self._shell.editing_mode == "vi" else EditingMode.EMACS
        self._session.editing_mode = mode
        rows = self._session.app.output.get_size().rows
        self._session.reserve_space_for_menu = max(0, min(_MENU_ROWS, rows - 3))
        return self._session.prompt(default=text)

    def _message(self) -> StyleAndTextTuples:
        return [("class:prompt", f"In [{self._shell.number}]: ")]

    def _continuation(self, width: int, line_number: int, wrap_count: int) -> StyleAndTextTuples:
        return [("class:prompt.continuation", "...: ".rjust(width) if not wrap_count else " " * width)]

    def _toolbar(self) -> StyleAndTextTuples:
        look = self._shell.out
        columns = self._session.app.output.get_size().columns
        before = self._session.app.current_buffer.document.text_before_cursor
        return [*toolbar(self._candidates.signature(before), status(look.unicode, self._shell.editing_mode), columns)]


def _warm_up() -> None:
    """Collect, while the first entry is being typed, what completion looks things up in."""
    operations()
    attributes.allowed_names()
    load_commands()


def run_prompt(shell: Shell, history: bool, vi: bool) -> int:
    """Run the session on the terminal and return its exit status."""
    kept: History = SharedHistory(history_path()) if history else InMemoryHistory()
    prompt = Prompt(shell, kept, vi)
    threading.Thread(target=_warm_up, daemon=True).start()
    write(f"gradcli {__version__}   :help lists the commands, Ctrl-D leaves\n", flush=True)
    try:
        return prompt.run()
    finally:
        if isinstance(kept, SharedHistory) and kept.problem:
            sys.stderr.write(f"warning[history]: entries were not kept: {kept.problem}\n")

"""What keys do beyond the usual: Enter asks the parser, pastes stay whole, Ctrl-C drops the line or leaves."""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import (
    Condition,
    emacs_insert_mode,
    has_completions,
    has_focus,
    has_selection,
    vi_insert_mode,
)
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from gradcli.cli.repl.paste import cleaned
from gradcli.lang.completeness import INDENT, State, completeness
from gradcli.lang.pieces import is_command, pieces

_GOES_ON = ("else", "elif")


class EntryKeys:
    """Key bindings for entries of several lines. ``dropped`` is the text that Ctrl-C last left at the prompt."""

    def __init__(self) -> None:
        self.dropped = ""
        self._pasted = ""
        self._indented = ""  # the text right after Enter has indented the next line
        self._typed = False  # what has arrived at once relies on the indentation that Enter makes
        self.bindings = KeyBindings()
        self._bind()

    def _bind(self) -> None:
        typing = has_focus("DEFAULT_BUFFER") & (emacs_insert_mode | vi_insert_mode) & ~has_selection
        in_indentation = Condition(lambda: not get_app().current_buffer.document.current_line_before_cursor.strip())
        add = self.bindings.add
        add("enter", filter=has_focus("DEFAULT_BUFFER"))(self._enter)
        add("c-j", filter=has_focus("DEFAULT_BUFFER"))(self._enter)
        add("escape", "enter", filter=typing)(self._new_line)
        add(Keys.BracketedPaste)(self._paste)
        add("tab", filter=typing & in_indentation & ~has_completions)(self._indent)
        add("backspace", filter=typing & in_indentation)(self._outdent)
        add(" ", filter=typing & in_indentation)(self._space)
        add("c-c", filter=has_focus("DEFAULT_BUFFER"))(self._drop)

    def _enter(self, event: KeyPressEvent) -> None:
        """Run what is whole; otherwise go on with a new line."""
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion is not None:
            buffer.complete_state = None
            return
        waiting = "" if self._typed else _waiting(event)
        if self._is_whole(buffer, waiting):
            self._typed = False
            buffer.validate_and_handle()
            return
        # a block that comes without its indentation was typed ahead, not pasted
        self._typed |= bool(waiting) and buffer.text.endswith(":") and not waiting[0].isspace()
        self._break_line(buffer, indent=self._typed or not waiting)

    def _is_whole(self, buffer: Buffer, waiting: str) -> bool:
        text = buffer.text
        if not text.strip() or is_command(text):
            return True
        recalled = text in buffer.history.get_strings()  # and not changed: it ran as it is
        if recalled or "\n" not in buffer.document.text_after_cursor.rstrip():
            state = _state(text)
            if waiting and state is not State.INCOMPLETE:  # lines that were sent at once, by a paste without brackets
                return _may_end_before(waiting, text, state)
            ends = recalled or text == self._pasted or not text.rpartition("\n")[2].strip()
            return state in (State.COMPLETE, State.WRONG) or (state is State.OPEN and ends)
        return False

    def _break_line(self, buffer: Buffer, indent: bool) -> None:
        before = buffer.document.text_before_cursor
        buffer.insert_text("\n" + (completeness(cleaned(before)).indent if indent else ""))
        self._indented = buffer.text if indent else ""

    def _new_line(self, event: KeyPressEvent) -> None:
        self._break_line(event.current_buffer, indent=True)

    def _paste(self, event: KeyPressEvent) -> None:
        """Insert a paste as it was before it was shown with prompts."""
        buffer = event.current_buffer
        text = cleaned(event.data)
        if not buffer.document.current_line_before_cursor.strip() and text[:1] not in (" ", "\t"):
            buffer.delete_before_cursor(len(buffer.document.current_line_before_cursor))
        buffer.insert_text(text)
        self._pasted = buffer.text

    def _indent(self, event: KeyPressEvent) -> None:
        column = event.current_buffer.document.cursor_position_col
        event.current_buffer.insert_text(" " * (len(INDENT) - column % len(INDENT)))

    def _outdent(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        before = buffer.document.current_line_before_cursor
        count = (len(before) - 1) % len(INDENT) + 1 if before.endswith(" ") else 1
        buffer.delete_before_cursor(min(count, len(before) - len(before.rstrip(" "))) or 1)

    def _space(self, event: KeyPressEvent) -> None:
        """Type a blank; one that comes with a whole line takes the place of the indentation that Enter made."""
        buffer = event.current_buffer
        if _waiting(event) and buffer.text == self._indented:
            buffer.delete_before_cursor(len(buffer.document.current_line_before_cursor))
        self._indented = ""
        buffer.insert_text(" ")

    def _drop(self, event: KeyPressEvent) -> None:
        self.dropped = event.current_buffer.text
        event.app.exit(exception=KeyboardInterrupt(), style="class:aborting")


def _state(text: str) -> State:
    """Return how far a text is, commands between its statements left out."""
    parts = [piece.text for piece in pieces(cleaned(text)) if not piece.is_command]
    if len(parts) == 1 and parts[0].rstrip("\n") == cleaned(text).strip("\n"):
        return completeness(cleaned(text)).state
    return completeness(parts[-1]).state if parts else State.COMPLETE


def _waiting(event: KeyPressEvent) -> str:
    """Return the characters that have arrived together with this key and wait for their turn."""
    queue: Sequence[object] = event.key_processor.input_queue
    found = ""
    for press in queue:
        key = getattr(press, "key", "")
        found += "\n" if key in (Keys.ControlM, Keys.ControlJ) else key if len(key) == 1 else ""
    return found


def _may_end_before(waiting: str, text: str, state: State) -> bool:
    """Tell whether an entry ends although more has arrived: unless what comes next is still part of it."""
    rest = waiting.lstrip("\n")
    if state is State.WRONG or not rest:
        return state is not State.OPEN or waiting.startswith("\n")
    first = rest.split("\n")[0]
    goes_on = first[:1] in (" ", "\t") or first.lstrip().partition(":")[0].partition(" ")[0] in _GOES_ON
    return not goes_on and state is not State.OPEN

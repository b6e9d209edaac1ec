"""What could be typed at the cursor: names, attributes of the value at hand, keyword arguments, files, commands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gradcli.autograd import Tensor
from gradcli.cli.repl.commands import COMMANDS
from gradcli.cli.repl.commands.describing import described
from gradcli.cli.repl.commands.registry import load_commands
from gradcli.cli.repl.commands.settings import SETTINGS
from gradcli.cli.repl.cursor import Call, Cursor, cursor_at
from gradcli.cli.repl.lookup import value_at
from gradcli.cli.repl.op_help import help_of, parameters_of
from gradcli.lang import attributes, prebound
from gradcli.lang.files import FORMATS
from gradcli.lang.tables import load_tables
from gradcli.ops.namespaces import Namespace
from gradcli.ops.registry import method_names

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_FILE_COMMANDS = ("load", "run", "save", "edit")
_FILE_FUNCTIONS = ("load", "save", "torch.load", "torch.save")
_SOFT_WORDS = ("leaf", "input", "check")


class Candidate(NamedTuple):
    """One way to go on: the text that replaces the last ``taken`` characters, how it is listed, and what it is."""

    text: str
    taken: int
    shown: str
    meaning: str = ""


class Candidates:
    """Finds candidates in a session; what never changes is collected once."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._known = sorted({*prebound.known_names(), "Out"})
        self._words = sorted({*load_tables().words, *_SOFT_WORDS})

    def at(self, before: str) -> list[Candidate]:
        """Return the candidates for the text before the cursor."""
        line = before.rpartition("\n")[2]
        if line[:1] == "?" or (line[:1] == ":" and "\n" not in before):
            return list(self._command(line))
        place = cursor_at(before)
        if place.text is not None:
            wants_file = place.call is not None and place.call.function in _FILE_FUNCTIONS and not place.call.argument
            return list(_files(place.text, tuple(FORMATS))) if wants_file else []
        if place.comment:
            return []
        if place.owner != "":
            return list(self._attributes(place))
        return [*self._keywords(place), *self._names(place)]

    def signature(self, before: str) -> tuple[str, Call] | None:
        """Return the signature of the call that the cursor is in, and the call; None outside of one."""
        call = cursor_at(before).call
        if call is None:
            return None
        signature = self._signature_of(call.function)
        return (signature, call) if signature else None

    def _signature_of(self, path: str) -> str:
        owner = path.rpartition(".")[0]
        is_method = path.startswith(".") or (bool(owner) and isinstance(value_at(self._shell.session, owner), Tensor))
        return help_of(path, value_at(self._shell.session, path), is_method)[0]

    # -- names --------------------------------------------------------------------------------------------------------
    def _names(self, place: Cursor) -> Iterator[Candidate]:
        """Yield the session's own names, then words of the language, then what gx has."""
        own = self._shell.session.namespace
        size = len(place.word)
        for name in sorted(own):
            if name.startswith(place.word) and not name.startswith(("__", ".")):
                yield Candidate(name, size, name, described(own[name]))
        if not size:
            return
        for word in self._words:
            if word.startswith(place.word) and word not in own:
                yield Candidate(word, size, word, "word of the language")
        for name in self._known:
            if name.startswith(place.word) and name not in own and name not in self._words:
                yield self._candidate(name, name, size, False)

    def _candidate(self, name: str, path: str, size: int, is_tensor: bool) -> Candidate:
        signature, meaning = help_of(path, None, is_tensor)
        inside = signature[signature.find("(") :] if "(" in signature else ""
        return Candidate(name, size, name, f"{inside}  {meaning}".strip())

    def _attributes(self, place: Cursor) -> Iterator[Candidate]:
        """Yield the attributes of the value before the dot; the result of an expression is taken for a tensor."""
        owner = place.owner
        value = None if owner is None else value_at(self._shell.session, owner)
        if owner is not None and value is None:
            return
        is_tensor = owner is None or isinstance(value, Tensor)
        for name in sorted(_attribute_names(value, is_tensor), key=lambda name: (name[:1] == "_", name)):
            if name.startswith(place.word) and (place.word[:1] == "_" or name[:1] != "_"):
                yield self._candidate(name, f"{owner}.{name}", len(place.word), is_tensor)

    def _keywords(self, place: Cursor) -> Iterator[Candidate]:
        """Yield the keyword arguments that the call around the cursor still takes."""
        if place.call is None or place.call.keyword is not None:
            return
        names = parameters_of(self._signature_of(place.call.function))
        for name in names:
            if name.startswith(place.word) and name[:1] != "*" and name not in place.call.given:
                yield Candidate(f"{name}=", len(place.word), f"{name}=", f"argument of {place.call.function}")

    # -- commands -----------------------------------------------------------------------------------------------------
    def _command(self, line: str) -> Iterator[Candidate]:
        load_commands()
        if line[:1] == "?":
            yield from self._names(cursor_at(line.lstrip("?")))
            return
        word, blank, rest = line[1:].partition(" ")
        if not blank:
            yield from (
                Candidate(name, len(word), known.head, known.summary)
                for name, known in sorted(COMMANDS.items())
                if name.startswith(word)
            )
        elif word in _FILE_COMMANDS:
            yield from _files(rest.lstrip(), (".gx",))
        elif word == "set":
            yield from (
                Candidate(name, len(rest), name, setting.summary)
                for name, setting in SETTINGS.items()
                if name.startswith(rest)
            )
        else:
            yield from self.at(rest.lstrip())


def _attribute_names(value: Any, is_tensor: bool) -> Iterable[str]:
    """Return the attributes that a script may read from a value."""
    if isinstance(value, Namespace):
        return dir(value)
    found = {*dir(Tensor), *method_names()} if is_tensor else dir(value)
    return {name for name in found if attributes.is_allowed(name)}


def _files(typed: str, suffixes: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield folders and files of these kinds that go on from ``typed``."""
    folder, _, start = typed.rpartition("/")
    place = os.path.expanduser(f"{folder}/" if "/" in typed else ".")
    try:
        with os.scandir(place) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries)
    except OSError:
        return
    for name, is_folder in found:
        hidden = name.startswith(".") and not start.startswith(".")
        if name.startswith(start) and not hidden and (is_folder or name.endswith(suffixes)):
            shown = f"{name}/" if is_folder else name
            yield Candidate(shown, len(start), shown, "folder" if is_folder else "")

"""Patterns of what is left out of a search, with the meaning that they have in a ``.gitignore``."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

IGNORE_FILES = (".gitignore", ".gradcliignore")


class Pattern(NamedTuple):
    """One line: the expression that a path below its folder must match, and what follows from a match."""

    expression: re.Pattern[str]
    folders_only: bool
    ignores: bool


def parse_pattern(line: str) -> Pattern | None:
    """Return the pattern that a line of a ``.gitignore`` means, None for a blank line or a comment."""
    text = line.rstrip("\r\n")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#"):
        return None
    ignores = not text.startswith("!")
    text = text if ignores else text[1:]
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    anchored = "/" in text
    text = text.removeprefix("/")
    if not text:
        return None
    start = "" if anchored else "(?:.*/)?"
    return Pattern(re.compile(start + _translate(text), re.DOTALL), folders_only, ignores)


def _translate(text: str) -> str:
    """Return the regular expression of a glob in which ``*`` and ``?`` stop at a slash and ``**`` does not."""
    parts, at = [], 0
    while at < len(text):
        if text.startswith("**/", at) and (at == 0 or text[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif text[at:] == "**" and at and text[at - 1] == "/":
            parts.append(".+")
            at += 2
        else:
            piece, at = _one(text, at)
            parts.append(piece)
    return "".join(parts)


def _one(text: str, at: int) -> tuple[str, int]:
    char = text[at]
    if char == "*":
        return "[^/]*", at + 1
    if char == "?":
        return "[^/]", at + 1
    if char == "\\" and at + 1 < len(text):
        return re.escape(text[at + 1]), at + 2
    if char == "[":
        end = text.find("]", at + 2)
        if end > 0:
            inner = text[at + 1 : end].replace("\\", "\\\\")
            inner = "^" + inner[1:] if inner[0] in "!^" else inner
            return f"(?!/)[{inner}]", end + 1
    return re.escape(char), at + 1


class Ignored:
    """The patterns that hold in a folder: its own, those of the folders above it, and those of the command line."""

    def __init__(self, groups: list[tuple[str, list[Pattern]]]) -> None:
        self._groups = groups

    @classmethod
    def above(cls, folder: str, extra: tuple[str, ...]) -> Ignored:
        """Return what holds in ``folder`` before its own files: ignore files up to the repository's root.

        ``extra`` patterns are relative to ``folder``.
        """
        outer, here = [], os.path.abspath(folder)
        while not os.path.exists(os.path.join(here, ".git")) and os.path.dirname(here) != here:
            here = os.path.dirname(here)
            outer.append(here)
        if not os.path.exists(os.path.join(here, ".git")):
            outer = []
        given = [pattern for line in extra if (pattern := parse_pattern(line))]
        return cls([(top, _read(top)) for top in reversed(outer)] + [(os.path.abspath(folder), given)])

    def inside(self, folder: str) -> Ignored:
        """Return what holds inside ``folder``."""
        own = _read(folder)
        return Ignored([*self._groups, (os.path.abspath(folder), own)]) if own else self

    def __call__(self, path: str, is_folder: bool) -> bool:
        """Tell whether ``path`` is left out; the last pattern that matches decides, inner files come after outer."""
        whole = os.path.abspath(path)
        for folder, patterns in reversed(self._groups):
            relative = os.path.relpath(whole, folder).replace(os.sep, "/")
            for pattern in reversed(patterns):
                if (is_folder or not pattern.folders_only) and pattern.expression.fullmatch(relative):
                    return pattern.ignores
        return False


def _read(folder: str) -> list[Pattern]:
    patterns = []
    for name in IGNORE_FILES:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                patterns += [pattern for line in file if (pattern := parse_pattern(line))]
        except OSError:  # there is none, or none that can be read: then nothing is left out
            continue
    return patterns

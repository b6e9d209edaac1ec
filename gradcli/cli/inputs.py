"""The scripts of a command line: their text and the folder that their files are below."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from gradcli.cli.problems import UsageProblem
from gradcli.lang.reading import decoded, read_text
from gradcli.lang.source import Source

STDIN = "-"
EXPRESSION_NAME, STDIN_NAME = "<expr>", "<stdin>"


class Script(NamedTuple):
    """A script to run: its source, the folder below which it may load and save, and whether it came by ``-e``."""

    source: Source
    folder: str
    is_expression: bool = False


def script_names(scripts: tuple[str, ...], expression: str | None) -> list[str]:
    """Return the names of what is to be run, checking that there is something; UsageProblem."""
    if expression is not None and scripts:
        raise UsageProblem("give either -e EXPR or files, not both")
    if expression is None and not scripts:
        raise UsageProblem("nothing to run", "name a file, - for standard input, or give -e EXPR")
    if scripts.count(STDIN) > 1:
        raise UsageProblem("standard input can be read only once")
    return [EXPRESSION_NAME] if expression is not None else [STDIN_NAME if s == STDIN else s for s in scripts]


def read_script(name: str, expression: str | None) -> Script:
    """Return the script called ``name``; GxError when it can't be read or is no text."""
    if expression is not None:
        return Script(Source(expression, EXPRESSION_NAME), os.getcwd(), is_expression=True)
    if name == STDIN_NAME:
        return Script(Source(decoded(sys.stdin.buffer.read(), name), name), os.getcwd())
    return Script(Source(read_text(name), name), os.path.dirname(os.path.realpath(name)))

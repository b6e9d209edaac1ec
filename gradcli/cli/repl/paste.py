"""Text from elsewhere: prompts stripped, indentation of the whole taken away, blanks of web pages made plain."""

from __future__ import annotations

import re
from textwrap import dedent

_PYTHON = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")
_PYTHON_FIRST = re.compile(r"^[ \t]*>>>(?: |$)", re.MULTILINE)
_IPYTHON = re.compile(r"^[ \t]*(?:In \[\d+\]:|\.{3,}:)(?: |$)")
_IPYTHON_FIRST = re.compile(r"^[ \t]*In \[\d+\]:(?: |$)", re.MULTILINE)
_SPACES = str.maketrans({"\u00a0": " ", "\u2028": "\n", "\u2029": "\n", "\u200b": None, "\ufeff": None})


def cleaned(text: str) -> str:
    """Return ``text`` as it was before it was shown with prompts.

    Of a transcript (``>>>`` with ``...``, ``In [3]:`` with ``...:``) the lines with a prompt remain, without it: the
    others are what had been printed.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_SPACES)
    for first, prompt in ((_PYTHON_FIRST, _PYTHON), (_IPYTHON_FIRST, _IPYTHON)):
        if first.match(text.lstrip("\n")):
            text = _without(text, prompt)
    return dedent(text) if text[:1] in (" ", "\t", "\n") else text


def _without(text: str, prompt: re.Pattern[str]) -> str:
    """Return the lines that begin with a prompt, without it."""
    found = ((prompt.match(line), line) for line in text.split("\n"))
    return "\n".join(line[match.end() :] for match, line in found if match is not None)

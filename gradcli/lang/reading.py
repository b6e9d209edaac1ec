"""The text of a script's file."""

from __future__ import annotations

import os

from gradcli.lang.diagnostic import plain_error


def read_text(name: str) -> str:
    """Return the text of a file as it is written there, line ends and all; GxError when it can't be read."""
    try:
        if os.path.isdir(name):
            os.scandir(name).close()  # one that nobody may look into is told as that
            raise plain_error("usage", "file-kind", f"{name} is a folder, not a script")
        with open(name, "rb") as file:
            return decoded(file.read(), name)
    except FileNotFoundError:
        raise plain_error("usage", "file-missing", f"there is no file {name}") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise plain_error("usage", "file-access", f"{name} can't be read: {reason.lower()}") from None


def decoded(raw: bytes, name: str) -> str:
    """Return the text of ``raw``; GxError of kind syntax when it is not UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as bad:
        line = raw.count(b"\n", 0, bad.start) + 1
        message = f"{name} is not UTF-8 text: byte 0x{raw[bad.start]:02x} in line {line}"
        raise plain_error("syntax", "not-text", message, help="save it as UTF-8") from None

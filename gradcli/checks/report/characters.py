"""Characters that no report may hold as they are: XML 1.0 forbids them even escaped, terminals obey them."""

from __future__ import annotations


def legible(text: str) -> str:
    """Return ``text`` with a readable sign for each character that XML 1.0 can't hold or that nobody could see."""
    return text if text.isascii() and text.isprintable() else "".join(map(_sign, text))


def _sign(char: str) -> str:
    code = ord(char)
    if char in "\t\n" or 0x20 <= code < 0x7F or 0xA0 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code > 0xFFFF:
        return char
    return chr(0x2400 + code) if code < 0x20 else f"<U+{code:04X}>"

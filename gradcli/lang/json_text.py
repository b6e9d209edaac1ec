"""JSON that the strictest reader takes."""

from __future__ import annotations

import json
from typing import Any


def json_line(value: dict[str, Any]) -> str:
    """Return ``value`` as one line of JSON; ValueError for a number that JSON has no word for.

    What is no character (half of a pair, a byte of a file's name that is no UTF-8) becomes U+FFFD: escaped or not,
    many readers refuse the whole text for it.
    """
    text = json.dumps(value, allow_nan=False, ensure_ascii=False) + "\n"
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

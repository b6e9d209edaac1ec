"""What a fault of gradcli's own says."""

from __future__ import annotations

INTERNAL_HINT = "this is a fault of gradcli's own: please report it with the script; --traceback shows where"


def internal_message(fault: BaseException) -> str:
    """Return what a fault of gradcli's own is called, with the innermost place in our own code."""
    import traceback

    frames = [f for f in traceback.extract_tb(fault.__traceback__) if "gradcli" in f.filename]
    place = f" (in {frames[-1].name}, line {frames[-1].lineno})" if frames else ""
    return f"gradcli itself failed: {type(fault).__name__}: {fault}{place}"

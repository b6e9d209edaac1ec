"""Python's ``functools`` for scripts, as far as tutorials use it: ``partial`` and ``reduce``."""

from __future__ import annotations

import functools
from functools import cache

from gradcli.ops.namespaces import Namespace

_KNOWN = {"partial", "reduce"}


@cache
def safe_functools() -> Namespace:
    """Return the namespace that scripts call ``functools``."""
    return Namespace("functools", lambda: _KNOWN, lambda name: getattr(functools, name) if name in _KNOWN else None)

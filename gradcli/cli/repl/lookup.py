"""What a path such as ``model.w`` or ``Out[3].grad`` means now, found without running anything of the session's."""

from __future__ import annotations

import re
from typing import Any

from gradcli.autograd import Tensor
from gradcli.lang import attributes, prebound
from gradcli.lang.session import Session

PATH = r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[-?\d+\]|\[(?:'[^']*'|\"[^\"]*\")\])*"
_STEP = re.compile(r"\.([^\W\d]\w*)|\[(-?\d+)\]|\[['\"]([^'\"]*)['\"]\]")
_NAME = re.compile(r"[^\W\d]\w*")


def value_at(session: Session, path: str) -> Any:
    """Return the value that ``path`` leads to; None where it leads to nothing, or only by running something."""
    head = _NAME.match(path)
    if head is None or re.fullmatch(PATH, path) is None:
        return None
    value = named(session, head[0])
    for step in _STEP.finditer(path, head.end()):
        if value is None:
            return None
        value = _attribute(value, step[1]) if step[1] is not None else _item(value, step)
    return value


def named(session: Session, name: str) -> Any:
    """Return what a name means in the session: its own value, a result, or what gx has."""
    if name in session.namespace and not name.startswith("__"):
        return session.namespace[name]
    return session.builtins[name] if name in session.builtins else prebound.lookup(name)


def _attribute(value: Any, name: str) -> Any:
    if not attributes.is_allowed(name):
        return None
    if isinstance(value, Tensor) and name == "grad":
        return value._grad  # the attribute itself warns for results
    try:
        return getattr(value, name, None)
    except Exception:  # a property that needs more than the value has
        return None


def _item(value: Any, step: re.Match[str]) -> Any:
    key: Any = int(step[2]) if step[2] is not None else step[3]
    if not isinstance(value, list | tuple | dict):
        return None
    try:
        return value[key]
    except (KeyError, IndexError, TypeError):
        return None

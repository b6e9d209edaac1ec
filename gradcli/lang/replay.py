"""A script run again, from the code that is there already: each value that it gives a name passes through a hook.

Nothing of such a run is seen from outside: it prints nothing, saves nothing, checks nothing, warns of nothing.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from gradcli.autograd import set_user_globals
from gradcli.lang.session import Session, Settings


class Stored(NamedTuple):
    """The ``number``-th value (from 1) that a name got; an expression that stands alone has its offset as a name."""

    name: str | int
    number: int


Hook = Callable[[Stored, Any], Any]


class Enough(BaseException):
    """Raised by a hook that has seen what it wanted; the script may not catch it."""


class _Quiet:
    """Files for a script that runs again: it reads them, and what it writes is dropped."""

    def __init__(self, files: Any) -> None:
        self.load = files.load

    def save(self, path: str, value: Any) -> None:
        """Drop ``value``."""


class _Names(dict[str, Any]):
    """The script's own scope: what is stored passes the hook and lands in ``namespace``, where functions find it."""

    def __init__(self, namespace: dict[str, Any], stored: Callable[[str | int, Any], Any]) -> None:
        super().__init__()
        self._namespace = namespace
        self._stored = stored

    def __getitem__(self, name: str) -> Any:
        return self._namespace[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._namespace[name] = value if name.startswith(".") else self._stored(name, value)

    def __delitem__(self, name: str) -> None:
        del self._namespace[name]


class Replay:
    """Runs the first source of a finished session again, in new sessions."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._unit = session.units[0]
        self.source = self._unit.source

    def run(self, hook: Hook) -> Session:
        """Run the script until its end or until ``hook`` raises Enough, and return the session.

        ``hook`` gets each value that the script itself (not a function of it) names, and returns what is to be stored.
        Whatever the script raises is raised here.
        """
        first = self._session.settings
        files = None if first.files is None else _Quiet(first.files)
        session = Session(settings=Settings(first.overrides, first.free_leaves, files, lambda start: False))
        counts: Counter[str | int] = Counter()

        def stored(name: str | int, value: Any) -> Any:
            counts[name] += 1
            return hook(Stored(name, counts[name]), value)

        session.builtins |= {name: value for name, value in self._session.builtins.items() if name[0] != "."}
        session.builtins |= {
            "print": lambda *values, **options: None,
            ".failed": lambda *details: None,
            ".expect": lambda index, value: value,
            ".assigned": lambda index, value: value,
            ".keep": lambda value, start, end: None if value is None else stored(start, value),
        }
        if files is not None:
            session.builtins |= {"load": files.load, "save": files.save}
        session.units.append(self._unit)
        session.places.add(self._unit)
        self._execute(session, _Names(session.namespace, stored))
        return session

    def _execute(self, session: Session, names: _Names) -> None:
        assert self._unit.code is not None
        before = set_user_globals(session.namespace)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(self._unit.code, session.namespace, names)
        except Enough:
            return
        finally:
            set_user_globals(before)

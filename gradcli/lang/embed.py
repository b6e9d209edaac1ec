"""``gradcli.run``: a script run from Python, with the results of ``gradcli run --format json`` as objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gradcli.lang.diagnostic import Diagnostic, GxError
from gradcli.lang.events import Events
from gradcli.lang.request import Output, Request, answer, shown_value
from gradcli.lang.runner import Plan, own_defaults, run_plan
from gradcli.lang.source import Source


class _Recorder(Events):
    """Keeps what a script prints, its warnings, and its first failed check."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.warnings: list[str] = []
        self.failed: Diagnostic | None = None

    def printed(self, text: str) -> None:
        """Keep what the script prints."""
        self.pieces.append(text)

    def warned(self, warning: Diagnostic | str) -> None:
        """Keep the words of a warning."""
        self.warnings.append(warning if isinstance(warning, str) else warning.message)

    def check_finished(self, result: Any) -> None:
        """Keep the first check that failed."""
        if self.failed is None:
            self.failed = result.diagnostic


@dataclass(slots=True)
class RunResult:
    """What a run came to: ``outputs`` with values, seeds, gradients and graphs; ``error`` says why ``ok`` is False."""

    script: str
    ok: bool
    stdout: str
    outputs: list[Output] = field(default_factory=list)
    error: Diagnostic | None = None
    warnings: list[str] = field(default_factory=list)

    def __getitem__(self, name: str) -> Output:
        """Return the output called ``name``; KeyError with those there are."""
        for output in self.outputs:
            if output.name == name:
                return output
        raise KeyError(f"no output {name!r}; there are {[output.name for output in self.outputs]}")

    def raise_for_error(self) -> RunResult:
        """Raise GxError when the script failed, else return the result."""
        if self.error is not None:
            raise GxError(self.error)
        return self


def run(
    script: str | os.PathLike[str],
    *,
    of: str | Iterable[str] = (),
    wrt: str | Iterable[str] = (),
    seed: Any = None,
    set: Mapping[str, Any] | None = None,
    tree: bool = False,
    dtype: Any = None,
    manual_seed: int | None = None,
) -> RunResult:
    """Run a script and differentiate its outputs, without touching any ``.grad``.

    ``script`` is a path, or the text of a script: a string that neither names a file nor ends with ``.gx``. ``of`` and
    ``wrt`` are names, or one string with commas; ``seed`` is a value, an expression of the script as text, or a
    dictionary of them by output; ``set`` replaces leaves and inputs. A script that fails gives a result with ``ok``
    False and ``error``.
    """
    source, folder, is_text = _source(script)
    seeds = seed if isinstance(seed, Mapping) else {} if seed is None else {None: seed}
    request = Request(_names(of), _names(wrt), seeds, bool(of or wrt or seeds), tree)
    recorder = _Recorder()
    result = RunResult(source.name, True, "")
    try:
        with own_defaults(dtype):
            plan = Plan(source, folder, dict(set or {}), manual_seed=manual_seed, free_leaves=is_text)
            session = run_plan(plan, recorder)
            asked = request.gradients or tree
            result.outputs = answer(session, request) if asked else shown_value(session, None)
        result.error = recorder.failed
    except GxError as failure:
        result.error = failure.diagnostic
    result.ok = result.error is None
    result.stdout, result.warnings = "".join(recorder.pieces), recorder.warnings
    return result


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    parts = names.split(",") if isinstance(names, str) else names
    return tuple(part.strip() for part in parts)


def _source(script: str | os.PathLike[str]) -> tuple[Source, str, bool]:
    """Return the source, the folder of its files, and whether it was given as text."""
    is_text = isinstance(script, str) and ("\n" in script or not (script.endswith(".gx") or os.path.isfile(script)))
    if isinstance(script, str) and is_text:
        return Source(script, "<text>"), os.getcwd(), True
    with open(script, encoding="utf-8") as file:
        return Source(file.read(), os.fspath(script)), os.path.dirname(os.path.realpath(script)), False

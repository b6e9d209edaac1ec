"""``--against torch,jax``: the same script run by another engine, and its gradients compared with ours.

The other engine runs in a process of its own, by the interpreter that ``GRADCLI_ENGINE_PYTHON`` names or by this one.
What it can't do (it is not installed, the script uses what it doesn't have) is said and skipped: it is no failure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

import gradcli
from gradcli.autograd.comparing import worst_element
from gradcli.checks import gradient_words as words
from gradcli.checks.measuring import Gradient, Jitter, Measured, Moment, gradients_at
from gradcli.checks.results import CheckResult, CheckSettings, check_id
from gradcli.checks.trial import Output, Script
from gradcli.lang.diagnostic import Diagnostic, GxError, Label
from gradcli.lang.emission import python_text
from gradcli.lang.session import Session

Array = np.ndarray[Any, Any]
PYTHON = "GRADCLI_ENGINE_PYTHON"
_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); from gradcli.checks.engines.run import main; main()"
_SECONDS = 300.0
_NEAR = 1e-9
_NAMES = {"torch": "PyTorch", "jax": "JAX"}


def compare_engines(
    session: Session,
    script: Script,
    file: str,
    measured: list[Measured],
    settings: CheckSettings,
    right: frozenset[str] = frozenset(),
) -> Iterator[CheckResult]:
    """Yield a result for each gradient that another engine gives too; one that is skipped for an engine that can't.

    ``right`` are the titles of the gradients that differences agree with.
    """
    usable = [one for one in measured if one.problem is None and one.gradients]
    moved = gradients_at(script, [one.output for one in usable], Jitter(4.0)) if usable else None
    for engine in settings.against:
        started = perf_counter()
        found = _ask(engine, session, usable, settings)
        seconds = perf_counter() - started
        if isinstance(found, str):
            yield _skipped(session, script, file, engine, found, seconds)
            continue
        share = seconds / max(sum(len(one.gradients) for one in usable), 1)
        for one, rows in zip(usable, found, strict=True):
            for gradient, theirs in zip(one.gradients, rows, strict=True):
                result = _compared(script, file, engine, one, gradient, np.array(theirs, dtype=float), moved, share)
                if result.diagnostic is not None and words.title(one.output, gradient.point) in right:
                    result.diagnostic.notes.append("differences agree with ours")
                yield result


def _ask(engine: str, session: Session, measured: list[Measured], settings: CheckSettings) -> list[Any] | str:
    """Return the other engine's rows for each output and leaf, or why there are none."""
    if any(one.value.dtype.kind == "c" or g.values.dtype.kind == "c" for one in measured for g in one.gradients):
        return "complex numbers are compared with differences only"
    try:
        code = python_text(session.units[0].source, indirect=engine == "jax")
    except (GxError, RecursionError):
        return "the script is nested too deeply"
    job = {
        "engine": engine,
        "code": code,
        "name": session.units[0].source.name,
        "names": sorted(session.units[0].names.used),
        "dtype": settings.dtype,
        "seed": settings.manual_seed,
        "outputs": [_question(one) for one in measured],
    }
    return _answer(_NAMES[engine], _run(job))


def _question(measured: Measured) -> dict[str, Any]:
    leaves = [{"stored": [*g.point.stored], "keys": [*g.point.keys]} for g in measured.gradients]
    seeds = [seed.reshape(-1).tolist() for seed in measured.seeds]
    return {"stored": [*measured.output.stored], "seeds": seeds, "shape": [*measured.shape], "leaves": leaves}


def _run(job: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the other process."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(gradcli.__file__)))
    command = [os.environ.get(PYTHON) or sys.executable, "-c", _CHILD, root]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(job),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=False,
        )
        found: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"problem": f"it took longer than {_SECONDS:.0f} seconds"}
    except (OSError, ValueError):
        return {"problem": f"{command[0]} gave no answer"}
    return found


def _answer(name: str, found: dict[str, Any]) -> list[Any] | str:
    if found.get("missing"):
        return f"{name} is not installed (where it is elsewhere, {PYTHON} names its interpreter)"
    if "problem" in found:
        return f"{name} can't run this script: {found['problem']}"
    rows: list[Any] = found["rows"]
    return rows if all(row is not None for row in rows) else f"{name} did not come to all outputs"


def _skipped(session: Session, script: Script, file: str, engine: str, reason: str, seconds: float) -> CheckResult:
    """Tell why nothing was compared."""
    label = [Label(script.source.line_span(1), "", True, script.source)]
    diagnostic = Diagnostic("check", "not-compared", f"not compared with {engine}: {reason}", label)
    session.events.warned(diagnostic)
    title = f"gradients against {engine}"
    return CheckResult(check_id(file, title), file, title, "gradient", "skipped", None, seconds, diagnostic)


def _compared(
    script: Script,
    file: str,
    engine: str,
    measured: Measured,
    gradient: Gradient,
    theirs: Array,
    moved: Moment | None,
    seconds: float,
) -> CheckResult:
    title = f"{words.title(measured.output, gradient.point)} against {engine}"
    line = script.source.place(measured.output.extent[0])[0]
    result = CheckResult(check_id(file, title), file, title, "gradient", "passed", line, seconds)
    ours, theirs = gradient.rows, theirs.reshape(gradient.rows.shape)
    allowed = _NEAR * float(np.max(np.abs(np.nan_to_num(ours)), initial=0.0)) + _rounding(
        measured.output, gradient, moved
    )
    worst = worst_element(ours, theirs, _NEAR, allowed, equal_nan=True)
    if worst is not None:
        result.outcome, result.magnitude = "failed", worst.relative
        place = words.place(gradient.point, gradient.values, worst.index[1])
        notes = [f"at {place}: ours {worst.got!r}, {_NAMES[engine]}'s {worst.expected!r}", worst.lines()[-1]]
        message = f"the {words.title(measured.output, gradient.point)} is not that of {_NAMES[engine]}"
        result.diagnostic = words.diagnostic(script, measured.output, "engines-differ", message, notes)
    return result


def _rounding(output: Output, gradient: Gradient, moved: Moment | None) -> float:
    """Return by how much a gradient may differ for its rounding alone."""
    rows = None if moved is None else moved.rows.get((output.stored, gradient.point))
    if rows is None or rows.shape != gradient.rows.shape:
        return 0.0
    return 100 * float(np.max(np.abs(np.nan_to_num(rows - gradient.rows)), initial=0.0))

"""An exception that came out of a script's code -> a diagnostic: where, in which words, and with what values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import FrameType, TracebackType
from typing import Any

from gradcli.autograd.backward import Pass
from gradcli.autograd.errors import Detail, GradcheckError, detail_of
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.tensor import Tensor
from gradcli.lang.checks import AssertionFailed
from gradcli.lang.compiling import Unit
from gradcli.lang.diagnostic import Diagnostic, GxError, Label, StackEntry
from gradcli.lang.places import Places
from gradcli.lang.python_words import translate
from gradcli.lang.runtime_advice import Failing, advise, names_in
from gradcli.lang.source import Source, Span

_MAX_NOTED = 4
_CHECKS = (AssertionError, GradcheckError)  # what assert_close, allclose and gradcheck raise


def explain(error: BaseException, places: Places) -> Diagnostic:
    """Return the diagnostic of an exception raised while a script ran."""
    if isinstance(error, GxError):
        return error.diagnostic
    frames = places.frames(error.__traceback__)
    here = places.locate(frames[-1][0].f_code, frames[-1][1]) if frames else None
    frame = frames[-1][0] if frames else None
    if isinstance(error, AssertionFailed):
        from gradcli.lang.assertion_words import failed_assertion

        return failed_assertion(error, here)
    detail = detail_of(error) or translate(error, frame, here)
    if here is not None and frame is not None:
        advise(Failing(detail, *here, frame, places))
    if here is not None and _inside_backward(error.__traceback__, places):
        labels = _labels_of_rule(detail, here, places)
    else:
        labels = _labels(detail, here, places)
    if detail.code == "no-graph" and here is not None and frame is not None:
        _show_cut(detail, labels, here, frame)
    notes = [*detail.notes, *_named(detail.about, frame)]
    if here is not None and frame is not None and not detail.nodes and detail.code != "no-value-yet":
        notes += _values(here, frame, places)
    kind = "check" if isinstance(error, _CHECKS) else "runtime"
    return Diagnostic(kind, detail.code, detail.message, labels, notes, detail.hint, _stack(frames, places))


def explain_warning(message: str, places: Places) -> Diagnostic:
    """Return a warning at the expression that is running."""
    current = places.current()
    here = places.locate(current[0].f_code, current[1]) if current else None
    return Diagnostic("runtime", "warning", message, [Label(here[1], "", True, here[0])] if here else [])


def _inside_backward(trace: TracebackType | None, places: Places) -> bool:
    """Whether the script's innermost frame, a hook or a custom rule, was called by a backward pass."""
    passed = inside = False
    while trace is not None:
        if trace.tb_frame.f_globals is places.namespace:
            passed, inside = False, passed
        elif trace.tb_frame.f_globals.get("__name__") == Pass.__module__:
            passed = True
        trace = trace.tb_next
    return inside


def _labels_of_rule(detail: Detail, here: tuple[Source, Span], places: Places) -> list[Label]:
    """An error inside a hook or a custom rule belongs to its own line; the forward expression comes second."""
    words = "in the backward pass of this expression"
    found = [places.locate(node.code, node.lasti) for node, _ in detail.nodes]
    others = [Label(place[1], words, False, place[0]) for place in found if place is not None and place != here]
    return [Label(here[1], detail.label or "", True, here[0]), *others]


def _labels(detail: Detail, here: tuple[Source, Span] | None, places: Places) -> list[Label]:
    """An error of a backward pass belongs to the forward expression; the call that ran into it comes second."""
    label = detail.label or ""
    found = [(places.locate(node.code, node.lasti), words) for node, words in detail.nodes]
    nodes = [(place, words) for place, words in found if place is not None]
    labels: list[Label] = []
    for (source, span), words in nodes:
        text = label or words if not labels else words
        labels.append(Label(span, text, not labels, source))
    if here is not None and not any(label.span == here[1] and label.source is here[0] for label in labels):
        labels.append(Label(here[1], "while computing this" if labels else label, not labels, here[0]))
    return labels


def _show_cut(detail: Detail, labels: list[Label], here: tuple[Source, Span], frame: FrameType) -> None:
    """Add the expression that cut the graph, and the way out that fits it."""
    from gradcli.lang.cut_graph import find_cut

    function = frame.f_code.co_firstlineno if frame.f_code.co_name != "<module>" else 0
    output, cut = find_cut(*here, lambda name: frame.f_locals.get(name, frame.f_globals.get(name)), function)
    if output is not None:
        detail.message = detail.message.replace("the output", f"`{output}`", 1)
    if cut is not None:
        labels.append(Label(cut.span, cut.words, False, here[0]))
        detail.hint, detail.message = cut.help, cut.message or detail.message


def _stack(frames: list[tuple[FrameType, int]], places: Places) -> list[StackEntry]:
    """Return the gx calls that were running: each function with the expression that called it."""
    entries = []
    for (caller, lasti), (callee, _) in pairwise(frames):
        place = places.locate(caller.f_code, lasti)
        name = callee.f_code.co_name
        if place is not None and name not in ("<listcomp>", "<genexpr>", "<dictcomp>"):
            entries.append(StackEntry("lambda" if name == "<lambda>" else name, place[1], place[0]))
    return entries


def _values(here: tuple[Source, Span], frame: FrameType, places: Places) -> list[str]:
    """Return one note with the shapes or values of the names in the failing expression, and where each was set."""
    source, span = here
    notes: list[str] = []
    for name in names_in(source.slice(span)):
        scope = frame.f_locals if name in frame.f_locals else frame.f_globals
        if name.startswith("__") or name not in scope:
            continue
        shown = _short(scope[name])
        if shown is not None:
            notes.append(f"{name} is {shown}{_origin(name, source, span, frame, places)}")
    return ["; ".join(notes[:_MAX_NOTED])] if notes else []


def _named(about: Any, frame: FrameType | None) -> list[str]:
    """Return a note with the script's name for a tensor, or for the tensor whose memory ``about`` is."""
    if about is None or frame is None:
        return []
    scope = {**frame.f_globals, **frame.f_locals}
    names = [name for name, value in scope.items() if value is about or getattr(value, "_storage", None) is about]
    return [f"the tensor is {' or '.join(names)}"] if names else []


def _origin(name: str, source: Source, span: Span, frame: FrameType, places: Places) -> str:
    """Return `, from line N`: the last line before the expression that sets the name, or the last at all (a loop).

    A declaration that was given another value is not where the value comes from.
    """
    unit, code = places.units.get(source.name), frame.f_code
    if unit is None or name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return ""
    if code.co_name == "<module>" or name not in frame.f_locals:
        lines = sorted(line for line, _, stored in unit.names.stores if stored == name)
    else:
        lines = sorted(unit.names.lines.get(name, []))
    if name in places.given and len(lines) < 2:
        return ", from --set"
    before = [line for line in lines if line < span.line]
    line = (before or lines or [0])[-1]
    if not line or (line == span.line and not before):
        return _earlier_origin(name, unit, places)
    return f", from line {line}" if line != span.line else ""


def _earlier_origin(name: str, unit: Unit, places: Places) -> str:
    """Return `, from In [2]`: the last source of the session before ``unit`` that sets the name, if one does."""
    earlier = (other for other in reversed(places.order) if other is not unit)
    found = next((other for other in earlier if any(stored == name for _, _, stored in other.names.stores)), None)
    return "" if found is None else f", from {found.source.name}"


def _short(value: Any) -> str | None:
    """Return a tensor's shape, a number, or a short list; None for what would say nothing."""
    if isinstance(value, Tensor):
        if value.ndim or value.dtype.is_complex:
            return str(tuple(value.shape))
        return "a batch of numbers" if isinstance(value, Lifted) else f"a tensor of one number, {value.item():.6g}"
    if isinstance(value, list | tuple | dict) and len(value) > 12:
        return f"a {type(value).__name__} of {len(value)}"
    if not isinstance(value, bool | int | float | complex | str | list | tuple | dict | None):
        return None
    text = _text(repr, value)
    return text if len(text) <= 60 else None


def _text(write: Callable[[Any], str], value: Any) -> str:
    """Return ``value`` as text; whole numbers with thousands of digits refuse to become one."""
    try:
        return write(value)
    except ValueError:
        return "a number with thousands of digits"

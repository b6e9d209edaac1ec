"""What the checks of gradients say: the leaf, the index, both numbers, and the likely cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.autograd.causes import by_numbers
from gradcli.checks.measuring import Gradient, Measured
from gradcli.checks.trial import Output, Point, Script
from gradcli.lang.diagnostic import Diagnostic, Label

if TYPE_CHECKING:
    from gradcli.checks.probing import Finding, Probe

Array = np.ndarray[Any, Any]
_CUT_OFF = (
    "no rule of the script's own is on the way, so a path is cut off (detach(), .data, no_grad(), item(), float(), an "
    "integer cast) or a hook changes what passes; if neither is so, the rule of an operation is wrong"
)
_SINGLE = (1e-8, 3e-5)  # relative errors that look like 7 digits


def title(output: Output, point: Point) -> str:
    """Return what a check of one gradient is called."""
    return f"gradient of {output.title} by {point.name}"


def diagnostic(
    script: Script, output: Output, code: str, message: str, notes: Sequence[str] = (), help: str | None = None
) -> Diagnostic:
    """Return the diagnostic of a gradient; it points at the statement that gives the output its name."""
    start, end = output.extent
    line = script.source.line(script.source.place(start)[0])
    column = script.source.place(start)[1]
    end = max(end, start + len(line[column:].partition("  #")[0].rstrip()))
    label = Label(script.source.span(start, end), "", True, script.source)
    return Diagnostic("check", code, message, [label], notes, help)


def not_computed(script: Script, measured: Measured, problem: Diagnostic) -> Diagnostic:
    """Return the failure of a gradient whose rules raise an error."""
    message = f"the gradient of {measured.output.title} can't be computed: {problem.message}"
    return diagnostic(script, measured.output, problem.code, message, problem.notes, problem.help)


def early_failure(script: Script, measured: Measured, gradient: Gradient) -> Diagnostic | None:
    """Return the failure of a gradient that two passes over one graph don't agree on."""
    if np.array_equal(gradient.rows, gradient.again, equal_nan=True):
        return None
    gap = float(np.nanmax(np.abs(gradient.rows - gradient.again)))
    message = f"the {title(measured.output, gradient.point)} is not deterministic"
    notes = [f"two passes over one graph differ by up to {gap:.3g}", *_rules(measured)]
    notes.append("likely cause: a rule that draws random numbers or keeps a state")
    return diagnostic(script, measured.output, "nondeterministic", message, notes)


def unchecked(script: Script, measured: Measured, gradient: Gradient) -> Diagnostic:
    """Return the remark on a leaf that the script overwrites in a way that nothing counts."""
    name = gradient.point.name
    message = f"the {title(measured.output, gradient.point)} is not checked: {name} is overwritten through .data"
    help = f"with no_grad(): {name} -= ... is a change that is counted"
    return diagnostic(script, measured.output, "unchecked-gradient", message, help=help)


def place(point: Point, values: Array, element: int) -> str:
    """Return an element of a leaf as the script would write it; a complex number has two real parts."""
    flat = element // 2 if values.dtype.kind == "c" else element
    part = (".real", ".imag")[element % 2] if values.dtype.kind == "c" else ""
    index = ", ".join(str(int(k)) for k in np.unravel_index(flat, values.shape)) if values.ndim else ""
    return point.name + (f"[{index}]" if index else "") + part


def wrong_gradient(
    script: Script, probe: Probe, k: int, wrong: list[Finding], first: int, upstream: list[str]
) -> Diagnostic:
    """Return the failure of a gradient: its worst element with both numbers, and what probably went wrong."""
    measured, gradient = probe.pairs[k]
    worst = max(wrong, key=lambda f: (not np.isfinite(f.rule), _relative(f)))
    rules, differences = _columns(probe, worst, len(measured.seeds), first)
    suspicious = _count(rules, differences, wrong, 2 if gradient.values.dtype.kind == "c" else 1)
    count = f"{suspicious} of {gradient.values.size} elements"
    message = f"the {title(measured.output, gradient.point)} is wrong at {count}"
    notes = [_numbers(measured, gradient, worst, first)]
    if np.isfinite(worst.order):
        notes.append(f"the Taylor remainder vanishes with order {worst.order:.2f} (2 is right, 1 is wrong)")
    if not upstream:
        notes += [f"likely cause: {cause}" for cause in causes(measured, gradient, worst, rules, differences)]
    else:
        are = "is" if len(upstream) == 1 else "are"
        notes.append(f"{' and '.join(upstream)}, which it is computed from, {are} wrong already")
    return diagnostic(script, measured.output, "wrong-gradient", message, [*notes, *_rules(measured)])


def _relative(finding: Finding) -> float:
    gap = abs(finding.rule - finding.measured)
    return gap / abs(finding.measured) if finding.measured else gap


def _numbers(measured: Measured, gradient: Gradient, worst: Finding, first: int) -> str:
    """Return the sentence with both numbers."""
    parts = gradient.values.reshape(-1)
    value = parts[worst.element // (2 if gradient.values.dtype.kind == "c" else 1)].item()
    where = f"at {place(gradient.point, gradient.values, worst.element)} (value {value:.6g})"
    of = _of(measured, worst.row - first)
    both = f"the rule gives {worst.rule:.10g}, differences give {worst.measured:.10g}"
    errors = f"absolute error {abs(worst.rule - worst.measured):.3g}, relative error {_relative(worst):.3g}"
    return f"{where}{of}: {both}\n{errors}"


def _of(measured: Measured, row: int) -> str:
    if measured.value.size <= 1:
        return ""
    if len(measured.seeds) != measured.value.size:
        return f" for {measured.output.title} along random signs"
    is_complex = np.prod(measured.shape) != len(measured.seeds)
    place = np.unravel_index(row // (2 if is_complex else 1), measured.shape)
    index = ", ".join(str(int(k)) for k in place)
    return f" for {measured.output.title}[{index}]"


def _columns(probe: Probe, worst: Finding, rows: int, first: int) -> tuple[Array, Array]:
    """Return a row of the gradient and its differences over many elements: a pattern shows the cause."""
    size = probe.sizes.size
    most = min(size, probe.most, 512)
    elements = np.unique([worst.element, *np.linspace(0, size - 1, most, dtype=int)])
    measured = []
    for element in elements:
        direction = np.zeros(size)
        direction[element] = 1.0
        value, noise = probe.central(direction, probe.precision ** (1 / 3) * float(probe.sizes[element]))
        near = np.abs(value[first : first + rows]) > noise[first : first + rows]
        measured.append(np.where(near, value[first : first + rows], 0.0))
    return probe.rows()[first : first + rows, elements], np.array(measured).T


def _count(rules: Array, differences: Array, wrong: list[Finding], parts: int) -> int:
    """Return how many elements differ; a complex one has two ``parts``."""
    with np.errstate(all="ignore"):
        close = np.abs(rules - differences) <= 1e-4 * np.maximum(np.abs(rules), np.abs(differences))
    return max(int((~close).any(axis=0).sum()), len({f.element for f in wrong})) // parts or 1


def causes(measured: Measured, gradient: Gradient, worst: Finding, rules: Array, differences: Array) -> list[str]:
    """Return what probably went wrong, the most telling first."""
    if gradient.overwritten:
        name = gradient.point.name
        return [f"{name} is overwritten through .data or numpy() after it was used, which backward can't notice"]
    if not np.isfinite(worst.rule):
        return [f"the rule gives {worst.rule}: 0 * inf or inf - inf on the way, at the edge of an operation's domain"]
    point = worst.slopes
    if point is not None and point.kind in ("kink", "edge"):
        at = "a kink" if point.kind == "kink" else "the edge of the domain"
        return [f"{at}: slope {point.words()}; the rule gives {worst.rule:.6g}, which is outside"]
    if _SINGLE[0] < _relative(worst) < _SINGLE[1]:
        return ["single precision on the way: the gradient has 7 digits where the values have 16 (float(), float32)"]
    shape = gradient.values.shape if rules.shape[1] == gradient.values.size else None
    found = by_numbers(rules, differences, shape, gradient.values.dtype.kind == "c")
    if measured.rules:
        return found
    return [cause for cause in found if "path" in cause] or [_CUT_OFF]


def _rules(measured: Measured) -> list[str]:
    if not measured.rules:
        return []
    return [f"rules of the script's own that it was computed by: {', '.join(measured.rules)}"]


def remarks(script: Script, probe: Probe, k: int, findings: list[Finding]) -> Iterator[Diagnostic]:
    """Yield a remark for each kind of point where nothing is wrong but a reader should know."""
    measured, gradient = probe.pairs[k]
    by_kind: dict[str, list[Finding]] = {}
    for finding in findings:
        by_kind.setdefault(finding.slopes.kind if finding.slopes else "", []).append(finding)
    for group in by_kind.values():
        first = group[0]
        where = place(gradient.point, gradient.values, first.element)
        more = len({f.element for f in group}) - 1
        others = f" (and at {more} more)" if more else ""
        message = f"{title(measured.output, gradient.point)} at {where}{others}: {first.words}"
        code = "not-smooth" if first.kind == "remark" else "unclear-gradient"
        yield diagnostic(script, measured.output, code, message)


def modes_differ(script: Script, measured: Measured, gradient: Gradient, forward: float, reverse: float) -> Diagnostic:
    """Return the failure of a forward mode that gives another derivative."""
    message = f"forward mode and reverse mode give different derivatives of {measured.output.title}"
    both = f"forward {forward:.15g}, reverse {reverse:.15g}, apart by {forward - reverse:.3g}"
    notes = [
        f"along {gradient.point.name}: {both}",
        "likely cause: a jvp that is not the transpose of its backward; differences agree with reverse mode",
    ]
    return diagnostic(script, measured.output, "modes-differ", message, [*notes, *_rules(measured)])


def wrong_curvature(
    script: Script, measured: Measured, gradient: Gradient, differences: Array, wrong: Array
) -> Diagnostic:
    """Return the failure of a rule whose own derivative is wrong: the gradient is right, the second one is not."""
    assert gradient.curved is not None
    index = int(np.argmax(np.where(wrong, np.abs(np.nan_to_num(gradient.curved - differences, nan=np.inf)), -1.0)))
    name = f"{measured.output.title} by {gradient.point.name}"
    message = f"the second derivative of {name} is wrong, though the first is right"
    where = place(gradient.point, gradient.values, index)
    both = f"differentiating the rule gives {gradient.curved[index]:.10g}"
    notes = [f"at {where}: {both}, differences of the gradient give {differences[index]:.10g}"]
    found = by_numbers(gradient.curved[None, :], differences[None, :], gradient.values.shape)
    notes += [f"likely cause: in the derivative of the rule, {cause}" for cause in found]
    help = "a rule that has no second derivative says so: @once_differentiable"
    return diagnostic(script, measured.output, "wrong-second-derivative", message, [*notes, *_rules(measured)], help)


def few_digits(script: Script, measured: Measured, gradient: Gradient, digits: float, single: Array) -> Diagnostic:
    """Return the remark on a gradient that single precision destroys."""
    left = "no digit" if digits < 0.5 else f"{digits:.1f} of 7 digits"
    message = f"in float32 the {title(measured.output, gradient.point)} keeps {left}"
    cause = "it overflows" if not np.isfinite(single).all() else "numbers of nearly one size cancel"
    return diagnostic(script, measured.output, "few-digits", message, [cause])

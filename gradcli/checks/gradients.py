"""``--grad``: the gradient of every output of a script by every leaf, checked with no line of test code.

The script is run again with one leaf moved, and the outputs' differences are compared with what the rules gave.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from gradcli.checks import gradient_words as words
from gradcli.checks.blocks import Budget, elements_to_look_at
from gradcli.checks.further import curvature, digits_lost, forward_mode, rounding
from gradcli.checks.measuring import Gradient, Measured, measure
from gradcli.checks.probing import Finding, Probe
from gradcli.checks.results import CheckResult, CheckSettings, check_id
from gradcli.checks.trial import Output, Point, Script
from gradcli.lang.diagnostic import Diagnostic
from gradcli.lang.session import Session

Array = np.ndarray[Any, Any]
_MOST_LOOKED_AT = 48  # elements of one leaf that are measured closely
_ENOUGH_WRONG = 3


def check_gradients(session: Session, file: str, settings: CheckSettings) -> list[CheckResult]:
    """Return a result for each output and leaf of a finished session; remarks go to the session's events.

    A kink whose slopes have the rule's value between them is a remark, and so is an edge of the domain where the rule
    gives the slope inside. What the rules can't do (a second derivative, forward mode) is not asked for.
    """
    started = perf_counter()
    script = Script(session, settings.manual_seed, settings.dtype)
    outputs = script.outputs()
    if not outputs:
        return []
    measured = measure(script, outputs)
    if any(gradient.overwritten for one in measured for gradient in one.gradients):
        measured = measure(script, outputs, look=True)
    budget = Budget(perf_counter() - started)
    run = _Run(session, script, file, measured, budget)
    results = [*run.problems(), *run.results()]
    if settings.against:
        from gradcli.checks.against import compare_engines

        right = frozenset(result.title for result in results if not result.bad)
        results += compare_engines(session, script, file, measured, settings, right)
    order = {id: k for k, id in enumerate(run.order())}
    return sorted(results, key=lambda result: order.get(result.id, len(order)))


class _Run:
    """The checks of one script's gradients."""

    def __init__(self, session: Session, script: Script, file: str, measured: list[Measured], budget: Budget) -> None:
        self._session = session
        self._script = script
        self._file = file
        self._measured = measured
        self._budget = budget
        self._wrong: list[Measured] = []

    def order(self) -> list[str]:
        """Return the ids of all results: outputs by line, the leaves of each in its order."""
        return [self._id(one, gradient) for one in self._measured for gradient in one.gradients]

    def _id(self, measured: Measured, gradient: Gradient) -> str:
        return check_id(self._file, words.title(measured.output, gradient.point))

    def problems(self) -> Iterator[CheckResult]:
        """Yield a failure for each output whose rules raised an error."""
        for measured in self._measured:
            if measured.problem is not None:
                diagnostic = self._session.explain(measured.problem)
                title = f"gradient of {measured.output.title}"
                yield self._result(measured.output, title, words.not_computed(self._script, measured, diagnostic), 0.0)

    def results(self) -> Iterator[CheckResult]:
        """Yield the result of each output by each leaf; one run of the script serves all outputs of a leaf."""
        by_point: dict[Point, list[tuple[Measured, Gradient]]] = {}
        for measured in self._measured:
            for gradient in measured.gradients:
                by_point.setdefault(gradient.point, []).append((measured, gradient))
        for pairs in by_point.values():
            started = perf_counter()
            failures = self._leaf(pairs)
            seconds = (perf_counter() - started) / len(pairs)
            for (measured, gradient), diagnostic in zip(pairs, failures, strict=True):
                yield self._result(measured.output, words.title(measured.output, gradient.point), diagnostic, seconds)

    def _result(self, output: Output, title: str, diagnostic: Diagnostic | None, seconds: float) -> CheckResult:
        line = self._script.source.place(output.extent[0])[0]
        outcome = "passed" if diagnostic is None else "failed"
        id = check_id(self._file, title)
        return CheckResult(id, self._file, title, "gradient", outcome, line, seconds, diagnostic)  # type: ignore[arg-type]

    def _leaf(self, pairs: list[tuple[Measured, Gradient]]) -> list[Diagnostic | None]:
        """Return for each output what is wrong with its gradient by one leaf."""
        early = [words.early_failure(self._script, *pair) for pair in pairs]
        skipped = [gradient.overwritten == "before" for _, gradient in pairs]
        open_pairs = [pair for pair, e, s in zip(pairs, early, skipped, strict=True) if e is None and not s]
        for pair in (pair for pair, s in zip(pairs, skipped, strict=True) if s):
            self._session.events.warned(words.unchecked(self._script, *pair))
        if not open_pairs or open_pairs[0][1].values.size == 0:
            return early
        probe = Probe(self._script, open_pairs)
        probe.most = max(16, self._budget.blocks(probe.sizes.size))
        doubt = rounding(self._script, probe)
        findings = self._findings(probe, doubt)
        later = iter([self._verdict(probe, k, findings, doubt) for k in range(len(open_pairs))])
        return [e if e is not None or s else next(later) for e, s in zip(early, skipped, strict=True)]

    def _findings(self, probe: Probe, doubt: Array) -> list[Finding]:
        """Return what closer looks at the suspicious elements find, the worst rows first."""
        looks = elements_to_look_at(probe, self._budget)
        findings: list[Finding] = []
        wrong: dict[int, int] = {}
        for count, (element, rows) in enumerate(looks):
            rows = rows & np.array([wrong.get(row, 0) < _ENOUGH_WRONG for row in range(rows.size)])
            if count >= _MOST_LOOKED_AT or self._budget.is_spent():
                break
            if rows.any():
                found = probe.look(element, rows, doubt[:, element])
                findings += found
                for finding in found:
                    wrong[finding.row] = wrong.get(finding.row, 0) + (finding.kind == "wrong")
        return findings

    def _verdict(self, probe: Probe, k: int, findings: list[Finding], doubt: Array) -> Diagnostic | None:
        """Return what is wrong with the gradient of output ``k``, and tell the remarks."""
        measured, _ = probe.pairs[k]
        first = sum(len(one.seeds) for one, _ in probe.pairs[:k])
        mine = [f for f in findings if first <= f.row < first + len(measured.seeds)]
        wrong = [f for f in mine if f.kind == "wrong"]
        if wrong:
            before = [one for one in self._wrong if one is not measured and one.node in measured.nodes]
            upstream = {one.output.title: None for one in before}
            self._wrong.append(measured)
            return words.wrong_gradient(self._script, probe, k, wrong, first, list(upstream))
        for remark in words.remarks(self._script, probe, k, [f for f in mine if f.kind != "right"]):
            self._session.events.warned(remark)
        further = forward_mode(self._script, probe, k, doubt)
        if further is None and not mine_are_kinks(mine) and self._budget.allows(26):
            further = curvature(self._script, probe, k, doubt)
        if further is None:
            lost = digits_lost(self._script, probe, k)
            if lost is not None:
                self._session.events.warned(lost)
        return further


def mine_are_kinks(findings: list[Finding]) -> bool:
    """Tell whether an element sits where the gradient itself jumps: nothing can be said of second derivatives."""
    return any(f.slopes is not None and f.slopes.kind != "smooth" for f in findings)

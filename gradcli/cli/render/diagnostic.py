"""The one form in which an error or a warning of a script is shown.

error[shape-mismatch]: matmul needs equal inner sizes, got (2, 3) @ (4, 5)
  --> net.gx:3:10
   |
 3 | y = tanh(w @ x)
   |          ^^^^^ 3 (columns of w) is not 4 (rows of x)
   |
   = help: did you mean w @ x[:3]?
"""

from __future__ import annotations

from collections.abc import Iterator

from gradcli.cli.render.columns import LaidLine, visible
from gradcli.cli.terminal import Look, Paint
from gradcli.lang.diagnostic import Diagnostic, Label, StackEntry
from gradcli.lang.source import Source

_CALLS_SHOWN = 3  # at each end of a long call stack
_LEAST_ROOM = 20


def render(diagnostic: Diagnostic, look: Look, severity: str = "error") -> str:
    """Return the text of ``diagnostic``, with its line end; ``severity`` is "error" or "warning"."""
    paint = Paint(look.color)
    first, *more = visible(diagnostic.message).split("\n")
    head = severity if diagnostic.code == severity else f"{severity}[{diagnostic.code}]"
    rows = [paint(severity, head) + paint("strong", f": {first}")]
    rows += [f"  {line}" for line in more]
    ordered = sorted(diagnostic.labels, key=lambda label: not label.primary)
    gutter = len(str(max((label.span.line for label in ordered), default=0))) + 1
    for number, source in enumerate(dict.fromkeys(label.source for label in ordered)):
        rows += _excerpt(source, [label for label in ordered if label.source is source], gutter, look, number > 0)
    facts = [*diagnostic.notes, *_calls(diagnostic.stack)]
    facts += [f"help: {diagnostic.help}"] if diagnostic.help else []
    indent = " " * (gutter + 1)
    rows += [f"{indent}{paint('frame', '=')} {_hanging(fact, indent)}" for fact in facts]
    return "\n".join(rows) + "\n"


def place(label: Label) -> str:
    """Return ``name:line:column`` of a label."""
    return f"{visible(label.source.name)}:{label.span.line}:{label.span.column}"


def _hanging(fact: str, indent: str) -> str:
    return visible(fact).replace("\n", f"\n{indent}  ")


def _excerpt(source: Source, labels: list[Label], gutter: int, look: Look, further: bool) -> Iterator[str]:
    """Yield the rows for one source: where, then each line with its labels, lines in order."""
    paint = Paint(look.color)
    bar = paint("frame", "|")
    yield " " * gutter + paint("frame", ":::" if further else "-->") + " " + place(labels[0])
    yield f"{' ' * gutter} {bar}"
    before = None
    for line in sorted({label.span.line for label in labels}):
        if before is not None and line > before + 1:
            yield paint("frame", "...")
        before = line
        here = [label for label in labels if label.span.line == line]
        laid = LaidLine(source.line(line), here[0].span.column - 1, _room(look, gutter), "…" if look.unicode else "...")
        yield f"{paint('frame', str(line).rjust(gutter))} {bar} {laid.text}".rstrip()
        for label in here:
            yield f"{' ' * gutter} {bar} {_mark(label, laid, paint)}"
    yield f"{' ' * gutter} {bar}"


def _room(look: Look, gutter: int) -> int:
    return max(_LEAST_ROOM, look.width - gutter - 4)


def _mark(label: Label, laid: LaidLine, paint: Paint) -> str:
    """Return the carets (of the primary label) or dashes below a label's span, then its words."""
    start = laid.cell(label.span.column - 1)
    ends_here = label.span.end_line == label.span.line
    last = label.span.end_column - 1 if ends_here else len(label.source.line(label.span.line).rstrip())
    length = max(1, laid.cell(last) - start)
    words = visible(label.text).replace("\n", " ")
    if not ends_here:
        words = f"{words} (to line {label.span.end_line})".lstrip()
    style = "error" if label.primary else "note"
    return " " * start + paint(style, f"{('^' if label.primary else '-') * length} {words}".rstrip())


def _calls(stack: list[StackEntry]) -> Iterator[str]:
    """Yield a line for each call of a gx function, outermost first; the middle of a deep recursion is left out."""
    for index, entry in enumerate(stack):
        if _CALLS_SHOWN <= index < len(stack) - _CALLS_SHOWN:
            if index == _CALLS_SHOWN:
                yield f"… and {len(stack) - 2 * _CALLS_SHOWN} calls between these"
            continue
        called = entry.source.slice(entry.span).split("\n")[0]
        yield f"in {entry.name}, called at {entry.source.name}:{entry.span.line}:{entry.span.column}: {called[:60]}"

""":why: what a tensor's part in the graph is, and which statement of the session took it out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gradcli.autograd import Tensor
from gradcli.cli.repl.commands.describing import described
from gradcli.cli.repl.commands.registry import command
from gradcli.cli.repl.entries import Entry, Status
from gradcli.cli.repl.lookup import value_at
from gradcli.cli.repl.problems import problem
from gradcli.lang.diagnostic import Diagnostic, Label
from gradcli.lang.source import Source, Span

if TYPE_CHECKING:
    from gradcli.cli.repl.shell import Shell

_OUTPUT = re.compile(r"[^\W\d]\w*")


@command("x")
def why(shell: Shell, text: str) -> None:
    """Say why a tensor has a gradient or has none: leaf or result, which node made it, which statement cut it off.

    It is read from the session's own entries.
    """
    value = value_at(shell.session, text)
    if value is None:
        raise problem(f"`{text}` is no name here" if text else ":why takes a name", "for example :why x")
    if not isinstance(value, Tensor):
        shell.write(f"{text} is no tensor but {described(value)}: only tensors have gradients\n")
    elif not value.requires_grad:
        _cut_off(shell, text, value)
    elif value.is_leaf:
        shell.write(_about_leaf(text, value))
    else:
        _about_result(shell, text, value)


def _about_leaf(name: str, value: Tensor) -> str:
    words = f"{name} is a leaf that requires grad, so backward adds to {name}.grad"
    if value._grad is None:
        return f"{words}\n{name}.grad is None: no backward has reached it since it was made or cleared\n"
    return f"{words}\nwhat is there now has been added up since it was last cleared\n"


def _about_result(shell: Shell, name: str, value: Tensor) -> None:
    from gradcli.lang.request import leaf_names, reached_leaves

    node = value.grad_fn
    assert node is not None
    names = leaf_names(shell.session)
    leaves = [names.get(id(leaf), f"an unnamed leaf {tuple(leaf.shape)}") for leaf in reached_leaves(value)]
    place = shell.session.locate(node.code, node.lasti)
    kept = "is kept, as retain_grad() asks" if value.retains_grad else "stays None unless retain_grad() is called first"
    notes = [f"it reaches {', '.join(leaves)}" if leaves else "it reaches no leaf", f"{name}.grad {kept}"]
    labels = [Label(place[1], f"{node.name()} was recorded here", True, place[0])] if place else []
    message = f"{name} requires grad: it is a result, not a leaf"
    shell.note(Diagnostic("runtime", "result", message, labels, notes))


def _cut_off(shell: Shell, name: str, value: Tensor) -> None:
    found = find_cut(shell, name)
    message = f"{name} does not require grad"
    if found is None:
        words = "nothing that requires grad went into it"
        hint = f"make it a leaf: {name}.requires_grad_(), or leaf {name} = ..."
        if not value.dtype.is_floating_point and not value.dtype.is_complex:
            hint = f"it holds {value.dtype.name} values, and only floats have gradients"
        shell.note(Diagnostic("runtime", "no-grad", f"{message}: {words}", [], help=hint))
        return
    shell.note(Diagnostic("runtime", "no-grad", message, [found[0]], help=found[1]))


def find_cut(shell: Shell, name: str) -> tuple[Label, str] | None:
    """Return the expression of an entry that took ``name`` out of the graph, and the way out; None if it is unclear."""
    from gradcli.lang.cut_graph import find_cut_of

    good = [entry for entry in shell.entries if entry.status in (Status.OK, Status.RUNNING)]
    whole = Source("".join(entry.source.text for entry in good), "session")
    try:
        cut = find_cut_of(whole, name, shell.session.namespace.get)
    except Exception:  # the entries are whole by themselves; together they may still be too much to read
        return None
    if cut is None:
        return None
    source, span = _inside(good, cut.span)
    return Label(span, cut.words, True, source), cut.help


def _inside(entries: list[Entry], span: Span) -> tuple[Source, Span]:
    """Return the entry that a span of all entries' text lies in, and the span within it."""
    first = 0
    for entry in entries:
        lines = entry.source.text.count("\n")
        if span.line <= first + lines:
            return entry.source, Span(span.line - first, span.column, span.end_line - first, span.end_column)
        first += lines
    raise AssertionError("a span of the entries lies in one of them")


def explained(shell: Shell, diagnostic: Diagnostic) -> Diagnostic:
    """Add the entry that cut the graph to the error of a backward pass that found none."""
    primary = diagnostic.primary
    if diagnostic.code != "no-graph" or primary is None or len(diagnostic.labels) > 1:
        return diagnostic
    name: Any = _OUTPUT.match(primary.source.slice(primary.span))
    found = find_cut(shell, name[0]) if name else None
    if found is not None:
        label, diagnostic.help = found
        if label.source is not primary.source or label.span != primary.span:
            diagnostic.labels.append(Label(label.span, label.text, False, label.source))
    return diagnostic

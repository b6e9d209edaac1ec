"""A source -> a code object: parsed, turned into Python's tree, its names checked, compiled."""

from __future__ import annotations

import ast
import re
import warnings
from types import CodeType
from typing import Any, NamedTuple

from gradcli.lang.builder import Builder
from gradcli.lang.diagnostic import GxError, syntax_error
from gradcli.lang.names import Names
from gradcli.lang.nodes.base import Node
from gradcli.lang.nodes.statements import AssertStatement
from gradcli.lang.parser import parse
from gradcli.lang.source import Source, Span


class Expectation:
    """A ``#>`` comment: the text that a line should print, and where it stands.

    ``line`` is the line whose output is meant: the comment's own, or the one above a block of such comments.
    """

    __slots__ = ("line", "span", "text")

    def __init__(self, line: int, span: Span, text: str) -> None:
        self.line = line
        self.span = span
        self.text = text


class CheckPlace(NamedTuple):
    """A ``check`` block: title, offset, the span of its first line's words, and the span of all of it."""

    title: str
    start: int
    head: Span
    span: Span


class Unit:
    """A compiled source, with what it declares: leaves and inputs by name, what it checks, and the ``#>`` lines.

    ``checks`` are the ``check`` blocks; ``assertions`` text and span of each ``assert`` of the script's own lines,
    those inside of blocks and functions left out.
    """

    __slots__ = ("assertions", "checks", "code", "expectations", "inputs", "leaves", "names", "source", "tree")

    def __init__(
        self, source: Source, builder: Builder, root: Node, tree: Any, expectations: list[Expectation]
    ) -> None:
        self.source = source
        self.tree = tree
        self.expectations = expectations
        self.leaves = {name: source.span(*extent) for name, extent in builder.leaves.items()}
        self.inputs = {name: source.span(*extent) for name, extent in builder.inputs.items()}
        self.checks = [
            CheckPlace(words, node.start, source.span(node.start, title.end), source.span(node.start, node.end))
            for words, node, title in builder.checks
        ]
        asserts = [child.children[0] for child in root.children if isinstance(child, AssertStatement)]
        self.assertions = [(builder.text(test), source.span(test.start, test.end)) for test in asserts]
        self.names = Names(builder, tree)
        self.code: CodeType | None = None


def read_unit(source: Source, rule: str = "script") -> Unit:
    """Parse ``source`` and turn it into Python's tree; raises GxError for any mistake but unknown names."""
    parsed = parse(source, rule)
    expectations = join_expectations(source, parsed.expected)
    builder = Builder(source, {item.line: index for index, item in enumerate(expectations)})
    tree = builder.emit(parsed.root)
    if rule != "script":
        tree = ast.Expression(body=tree)
    return Unit(source, builder, parsed.root, tree, expectations)


def compile_unit(unit: Unit) -> CodeType:
    """Return the code of a unit whose names are known; what only Python's compiler sees becomes an error of ours."""
    mode = "eval" if isinstance(unit.tree, ast.Expression) else "exec"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code: CodeType = compile(unit.tree, unit.source.name, mode, dont_inherit=True, optimize=0)
    except SyntaxError as error:
        raise _translated(unit.source, error) from None
    except (RecursionError, MemoryError):
        raise syntax_error(unit.source, 0, 1, "nested-too-deeply", "the script is nested too deeply") from None
    unit.code = code
    unit.tree = None
    return code


_WORDS = (
    (r"'(return|break|continue)' outside (function|loop)", r"outside-\2", r"`\1` has no meaning outside a \2"),
    (r"'(break|continue)' not properly in loop", "outside-loop", r"`\1` has no meaning outside a loop"),
    (
        r"name '(\w+)' is (?:assigned to|used) before (global|nonlocal) .*",
        "late-declaration",
        r"`\2 \1` must come before the first use of `\1`",
    ),
    (r"no binding for nonlocal '(\w+)' found", "no-nonlocal", r"no function around this one has a `\1`"),
    (r"nonlocal declaration not allowed at module level", "no-nonlocal", "`nonlocal` belongs into a function"),
    (r"name '(\w+)' is (?:parameter|nonlocal) and (global|nonlocal)", "late-declaration", r"`\1` can't be \2 as well"),
    (
        r"can't use starred expression here|.*starred assignment target must be.*",
        "stray-star",
        "`*` has a meaning only inside a list, a tuple or a call",
    ),
    (r"multiple starred expressions in assignment", "stray-star", "only one target may have a `*`"),
    (
        r"assignment expression .*|assignment expression cannot .*",
        "expression-too-long",
        "this chain of operators is too long for where it stands; give parts of it a name",
    ),
)


def _translated(source: Source, error: SyntaxError) -> GxError:
    """Return Python's late syntax errors in our words, at the place that Python names."""
    message, code = f"this can't be compiled: {error.msg}", "syntax"
    for pattern, name, words in _WORDS:
        found = re.fullmatch(pattern, error.msg)
        if found:
            message, code = found.expand(words), found.expand(name)
            break
    line = error.lineno or 1
    end_line = error.end_lineno or line
    span = source.span_of_bytes(line, max((error.offset or 1) - 1, 0), end_line, max((error.end_offset or 1) - 1, 0))
    start = source.offset(span.line, span.column)
    return syntax_error(source, start, max(source.offset(span.end_line, span.end_column), start), code, message)


def join_expectations(source: Source, comments: list[tuple[int, int]]) -> list[Expectation]:
    """Join ``#>`` comments on lines of their own into one for the line above them."""
    joined: list[Expectation] = []
    for start, end in comments:
        span = source.span(start, end)
        text = source.text[start + 2 : end].removeprefix(" ")
        alone = not source.line(span.line)[: span.column - 1].strip()
        if not alone:
            joined.append(Expectation(span.line, span, text.strip()))
        elif joined and joined[-1].span.end_line == span.line - 1 and joined[-1].line != joined[-1].span.line:
            last = joined[-1]
            last.text += "\n" + text.rstrip()
            last.span = Span(last.span.line, last.span.column, span.end_line, span.end_column)
        else:
            joined.append(Expectation(_line_above(source, span.line), span, text.rstrip()))
    return joined


def _line_above(source: Source, line: int) -> int:
    """Return the nearest line above that holds code."""
    above = line - 1
    while above > 1 and source.line(above).strip()[:1] in ("", "#"):
        above -= 1
    return above

"""Why nothing was recorded for an output: which expression of the script cut the graph, found in its text.

From the output the definitions of names are followed backwards, each to the last assignment before; the first
expression on the way that is known to lose the graph, and whose operand did belong to one, is the cause.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gradcli.autograd.tensor import Tensor
from gradcli.lang.compiling import read_unit
from gradcli.lang.source import Source, Span

Lookup = Callable[[str], Any]


class Cut(NamedTuple):
    """What cut the graph: where, in which words, the way out, and a better message when there is one."""

    span: Span
    words: str
    help: str
    message: str | None = None


class _Assigned(NamedTuple):
    """A definition of a name: the statement's line, its value, and whether it stands under ``no_grad``."""

    line: int
    value: ast.expr
    unrecorded: bool


_LONGEST_TEXT = 40
_LEAF = "mark an input as a leaf: leaf x = [1.0, 2.0], or tensor(..., requires_grad=True)"
_KEEP = "keep the tensor for backward, and take the number only to show it"
_INTEGERS = "integers have no gradient: keep the values as floats on the way to the output"
_POSITIONS = "a position has no gradient: differentiate the value found there, such as max()"
_METHODS = {
    "detach": ("detach() leaves the graph", "use the tensor itself where its gradient matters"),
    "item": ("item() gives a plain number, which has no graph", _KEEP),
    "tolist": ("tolist() gives plain numbers, which have no graph", _KEEP),
    "numpy": ("numpy() leaves the graph", _KEEP),
    **dict.fromkeys(("long", "int", "short", "char", "byte"), ("a cast to integers cuts the graph", _INTEGERS)),
    **dict.fromkeys(("bool",), ("a cast to True and False cuts the graph", _INTEGERS)),
    **dict.fromkeys(("argmax", "argmin", "argsort"), ("this gives positions, which have no gradient", _POSITIONS)),
    **dict.fromkeys(
        ("eq", "ne", "lt", "le", "gt", "ge", "isnan", "isclose", "equal", "allclose", "count_nonzero"),
        ("a comparison gives True and False, which have no gradient", "sigmoid() is a smooth step"),
    ),
    **dict.fromkeys(
        ("zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "empty_like"),
        ("this takes the shape alone, not the values", _LEAF),
    ),
    "tensor": ("tensor(...) copies the values without their graph", "use the tensor itself, or stack() several"),
    "float": ("float(...) gives a plain number, which has no graph", _KEEP),
}
_FIELDS = {
    "data": (".data leaves the graph", "use the tensor itself where its gradient matters"),
    "grad": (".grad holds plain values", "torch.autograd.grad(y, x, create_graph=True) gives a gradient with a graph"),
}


def find_cut(source: Source, span: Span, value_of: Lookup, function: int = 0) -> tuple[str | None, Cut | None]:
    """Return the output that the call at ``span`` differentiates, as text, and what cut its graph.

    Each is None where it isn't clear. ``function`` is the line of the function whose body the call stands in.
    """
    tree = read_unit(source).tree
    search = _Search(source, tree, value_of, function)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and search.span(node) == span]
    outputs = [output for call in calls for output in _outputs(call)]
    text = source.slice(search.span(outputs[0])) if len(outputs) == 1 else None
    return text if text is None or len(text) <= _LONGEST_TEXT else None, search.first(outputs, span.line)


def find_cut_of(source: Source, name: str, value_of: Lookup) -> Cut | None:
    """Return what cut the graph of the script's variable ``name``."""
    search = _Search(source, read_unit(source).tree, value_of)
    return search.first([ast.Name(name)], len(source.starts) + 1)


def input_of_grad(source: Source, span: Span, number: int) -> str | None:
    """Return the text of an input of the call of ``grad`` at ``span``, by its number; None where it has none."""
    tree = read_unit(source).tree
    place = _Search(source, tree, lambda name: None)
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _named(call.func) == "grad" and place.span(call) == span:
            given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "inputs")]
            inputs = list(given[0].elts) if given and isinstance(given[0], ast.List | ast.Tuple) else given
            return source.slice(place.span(inputs[number])) if number < len(inputs) else None
    return None


def _outputs(call: ast.Call) -> list[ast.expr]:
    """Return the expressions of the outputs: of ``y.backward()``, ``grad(y, x)`` and ``backward([y, z])``."""
    if (_named(call.func) or "").startswith("."):  # what the language itself calls around an expression
        return []
    if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and not _is_namespace(call.func.value):
        return [call.func.value]
    named = [keyword.value for keyword in call.keywords if keyword.arg in ("outputs", "tensors")]
    first = next(iter([*call.args[:1], *named]), None)
    return list(first.elts) if isinstance(first, ast.List | ast.Tuple) else [first] if first is not None else []


def _is_namespace(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "autograd") or _named(node) in ("torch", "autograd")


def _named(node: ast.AST | None) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


class _Search:
    """The definitions of one script, and the walk backwards through them."""

    def __init__(self, source: Source, tree: ast.AST, value_of: Lookup, function: int = 0) -> None:
        self._source = source
        self._value_of = value_of
        self._seen: set[tuple[str, int]] = set()
        self._constants = False
        self._assigned: dict[str, list[_Assigned]] = {}
        for statement, unrecorded in _statements(tree, False, function):
            for name, value in _bindings(statement):
                self._assigned.setdefault(name, []).append(_Assigned(statement.lineno, value, unrecorded))

    def span(self, node: ast.expr) -> Span:
        """Return the span of a node in characters."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._source.span_of_bytes(node.lineno, node.col_offset, end_line, end_column)

    def first(self, outputs: list[ast.expr], before: int) -> Cut | None:
        """Return the first cut on the way to one of ``outputs``, else the constant that one was computed from."""
        for self._constants in (False, True):
            self._seen.clear()
            for output in outputs:
                found = self._cut(output, before)
                if found is not None:
                    return found
        return None

    def _cut(self, node: ast.expr, before: int) -> Cut | None:
        """Return the innermost cut in ``node`` or in what its names were defined by before line ``before``."""
        if isinstance(node, ast.Name):
            return self._cut_in_definition(node.id, before)
        for child in _expressions(node):
            found = self._cut(child, before)
            if found is not None:
                return found
        reason = _reason(node)
        if reason is None or not any(self._is_recorded(child) for child in _operands(node)):
            return None
        words, help, *message = reason
        return Cut(self.span(node), words, help, message[0] if message else None)

    def _cut_in_definition(self, name: str, before: int) -> Cut | None:
        value = self._value_of(name)
        if isinstance(value, Tensor) and value.requires_grad:
            return None
        definition = next((d for d in reversed(self._assigned.get(name, [])) if d.line < before), None)
        if definition is None or (name, definition.line) in self._seen:
            return None
        self._seen.add((name, definition.line))
        found = self._cut(definition.value, definition.line)
        if found is not None:
            return found
        if definition.unrecorded and self._is_recorded(definition.value):
            help = "compute it outside of no_grad()"
            return Cut(self.span(definition.value), "computed under no_grad(), so nothing was recorded", help)
        names = any(isinstance(node, ast.Name) for node in _reads(definition.value))
        if self._constants and isinstance(value, Tensor) and not names:
            return Cut(self.span(definition.value), f"{name} does not require grad", _marked(name, value))
        return None

    def _is_recorded(self, node: ast.AST) -> bool:
        """Whether a name in ``node`` holds a tensor with a graph now."""
        values = [self._value_of(child.id) for child in ast.walk(node) if isinstance(child, ast.Name)]
        return any(isinstance(value, Tensor) and value.requires_grad for value in values)


def _marked(name: str, value: Tensor) -> str:
    if not value.dtype.is_floating_point:
        return f"a leaf holds floats: leaf {name} = [1.0, 2.0]"
    return f"make it a leaf: leaf {name} = ..., or {name}.requires_grad_() before it is used"


def _reason(node: ast.AST) -> tuple[str, ...] | None:
    """Return why ``node`` loses the graph of its operands: words, help, perhaps a message; None if it doesn't."""
    if isinstance(node, ast.Compare):
        return _METHODS["eq"]
    if isinstance(node, ast.Attribute):
        return _FIELDS.get(node.attr)
    if not isinstance(node, ast.Call):
        return None
    name = _named(node.func)
    if name == "grad":
        return _constant_gradient(node)
    return _METHODS.get(name or "")


def _constant_gradient(call: ast.Call) -> tuple[str, ...]:
    keyword = next((k.value for k in call.keywords if k.arg == "create_graph"), None)
    if isinstance(keyword, ast.Constant) and keyword.value is True:
        message = (
            "this gradient is a constant: it does not depend on the leaves, so there is no graph to go back through"
        )
        return "this first derivative is the same everywhere", "its derivative is zero", message
    return "without create_graph=True the gradient has no graph", "pass create_graph=True here"


def _operands(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a cutting expression whose graph is lost: not the name of the function itself."""
    if isinstance(node, ast.Call):
        yield from node.args
        if isinstance(node.func, ast.Attribute) and not _is_namespace(node.func.value):
            yield node.func.value
    else:
        yield from ast.iter_child_nodes(node)


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the child expressions that a value is computed from."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)
    elif not isinstance(node, ast.Lambda | ast.ListComp | ast.DictComp | ast.GeneratorExp):
        yield from (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def _reads(node: ast.AST) -> Iterator[ast.expr]:
    """Yield all expressions below ``node`` but the names of functions."""
    for child in _expressions(node):
        if not (isinstance(child, ast.Name) and child.id in ("torch", "math")):
            yield child
        yield from _reads(child)


def _statements(tree: ast.AST, unrecorded: bool, function: int) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the script's statements in textual order, and whether each stands under ``no_grad``.

    Of functions only the one that begins in line ``function`` is looked into: other bodies have names of their own.
    """
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, ast.stmt):
            continue
        yield child, unrecorded
        if isinstance(child, ast.FunctionDef) and child.lineno != function:
            continue
        quiet = isinstance(child, ast.With) and any(_is_no_grad(item.context_expr) for item in child.items)
        yield from _statements(child, unrecorded or quiet, function)


def _is_no_grad(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _named(node.func) in ("no_grad", "inference_mode")


def _bindings(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a statement assigns, each with the expression it gets (or is changed by)."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id, statement.value
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _pairs(target, statement.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        matched = parts if len(parts) == len(target.elts) else [value] * len(target.elts)
        for one, part in zip(target.elts, matched, strict=True):
            yield from _pairs(one, part)

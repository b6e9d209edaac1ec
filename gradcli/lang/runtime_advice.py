"""The way out of a run-time error, where the script's own values tell more than the message does."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

from gradcli.autograd.errors import Detail
from gradcli.autograd.tensor import Tensor
from gradcli.lang.places import Places
from gradcli.lang.source import Source, Span
from gradcli.lang.suggest import did_you_mean

_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*(?!\w*\s*(?:\(|=(?!=)|[\"']))")
_KIND = re.compile(r"\b(got|returned|of type|but|not) (NoneType|int|float|str|list|tuple|dict|set|function)\b")
_ONE = re.compile(r"\b(1|one) (argument|value|name)s\b")
_FUNCTION = re.compile(r"<(?:bound method|function|built-in \w+)\b[^<>]*(?:<[^<>]*>[^<>]*)?>")
_CLASS = re.compile(r"<class '[\w.]+'>")
_NUMBER = (bool, int, float, complex)
_DOT_GRAD = ".grad is None until a backward pass has reached this leaf"
_NOTHING = "a function without `return`, and `backward()`, give None; so does `.grad` before a backward pass"


class Failing:
    """An expression that failed: its text, the frame that ran it, and the detail of the error."""

    def __init__(self, detail: Detail, source: Source, span: Span, frame: FrameType, places: Places) -> None:
        self.detail = detail
        self.source = source
        self.span = span
        self.text = source.slice(span)
        self.line = span.line
        self.frame = frame
        self.unit = places.units.get(source.name)

    def value(self, name: str) -> Any:
        """Return what a name holds, or None."""
        return self.frame.f_locals.get(name, self.frame.f_globals.get(name))

    def holds(self, kind: type) -> list[str]:
        """Return the names in the expression that hold a value of ``kind``."""
        return [name for name in names_in(self.text) if isinstance(self.value(name), kind)]


def names_in(text: str) -> list[str]:
    """Return the variables that the text of an expression reads: not functions, keywords or words in quotes."""
    return list(dict.fromkeys(_NAME.findall(_STRING.sub(lambda found: '"' + " " * (len(found[0]) - 2) + '"', text))))


def in_words(message: str) -> str:
    """Return a message with the names of Python's types said as in the rest of the language."""
    from gradcli.lang.guards import kind_words

    message = _KIND.sub(lambda found: f"{found[1]} {kind_words(found[2])}", message)
    return _ONE.sub(r"\1 \2", _FUNCTION.sub("a function", _CLASS.sub("a type", message)))


def advise(failing: Failing) -> None:
    """Put better words and a better way out into the detail of an error, where the values at hand give them."""
    detail = failing.detail
    detail.message = in_words(detail.message)
    help = _BY_CODE[detail.code](failing) if detail.code in _BY_CODE else None
    detail.hint = help or detail.hint


def _arguments(failing: Failing) -> str | None:
    """Show the form of a function that was called with wrong arguments."""
    called = re.match(r"`(\w+)`", failing.detail.message)
    if called is None:
        return None
    if isinstance(failing.value(called[1]), type):
        return f"a custom rule is applied: {called[1]}.apply(...)"
    parameters = _parameters(failing, called[1])
    wrong = re.search(r"has no argument `(\w+)`", failing.detail.message)
    names = [re.split(r"[=:]", p)[0].strip("* ") for p in parameters]
    near = did_you_mean(wrong[1], names) if wrong else None
    return near or (f"its form is {called[1]}({', '.join(parameters)})" if parameters else None)


def _parameters(failing: Failing, name: str) -> list[str]:
    """Return the parameters of a function of the script, or of an operation, as they are written."""
    function = failing.value(name)
    if isinstance(function, FunctionType):
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        defaults = function.__defaults__ or ()
        plain = len(names) - len(defaults)
        return names[:plain] + [f"{n}={d!r}" for n, d in zip(names[plain:], defaults, strict=False)]
    from gradcli.ops.registry import row_named

    dotted = re.match(rf"((?:\w+\.)*){name}\s*\(", failing.text)
    row = row_named(f"{dotted[1] if dotted else ''}{name}") or row_named(f"torch.{name}") or row_named(f"Tensor.{name}")
    found = re.search(r"\((.*)\)", row.signature) if row is not None else None
    return re.split(r",\s*(?![^(\[]*[)\]])", found[1]) if found else []


def _input(failing: Failing) -> str | None:
    """Name the input of ``grad`` that is meant, instead of its number."""
    from gradcli.lang.cut_graph import input_of_grad

    number = re.match(r"input (\d+) of grad\(\)", failing.detail.message)
    text = input_of_grad(failing.source, failing.span, int(number[1])) if number else None
    if number is not None and text is not None:
        failing.detail.message = f"`{text}`{failing.detail.message[number.end() :]}"
    return None


def _overwritten(failing: Failing) -> str | None:
    """A leaf was updated too early: the step belongs behind every backward pass."""
    about = failing.detail.about
    values = [*failing.frame.f_locals.values(), *failing.frame.f_globals.values()]
    leaf = any(isinstance(v, Tensor) and v._storage is about and v.is_leaf and v.requires_grad for v in values)
    return "update a leaf after all backward passes that need it, or compute the output again" if leaf else None


def _transposed(failing: Failing) -> str | None:
    """Name the matrix that would fit when it is transposed, in a product of two names."""
    product = re.fullmatch(r"(\w+)\s*@\s*(\w+)", failing.text)
    left, right = (failing.value(product[1]), failing.value(product[2])) if product else (None, None)
    if product is None or not (isinstance(left, Tensor) and isinstance(right, Tensor)) or right.ndim not in (1, 2):
        return None
    if left.ndim == 2 and left.shape[0] == right.shape[0]:
        return f"did you mean {product[1]}.T @ {product[2]}?"
    return f"did you mean {product[1]} @ {product[2]}.T?" if left.shape[-1] == right.shape[-1] else None


def _none(failing: Failing) -> str | None:
    if "None" not in failing.detail.message:
        return None
    return _DOT_GRAD if re.search(r"\.grad\b(?!\s*\()", failing.text) else _NOTHING


def _operands(failing: Failing) -> str | None:
    """A list was meant as a tensor, a method was not called, a None came out of something."""
    lists = failing.holds(list)
    if lists and len(failing.text) <= 60:
        made = re.sub(rf"(?<![\w.]){lists[0]}\b", f"tensor({lists[0]})", failing.text)
        return f"a list is not a tensor: write {made}"
    if "a method" in failing.detail.message or "a function" in failing.detail.message:
        bare = re.search(r"[\w.]+\.([a-z]\w*)\b(?!\s*[(.\w])", failing.text)
        return f"a method is called with brackets: {bare[0]}()" if bare else None
    if "a text" in failing.detail.message and "number" in failing.detail.message:
        comparison = "compare" in failing.detail.message
        return "float(...) reads a number from a text" if comparison else 'an f-string takes values: f"epoch {epoch}"'
    return _none(failing)


def _missing_key(failing: Failing) -> str | None:
    wrong = re.search(r"no key '(.*)'", failing.detail.message)
    keys = [key for name in failing.holds(dict) for key in failing.value(name) if isinstance(key, str)]
    return did_you_mean(wrong[1], keys) if wrong else None


def _attribute(failing: Failing) -> str | None:
    """A tensor's attribute was asked of a plain number, or a list's of a tensor."""
    wrong = re.search(r"has no `(\w+)`", failing.detail.message)
    owner = failing.text.rpartition(".")[0]
    value = failing.value(owner)
    if wrong is None or failing.detail.hint is not None:
        return None
    if isinstance(value, _NUMBER) and hasattr(Tensor, wrong[1]):
        return "this is a plain number, not a tensor; item() and tolist() give such numbers"
    if isinstance(value, Tensor) and wrong[1] in ("append", "extend", "insert"):
        return f"torch.cat joins tensors: {owner} = torch.cat([{owner}, tensor([...])])"
    return _none(failing)


def _not_a_function(failing: Failing) -> str | None:
    called = failing.text.partition("(")[0].rstrip()
    if re.search(r"\.(shape|grad|data|T|mT|dtype|ndim|is_leaf|grad_fn|requires_grad|real|imag)$", called):
        return f"it is a value, not a method: write {called}"
    if isinstance(failing.value(called), Tensor | list | tuple | dict):
        return f"an element is taken with square brackets: {called}[...]"
    return None


def _not_a_context(failing: Failing) -> str | None:
    is_class = not failing.text.rstrip().endswith(")")
    return f"it must be called: with {failing.text}():" if is_class and "grad" in failing.text else None


def _no_value_yet(failing: Failing) -> str | None:
    wrong = re.match(r"`(\w+)`", failing.detail.message)
    if wrong is None or failing.unit is None or failing.frame.f_code.co_name != "<module>":
        return None
    lines = sorted(line for line, _, name in failing.unit.names.stores if name == wrong[1])
    later = [line for line in lines if line > failing.line]
    if lines and len(later) == len(lines):
        return f"line {later[0]} assigns it, further down"
    return f"it was assigned in line {lines[0]}, but deleted since" if lines and not later else None


def _whole_number(failing: Failing) -> str | None:
    is_float = "whole number" in failing.detail.message and failing.holds(float)
    return "int(x) cuts a number down to a whole one; `//` divides whole numbers" if is_float else None


def _outside_domain(failing: Failing) -> str | None:
    function = re.match(r"(?:math\.)?(\w+)\s*\(", failing.text)
    if function is not None:
        failing.detail.message = f"{function[0][:-1].rstrip()} has no value for this number"
    return None


def _text_number(failing: Failing) -> str | None:
    return "numbers are written with a point: 0.5" if re.match(r"`[\d.]*,\d*` is not", failing.detail.message) else None


_BY_CODE: dict[str, Callable[[Failing], str | None]] = {
    "inplace-modified": _overwritten,
    "shape-mismatch": _transposed,
    "unused-input": _input,
    "input-needs-no-grad": _input,
    "unknown-argument": _arguments,
    "missing-argument": _arguments,
    "too-many-arguments": _arguments,
    "wrong-operands": _operands,
    "list-arithmetic": _operands,
    "none-value": _none,
    "bad-format": _none,
    "missing-key": _missing_key,
    "unknown-attribute": _attribute,
    "not-a-function": _not_a_function,
    "not-a-context": _not_a_context,
    "no-value-yet": _no_value_yet,
    "wrong-argument": _whole_number,
    "outside-domain": _outside_domain,
    "not-a-number": _text_number,
}

"""The line below the prompt: the signature of the call being typed, and what entries compute with."""

from __future__ import annotations

from gradcli.autograd import dtypes
from gradcli.autograd.mode import mode
from gradcli.cli.render.columns import width
from gradcli.cli.repl.cursor import Call
from gradcli.cli.repl.op_help import parameters_of
from gradcli.ops.generator import default_generator

_LONGEST_SEED = 12  # one that nobody has chosen has twenty digits; :set shows them all

Parts = list[tuple[str, str]]


def status(unicode: bool, keys: str) -> str:
    """Return grad mode, dtype, seed and keys in a line."""
    recording = "inference" if mode.inference else "grad on" if mode.enabled else "no grad"
    seed = str(default_generator.initial_seed())
    shown = seed if len(seed) <= _LONGEST_SEED else f"{seed[:6]}{'…' if unicode else '..'}"
    facts = [recording, dtypes.get_default_dtype().name, f"seed {shown}", keys]
    return (" · " if unicode else " | ").join(facts)


def toolbar(signature: tuple[str, Call] | None, facts: str, columns: int) -> Parts:
    """Return the parts of the line, as wide as the window: the signature comes first, the facts where they fit."""
    parts: Parts = [] if signature is None else _signature(*signature)
    taken = sum(width(text) for _, text in parts)
    if taken + width(facts) + 4 <= columns or not parts:
        gap = columns - taken - width(facts) - 2 if parts else 0
        return [("", " "), *parts, ("", " " * max(gap, 0)), ("class:bottom-toolbar.facts", facts[: columns - 2])]
    return _cut([("", " "), *parts], columns - 1)


def _signature(signature: str, call: Call) -> Parts:
    """Return the signature with the argument that is being typed set apart."""
    names = parameters_of(signature)
    name = call.keyword or (names[call.argument] if call.argument < len(names) else "")
    head, bracket, inside = signature.partition("(")
    start = _place_of(name, inside) if name else -1
    if start < 0:
        return [("class:bottom-toolbar.signature", signature)]
    end = _end_of_parameter(inside, start)
    return [
        ("class:bottom-toolbar.signature", head + bracket + inside[:start]),
        ("class:bottom-toolbar.argument", inside[start:end]),
        ("class:bottom-toolbar.signature", inside[end:]),
    ]


def _place_of(name: str, inside: str) -> int:
    """Return where a parameter stands in the text between the brackets."""
    at = -1
    while (at := inside.find(name, at + 1)) >= 0:
        before, after = inside[:at].rstrip()[-1:], inside[at + len(name) : at + len(name) + 1]
        if before in ("", ",", "*") and not (after.isalnum() or after == "_"):
            return at
    return -1


def _end_of_parameter(inside: str, start: int) -> int:
    depth = 0
    for index in range(start, len(inside)):
        char = inside[index]
        if depth == 0 and char in ",)":
            return index
        depth += (char in "([{") - (char in ")]}")
    return len(inside)


def _cut(parts: Parts, columns: int) -> Parts:
    cut: Parts = []
    for style, text in parts:
        cut.append((style, text[: max(columns, 0)]))
        columns -= len(text)
    return cut

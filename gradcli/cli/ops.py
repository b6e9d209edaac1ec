"""``gradcli ops``: every operation, or all there is to know about one."""

import sys
from typing import Annotated

from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.parameters import Argument, Option
from gradcli.cli.problems import UsageProblem
from gradcli.cli.terminal import Color, Look, Paint, look


def ops(
    *,
    name: Annotated[str | None, Argument("NAME", "An operation, in any of its spellings.")] = None,
    color: Annotated[Color, Option(("--color",), "When to colour.")] = Color.AUTO,
) -> int:
    """List every operation, or show one: signature, meaning, derivative rule, conventions, examples."""
    appearance = look(sys.stdout, color)
    sys.stdout.write(listing(appearance) if name is None else details(name, appearance))
    return ExitCode.OK


def listing(appearance: Look) -> str:
    """Return one line an operation, by category: its name and the first sentence of its meaning."""
    from gradcli.ops.registry import rows

    paint = Paint(appearance.color)
    by_category: dict[str, list[tuple[str, str]]] = {}
    for row in rows():
        by_category.setdefault(row.category, []).append((_short(row.name), _sentence(row.doc)))
    text = []
    for category, entries in by_category.items():
        margin = max(len(short) for short, _ in entries)
        text.append(paint("strong", category))
        text += [f"  {paint('name', short.ljust(margin))}  {doc}" for short, doc in sorted(entries)]
        text.append("")
    text.append("gradcli ops NAME shows one of them.")
    return "\n".join(text) + "\n"


def details(name: str, appearance: Look) -> str:
    """Return all that is known of one operation; UsageProblem with near names when there is none."""
    from gradcli.ops.registry import find

    row = find(name)
    if row is None:
        raise UsageProblem(f"there is no operation {name!r}", _near(name), "unknown-name")
    paint = Paint(appearance.color)
    parts = [
        ("also", ", ".join(spelling for spelling in row.names if spelling != row.name)),
        ("derivative", row.formula),
        ("conventions", row.conventions),
    ]
    shown = [paint("strong", row.name) + row.signature[row.signature.find("(") :], "", row.doc.strip(), ""]
    shown += [f"{paint('name', title)}: {body.strip()}" for title, body in parts if body]
    if row.examples:
        shown += ["", paint("name", "examples")]
        shown += [f"  {line}" for example in row.examples for line in example.strip().split("\n")]
    return "\n".join(shown) + "\n"


def _near(name: str) -> str:
    import difflib

    from gradcli.ops.registry import rows

    known = {_short(spelling): None for row in rows() for spelling in row.names}
    near = difflib.get_close_matches(_short(name), known, 3)
    return f"did you mean {' or '.join(near)}?" if near else "`gradcli ops` lists them all"


def _short(name: str) -> str:
    return name.removeprefix("torch.").removeprefix("nn.functional.").removeprefix("Tensor.")


def _sentence(doc: str) -> str:
    return doc.strip().split("\n")[0].split(". ")[0].rstrip(".")

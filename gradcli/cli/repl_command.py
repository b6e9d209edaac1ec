"""``gradcli repl``: the options, and what they come to."""

from typing import Annotated

from gradcli.cli.parameters import Argument, Option
from gradcli.cli.run import FloatType
from gradcli.cli.terminal import Color


def repl(
    *,
    script: Annotated[
        str | None, Argument("FILE", "A script to run first; its names stay. - is standard input.")
    ] = None,
    expressions: Annotated[
        tuple[str, ...], Option(("-e", "--expr"), "Run this text first, after the file; repeatable.", "TEXT")
    ] = (),
    startup: Annotated[
        str | None, Option(("--startup",), "A script to run before all others, such as your own functions.", "FILE")
    ] = None,
    no_history: Annotated[
        bool, Option(("--no-history",), "Neither read nor write the file of earlier entries.")
    ] = False,
    vi: Annotated[bool, Option(("--vi",), "Edit lines with the keys of vi.")] = False,
    dtype: Annotated[FloatType, Option(("--dtype",), "The default float type.")] = FloatType.FLOAT64,
    manual_seed: Annotated[
        int | None, Option(("--manual-seed",), "Seed the random numbers, as manual_seed(N) does.", "N")
    ] = None,
    precision: Annotated[int | None, Option(("--precision",), "Digits that tensors are printed with.", "N", 0)] = None,
    allow_read: Annotated[
        tuple[str, ...], Option(("--allow-read",), "Folder that load() may read besides this one.", "DIR")
    ] = (),
    allow_write: Annotated[
        tuple[str, ...], Option(("--allow-write",), "Folder that save() may write besides this one.", "DIR")
    ] = (),
    color: Annotated[Color, Option(("--color",), "When to colour.")] = Color.AUTO,
    traceback: Annotated[
        bool, Option(("--traceback",), "Show Python's traceback of a fault of gradcli's own.")
    ] = False,
) -> int:
    """Play with tensors and gradients: type an entry, see its value; :help lists the commands."""
    # the options are the parameters, by name; a test compares the two
    values = dict(locals())
    from gradcli.cli.repl.starting import ReplOptions, start

    return start(ReplOptions(**values))

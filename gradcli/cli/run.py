"""``gradcli run``: the options, and what they come to."""

from enum import StrEnum
from typing import Annotated

from gradcli.cli.parameters import Argument, Option
from gradcli.cli.terminal import Color


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"


class FloatType(StrEnum):
    """The default float type of a script."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"
    FLOAT16 = "float16"


def run(
    *,
    scripts: Annotated[tuple[str, ...], Argument("FILE", "Scripts to run; - is standard input.")] = (),
    expression: Annotated[str | None, Option(("-e", "--expr"), "Run this text instead of a file.", "EXPR")] = None,
    of: Annotated[
        tuple[str, ...],
        Option(("--of",), "Output to differentiate [default: the last one that requires grad]; repeatable.", "NAME"),
    ] = (),
    wrt: Annotated[
        tuple[str, ...],
        Option(("--wrt",), "Leaves wanted [default: every named leaf that the output reaches]; repeatable.", "A,B"),
    ] = (),
    seed: Annotated[
        tuple[str, ...],
        Option(("--seed",), "The vector v of vᵀJ: EXPR, y=EXPR or @FILE, in the output's shape; repeatable.", "EXPR"),
    ] = (),
    replace: Annotated[
        tuple[str, ...],
        Option(("--set",), "Replace a leaf or input of the script: NAME=EXPR or NAME=@FILE; repeatable.", "NAME=EXPR"),
    ] = (),
    jacobian: Annotated[bool, Option(("--jacobian",), "The whole Jacobian of each output instead of vᵀJ.")] = False,
    hessian: Annotated[
        bool, Option(("--hessian",), "The second derivatives of each output by each pair of leaves.")
    ] = False,
    tree: Annotated[bool, Option(("--tree",), "Show the grad_fn tree of each output.")] = False,
    format: Annotated[Format, Option(("--format",), "Text, or one JSON object.")] = Format.TEXT,
    out: Annotated[str | None, Option(("--out",), "Write outputs and gradients to this .npz file.", "FILE.npz")] = None,
    dtype: Annotated[FloatType, Option(("--dtype",), "The default float type.")] = FloatType.FLOAT64,
    manual_seed: Annotated[
        int | None, Option(("--manual-seed",), "Seed the random numbers, as manual_seed(N) does.", "N")
    ] = None,
    precision: Annotated[
        int | None, Option(("--precision",), "Digits shown after the point [default: 4].", "N", minimum=0)
    ] = None,
    quiet: Annotated[bool, Option(("--quiet", "-q"), "Leave out what the script prints.")] = False,
    timeout: Annotated[
        float | None, Option(("--timeout",), "Stop a script that runs longer.", "SECONDS", minimum=0)
    ] = None,
    max_memory: Annotated[
        str | None, Option(("--max-memory",), "Stop a script that needs more, such as 500M or 2G.", "SIZE")
    ] = None,
    allow_read: Annotated[
        tuple[str, ...], Option(("--allow-read",), "Folder that load() may read besides the script's.", "DIR")
    ] = (),
    allow_write: Annotated[
        tuple[str, ...], Option(("--allow-write",), "Folder that save() may write besides the script's.", "DIR")
    ] = (),
    color: Annotated[Color, Option(("--color",), "When to colour.")] = Color.AUTO,
    traceback: Annotated[
        bool, Option(("--traceback",), "Show Python's traceback of a fault of gradcli's own.")
    ] = False,
) -> int:
    """Run scripts; print what they print, then the values, trees and gradients that were asked for."""
    # the options are the parameters, by name; a test compares the two
    values = dict(locals())
    from gradcli.cli.execute import execute
    from gradcli.cli.outcome import RunOptions

    return execute(RunOptions(**values))

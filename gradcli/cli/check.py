"""``gradcli check``: the options, and what they come to."""

from typing import Annotated

from gradcli.cli.parameters import Argument, Option
from gradcli.cli.run import FloatType
from gradcli.cli.terminal import Color


def check(
    *,
    paths: Annotated[
        tuple[str, ...],
        Argument("PATH", "Scripts, folders of scripts, or single checks as in net.gx::title [default: this folder]."),
    ] = (),
    keyword: Annotated[
        str, Option(("-k",), "Run checks whose id matches: words with and, or, not, parentheses.", "EXPR")
    ] = "",
    first: Annotated[bool, Option(("-x", "--exitfirst"), "Stop at the first failure.")] = False,
    maxfail: Annotated[int | None, Option(("--maxfail",), "Stop after N failures.", "N", minimum=1)] = None,
    jobs: Annotated[
        int,
        Option(("-j", "--jobs"), "Files at once, each in a process; 0 is one a processor.", "N", minimum=0),
    ] = 1,
    last_failed: Annotated[
        bool, Option(("--lf", "--last-failed"), "Run what failed last time, everything when nothing did.")
    ] = False,
    grad: Annotated[
        bool, Option(("--grad",), "Check the gradient of every output with respect to every leaf as well.")
    ] = False,
    against: Annotated[
        tuple[str, ...],
        Option(("--against",), "With --grad: compare with these installed engines, torch or jax; repeatable.", "A,B"),
    ] = (),
    update: Annotated[bool, Option(("--update",), "Rewrite the #> lines that differ.")] = False,
    collect_only: Annotated[bool, Option(("--collect-only",), "List the checks and run nothing.")] = False,
    watch: Annotated[bool, Option(("--watch",), "Go on, and check again what changes.")] = False,
    verbose: Annotated[bool, Option(("-v", "--verbose"), "One line a check.")] = False,
    format: Annotated[
        tuple[str, ...],
        Option(("--format",), "text, json, github, tap, junit or sarif; NAME=FILE writes a file; repeatable.", "NAME"),
    ] = (),
    junitxml: Annotated[str | None, Option(("--junitxml",), "Write a JUnit report to this file.", "FILE")] = None,
    sarif: Annotated[str | None, Option(("--sarif",), "Write a SARIF report to this file.", "FILE")] = None,
    durations: Annotated[
        int | None, Option(("--durations",), "Show the N slowest checks and files; 0 shows all.", "N", minimum=0)
    ] = None,
    exclude: Annotated[
        tuple[str, ...], Option(("--exclude",), "Leave out paths as a line of .gitignore does; repeatable.", "PATTERN")
    ] = (),
    manual_seed: Annotated[int, Option(("--manual-seed",), "Seed of the random numbers of each file.", "N")] = 0,
    dtype: Annotated[FloatType, Option(("--dtype",), "The default float type.")] = FloatType.FLOAT64,
    timeout: Annotated[
        float | None, Option(("--timeout",), "Stop a file that takes longer.", "SECONDS", minimum=0)
    ] = None,
    color: Annotated[Color, Option(("--color",), "When to colour.")] = Color.AUTO,
    traceback: Annotated[
        bool, Option(("--traceback",), "Show Python's traceback of a fault of gradcli's own.")
    ] = False,
) -> int:
    """Run every check of every script below PATH: check blocks, assertions and #> lines; made for CI."""
    # the options are the parameters, by name; a test compares the two
    values = dict(locals())
    from gradcli.cli.checking import CheckOptions, execute

    return execute(CheckOptions(**values))

"""One script from its text to a finished session: what the command line and ``gradcli.run`` share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple

from gradcli.autograd import dtypes, printing
from gradcli.lang.diagnostic import GxError, plain_error
from gradcli.lang.events import Events
from gradcli.lang.files import Files
from gradcli.lang.request import given_value
from gradcli.lang.session import Session, Settings
from gradcli.lang.source import Source

_REPLACEMENT = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)(.*)", re.DOTALL)


class Plan(NamedTuple):
    """How to run one script.

    ``replacements`` give leaves and inputs other values: texts of expressions, ``@FILE``, or plain values. The script
    loads and saves below ``folder``, and below ``read`` and ``write``. With ``free_leaves`` a replacement that the
    script doesn't declare becomes a leaf of it.
    """

    source: Source
    folder: str
    replacements: Mapping[str, Any] = MappingProxyType({})
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    manual_seed: int | None = None
    free_leaves: bool = False


def run_plan(plan: Plan, events: Events) -> Session:
    """Run the script of ``plan`` and return its finished session; GxError when it fails."""
    settings = Settings(free_leaves=plan.free_leaves, files=Files(plan.folder, plan.read, plan.write))
    session = Session(events, settings=settings)
    if plan.manual_seed is not None:
        _seed(session, plan.manual_seed)
    for name, given in plan.replacements.items():
        settings.overrides[name] = given_value(session, given, "--set")
    session.run(plan.source)
    return session


def _seed(session: Session, number: int) -> None:
    """Seed the random numbers; GxError of kind usage for a number that is no seed."""
    try:
        session.evaluate(f"manual_seed({number})", "--manual-seed")
    except GxError as failure:
        found = failure.diagnostic
        raise plain_error("usage", found.code, found.message, help=found.help) from None


@contextmanager
def own_defaults(dtype: Any = None, precision: int | None = None) -> Iterator[None]:
    """Let the body have defaults of its own: what a script sets for the process is undone after it.

    ``dtype`` is the default float type inside or its name, ``precision`` the number of digits that tensors are printed
    with.
    """
    before = dtypes.get_default_dtype()
    printed = {name: getattr(printing.options, name) for name in printing.PrintOptions.__slots__}
    try:
        if dtype is not None:
            dtypes.set_default_dtype(dtypes.as_dtype(dtype))
        if precision is not None:
            printing.set_printoptions(precision=precision)
        yield
    finally:
        dtypes.set_default_dtype(before)
        for name, value in printed.items():
            setattr(printing.options, name, value)


def parse_replacement(text: str) -> tuple[str, str]:
    """Return name and text of ``NAME=EXPR`` or ``NAME=@FILE``; GxError of kind usage for anything else."""
    parts = _REPLACEMENT.fullmatch(text)
    if parts is None or not parts[2].strip():
        raise plain_error("usage", "bad-set", f"--set {text!r} is not NAME=EXPR or NAME=@FILE")
    return parts[1], parts[2].strip()

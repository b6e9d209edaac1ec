"""``--update``: the ``#>`` lines of a script rewritten in place, its line ends and all else kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gradcli.checks.written import write_whole
from gradcli.lang.compiling import Unit
from gradcli.lang.diagnostic import plain_error
from gradcli.lang.observed import Observed


def rewrite(file: str, raw: str, unit: Unit, observed: Mapping[int, Sequence[Observed]]) -> None:
    """Write the script again with what its lines print now; ``raw`` is the text of the file as it is.

    ``observed`` maps the numbers of ``#>`` comments to what was printed for them. GxError when the file can't be
    written, or when its line ends are of several kinds, so that it is not known which the new lines should have.
    """
    from gradcli.checks.expected import updated

    text = updated(unit, observed)
    crlf, lf, cr = raw.count("\r\n"), raw.count("\n"), raw.count("\r")
    if cr not in (0, crlf) or crlf not in (0, lf):
        help = "give the file one kind of line end"
        raise plain_error("usage", "mixed-line-ends", f"{file} has line ends of several kinds", help=help)
    if not raw.endswith("\n") and text.endswith("\n"):
        text = text[:-1]
    start = "\ufeff" if raw.startswith("\ufeff") else ""
    try:
        write_whole(file, start + (text.replace("\n", "\r\n") if crlf else text))
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise plain_error("usage", "file-access", f"{file} can't be written: {reason}") from None

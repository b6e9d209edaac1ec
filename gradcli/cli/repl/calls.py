"""The calls that led to an error, each with the values that its names had."""

from __future__ import annotations

from gradcli.cli.render.columns import visible
from gradcli.cli.repl.commands.describing import described
from gradcli.cli.terminal import Look, Paint
from gradcli.lang.diagnostic import GxError
from gradcli.lang.places import Places

_MOST_NAMES = 12


def calls_of(failure: GxError, places: Places, look: Look) -> str:
    """Return each call of the session's own code in the traceback of ``failure``, outermost first."""
    cause = failure.__cause__
    frames = places.frames(cause.__traceback__) if cause is not None else []
    paint = Paint(look.color)
    text = ""
    for frame, lasti in frames:
        place = places.locate(frame.f_code, lasti)
        if place is None:
            continue
        source, span = place
        inside = frame.f_code.co_name
        where = "" if inside == "<module>" else f", in {'lambda' if inside == '<lambda>' else inside}"
        text += f"{paint('strong', f'{source.name}:{span.line}:{span.column}')}{where}\n"
        text += f"  {visible(source.line(span.line).strip())}\n"
        names = frame.f_code.co_names if inside == "<module>" else tuple(frame.f_locals)
        values = {name: frame.f_locals[name] for name in names if name in frame.f_locals and not name.startswith(".")}
        for name, value in list(values.items())[:_MOST_NAMES]:
            text += paint("dim", f"    {visible(name)}: {described(value)}") + "\n"
    return text or "(no calls: it was found before anything ran)\n"

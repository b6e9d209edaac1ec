"""What pytest loads at its start: the plugin of ``checks``, with the renderer that all diagnostics have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradcli.checks import pytest_plugin
from gradcli.checks.pytest_plugin import pytest_collect_file as pytest_collect_file
from gradcli.checks.pytest_plugin import pytest_runtest_makereport as pytest_runtest_makereport

if TYPE_CHECKING:
    from gradcli.lang.diagnostic import Diagnostic


def _draw(diagnostic: Diagnostic, color: bool) -> str:
    from gradcli.cli.render.diagnostic import render
    from gradcli.cli.terminal import PLAIN

    return render(diagnostic, PLAIN._replace(color=color))


pytest_plugin.draw = _draw

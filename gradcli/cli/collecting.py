"""``gradcli check --collect-only``: the checks there are, without running anything."""

from __future__ import annotations

import sys
from typing import Any

from gradcli.checks.choosing import outline
from gradcli.checks.results import counted
from gradcli.checks.workers import Task
from gradcli.cli.exit_codes import ExitCode
from gradcli.cli.listeners import write, write_document
from gradcli.cli.problems import UsageProblem
from gradcli.cli.render.columns import visible_line
from gradcli.cli.render.diagnostic import render
from gradcli.cli.render.error_object import diagnostic_error
from gradcli.cli.terminal import look
from gradcli.lang.diagnostic import GxError
from gradcli.lang.json_text import json_line

SCHEMA = "gradcli.checks/1"


def show_collected(tasks: list[Task], formats: list[str]) -> ExitCode:
    """Write the ids of the checks that would run, or one JSON object; return the exit status."""
    if not set(formats) <= {"text", "json"}:
        raise UsageProblem("--collect-only lists checks as text or as JSON")
    items: list[dict[str, Any]] = []
    errors: list[dict[str, Any]] = []
    for task in tasks:
        try:
            found = [item for item in outline(task.file) if task.settings.wants(item.id)]
        except GxError as failure:
            errors.append(diagnostic_error(failure.diagnostic))
            sys.stderr.write(render(failure.diagnostic, look(sys.stderr)))
            continue
        items += [{"id": i.id, "file": task.file, "title": i.title, "kind": i.kind, "line": i.line} for i in found]
    if "json" in formats:
        whole = {"schema": SCHEMA, "ok": not errors, "checks": items, "errors": errors}
        write_document(json_line(whole))
    else:
        write("".join(f"{visible_line(item['id'])}\n" for item in items))
        files = len({item["file"] for item in items})
        write(f"\n{counted(len(items), 'check')} in {counted(files, 'file')}\n")
    return ExitCode.USAGE if errors else ExitCode.OK if items else ExitCode.NOTHING_COLLECTED

"""Results and errors as the JSON that ``--format json`` promises; see the README for the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.autograd import Tensor
from gradcli.cli.render.error_object import NOWHERE, diagnostic_error, place_object, plain_error_object
from gradcli.lang.faults import INTERNAL_HINT, internal_message
from gradcli.lang.formats.json import plain
from gradcli.lang.graph_walk import GraphNode
from gradcli.lang.request import Output

if TYPE_CHECKING:
    from gradcli.cli.outcome import Outcome

SCHEMA = "gradcli.run/1"
SEVERAL = "gradcli.runs/1"


def dumps(report: dict[str, Any]) -> str:
    """Return one line of strictly valid JSON."""
    from gradcli.lang.json_text import json_line

    return json_line(report)


def failure(script: str | None, error: dict[str, Any], stdout: str = "") -> dict[str, Any]:
    """Return the report of a run that failed before it had a result."""
    return {"schema": SCHEMA, "script": script, "ok": False, "stdout": stdout, "outputs": [], "error": error}


def several(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one object that holds the reports of several scripts."""
    return {"schema": SEVERAL, "ok": all(single["ok"] for single in reports), "runs": reports}


def run_report(outcome: Outcome, stdout: str, graphs: bool) -> dict[str, Any]:
    """Return the report of one script's outcome."""
    error = None
    if outcome.fault is not None:
        error = internal_error(outcome.fault)
    elif outcome.error is not None:
        error = diagnostic_error(outcome.error)
    outputs = [_output(output, graphs) for output in outcome.outputs]
    return {
        "schema": SCHEMA,
        "script": outcome.name,
        "ok": error is None,
        "stdout": stdout,
        "outputs": outputs,
        "error": error,
    }


def _output(output: Output, graphs: bool) -> dict[str, Any]:
    seed = None if output.seed is None else output.seed.numpy()
    if seed is None and output.gradients:  # an output of one element needs none: it is 1
        seed = np.ones_like(output.value.detach().numpy())
    shown = {"name": output.name, **_tensor(output.value), "seed": None if seed is None else plain(seed)}
    shown["gradients"] = {leaf: _tensor(gradient) for leaf, gradient in output.gradients.items()}
    if output.jacobian is not None:
        shown["jacobian"] = {leaf: _tensor(block) for leaf, block in output.jacobian.items()}
    if output.hessian is not None:
        shown["hessian"] = {
            first: {second: _tensor(block) for second, block in row.items()} for first, row in output.hessian.items()
        }
    if output.remarks:
        shown["remarks"] = output.remarks
    if graphs:
        shown["graph"] = {"root": 0 if output.graph else None, "nodes": [_node(node) for node in output.graph]}
    return shown


def _tensor(value: Tensor) -> dict[str, Any]:
    array = value.detach().numpy()
    return {"shape": list(array.shape), "dtype": str(array.dtype), "value": plain(array)}


def _node(node: GraphNode) -> dict[str, Any]:
    return {
        "id": node.id,
        "name": node.name,
        "op": node.op,
        "shape": node.shape,
        **(NOWHERE if node.span is None else place_object(node.span)),
        "source": node.source,
        "leaf": node.leaf,
        "inputs": list(node.inputs),
        "saved_bytes": node.saved_bytes,
    }


def internal_error(fault: BaseException) -> dict[str, Any]:
    """Return the ``error`` object of a fault of gradcli's own."""
    return plain_error_object("internal", "internal", internal_message(fault), INTERNAL_HINT)

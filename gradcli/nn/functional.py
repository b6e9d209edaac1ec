"""``torch.nn.functional`` for ``import gradcli as torch``: the rows with that prefix."""

from __future__ import annotations

from typing import Any

from gradcli.ops.namespaces import namespace


def __getattr__(name: str) -> Any:
    return getattr(namespace("torch.nn.functional"), name)


def __dir__() -> list[str]:
    return dir(namespace("torch.nn.functional"))

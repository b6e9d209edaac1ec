"""``torch.signal.windows` for ``import gradcli as torch``: the rows with that prefix."""

from __future__ import annotations

from typing import Any

from gradcli.ops.namespaces import namespace


def __getattr__(name: str) -> Any:
    return getattr(namespace("torch.signal.windows"), name)


def __dir__() -> list[str]:
    return dir(namespace("torch.signal.windows"))

"""``torch.nn`` for ``import gradcli as torch``."""

from gradcli.nn import functional

__all__ = ["functional"]

"""``torch.backends`` for ``import gradcli as torch``."""

from gradcli.backends import mps

__all__ = ["mps"]

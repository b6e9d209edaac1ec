"""``torch.utils`` for ``import gradcli as torch``."""

from gradcli.utils import checkpoint

__all__ = ["checkpoint"]

"""``torch.signal`` for ``import gradcli as torch``."""

from gradcli.signal import windows

__all__ = ["windows"]

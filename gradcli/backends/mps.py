"""``torch.backends.mps`` for ``import gradcli as torch``: there is none."""

from gradcli.autograd.devices import is_available, is_built

__all__ = ["is_available", "is_built"]

"""``torch.testing`` for ``import gradcli as torch``."""

from gradcli.autograd.testing import assert_close

__all__ = ["assert_close"]

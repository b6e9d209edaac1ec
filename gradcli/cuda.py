"""``torch.cuda`` for ``import gradcli as torch``: there is none, and programs that ask first run on the CPU."""

from gradcli.autograd.devices import device_count, is_available

__all__ = ["device_count", "is_available"]

"""``torch.accelerator`` for ``import gradcli as torch``: there is none, and programs that ask first run on the CPU."""

from gradcli.autograd.devices import current_accelerator, device_count, is_available

__all__ = ["current_accelerator", "device_count", "is_available"]

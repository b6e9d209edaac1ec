"""What people mean by names that gx doesn't have: Python's, NumPy's, PyTorch's, and those of other languages."""

from __future__ import annotations

from collections.abc import Iterable

from gradcli.lang.suggest import did_you_mean

_NO_NUMPY = "gx has no numpy; `torch.tensor`, `torch.linspace`, `torch.pi`, ... do the same"
_NO_DEVICE = "tensors live on the CPU: leave it out"
_STEP = "write the step itself: with no_grad(): w -= rate * w.grad"
_CLOSED = "attributes are read and set with a dot"
NAMES: dict[str, str | None] = {
    "true": "did you mean `True`?",
    "false": "did you mean `False`?",
    "none": "did you mean `None`?",
    "null": "did you mean `None`?",
    "np": _NO_NUMPY,
    "numpy": _NO_NUMPY,
    "plt": "gx draws nothing; `print` shows values",
    "open": "files are reached by `load` and `save` alone",
    "format": 'an f-string formats: f"{x:.3f}"',
    "getattr": _CLOSED,
    "setattr": _CLOSED,
    "hasattr": _CLOSED,
    "exec": "gx runs no text",
    "eval": "gx runs no text",
    "nn": "it is `torch.nn`; `import torch.nn as nn` gives it this name",
    "optim": _STEP,
    "grad": "it is torch.autograd.grad; `from torch.autograd import grad` gives it this name",
    "jacobian": "it is torch.autograd.functional.jacobian",
    "hessian": "it is torch.autograd.functional.hessian",
    "object": None,
}
"""Help for a name without a meaning; None where the nearest name would lead nowhere."""

ATTRIBUTES = {
    "cuda": _NO_DEVICE,
    "mps": _NO_DEVICE,
    "astype": "x.to(torch.float32) converts, and so do x.float(), x.double() and x.long()",
    "copy": "x.clone() copies a tensor",
    "zero_grad": "x.grad = None, or x.grad.zero_(), clears a gradient",
    "SGD": _STEP,
    "Adam": _STEP,
    "array": "torch.tensor([...]) makes a tensor",
    "step": _STEP,
}
_FUNCTIONAL = ("Linear", "Conv1d", "Conv2d", "ReLU", "Softmax", "CrossEntropyLoss", "MSELoss", "BatchNorm1d", "Dropout")
_SNAKE = {"ReLU": "relu", "CrossEntropyLoss": "cross_entropy", "MSELoss": "mse_loss", "BatchNorm1d": "batch_norm"}


def for_name(name: str, known: Iterable[str]) -> str | None:
    """Return the help for a name that means nothing."""
    return NAMES[name] if name in NAMES else did_you_mean(name, known)


def for_attribute(name: str, known: Iterable[str]) -> str | None:
    """Return the help for an attribute that its owner doesn't have."""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    if name in _FUNCTIONAL:
        function = _SNAKE.get(name, name.lower())
        return f"torch.nn.functional.{function} is the function; its weights are tensors of your own"
    return did_you_mean(name, known)

"""What people mean by names that gx doesn't have: Python's, NumPy's, PyTorch's, and those of other languages."""

from __future__ import annotations

from collections.abc import Iterable

from gradcli.lang.suggest import did_you_mean

_NO_NUMPY = "gx has no numpy; `torch.tensor`, `torch.linspace`, `torch.pi`, ... do the same"
_NO_DEVICE = "tensors live on the CPU: leave it out"
_STEP = "write the step itself: with no_grad(): w -= rate * w.grad"
_ONLY_SGD = "torch.optim has SGD; the step of any other rule is written in place, under no_grad()"
_NO_MODULES = "gx has no modules: write the model as a function of its weights, which are tensors of your own"
_FILES = "files are reached by `load` and `save` alone, which are there without an import"
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
    "optim": "it is `torch.optim`; `import torch.optim as optim` gives it this name",
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
    "SGD": "it is torch.optim.SGD",
    "Adam": _ONLY_SGD,
    "Module": _NO_MODULES,
    "Sequential": _NO_MODULES,
    "ModuleList": _NO_MODULES,
    "Parameter": "a leaf is one: torch.randn(3, requires_grad=True)",
    "parameters": _NO_MODULES,
    "manual_seed_all": "torch.manual_seed seeds all there is",
    "load": _FILES,
    "save": _FILES,
    "AdamW": _ONLY_SGD,
    "RMSprop": _ONLY_SGD,
    "Adagrad": _ONLY_SGD,
    "LBFGS": _ONLY_SGD,
    "lr_scheduler": _ONLY_SGD,
    "format": 'an f-string formats: f"{x:.3f}"',
    "array": "torch.tensor([...]) makes a tensor",
    "step": _STEP,
}
_PAIRS = (
    "ReLU=relu LeakyReLU=leaky_relu ELU=elu SELU=selu GELU=gelu SiLU=silu Tanh=tanh Sigmoid=sigmoid "
    "Softplus=softplus Softmax=softmax LogSoftmax=log_softmax CrossEntropyLoss=cross_entropy NLLLoss=nll_loss "
    "MSELoss=mse_loss L1Loss=l1_loss SmoothL1Loss=smooth_l1_loss HuberLoss=huber_loss KLDivLoss=kl_div "
    "BCELoss=binary_cross_entropy BCEWithLogitsLoss=binary_cross_entropy_with_logits Linear=linear "
    "Conv1d=conv1d Conv2d=conv2d BatchNorm1d=batch_norm BatchNorm2d=batch_norm LayerNorm=layer_norm "
    "GroupNorm=group_norm Embedding=embedding Dropout=dropout MaxPool1d=max_pool1d MaxPool2d=max_pool2d "
    "AvgPool2d=avg_pool2d"
)
_SNAKE = dict(pair.split("=") for pair in _PAIRS.split())
_WITH_WEIGHTS = ("linear", "conv1d", "conv2d", "batch_norm", "layer_norm", "group_norm", "embedding")


def for_name(name: str, known: Iterable[str]) -> str | None:
    """Return the help for a name that means nothing."""
    return NAMES[name] if name in NAMES else did_you_mean(name, known)


def for_attribute(name: str, known: Iterable[str]) -> str | None:
    """Return the help for an attribute that its owner doesn't have."""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    if name in _SNAKE:
        function = _SNAKE[name]
        weights = "; its weights are tensors of your own" if function in _WITH_WEIGHTS else ""
        return f"torch.nn.functional.{function} is the function{weights}"
    return did_you_mean(name, known)

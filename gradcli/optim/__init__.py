"""``torch.optim`` for ``import gradcli as torch``: optimizers that change parameters by their gradients."""

from gradcli.optim.optimizer import Optimizer
from gradcli.optim.sgd import SGD

__all__ = ["SGD", "Optimizer"]

"""Stochastic gradient descent with momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.tensor import Tensor
from gradcli.optim.optimizer import Group, Optimizer


class SGD(Optimizer):
    """p <- p - lr d with d = g + weight_decay p; with momentum m: buf <- m buf + (1 - dampening) d (first buf <- d),
    d <- buf, or d <- d + m buf with ``nesterov``. ``maximize`` climbs instead. Parameters without a gradient stay.

    ValueError for a negative lr, momentum or weight_decay, and for nesterov without momentum or with dampening.
    Source: Sutskever et al., On the importance of initialization and momentum in deep learning (2013), as PyTorch
    has it.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        for name, value in (("lr", lr), ("momentum", momentum), ("weight_decay", weight_decay)):
            if value < 0:
                raise error(ValueError, "bad-option", f"{name} must not be negative, got {value}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise error(ValueError, "bad-option", "nesterov needs a momentum and no dampening")
        options = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, options)

    def update(self, param: Tensor, grad: Tensor, group: Group) -> None:
        """Take one step with one parameter."""
        direction: Any = grad.neg() if group["maximize"] else grad
        if group["weight_decay"]:
            direction = direction.add(param, alpha=group["weight_decay"])
        if group["momentum"]:
            direction = self.carried(param, direction, group)
        param.add_(direction, alpha=-group["lr"])

    def carried(self, param: Tensor, direction: Any, group: Group) -> Any:
        """Return the direction with what former steps carry on."""
        state, momentum = self.state[param], group["momentum"]
        known = state.get("momentum_buffer")
        if known is None:
            known = state["momentum_buffer"] = direction.detach().clone()
        else:
            known.mul_(momentum).add_(direction, alpha=1 - group["dampening"])
        return direction.add(known, alpha=momentum) if group["nesterov"] else known

"""``torch.func`` for ``import gradcli as torch``."""

from gradcli.autograd.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from gradcli.autograd.vmap import vmap

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp", "vmap"]

"""``torch.func`` for ``import gradcli as torch``."""

from gradcli.autograd.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from gradcli.autograd.functional_call import functional_call
from gradcli.autograd.vmap import vmap

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "vmap",
]

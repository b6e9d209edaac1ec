"""The engine: PyTorch's autograd on NumPy. Tensors, the recorded graph, backward passes, grad modes."""

from gradcli.autograd.api import backward, grad
from gradcli.autograd.backward import Pass
from gradcli.autograd.construct import tensor
from gradcli.autograd.errors import GradcheckError, LinAlgError, detail_of, error
from gradcli.autograd.mode import enable_grad, is_grad_enabled, mode, no_grad, set_grad_enabled
from gradcli.autograd.node import AccumulateGrad, Node
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.record import set_user_globals
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor

__all__ = [
    "AccumulateGrad",
    "GradcheckError",
    "LinAlgError",
    "Node",
    "Pass",
    "Primitive",
    "Size",
    "Tensor",
    "backward",
    "detail_of",
    "enable_grad",
    "error",
    "grad",
    "is_grad_enabled",
    "mode",
    "no_grad",
    "set_grad_enabled",
    "set_user_globals",
    "tensor",
]

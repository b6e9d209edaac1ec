"""The engine: PyTorch's autograd on NumPy. Tensors, the recorded graph, backward passes, grad modes."""

import importlib
import warnings
from typing import Any

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

# NumPy warns of 1/0 and the like; a gradient that is infinite or nan is a result here, not an accident.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"gradcli\.")

# What ``torch.autograd`` has besides, loaded at its first use: modules of their own, and names of modules.
MODULES = ("forward_ad", "function", "functional", "graph")
PUBLIC = {
    "Function": "function",
    "Variable": "construct",
    "detect_anomaly": "anomaly",
    "set_detect_anomaly": "anomaly",
    "gradcheck": "gradient_check",
    "gradgradcheck": "gradient_check",
    "inference_mode": "mode",
}


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"gradcli.autograd.{name}")
    if name in PUBLIC:
        return getattr(importlib.import_module(f"gradcli.autograd.{PUBLIC[name]}"), name)
    raise AttributeError(f"module 'gradcli.autograd' has no attribute {name!r}")

# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.
"""The engine, and ``torch.autograd``."""

from gradcli.autograd import forward_ad as forward_ad
from gradcli.autograd import function as function
from gradcli.autograd import functional as functional
from gradcli.autograd import graph as graph
from gradcli.autograd.anomaly import detect_anomaly as detect_anomaly
from gradcli.autograd.anomaly import set_detect_anomaly as set_detect_anomaly
from gradcli.autograd.api import backward as backward
from gradcli.autograd.api import grad as grad
from gradcli.autograd.backward import Pass as Pass
from gradcli.autograd.construct import Variable as Variable
from gradcli.autograd.construct import tensor as tensor
from gradcli.autograd.errors import GradcheckError as GradcheckError
from gradcli.autograd.errors import LinAlgError as LinAlgError
from gradcli.autograd.errors import detail_of as detail_of
from gradcli.autograd.errors import error as error
from gradcli.autograd.function import Function as Function
from gradcli.autograd.gradient_check import gradcheck as gradcheck
from gradcli.autograd.gradient_check import gradgradcheck as gradgradcheck
from gradcli.autograd.mode import enable_grad as enable_grad
from gradcli.autograd.mode import inference_mode as inference_mode
from gradcli.autograd.mode import is_grad_enabled as is_grad_enabled
from gradcli.autograd.mode import mode as mode
from gradcli.autograd.mode import no_grad as no_grad
from gradcli.autograd.mode import set_grad_enabled as set_grad_enabled
from gradcli.autograd.node import AccumulateGrad as AccumulateGrad
from gradcli.autograd.node import Node as Node
from gradcli.autograd.primitive import Primitive as Primitive
from gradcli.autograd.record import set_user_globals as set_user_globals
from gradcli.autograd.size import Size as Size
from gradcli.autograd.tensor import Tensor as Tensor

MODULES: tuple[str, ...]
PUBLIC: dict[str, str]

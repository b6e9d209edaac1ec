"""The namespaces a user sees: ``torch`` and what lies below it, each a closed list of names, resolved at their first
use.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from gradcli.autograd import dtypes, mode
from gradcli.autograd.size import Size
from gradcli.ops.registry import INDEX, row_named
from gradcli.ops.row import documented

# Names that are no operations, by namespace: the module of the engine that defines them.
_DEFINED: dict[str, dict[str, str]] = {
    "torch": {
        "mode": "no_grad enable_grad set_grad_enabled is_grad_enabled inference_mode is_inference_mode_enabled",
        "anomaly": "is_anomaly_enabled is_anomaly_check_nan_enabled",
        "devices": "device get_default_device set_default_device",
        "dtypes": "get_default_dtype set_default_dtype finfo iinfo",
        "printing": "set_printoptions",
        "vmap": "vmap",
        "gradcli.ops.tensor_type": "Tensor DoubleTensor FloatTensor HalfTensor LongTensor IntTensor BoolTensor",
    },
    "torch.cuda": {"devices": "device_count is_available"},
    "torch.accelerator": {"devices": "current_accelerator device_count is_available"},
    "torch.backends.mps": {"devices": "is_available is_built"},
    "torch.linalg": {"errors": "LinAlgError"},
    "torch.autograd": {
        "api": "grad backward",
        "gradient_check": "gradcheck gradgradcheck",
        "construct": "Variable",
        "function": "Function",
        "anomaly": "detect_anomaly set_detect_anomaly",
        "mode": "no_grad enable_grad set_grad_enabled inference_mode",
    },
    "torch.autograd.function": {"function": "Function FunctionCtx once_differentiable"},
    "torch.autograd.graph": {
        "graph": "GradientEdge Node allow_mutation_on_saved_tensors get_gradient_edge increment_version "
        "register_multi_grad_hook",
        "packing": "disable_saved_tensors_hooks save_on_cpu saved_tensors_hooks",
    },
    "torch.utils.checkpoint": {
        "checkpoint": "CheckpointError CheckpointFunction checkpoint checkpoint_sequential noop_context_fn "
        "set_checkpoint_early_stop"
    },
    "torch.testing": {"testing": "assert_close"},
    "torch.optim": {"gradcli.optim": "Optimizer SGD"},
    "torch.autograd.functional": {"functional": "hessian hvp jacobian jvp vhp vjp"},
    "torch.autograd.forward_ad": {
        "forward_ad": "dual_level enter_dual_level exit_dual_level make_dual unpack_dual UnpackedDualTensor"
    },
    "torch.func": {
        "func": "grad grad_and_value hessian jacfwd jacrev jvp linearize vjp",
        "functional_call": "functional_call",
        "vmap": "vmap",
    },
}
_PLACES = {
    namespace: {name: module for module, names in modules.items() for name in names.split()}
    for namespace, modules in _DEFINED.items()
}
_CONSTANTS: dict[str, dict[str, Any]] = {
    "torch": {
        "Size": Size,
        "dtype": dtypes.DType,
        "inf": math.inf,
        "nan": math.nan,
        "pi": math.pi,
        "e": math.e,
        **{d.name: d for d in dtypes.ALL},
        **dtypes.ALIASES,
        "strided": "strided",
    },
}
_CHILDREN: dict[str, tuple[str, ...]] = {
    "torch": (
        *("nn", "linalg", "special", "fft", "autograd", "func", "signal", "utils", "optim", "testing"),
        *("cuda", "accelerator", "backends"),
    ),
    "torch.backends": ("mps",),
    "torch.signal": ("windows",),
    "torch.autograd": ("functional", "forward_ad", "function", "graph"),
    "torch.utils": ("checkpoint",),
    "torch.nn": ("functional",),
}
_MATH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "comb",
    "copysign",
    "cos",
    "cosh",
    "degrees",
    "dist",
    "e",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "factorial",
    "floor",
    "fmod",
    "frexp",
    "fsum",
    "gamma",
    "gcd",
    "hypot",
    "inf",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isqrt",
    "lcm",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "modf",
    "nan",
    "nextafter",
    "perm",
    "pi",
    "pow",
    "prod",
    "radians",
    "remainder",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tau",
    "trunc",
    "ulp",
]


class Namespace:
    """A closed list of names. Reading one resolves it once; none can be set."""

    def __init__(self, name: str, names: Callable[[], set[str]], resolve: Callable[[str], Any]) -> None:
        vars(self).update(_name=name, _names=names, _resolve=resolve)

    def __getattr__(self, name: str) -> Any:
        value = None if name.startswith("_") else vars(self)["_resolve"](name)
        if value is None:
            raise AttributeError(f"{self._name} has no {name!r}", name=name, obj=self)
        vars(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"names of {self._name} cannot be set", name=name, obj=self)

    def __dir__(self) -> list[str]:
        return sorted(self._names())

    def __repr__(self) -> str:
        return f"<namespace {self._name}>"


def _names_below(prefix: str) -> set[str]:
    """Return the names that the namespace ``prefix`` has."""
    lead = prefix + "."
    from_rows = {name[len(lead) :] for name in INDEX if name.startswith(lead) and "." not in name[len(lead) :]}
    return from_rows | set(_PLACES.get(prefix, ())) | set(_CONSTANTS.get(prefix, ())) | set(_CHILDREN.get(prefix, ()))


def _resolve_below(prefix: str, name: str) -> Any:
    row = row_named(f"{prefix}.{name}")
    if row is not None:
        return documented(row)
    if name in _PLACES.get(prefix, ()):
        place = _PLACES[prefix][name]
        return getattr(importlib.import_module(place if "." in place else f"gradcli.autograd.{place}"), name)
    if name in _CHILDREN.get(prefix, ()):
        return namespace(f"{prefix}.{name}")
    return _CONSTANTS.get(prefix, {}).get(name)


def namespace_names() -> set[str]:
    """Return the names of all namespaces below ``torch``, itself included."""
    children = {f"{parent}.{child}" for parent, names in _CHILDREN.items() for child in names}
    return {"torch", *children, *(name.rpartition(".")[0] for name in INDEX if name.startswith("torch."))}


@cache
def namespace(name: str) -> Namespace:
    """Return the namespace ``torch``, ``torch.nn.functional``, ``torch.linalg``, ..."""
    return Namespace(name, lambda: _names_below(name), lambda member: _resolve_below(name, member))


def torch_namespace() -> Namespace:
    """Return the namespace that scripts call ``torch``."""
    return namespace("torch")


@cache
def math_namespace() -> Namespace:
    """Return Python's ``math``, a closed list of functions of numbers."""
    known = {name for name in _MATH if hasattr(math, name)}
    return Namespace("math", lambda: known, lambda name: getattr(math, name) if name in known else None)


__all__ = ["Namespace", "math_namespace", "mode", "namespace", "torch_namespace"]

"""gradcli: a differentiator of tensor expressions with PyTorch's autograd semantics on NumPy.

``import gradcli as torch`` gives tensors and every operation under PyTorch's names, the very objects that scripts use.
Everything is loaded at its first use, so that the command line pays for nothing it does not need.
"""

from __future__ import annotations

from typing import Any

_OWN = {"run": ("gradcli.lang.embed", "run"), "__version__": ("gradcli.version", "__version__")}

_MODULES = {
    *("accelerator", "autograd", "backends", "cuda", "fft", "func", "linalg", "nn", "optim", "signal", "special"),
    *("testing", "utils"),
}


def __getattr__(name: str) -> Any:
    import importlib

    if name in _OWN:
        module, attribute = _OWN[name]
        value = getattr(importlib.import_module(module), attribute)
    elif name.startswith("__"):
        raise AttributeError(name)
    else:
        value = _member(name)
    globals()[name] = value
    return value


def _member(name: str) -> Any:
    """Return a name of the torch namespace; a namespace below it is a module, so that it can be imported."""
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"gradcli.{name}")
    from gradcli.ops.namespaces import torch_namespace

    try:
        return getattr(torch_namespace(), name)
    except AttributeError as missing:
        raise AttributeError(f"module 'gradcli' has no attribute {name!r}") from missing


def __dir__() -> list[str]:
    from gradcli.ops.namespaces import torch_namespace

    return sorted({*dir(torch_namespace()), *_OWN})

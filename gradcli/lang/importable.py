"""What a script may import: names that gx has already, under the paths that PyTorch users write."""

from __future__ import annotations

from typing import Any

from gradcli.lang.advice import for_attribute
from gradcli.lang.suggest import did_you_mean

_INSTEAD = {
    "numpy": "gx has no numpy; `torch.tensor`, `torch.linspace`, `torch.pi`, ... do the same",
    "np": "gx has no numpy; `torch.tensor`, `torch.linspace`, `torch.pi`, ... do the same",
    "matplotlib": "gx draws nothing; `print` shows values",
    "random": "`torch.rand`, `torch.randn` and `torch.randint` draw random numbers",
    "copy": "x.clone() copies a tensor, list(...) and dict(...) the others",
    "time": "the interactive session measures: `gradcli repl`, then :time EXPR",
    "torchvision": "gx has no data sets and no images: `load` reads arrays from files",
    "torchaudio": "gx has no data sets: `load` reads arrays from files",
    "scipy": "gx has no scipy; `torch.special`, `torch.linalg` and `torch.fft` do much of the same",
    "os": "files are reached by `load` and `save` alone",
    "sys": "files are reached by `load` and `save` alone",
}
ROOTS = ("torch", "math", "functools")
ANNOTATIONS = ("typing", "collections.abc")  # nothing is bound: annotations, which alone use these names, are read over
PATHS = {
    "torch": "torch",
    "math": "math",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "autograd": "torch.autograd",
}


def resolve(path: str) -> Any:
    """Return the namespace or function at a dotted path such as ``torch.nn.functional``; None when there is none."""
    first, *rest = path.split(".")
    if first not in ROOTS:
        return None
    value: Any = _root(first)
    for name in rest:
        value = getattr(value, name, None) if is_namespace(value) else None
    return value


def _root(name: str) -> Any:
    """Return one of the namespaces that all paths start with."""
    if name == "torch":
        from gradcli.ops.namespaces import torch_namespace

        return torch_namespace()
    if name == "math":
        from gradcli.lang.safe_math import safe_math

        return safe_math()
    from gradcli.lang.safe_functools import safe_functools

    return safe_functools()


def exists(path: str) -> bool:
    """Tell whether a script can import ``path``."""
    return resolve(path) is not None


def is_namespace(value: Any) -> bool:
    """Tell whether ``value`` is one of the closed namespaces."""
    from gradcli.ops.namespaces import Namespace

    return isinstance(value, Namespace)


def suggestion(path: str) -> str | None:
    """Return what to write instead of a path that can't be imported."""
    parent, _, name = path.rpartition(".")
    if not parent:
        return _INSTEAD.get(name) or did_you_mean(name, ROOTS)
    owner = resolve(parent)
    return for_attribute(name, dir(owner)) if is_namespace(owner) else suggestion(parent)

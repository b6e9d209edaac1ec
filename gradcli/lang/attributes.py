"""The attributes that a script may name: a closed list, checked before anything runs, so reading one costs nothing.

A name on the list may be read from any object, so none may lead out on any type: no frames, code, globals, formats.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache

# Methods of Python's own values. Those that pad (ljust, zfill, ...) or format are not among them: they can eat memory
# or reach attributes by text.
_VALUES = {
    *("append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"),
    *(
        "items",
        "keys",
        "values",
        "update",
        "get",
        "setdefault",
        "add",
        "discard",
        "union",
        "intersection",
        "difference",
    ),
    *("join", "lower", "upper", "strip", "lstrip", "rstrip", "split", "startswith", "endswith", "replace", "find"),
    *("real", "imag", "conjugate", "is_integer", "bit_length", "numerator", "denominator", "start", "stop", "step"),
}
_NODES = {"name", "next_functions", "metadata", "variable", "register_hook", "register_prehook", "node", "output_nr"}
_RULES = {
    *("apply", "save_for_backward", "save_for_forward", "saved_tensors", "needs_input_grad", "mark_dirty"),
    *("mark_non_differentiable", "set_materialize_grads", "forward", "backward", "setup_context", "jvp", "vjp"),
}
_OPTIMIZERS = {"add_param_group", "load_state_dict", "param_groups", "state", "state_dict", "step", "zero_grad"}
# The fields of results (max, sort, linalg.svd, finfo, unpack_dual); tests hold that none is missing.
_FIELDS = {
    *("values", "indices", "min", "max", "mantissa", "exponent", "hist", "bin_edges", "result", "inverse", "info"),
    *("solution", "cloned_coefficient", "residuals", "rank", "singular_values", "sign", "logabsdet", "pivots", "tau"),
    *("eigenvalues", "eigenvectors", "L", "LD", "LU", "P", "Q", "R", "S", "U", "V", "Vh", "a"),
    *("eps", "tiny", "smallest_normal", "resolution", "bits", "primal", "tangent", "get_state", "set_state"),
}
_UNDERSCORED = ("_saved_", "_version", "_sequence_nr", "_is_view", "_base")
_FORBIDDEN = {
    *("format", "format_map", "mro", "code", "lasti", "resolver"),
    *("ljust", "rjust", "center", "zfill", "expandtabs", "translate", "encode", "decode", "hex"),
    *("ctypes", "tofile", "fromfile", "memmap", "dump", "dumps", "tobytes", "setfield", "getfield", "setflags"),
}
_FORBIDDEN_STARTS = ("gi_", "cr_", "ag_", "f_", "tb_", "co_", "func_", "im_")
WRITABLE = frozenset({"grad", "requires_grad", "data"})


def is_allowed(name: str, own: Container[str] = ()) -> bool:
    """Tell whether a script may read the attribute ``name``; ``own`` are those that it sets on its own classes."""
    if name.startswith("_"):
        return name.startswith(_UNDERSCORED)
    return name in allowed_names() or (name in own and not is_forbidden(name))


@cache
def allowed_names() -> frozenset[str]:
    """Return every name without an underscore in front that may follow a dot."""
    names = {*_VALUES, *_NODES, *_RULES, *_OPTIMIZERS, *_FIELDS, *_tensor_names(), *_namespace_names()}
    return frozenset(name for name in names if not name.startswith("_") and not is_forbidden(name))


def is_forbidden(name: str) -> bool:
    """Tell whether ``name`` stays out even if an engine class has it: it would lead to Python's own machinery."""
    return name in _FORBIDDEN or name.startswith(("__", *_FORBIDDEN_STARTS))


def _tensor_names() -> set[str]:
    from gradcli.autograd.dtypes import DType
    from gradcli.autograd.tensor import Tensor
    from gradcli.ops.registry import method_names

    return {*dir(Tensor), *dir(DType), *method_names()}


def _namespace_names() -> set[str]:
    """Return the members of all namespaces below ``torch`` and of ``math``."""
    from gradcli.lang.safe_functools import safe_functools
    from gradcli.ops.namespaces import math_namespace, namespace, namespace_names
    from gradcli.ops.registry import INDEX

    members = {member for path in namespace_names() for member in dir(namespace(path))}
    return members | {name.rpartition(".")[2] for name in INDEX} | {*dir(math_namespace()), *dir(safe_functools())}

"""What the stubs say where an operation's own annotations are silent: types of arguments by name, and results.

Types are written as they stand in the stubs: ``_int``, ``_float`` ... are Python's own, since ``torch.int`` and
``Tensor.float`` hide them there.
"""

from __future__ import annotations

# how each stub that holds operations begins, and where the names in it come from
PYTHON = ("bool", "complex", "float", "int", "str")
TYPES = """\
from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from gradcli.autograd.dtypes import DType as _DType
from gradcli.autograd.size import Size
from gradcli.autograd.tensor import Tensor
from gradcli.ops.generator import Generator as _Generator

TensorLike: TypeAlias = Tensor | _complex | np.ndarray[Any, Any] | np.generic | list[Any] | tuple[Any, ...]
Dims: TypeAlias = _int | Sequence[_int]
DTypeLike: TypeAlias = _DType | type[Any] | np.dtype[Any]
Index: TypeAlias = (
    _int | slice | EllipsisType | Tensor | np.ndarray[Any, Any] | list[Any] | tuple[Any, ...] | None
)
"""
IMPORTS = {
    **{f"_{name}": ("builtins", f"{name} as _{name}") for name in PYTHON},
    "Callable": ("collections.abc", "Callable"),
    "Sequence": ("collections.abc", "Sequence"),
    "Any": ("typing", "Any"),
    "Literal": ("typing", "Literal"),
    "overload": ("typing", "overload"),
    "np": ("", "numpy as np"),
    "_DType": ("gradcli.autograd.dtypes", "DType as _DType"),
    "Size": ("gradcli.autograd.size", "Size"),
    "Tensor": ("gradcli.autograd.tensor", "Tensor"),
    "_Generator": ("gradcli.ops.generator", "Generator as _Generator"),
    **{name: ("gradcli._typing", name) for name in ("TensorLike", "Dims", "DTypeLike")},
}
# by the name of the argument, where the function says Any; whatever is not here takes a tensor
ARGUMENTS = {
    **dict.fromkeys(("dim", "dims", "shifts", "source", "destination"), "Dims"),
    **dict.fromkeys(("kernel_size", "stride", "dilation", "output_padding", "normalized_shape"), "Dims"),
    **dict.fromkeys(("split_size_or_sections", "size", "sizes", "order", "counts"), "Dims"),
    **dict.fromkeys(("shape", "split_sizes", "pad", "s", "shapes", "repeats_"), "Sequence[_int]"),
    **dict.fromkeys(("alpha", "beta", "fill_value", "start", "end", "step"), "_complex"),
    **dict.fromkeys(("low", "high", "k", "correction", "seed"), "_int"),
    **dict.fromkeys(("unbiased", "copy", "non_blocking"), "_bool"),
    **dict.fromkeys(("dtype", "from_", "to", "type1", "type2"), "DTypeLike"),
    **dict.fromkeys(("rtol", "atol", "tol", "rcond"), "_float | Tensor"),
    **dict.fromkeys(("tensors", "operands", "matrices"), "Sequence[TensorLike]"),
    **dict.fromkeys(("side", "equation"), "_str"),
    "padding": "Dims | _str",
    "indices_or_sections": "Dims | Tensor",
    "output_size": "_int | Sequence[_int | None]",
    "scale_factor": "_float | Sequence[_float]",
    "device": "_str",
    "out": "Tensor",
    "generator": "_Generator",
    "p": "_float",
    "ord": "_float | _str",
    "index": "TensorLike",
    "range": "tuple[_float, _float]",
    "memory_format": "Any",
    "mode": "_str | _bool",
    "bins": "_int | TensorLike",
    "spacing": "_float | Sequence[TensorLike] | Tensor",
    "ndarray": "np.ndarray[Any, Any]",
    "new_state": "Tensor",
    "obj": "TensorLike",
    "repeats": "_int | TensorLike",
}
# by operation and argument, where the name means something else than usually
SPECIAL = {
    ("torch.permute", "dims"): "Sequence[_int]",
    ("torch.rot90", "dims"): "Sequence[_int]",
    ("torch.tensordot", "dims"): "_int | Sequence[Sequence[_int]] | Tensor",
    ("torch.linalg.tensorsolve", "dims"): "Sequence[_int]",
    ("torch.as_strided", "size"): "Sequence[_int]",
    ("torch.as_strided", "stride"): "Sequence[_int]",
    ("torch.as_strided_scatter", "size"): "Sequence[_int]",
    ("torch.as_strided_scatter", "stride"): "Sequence[_int]",
    ("torch.index_put", "indices"): "Sequence[Tensor | None]",
    ("torch.index_add", "source"): "TensorLike",
    ("torch.index_copy", "source"): "TensorLike",
    ("torch.index_reduce", "source"): "TensorLike",
    ("torch.masked_scatter", "source"): "TensorLike",
    ("torch.put", "source"): "TensorLike",
    ("torch.select", "index"): "_int",
    ("torch.select_scatter", "index"): "_int",
    ("torch.lerp", "end"): "TensorLike",
    ("torch.slice_scatter", "start"): "_int",
    ("torch.slice_scatter", "end"): "_int",
    ("torch.max", "other"): "TensorLike",
    ("torch.bernoulli", "p"): "_float",
    ("torch.norm", "p"): "_float | _str",
    ("torch.linalg.cond", "p"): "_float | _str",
    ("Tensor.bernoulli_", "p"): "_float | Tensor",
    ("Tensor.repeat", "repeats"): "Sequence[_int]",
    ("torch.tensor_split", "indices"): "Sequence[_int] | Tensor",
    ("torch.tensor_split", "sections"): "_int",
    ("torch.gradient", "dim"): "Dims",
    ("torch.is_tensor", "obj"): "object",
    ("torch.trapezoid", "dx"): "_float",
    ("torch.cumulative_trapezoid", "dx"): "_float",
    ("torch.nn.functional.fold", "output_size"): "Dims",
    ("torch.Generator", "device"): "_str",
    ("torch.nn.functional.affine_grid", "size"): "Sequence[_int]",
}
_FLAG, _SIZE, _TENSORS = "_bool", "_int", "tuple[Tensor, ...]"
# results that are no tensor; a text with no bracket and no capital names the fields of a result
RETURNS = {
    **dict.fromkeys(("torch.allclose", "torch.equal", "torch.is_complex", "torch.is_floating_point"), _FLAG),
    **dict.fromkeys(("Tensor.is_signed", "torch.is_conj", "torch.is_neg", "Tensor.is_contiguous"), _FLAG),
    **dict.fromkeys(("Tensor.is_same_size", "torch.is_nonzero", "torch.is_tensor", "torch.can_cast"), _FLAG),
    **dict.fromkeys(("torch.numel", "Tensor.dim", "Tensor.element_size", "Tensor.storage_offset"), _SIZE),
    **dict.fromkeys(("Tensor.data_ptr", "torch.seed", "torch.initial_seed"), _SIZE),
    **dict.fromkeys(("torch.unbind", "torch.split", "torch.split_with_sizes", "torch.chunk"), _TENSORS),
    **dict.fromkeys(("torch.tensor_split", "torch.hsplit", "torch.vsplit", "torch.dsplit"), _TENSORS),
    **dict.fromkeys(("torch.broadcast_tensors", "torch.meshgrid", "torch.gradient"), _TENSORS),
    **dict.fromkeys(("torch.unravel_index",), _TENSORS),
    **dict.fromkeys(("torch.var_mean", "torch.std_mean", "torch.adaptive_max_pool1d"), "tuple[Tensor, Tensor]"),
    **dict.fromkeys(("torch.result_type", "torch.promote_types"), "_DType"),
    **dict.fromkeys(("torch.manual_seed", "torch.Generator"), "_Generator"),
    **dict.fromkeys(("torch.cummax", "torch.cummin", "torch.sort", "torch.topk"), "values indices"),
    **dict.fromkeys(("torch.mode", "torch.kthvalue"), "values indices"),
    "torch.set_rng_state": "None",
    "torch.broadcast_shapes": "Size",
    "torch.frexp": "mantissa exponent",
    "torch.aminmax": "min max",
    "torch.histogram": "hist bin_edges",
    "torch.linalg.inv_ex": "inverse info",
    "torch.linalg.solve_ex": "result info",
    "torch.triangular_solve": "solution cloned_coefficient",
    "torch.linalg.lu_factor": "LU pivots",
    "torch.linalg.lu_factor_ex": "LU pivots info",
    "torch.linalg.lu": "P L U",
    "torch.lu_unpack": "P L U",
    "torch.linalg.ldl_factor": "LD pivots",
    "torch.linalg.slogdet": "sign logabsdet",
    "torch.linalg.cholesky_ex": "L info",
    "torch.linalg.qr": "Q R",
    "torch.linalg.eigh": "eigenvalues eigenvectors",
    "torch.linalg.eig": "eigenvalues eigenvectors",
    "torch.linalg.svd": "U S Vh",
    "torch.svd": "U S V",
    "torch.linalg.lstsq": "solution residuals rank singular_values",
    "torch.geqrf": "a tau",
    "torch.nn.functional.multi_head_attention_forward": "tuple[Tensor, Tensor | None]",
}
_VALUE = "(input: TensorLike, *, out: Tensor | None = None) -> Tensor"
_EXTREME = (
    _VALUE,
    "(input: TensorLike, dim: _int, keepdim: _bool = False, *, out: Any = None) -> ValuesIndices",
    "(input: TensorLike, *, axis: _int, keepdims: _bool = False) -> ValuesIndices",
)
_BETWEEN = (*_EXTREME, "(input: TensorLike, other: TensorLike, *, out: Tensor | None = None) -> Tensor")
_UNIQUE = (
    "(input: TensorLike, sorted: _bool = True, return_inverse: Literal[False] = False,"
    " return_counts: Literal[False] = False, dim: _int | None = None) -> Tensor",
    "(input: TensorLike, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False,"
    " dim: _int | None = None) -> Any",
)
_MADE = "dtype: DTypeLike | None = None, requires_grad: _bool = False, device: _str | None = None"
_INTEGERS = f"generator: _Generator | None = None, {_MADE}"
# operations whose result depends on how they are called, or that take arguments in several ways
OVERLOADS: dict[str, tuple[str, ...]] = {
    "torch.max": _BETWEEN,
    "torch.min": _BETWEEN,
    "torch.median": _EXTREME,
    "torch.nanmedian": _EXTREME,
    "torch.unique": _UNIQUE,
    "torch.unique_consecutive": tuple(text.replace("sorted: _bool = True, ", "") for text in _UNIQUE),
    "torch.where": (
        "(condition: TensorLike, input: TensorLike, other: TensorLike) -> Tensor",
        "(condition: TensorLike) -> tuple[Tensor, ...]",
    ),
    "torch.nonzero": (
        "(input: TensorLike, *, as_tuple: Literal[False] = False) -> Tensor",
        "(input: TensorLike, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]",
    ),
    "Tensor.size": ("(input: TensorLike, dim: None = None) -> Size", "(input: TensorLike, dim: _int) -> _int"),
    "Tensor.stride": (
        "(input: TensorLike, dim: None = None) -> tuple[_int, ...]",
        "(input: TensorLike, dim: _int) -> _int",
    ),
    "Tensor.type": (
        "(input: TensorLike, dtype: None = None) -> _str",
        "(input: TensorLike, dtype: DTypeLike | _str) -> Tensor",
    ),
    "Tensor.to": (
        "(input: TensorLike, dtype: DTypeLike, non_blocking: _bool = False, copy: _bool = False) -> Tensor",
        "(input: TensorLike, other: Tensor, non_blocking: _bool = False, copy: _bool = False) -> Tensor",
        "(input: TensorLike, device: _str | None = None, dtype: DTypeLike | None = None, non_blocking: _bool = False,"
        " copy: _bool = False) -> Tensor",
    ),
    "torch.arange": (
        f"(end: _float, *, {_MADE}) -> Tensor",
        f"(start: _float, end: _float, step: _float = 1, *, {_MADE}) -> Tensor",
    ),
    "torch.randint": (
        f"(high: _int, size: Sequence[_int], *, {_INTEGERS}) -> Tensor",
        f"(low: _int, high: _int, size: Sequence[_int], *, {_INTEGERS}) -> Tensor",
    ),
    "torch.randint_like": (
        f"(input: TensorLike, high: _int, *, {_INTEGERS}) -> Tensor",
        f"(input: TensorLike, low: _int, high: _int, *, {_INTEGERS}) -> Tensor",
    ),
    "Tensor.random_": (
        "(input: Tensor, to: _int | None = None, /, *, generator: _Generator | None = None) -> Tensor",
        "(input: Tensor, from_: _int, to: _int | None, /, *, generator: _Generator | None = None) -> Tensor",
    ),
    "torch.atleast_1d": ("(tensor: TensorLike, /) -> Tensor", "(*tensors: TensorLike) -> Any"),
    "torch.atleast_2d": ("(tensor: TensorLike, /) -> Tensor", "(*tensors: TensorLike) -> Any"),
    "torch.atleast_3d": ("(tensor: TensorLike, /) -> Tensor", "(*tensors: TensorLike) -> Any"),
    "torch.einsum": ("(equation: _str, *operands: TensorLike | Sequence[TensorLike]) -> Tensor",),
}
# operations that return the indices too when they are asked for
WITH_INDICES = "return_indices"
UNARY = "neg pos abs invert"
COMPARISONS = "eq ne lt le gt ge"
BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"

"""The tensor: an ndarray, its place in the recorded graph and its gradient.

Operations are not defined here. Rows of ``gradcli.ops`` are set on the class as methods, so that the engine stands
without them. The class has no ``__getattr__``: CPython would read every attribute the slow way then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gradcli.autograd.dtypes import DType, default, from_numpy_dtype
from gradcli.autograd.errors import error
from gradcli.autograd.size import Size

if TYPE_CHECKING:
    from gradcli._typing import Methods
    from gradcli.autograd.devices import device
    from gradcli.autograd.node import Node
    from gradcli.autograd.views import View
else:
    Methods = object

Array = np.ndarray[Any, Any]


class Tensor(Methods):
    """An array of numbers that can take part in a recorded graph.

    ``_array`` the values, ``_fn`` the node that made it (None for a leaf), ``_nr`` which output of that node it is,
    ``_rg`` whether it requires grad, ``_grad`` the accumulated gradient, ``_storage`` the version counter (None: never
    written or aliased), ``_view`` what it is a view of, ``_acc`` a weak reference to a leaf's accumulator, ``_hooks`` a
    leaf's hooks. ``_level`` and ``_tangent`` belong to lifted tensors alone: an in-place write may make one of a plain
    tensor.
    """

    __slots__ = (
        "__weakref__", "_acc", "_array", "_fn", "_grad", "_hooks", "_level", "_nr", "_rg", "_storage", "_tangent",
        "_view",
    )  # fmt: skip

    __array_priority__ = 1000
    _backward: ClassVar[Any] = None  # what ``backward`` does; bound at the first one

    def __init__(self, array: Array, fn: Node | None = None, rg: bool = False, nr: int = 0) -> None:
        self._array = array
        self._fn = fn
        self._rg = rg
        self._nr = nr
        self._grad: Tensor | None = None
        self._storage: Any = None
        self._view: View | None = None
        self._acc: Any = None
        self._hooks: Any = None

    # -- the graph ----------------------------------------------------------------------------------------------------
    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded. Only leaves may be switched (RuntimeError otherwise)."""
        return self._rg

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if self._fn is not None:
            raise error(
                RuntimeError,
                "not-a-leaf",
                "only a leaf's requires_grad can be set; this tensor is a result",
                hint="detach() gives a leaf with the same values",
            )
        if value.__class__ is not bool:
            raise error(RuntimeError, "not-a-bool", f"requires_grad is True or False, got {type(value).__name__}")
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set whether operations on this leaf are recorded, and return it."""
        if self._fn is not None:
            if not requires_grad:
                raise error(
                    RuntimeError,
                    "not-a-leaf",
                    "requires_grad cannot be switched off on a result of recorded operations",
                    hint="detach() gives a tensor with the same values that does not require grad",
                )
            return self
        if requires_grad and self._element.kind not in "fc":
            raise integer_requires_grad(self)
        if requires_grad and self._storage is not None:
            self._storage.check_may_record()
        if requires_grad.__class__ is not bool:
            raise error(TypeError, "not-a-bool", f"requires_grad is True or False, got {type(requires_grad).__name__}")
        self._rg = requires_grad
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node that made this tensor, or None for a leaf. A view of a tensor written in place gets a new one."""
        if self._view is not None:
            self._view.refresh(self)
        return self._fn

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor."""
        return self.grad_fn is None

    @property
    def output_nr(self) -> int:
        """Which output of its grad_fn this tensor is."""
        return self._nr

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient: None until a backward pass reaches this leaf (or a tensor with ``retain_grad``)."""
        if self._grad is None and self._fn is not None:
            from gradcli.autograd.gradients import warn_non_leaf_grad

            warn_non_leaf_grad(self)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            from gradcli.autograd.gradients import check_assigned_grad

            check_assigned_grad(self, value)
        self._grad = value

    def detach(self) -> Tensor:
        """Return a tensor on the same memory, with the same version counter, cut off from the graph."""
        from gradcli.autograd.node import storage_of

        out = Tensor(self._array)
        out._storage = storage_of(self)
        return out

    @property
    def data(self) -> Tensor:
        """A tensor on the same memory with a version counter of its own: writes through it are not noticed by backward.
        """
        return Tensor(self._array)

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise error(TypeError, "not-a-tensor", f".data takes a tensor, got {type(value).__name__}")
        self._array = value._array
        self._storage = None

    def is_inference(self) -> bool:
        """Return whether this tensor was made in ``inference_mode``."""
        return self._storage is not None and bool(self._storage.inference)

    @property
    def _version(self) -> int:
        return 0 if self._storage is None else int(self._storage.known_version())

    @property
    def _base(self) -> Tensor | None:
        return None if self._view is None else self._view.base

    @property
    def _element(self) -> Any:
        return self._array.dtype

    # -- shape and type -----------------------------------------------------------------------------------------------
    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return Size(self._array.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    @property
    def dtype(self) -> DType:
        """The element type."""
        return from_numpy_dtype(self._element)

    @property
    def device(self) -> device:
        """Always the CPU."""
        from gradcli.autograd.devices import CPU

        return CPU

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self._array.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self._array.nbytes)

    def __len__(self) -> int:
        if not self._array.ndim:
            raise error(TypeError, "zero-dim", "a 0-d tensor has no length")
        return len(self._array)

    # -- values -------------------------------------------------------------------------------------------------------
    def item(self) -> Any:
        """Return the only element as a Python number; RuntimeError where there are more or none."""
        if self._array.size != 1:
            raise error(
                RuntimeError,
                "not-one-element",
                f"item() needs a tensor of one element, this one has {self._array.size}: shape {tuple(self.shape)}",
                hint="tolist() gives all of them",
            )
        return self._array.item()

    def tolist(self) -> Any:
        """Return nested lists of Python numbers (a number for a 0-d tensor)."""
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> Array:
        """Return the ndarray that shares this tensor's memory; RuntimeError where it requires grad, unless ``force``.
        """
        if self._rg and not force:
            raise error(
                RuntimeError,
                "numpy-of-recorded",
                "numpy() would leave the recorded graph: this tensor requires grad",
                hint="detach().numpy() says that you mean it",
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        return np.array(array, dtype=dtype, copy=True) if copy else np.asarray(array, dtype=dtype)

    def _number(self, kind: str) -> Any:
        if self._array.size != 1:
            raise error(
                ValueError,
                "not-one-element",
                f"only a tensor of one element becomes {kind}, this one has shape {tuple(self.shape)}",
            )
        return self._array.item()

    def __float__(self) -> float:
        return float(self._number("a float"))

    def __int__(self) -> int:
        return int(self._number("an int"))

    def __complex__(self) -> complex:
        return complex(self._number("a complex number"))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu" or self._array.size != 1:
            raise error(TypeError, "not-an-index", "only an integer tensor of one element can be an index")
        return int(self._array.item())

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise error(
                RuntimeError,
                "ambiguous-truth",
                f"a tensor of shape {tuple(self.shape)} is neither true nor false as a whole",
                hint=".any() or .all() reduces it to one truth value",
            )
        return bool(self._array.item())

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.ndim:
            raise error(TypeError, "zero-dim", "a 0-d tensor cannot be iterated over")
        return iter(self.unbind(0))

    def __contains__(self, value: Any) -> bool:
        return bool((self._array == (value._array if isinstance(value, Tensor) else value)).any())

    def __hash__(self) -> int:
        return id(self)

    # -- backward -----------------------------------------------------------------------------------------------------
    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Accumulate ``gradient`` times the Jacobian into the ``.grad`` of the leaves, as ``torch.Tensor.backward``.

        ``gradient`` has the shape of this tensor and may be left out where it has one element.
        """
        if Tensor._backward is None:
            from gradcli.autograd.api import backward_of

            Tensor._backward = backward_of
        Tensor._backward(self, gradient, retain_graph, create_graph, inputs)

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in ``.grad``; nothing to do for a leaf."""
        from gradcli.autograd.hooks import retain_grad

        retain_grad(self)

    @property
    def retains_grad(self) -> bool:
        """Whether ``retain_grad`` was called on this non-leaf."""
        from gradcli.autograd.hooks import retains_grad

        return retains_grad(self)

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(grad)`` with the gradient of this tensor in each pass; a returned tensor replaces it."""
        from gradcli.autograd.hooks import register_hook

        return register_hook(self, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(self)`` each time this leaf's ``.grad`` has been updated."""
        from gradcli.autograd.hooks import register_post_accumulate_grad_hook

        return register_post_accumulate_grad_hook(self, hook)

    # -- showing ------------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        from gradcli.autograd.printing import format_tensor, options

        fn = self.grad_fn
        return format_tensor(
            self._array,
            dtype_name=self.dtype.name,
            default_dtype_name=default.dtype.name,
            requires_grad=self._rg and fn is None,
            grad_fn_name=None if fn is None else fn.name(),
            options=options,
        )

    def __format__(self, spec: str) -> str:
        if not spec or self._array.size != 1:
            if spec:
                raise error(
                    TypeError,
                    "format",
                    f"the format {spec!r} needs a tensor of one element, this one has shape {tuple(self.shape)}",
                )
            return repr(self) if self._array.ndim else str(self._array.item())
        return format(self._array.item(), spec)

    def __copy__(self) -> Tensor:
        """Return a leaf on the same memory."""
        return self.detach().requires_grad_(self._rg)

    def __reduce__(self) -> Any:
        """Pickle the values, and whether they require grad: not the graph, and no gradient, as PyTorch."""
        if self.__class__ is not Tensor:
            raise error(TypeError, "not-picklable", "what a transformation runs on can't leave it")
        return _unpickled, (self._array, self._rg)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if self._fn is not None:
            raise error(
                RuntimeError,
                "not-a-leaf",
                "only a leaf can be deep-copied, this tensor is a result",
                hint="detach().clone() copies the values",
            )
        out = Tensor(self._array.copy(), None, self._rg)
        out._grad = None if self._grad is None else self._grad.__deepcopy__(memo)
        memo[id(self)] = out
        return out


def _unpickled(array: Array, requires_grad: bool) -> Tensor:
    return Tensor(array, None, requires_grad)


def integer_requires_grad(tensor: Tensor) -> Exception:
    """Return the error of asking an integer or bool tensor to require grad."""
    return error(
        RuntimeError,
        "integer-requires-grad",
        f"only floating and complex tensors can require grad, this one is {tensor.dtype.name}",
        hint="write the numbers with a point, 1. instead of 1, or pass dtype=torch.float64",
    )

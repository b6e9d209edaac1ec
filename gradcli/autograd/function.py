"""Custom rules: ``torch.autograd.Function``, a forward computation with a rule of the user's own.

One application is one node, named ``<Class>Backward``. The forward function runs with recording off; its outputs get
the node as their history. The rule runs on tensors, recorded where the pass is (``create_graph=True``), so that it can
be differentiated again.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar, NoReturn

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.function_ctx import FunctionCtx as FunctionCtx
from gradcli.autograd.lifted import Lifted, fresh_leaf
from gradcli.autograd.mode import mode, no_grad
from gradcli.autograd.node import Node
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor


class FunctionNode(Node):
    """The node of one application: its context, and the position of each edge among the arguments of ``apply``."""

    __slots__ = ("arguments", "ctx", "positions")

    ctx: FunctionCtx
    arguments: int
    positions: tuple[int, ...]
    function: ClassVar[type[Function]]
    frees: ClassVar[bool] = True

    def run(self, g: Any) -> tuple[Any, ...]:
        """Call the rule on tensors and return the arrays it gave."""
        parts = g if self.multi else (g,)
        grads = self.pull(tuple(p if p is None else Tensor(np.asarray(p)) for p in parts))
        return tuple(t if t is None or isinstance(t, Lifted) else t._array for t in grads)

    def run_graph(self, g: Any) -> tuple[Any, ...]:
        """Call the rule on tensors, recording what it does."""
        return self.pull(tuple(g) if self.multi else (g,))

    def pull(self, cotangents: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what the user's rule gives for each edge, checked."""
        if self.ctx._state.materialize:
            shapes = zip(self.shape, self.dtype, strict=True) if self.multi else ((self.shape, self.dtype),)
            cotangents = tuple(
                Tensor(np.zeros(shape, dtype)) if g is None and shape is not None else g
                for g, (shape, dtype) in zip(cotangents, shapes, strict=True)
            )
        return self.checked(_rule_of(self.function)(self.ctx, *cotangents))

    def checked(self, grads: Any) -> tuple[Any, ...]:
        """Return the gradients of the edges; RuntimeError for a wrong number, kind or shape of them."""
        grads = grads if isinstance(grads, tuple) else (grads,)
        if len(grads) > self.arguments and all(g is None for g in grads[self.arguments :]):
            grads = grads[: self.arguments]
        if len(grads) != self.arguments:
            raise _bad_backward(
                f"{self.name()} must return one gradient for each of the {self.arguments} arguments of forward, "
                f"it returned {len(grads)}",
                hint="return None for an argument that has no gradient",
            )
        for k, g in enumerate(grads):
            if g is not None and k not in self.positions:
                raise _bad_backward(f"{self.name()} returned a gradient for argument {k}, which is not a tensor")
        return tuple(self.fitting(grads[k], edge, k) for edge, k in enumerate(self.positions))

    def fitting(self, g: Any, edge: int, k: int) -> Any:
        """Return ``g``, a gradient whose shape the shape of argument ``k`` broadcasts to."""
        if g is None:
            return None
        if not isinstance(g, Tensor):
            raise _bad_backward(f"a gradient is a tensor or None, {self.name()} returned {type(g).__name__}")
        parent = self.parents[edge]
        if parent is None:
            return g
        nr = self.numbers[edge] if self.numbers else 0
        shape, found = parent.shape[nr] if parent.multi else parent.shape, tuple(g.shape)
        back = found[len(found) - len(shape) :] if len(found) >= len(shape) else None
        if back is None or any(n not in (1, m) for n, m in zip(shape, back, strict=True)):
            raise _bad_backward(
                f"{self.name()} returned a gradient of shape {found} for argument {k}, which has shape {shape}",
            )
        return g

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        """What ``save_for_backward`` keeps; RuntimeError after a pass has freed it."""
        return self.ctx.saved_tensors

    def release(self) -> None:
        """Free what ``save_for_backward`` keeps."""
        self.ctx._state.release()

    def __getattr__(self, name: str) -> Any:
        """Read an attribute of the context, as PyTorch's node is its own context."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.ctx, name)


def _bad_backward(message: str, hint: str | None = None) -> Exception:
    return error(RuntimeError, "bad-backward", message, hint=hint)


class Function:
    """The base class of custom rules: override ``forward`` and ``backward`` (or ``vjp``), call ``apply``.

    ``forward(ctx, *args)``, or ``forward(*args)`` with ``setup_context(ctx, inputs, output)``;
    ``backward(ctx, *grads)`` returns one gradient an argument; ``jvp(ctx, *tangents)`` gives forward mode. For ``vmap``
    set ``generate_vmap_rule = True`` or override ``vmap(info, in_dims, *args)``.
    """

    generate_vmap_rule: ClassVar[bool] = False
    _nodes: ClassVar[dict[bool, type[FunctionNode]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._nodes = {}

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: an instance has no use (RuntimeError)."""
        name = type(self).__name__
        raise error(RuntimeError, "function-instance", f"a custom function is applied by {name}.apply(...)")

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the output; to be overridden."""
        raise error(NotImplementedError, "no-forward", "a custom function needs a static method forward")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Fill ``ctx`` after a ``forward`` that takes no ctx; to be overridden."""
        raise error(NotImplementedError, "no-setup-context", "setup_context is not implemented")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradient of each argument of ``forward``; to be overridden."""
        raise error(NotImplementedError, "no-backward", "a custom function needs a static method backward (or vjp)")

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the tangent of each output; to be overridden for forward mode."""
        raise error(NotImplementedError, "no-jvp", "a custom function needs a static method jvp for forward mode")

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Return the outputs for batched arguments and the batch dimension of each; to be overridden for vmap."""
        raise error(NotImplementedError, "no-vmap", "a custom function needs generate_vmap_rule = True or vmap")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` and record one node, where an argument requires grad."""
        from gradcli.autograd.function_apply import apply

        return apply(cls, bound(cls, args, kwargs))

    @classmethod
    def node_class(cls, multi: bool) -> type[FunctionNode]:
        """Return the node class of an application with one output, or with a tuple of them."""
        found = cls._nodes.get(multi)
        if found is None:
            members = {"__slots__": (), "__module__": cls.__module__, "function": cls, "multi": multi}
            found = cls._nodes[multi] = type(f"{cls.__name__}Backward", (FunctionNode,), members)
        return found


def has_setup(cls: type[Function]) -> bool:
    """Return whether ``forward`` takes no ctx, since ``setup_context`` fills it."""
    return cls.setup_context is not Function.setup_context


def bound(cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return all arguments by position; TypeError where they don't fit ``forward``."""
    if not kwargs and not has_setup(cls):
        return args
    lead = () if has_setup(cls) else (None,)
    found = inspect.signature(cls.forward).bind(*lead, *args, **kwargs)
    found.apply_defaults()
    if found.kwargs:
        raise TypeError(f"forward of {cls.__name__} takes keyword-only arguments, which apply cannot differentiate")
    return found.args[len(lead) :]


def _rule_of(cls: type[Function]) -> Callable[..., Any]:
    """Return ``backward`` or ``vjp``, whichever the class overrides; RuntimeError where it overrides both."""
    backward, vjp = cls.backward is not Function.backward, cls.vjp is not Function.vjp
    if backward and vjp:
        raise error(RuntimeError, "two-rules", f"{cls.__name__} has both backward and vjp: one of them is the rule")
    return cls.vjp if vjp else cls.backward


_once = Primitive(
    "once_differentiable",
    lambda input: input,
    "this rule is marked @once_differentiable: its gradient cannot be differentiated again",
    node="torch::autograd::Error",
)


def once_differentiable(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a ``backward`` that is not differentiable itself: a second derivative is a RuntimeError."""

    @wraps(rule)
    def once(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            found = rule(ctx, *grads)
        if not mode.enabled or not any(isinstance(g, Tensor) and g._rg for g in grads):
            return found
        parts = found if isinstance(found, tuple) else (found,)
        marked = tuple(_once(fresh_leaf(p)) if isinstance(p, Tensor) else p for p in parts)
        return marked if isinstance(found, tuple) else marked[0]

    return once

"""Checkpoints: what a function would save for backward is thrown away and computed again when backward needs it.

Without reentry the graph is the plain one, and each saved value is a placeholder: the first one that backward reads
runs the function again, until the last placeholder has its value. With reentry the function is one node, whose rule
runs the function and a backward pass of its own.
"""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gradcli.autograd.errors import error
from gradcli.autograd.function import Function
from gradcli.autograd.hooks import NodeHooks
from gradcli.autograd.lifted import Lifted
from gradcli.autograd.mode import enable_grad, no_grad
from gradcli.autograd.node import Node
from gradcli.autograd.recompute import CheckpointError, Frame, set_checkpoint_early_stop
from gradcli.autograd.tensor import Tensor

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "checkpoint",
    "checkpoint_sequential",
    "noop_context_fn",
    "set_checkpoint_early_stop",
]

Contexts = tuple[Any, Any]


def noop_context_fn() -> Contexts:
    """Return two contexts that do nothing: the default around the forward run and around its repetition."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Return ``function(*args, **kwargs)`` without keeping what it saves for backward: backward runs it again.

    ``use_reentrant=False`` works with ``autograd.grad``, keywords, closures and nesting; True is PyTorch's older way,
    which needs ``backward()`` and a tensor argument that requires grad (a UserWarning otherwise). Random numbers are
    drawn again as they were. CheckpointError where the repetition saves other values than the first run.
    """
    if use_reentrant is None:
        warnings.warn(
            "checkpoint() was called without use_reentrant; True is assumed, False is the better choice",
            UserWarning,
            stacklevel=2,
        )
        use_reentrant = True
    if not use_reentrant:
        frame = Frame(function, args, kwargs, context_fn(), determinism_check, preserve_rng_state, early_stop)
        return frame.first_run()
    if kwargs:
        raise error(
            ValueError,
            "bad-keyword",
            f"unexpected keyword arguments: {', '.join(kwargs)}",
            hint="use_reentrant=False passes keywords on",
        )
    if context_fn is not noop_context_fn or debug:
        raise error(ValueError, "bad-keyword", "context_fn and debug need use_reentrant=False")
    return _reentrant(function, args, preserve_rng_state)


def _reentrant(function: Callable[..., Any], args: tuple[Any, ...], preserve: bool) -> Any:
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        warnings.warn(
            "no argument of checkpoint() requires grad: all gradients through it will be None",
            UserWarning,
            stacklevel=3,
        )
    out = CheckpointFunction.apply(function, preserve, *args)
    for one in out if isinstance(out, tuple) else (out,):
        node = one.grad_fn if isinstance(one, Tensor) else None
        if node is not None:
            node.rarely().hooks = _OnlyBackward()
            break
    return out


class _OnlyBackward(NodeHooks):
    """Refuses a pass that asks for particular gradients: the inner pass would accumulate into leaves all the same."""

    __slots__ = ()

    def before(self, node: Node, g: Any, run: Any) -> Any:
        if run.captures is not None:
            raise error(
                RuntimeError,
                "checkpoint-grad",
                "a checkpoint with use_reentrant=True works with backward() alone, not with grad() or inputs=",
                hint="checkpoint(function, ..., use_reentrant=False)",
            )
        return super().before(node, g, run)


@contextlib.contextmanager
def replaying(state: Any) -> Iterator[None]:
    """Draw random numbers from ``state`` on inside, and go on as before afterwards; nothing where ``state`` is None."""
    if state is None:
        yield
        return
    now = random_state()
    Lifted.operation("torch.set_rng_state")(state)
    try:
        yield
    finally:
        Lifted.operation("torch.set_rng_state")(now)


def random_state() -> Any:
    """Return the state of the default generator."""
    return Lifted.operation("torch.get_rng_state")()


class CheckpointFunction(Function):
    """A checkpointed call as one node."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        """Run ``function`` without recording."""
        ctx.function, ctx.state = function, random_state() if preserve else None
        ctx.others = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*(a if isinstance(a, Tensor) else None for a in args))
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Run ``function`` again, recorded, and a backward pass through it."""
        from gradcli.autograd.api import backward

        args = [o if t is None else _fresh(t) for t, o in zip(ctx.saved_tensors, ctx.others, strict=True)]
        with replaying(ctx.state), enable_grad():
            out = ctx.function(*args)
        outs = out if isinstance(out, tuple) else (out,)
        pairs = [(o, g) for o, g in zip(outs, grads, strict=True) if isinstance(o, Tensor) and o.requires_grad]
        if not pairs:
            raise error(RuntimeError, "no-graph", "no output of the checkpointed function requires grad")
        with no_grad():
            backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *(a.grad if isinstance(a, Tensor) else None for a in args))


def _fresh(tensor: Tensor) -> Tensor:
    """Return a leaf of the same values that requires grad where ``tensor`` does."""
    made = tensor.detach()
    made.requires_grad = tensor.requires_grad
    return made


def checkpoint_sequential(
    functions: Sequence[Callable[..., Any]], segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Apply ``functions`` one after the other to ``input``, in ``segments`` runs, all but the last a checkpoint."""
    steps = list(functions)
    size = max(len(steps) // segments, 1)
    cuts = [k * size for k in range(min(segments, len(steps)))]
    for start, end in itertools.pairwise(cuts):
        input = checkpoint(_chained(steps[start:end]), input, use_reentrant=use_reentrant, **kwargs)
    return _chained(steps[cuts[-1] :])(input) if cuts else input


def _chained(functions: list[Callable[..., Any]]) -> Callable[[Any], Any]:
    def run(input: Any) -> Any:
        for function in functions:
            input = function(input)
        return input

    return run

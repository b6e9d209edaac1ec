"""``vmap``: a function of one sample becomes a function of a batch, as ``torch.func.vmap``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gradcli.autograd.batched import Batched, batch, unbatch
from gradcli.autograd.errors import error
from gradcli.autograd.lifted import Lifted, NeedsLoop, active, new_level, randomness_modes
from gradcli.autograd.tensor import Tensor
from gradcli.autograd.trees import leaves, rebuilt, spread

RANDOMNESS = ("error", "same", "different")


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """Return the function that applies ``func`` to each sample along ``in_dims`` and stacks the results along
    ``out_dims``.

    All operations run on the whole batch. ValueError for arguments of different batch sizes, none at all, or dimensions
    that do not exist; RuntimeError inside for what needs one sample's values (a condition, ``item()``), and for random
    numbers unless ``randomness`` is "same" or "different". ``chunk_size`` bounds how many samples run at once.
    """
    if randomness not in RANDOMNESS:
        known = ", ".join(RANDOMNESS)
        raise error(RuntimeError, "vmap-randomness", f"randomness is one of {known}, got {randomness!r}")
    check_chunk(chunk_size)

    @functools.wraps(func)
    def over_batch(*args: Any, **kwargs: Any) -> Any:
        dims, flat = _in_dims(in_dims, args), leaves(args)
        size = batch_size(flat, dims)
        if chunk_size is not None and chunk_size < size:
            return _in_chunks(func, args, kwargs, flat, dims, out_dims, randomness, size, chunk_size)
        return run_batch(func, args, kwargs, flat, dims, out_dims, randomness, size)

    return over_batch


def _in_dims(in_dims: Any, args: tuple[Any, ...]) -> list[Any]:
    if not isinstance(in_dims, (int, tuple)):
        raise error(ValueError, "vmap-in-dims", f"in_dims is an integer or a tuple for the arguments, got {in_dims!r}")
    if not args:
        raise error(ValueError, "vmap-no-batch", "vmap needs at least one argument to take samples from")
    try:
        dims = spread(in_dims, args)
    except (ValueError, KeyError):
        raise error(
            ValueError, "vmap-in-dims", f"in_dims {in_dims!r} does not match the {len(args)} arguments"
        ) from None
    bad = next((d for d in dims if d is not None and not isinstance(d, int)), None)
    if bad is not None:
        raise error(ValueError, "vmap-in-dims", f"each of in_dims is an integer or None, got {bad!r}")
    return dims


def check_chunk(chunk_size: int | None) -> None:
    """Raise ValueError unless a chunk size is None or positive."""
    if chunk_size is not None and chunk_size < 1:
        raise error(ValueError, "chunk-size", f"chunk_size is None or at least 1, got {chunk_size}")


def batch_size(flat: list[Any], dims: list[Any]) -> int:
    """Return the number of samples; ValueError where arguments disagree or none is batched."""
    sizes: dict[int, int] = {}
    for k, (value, dim) in enumerate(zip(flat, dims, strict=True)):
        if dim is None:
            continue
        if not isinstance(value, Tensor):
            raise error(
                ValueError,
                "vmap-in-dims",
                f"argument {k} is a {type(value).__name__}, which has no dimension {dim} to batch over",
                hint=f"in_dims=None leaves an argument as it is: in_dims=({'0, ' * k}None)",
            )
        if not -value.ndim <= dim < value.ndim:
            raise error(
                ValueError,
                "vmap-in-dims",
                f"argument {k} of shape {tuple(value.shape)} has no dimension {dim} to batch over",
            )
        sizes[k] = value.shape[dim]
    if not sizes:
        raise error(ValueError, "vmap-no-batch", "vmap needs at least one tensor argument with a batch dimension")
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"argument {k} has {n}" for k, n in sizes.items())
        raise error(ValueError, "vmap-sizes", f"the arguments' batch sizes differ: {told}")
    return next(iter(sizes.values()))


def run_batch(
    func: Callable[..., Any],
    args: Any,
    kwargs: Any,
    flat: list[Any],
    dims: list[Any],
    out_dims: Any,
    randomness: str,
    size: int,
) -> Any:
    """Run ``func`` once on the whole batch; sample by sample where it reads plain arrays."""
    try:
        with inside(randomness) as level:
            wrapped = [batch(v, d, level) if _is_batched(v, d) else v for v, d in zip(flat, dims, strict=True)]
            out = func(*rebuilt(args, iter(wrapped)), **kwargs)
            return results(out, out_dims, level, size)
    except NeedsLoop:
        pass
    return _one_by_one(func, args, kwargs, flat, dims, out_dims, size)


@contextmanager
def inside(randomness: str) -> Iterator[int]:
    """Enter a vmap and give its level."""
    level = new_level()
    active.add(level)
    randomness_modes.append(randomness)
    try:
        yield level
    finally:
        randomness_modes.pop()
        active.discard(level)


def _is_batched(value: Any, dim: Any) -> bool:
    return dim is not None and isinstance(value, Tensor)


def results(out: Any, out_dims: Any, level: int, size: int) -> Any:
    """Return what a function gave for a batch of ``level``, with the samples along ``out_dims``."""
    flat = leaves(out)
    axes = _out_dims(out_dims, out)
    for value in flat:
        if not isinstance(value, Tensor):
            raise error(
                ValueError,
                "vmap-output",
                f"a function under vmap returns tensors, this one returned {type(value).__name__}",
            )
    return rebuilt(out, iter([_result(v, a, level, size) for v, a in zip(flat, axes, strict=True)]))


def _out_dims(out_dims: Any, out: Any) -> list[Any]:
    """Return the dimension of the samples in each result; ValueError where ``out_dims`` does not fit the nest."""
    try:
        axes = spread(out_dims, out)
    except (ValueError, KeyError):
        axes = ["bad"]
    if any(a is not None and not isinstance(a, int) for a in axes) or len(axes) != len(leaves(out)):
        raise error(ValueError, "vmap-out-dims", f"out_dims {out_dims!r} does not fit what the function returns")
    return axes


def _result(value: Tensor, axis: Any, level: int, size: int) -> Tensor:
    if axis is not None:
        if not -value.ndim - 1 <= axis <= value.ndim:
            raise error(
                IndexError,
                "vmap-out-dims",
                f"out_dims {axis} is out of range for results of {value.ndim} dimensions a sample",
            )
        return unbatch(value, axis, level, size)
    if isinstance(value, Batched) and value._level == level:
        raise error(ValueError, "vmap-out-dims", "out_dims=None is for a result that is the same for all samples")
    return value


def _one_by_one(
    func: Callable[..., Any], args: Any, kwargs: Any, flat: list[Any], dims: list[Any], out_dims: Any, size: int
) -> Any:
    """Apply ``func`` to one sample after the other and stack what it returns."""
    outs = []
    for k in range(size):
        values = iter([v.select(d, k) if _is_batched(v, d) else v for v, d in zip(flat, dims, strict=True)])
        outs.append(func(*rebuilt(args, values), **kwargs))
    stack = Lifted.operation("torch.stack")
    axes = _out_dims(out_dims, outs[0])
    columns = zip(*(leaves(o) for o in outs), strict=True)
    return rebuilt(outs[0], iter([stack(list(c), a) for c, a in zip(columns, axes, strict=True)]))


def _in_chunks(
    func: Callable[..., Any],
    args: Any,
    kwargs: Any,
    flat: list[Any],
    dims: list[Any],
    out_dims: Any,
    randomness: str,
    size: int,
    chunk: int,
) -> Any:
    """Run ``chunk`` samples at a time and join the results."""
    outs = []
    for start in range(0, size, chunk):
        count = min(chunk, size - start)
        part = [v.narrow(d, start, count) if _is_batched(v, d) else v for v, d in zip(flat, dims, strict=True)]
        outs.append(run_batch(func, args, kwargs, part, dims, out_dims, randomness, count))
    return joined(outs, out_dims)


def joined(outs: list[Any], out_dims: Any) -> Any:
    """Return nests of results of consecutive samples as one nest."""
    cat = Lifted.operation("torch.cat")
    axes = _out_dims(out_dims, outs[0])
    columns = zip(*(leaves(o) for o in outs), strict=True)
    return rebuilt(outs[0], iter([c[0] if a is None else cat(list(c), a) for c, a in zip(columns, axes, strict=True)]))

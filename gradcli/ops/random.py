"""Random tensors: the numbers of PyTorch's CPU generator, draw by draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.dtypes import int64
from gradcli.autograd.errors import error
from gradcli.autograd.lifted import check_randomness
from gradcli.autograd.primitive import Primitive, as_tensor
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import raw
from gradcli.ops.create import finished, layout_of, numpy_dtype, size_of
from gradcli.ops.generator import DEFAULT_SEED, Generator, default_generator
from gradcli.ops.masked import refused, zero
from gradcli.ops.row import Lit, op, sample

__all__ = ["Generator", "default_generator", "generator_of", "rand", "randn"]

_RANDOM = "random"
_X = Lit([[1.0, 2.0], [3.0, 4.0]])
_HALF = Lit([0.3, 0.6, 0.1])


def generator_of(generator: Generator | None) -> Generator:
    """Return the generator meant by ``generator=``: the default one for None; TypeError for anything else."""
    check_randomness()
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        raise error(TypeError, "bad-argument", f"generator= takes a Generator, got {type(generator).__name__}",
                    hint="manual_seed(0) makes the default one repeat itself")  # fmt: skip
    return generator


def in_memory_order(array: Any, draw: Callable[[Any], Any]) -> Any:
    """Return ``draw`` of an array laid out like ``array``, filled in the order of memory, as PyTorch's kernels go."""
    axes = sorted(range(array.ndim), key=lambda k: -array.strides[k])
    return draw(array.transpose(axes)).transpose(np.argsort(axes))


# -- seeds ------------------------------------------------------------------------------------------------------------
@op(
    "torch.manual_seed", "manual_seed(seed)", category=_RANDOM,
    doc="Start the stream of random numbers that belongs to seed; return the generator.",
    conventions="The same seed gives PyTorch's numbers.", examples=("manual_seed(0).initial_seed()  #> 0",),
    samples=(sample(7),),
)  # fmt: skip
def manual_seed(seed: Any) -> Generator:
    return default_generator.manual_seed(seed)


@op(
    "torch.Generator", "Generator(device='cpu')", category=_RANDOM,
    doc="A stream of random numbers of its own, for generator=.",
    examples=("Generator().manual_seed(3).initial_seed()  #> 3",), samples=(sample(),),
)  # fmt: skip
def make_generator(device: Any = "cpu") -> Generator:
    return Generator(DEFAULT_SEED)


@op(
    "torch.seed", "seed()", category=_RANDOM, doc="Start a stream that nobody can foresee; return its seed.",
    examples=("seed() >= 0  #> True",),
)  # fmt: skip
def seed() -> int:
    return default_generator.seed()


@op(
    "torch.initial_seed", "initial_seed()", category=_RANDOM, doc="The seed of the default generator.",
    examples=("initial_seed() >= 0  #> True",),
)  # fmt: skip
def initial_seed() -> int:
    return default_generator.initial_seed()


@op(
    "torch.get_rng_state", "get_rng_state()", category=_RANDOM,
    doc="The state of the default generator as bytes, in PyTorch's layout.",
    examples=("get_rng_state().shape  #> torch.Size([5056])",),
)  # fmt: skip
def get_rng_state() -> Tensor:
    return Tensor(default_generator.get_state())


@op(
    "torch.set_rng_state", "set_rng_state(new_state)", category=_RANDOM,
    doc="Go back to a state of get_rng_state().",
    examples=("state = get_rng_state()\na = rand(2)\nset_rng_state(state)\nequal(rand(2), a)  #> True",),
)  # fmt: skip
def set_rng_state(new_state: Any) -> None:
    default_generator.set_state(raw(new_state))


# -- uniform and normal numbers ---------------------------------------------------------------------------------------
def _drawing(name: str, draw: Callable[..., Any], doc: str) -> Callable[..., Tensor]:
    """Register ``name(*size)`` and ``name_like(input)`` for a draw of floats; return the first."""

    def create(
        *size: Any, generator: Any = None, dtype: Any = None, requires_grad: bool = False, device: Any = None
    ) -> Tensor:
        array = draw(generator_of(generator), size_of(name, size), numpy_dtype(dtype))
        return finished(array, requires_grad)

    def like(
        input: Any, *, generator: Any = None, dtype: Any = None, requires_grad: bool = False, device: Any = None
    ) -> Tensor:
        source = as_tensor(input)
        layout = np.empty_like(layout_of(source), numpy_dtype(dtype, source.dtype))
        serial = not layout.flags.c_contiguous
        chosen = generator_of(generator)
        array = in_memory_order(layout, lambda a: draw(chosen, a.shape, a.dtype, serial))
        return finished(array, requires_grad)

    create.__name__ = create.__qualname__ = name
    like.__name__ = like.__qualname__ = f"{name}_like"
    words = "generator=None, dtype=None, requires_grad=False"
    made = op(
        f"torch.{name}", f"{name}(*size, {words})", category=_RANDOM, doc=f"A new tensor of {doc}.",
        examples=(f"{name}(2, 3).shape  #> torch.Size([2, 3])",), samples=(sample(2, 3), sample((4,))),
    )(create)  # fmt: skip
    op(
        f"torch.{name}_like", f"{name}_like(input, *, {words})", category=_RANDOM,
        doc=f"A new tensor of the shape and dtype of input, of {doc}.",
        examples=(f"{name}_like(tensor([1., 2.])).shape  #> torch.Size([2])",), samples=(sample(_X),),
    )(like)  # fmt: skip
    return made


def _uniform(source: Generator, shape: Any, dtype: Any, serial: bool = False) -> Any:
    return source.uniform(shape, dtype)


def _standard_normal(source: Generator, shape: Any, dtype: Any, serial: bool = False) -> Any:
    return source.normal(shape, dtype, serial=serial)


rand = _drawing("rand", _uniform, "uniform numbers of [0, 1)")
randn = _drawing("randn", _standard_normal, "standard normal numbers")


# -- whole numbers ----------------------------------------------------------------------------------------------------
def _range(args: tuple[Any, ...], low: Any, high: Any, names: str) -> tuple[int, int]:
    """Return low and high of ``randint(high)`` and ``randint(low, high)``."""
    if len(args) == 1 and high is None:
        args = (low or 0, args[0])
    elif len(args) == 1:
        args = (args[0], high)
    elif not args:
        args = (low or 0, high)
    if len(args) != 2 or args[1] is None:
        raise error(TypeError, "bad-argument", f"{names} takes (high, ...) or (low, high, ...)")
    return args[0], args[1]


@op(
    "torch.randint", "randint(low=0, high, size, *, generator=None, dtype=torch.int64)", category=_RANDOM,
    doc="A new tensor of whole numbers from low up to, but without, high.",
    examples=("randint(5, 6, (2,))  #> [5, 5]",), samples=(sample(3, (2, 2)), sample(-2, 3, (4,))),
)  # fmt: skip
def randint(
    *args: Any, low: Any = None, high: Any = None, size: Any = None, generator: Any = None, dtype: Any = None,
    requires_grad: bool = False, device: Any = None,
) -> Tensor:  # fmt: skip
    if size is None and args:
        size, args = args[-1], args[:-1]
    if not isinstance(size, (tuple, list)):
        raise error(TypeError, "bad-size", f"randint takes the size as a tuple, got {size!r}",
                    hint="randint(0, 10, (3,)) makes three numbers")  # fmt: skip
    start, stop = _range(args, low, high, "randint")
    shape = size_of("randint", (size,))
    array = generator_of(generator).integers(start, stop, shape, numpy_dtype(dtype, int64))
    return finished(array, requires_grad)


@op(
    "torch.randint_like", "randint_like(input, low=0, high, *, generator=None, dtype=None)", category=_RANDOM,
    doc="A new tensor of the shape and dtype of input, of whole numbers from low up to, but without, high.",
    examples=("randint_like(tensor([1., 2.]), 5, 6)  #> [5., 5.]",), samples=(sample(_X, 3), sample(_X, -1, 2)),
)  # fmt: skip
def randint_like(
    input: Any, *args: Any, low: Any = None, high: Any = None, generator: Any = None, dtype: Any = None,
    requires_grad: bool = False, device: Any = None,
) -> Tensor:  # fmt: skip
    start, stop = _range(args, low, high, "randint_like")
    source = as_tensor(input)
    layout = np.empty_like(layout_of(source), numpy_dtype(dtype, source.dtype))
    chosen = generator_of(generator)
    return finished(
        in_memory_order(layout, lambda a: chosen.integers(start, stop, a.shape, a.dtype)), requires_grad
    )


@op(
    "torch.randperm", "randperm(n, *, generator=None, dtype=torch.int64)", category=_RANDOM,
    doc="The numbers 0 .. n - 1 in random order.", examples=("randperm(3).sort().values  #> [0, 1, 2]",),
    samples=(sample(5),),
)  # fmt: skip
def randperm(
    n: int, *, generator: Any = None, dtype: Any = None, requires_grad: bool = False, device: Any = None
) -> Tensor:
    return finished(generator_of(generator).permutation(n, numpy_dtype(dtype, int64)), requires_grad)


# -- recorded draws ---------------------------------------------------------------------------------------------------
def _normal(mean: Any, std: Any, *, generator: Generator) -> Any:
    """Return normal numbers around ``mean``; a number ``std`` scales within the draw, an array after it."""
    array = mean if isinstance(mean, np.ndarray) else std
    if np.any(np.asarray(std) < 0):
        raise error(RuntimeError, "bad-distribution", "normal expects every std to be >= 0")
    shape = np.broadcast_shapes(np.shape(mean), np.shape(std))
    if isinstance(std, (int, float)):
        return generator.normal(shape, array.dtype, 0.0, float(std)) + mean
    return generator.normal(shape, array.dtype) * std + mean


_ZEROS: dict[str, Any] = {"mean": lambda g: zero(g), "std": lambda g: zero(g)}
_NORMAL = {
    (True, False): Primitive("normal", _normal, _ZEROS, node="NormalBackward1"),
    (False, True): Primitive("normal", _normal, _ZEROS, node="NormalBackward2"),
    (True, True): Primitive("normal", _normal, _ZEROS, node="NormalBackward3"),
}


@op(
    "torch.normal", "normal(mean, std, size=None, *, generator=None, dtype=None)", category=_RANDOM,
    doc="Normal numbers with the given means and standard deviations, tensors or numbers.",
    formula="zeros to mean and std", conventions="No gradient flows through the draw: mean + std * randn(...) has one.",
    examples=("normal(tensor([1., 2.]), 0.)  #> [1., 2.]",), samples=(sample(_X, 0.0, smooth=False),),
)  # fmt: skip
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, dtype: Any = None,
    requires_grad: bool = False, device: Any = None,
) -> Tensor:  # fmt: skip
    source = generator_of(generator)
    tensors = isinstance(mean, Tensor), isinstance(std, Tensor)
    if tensors == (False, False):
        shape = size_of("normal", (() if size is None else size,))
        return finished(source.normal(shape, numpy_dtype(dtype), mean, std), requires_grad)
    return _NORMAL[tensors](mean, std, generator=source)  # type: ignore[no-any-return]


_bernoulli = Primitive(
    "bernoulli", lambda input, *, generator: generator.bernoulli(input), {"input": lambda g: zero(g)}
)
_bernoulli_p = Primitive(
    "bernoulli", lambda input, *, p, generator: generator.bernoulli_fill(p, input.shape, input.dtype),
    {"input": refused("the derivative of bernoulli(input, p) is not implemented")},
    node="torch::autograd::NotImplemented",
)  # fmt: skip
_poisson = Primitive("poisson", lambda input, *, generator: _poisson_of(generator, input), {"input": lambda g: zero(g)})


def _poisson_of(generator: Generator, rate: Any) -> Any:
    from gradcli.ops import distributions

    return distributions.poisson(generator, rate)


@op(
    "torch.bernoulli", "bernoulli(input, *, generator=None)", names="Tensor.bernoulli", category=_RANDOM,
    doc="1 with the probability that input gives, else 0.", formula="zeros",
    examples=("bernoulli(tensor([0., 1.]))  #> [0., 1.]",), samples=(sample(_HALF, smooth=False),),
)  # fmt: skip
def bernoulli(input: Any, p: Any = None, *, generator: Any = None) -> Any:
    source = generator_of(generator)
    return _bernoulli(input, generator=source) if p is None else _bernoulli_p(input, p=p, generator=source)


@op(
    "torch.poisson", "poisson(input, generator=None)", category=_RANDOM,
    doc="Counts with the means that input gives.", formula="zeros",
    examples=("poisson(tensor([0., 0.]))  #> [0., 0.]",), samples=(sample(_HALF, smooth=False),),
)  # fmt: skip
def poisson(input: Any, generator: Any = None) -> Any:
    return _poisson(input, generator=generator_of(generator))


@op(
    "torch.multinomial", "multinomial(input, num_samples, replacement=False, *, generator=None)",
    names="Tensor.multinomial", category=_RANDOM,
    doc="Numbers of categories, drawn with the weights that input (one row or several) gives.",
    examples=("multinomial(tensor([0., 1., 0.]), 1)  #> [1]",), samples=(sample(_HALF, 2),),
)  # fmt: skip
def multinomial(input: Any, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    from gradcli.ops import distributions

    weights = raw(as_tensor(input))
    return Tensor(distributions.multinomial(generator_of(generator), weights, num_samples, replacement=replacement))



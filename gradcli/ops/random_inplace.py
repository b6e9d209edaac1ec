"""Random numbers written over a tensor: uniform_, normal_ and other distributions. Gradients through them are zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradcli.autograd.inplace import inplace
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops import distributions
from gradcli.ops.generator import Generator
from gradcli.ops.masked import zero
from gradcli.ops.random import generator_of, in_memory_order
from gradcli.ops.row import Lit, op, sample

_X = Lit([1.0, 2.0, 3.0])
_DRAW = "zeros to the tensor: what was there is overwritten"
Draw = Callable[..., np.ndarray[Any, Any]]


def _writer(node: str, draw: Draw) -> Primitive:
    """Return the primitive that replaces its input by ``draw(generator, input, **words)``, in the order of memory."""

    def forward(input: Any, *, generator: Generator, words: dict[str, Any]) -> Any:
        return in_memory_order(input, lambda array: draw(generator, array, **words))

    return Primitive(node[0].lower() + node[1:], forward, {"input": lambda g: zero(g)}, node=node)


def _filled(primitive: Primitive, input: Tensor, generator: Any, **words: Any) -> Tensor:
    return inplace(primitive, input, generator=generator_of(generator), words=words)


def _plain(function: Draw) -> Draw:
    return lambda generator, input, **words: function(generator, input.shape, input.dtype, **words)


def _draw_normal(generator: Generator, input: Any, mean: float, std: float, serial: bool) -> Any:
    return generator.normal(input.shape, input.dtype, mean, std, serial=serial)


def _draw_uniform(generator: Generator, input: Any, low: float, high: float) -> Any:
    return generator.uniform(input.shape, input.dtype, low, high)


def _draw_bernoulli(generator: Generator, input: Any, p: float) -> Any:
    return generator.bernoulli_fill(p, input.shape, input.dtype)


def _by_probabilities(input: Any, *, generator: Generator, p: Any) -> Any:
    layout = np.empty_like(input, p.dtype)
    layout[...] = p
    return in_memory_order(layout, generator.bernoulli).astype(input.dtype)


def _draw_integers(generator: Generator, input: Any, low: Any, high: Any) -> Any:
    if high is None:
        return generator.any_integers(input.shape, input.dtype)
    return generator.integers(low, high, input.shape, input.dtype)


_uniform = _writer("UniformBackward0", _draw_uniform)
_normal = _writer("NormalBackward0", _draw_normal)
_bernoulli = _writer("BernoulliBackward2", _draw_bernoulli)
_bernoulli_by_tensor = Primitive(
    "bernoulli", _by_probabilities, {"input": lambda g: zero(g)}, node="BernoulliBackward1"
)
_random = _writer("RandomBackward2", _draw_integers)
_exponential = _writer("ExponentialBackward0", _plain(distributions.exponential))
_geometric = _writer("GeometricBackward0", _plain(distributions.geometric))
_cauchy = _writer("CauchyBackward0", _plain(distributions.cauchy))
_log_normal = _writer("LogNormalBackward0", _plain(distributions.log_normal))


@op(
    "Tensor.uniform_", "uniform_(from=0, to=1, *, generator=None)", category="random", formula=_DRAW,
    doc="Write uniform numbers of [from, to) over the tensor; return it.",
    examples=("zeros(2).uniform_(3., 3.)  #> [3., 3.]",), samples=(sample(_X, smooth=False),),
)  # fmt: skip
def uniform_(input: Tensor, from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Tensor:
    return _filled(_uniform, input, generator, low=from_, high=to)


@op(
    "Tensor.normal_", "normal_(mean=0, std=1, *, generator=None)", category="random", formula=_DRAW,
    doc="Write normal numbers over the tensor; return it.", examples=("zeros(2).normal_(3., 0.)  #> [3., 3.]",),
    samples=(sample(_X, smooth=False),),
)  # fmt: skip
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    serial = not input._array.flags.c_contiguous
    return _filled(_normal, input, generator, mean=mean, std=std, serial=serial)


@op(
    "Tensor.bernoulli_", "bernoulli_(p=0.5, *, generator=None)", category="random", formula=_DRAW,
    doc="Write 1 with probability p, else 0, over the tensor; return it.",
    examples=("zeros(2).bernoulli_(1.)  #> [1., 1.]",), samples=(sample(_X, smooth=False),),
)  # fmt: skip
def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    if isinstance(p, Tensor):
        return inplace(_bernoulli_by_tensor, input, generator=generator_of(generator), p=p._array)
    return _filled(_bernoulli, input, generator, p=p)


@op(
    "Tensor.random_", "random_(from=0, to=None, *, generator=None)", category="random", formula=_DRAW,
    doc="Write whole numbers over the tensor: from `from` up to `to - 1`, or up to the largest of the dtype.",
    examples=("zeros(2).random_(5, 6)  #> [5., 5.]",), samples=(sample(_X, smooth=False),),
)  # fmt: skip
def random_(input: Tensor, *bounds: int, generator: Any = None) -> Tensor:
    low, high = (0, bounds[0]) if len(bounds) == 1 else bounds if bounds else (0, None)
    return _filled(_random, input, generator, low=low, high=high)


@op(
    "Tensor.exponential_", "exponential_(lambd=1, *, generator=None)", category="random", formula=_DRAW,
    doc="Write exponentially distributed numbers of the given rate over the tensor; return it.",
    examples=("zeros(2).exponential_() >= 0  #> [True, True]",), samples=(sample(_X, smooth=False),),
)  # fmt: skip
def exponential_(input: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    return _filled(_exponential, input, generator, rate=lambd)


@op(
    "Tensor.geometric_", "geometric_(p, *, generator=None)", category="random", formula=_DRAW,
    doc="Write the number of tries up to the first success over the tensor; return it.",
    examples=("zeros(2).geometric_(0.5) >= 1  #> [True, True]",), samples=(sample(_X, 0.5, smooth=False),),
)  # fmt: skip
def geometric_(input: Tensor, p: float, *, generator: Any = None) -> Tensor:
    return _filled(_geometric, input, generator, p=p)


@op(
    "Tensor.cauchy_", "cauchy_(median=0, sigma=1, *, generator=None)", category="random", formula=_DRAW,
    doc="Write Cauchy numbers over the tensor; return it.", examples=("zeros(2).cauchy_().shape  #> torch.Size([2])",),
    samples=(sample(_X, smooth=False),),
)  # fmt: skip
def cauchy_(input: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Tensor:
    return _filled(_cauchy, input, generator, median=median, sigma=sigma)


@op(
    "Tensor.log_normal_", "log_normal_(mean=1, std=2, *, generator=None)", category="random", formula=_DRAW,
    doc="Write exponentials of normal numbers over the tensor; return it.",
    examples=("zeros(2).log_normal_() >= 0  #> [True, True]",), samples=(sample(_X, smooth=False),),
)  # fmt: skip
def log_normal_(input: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Tensor:
    return _filled(_log_normal, input, generator, mean=mean, std=std)

"""The generator gives PyTorch's numbers: stored results, and fresh ones where PyTorch is installed."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradcli.ops import distributions, mt19937
from gradcli.ops.boxmuller import fma
from gradcli.ops.generator import DEFAULT_SEED, Generator, default_generator

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "generator.json").read_text())
Array = np.ndarray[Any, Any]


def _bernoulli(generator: Generator, shape: list[int], dtype: str) -> Array:
    return generator.bernoulli(np.linspace(0, 1, shape[0]).astype(dtype))


def _multinomial(generator: Generator, shape: list[int], dtype: str, count: int, replacement: bool) -> Array:
    weights = np.arange(1, np.prod(shape) + 1, dtype=dtype).reshape(shape) / np.dtype(dtype).type(8)
    return distributions.multinomial(generator, weights, count, replacement=replacement)


CALLS: dict[str, Callable[..., Array]] = {
    "rand": Generator.uniform,
    "randn": Generator.normal,
    "uniform_": Generator.uniform,
    "normal_": Generator.normal,
    "randint": lambda generator, shape, dtype, low, high: generator.integers(low, high, shape, dtype),
    "random_": Generator.any_integers,
    "randperm": lambda generator, _, dtype, count: generator.permutation(count, dtype),
    "bernoulli_": lambda generator, shape, dtype, p: generator.bernoulli_fill(p, shape, dtype),
    "bernoulli": _bernoulli,
    "exponential_": distributions.exponential,
    "geometric_": distributions.geometric,
    "cauchy_": distributions.cauchy,
    "log_normal_": distributions.log_normal,
    "poisson": lambda generator, shape, dtype: distributions.poisson(
        generator, np.linspace(0, 40, shape[0]).astype(dtype)
    ),
    "multinomial": _multinomial,
}


def check_stored(array: Array, stored: dict[str, Any], context: Any) -> None:
    data = array.tobytes()
    if "sha256" in stored:
        assert hashlib.sha256(data).hexdigest()[:32] == stored["sha256"], context
    else:
        expected = np.frombuffer(base64.b64decode(stored["data"]), array.dtype).reshape(array.shape)
        np.testing.assert_array_equal(array, expected, err_msg=str(context))


@pytest.mark.parametrize("seed", sorted({case["seed"] for case in CASES}))
def test_stored_numbers(seed: int) -> None:
    for case in CASES:
        if case["seed"] == seed:
            generator = Generator(seed)
            assert generator.initial_seed() == case["initial"]
            for drawn in case["draws"]:
                name, shape, dtype, *args = drawn["call"]
                check_stored(CALLS[name](generator, shape, dtype, *args), drawn, (seed, drawn["call"]))
            check_stored(generator.get_state(), case, "state")


@given(
    seed=st.integers(-(2**63), 2**64 - 1),
    sizes=st.lists(st.integers(0, 90), min_size=1, max_size=6),
    dtype=st.sampled_from(["float64", "float32", "float16", "complex128", "complex64"]),
)
@settings(max_examples=100, deadline=None)
def test_fresh_numbers(seed: int, sizes: list[int], dtype: str) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(seed)
    generator = Generator(seed)
    for size in sizes:
        for name in ("rand", "randn"):
            expected = getattr(torch, name)(size, dtype=getattr(torch, dtype)).numpy()
            np.testing.assert_array_equal(CALLS[name](generator, [size], dtype), expected)
    np.testing.assert_array_equal(generator.get_state(), torch.get_rng_state().numpy())


def test_state_restores_the_stream_and_the_kept_number() -> None:
    generator = Generator(5)
    generator.normal(3)
    state = generator.get_state()
    after = generator.normal(700)
    other = Generator()
    other.set_state(state.tobytes())
    assert other.initial_seed() == 5
    np.testing.assert_array_equal(other.normal(700), after)


def test_state_of_a_fresh_generator_is_a_state() -> None:
    first, second = Generator(3), Generator(4)
    second.set_state(first.get_state())
    np.testing.assert_array_equal(first.uniform(5), second.uniform(5))


@pytest.mark.parametrize(
    ("state", "exception"),
    [(b"short", RuntimeError), (bytes(5056), RuntimeError), (np.zeros(5056), TypeError), ([1, 2], TypeError)],
)
def test_bad_states_are_refused(state: Any, exception: type[Exception]) -> None:
    with pytest.raises(exception):
        Generator().set_state(state)


def test_large_requests_continue_the_same_stream() -> None:
    count = mt19937._BULK
    one, many = mt19937.MersenneTwister.seeded(8), mt19937.MersenneTwister.seeded(8)
    one.words(10), many.words(10)
    bulk = one.words(count)
    np.testing.assert_array_equal(bulk, np.concatenate([many.words(1000) for _ in range(count // 1000)]))
    np.testing.assert_array_equal(one.words(700), many.words(700))


def test_words_are_numpys() -> None:
    source = np.random.MT19937()
    source._legacy_seeding(1234)
    np.testing.assert_array_equal(mt19937.MersenneTwister.seeded(1234).words(3000), source.random_raw(3000))


def test_numbers_without_importing_numpy_random() -> None:
    code = (
        "import sys; from gradcli.ops.generator import default_generator as g;"
        "g.normal(50); g.uniform(300); assert 'numpy.random' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def test_a_huge_permutation_is_shuffled_inside_out() -> None:
    small, chunked = Generator(2)._inside_out(50), Generator(2)._inside_out(50, chunk=7)
    assert sorted(small) == list(range(50))
    assert small == chunked


def test_serial_numbers_are_those_of_small_tensors() -> None:
    expected = np.concatenate([(generator := Generator(6)).normal(10), generator.normal(10)])
    np.testing.assert_array_equal(Generator(6).normal(20, serial=True), expected)


def test_excluded_bound_is_never_reached() -> None:
    assert (Generator(3).uniform(2000, np.float32, 1.0, 1.0 + 2.0**-23) == 1.0).all()
    assert (Generator(0).uniform(20_000, np.float16) < 1).all()


def test_fused_multiply_add_rounds_once() -> None:
    a = np.array([1 + 2.0**-30, 1e308, -0.0])
    np.testing.assert_array_equal(fma(a, 1 - 2.0**-30, -1.0)[:1], [-(2.0**-60)])
    assert fma(a, 10.0, 0.0)[1] == np.inf


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1])
def test_seeds_beyond_64_bits_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        Generator(seed)


REFUSED: list[tuple[Callable[[Generator], Any], type[Exception], str]] = [
    (lambda g: g.uniform(3, np.float64, 2, 1), RuntimeError, "range"),
    (lambda g: g.uniform(3, np.float32, 0, 1e39), RuntimeError, "out of bounds"),
    (lambda g: g.uniform(3, np.float32, -3e38, 3e38), RuntimeError, "exceeds"),
    (lambda g: g.uniform(3, np.int64), NotImplementedError, "floating"),
    (lambda g: g.normal(3, np.float64, 0, -1), RuntimeError, "std"),
    (lambda g: g.normal(3, np.int64), NotImplementedError, "floating"),
    (lambda g: g.integers(5, 5, 3), RuntimeError, "less than"),
    (lambda g: g.integers(0, 300, 3, np.uint8), RuntimeError, "out of bounds"),
    (lambda g: g.integers(0, 3, 3, np.bool_), RuntimeError, "out of bounds"),
    (lambda g: g.integers(0, 2**63 + 1, 3), RuntimeError, "out of bounds"),
    (lambda g: g.permutation(-1), RuntimeError, "non-negative"),
    (lambda g: g.permutation(300, np.uint8), RuntimeError, "out of bounds"),
    (lambda g: g.bernoulli(np.array([1.5])), RuntimeError, "probability"),
    (lambda g: g.bernoulli(np.array([np.nan])), RuntimeError, "probability"),
    (lambda g: g.bernoulli(np.array([1])), NotImplementedError, "floating"),
    (lambda g: g.bernoulli_fill(-0.1, 3), RuntimeError, "p to be in"),
    (lambda g: distributions.exponential(g, 3, rate=0), RuntimeError, "lambda"),
    (lambda g: distributions.geometric(g, 3, p=1), RuntimeError, "p to be in"),
    (lambda g: distributions.cauchy(g, 3, sigma=0), RuntimeError, "sigma"),
    (lambda g: distributions.log_normal(g, 3, std=0), RuntimeError, "std"),
    (lambda g: distributions.poisson(g, np.array([-1.0])), RuntimeError, "rate"),
    (lambda g: distributions.multinomial(g, np.array([1.0, -1]), 1), RuntimeError, "element < 0"),
    (lambda g: distributions.multinomial(g, np.array([1.0, 2]), 3), RuntimeError, "without replacement"),
    (lambda g: distributions.multinomial(g, np.zeros(2), 1), RuntimeError, "sum of prob"),
    (lambda g: distributions.multinomial(g, np.array([1, 2]), 1), RuntimeError, "floating"),
    (lambda g: distributions.multinomial(g, np.ones((2, 2, 2)), 1), RuntimeError, "1 or 2 dim"),
    (lambda g: distributions.multinomial(g, np.ones(2), 0), RuntimeError, "n_sample <= 0"),
]


@pytest.mark.parametrize("index", range(len(REFUSED)))
def test_refused_arguments_leave_the_stream_alone(index: int) -> None:
    call, exception, words = REFUSED[index]
    generator = Generator(1)
    with pytest.raises(exception, match=words) as caught:
        call(generator)
    assert caught.value.detail.code  # type: ignore[attr-defined]
    np.testing.assert_array_equal(generator.uniform(2), Generator(1).uniform(2))


def test_default_seeds() -> None:
    assert Generator().initial_seed() == DEFAULT_SEED
    before = default_generator.initial_seed()
    try:
        assert default_generator.seed() != default_generator.seed()
        assert default_generator.manual_seed(3) is default_generator
    finally:
        default_generator.manual_seed(before)

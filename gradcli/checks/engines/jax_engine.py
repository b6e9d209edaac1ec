"""JAX as the other engine; runs in its process (see ``run``).

A script is a function of its leaves for JAX: it is run once to see them, then once more while JAX follows them. What
has no meaning there (random numbers of PyTorch's, writes into arrays, rules of one's own) ends with its error.
"""

from __future__ import annotations

from contextlib import nullcontext
from importlib import import_module
from types import ModuleType
from typing import Any

from gradcli.checks.engines.run import Engine, Enough, reach

ENGINE = "jax"
jax: Any = import_module(ENGINE)
jnp: Any = import_module(f"{ENGINE}.numpy")
_HOMES = (jnp, jax.nn, import_module(f"{ENGINE}.scipy.special"), jax.lax)
_RENAMED = {
    "cat": "concatenate",
    "pow": "power",
    "lgamma": "gammaln",
    "numel": "size",
    "t": "transpose",
    "mm": "matmul",
    "bmm": "matmul",
    "mv": "matmul",
    "permute": "transpose",
    "mul": "multiply",
    "div": "divide",
    "sub": "subtract",
    "neg": "negative",
    **{f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
}
_OPTIONS = {"dim": "axis", "keepdim": "keepdims"}
_SAME = ("clone", "contiguous", "requires_grad_", "double", "item", "to")


class Namespace:
    """``torch`` and what is below it, by JAX's functions of the same names."""

    def __getattr__(self, name: str) -> Any:
        if name in ("nn", "functional", "special", "autograd", "math"):
            return self
        if name == "linalg":
            return Linalg()
        if name in _SPECIAL:
            return _SPECIAL[name]
        word = _RENAMED.get(name, name)
        found = next((getattr(home, word) for home in _HOMES if hasattr(home, word)), None)
        if found is None or isinstance(found, ModuleType):
            raise AttributeError(f"JAX has no {name}")
        return adapted(found) if callable(found) and not isinstance(found, type) else found


class Linalg:
    """``torch.linalg`` by ``jax.numpy.linalg``."""

    def __getattr__(self, name: str) -> Any:
        return adapted(getattr(jnp.linalg, name))


def adapted(function: Any) -> Any:
    """Return a function that takes lists for arrays and PyTorch's names of options."""

    def call(*arguments: Any, **options: Any) -> Any:
        arrays = [jnp.asarray(a) if isinstance(a, list) and a and not _is_array(a[0]) else a for a in arguments]
        return function(*arrays, **{_OPTIONS.get(key, key): value for key, value in options.items()})

    return call


def _is_array(value: Any) -> bool:
    return isinstance(value, jax.Array)


def _clamp(x: Any, min: Any = None, max: Any = None) -> Any:
    return jnp.clip(x, min, max)


def _reshape(x: Any, *shape: Any) -> Any:
    return jnp.reshape(x, shape[0] if len(shape) == 1 else shape)


def _sized(function: Any) -> Any:
    return lambda *shape, **options: function(shape[0] if len(shape) == 1 else shape)


_SPECIAL: dict[str, Any] = {
    "tensor": lambda value, **options: jnp.asarray(value),
    "clamp": _clamp,
    "clip": _clamp,
    "reshape": _reshape,
    "view": _reshape,
    "zeros": _sized(jnp.zeros),
    "ones": _sized(jnp.ones),
    "gelu": lambda x, approximate="none": jax.nn.gelu(x, approximate=approximate == "tanh"),
    "softmax": lambda x, dim: jax.nn.softmax(x, axis=dim),
    "log_softmax": lambda x, dim: jax.nn.log_softmax(x, axis=dim),
    "no_grad": nullcontext,
    "detach": jax.lax.stop_gradient,
    "square": jnp.square,
    "norm": lambda x, p=2, dim=None, keepdim=False: jnp.linalg.norm(
        x if dim is not None else x.reshape(-1), ord=p, axis=dim, keepdims=keepdim
    ),
    "backward": lambda *arguments, **options: None,
}


class Adapter(Engine):
    """Differentiates the whole script as one function of its leaves."""

    def helpers(self, scope: Any) -> dict[str, Any]:
        more = {"gx_method": self.method, "gx_attribute": self.attribute}
        return {**super().helpers(scope), **more}

    def root(self) -> Any:
        return Namespace()

    def resolve(self, path: str) -> Any:
        try:
            return super().resolve(path)
        except AttributeError:
            return None

    def array(self, value: Any) -> Any:
        return jnp.asarray(value)

    def is_array(self, value: Any) -> bool:
        return _is_array(value)

    def leaf(self, value: Any) -> Any:
        made = jnp.asarray(value)
        return made if jnp.issubdtype(made.dtype, jnp.inexact) else made.astype(float)

    def method(self, owner: Any, name: str, *arguments: Any, **options: Any) -> Any:
        """Call a method: that of an array is PyTorch's of this name, by JAX's function."""
        if not self.is_array(owner):
            return getattr(owner, name)(*arguments, **options)
        if name in _SAME:
            return owner
        return getattr(Namespace(), name)(owner, *arguments, **options)

    def attribute(self, owner: Any, name: str) -> Any:
        """Return an attribute; arrays have no gradient of their own here."""
        if self.is_array(owner) and name in ("grad", "data", "requires_grad"):
            return {"grad": None, "data": jax.lax.stop_gradient(owner), "requires_grad": True}[name]
        return getattr(owner, name)

    def answer(self) -> dict[str, Any]:
        """Return for each output a list with the rows of each of its leaves."""
        jax.config.update("jax_enable_x64", self.job["dtype"] == "float64")
        outputs = [tuple(output["stored"]) for output in self.job["outputs"]]
        ways = {(tuple(leaf["stored"]), tuple(leaf["keys"])): None for o in self.job["outputs"] for leaf in o["leaves"]}
        order = list(ways)
        values: dict[Any, Any] = {}

        def see(key: Any, value: Any) -> Any:
            values.update({way: reach(value, list(way[1])) for way in order if way[0] == key})
            return value

        self.run(see)
        found, pull = jax.vjp(
            lambda leaves: self.outputs(dict(zip(order, leaves, strict=True)), outputs), [values[w] for w in order]
        )
        rows = []
        for k, output in enumerate(self.job["outputs"]):
            mine = [order.index((tuple(leaf["stored"]), tuple(leaf["keys"]))) for leaf in output["leaves"]]
            made: list[list[Any]] = [[] for _ in mine]
            for seed in output["seeds"]:
                seeds = [jnp.zeros_like(one) for one in found]
                seeds[k] = jnp.asarray(seed, dtype=found[k].dtype).reshape(found[k].shape)
                (pulled,) = pull(seeds)
                for row, index in zip(made, mine, strict=True):
                    row.append(pulled[index].reshape(-1).tolist())
            rows.append(made)
        return {"rows": rows}

    def outputs(self, leaves: dict[Any, Any], wanted: list[Any]) -> list[Any]:
        """Return the outputs of the script for other values of its leaves."""
        found: dict[Any, Any] = {}

        def stored(key: Any, value: Any) -> Any:
            for way, given in leaves.items():
                if way[0] == key and not way[1]:
                    value = given
                elif way[0] == key:
                    reach(value, list(way[1][:-1]))[way[1][-1]] = given
            if key in wanted:
                found[key] = value
                if len(found) == len(wanted):
                    raise Enough
            return value

        self.run(stored)
        return [found[key] for key in wanted]

"""Runs in a process of another engine: a script's Python text with PyTorch or JAX, gradients at its outputs.

It reads one JSON object from standard input and writes one to standard output. The other interpreter may have nothing
that gradcli needs, so this package stands alone.
"""

from __future__ import annotations

import builtins
import json
import math
import operator
import sys
from importlib import import_module
from typing import Any

NAMES = ("sum", "min", "max", "abs", "all", "any", "round")  # Python's for numbers and lists, the engine's for tensors


PATHS = {"nn": "torch.nn", "F": "torch.nn.functional", "autograd": "torch.autograd"}


class Enough(BaseException):
    """All outputs have been seen."""


class Scope(dict[str, Any]):
    """The script's own names: what is stored goes through ``stored`` into the globals."""

    def __init__(self, engine: Any, stored: Any) -> None:
        super().__init__()
        self.engine = engine
        self.stored = stored
        self.counts: dict[Any, int] = {}

    def __getitem__(self, name: str) -> Any:
        return self.engine.globals[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.engine.globals[name] = value if name.startswith("gx_") else self.note(name, value)

    def __delitem__(self, name: str) -> None:
        del self.engine.globals[name]

    def note(self, name: Any, value: Any) -> Any:
        self.counts[name] = self.counts.get(name, 0) + 1
        return self.stored((name, self.counts[name]), value)


class Engine:
    """What both engines share: the language's helpers."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.globals: dict[str, Any] = {}
        self.code = compile(job["code"], job["name"], "exec")

    def run(self, stored: Any) -> None:
        """Run the script; ``stored`` sees each value that gets a name."""
        self.globals = {"__name__": "gx"}
        scope = Scope(self, stored)
        self.globals |= self.helpers(scope)
        for name in self.job["names"]:
            value = self.lookup(name)
            if value is not None:
                self.globals.setdefault(name, value)
        try:
            exec(self.code, self.globals, scope)
        except Enough:
            return

    def helpers(self, scope: Scope) -> dict[str, Any]:
        """Return what the emitted text calls."""
        return {
            "gx_mul": operator.mul, "gx_imul": operator.imul, "gx_pow": operator.pow, "gx_ipow": operator.ipow,
            "gx_mod": operator.mod, "gx_imod": operator.imod,
            "gx_matmul": lambda a, b: self.array(a) @ self.array(b), "gx_imatmul": operator.matmul,
            "gx_format": lambda value, conversion, spec: "", "gx_owner": lambda value: value, "gx_slice": slice,
            "gx_import": self.resolve, "gx_leaf": lambda name, value: self.leaf(value),
            "gx_input": lambda name, value: self.array(value) if isinstance(value, (list, tuple)) else value,
            "gx_is_given": lambda name: False, "gx_given": None, "gx_check": None, "gx_wanted": lambda start: False,
            "gx_failed": lambda *details: None, "gx_expect": lambda index, value: value,
            "gx_assigned": lambda index, value: value,
            "gx_keep": lambda value, start, end: None if value is None else scope.note(start, value),
            "print": lambda *values, **options: None, "save": lambda path, value: None, "load": no_files,
        }  # fmt: skip

    def lookup(self, name: str) -> Any:
        """Return what a name means that the script doesn't bind."""
        if name in ("torch", "math", "nn", "F", "autograd"):
            return self.resolve(PATHS.get(name, name))
        if name in NAMES:
            return self.either(name)
        return getattr(builtins, name, None) or self.resolve(f"torch.{name}")

    def either(self, name: str) -> Any:
        """Return Python's function for numbers and lists, the engine's for tensors."""

        def function(*arguments: Any, **options: Any) -> Any:
            plain = not options and not any(self.is_array(a) for a in arguments)
            return (getattr(builtins, name) if plain else self.resolve(f"torch.{name}"))(*arguments, **options)

        return function

    def resolve(self, path: str) -> Any:
        """Return what a dotted path means, None when it means nothing."""
        first, *rest = path.split(".")
        value: Any = math if first == "math" else self.root()
        for name in rest:
            value = getattr(value, name, None)
        return value

    def answer(self) -> dict[str, Any]:
        """Return the gradients as plain lists: for each output, by the position of the leaf."""
        raise NotImplementedError

    def root(self) -> Any:
        raise NotImplementedError

    def array(self, value: Any) -> Any:
        raise NotImplementedError

    def leaf(self, value: Any) -> Any:
        raise NotImplementedError

    def is_array(self, value: Any) -> bool:
        raise NotImplementedError


def no_files(path: str) -> Any:
    """Refuse: files are read by gradcli alone."""
    raise RuntimeError("it reads files with load()")


def reach(value: Any, keys: list[Any]) -> Any:
    """Follow a way into lists and dicts."""
    for key in keys:
        value = value[key]
    return value


def main() -> None:
    """Answer the one question that is asked."""
    job = json.load(sys.stdin)
    try:
        import_module(job["engine"])
    except ImportError:
        json.dump({"missing": True}, sys.stdout)
        return
    module: Any = import_module(f"gradcli.checks.engines.{job['engine']}_engine")
    try:
        found = module.Adapter(job).answer()
    except Exception as problem:
        found = {"problem": f"{type(problem).__name__}: {problem}"}
    json.dump(found, sys.stdout)

"""One row an operation: its function, its names, what it means, how it differentiates, examples and sample inputs.

A row is written beside its function, once; the language's names, the methods of tensors, the Python API, ``gradcli
ops``, completion and the generated tests are all made from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gradcli.autograd.destination import into
from gradcli.autograd.errors import error

ROWS: dict[str, Row] = {}  # by canonical name, as in PyTorch: torch.exp, torch.nn.functional.relu, Tensor.view
NAMES: dict[str, Row] = {}  # by every spelling


@dataclass(frozen=True, slots=True)
class T:
    """A sample tensor of the given shape, drawn inside the row's domain (or inside ``low..high``)."""

    shape: tuple[int, ...]
    low: float | None = None
    high: float | None = None
    dtype: str = "float64"

    def __init__(
        self, *shape: int, low: float | None = None, high: float | None = None, dtype: str = "float64"
    ) -> None:
        for name, value in (("shape", shape), ("low", low), ("high", high), ("dtype", dtype)):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class Lit:
    """A sample tensor with the very values given (indices, masks, targets, special points)."""

    data: Any
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One call of the row's function that the generated tests make: descriptors, plain values and keywords."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    smooth: bool = True  # False: a kink or a pole, where differences say nothing


def sample(*args: Any, smooth: bool = True, **kwargs: Any) -> Sample:
    """Return a sample call; ``T(...)`` and ``Lit(...)`` stand for tensors, lists of them for sequences of tensors."""
    return Sample(args, kwargs, smooth)


@dataclass(frozen=True, slots=True)
class Row:
    """All that is known of one operation."""

    name: str
    function: Callable[..., Any]
    signature: str
    names: tuple[str, ...]
    doc: str
    formula: str  # of the vector-Jacobian product; "not differentiable" where there is none
    conventions: str
    examples: tuple[str, ...]
    samples: tuple[Sample, ...]
    domain: tuple[float, float]
    inplace: bool
    category: str

    @property
    def differentiable(self) -> bool:
        """Whether the row has a derivative rule."""
        return not self.formula.startswith("not differentiable")

    def text(self, more: str = "") -> str:
        """Return all that is known of the operation as a docstring; ``more`` is what its function says of itself."""
        derivative = f"Derivative: {self.formula.strip()}" if self.differentiable else self.formula.strip().capitalize()
        notes = [derivative, self.conventions.strip() and f"Conventions: {self.conventions.strip()}"]
        if len(self.names) > 1:
            notes.append(f"Also: {', '.join(self.names[1:])}")
        shown = "\n".join(f"    {line}" for example in self.examples for line in example.strip().split("\n"))
        own = "\n".join(line.removeprefix("    ") for line in more.strip().split("\n"))
        head = (self.doc.strip(), f"    {self.signature}", own)
        return "\n\n".join(filter(None, (*head, "\n".join(filter(None, notes)), f"Examples::\n\n{shown}"))) + "\n"


def documented(row: Row) -> Callable[..., Any]:
    """Return a row's function with the row's text as its docstring, around what the function says of itself.

    Namespaces and tensors call this when a name is first used: start-up pays nothing for texts that nobody reads.
    """
    function = row.function
    own = function.__doc__ or ""
    if row.signature not in own:
        function.__doc__ = row.text("" if own == row.doc else own)
    return function


def add_row(row: Row) -> None:
    """Register a row under each of its names."""
    ROWS[row.name] = row
    for name in row.names:
        NAMES[name] = row


def spread_names(name: str, names: str) -> tuple[str, ...]:
    """Return full spellings: the canonical name, then each of ``names`` (``Tensor.exp torch.special.exp``)."""
    return (name, *(n for n in names.split() if n != name))


def op(
    name: str,
    signature: str,
    *,
    doc: str,
    formula: str = "not differentiable",
    names: str = "",
    conventions: str = "",
    examples: tuple[str, ...],
    samples: tuple[Sample, ...] = (),
    domain: tuple[float, float] = (-2.0, 2.0),
    inplace: bool = False,
    numpy_words: bool = False,
    category: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the operation ``name`` (decorator).

    ``names`` are further spellings, separated by spaces; ``numpy_words`` lets ``axis=``/``keepdims=`` stand for
    ``dim=``/``keepdim=``; ``inplace`` adds the method with an underscore.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        writes = name.startswith("torch.") and not _takes(function, "out")
        public = _with_words(function, numpy_words, writes, _takes(function, "device"))
        add_row(
            Row(
                name,
                public,
                signature,
                spread_names(name, names),
                doc,
                formula,
                conventions,
                examples,
                samples,
                domain,
                inplace,
                category or function.__module__.rpartition(".")[2],
            )
        )
        return public

    return register


def _takes(function: Callable[..., Any], name: str) -> bool:
    """Return whether a function has an argument of this name itself."""
    code = getattr(function, "__code__", None)
    return code is not None and name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _with_words(function: Callable[..., Any], numpy: bool, writes: bool, placed: bool) -> Callable[..., Any]:
    """Return ``function`` with the keywords it does not know itself, in one step: most calls have none of them.

    ``numpy``: NumPy's keywords (a name given in both spellings is a TypeError); ``writes``: ``out=``, a tensor that the
    result is written into; ``placed``: its ``device=`` is refused where it names another place than the CPU.
    """
    if not (numpy or writes or placed):
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            return function(*args)
        if numpy:
            _translate(kwargs)
        if placed and kwargs.get("device") is not None:
            from gradcli.autograd.devices import check_device

            check_device(kwargs["device"])
        out = kwargs.pop("out", None) if writes else None
        return function(*args, **kwargs) if out is None else into(out, function, *args, **kwargs)

    return _named_as(function, call)


def _named_as(function: Callable[..., Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``call`` under the name and text of the function it stands for."""
    call.__name__ = call.__qualname__ = function.__name__
    call.__module__ = function.__module__
    call.__doc__ = function.__doc__
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


_WORDS = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input"}


def _translate(kwargs: dict[str, Any]) -> None:
    """Bring keywords in NumPy's spelling into PyTorch's."""
    for word in [w for w in kwargs if w in _WORDS]:
        if _WORDS[word] in kwargs:
            raise error(TypeError, "argument-twice", f"{word}= and {_WORDS[word]}= are the same argument")
        kwargs[_WORDS[word]] = kwargs.pop(word)

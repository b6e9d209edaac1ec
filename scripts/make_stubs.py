"""Write the type stubs of the Python API from the operation rows: ``python scripts/make_stubs.py``.

The functions' own signatures give names, order and defaults of arguments; their annotations give the types, or the
tables of ``stub_tables.py`` where these say Any. ``tests/test_stubs.py`` holds that the files are what this makes.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import stub_tables as tables  # noqa: E402

from gradcli.autograd.tensor import Tensor  # noqa: E402
from gradcli.ops import namespaces  # noqa: E402
from gradcli.ops.registry import rows  # noqa: E402
from gradcli.ops.row import NAMES, Row  # noqa: E402

WIDTH = 120
NOTE = "# Made by scripts/make_stubs.py from the operation rows: change those, and run it again.\n"


# -- types ----------------------------------------------------------------------------------------------------------
def own_names(text: str) -> str:
    """Return a type with Python's names written so that no operation hides them."""
    text = re.sub(r"\b(bool|complex|float|int|str)\b", r"_\1", text)
    return re.sub(r"\b(DType|Generator)\b", r"_\1", text)


def argument_type(row: Row, parameter: inspect.Parameter) -> str:
    """Return the type of one argument: as annotated, by its name, or a tensor."""
    name, default = parameter.name, parameter.default
    special = tables.SPECIAL.get((row.name, name))
    annotation = parameter.annotation
    if special is None and annotation not in ("Any", inspect.Parameter.empty):
        return own_names(annotation)
    if special is None and annotation is inspect.Parameter.empty and type(default) in (bool, int, float, str):
        return own_names(type(default).__name__)
    text = special or tables.ARGUMENTS.get(name, "TensorLike")
    many = parameter.kind is inspect.Parameter.VAR_POSITIONAL
    if many:
        text = text if name == "shapes" else re.sub(r"^Sequence\[(.*)\]$", r"\1", text)
    optional = default is None and not many and text != "Any" and not text.endswith("| None")
    return f"{text} | None" if optional else text


def fields_class(text: str) -> str:
    """Return the name of the result with these fields: ``values indices`` is ValuesIndices."""
    return "".join(part[0].upper() + part[1:] for word in text.split() for part in word.split("_"))


def is_fields(text: str) -> bool:
    """Tell whether a result is a list of fields."""
    return " " in text and "[" not in text and "|" not in text


def result(row: Row) -> str:
    """Return the type of an operation's result."""
    text = tables.RETURNS.get(row.name)
    if text is not None:
        return fields_class(text) if is_fields(text) else text
    annotation = inspect.signature(row.function).return_annotation
    return own_names(annotation) if annotation in ("bool", "int", "str", "None") else "Tensor"


# -- signatures -----------------------------------------------------------------------------------------------------
def parameters(row: Row) -> list[inspect.Parameter]:
    """Return the arguments of a row's function; of its written signature where the function takes any keyword."""
    found = list(inspect.signature(row.function).parameters.values())
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in found):
        found = written(row)
    names = {p.name for p in found}
    if words_of_numpy(row) and "dim" in names:
        pairs = [("dim", "axis"), ("keepdim", "keepdims")]
        extra = [again(p, new) for p in found for old, new in pairs if p.name == old and p.default is not p.empty]
        found += extra
    if takes_out(row) and "out" not in names:
        found.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Any"))
    return found


def again(parameter: inspect.Parameter, name: str) -> inspect.Parameter:
    """Return the same argument under NumPy's name."""
    same = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=parameter.annotation)
    return same.replace(annotation="Dims | None") if parameter.annotation == "Any" else same


def keywords(row: Row) -> set[str]:
    """Return which keywords the registry's wrapper adds to a function: those of NumPy, ``writes`` for ``out=``."""
    found: set[str] = set()
    function: Any = row.function
    while function is not None:
        if getattr(function, "__code__", None) and function.__code__.co_qualname.startswith("_with_words."):
            given = inspect.getclosurevars(function).nonlocals
            found |= {word for word in ("numpy", "writes") if given.get(word)}
        function = getattr(function, "__wrapped__", None)
    return found


def words_of_numpy(row: Row) -> bool:
    """Tell whether ``axis=`` and ``keepdims=`` are accepted."""
    return "numpy" in keywords(row)


def takes_out(row: Row) -> bool:
    """Tell whether the registry lets a function write its result into ``out=``."""
    return "writes" in keywords(row) and result(row) == "Tensor"


def written(row: Row) -> list[inspect.Parameter]:
    """Return the arguments as a row's signature writes them."""
    text = row.signature[row.signature.index("(") :]
    arguments = ast.parse(f"def f{text}: ...").body[0].args  # type: ignore[attr-defined]
    kinds = inspect.Parameter
    defaults = [kinds.empty] * (len(arguments.args) - len(arguments.defaults))
    defaults += [ast.literal_eval(d) for d in arguments.defaults]
    keywords = [kinds.empty if d is None else ast.literal_eval(d) for d in arguments.kw_defaults]
    pairs = [(a.arg, d, kinds.POSITIONAL_OR_KEYWORD) for a, d in zip(arguments.args, defaults, strict=True)]
    pairs += [(a.arg, d, kinds.KEYWORD_ONLY) for a, d in zip(arguments.kwonlyargs, keywords, strict=True)]
    known = inspect.signature(row.function).parameters
    notes = {name: p.annotation for name, p in known.items() if p.annotation != "Any"}
    return [inspect.Parameter(n, k, default=d, annotation=notes.get(n, kinds.empty)) for n, d, k in pairs]


def one_argument(row: Row, parameter: inspect.Parameter) -> str:
    """Return an argument as it stands in a stub."""
    lead = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else ""
    default = "" if parameter.default is parameter.empty else f" = {default_text(parameter.default)}"
    return f"{lead}{parameter.name}: {argument_type(row, parameter)}{default}"


def default_text(value: Any) -> str:
    """Return a default as Python reads it."""
    return "..." if value is ... else repr(value)


def arguments_text(row: Row, found: list[inspect.Parameter]) -> list[str]:
    """Return the arguments, a star before the first that only a keyword reaches."""
    texts, starred = [], False
    for parameter in found:
        starred |= parameter.kind is inspect.Parameter.VAR_POSITIONAL
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            texts.append("*")
            starred = True
        texts.append(one_argument(row, parameter))
    return texts


def signatures(row: Row) -> list[tuple[list[str], str]]:
    """Return arguments and result for each way to call an operation."""
    if row.name in tables.OVERLOADS:
        return [taken_apart(text) for text in tables.OVERLOADS[row.name]]
    found = parameters(row)
    flag = next((p for p in found if p.name == tables.WITH_INDICES), None)
    if flag is None:
        return [(arguments_text(row, found), result(row))]
    at = found.index(flag)
    plain = [*found[:at], flag.replace(annotation="Literal[False]"), *found[at + 1 :]]
    asked = flag.replace(annotation="Literal[True]", default=flag.empty, kind=flag.KEYWORD_ONLY)
    both = [p for p in found if p is not flag and p.name != "out"] + [asked]
    return [(arguments_text(row, plain), "Tensor"), (arguments_text(row, both), "tuple[Tensor, Tensor]")]


def taken_apart(text: str) -> tuple[list[str], str]:
    """Return arguments and result of a signature written as text."""
    inside, _, outcome = text.rpartition(" -> ")
    parts, depth, start = [], 0, 1
    for at, sign in enumerate(inside):
        depth += (sign in "([") - (sign in ")]")
        if (sign == "," and depth == 1) or (sign == ")" and depth == 0):
            parts.append(inside[start:at].strip())
            start = at + 1
    return parts, outcome


def define(name: str, arguments: list[str], outcome: str, doc: str = "", mark: str = "", indent: str = "") -> str:
    """Return a function of a stub, broken into lines where it is long."""
    body = f'\n{indent}    """{doc}"""\n' if doc else " ...\n"
    line = f"{indent}def {name}({', '.join(arguments)}) -> {outcome}:"
    comment = f"  # type: ignore[{mark}]" if mark else ""
    if len(line) + (0 if doc else 4) + len(comment) > WIDTH:
        inner = "".join(f"{indent}    {argument},\n" for argument in arguments)
        line = f"{indent}def {name}({comment}\n{inner}{indent}) -> {outcome}:"
        return line + body
    return line + (f"{comment}{body}" if doc else f"{body.rstrip()}{comment}\n")


def documentation(row: Row, indent: str) -> str:
    """Return the first sentence of a row, in one line."""
    first = re.split(r"(?<=[.;])\s", " ".join(row.doc.split()))[0].rstrip(";").replace("\\", "\\\\").replace('"', "'")
    return textwrap.shorten(first if first.endswith(".") else f"{first}.", WIDTH - len(indent) - 10, placeholder=" ...")


def functions(name: str, row: Row, indent: str = "", drop: int = 0, outcome: str = "") -> str:
    """Return an operation under one of its names; ``drop`` arguments are the object's own."""
    ways, text = signatures(row), ""
    for arguments, made in ways:
        inside = ["self", *without_out(arguments[drop:])] if drop else arguments
        text += f"{indent}@overload\n" if len(ways) > 1 else ""
        text += define(name, inside, outcome or made, documentation(row, indent), indent=indent)
    return text


def without_out(arguments: list[str]) -> list[str]:
    """Return a method's arguments: it takes no ``out=``."""
    kept = [a for a in arguments if not a.startswith("out:")]
    return kept[:-1] if kept and kept[-1] == "*" else kept


# -- files ----------------------------------------------------------------------------------------------------------
def rows_below(prefix: str) -> Iterable[tuple[str, Row]]:
    """Return the operations of one namespace by their last names, sorted."""
    lead = prefix + "."
    for name in sorted(NAMES):
        if name.startswith(lead) and "." not in name[len(lead) :]:
            yield name[len(lead) :], NAMES[name]


def module(doc: str, body: str, more: Iterable[tuple[str, str]] = ()) -> str:
    """Return a stub with the imports that its body needs, and ``more`` (module, name)."""
    used = {name for name in tables.IMPORTS if re.search(rf"(?<![\w.]){name}\b", body)}
    used |= {cls for cls in result_classes() if re.search(rf"-> {cls}:", body)}
    pairs = {tables.IMPORTS.get(name, ("gradcli._typing", name)) for name in used} | set(more)
    return f'{NOTE}"""{doc}"""\n\n{import_lines(pairs)}\n{body}'


def import_lines(pairs: set[tuple[str, str]]) -> str:
    """Return import statements in the order that the linter wants."""
    groups: list[list[str]] = [[], [], []]
    plain = {name for place, name in pairs if not place and not name.startswith("numpy")}
    groups[0] += [f"import {name}" for name in sorted(plain)]
    for place in sorted({place for place, _ in pairs if place}):
        names = sorted((n for p, n in pairs if p == place), key=import_order)
        group = groups[2 if place.startswith("gradcli") else 0]
        alone = [n for n in names if " as " in n]
        together = [n for n in names if " as " not in n]
        group += [f"from {place} import {n}" for n in alone]
        group += [import_line(place, together)] if together else []
    groups[1] += [f"import {n}" for p, n in pairs if not p and n.startswith("numpy")]
    return "\n\n".join("\n".join(group) for group in groups if group) + "\n"


def import_line(place: str, names: list[str]) -> str:
    """Return one import, in brackets where it is long."""
    line = f"from {place} import {', '.join(names)}"
    return line if len(line) <= WIDTH else f"from {place} import (\n" + "".join(f"    {n},\n" for n in names) + ")"


def import_order(name: str) -> tuple[int, str]:
    """Return what sorts names inside an import: constants, classes, then the rest."""
    first = name.split()[0]
    return (0 if first.isupper() and len(first) > 1 else 1 if first[:1].isupper() else 2, name.lower())


def result_classes() -> dict[str, str]:
    """Return the classes of results with named fields."""
    return {fields_class(text): text for text in tables.RETURNS.values() if is_fields(text)} | {
        "ValuesIndices": "values indices"
    }


def typing_stub() -> str:
    """Return ``_typing.pyi``: the types that the stubs share, and what the rows give to tensors."""
    body = ""
    for name, fields in sorted(result_classes().items()):
        lines = "".join(f"    {field}: Tensor\n" for field in fields.split())
        body += f'class {name}(NamedTuple):\n    """The fields {", ".join(fields.split())}."""\n\n{lines}\n'
    body += 'class Methods:\n    """The methods, operators and properties that the operations give to tensors."""\n\n'
    doc = '"""Types of arguments and results, and the methods of tensors; for type checkers alone."""'
    return f"{NOTE}{doc}\n\n{tables.TYPES}\n{body}" + "".join(methods()) + "".join(operators())


def own_members() -> set[str]:
    """Return the names that the class Tensor defines itself."""
    tree = ast.parse((ROOT / "gradcli" / "autograd" / "tensor.py").read_text(encoding="utf-8"))
    (cls,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor"]
    return {node.name for node in cls.body if isinstance(node, ast.FunctionDef)}


def methods() -> Iterable[str]:
    """Return each method of tensors, in-place forms included."""
    own = own_members()
    for name, row in rows_below("Tensor"):
        if name in own or name.startswith("__"):
            continue
        if isinstance(vars(Tensor).get(name), property):
            yield property_text(name, row)
            continue
        yield functions(name, row, "    ", 1)
        if row.inplace and f"Tensor.{name}_" not in NAMES:
            yield functions(f"{name}_", row, "    ", 1, "Tensor")


def property_text(name: str, row: Row) -> str:
    """Return a property, with its setter where it has one."""
    text = f"    @property\n{define(name, ['self'], 'Tensor', documentation(row, '    '), indent='    ')}"
    if vars(Tensor)[name].fset is not None:
        text += f"    @{name}.setter\n{define(name, ['self', 'value: TensorLike'], 'None', indent='    ')}"
    return text


def operators() -> Iterable[str]:
    """Return the operator methods."""
    for word in tables.UNARY.split():
        yield define(f"__{word}__", ["self"], "Tensor", indent="    ")
    for word in tables.COMPARISONS.split():
        mark = "override" if word in ("eq", "ne") else ""
        yield define(f"__{word}__", ["self", "other: TensorLike"], "Tensor", mark=mark, indent="    ")
    for word in tables.BINARY.split():
        for lead in ("", "r", "i"):
            if f"__{lead}{word}__" in vars(Tensor):
                yield define(f"__{lead}{word}__", ["self", "other: TensorLike"], "Tensor", indent="    ")
    yield define("__getitem__", ["self", "index: Index"], "Tensor", indent="    ")
    yield define("__setitem__", ["self", "index: Index", "value: TensorLike"], "None", indent="    ")


def functions_stub(prefix: str, doc: str) -> str:
    """Return the stub of a namespace that has operations and a few names of the engine."""
    body = "".join("\n" + functions(name, row) for name, row in rows_below(prefix))
    return module(doc, body.lstrip("\n"), exported(prefix))


def exported(prefix: str) -> list[tuple[str, str]]:
    """Return (module, name as name) of what a namespace has from the engine."""
    found = []
    for name, place in namespaces._PLACES.get(prefix, {}).items():
        found.append((place if "." in place else f"gradcli.autograd.{place}", f"{name} as {name}"))
    return found


def torch_stub() -> str:
    """Return ``__init__.pyi``: all of ``torch``."""
    # to a type checker torch.Tensor is the engine's class, which has the methods
    more = [(place, name) for place, name in exported("torch") if name != "Tensor as Tensor"]
    more += [("gradcli", f"{name} as {name}") for name in namespaces._CHILDREN["torch"]]
    more += [("gradcli.lang.embed", "run as run"), ("gradcli.version", "__version__ as __version__")]
    more += [("gradcli.autograd.size", "Size as Size"), ("gradcli.autograd.tensor", "Tensor as Tensor")]
    plain = {n: v for n, v in namespaces._CONSTANTS["torch"].items() if n not in ("Tensor", "Size", "dtype")}
    body = "dtype = _DType\n"
    body += "".join(f"{name}: {own_names(type(value).__name__)}\n" for name, value in sorted(plain.items()))
    body += "".join("\n" + functions(name, row) for name, row in rows_below("torch"))
    text = module("PyTorch's names on NumPy: tensors, operations, gradients.", body, more)
    for name in ("Size", "Tensor"):
        text = re.sub(rf"^(from \S+ import ){name}\n", "", text, flags=re.MULTILINE)
    return text


def autograd_stub() -> str:
    """Return ``autograd/__init__.pyi``: what the package imports at once, and what it loads at its first use."""
    from gradcli import autograd

    tree = ast.parse((ROOT / "gradcli" / "autograd" / "__init__.py").read_text(encoding="utf-8"))
    pairs = {
        (node.module or "", f"{alias.name} as {alias.name}")
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("gradcli")
        for alias in node.names
    }
    pairs |= {(f"gradcli.autograd.{place}", f"{name} as {name}") for name, place in autograd.PUBLIC.items()}
    pairs |= {("gradcli.autograd", f"{name} as {name}") for name in autograd.MODULES}
    body = "MODULES: tuple[str, ...]\nPUBLIC: dict[str, str]\n"
    return f'{NOTE}"""The engine, and ``torch.autograd``."""\n\n{import_lines(pairs)}\n{body}'


STUBS: dict[str, Callable[[], str]] = {
    "_typing.pyi": typing_stub,
    "__init__.pyi": torch_stub,
    "autograd/__init__.pyi": autograd_stub,
    "nn/functional.pyi": lambda: functions_stub("torch.nn.functional", "``torch.nn.functional``."),
    "linalg.pyi": lambda: functions_stub("torch.linalg", "``torch.linalg``."),
    "special.pyi": lambda: functions_stub("torch.special", "``torch.special``."),
    "fft.pyi": lambda: functions_stub("torch.fft", "``torch.fft``."),
    "signal/windows.pyi": lambda: functions_stub("torch.signal.windows", "``torch.signal.windows``."),
}


def stubs() -> dict[Path, str]:
    """Return the text of each stub by its place."""
    assert list(rows())  # all families are imported
    return {ROOT / "gradcli" / name: make() for name, make in STUBS.items()}


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)}: {text.count(chr(10))} lines\n")

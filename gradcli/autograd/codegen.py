"""The methods of a node class, written out for one primitive and one set of inputs that need a cotangent.

Each class gets three small functions made from text: which values to save, the rules on raw arrays, the rules on
tensors. Writing them out keeps the backward loop free of interpretation: the class of a product with a constant saves
and reads just the constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.autograd import primitive as _primitive
from gradcli.autograd.lifted import bare_of
from gradcli.autograd.node import Freed, Node, edge_of
from gradcli.autograd.saved import properties
from gradcli.autograd.tensor import Tensor

if TYPE_CHECKING:
    from gradcli.autograd.primitive import Primitive, Rule


def _not_implemented(words: str) -> Any:
    def refuse(g: Any) -> Any:
        from gradcli.autograd.errors import error

        raise error(NotImplementedError if words.startswith("!") else RuntimeError, "no-derivative", words.lstrip("!"))

    return refuse


def _rules(primitive: Primitive, mask: tuple[bool, ...]) -> dict[int, Rule] | Rule:
    """Return the joint rule, or the rule of each input that needs a cotangent."""
    vjp = primitive.vjp
    if isinstance(vjp, dict):
        return {i: vjp[primitive.arrays[i]] for i, wanted in enumerate(mask) if wanted}
    if isinstance(vjp, str):
        return {i: _not_implemented(vjp) for i, wanted in enumerate(mask) if wanted}
    assert vjp is not None
    return vjp


class _Saved:
    """Which values a class saves, in order, and the text that makes and reads them."""

    def __init__(self, primitive: Primitive, numbers: tuple[bool, ...]) -> None:
        self.primitive, self.numbers = primitive, numbers
        self.names: list[str] = []

    def index(self, name: str) -> int:
        """Return the place of ``name`` among the saved values, adding it if it is new."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def tensors(self) -> tuple[bool, ...]:
        """Say which saved values are tensors or arrays."""
        return tuple(self.kind(name) in ("input", "out", "variadic") for name in self.names)

    def kind(self, name: str) -> str:
        if name == "out":
            return "out"
        if self.primitive.variadic and name == self.variadic_name():
            return "variadic"
        if name in self.primitive.arrays:
            return "number" if self.numbers[self.primitive.arrays.index(name)] else "input"
        return "param"

    def variadic_name(self) -> str:
        return self.primitive.variadic_name

    def making(self) -> str:
        """Return the expression that builds the saved tuple from ``args``, ``out`` and ``params``."""
        parts = []
        for name in self.names:
            kind = self.kind(name)
            if kind in ("input", "number"):
                parts.append(f"args[{self.primitive.arrays.index(name)}]")
            elif kind == "variadic":
                parts.append(f"args[{len(self.primitive.arrays)}:]")
            else:
                parts.append("out" if kind == "out" else f"params[{name!r}]")
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def reading(self, k: int, graph: bool) -> str:
        """Return the expression that reads saved value ``k``, its version checked."""
        kind = self.kind(self.names[k])
        if kind == "input":
            value = f"s[{k}]" if graph else f"s[{k}]._array"
            return f"({value} if s[{k}]._storage is None else use(node, {k}, {graph}))"
        if kind == "out":
            return (
                f"use_out(node, {k}, {graph})"
                if graph
                else f"(s[{k}] if node.rare is None else use_out(node, {k}, False))"
            )
        if kind == "variadic":
            return f"use_all(node, {k}, {graph})"
        if kind == "number" and graph:
            return f"plain(s[{k}])"
        return f"s[{k}]"


def _use(node: Node, k: int, graph: bool) -> Any:
    value = node.saved[k]
    if not isinstance(value, Tensor):  # packed by a hook
        return value.unpack(node, k) if graph else value.unpack(node, k)._array
    _primitive.checked(node, k)
    return node.saved[k] if graph else node.saved[k]._array


def _use_out(node: Node, k: int, graph: bool) -> Any:
    value = node.saved[k]
    if hasattr(value[0] if node.multi else value, "unpacker"):
        return _unpacked_out(node, k, value, graph)
    _primitive.checked_out(node, k, value)
    if not graph:
        return value
    if node.multi:
        return tuple(again(node, v, nr) for nr, v in enumerate(value))
    return again(node, value, 0)


def _unpacked_out(node: Node, k: int, value: Any, graph: bool) -> Any:
    outs = [one.unpack(node, k) for one in (value if node.multi else (value,))]
    read = outs if graph else [out._array for out in outs]
    return tuple(read) if node.multi else read[0]


def again(node: Node, value: Any, nr: int) -> Tensor:
    """Return a tensor of a saved result: the same memory (or lifted value) and the same node."""
    out = bare_of(value) if isinstance(value, Tensor) else Tensor(np.asarray(value))
    if out._element.kind in _primitive.FLOATING:
        out._fn, out._rg, out._nr = node, True, nr
        if node.rare is not None and node.rare.storages is not None:
            out._storage = node.rare.storages.get(nr)
    return out


def _use_all(node: Node, k: int, graph: bool) -> Any:
    _primitive.checked_all(node, k)
    values = [v.unpack(node, k) if hasattr(v, "unpacker") else v for v in node.saved[k]]
    return [v if graph or not isinstance(v, Tensor) else v._array for v in values]


def plain(number: Any) -> Any:
    """Return a saved number as a Python number: it may be kept as a 0-d array, which NumPy is quicker with."""
    return number.item() if number.__class__ is np.ndarray else number


_HELPERS = {"plain": plain, "use": _use, "use_out": _use_out, "use_all": _use_all, "edge_of": edge_of}


def make_node_class(primitive: Primitive, mask: tuple[bool, ...], numbers: tuple[bool, ...]) -> type[Node]:
    """Return the node class of ``primitive`` for inputs of which ``mask`` need a cotangent."""
    saved = _Saved(primitive, numbers)
    rules = _rules(primitive, mask)
    for name in primitive.rule_values():
        if saved.kind(name) == "param":
            saved.index(name)
    scope: dict[str, Any] = dict(_HELPERS)
    body = _call(rules, saved, mask, scope)
    text = (
        f"def save(args, out, params): return {saved.making()}\n"
        f"{_method('run', body, saved, False)}{_method('run_graph', body, saved, True)}"
    )
    wanted = [i for i, m in enumerate(mask) if m]
    if isinstance(rules, dict) and len(wanted) == 1:
        text += _method("run_only", _call_rule(f"rule{wanted[0]}", rules[wanted[0]], saved, mask, scope), saved, False)
    exec(compile(text, f"<rules of {primitive.name}>", "exec"), scope)
    tensors = saved.tensors()
    one = "run_only" in scope and not primitive.multi
    plan = (wanted[0], scope["run_only"], primitive.elementwise, any(tensors)) if one else None
    members = {
        **properties(primitive),
        "__slots__": (),
        "__module__": "torch.autograd.graph",
        "primitive": primitive,
        "multi": primitive.multi,
        "saved_names": tuple(saved.names),
        "saved_kinds": tuple(saved.kind(name) for name in saved.names),
        "saved_tensors": tensors,
        "frees": any(tensors),
        "reads": any(saved.kind(name) in ("input", "variadic") for name in saved.names),
        "plan": plan,
        "forks": not one and not primitive.multi,
        "emptied": Freed(None for _ in tensors) if tensors and all(tensors) else None,
        "save": staticmethod(scope["save"]),
        "run": scope["run"],
        "run_graph": scope["run_graph"],
    }
    return type(primitive.node_name, (Node,), members)


def _mark(k: int) -> str:
    return f"<{k}>"


def _method(name: str, body: str, saved: _Saved, graph: bool) -> str:
    """Return the text of a method that reads each saved value once: an unpack hook is called once a run."""
    lines = [f"def {name}(node, g):", " s = node.saved"]
    for k in range(len(saved.names)):
        value = saved.reading(k, graph)
        if body.count(_mark(k)) > 1:
            lines.append(f" v{k} = {value}")
            value = f"v{k}"
        body = body.replace(_mark(k), value)
    return "\n".join([*lines, f" return {body}", ""])


def _call(rules: Any, saved: _Saved, mask: tuple[bool, ...], scope: dict[str, Any]) -> str:
    """Return the expression for the tuple of cotangents, with marks where saved values are read."""
    if not isinstance(rules, dict):
        return _call_rule("rule", rules, saved, mask, scope)
    parts = []
    for i, wanted in enumerate(mask):
        parts.append(_call_rule(f"rule{i}", rules[i], saved, mask, scope) if wanted else "None")
    return f"({', '.join(parts)},)"


def _call_rule(label: str, rule: Rule, saved: _Saved, mask: tuple[bool, ...], scope: dict[str, Any]) -> str:
    scope[label] = rule
    names = _primitive.rule_names(rule)
    arguments = []
    for name in names:
        if name == "g":
            value = "g"
        elif name == "needs":
            value = repr(mask)
        else:
            value = _mark(saved.index(name))
        arguments.append(f"{name}={value}" if name in _keyword_only(rule) else value)
    return f"{label}({', '.join(arguments)})"


def _keyword_only(rule: Rule) -> tuple[str, ...]:
    code = rule.__code__
    return code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
